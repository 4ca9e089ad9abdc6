import numpy as np
import scipy.special
from hypothesis import given
from hypothesis import strategies as st

from keysift.decide.odds import expit, logit, normal_quantiles


@given(st.floats(-800, 800))
def test_expit_is_that_of_scipy(odds: float) -> None:
    np.testing.assert_allclose(expit(odds), scipy.special.expit(odds), rtol=1e-12, atol=1e-300)


@given(st.floats(1e-12, 1 - 1e-12))
def test_logit_is_that_of_scipy_and_goes_back(chance: float) -> None:
    np.testing.assert_allclose(logit(chance), scipy.special.logit(chance), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(expit(logit(chance)), chance, rtol=1e-9)


@given(st.floats(1e-9, 1 - 1e-9))
def test_normal_quantiles_are_those_of_scipy(level: float) -> None:
    np.testing.assert_allclose(normal_quantiles([level]), scipy.special.ndtri(level), rtol=1e-7, atol=1e-9)
