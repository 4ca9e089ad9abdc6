import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keysift.audit.answers import parse_answer, read_answers
from keysift.audit.measures import measure
from keysift.audit.sheet import start
from keysift.errors import InputError
from tests.audit.cases import filled, ranking_frame

FRAME = ranking_frame()


@pytest.mark.parametrize(
    ("meaning", "spellings"),
    [
        ("y", ("y", "Y", "yes", " YES ", "1", "1.0", "true", "TRUE", "t", "Relevant", "x", "yes!")),
        ("n", ("n", "No", "0", "0.0", "FALSE", "f", "irrelevant", "not  relevant")),
        ("unsure", ("unsure", "U", "?", "??", "Maybe", "don’t know", "not sure")),
        ("", ("", "  ", None, "NaN")),
        (None, ("ja", "2", "yn", "yes no", "relevantt")),
    ],
)
def test_spellings(meaning: str | None, spellings: tuple[str | None, ...]) -> None:
    assert {parse_answer(spelling) for spelling in spellings} == {meaning}


def test_answers_are_those_of_the_rows() -> None:
    audit = read_answers(filled(FRAME), FRAME)
    truth = FRAME["label"].to_numpy()
    assert audit.answers.tolist() == truth[audit.sample.rows].tolist()
    assert (audit.answered, audit.unsure, audit.unanswered) == (60, 0, 0)


@given(st.randoms(use_true_random=False))
@settings(max_examples=10)
def test_the_order_of_rows_does_not_matter_nor_do_double_rows(random: object) -> None:
    seed = random.randrange(1000)  # type: ignore[attr-defined]
    sheet = filled(FRAME, 40)
    mixed = pl.concat([sheet, sheet.head(5)]).sample(fraction=1.0, shuffle=True, seed=seed)
    assert read_answers(mixed, FRAME).answers.tolist() == read_answers(sheet, FRAME).answers.tolist()


def test_what_spreadsheets_do_to_ids_does_not_matter() -> None:
    frame = FRAME.with_columns(id=pl.format("{}", pl.col("rank") + 10**17))
    sheet = filled(frame)
    rounded = sheet.with_columns(id=pl.lit("1E+17"))
    assert read_answers(rounded, frame).answers.tolist() == read_answers(sheet, frame).answers.tolist()
    padded = FRAME.with_columns(id=pl.format("000{}", "rank"))
    sheet = filled(padded)
    cut = sheet.with_columns(pl.col("id").str.strip_chars_start("0"))
    assert read_answers(cut, padded).answers.tolist() == read_answers(sheet, padded).answers.tolist()


def test_unsure_and_unanswered_documents_are_left_out() -> None:
    sheet = filled(FRAME).with_columns(
        answer=pl.when(pl.int_range(pl.len()) < 4)
        .then(pl.lit("?"))
        .when(pl.int_range(pl.len()) < 10)
        .then(pl.lit(""))
        .otherwise("answer")
    )
    audit = read_answers(sheet, FRAME)
    assert (audit.answered, audit.unsure, audit.unanswered) == (50, 4, 6)
    assert measure(audit).answered == 50


def _edited(column: str, row: int, value: str) -> pl.DataFrame:
    sheet = filled(FRAME)
    return sheet.with_columns(sheet[column].scatter(row, value))


SHEET = filled(FRAME)
FIRST = SHEET["id"][0]
OTHER = min({*FRAME["id"]} - {*SHEET["id"]})


@pytest.mark.parametrize(
    ("sheet", "expected"),
    [
        (_edited("answer", 2, "perhaps"), f"row 3 \\(id '{SHEET['id'][2]}'\\) has the answer 'perhaps'; allowed is y"),
        (SHEET.slice(1), f"lacks 1 row of the sample: '{FIRST}'"),
        (SHEET.slice(10), "lacks 10 rows of the sample: .* and 5 more"),
        (_edited("id", 0, OTHER), f"1 row of documents that are not in the sample: '{OTHER}'"),
        (
            pl.concat([SHEET, SHEET.head(1).with_columns(id=pl.lit(OTHER), tag=pl.lit(""))]),
            f"not in the sample: '{OTHER}'",
        ),
        (
            pl.concat([SHEET.with_columns(answer=pl.lit("y")), SHEET.head(1).with_columns(answer=pl.lit("n"))]),
            f"same document twice with different answers: '{FIRST}'",
        ),
        (SHEET.with_columns(answer=pl.lit("")), "'answer' is empty; .*keysift audit label"),
        (start(FRAME, 60), "'answer' is empty"),
        (pl.concat([SHEET, filled(FRAME, 61)]), "mixes rows of 2 audits"),
        (filled(ranking_frame(seed=9)), "belongs to another ranking"),
        (FRAME, "is no audit"),
        (
            SHEET.with_columns(answer=pl.when(pl.col("stratum") == "elusion").then(pl.lit("?")).otherwise("answer")),
            "'elusion'",
        ),
    ],
)
def test_what_does_not_fit_is_named_and_refused(sheet: pl.DataFrame, expected: str) -> None:
    with pytest.raises(InputError, match=expected) as refusal:
        read_answers(sheet, FRAME, source="audit.csv", ranked="ranked.csv")
    assert str(refusal.value).startswith("audit.csv")
    assert "\n" not in str(refusal.value)


def test_a_row_without_its_tag_is_found_by_its_id() -> None:
    assert read_answers(_edited("tag", 0, ""), FRAME).answers.tolist() == read_answers(SHEET, FRAME).answers.tolist()
