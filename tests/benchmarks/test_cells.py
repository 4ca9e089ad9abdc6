import numpy as np
import pytest

from benchmarks.paper.cells import make_cell, not_worse


@pytest.mark.parametrize(
    ("mean", "paper", "marked"),
    [
        (80.0, (80.9, 0.01), False),  # far beyond chance, but less than a point
        (80.0, (83.0, 5.0), False),  # three points, but within chance
        (80.0, (83.0, 0.5), True),
        (80.0, (77.0, 0.5), True),
    ],
)
def test_a_mark_needs_more_than_chance_and_more_than_a_point(
    mean: float, paper: tuple[float, float], marked: bool
) -> None:
    assert make_cell(np.array([mean - 0.1, mean + 0.1]), paper).marked is marked


def test_a_cell_without_the_papers_figure_shows_ours_alone() -> None:
    cell = make_cell(np.array([50.0]), None, bold=True)
    assert (cell.ours(), cell.theirs(), cell.apart()) == ("**50.0**", "", "")


def test_bold_is_not_worse_than_the_best() -> None:
    rng = np.random.default_rng(0)
    values = {"best": rng.normal(80, 1, 20), "near": rng.normal(79.9, 1, 20), "worse": rng.normal(78, 1, 20)}
    assert not_worse(values) == {"best", "near"}
    constant = {"a": np.full(20, 50.0), "b": np.full(20, 50.0), "c": np.full(20, 49.0)}
    assert not_worse(constant) == {"a", "b"}
    assert not_worse({"one": np.array([70.0]), "other": np.array([60.0])}) == {"one"}
    assert not_worse({}) == set()
