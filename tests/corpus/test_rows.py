import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keysift.corpus import rows
from keysift.corpus.rows import count_rows

FIELD = st.text('ab,;"\n 1é', max_size=6)
TABLE = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(FIELD, min_size=width, max_size=width), min_size=1, max_size=6)
)


def written(table: list[list[str]], quoting: int) -> bytes:
    file = io.StringIO()
    csv.writer(file, lineterminator="\n", quoting=quoting).writerows(table)  # type: ignore[arg-type]
    return file.getvalue().encode()


@given(TABLE, st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]), st.integers(1, 7))
def test_rows_are_those_of_the_csv_module(table: list[list[str]], quoting: int, chunk: int) -> None:
    data = written(table, quoting)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rows, "CHUNK", chunk)
        found = count_rows(data, ",")
    assert found.sound
    assert len(found.sizes) == len(table)
    assert found.fields.tolist() == [len(row) for row in table]
    assert found.sizes.sum() == len(data)
    assert found.quotes == data.count(b'"')
    assert found.folded == sum(field.count("\n") for row in table for field in row)
    inner = sum(field.count('"') for row in table for field in row)
    marks = int((found.fields - 1).sum()) + found.breaks + found.quotes - inner
    assert len(data) - marks == sum(len(field.encode()) for row in table for field in row)


@given(st.text('a,"\n', max_size=14))
def test_what_is_sound_has_one_reading(text: str) -> None:
    found = count_rows(text.encode(), ",")
    if not found.sound:
        return
    strict = list(csv.reader(io.StringIO(text, newline="\n"), strict=True))
    assert [len(row) for row in strict if row] == found.fields[~found.blank].tolist()


def test_blank_lines_are_taken_out() -> None:
    data = b"\n\na,b\r\n\r\n1,2\n\n3,4"
    kept, found = count_rows(data, ",").without_blank(data)
    assert kept == b"a,b\r\n1,2\n3,4"
    assert found.sizes.tolist() == [5, 4, 3]
    assert found.breaks == 3
    assert not found.blank.any()
