from collections import Counter
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keysift.corpus.medline import read_medline
from keysift.corpus.reading import read, read_table
from keysift.corpus.references import as_ris, read_ris
from keysift.corpus.tagged import RIS, tagged_records
from keysift.corpus.writing import with_other_columns, write
from keysift.errors import InputError

RIS_FILE = """\
TY  - JOUR
ID  - ref1
T1  - A goal in winter
A1  - Doe, Jane
A1  - Roe, Richard
TI  - A second title
N2  - Late in the game.
KW  - ice hockey
KW  - goals
PB  - Fun Factory
PB  - Fun Factory USA
C1  - custom
XX  - of nobody
N1  - [a note of mine]
UR  - https://example.org/a
ER  - {nothing}

TY  - CHAP
ID  - ref2
AU  - Poe, E.
TI  - Rain
KW  - {nothing}
PY  - 2001///
ER  - {nothing}

""".replace("{nothing}", "")
VALUE = st.lists(
    st.text(st.characters(exclude_categories=["Cc", "Cs", "Zs", "Zl", "Zp"]), min_size=1, max_size=6), max_size=3
).map(" ".join)
TAGS = ["TI", "T1", "AB", "N2", "AU", "A1", "KW", "ID", "N1", "C1", "PY", "T2", "JO", "UR", "ZZ"]
RECORDS = st.lists(st.lists(st.tuples(st.sampled_from(TAGS), VALUE), max_size=8), min_size=1, max_size=4)


def written(frame: pl.DataFrame) -> str:
    return "".join(f"{record}\n" for record in as_ris(frame))


def test_a_file_is_written_back_as_it_was() -> None:
    assert written(read_ris(RIS_FILE.encode(), "a.ris")) == RIS_FILE


@given(records=RECORDS)
def test_every_field_is_written_back_in_its_place(records: list[list[tuple[str, str]]]) -> None:
    whole = [[("TY", "JOUR"), *fields] for fields in records]
    text = "".join("".join(f"{tag}  - {value}\n" for tag, value in fields) + "ER  - \n\n" for fields in whole)
    assert tagged_records(written(read_ris(text.encode(), "a.ris")), RIS) == whole


@pytest.mark.parametrize("suffix", [".csv", ".xlsx", ".parquet", ".jsonl"])
def test_every_field_survives_a_table_between(tmp_path: Path, suffix: str) -> None:
    write(read_ris(RIS_FILE.encode(), "a.ris"), tmp_path / f"a{suffix}")
    frame, _ = read_table(tmp_path / f"a{suffix}")
    fields = [Counter(record) for record in tagged_records(RIS_FILE, RIS)]
    back = [Counter(record) for record in tagged_records(written(frame), RIS)]
    for before, after in zip(fields, back, strict=True):
        assert {field for field in before - after if field[1]} == set()


def test_results_are_notes_and_columns_again(tmp_path: Path) -> None:
    corpus = read_ris(RIS_FILE.encode(), "a.ris")
    results = pl.DataFrame(
        {
            "id": corpus["id"],
            "rank": [1, 2],
            "score": [0.1 + 0.2, -1e-9],
            "decision": [1, 0],
            "chance": [0.9, 0.1],
            "pseudo_positive": [1, 0],
            "evidence": ["hockey: goal", ""],
            "matched": [["hockey"], []],
            "label": ["a: b", None],
        }
    )
    write(with_other_columns(results, corpus.drop("id")), tmp_path / "a.ris")
    text = (tmp_path / "a.ris").read_text(encoding="utf-8")
    assert "N1  - keysift rank: 1\nN1  - keysift score: 0.30000000000000004\nN1  - keysift decision: 1\n" in text
    again, _ = read_table(tmp_path / "a.ris")
    kept = results.drop("pseudo_positive", "matched")
    assert again.select(kept.columns).equals(kept)
    assert again.select(corpus.columns).equals(corpus)
    write(again, tmp_path / "b.ris")
    assert (tmp_path / "b.ris").read_text(encoding="utf-8") == text


def test_any_table_becomes_references() -> None:
    frame = pl.DataFrame({"id": [7, 8], "rank": [1, 2], "text": ["A goal\nlate.", "Rain"], "topic": ["sports", None]})
    assert written(frame) == (
        "TY  - GEN\nID  - 7\nAB  - A goal late.\nN1  - keysift rank: 1\nN1  - keysift topic: sports\nER  - \n\n"
        "TY  - GEN\nID  - 8\nAB  - Rain\nN1  - keysift rank: 2\nER  - \n\n"
    )
    both = pl.DataFrame({"text": ["the whole text"], "abstract": ["in short"], "year": [2020]})
    assert "AB  - in short\nPY  - 2020\nN1  - keysift text: the whole text\n" in written(both)
    assert read_ris(written(both).encode(), "a.ris")["text"].to_list() == ["the whole text"]


def test_ids_that_are_missing_or_double_are_kept_but_not_used(tmp_path: Path) -> None:
    for fields in (
        "ID  - a\nTI  - x\nER  -\nTY  - JOUR\nTI  - y",
        "ID  - a\nTI  - x\nER  -\nTY  - JOUR\nID  - a\nTI  - y",
    ):
        path = tmp_path / "a.ris"
        path.write_text(f"TY  - JOUR\n{fields}\nER  - \n")
        corpus = read(path)
        assert corpus.ids.to_list() == [1, 2]
        back = written(pl.DataFrame({"id": corpus.ids}).hstack(corpus.columns))
        kept = [
            [field for field in record if not field[1].startswith("keysift id: ")]
            for record in tagged_records(back, RIS)
        ]
        assert kept == tagged_records(path.read_text(), RIS)
        path.write_text(back)
        assert read(path).ids.to_list() == ["1", "2"]


def test_notes_that_only_look_like_ours_stay_notes() -> None:
    notes = ("title: y", "ris_TY: z", "rank: 1", "rank: 2")
    text = "TY  - JOUR\nTI  - x\n" + "".join(f"N1  - keysift {note}\n" for note in notes) + "ER  - \n\n"
    frame = read_ris(text.encode(), "a.ris")
    assert frame["title"].to_list() == ["x"]
    assert frame["rank"].to_list() == [1]
    assert sorted(written(frame).splitlines()) == sorted(text.splitlines())


@pytest.mark.parametrize("reader", [read_ris, read_medline])
def test_what_is_no_reference(reader: object) -> None:
    assert callable(reader)
    with pytest.raises(InputError, match=r"a.x: it is no (RIS|MEDLINE), because no line begins with"):
        reader(b"id,text\n1,a goal\n", "a.x")
    assert reader(b" \n", "a.x").is_empty()
