from keysift.audit.estimates import Estimate
from keysift.present.wording import bounds, on_one_line, percent, short_range


def test_what_is_unknown_is_a_dash() -> None:
    assert (percent(None), bounds(None), percent(Estimate(None, 0.0, 1.0))) == ("–", "–", "–")
    assert bounds(Estimate(None, 0.0, 1.0)) == "0.0 to 100.0"


def test_ranges_are_rounded_the_same_way_as_their_values() -> None:
    assert short_range(0.126, 0.124, 1.0) == "13% (12-100)"


def test_a_text_is_cut_only_where_it_is_too_long() -> None:
    assert on_one_line("a goal", 6) == "a goal"
    assert on_one_line("a \n goals", 6) == "a goal …"
