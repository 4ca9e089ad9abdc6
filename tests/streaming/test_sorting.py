from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from keysift.streaming import sorting
from keysift.streaming.scores import EMPTY, SCORE
from keysift.streaming.sorting import PLACE, distribute, edges_of, in_schema, sorted_bucket, whole_schema


@given(
    st.lists(st.sampled_from([-1.0, 0.0, 0.5, 2.0, 7.0]), min_size=1, max_size=40), st.integers(1, 9), st.integers(1, 7)
)
def test_buckets_in_order_are_the_sorted_rows(scores: list[float], parts: int, buckets: int) -> None:
    rows = pl.DataFrame(
        {SCORE: scores, EMPTY: [score == -1.0 and number % 2 == 0 for number, score in enumerate(scores)]}
    ).with_columns(pl.Series(PLACE, range(len(scores))))
    frames = [rows[start : start + parts] for start in range(0, len(scores), parts)]
    edges = edges_of(np.array(scores), buckets * sorting.BUCKET_BYTES)
    with TemporaryDirectory() as folder:
        counts = distribute(iter(frames), edges, Path(folder))
        some = [sorted_bucket(Path(folder), number) for number, count in enumerate(counts) if count]
    order = np.lexsort((np.arange(len(scores)), -rows[SCORE].to_numpy(), rows[EMPTY].to_numpy()))
    assert pl.concat(some)[PLACE].to_list() == order.tolist()
    assert sum(counts) == len(scores)


def test_columns_of_all_shards_become_one_schema(tmp_path: Path) -> None:
    frames = [pl.DataFrame({"a": [1], "b": [None]}), pl.DataFrame({"a": [1.5], "b": ["x"], "c": [True]})]
    files = [tmp_path / f"{number}.parquet" for number in range(2)]
    for frame, file in zip(frames, files, strict=True):
        frame.write_parquet(file)
    schema = whole_schema(files)
    assert schema == {"a": pl.Float64, "b": pl.String, "c": pl.Boolean}
    assert in_schema(frames[0], schema).rows() == [(1.0, None, None)]
