from pathlib import Path

import pytest

from keysift.errors import InputError
from keysift.web.preview import look_at


def test_counts_and_oddities_name_their_rows(tmp_path: Path) -> None:
    path = tmp_path / "news.csv"
    rows = ["id,title,body", "1,A goal,the goalie saved it", "2,,", "1,A goal,the goalie saved it", "3,Tax,\x1b[2J law"]
    path.write_text("\n".join(rows) + "\n")
    seen = look_at(path, ["title", "body"], None)
    assert (seen.documents, seen.empty, seen.duplicates) == (4, 1, 1)
    assert (seen.columns, seen.text, seen.id) == (["id", "title", "body"], ["title", "body"], "id")
    assert {tuple(odd.rows) for odd in seen.oddities} == {(2,), (3,)}
    assert seen.texts[0].split() == ["A", "goal", "the", "goalie", "saved", "it"]
    assert "\x1b" not in "".join(seen.texts) + "".join(cell for row in seen.rows for cell in row)
    assert (seen.lengths.shortest, seen.lengths.longest) == (3, 6)


def test_what_is_no_table_is_refused_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "news.parquet"
    path.write_bytes(b"not a table")
    with pytest.raises(InputError, match=r"news\.parquet"):
        look_at(path, None, None)


def test_a_file_without_a_word(tmp_path: Path) -> None:
    path = tmp_path / "news.csv"
    path.write_text('text\n"?!"\n"..."\n')
    seen = look_at(path, ["text"], None)
    assert (seen.empty, seen.lengths.longest, seen.language) == (2, 0, "")
