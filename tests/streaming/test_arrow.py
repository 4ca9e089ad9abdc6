from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from keysift.ranker import KeywordRanker
from keysift.streaming.arrow import score_batches, score_table
from tests.streaming.made_stream import made_documents


@pytest.fixture(name="model", scope="module")
def fitted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "sports.keysift"
    clf = KeywordRanker(["hockey", "baseball"], encoder=None, prior=0.3).fit(made_documents(300)["text"])
    clf.save(path)
    return path


class Capsule:
    """An Arrow stream and nothing else, as any library can hand over a batch."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self.frame = frame

    def __arrow_c_stream__(self, requested_schema: Any = None) -> object:
        return self.frame.__arrow_c_stream__(requested_schema)


def test_batches_have_the_scores_of_the_whole(model: Path) -> None:
    documents = made_documents(100, seed=4)
    whole = score_table(documents, model, id="key")
    assert whole.columns == ["id", "score", "decision", "chance", "text", "sports"]

    def batches() -> Iterator[Capsule]:
        yield from (Capsule(documents[start : start + 30]) for start in range(0, 100, 30))

    parts = pl.concat(score_batches(model, id="key")(batches()))
    assert parts.equals(whole)
    assert set(whole["decision"]) == {0, 1}


def test_record_batches_of_pyarrow_stay_what_they_are(model: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    documents = made_documents(60, seed=4).select("text")
    batches = pyarrow.table(documents).to_batches(max_chunksize=25)
    scored = list(score_batches(model)(batches))
    assert [type(batch) for batch in scored] == [pyarrow.RecordBatch] * len(batches)
    kinds = [(field.name, str(field.type)) for field in scored[0].schema][:4]
    assert kinds == [("id", "int64"), ("score", "double"), ("decision", "int64"), ("chance", "double")]
    ours = pl.concat([pl.DataFrame(batch) for batch in scored])
    assert ours["score"].equals(score_table(documents, model)["score"])


def test_a_batch_without_rows(model: Path) -> None:
    empty = score_table(made_documents(3)[:0], model)
    assert empty.columns == ["id", "score", "decision", "chance", "key", "text", "sports"]
    assert empty.is_empty()
