from dataclasses import replace

from keysift.decide.posterior import Interval
from keysift.present.review import count_table, progress_lines, stop_advice, stopped_by
from keysift.review.heuristics import Said
from keysift.review.progress import CheckProgress, Progress

CHECK = CheckProgress(
    nth=2, running=True, unread=90, drawn=30, relevant=1, low=0, high=7, recall=0.741, reached=False, more=40
)
PROGRESS = Progress(
    records=120,
    empty=5,
    duplicates=15,
    relevant=20,
    irrelevant=28,
    unsure=2,
    labelled=4,
    skipped=1,
    unread=49,
    rules=Said(row=3, in_a_row=False, knee=False, check=False),
    needed=42,
    expected=Interval(8.4, 2.0, 30.0),
    check=None,
)


def test_without_a_check_the_model_speaks_and_says_so() -> None:
    read, left, stop, thumb = progress_lines(PROGRESS)
    assert read == "50 of 100 read · 20 relevant · 2 unsure · 1 skipped"
    assert left == "Relevant and unread: about 8 (2 to 30), by the model"
    assert stop == (
        "May I stop? Nobody knows yet; a check (c) takes about 42 random documents for 95 % recall with 95 %"
        " confidence, if none is relevant."
    )
    assert thumb == ("Rules of thumb, no guarantee: 200 in a row: not yet (3); knee: not yet; time to check: not yet")


def test_when_it_is_time_c_is_named() -> None:
    rules = Said(row=210, in_a_row=True, knee=False, check=True)
    _, _, stop, thumb = progress_lines(replace(PROGRESS, rules=rules))
    assert stop.startswith("May I stop? Reading best first no longer pays: press c to draw at random and know; it")
    assert "about 42 random documents" in stop
    assert thumb.endswith("200 in a row: yes (210); knee: not yet; time to check: yes")
    ended = replace(CHECK, running=False)
    assert "no longer pays: check again with c" in stop_advice(replace(PROGRESS, rules=rules, check=ended))
    assert "no longer pays" not in stop_advice(replace(PROGRESS, rules=rules, check=CHECK))


def test_what_is_left_may_be_too_little_to_matter() -> None:
    few = replace(PROGRESS, needed=0)
    assert stop_advice(few) == "May I stop? Yes: recall is at least 95 % even if everything unread is relevant."
    assert stopped_by(few) == "recall is at least 95 % even if everything unread is relevant"


def test_a_check_speaks_for_itself() -> None:
    _, left, stop, _ = progress_lines(replace(PROGRESS, check=CHECK))
    assert left == "Relevant and unread: 0 to 7, by a random sample of what was unread (30 of 90, 1 relevant)"
    assert stop == (
        "May I stop? Not yet: recall is at least 74.1 % with 95 % confidence. About 40 more random documents for"
        " 95 %, if none is relevant."
    )
    ended = replace(CHECK, running=False)
    assert "Read on, then check again with c; now it takes about 42" in stop_advice(replace(PROGRESS, check=ended))
    begun = replace(CHECK, drawn=0, relevant=0)
    assert "Answer these to know: it takes about 40" in stop_advice(replace(PROGRESS, check=begun))
    proved = replace(ended, reached=True, recall=0.957)
    assert stop_advice(replace(PROGRESS, check=proved)).startswith("May I stop? Yes: recall is at least 95.7 %")


def test_by_what_rule_it_ended() -> None:
    assert stopped_by(PROGRESS) == "no rule (3 in a row not relevant)"
    assert stopped_by(replace(PROGRESS, check=replace(CHECK, reached=True, recall=0.957))) == (
        "stop check 2: recall at least 95.7 % with 95 % confidence"
    )
    assert stopped_by(replace(PROGRESS, unread=0, skipped=0)) == "everything was read"


def test_the_counts_add_up() -> None:
    rows = {step.strip(): int(number) for step, number in count_table(PROGRESS).rows}
    parts = ("empty", "duplicates of others", "read", "skipped", "left unread")
    assert sum(rows[part] for part in parts) == rows["records in the file"] == 120
    assert rows["relevant"] + rows["not relevant"] + rows["unsure"] == rows["read"] == 50
