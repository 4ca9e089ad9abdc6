from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from keysift.corpus.reading import read
from keysift.corpus.vector_column import read_vectors
from keysift.errors import InputError

VECTORS = [[0.5, -1.0, 2.0], [3.0, 0.25, 1e-3]]


@pytest.mark.parametrize(
    "column",
    [
        pl.Series("v", VECTORS),
        pl.Series("v", VECTORS, dtype=pl.List(pl.Float32)),
        pl.Series("v", VECTORS, dtype=pl.Array(pl.Float64, 3)),
        pl.Series("v", ["[0.5, -1, 2]", " [3,0.25,1e-3]"]),
    ],
)
def test_lists_arrays_and_json_are_the_same(column: pl.Series) -> None:
    found = read_vectors(column.to_frame(), "x", "v")
    assert found.dtype == np.float32
    assert found.tolist() == np.array(VECTORS, dtype=np.float32).tolist()


@pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl", "parquet"])
def test_from_every_format_and_left_out_of_the_columns(tmp_path: Path, suffix: str) -> None:
    path, frame = tmp_path / f"in.{suffix}", pl.DataFrame({"id": ["a", "b"], "v": VECTORS, "body": ["a goal", "rain"]})
    as_text = frame.with_columns(v=pl.Series([str(vector) for vector in VECTORS]))
    match suffix:
        case "csv" | "tsv":
            as_text.write_csv(path, separator="," if suffix == "csv" else "\t")
        case "jsonl":
            frame.write_ndjson(path)
        case _:
            frame.write_parquet(path)
    corpus = read(path, vector_column="v")
    assert corpus.vectors is not None
    assert corpus.vectors.tolist() == np.array(VECTORS, dtype=np.float32).tolist()
    assert corpus.columns.columns == ["body"]  # so that it is the only text column, too
    assert read(path, text="body").vectors is None


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([[1.0, 2.0], [1.0]], "differ in length: row 1 has 2 numbers, row 2 has 1"),
        ([[1.0], None], "no vector in row 2"),
        ([[], [1.0]], "no vector in row 1"),
        ([[1.0], [float("nan")]], "row 2 .* missing, NaN or infinite"),
        ([[1.0], [float("inf")]], "row 2 .* missing, NaN or infinite"),
        ([[1.0], [1e300]], "row 2 .* missing, NaN or infinite"),
        ([[1.0, None], [1.0, 2.0]], "row 1 .* missing, NaN or infinite"),
        ([["a"], ["b"]], r"holds List\(String\), not vectors"),
        ([1.0, 2.0], "holds Float64, not vectors"),
        (["[1, 2]", "[1, oops]"], "Row 2 .* holds '\\[1, oops\\]', not a vector"),
        (["[1]", ""], "Row 2 .* holds '', not a vector"),
        (["[1]", "7"], "Row 2 .* holds '7', not a vector"),
        (["1", "0"], "Row 1 .* holds '1', not a vector"),
        (["[1]", None], "Row 2 .* holds None, not a vector"),
        (["[1]", "[[1]]"], "Row 2 .* not a vector"),
        (["[1]", "[true]"], "Row 2 .* not a vector"),
        (["[1]", '["a"]'], "Row 2 .* not a vector"),
        (["[1]", "[NaN]"], "Row 2 "),
        (["[1]", "[1, 2]"], "row 1 has 1 number, row 2 has 2"),
    ],
)
def test_what_is_no_vector_is_refused_with_its_row(values: list[Any], expected: str) -> None:
    with pytest.raises(InputError, match=expected) as refused:
        read_vectors(pl.DataFrame({"v": values}, strict=False), "in.csv", "v")
    assert "'v' of in.csv" in str(refused.value)


def test_a_missing_column_is_named_with_those_that_are_there() -> None:
    with pytest.raises(InputError, match=r"in.csv has no column 'v'; the columns are 'text'; .* vector_column="):
        read_vectors(pl.DataFrame({"text": ["a"]}), "in.csv", "v")
