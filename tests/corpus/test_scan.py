"""Sources of any size: the shards together hold what reading the whole source gives."""

import gzip
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from keysift.corpus import scan as scanning
from keysift.corpus.reading import read_table
from keysift.corpus.scan import choose, more_than, scan
from keysift.corpus.shards import Shard, read_documents, read_shard
from keysift.errors import InputError, KeysiftWarning

ROWS = [
    (f"{number:03d}", f'a goal, said "{number}"\nand a line' if number % 3 else f"rain é {number}")
    for number in range(60)
]


@pytest.fixture(autouse=True)
def _small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scanning, "SHARD_BYTES", 300)
    monkeypatch.setattr(scanning, "SHARD_FILES", 4)


def frame(rows: list[tuple[str, str]] = ROWS) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=["id", "text"], orient="row")


WRITERS: dict[str, Callable[[pl.DataFrame, Path], object]] = {
    "a.csv": lambda table, path: table.write_csv(path),
    "a.tsv": lambda table, path: table.write_csv(path, separator="\t"),
    "a.jsonl": lambda table, path: table.write_ndjson(path),
    "a.parquet": lambda table, path: table.write_parquet(path),
    "a.csv.gz": lambda table, path: path.write_bytes(gzip.compress(table.write_csv().encode())),
    "b.csv": lambda table, path: path.write_bytes(("\ufeff" + table.write_csv(separator=";")).encode()),
    "c.csv": lambda table, path: path.write_bytes(table.write_csv().encode("utf-16")),
    "a.txt": lambda table, path: path.write_text(
        "\n".join(f"rain {id}" for id in table["id"]) + "\n", encoding="utf-8"
    ),
    "a.xlsx": lambda table, path: table.write_excel(path),
}


@pytest.mark.parametrize("name", WRITERS)
def test_the_shards_hold_what_the_source_holds(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    WRITERS[name](frame(), path)
    plan = scan(str(path), tmp_path)
    shards = [read_shard(Shard.restore(json.loads(json.dumps(shard.plain())))) for shard in plan.shards]
    assert len(shards) > 1
    assert pl.concat(shards).equals(read_table(path)[0])
    assert plan.most_documents >= 60
    assert plan.source == str(path)


def test_a_pattern_is_all_its_files_in_order(tmp_path: Path) -> None:
    for number in (2, 0, 1):
        frame(ROWS[20 * number : 20 * number + 20]).write_csv(tmp_path / f"part-{number}.csv")
    plan = scan(f"{tmp_path}/part-*.csv", tmp_path)
    assert pl.concat(map(read_shard, plan.shards)).rows() == ROWS
    assert choose(plan).text == ("text",)


def test_an_empty_file_in_the_middle_is_passed_over(tmp_path: Path) -> None:
    frame(ROWS[:2]).write_csv(tmp_path / "a.csv")
    (tmp_path / "b.csv").write_bytes(b"")
    frame(ROWS[2:4]).write_csv(tmp_path / "c.csv")
    with pytest.warns(KeysiftWarning, match=r"b\.csv is empty and passed over"):
        plan = scan(f"{tmp_path}/*.csv", tmp_path)
    assert pl.concat(map(read_shard, plan.shards)).rows() == ROWS[:4]


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_another_schema_names_the_file(suffix: str, tmp_path: Path) -> None:
    for number, name in enumerate(["text", "text", "body"]):
        table = frame(ROWS[:5]).rename({"text": name})
        path = tmp_path / f"{number}.{suffix}"
        table.write_csv(path) if suffix == "csv" else table.write_parquet(path)
    with pytest.raises(InputError, match=rf"2\.{suffix} has other columns than .*0\.{suffix}: .*'body'.*'text'"):
        scan(f"{tmp_path}/*.{suffix}", tmp_path)


def test_another_type_names_the_file_and_the_column(tmp_path: Path) -> None:
    frame(ROWS[:5]).write_parquet(tmp_path / "0.parquet")
    frame(ROWS[:5]).with_columns(pl.col("id").cast(pl.Int64)).write_parquet(tmp_path / "1.parquet")
    with pytest.raises(InputError, match=r"The column 'id' of .*1\.parquet holds Int64, and in .*0\.parquet String"):
        scan(f"{tmp_path}/*.parquet", tmp_path)


def test_nothing_matches(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No file matches"):
        scan(f"{tmp_path}/*.csv", tmp_path)


def test_a_fault_is_named_by_its_line_in_the_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    frame().write_ndjson(path)
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[49] = '{"id": oops'
    path.write_text("\n".join(lines), encoding="utf-8")
    plan = scan(str(path), tmp_path)
    with pytest.raises(InputError, match="line 50"):
        list(map(read_shard, plan.shards))


def test_a_row_of_fifty_megabytes(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    texts = ["a goal", "rain " * 10_000_000, "snow"]
    path.write_bytes(b"".join(json.dumps({"text": text}).encode() + b"\n" for text in texts))
    shards = [read_shard(shard)["text"].to_list() for shard in scan(str(path), tmp_path).shards]
    assert [text for some in shards for text in some] == texts


def test_a_folder_of_files(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for id, text in ROWS[:10]:
        (folder / f"{id}.txt").write_text(text, encoding="utf-8")
    plan = scan(str(folder), tmp_path)
    assert len(plan.shards) == 3
    assert pl.concat(map(read_shard, plan.shards)).equals(read_table(folder)[0])


def test_a_folder_of_tables_has_the_files_in_the_ids(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    frame(ROWS[:30]).write_csv(folder / "a.csv")
    frame(ROWS[30:]).write_csv(folder / "b.csv")
    plan = scan(str(folder), tmp_path)
    corpora = [read_documents(shard, choose(plan)) for shard in plan.shards]
    ids = [id for corpus in corpora if corpus for id in corpus.ids]
    assert ids == read_table(folder)[0]["id"].to_list()


def test_standard_input_is_spooled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = gzip.compress(frame().write_ndjson().encode())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    plan = scan("-", tmp_path)
    assert pl.concat(map(read_shard, plan.shards)).rows() == ROWS
    assert plan.source == "standard input"


def test_bytes_that_are_no_utf8_are_replaced_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("é\n".encode() * 300 + b"caf\xe9\n")
    *_, last = scan(str(path), tmp_path).shards
    with pytest.warns(KeysiftWarning, match="line 301: bytes that are no UTF-8 were replaced"):
        assert read_shard(last)["text"][-1] == "caf\ufffd"
    *_, last = scan(str(path), tmp_path, encoding="utf-8").shards
    with pytest.raises(InputError, match="line 301: bytes that are no UTF-8"):
        read_shard(last)


def test_more_than_so_many(tmp_path: Path) -> None:
    frame().write_csv(tmp_path / "a.csv")
    plan = scan(str(tmp_path / "a.csv"), tmp_path)
    assert plan.most_documents > 60  # lines, of which some texts have two
    assert not more_than(plan, 60)
    assert more_than(plan, 59)
