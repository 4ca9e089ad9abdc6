import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.theory import __main__ as command
from benchmarks.theory.guarantees import curve, guarantee
from benchmarks.theory.page import fill
from benchmarks.theory.plots import plot_bound, plot_parts, plot_together
from benchmarks.theory.sample import Sample
from benchmarks.theory.together import curves_of, rows_of, table
from benchmarks.theory.training import STEPS, fitted, look, training_path
from keysift.risk.losses import get_loss
from keysift.risk.pairs import pairs_risk

needs_matplotlib = pytest.mark.skipif(
    find_spec("matplotlib") is None, reason="matplotlib is not installed: pip install 'keysift[bench]'"
)


def line(trial: int, corrupted: list[float], clean: list[float], **changed: Any) -> dict[str, Any]:
    epochs = list(range(1, len(clean) + 1))
    known = {"set": "subj", "system": "Sigmoid", "trial": trial}
    return known | {"epochs": epochs, "corrupted_auc": corrupted, "clean_auc": clean} | changed


@pytest.fixture(scope="module")
def sample() -> Sample:
    """Two classes apart in the first feature; pseudo-labels follow the second as well."""
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, 600)
    X = rng.normal(size=(600, 3))
    X[:, 0] += labels
    pseudo = rng.random(600) < 1 / (1 + np.exp(-2 * labels + 1 - 2 * X[:, 1]))
    return Sample("Toy", X[:400], pseudo[:400], labels[:400], X[400:], labels[400:])


def test_correlation_and_regret() -> None:
    rows = rows_of(
        curves_of(
            [
                line(0, [60.0, 62.0, 61.0], [70.0, 76.0, 73.0]),  # stops at the best: no regret; the last loses 3
                line(1, [60.0, 61.0, 62.0], [75.0, 72.0, 71.0]),  # stops at the worst, which is the last: 4
                line(0, [60.0, 61.0], [70.0, 71.0], system="Logistic"),
            ]
        )
    )
    assert [(row.set, row.system, row.trials) for row in rows] == [("subj", "Sigmoid", 2), ("subj", "Logistic", 1)]
    assert rows[0].pearson == pytest.approx((1.0 + np.corrcoef([0, 1, 2], [75, 72, 71])[0, 1]) / 2)
    assert rows[0].spearman == pytest.approx(0.0)
    assert (rows[0].regret, rows[0].regret_of_the_last) == (2.0, 3.5)
    assert "| Subj | Sigmoid | 2 | 0.02 | 0.00 | 2.00 | 3.50 |" in table(rows, {"subj": "Subj"})


def test_lines_without_both_curves_are_left_out() -> None:
    whole = line(0, [60.0, 61.0], [70.0, 71.0])
    part = {key: value for key, value in whole.items() if key != "clean_auc"}
    assert curves_of([part, {"set": "subj", "system": "NB", "trial": 0}, line(0, [60.0], [70.0])]) == []
    assert len(curves_of([part, whole])) == 1


def test_a_curve_that_never_changes_has_no_correlation() -> None:
    rows = rows_of(curves_of([line(0, [60.0, 60.0], [70.0, 71.0])]))
    assert np.isnan(rows[0].pearson)
    assert "| 1 | – | – | 1.00 | 0.00 |" in table(rows, {})


def test_shares_and_points_are_told_apart() -> None:
    rows = rows_of(curves_of([line(0, [0.6, 0.62, 0.61], [0.76, 0.7, 0.73])]))
    assert rows[0].regret == pytest.approx(6.0)


def test_curves_of_two_lengths_are_named() -> None:
    with pytest.raises(ValueError, match=r"subj, Sigmoid, trial 4 must be of one length; got 2 epochs, 3 corrupted"):
        curves_of([line(4, [60.0, 61.0, 62.0], [70.0, 71.0])])


@needs_matplotlib
def test_block_without_and_with_measurements(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = tmp_path / "results.jsonl"
    monkeypatch.setattr(command, "RESULTS", results)
    assert command._together(tmp_path / "t.svg", {}).startswith("Not measured yet")
    later, earlier = line(1, [60.0, 62.0], [70.0, 76.0], set="mpqa"), line(0, [60.0, 62.0], [70.0, 76.0])
    oracle = line(0, [60.0, 62.0], [70.0, 76.0], system="O-Sigmoid")
    results.write_text("".join(json.dumps(one) + "\n" for one in (later, oracle, earlier)), encoding="utf-8")
    block = command._together(tmp_path / "t.svg", {})
    assert block.index("| subj | Sigmoid | 1 |") < block.index("| mpqa | Sigmoid | 1 |")
    assert "O-Sigmoid" not in block
    assert (tmp_path / "t.svg").is_file()


def test_blocks_are_filled_and_the_rest_is_left(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("a\n<!-- x: make theory -->\nold\n<!-- end -->\nb\n<!-- y: make theory -->\n<!-- end -->\nc\n")
    fill(page, {"y": "2", "x": "1"})
    assert page.read_text() == (
        "a\n<!-- x: make theory -->\n1\n<!-- end -->\nb\n<!-- y: make theory -->\n2\n<!-- end -->\nc\n"
    )
    with pytest.raises(ValueError, match=r"page\.md has no block between <!-- z: make theory --> and"):
        fill(page, {"z": "3"})


def test_training_goes_to_the_fit_and_shows_what_the_theorems_say(sample: Sample) -> None:
    sigmoid, logistic = (training_path(sample, get_loss(name)) for name in ("sigmoid", "logistic"))
    assert [moment.step for moment in sigmoid] == list(STEPS)
    end = look(sample, get_loss("sigmoid"), fitted(sample, get_loss("sigmoid")), risk=pairs_risk)
    assert sigmoid[-1].parts.corrupted == pytest.approx(end.parts.corrupted, abs=2e-3)
    assert end.parts.total == pytest.approx(end.parts.corrupted, abs=1e-14)
    assert np.ptp([moment.parts.excess for moment in sigmoid]) < 1e-6
    assert np.ptp([moment.parts.excess for moment in logistic]) > 1e-2
    assert sigmoid[-1].parts.selection < -0.01  # the second feature is learned, and is in neither class


@needs_matplotlib
def test_pictures_are_the_same_to_the_byte(sample: Sample, tmp_path: Path) -> None:
    paths = {"sigmoid": training_path(sample, get_loss("sigmoid"))}
    curves = curves_of([line(0, [60.0, 62.0], [70.0, 76.0])])
    guarantees = [guarantee(sample)] * 5
    for name in ("one", "two"):
        plot_parts(tmp_path / f"parts-{name}.svg", "Toy", paths)
        plot_bound(tmp_path / f"bound-{name}.svg", guarantees)
        plot_together(tmp_path / f"together-{name}.svg", curves, {})
    for picture in ("parts", "bound", "together"):
        assert (tmp_path / f"{picture}-one.svg").read_bytes() == (tmp_path / f"{picture}-two.svg").read_bytes()


def test_the_bound_of_a_wider_gap_is_lower() -> None:
    narrow, wide = curve(0.2, [1000, 10_000]), curve(0.4, [1000, 10_000])
    assert narrow == pytest.approx([2 * bound for bound in wide])
    assert wide[0] > wide[1]
