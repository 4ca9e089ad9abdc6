import numpy as np
import pytest
from hypothesis import given, settings

from keysift.risk import binned
from keysift.risk.binned import Grid, binned_risk, combine, make_grid, put_on_grid, read_back
from keysift.risk.losses import Loss, get_loss
from keysift.risk.pairs import pairs_risk
from keysift.risk.sides import Sides
from tests.risk.cases import (
    EXTREMES,
    FLOATS,
    assert_agrees_with_pairs,
    assert_same,
    loss_id,
    of_form,
    problems,
)

every_smooth_loss = pytest.mark.parametrize("loss", of_form("smooth"), ids=loss_id)


def grid_for(sides: Sides) -> Grid:
    scores = np.concatenate([sides.positive, sides.negative])
    return make_grid(float(scores.min()), float(scores.max()))


@every_smooth_loss
@settings(deadline=None, max_examples=30)
@given(sides=problems(FLOATS))
def test_agrees_with_pairs(loss: Loss, sides: Sides) -> None:
    assert_agrees_with_pairs(binned_risk, loss, sides, atol=1e-6)


@every_smooth_loss
@pytest.mark.parametrize("sides", EXTREMES)
def test_extremes(loss: Loss, sides: Sides) -> None:
    assert_agrees_with_pairs(binned_risk, loss, sides, atol=1e-6)


@settings(deadline=None, max_examples=50)
@given(sides=problems(FLOATS))
def test_the_grid_keeps_weight_and_mean(sides: Sides) -> None:
    grid, scores, weights = grid_for(sides), sides.positive, sides.positive_weights
    histogram = put_on_grid(scores, weights, grid)
    assert histogram.shape == (grid.points,)
    assert histogram.min() >= -1e-12
    assert histogram.sum() == pytest.approx(1.0, abs=1e-12)
    points = grid.low + grid.step * np.arange(grid.points)
    assert histogram @ points == pytest.approx(weights @ scores, abs=1e-9)


@every_smooth_loss
def test_shards_add_up_to_the_whole(loss: Loss) -> None:
    rng = np.random.default_rng(0)
    positive, negative = rng.normal(1, 2, 300), rng.normal(-1, 3, 500)
    sides = Sides.of(positive, negative, rng.uniform(0, 1, 300))
    w, v, grid = sides.positive_weights, sides.negative_weights, grid_for(sides)
    p_shards, n_shards = (slice(0, 40), slice(40, 300)), (slice(0, 499), slice(499, 500))

    whole = combine(loss, put_on_grid(positive, w, grid), put_on_grid(negative, v, grid), grid)
    added = combine(
        loss,
        np.sum([put_on_grid(positive[part], w[part], grid) for part in p_shards], axis=0),
        np.sum([put_on_grid(negative[part], v[part], grid) for part in n_shards], axis=0),
        grid,
    )
    assert added.value == pytest.approx(whole.value, abs=1e-12)
    np.testing.assert_allclose(added.positive_slope, whole.positive_slope, atol=1e-12)
    np.testing.assert_allclose(added.negative_slope, whole.negative_slope, atol=1e-12)

    for slope, scores, shards in [
        (whole.positive_slope, positive, p_shards),
        (whole.negative_slope, negative, n_shards),
    ]:
        piecewise = np.concatenate([read_back(slope, scores[part], grid) for part in shards])
        assert piecewise.tolist() == read_back(slope, scores, grid).tolist()
    risk = binned_risk(loss, sides)
    assert whole.value == pytest.approx(risk.value, abs=1e-12)
    np.testing.assert_allclose(w * read_back(whole.positive_slope, positive, grid), risk.positive_gradient, atol=1e-12)


def test_a_shard_of_its_own_leaves_the_rest_of_the_grid_empty() -> None:
    assert put_on_grid(np.array([3.0]), np.array([2.0]), Grid(0.0, 1.0, 5)).tolist() == [0, 0, 0, 2, 0]


@pytest.mark.parametrize("spread", [0.0, 1.0, 8000.0, 9000.0, 1e7, 1e300])
def test_the_grid_covers_the_scores_and_stays_bounded(spread: float) -> None:
    grid = make_grid(-5.0, -5.0 + spread)
    assert 2 <= grid.points <= binned.MAX_POINTS
    assert grid.low + grid.step * (grid.points - 1) >= (-5.0 + spread) * (1 - 1e-12)
    assert grid.step == binned.STEP or spread > binned.STEP * (binned.MAX_POINTS - 2)


@every_smooth_loss
def test_beyond_the_largest_grid_it_is_coarser_but_close(loss: Loss, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binned, "MAX_POINTS", 2**12)
    rng = np.random.default_rng(0)
    sides = Sides.of(rng.uniform(-100, 100, 400), rng.uniform(-100, 100, 300))
    assert grid_for(sides).step > 20 * binned.STEP
    risk = binned_risk(loss, sides)
    assert np.isfinite(risk.positive_gradient).all()
    assert np.isfinite(risk.negative_gradient).all()
    assert risk.value == pytest.approx(pairs_risk(loss, sides).value, abs=1e-3)


def test_the_error_falls_with_the_square_of_the_step(monkeypatch: pytest.MonkeyPatch) -> None:
    rng, loss = np.random.default_rng(0), get_loss("sigmoid")
    sides = Sides.of(rng.normal(0.5, 1, 200), rng.normal(-0.5, 1, 200))
    exact, errors = pairs_risk(loss, sides).value, []
    for step in (1 / 8, 1 / 32):
        monkeypatch.setattr(binned, "STEP", step)
        errors.append(abs(binned_risk(loss, sides).value - exact))
    assert errors[1] < errors[0] / 8


@every_smooth_loss
def test_blocks_change_nothing(loss: Loss, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    sides = Sides.of(rng.uniform(0, 1, 5000), rng.uniform(0, 1, 3000), rng.uniform(0, 1, 5000))
    whole = binned_risk(loss, sides)
    monkeypatch.setattr(binned, "BLOCK", 600)
    assert len(list(binned._blocks(5000, binned.make_grid(0.0, 1.0)))) > 8
    assert_same(binned_risk(loss, sides), whole, atol=1e-12)


@pytest.mark.parametrize("loss", of_form("smooth"), ids=loss_id)
@pytest.mark.parametrize("sizes", [(2000, 3000), (1, 3000), (3000, 2)])
def test_the_gradient_is_right_relative_to_its_size(loss: Loss, sizes: tuple[int, int]) -> None:
    rng = np.random.default_rng(0)
    sides = Sides.of(rng.normal(1, 2, sizes[0]), rng.normal(-1, 2, sizes[1]))
    got, expected = binned_risk(loss, sides), pairs_risk(loss, sides)
    for ours, theirs in (
        (got.positive_gradient, expected.positive_gradient),
        (got.negative_gradient, expected.negative_gradient),
    ):
        assert np.abs(ours - theirs).max() <= 2e-6 * np.abs(theirs).max()


@pytest.mark.parametrize("loss", of_form("smooth"), ids=loss_id)
def test_few_scores_that_spread_very_wide_are_summed_one_by_one(loss: Loss) -> None:
    rng = np.random.default_rng(0)
    sides = Sides.of(rng.normal(0, 1e6, 300), rng.normal(0, 1e6, 200))
    assert_same(binned_risk(loss, sides), pairs_risk(loss, sides), atol=0.0)
