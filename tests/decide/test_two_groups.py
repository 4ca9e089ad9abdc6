import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keysift.decide.two_groups import FEWEST, TwoGroups, above_break, two_groups

SCORES = st.lists(st.one_of(st.floats(-50, 50), st.integers(-3, 3).map(float)), min_size=2, max_size=120).map(np.array)


def made(share: float, distance: float, documents: int = 3000, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    upper = rng.random(documents) < share
    return rng.normal(size=documents) + distance * upper, upper


def slow_break(scores: np.ndarray) -> float:
    """Every split of the sorted scores, tried in turn."""
    ordered = np.sort(scores)
    variances = [
        place * (len(ordered) - place) * (ordered[place:].mean() - ordered[:place].mean()) ** 2
        for place in range(1, len(ordered))
    ]
    return 1 - (1 + int(np.argmax(variances))) / len(ordered)


@pytest.mark.parametrize("share", [0.05, 0.3, 0.6])
def test_the_break_is_where_the_variance_between_the_parts_is_largest(share: float) -> None:
    near, _ = made(share, 2.0)  # none is so far from the others that it counts as nearer
    assert above_break(near) == pytest.approx(slow_break(near))
    scores, upper = made(share, 6.0)
    assert above_break(scores) == pytest.approx(upper.mean(), abs=0.01)


@pytest.mark.parametrize("find", [above_break, lambda scores: two_groups(scores).share])
def test_empty_documents_are_no_group(find: object) -> None:
    scores = np.concatenate([np.random.default_rng(0).normal(size=900), np.full(100, 8.0)])
    with_empty = np.concatenate([scores, np.full(50, -1e6)])
    assert callable(find)
    assert find(with_empty) == pytest.approx(100 / 1050, abs=0.01)


def test_a_few_scores_far_above_all_others_are_not_farther_than_a_group() -> None:
    scores, _ = made(0.2, 4.0)
    few = np.concatenate([scores, np.full(3, 60.0)])  # they would be the whole group
    assert two_groups(few).share == pytest.approx(two_groups(scores).share, abs=0.02)


@pytest.mark.parametrize("share", [0.03, 0.2, 0.5, 0.8])
@pytest.mark.parametrize("distance", [4.0, 6.0])
def test_groups_that_are_there_are_found(share: float, distance: float) -> None:
    scores, upper = made(share, distance)
    found = two_groups(scores)
    assert found.share == pytest.approx(upper.mean(), abs=0.01)
    assert found.trust > 0.8


def test_the_less_the_groups_part_the_less_they_are_trusted() -> None:
    trusts = [two_groups(made(0.3, distance)[0]).trust for distance in (1.5, 2.5, 4.0, 8.0)]
    assert trusts == sorted(trusts)
    assert trusts[-1] > 0.99


@pytest.mark.parametrize(("share", "distance"), [(0.1, 3.0), (0.3, 3.0), (0.5, 4.0)])
def test_as_a_mixture_fitted_elsewhere(share: float, distance: float) -> None:
    from sklearn.mixture import GaussianMixture

    scores = made(share, distance)[0]
    scores = (scores - scores.mean()) / scores.std()
    mixture = GaussianMixture(2, covariance_type="tied", tol=1e-9, max_iter=2000, random_state=0).fit(scores[:, None])
    upper = int(mixture.means_[:, 0].argmax())
    chances = np.clip(mixture.predict_proba(scores[:, None])[:, upper], 1e-12, 1 - 1e-12)
    doubt = -(chances * np.log(chances) + (1 - chances) * np.log(1 - chances)).mean()
    weight = float(mixture.weights_[upper])
    whole = -(weight * np.log(weight) + (1 - weight) * np.log(1 - weight))
    found = two_groups(scores)
    assert found.share == pytest.approx(weight, abs=0.01)
    assert found.trust == pytest.approx(1 - doubt / whole, abs=0.02)


@given(SCORES)
def test_any_scores(scores: np.ndarray) -> None:
    found = two_groups(scores)
    assert 0 < found.share < 1
    assert 0 <= found.trust <= 1
    assert np.isfinite(found.blended(-2.0))


@given(st.integers(0, 20), st.floats(1e-6, 1e6), st.floats(-1e3, 1e3))
def test_the_scale_of_the_scores_does_not_matter(seed: int, scale: float, shift: float) -> None:
    scores = made(0.2, 4.0, documents=400, seed=seed)[0]
    plain, moved = two_groups(scores), two_groups(scale * (scores + shift))
    assert moved.share == pytest.approx(plain.share, abs=0.02)
    assert moved.trust == pytest.approx(plain.trust, abs=0.05)


def test_few_documents_and_equal_ones_show_no_groups() -> None:
    assert two_groups(np.array([0.0] * 30 + [9.0] * (FEWEST - 31))).trust == 0
    assert two_groups(np.full(1000, 3.0)).trust == 0


@given(st.floats(0.001, 0.999), st.floats(0, 1), st.floats(-6, 6))
def test_blending_stays_between_the_two(share: float, trust: float, usual: float) -> None:
    own = float(np.log(share / (1 - share)))
    blended = TwoGroups(share, trust).blended(usual)
    assert min(own, usual) - 1e-9 <= blended <= max(own, usual) + 1e-9
