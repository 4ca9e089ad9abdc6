import random
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keysift.corpus.scan import choose, scan
from keysift.settings import Settings
from keysift.streaming.content_hash import content_hash
from keysift.streaming.ledger import finished
from keysift.streaming.survey import (
    BOUNDS,
    BoundsSoFar,
    Survey,
    SurveyJob,
    draw,
    lowest,
    shares,
    survey_name,
    survey_shard,
)
from tests.streaming.made_stream import made_documents, write_documents


@given(st.integers(0, 5000), st.integers(0, 5000), st.integers(2, 3000), st.booleans())
def test_the_shares_fill_the_sample_and_no_more(held: int, others: int, most: int, evenly: bool) -> None:
    some, rest = shares(held, others, most, evenly=evenly)
    assert 0 <= some <= held
    assert 0 <= rest <= others + (1 if evenly else 0)
    assert some + rest == min(most, held + others)
    if not evenly and held <= most // 2:
        assert some == held  # all with a keyword


@given(st.permutations(range(20)), st.integers(1, 19))
def test_the_lowest_of_parts_are_the_lowest_of_all(order: list[int], cut: int) -> None:
    texts = [f"text {number}" for number in order]
    hashes = content_hash(pl.Series(texts))
    frame = pl.DataFrame({"hash": hashes, "held": [number % 3 == 0 for number in order], "text": texts})
    whole = lowest(frame, 3, 5)
    parts = pl.concat([lowest(frame[:cut], 3, 5), lowest(frame[cut:], 3, 5)])
    assert lowest(parts, 3, 5).equals(whole)


def survey(path: Path, folder: Path, sample: int = 1000) -> tuple[list[Path], Survey]:
    folder.mkdir(exist_ok=True)
    plan = scan(str(path), folder)
    settings = Settings(language="en").for_language("en")
    job = SurveyJob(str(folder), choose(plan, id="key"), (("hockey",), ("baseball",)), (), settings, sample)
    total = Survey()
    for item in enumerate(plan.shards):
        total += Survey.restore(survey_shard(item, job))
        assert finished(folder, survey_name(item[0], "en")) is not None
    return [folder / survey_name(number, "en") for number in range(len(plan.shards))], total


def test_the_survey_counts_what_is_there(tmp_path: Path) -> None:
    _, total = survey(write_documents(tmp_path / "in.csv"), tmp_path / "work")
    documents = made_documents(600)
    held = documents["text"].str.contains(r"\b(hockey|baseball)\b")
    assert (total.documents, total.empty, total.held) == (600, 12, held.sum())
    by_term = [documents["text"].str.contains(rf"\b{word}\b").sum() for word in ("hockey", "baseball")]
    assert list(total.by_term) == by_term


def test_documents_stand_for_as_many_as_there_are(tmp_path: Path) -> None:
    files, total = survey(write_documents(tmp_path / "in.csv"), tmp_path / "work")
    sample = draw(files, total, 100)
    assert sample.weights is not None
    assert sample.weights.sum() == pytest.approx(total.documents - total.empty)
    held = sample.texts.str.contains(r"\b(hockey|baseball)\b").to_numpy()
    assert held.sum() == sample.held == 50
    assert sample.weights[held].sum() == pytest.approx(total.held)
    assert draw(files, total, 10_000).weights is None
    assert draw(files, total, 100, evenly=True).weights is None


def test_neither_order_nor_shards_show_in_the_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = draw(*survey(write_documents(tmp_path / "in.csv"), tmp_path / "a"), 100)
    rows = made_documents(600).rows()
    random.Random(5).shuffle(rows)
    pl.DataFrame(rows, schema=["key", "text", "sports"], orient="row").write_csv(tmp_path / "other.csv")
    monkeypatch.setattr("keysift.corpus.scan.SHARD_BYTES", 5_000)
    files, total = survey(tmp_path / "other.csv", tmp_path / "b", sample=100)
    second = draw(files[::-1], total, 100)
    assert len(files) > 5
    assert first.texts.to_list() == second.texts.to_list()
    assert np.array_equal(first.weights, second.weights)  # type: ignore[arg-type]


def test_bounds_leave_out_only_what_cannot_be_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("keysift.corpus.scan.SHARD_BYTES", 5_000)
    path, folder = write_documents(tmp_path / "in.csv"), tmp_path / "bounded"
    files, total = survey(path, tmp_path / "free", sample=40)
    bounds = BoundsSoFar(tmp_path / "free", 40)
    for file in files[:6]:
        bounds.add(file.name)
    folder.mkdir()
    (folder / BOUNDS).write_bytes((tmp_path / "free" / BOUNDS).read_bytes())
    fewer, same = survey(path, folder, sample=40)
    assert same == total
    assert sum(pl.read_parquet(file).height for file in fewer) < sum(pl.read_parquet(file).height for file in files)
    ours, theirs = draw(fewer, total, 40), draw(files, total, 40)
    assert ours.texts.to_list() == theirs.texts.to_list()
