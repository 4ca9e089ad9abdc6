from pathlib import Path

import numpy as np
import polars as pl
import pytest

from keysift.streaming import gathered
from keysift.streaming.gathered import gather
from keysift.streaming.scores import HASH, HELD, OUT, ROW, SCORE


def files_of(folder: Path, order: list[int], size: int) -> list[Path]:
    """Scores of these documents in shards of a size; document 0 is out, every third holds a keyword."""
    files = []
    for start in range(0, len(order), size):
        some = np.array(order[start : start + size])
        frame = pl.DataFrame({SCORE: some / 7, HELD: some % 3 == 0, HASH: (some * 7919 % 101).astype(np.uint64)})
        files.append(folder / f"{size}-{start}.parquet")
        frame.with_columns(pl.Series(OUT, some == 0)).write_parquet(files[-1])
    return files


def test_all_scores_but_those_that_are_out(tmp_path: Path) -> None:
    found = gather(files_of(tmp_path, list(range(30)), 8))
    assert found.held.tolist() == [number / 7 for number in range(1, 30)]
    assert (found.documents, found.out, found.with_keyword, found.holders) == (30, 1, 10, 9)


def test_of_many_a_sample_that_no_shard_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gathered, "MOST", 10)
    monkeypatch.setattr(gathered, "TOP", 3)
    one = gather(files_of(tmp_path, list(range(90)), 90))
    many = gather(files_of(tmp_path, list(range(90))[::-1], 7))
    assert one.held.tolist() == many.held.tolist()
    assert len(one.held) == 10
    assert one.top == many.top == pytest.approx(87 / 7)
    assert len(gather(files_of(tmp_path, list(range(90)), 7), exact=True).held) == 89


def test_a_shard_without_documents(tmp_path: Path) -> None:
    pl.DataFrame(schema={ROW: pl.Int64, SCORE: pl.Float64}).write_parquet(tmp_path / "empty.parquet")
    assert gather([tmp_path / "empty.parquet", *files_of(tmp_path, [1, 2], 2)]).documents == 2
