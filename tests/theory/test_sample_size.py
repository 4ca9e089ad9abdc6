from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keysift.errors import SettingError
from keysift.theory.bound import estimation_error_bound
from keysift.theory.contraction import contraction_bound
from keysift.theory.sample_size import documents_needed, set_sizes

LINEAR = partial(contraction_bound, radius=1.0, spread=2.0, lipschitz=0.25)


def bound_at(documents: int, share: float, gap: float, delta: float) -> float:
    n_cp, n_cn = set_sizes(documents, share)
    return estimation_error_bound(
        K=1, n_cp=n_cp, n_cn=n_cn, delta=delta, theta=gap, theta_prime=0.0, rademacher=LINEAR(n_cp, n_cn)
    )


def needed(target: float, share: float = 0.4, gap: float = 0.5, delta: float = 0.05, **changed: Any) -> int:
    settings: dict[str, Any] = {"K": 1, "theta": gap, "theta_prime": 0.0, "rademacher": LINEAR} | changed
    return documents_needed(target, share=share, delta=delta, **settings)


@given(
    target=st.floats(1e-3, 20),
    share=st.floats(0.01, 0.99),
    gap=st.floats(0.05, 1.0),
    delta=st.floats(1e-6, 0.9),
)
def test_is_the_smallest_number(target: float, share: float, gap: float, delta: float) -> None:
    documents = needed(target, share, gap, delta)
    assert bound_at(documents, share, gap, delta) <= target
    if set_sizes(documents - 1, share)[0] > 0:
        assert bound_at(documents - 1, share, gap, delta) > target


@given(share=st.floats(0.001, 0.999), documents=st.integers(1, 10**12))
def test_sizes_add_up_and_never_fall(share: float, documents: int) -> None:
    before, after = set_sizes(documents, share), set_sizes(documents + 1, share)
    assert sum(before) == documents
    assert before[1] >= 1
    assert all(later - earlier in (0, 1) for earlier, later in zip(before, after, strict=True))


def test_a_gap_half_as_wide_needs_four_times_the_documents() -> None:
    assert needed(0.01, gap=0.25) == pytest.approx(4 * needed(0.01, gap=0.5), rel=1e-4)


def test_an_easy_target_needs_one_document_in_each_set() -> None:
    assert needed(1000.0, share=0.5) == 2
    assert needed(1000.0, share=0.3) == 4


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"target": 0.0}, r"target must be a finite number above 0; got 0\.0"),
        ({"rademacher": lambda n, m: 0.1}, r"stays above 0\.5 for up to 1,000,000,000,000,000 documents; raise"),
        ({"share": 0.0}, r"share must be above 0 and below 1; got 0\.0"),
        ({"share": 1.0}, r"share must be above 0 and below 1; got 1\.0"),
        ({"gap": 0.0}, "theta must be above theta_prime"),
        ({"delta": 2.0}, "delta must be above 0 and below 1"),
    ],
)
def test_refuses(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        needed(**{"target": 0.5, **changed})


def test_sizes_refuse() -> None:
    with pytest.raises(SettingError, match=r"documents is a number of documents .* got 0"):
        set_sizes(0, 0.5)
