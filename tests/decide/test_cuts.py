import json
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keysift.decide.cuts import (
    RULES,
    AtPrior,
    AtScore,
    CutRule,
    MaxF1,
    Precision,
    Recall,
    Top,
    cut_at_prior,
    cut_at_top,
    cut_rule,
    parse_cut,
)
from keysift.decide.posterior import Interval, Posterior
from keysift.errors import SettingError
from tests.decide.cases import three_curves

FLOATS = st.floats(-1e300, 1e300)
DISTINCT = st.lists(FLOATS, min_size=1, max_size=30, unique=True).map(np.array)
TIED = st.lists(st.integers(-3, 3).map(float), min_size=1, max_size=30).map(np.array)
PRIORS = st.floats(0.001, 0.999)


def above(scores: np.ndarray, threshold: float) -> int:
    return int((scores > threshold).sum())


@settings(deadline=None, max_examples=50)
@given(scores=DISTINCT, k=st.integers(-1, 35))
def test_exactly_k_are_above(scores: np.ndarray, k: int) -> None:
    assert above(scores, cut_at_top(scores, k)) == min(max(k, 0), len(scores))


@settings(deadline=None, max_examples=200)
@given(scores=TIED, k=st.integers(0, 35))
def test_ties_stay_together_and_the_number_above_is_the_nearest_to_k(scores: np.ndarray, k: int) -> None:
    possible = {above(scores, score) for score in [*scores, -np.inf]}
    nearest = min(abs(number - k) for number in possible)
    assert above(scores, cut_at_top(scores, k)) == min(n for n in possible if abs(n - k) == nearest)


def test_the_top_is_never_empty_for_a_tie() -> None:
    scores = np.array([1.0, 1.0, 1.0, 0.0, 0.0, 0.0])
    assert above(scores, cut_at_top(scores, 2)) == 3
    assert above(scores, cut_at_prior(scores, 1 / 3)) == 3


def test_neighbouring_floats_are_told_apart() -> None:
    scores = np.array([1.0, np.nextafter(1.0, 2.0)])
    assert above(scores, cut_at_top(scores, 1)) == 1


@settings(deadline=None, max_examples=50)
@given(scores=DISTINCT, prior=PRIORS)
def test_the_prior_is_a_share(scores: np.ndarray, prior: float) -> None:
    assert abs(above(scores, cut_at_prior(scores, prior)) - prior * len(scores)) <= 0.5 + 1e-9


@settings(deadline=None, max_examples=50)
@given(scores=st.one_of(DISTINCT, TIED), data=st.data())
def test_a_weight_of_two_is_a_document_twice(scores: np.ndarray, data: st.DataObject) -> None:
    times = np.array(data.draw(st.lists(st.integers(1, 5), min_size=len(scores), max_size=len(scores))))
    # Eighths are exact in binary, so that both ways round alike.
    prior = data.draw(st.integers(1, 7)) / 8
    expected = cut_at_prior(np.repeat(scores, times), prior)
    assert cut_at_prior(scores, prior, times.astype(np.float64)) == expected
    assert cut_at_prior(scores, prior, times / 8) == expected


FOUR = Posterior(np.array([0.1, 0.2, 0.3, 0.4]), np.array([[0.1, 0.2, 0.8, 0.9]]), np.array([0.5]), 0.0, "")
PLAIN: list[tuple[CutRule, object, str]] = [
    (AtPrior(), "prior", "prior"),
    (MaxF1(), "max_f1", "max_f1"),
    (Precision(0.9), ["precision", 0.9], "precision=0.9"),
    (Recall(0.95), ["recall", 0.95], "recall=0.95"),
    (Top(100), ["top", 100], "top=100"),
    (AtScore(1.5), 1.5, "1.5"),
    (AtScore(-1e300), -1e300, "-1e300"),
]
"""Each rule, as a file holds it, and as the command line has it."""
ALL = [AtPrior(), MaxF1(), Precision(0.01), Recall(0.5), Top(1), AtScore(0.0)]


def test_the_sheet_is_about_all_rules() -> None:
    kinds = {type(rule) for rule in RULES.values()}
    assert {type(rule) for rule, *_ in PLAIN} == kinds
    assert {type(rule) for rule in ALL} == kinds


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (AtPrior(), 0.35),
        (Top(2), 0.25),
        (Top(9), np.nextafter(0.1, 0)),
        (AtScore(0.7), 0.7),
        (MaxF1(), 0.25),
        (Precision(0.86), 0.35),
        (Precision(0.6), 0.15000000000000002),
        (Recall(0.4), 0.35),
        (Recall(0.99), np.nextafter(0.1, 0)),
    ],
)
def test_each_rule_cuts_where_it_says(rule: CutRule, expected: float) -> None:
    assert rule.threshold(np.array([0.1, 0.4, 0.2, 0.3]), 0.25, FOUR) == expected


@pytest.mark.parametrize("rule", ALL)
@pytest.mark.parametrize(
    "scores",
    [[0.1], [2.0] * 5, [-1e308, 1e308], [1.0, np.nextafter(1.0, 2.0)], [5e-324, 0.0, -5e-324], [0.0, -0.0]],
)
def test_extreme_scores_have_a_threshold(rule: CutRule, scores: list[float]) -> None:
    given = np.array(scores)
    knots = np.unique(given)
    posterior = Posterior(knots, np.linspace(0.2, 0.8, len(knots))[None, :], np.array([0.5]), 0.0, "a test")
    with np.errstate(over="ignore"):
        threshold = rule.threshold(given, 0.5, posterior)
    assert type(threshold) is float
    assert np.isfinite(threshold)
    if isinstance(rule, MaxF1 | Precision | Recall):
        assert above(given, threshold) > 0


@pytest.mark.parametrize("rule", ALL)
@settings(deadline=None, max_examples=30)
@given(
    scores=st.lists(st.floats(-9, 9), min_size=2, max_size=30).map(np.array),
    priors=st.tuples(*[st.floats(0.1, 0.9)] * 2),
)
def test_a_rule_that_does_not_depend_on_the_prior_ignores_it(
    rule: CutRule, scores: np.ndarray, priors: tuple[float, float]
) -> None:
    chances = np.linspace(0.1, 0.9, len(scores))
    first, second = (
        rule.threshold(scores, prior, three_curves(np.sort(scores), chances, scores, Interval(*[prior] * 3)))
        for prior in priors
    )
    assert first == second or rule.depends_on_prior


def test_which_rules_depend_on_the_prior() -> None:
    assert [name for name, rule in RULES.items() if rule.depends_on_prior] == ["prior", "max_f1", "precision", "recall"]


@st.composite
def known(draw: st.DrawFn) -> tuple[np.ndarray, Posterior]:
    scores = draw(st.one_of(TIED, st.lists(st.floats(-9, 9), min_size=1, max_size=30).map(np.array)))
    chances = np.sort(draw(st.lists(st.floats(0, 1), min_size=len(scores), max_size=len(scores))))
    prior = draw(st.floats(0.01, 0.99))
    return scores, three_curves(np.sort(scores), chances, scores, Interval(prior, prior, prior))


@settings(max_examples=100)
@given(case=known(), share=st.floats(0.01, 0.99))
def test_a_target_is_reached_with_as_few_or_as_many_documents_as_can_be(
    case: tuple[np.ndarray, Posterior], share: float
) -> None:
    """Against the obvious way: look at all cuts."""
    scores, posterior = case
    cuts = [float(np.nextafter(score, -np.inf)) for score in np.unique(scores)]
    every = [posterior.expected(scores, at) for at in cuts]
    f1 = posterior.expected(scores, MaxF1().threshold(scores, 0.5, posterior)).f1.value
    assert f1 == pytest.approx(max(one.f1.value for one in every))

    recall = posterior.expected(scores, Recall(share).threshold(scores, 0.5, posterior))
    assert recall.count == min(one.count for one in every if one.recall.value >= share - 1e-12)

    enough = [one.count for one in every if one.precision.value >= share + 1e-9]
    almost = [one.count for one in every if one.precision.value >= share - 1e-9]
    if enough:
        precision = posterior.expected(scores, Precision(share).threshold(scores, 0.5, posterior))
        assert max(enough) <= precision.count <= max(almost)
    elif not almost:
        with pytest.raises(SettingError, match="No cut has an expected precision of"):
            Precision(share).threshold(scores, 0.5, posterior)


def test_a_precision_out_of_reach_tells_the_best_that_can_be_asked_for() -> None:
    scores = np.array([3.0, 2.0, 1.0])
    posterior = Posterior(scores[::-1].copy(), np.array([[0.1, 0.2, 0.7996]]), np.array([0.4]), 0.0, "a test")
    with pytest.raises(SettingError) as error:
        Precision(0.9).threshold(scores, 0.5, posterior)
    assert str(error.value).startswith("No cut has an expected precision of 0.9: the best is 0.799, at the top 1 (from")
    assert "a test" in str(error.value)
    assert Precision(0.799).threshold(scores, 0.5, posterior) == 2.5


def test_targets_where_all_scores_are_equal() -> None:
    scores, below = np.full(5, 0.1), float(np.nextafter(0.1, -np.inf))
    posterior = Posterior(scores[:1], np.full((1, 1), 0.3), np.array([0.3]), 0.0, "a test")
    targets: list[CutRule] = [MaxF1(), Recall(0.2), Precision(0.3)]
    assert [target.threshold(scores, 0.3, posterior) for target in targets] == [below] * 3
    with pytest.raises(SettingError, match=r"the best is 0\.300, at the top 5"):
        Precision(0.5).threshold(scores, 0.3, posterior)


@pytest.mark.parametrize(("rule", "plain", "text"), PLAIN)
def test_each_rule_is_read_from_all_that_is_written_for_it(rule: CutRule, plain: object, text: str) -> None:
    assert rule.plain == plain
    assert cut_rule(rule) is rule
    assert cut_rule(json.loads(json.dumps(rule.plain))) == rule
    assert cut_rule(tuple(plain) if isinstance(plain, list) else plain) == rule
    assert parse_cut(text) == parse_cut(f" {text.replace('=', ' = ')} ") == rule


@pytest.mark.parametrize(
    ("given", "plain"),
    [
        (0, 0.0),
        (np.float32(0.5), 0.5),
        (["top", np.int64(3)], ["top", 3]),
        (("precision", np.float32(0.5)), ["precision", 0.5]),
        (Recall(np.float64(0.5)), ["recall", 0.5]),
        (10**300, 1e300),
    ],
)
def test_numbers_of_all_kinds_become_plain(given: object, plain: object) -> None:
    rule = cut_rule(given)
    assert json.dumps(rule.plain) == json.dumps(plain)
    assert rule == cut_rule(plain)


REFUSED: list[object] = [
    *("top", "3", "", "f1", "precision", None, True, np.nan, np.inf, -np.inf, 10**400, 1j, np.complex64(1), (), []),
    *(("top",), ("top", 0), ("top", -1), ("top", 2.0), ("top", True), ("top", "3"), ("bottom", 3), ("top", 1, 2)),
    *(("precision",), ("precision", 0), ("precision", 1), ("recall", 2), ("recall", "0.9"), ("recall", None)),
    *(
        ("recall", True),
        ("precision", np.nan),
        ("f1", 0.5),
        ("prior", 0.5),
        ("max_f1",) * 2,
        (["top"], 3),
        AtPrior,
        Top,
    ),
]


@pytest.mark.parametrize("given", REFUSED)
def test_what_is_no_rule_is_refused_with_all_that_are(given: object) -> None:
    with pytest.raises(SettingError) as error:
        cut_rule(given)
    allowed = "'prior', 'max_f1', ('precision', 0.9), ('recall', 0.95), ('top', 100) or a score such as 1.5"
    assert str(error.value).startswith(f"threshold must be {allowed}; got {given!r}")


@pytest.mark.parametrize(
    "text",
    [
        *("", "=", "top", "foo", "nan", "-inf", "1e999", "9" * 5000, "prior=0.5", "=0.5", "top=", "top=0", "top=2.0"),
        *("top=1e3", "precision=1", "precision=high", "recall=-0.1", "precision=0.9=0.9", "f1=0.5", "('top', 3)"),
    ],
)
def test_text_that_is_no_rule_is_refused_with_all_that_are(text: str) -> None:
    with pytest.raises(SettingError) as error:
        parse_cut(text)
    allowed = "prior, max_f1, precision=0.9, recall=0.95, top=100 or a score such as 1.5"
    assert str(error.value).startswith(f"threshold must be {allowed}; got {text!r}")


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (("precision", 90), "precision must be a share between 0 and 1; got 90"),
        (["recall", "high"], "recall must be a share between 0 and 1; got 'high'"),
        (("top", 2.5), "top must be a whole number above 0; got 2.5"),
        (float("inf"), "score must be a finite number; got inf"),
    ],
)
def test_a_rule_with_a_wrong_value_says_which_it_takes(given: object, why: str) -> None:
    with pytest.raises(SettingError) as error:
        cut_rule(given)
    assert str(error.value).endswith(f"; got {given!r} ({why}).")


@dataclass(frozen=True)
class Quantile:
    """A rule of somebody's own."""

    level: float
    depends_on_prior: ClassVar[bool] = False

    @property
    def plain(self) -> list[str | float]:
        return ["quantile", self.level]

    def threshold(self, scores: np.ndarray, prior: float, posterior: Posterior) -> float:
        return float(np.quantile(scores, self.level))


def test_a_rule_is_added_by_entering_it_in_the_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SettingError, match="threshold must be"):
        cut_rule(("quantile", 0.5))
    with pytest.raises(SettingError, match="threshold must be"):
        parse_cut("quantile=0.5")
    monkeypatch.setitem(RULES, "quantile", Quantile(0.5))
    assert cut_rule(("quantile", 0.25)) == cut_rule(["quantile", 0.25]) == parse_cut("quantile=0.25") == Quantile(0.25)
    assert parse_cut("quantile=0.5").threshold(np.array([1.0, 2.0, 4.0]), 0.5, FOUR) == 2.0
    with pytest.raises(SettingError, match=r"\('top', 100\), \('quantile', 0\.5\) or a score"):
        cut_rule("best")
    with pytest.raises(SettingError, match=r"top=100, quantile=0\.5 or a score"):
        parse_cut("best")
