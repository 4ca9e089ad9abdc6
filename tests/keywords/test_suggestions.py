import numpy as np
import polars as pl
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from keysift.config import LearnConfig
from keysift.keywords.suggestions import suggest_words


def slow_ratio(a: int, b: int, inside: int, outside: int) -> float:
    """Twice the log-likelihood of two shares against one."""

    def likelihood(held: int, of: int, share: float) -> float:
        return (held * np.log(share) if held else 0.0) + ((of - held) * np.log(1 - share) if of > held else 0.0)

    pooled = (a + b) / (inside + outside)
    apart = likelihood(a, inside, a / inside) + likelihood(b, outside, b / outside)
    return 2 * (apart - likelihood(a, inside, pooled) - likelihood(b, outside, pooled))


@given(arrays(np.int64, (30, 6), elements=st.integers(0, 2)), st.integers(1, 29))
def test_suggestions_equal_the_slow_twin(table: NDArray[np.int64], inside: int) -> None:
    words, best = ["game", "puck", "the", "7", "é", "ice2"], np.arange(30) < inside
    found = suggest_words(sp.csr_array(table.astype(np.float32)), best, pl.Series(words), {"the"})
    expected = []
    for column, word in enumerate(words):
        a, b = int((table[best, column] > 0).sum()), int((table[~best, column] > 0).sum())
        lift = np.inf if not b else (a / inside) / (b / (30 - inside))
        if word in ("game", "puck", "ice2") and a >= 5 and lift >= 2:
            expected.append((-slow_ratio(a, b, inside, 30 - inside), word, lift, a))
    assert sorted(word.word for word in found) == sorted(word for _, word, _, _ in expected)
    ratios = {word: ratio for ratio, word, _, _ in expected}
    order = [ratios[one.word] for one in found]
    assert order == pytest.approx(sorted(order))
    for one in found:
        lift, documents = next((lift, a) for _, word, lift, a in expected if word == one.word)
        assert one.lift == pytest.approx(lift)
        assert one.documents == documents


def test_at_most_twelve_and_nothing_to_compare_with() -> None:
    table = np.zeros((20, 30))
    table[:6] = 1
    words = pl.Series([f"word{number}" for number in range(30)])
    assert len(suggest_words(sp.csr_array(table), np.arange(20) < 6, words)) == 12
    assert (
        len(suggest_words(sp.csr_array(table), np.arange(20) < 6, words, config=LearnConfig(most_suggestions=3))) == 3
    )
    assert suggest_words(sp.csr_array(table), np.full(20, True), words) == ()
    assert suggest_words(sp.csr_array(table), np.full(20, False), words) == ()


def test_how_often_and_in_how_many_documents_can_be_chosen() -> None:
    table = np.zeros((40, 2))
    table[:10, 0] = table[10:20, 0] = 1  # three times as frequent in the best documents
    table[:4, 1] = 1  # only there, but in few
    words, best = pl.Series(["often", "rare"]), np.arange(40) < 10

    def found(**numbers: float) -> set[str]:
        return {one.word for one in suggest_words(sp.csr_array(table), best, words, config=LearnConfig(**numbers))}  # type: ignore[arg-type]

    assert found() == found(least_lift=3.0) == {"often"}
    assert found(least_lift=3.1) == set()
    assert found(fewest_documents=4) == {"often", "rare"}
