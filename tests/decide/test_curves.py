import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit

from keysift.decide.calibration import LEAKS, SHARPNESS, shipped
from keysift.decide.curves import PRIORS, Family, answered, known, usual
from keysift.decide.two_groups import two_groups
from tests.decide.cases import means_of

SCORES = st.lists(st.one_of(st.floats(-50, 50), st.integers(-3, 3).map(float)), min_size=2, max_size=60).map(np.array)
NORMAL = np.sort(np.random.default_rng(0).normal(size=2000))


@settings(deadline=None, max_examples=30)
@given(SCORES, st.floats(0.01, 0.99))
def test_every_curve_rises_and_has_its_prior_for_a_mean(scores: np.ndarray, prior: float) -> None:
    family = Family.over(scores, np.array([prior / 2, prior]))
    assert (np.diff(family.chances, axis=1) >= -1e-12).all()
    assert ((family.chances > 0) & (family.chances < 1)).all()
    at = family.at(scores)
    assert at.mean(axis=1) == pytest.approx(family.priors, rel=1e-6)
    slow = np.stack([np.interp(scores, family.knots, curve) for curve in family.chances])
    assert at == pytest.approx(slow, abs=1e-12)


def test_the_scale_of_scores_does_not_matter() -> None:
    one, other = Family.over(NORMAL), Family.over(1e3 * NORMAL + 5)
    assert one.chances == pytest.approx(other.chances, rel=1e-6)


def test_a_curve_is_that_of_the_formula() -> None:
    family = Family.over(NORMAL, np.array([0.3]))
    place = SHARPNESS.index(2.5) * len(LEAKS) + LEAKS.index(0.15)
    leak = 0.15 * 0.3
    odds = np.log((family.chances[place] - leak) / (1 - family.chances[place]))  # of what the ranking sees
    assert np.corrcoef(odds, family.knots)[0, 1] > 0.998  # the height of normal scores is the score
    flat = family.chances[: len(LEAKS)]
    assert flat == pytest.approx(np.full(flat.shape, 0.3), abs=1e-6)  # a ranking by chance


@pytest.mark.parametrize("scores", [NORMAL, np.concatenate([NORMAL, NORMAL[: len(NORMAL) // 4] + 9])])
def test_the_prior_lies_between_the_usual_one_and_the_upper_group(scores: np.ndarray) -> None:
    prior, posterior = usual(scores)
    used = shipped()
    middle, half = two_groups(scores).blended(used.log_odds), used.half_width
    assert prior == pytest.approx(tuple(expit([middle, middle - half, middle + half])))
    held = (posterior.priors >= prior.low) & (posterior.priors <= prior.high)
    assert held.mean() == pytest.approx(0.9, abs=0.03)
    assert np.median(posterior.priors) == pytest.approx(prior.value, rel=0.2)


@pytest.mark.parametrize("prior", [0.001, 0.2, 0.95])
def test_a_known_prior_is_the_mean_of_every_curve(prior: float) -> None:
    assert means_of(known(NORMAL, prior), NORMAL) == pytest.approx([prior] * 200, rel=1e-6)


@pytest.mark.parametrize(("prior", "slope"), [(0.1, 3.0), (0.4, 2.0), (0.02, 4.0)])
def test_answers_find_the_prior(prior: float, slope: float) -> None:
    rng = np.random.default_rng(1)
    truth = Family.over(NORMAL, np.array([prior]))
    chances = truth.at(NORMAL)[SHARPNESS.index(min(SHARPNESS, key=lambda one: abs(one - slope))) * len(LEAKS)]
    labels = rng.random(len(NORMAL)) < chances
    share, widths = labels.mean(), []
    for count in (10, 50, 400):
        asked = rng.choice(len(NORMAL), count, replace=False)
        found, posterior = answered(NORMAL, NORMAL[asked], labels[asked])
        assert found.low <= share <= found.high
        widths.append(found.high - found.low)
        assert f"{count} answers" in posterior.basis
    assert widths[0] > widths[1] > widths[2]


@pytest.mark.parametrize("answer", [True, False])
def test_answers_of_one_kind(answer: bool) -> None:
    asked = NORMAL[::100]
    found, posterior = answered(NORMAL, asked, np.full(len(asked), answer))
    usual_value = usual(NORMAL)[0].value
    assert (found.value > usual_value) is answer
    assert 0 < found.low < found.value < found.high < 1
    assert np.isfinite(posterior.chances).all()


def test_an_unlikely_answer_moves_more_than_a_likely_one() -> None:
    def after(score: float, answer: bool) -> float:
        return answered(NORMAL, np.array([score]), np.array([answer]))[0].value

    none = usual(NORMAL)[0].value
    assert after(-2.0, True) > after(2.0, True) > none > after(2.0, False)
    assert abs(after(-2.0, False) - none) < abs(after(2.0, False) - none)


def test_the_grid_is_wide_enough() -> None:
    used = shipped()
    weights = Family.over(NORMAL).usual(used)
    assert PRIORS[0] < expit(used.log_odds - 1.2 * used.half_width)
    assert PRIORS[-1] > expit(used.log_odds + 1.2 * used.half_width)
    assert (weights >= 0).all()
