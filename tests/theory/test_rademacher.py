import numpy as np
import pytest
from hypothesis import given, settings

from keysift.errors import InputError, SettingError
from keysift.risk.losses import get_loss
from keysift.theory import rademacher
from keysift.theory.rademacher import draw_signs, linear_rademacher, linear_suprema, mean_of
from tests.theory.signs import Vector, brute_suprema, disc, every_sign, tiny_samples

RADIUS = 1.5
# The best of 720 directions is within cos(pi / 720) of the best of all.
CLOSE = 1e-5


def example() -> tuple[Vector, Vector]:
    rng = np.random.default_rng(1)
    return rng.normal(size=(6, 3)), rng.normal(size=(4, 3)) + 1


@settings(max_examples=15)
@given(sample=tiny_samples())
def test_supremum_is_the_best_of_all_directions_for_every_sign(sample: tuple[Vector, Vector]) -> None:
    sigma, upsilon = every_sign(len(sample[0]), len(sample[1]))
    closed = linear_suprema(*sample, sigma, upsilon, RADIUS)
    brute = brute_suprema(lambda z: z, *sample, sigma, upsilon, disc(RADIUS))
    assert (brute <= closed + 1e-12).all()
    np.testing.assert_allclose(brute, closed, rtol=CLOSE, atol=1e-12)


@settings(max_examples=15)
@given(sample=tiny_samples())
def test_unhinged_loss_changes_each_supremum_but_not_their_mean(sample: tuple[Vector, Vector]) -> None:
    sigma, upsilon = every_sign(len(sample[0]), len(sample[1]))
    closed = linear_suprema(*sample, sigma, upsilon, RADIUS)
    brute = brute_suprema(get_loss("unhinged").value, *sample, sigma, upsilon, disc(RADIUS))
    np.testing.assert_allclose(brute, closed + sigma.mean(axis=1) + upsilon.mean(axis=1), rtol=CLOSE, atol=1e-4)
    assert brute.mean() == pytest.approx(closed.mean(), rel=CLOSE, abs=1e-12)


def test_monte_carlo_finds_the_mean_over_all_signs() -> None:
    X, X_prime = example()
    exact = linear_suprema(X, X_prime, *every_sign(6, 4), RADIUS)
    got = linear_rademacher(X, X_prime, radius=RADIUS, draws=20_000, rng=np.random.default_rng(0))
    assert got.standard_error == pytest.approx(exact.std() / np.sqrt(20_000), rel=0.05)
    assert abs(got.mean - exact.mean()) < 4 * got.standard_error


def test_lies_between_its_two_moments() -> None:
    # Jensen above, Khinchin-Kahane with the best constant below.
    X, X_prime = example()
    root = RADIUS * np.sqrt(
        np.sum((X - X_prime.mean(axis=0)) ** 2) / len(X) ** 2
        + np.sum((X.mean(axis=0) - X_prime) ** 2) / len(X_prime) ** 2
    )
    exact = linear_suprema(X, X_prime, *every_sign(6, 4), RADIUS).mean()
    assert root / np.sqrt(2) <= exact <= root


def test_blocks_change_nothing_but_the_order_of_the_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    X, X_prime = example()
    whole = linear_rademacher(X, X_prime, radius=1.0, draws=101, rng=np.random.default_rng(0))
    monkeypatch.setattr(rademacher, "BLOCK", 70)
    assert linear_rademacher(X, X_prime, radius=1.0, draws=101, rng=np.random.default_rng(0)).mean == pytest.approx(
        whole.mean, rel=1e-12
    )


def test_signs_are_signs() -> None:
    sigma, upsilon = draw_signs(1000, 3, 2, np.random.default_rng(0))
    together = np.column_stack([sigma, upsilon])
    assert set(np.unique(together)) == {-1.0, 1.0}
    assert np.abs(together.mean(axis=0)).max() < 0.15
    assert np.abs(np.corrcoef(together.T) - np.eye(5)).max() < 0.15
    assert mean_of(np.array([1.0, 2.0, 3.0])).mean == 2.0


def test_refuses() -> None:
    X = np.ones((2, 2))
    rng = np.random.default_rng(0)
    with pytest.raises(SettingError, match=r"radius must be a finite number above 0; got 0\.0"):
        linear_rademacher(X, X, radius=0.0, rng=rng)
    with pytest.raises(SettingError, match=r"draws must be 2 or more, .* got 1"):
        linear_rademacher(X, X, radius=1.0, draws=1, rng=rng)
    with pytest.raises(InputError, match=r"same columns; got arrays of shape \(2, 2\) and \(2, 3\)"):
        linear_rademacher(X, np.ones((2, 3)), radius=1.0, rng=rng)
    with pytest.raises(InputError, match=r"at least one, .* shape \(0, 2\) and \(2, 2\)"):
        linear_rademacher(np.ones((0, 2)), X, radius=1.0, rng=rng)
    with pytest.raises(InputError, match="must be finite"):
        linear_rademacher(X, X * np.nan, radius=1.0, rng=rng)
