"""All sign vectors of a tiny sample, and the complexity by brute force."""

import itertools
from collections.abc import Callable

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Value = Callable[[Vector], Vector]

COORDINATES = st.integers(-8, 8).map(lambda n: n / 4)


def every_sign(n: int, m: int) -> tuple[Vector, Vector]:
    """A row for each of the 2^(n + m) choices of sigma and upsilon."""
    signs = np.array(list(itertools.product([-1.0, 1.0], repeat=n + m)))
    return signs[:, :n], signs[:, n:]


def disc(radius: float, directions: int = 720, circles: int = 1) -> Vector:
    """Points of the disc, on its rim first; with one circle, the rim alone."""
    angles = np.linspace(0, 2 * np.pi, directions, endpoint=False)
    rim = np.column_stack([np.cos(angles), np.sin(angles)])
    return np.concatenate([radius * part * rim for part in np.linspace(1, 0, circles, endpoint=False)])


def brute_suprema(value: Value, X: Vector, X_prime: Vector, sigma: Vector, upsilon: Vector, points: Vector) -> Vector:
    """2 max over the points w of 1/(nm) sum_ij (sigma_i + upsilon_j)/2 value(w . (x_i - x'_j)), pair by pair."""
    best = np.full(len(sigma), -np.inf)
    for w in points:
        total = np.zeros(len(sigma))
        for i, x in enumerate(X):
            for j, x_prime in enumerate(X_prime):
                total += (sigma[:, i] + upsilon[:, j]) / 2 * value(np.array(w @ (x - x_prime)))
        best = np.maximum(best, 2 * total / (len(X) * len(X_prime)))
    return best


@st.composite
def tiny_samples(draw: st.DrawFn) -> tuple[Vector, Vector]:
    """One to three points on each side, in the plane."""
    point = st.tuples(COORDINATES, COORDINATES)
    X, X_prime = (np.array(draw(st.lists(point, min_size=1, max_size=3))) for _ in range(2))
    return X, X_prime
