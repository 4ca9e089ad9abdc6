from dataclasses import replace

from keysift.decide.posterior import Interval
from keysift.present.review import count_table, progress_lines, stop_advice, stopped_by
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
    in_a_row=3,
    expected=Interval(8.4, 2.0, 30.0),
    check=None,
)


def test_without_a_check_the_model_speaks_and_says_so() -> None:
    read, left, stop = progress_lines(PROGRESS)
    assert read == "50 of 100 read · 20 relevant · 2 unsure · 1 skipped"
    assert left == "Relevant and unread: about 8 (2 to 30), by the model"
    assert stop == "May I stop? c draws documents at random to know."


def test_a_long_row_is_told_as_what_it_is() -> None:
    assert "The last 200 were not relevant, which proves nothing" in stop_advice(replace(PROGRESS, in_a_row=200))


def test_a_check_speaks_for_itself() -> None:
    _, left, stop = progress_lines(replace(PROGRESS, check=CHECK))
    assert left == "Relevant and unread: 0 to 7, by a random sample of what was unread (30 of 90, 1 relevant)"
    assert stop == (
        "May I stop? Not yet: recall is at least 74.1 % with 95 % confidence. About 40 more random documents prove"
        " 95 %, if none is relevant."
    )
    ended = replace(CHECK, running=False)
    assert stop_advice(replace(PROGRESS, check=ended)).endswith("Read on, then check again with c.")
    proved = replace(ended, reached=True, recall=0.957)
    assert stop_advice(replace(PROGRESS, check=proved)).startswith("May I stop? Yes: recall is at least 95.7 %")


def test_by_what_rule_it_ended() -> None:
    assert stopped_by(PROGRESS) == "no rule: 3 in a row not relevant"
    assert stopped_by(replace(PROGRESS, check=replace(CHECK, reached=True, recall=0.957))) == (
        "stop check 2: recall at least 95.7 % with 95 % confidence"
    )
    assert stopped_by(replace(PROGRESS, unread=0, skipped=0)) == "everything was read"


def test_the_counts_add_up() -> None:
    rows = {step.strip(): int(number) for step, number in count_table(PROGRESS).rows}
    parts = ("empty", "duplicates of others", "read", "skipped", "left unread")
    assert sum(rows[part] for part in parts) == rows["records in the file"] == 120
    assert rows["relevant"] + rows["not relevant"] + rows["unsure"] == rows["read"] == 50
