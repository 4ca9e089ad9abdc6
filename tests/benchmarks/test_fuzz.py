"""A thousand of the million mutations of `make fuzz`."""

from pathlib import Path

import numpy as np
import pytest

from benchmarks.fuzz import MUTATIONS, Mutation, Subject, flip, outcome, run, subjects

COUNT = 1000


def test_a_damaged_model_is_refused_or_scores_as_before() -> None:
    seen = run(COUNT, seed=15)
    assert seen.total() == COUNT
    kinds = {name.partition(":")[0] for name in seen}
    assert kinds == {mutation.__name__ for mutation in (flip, *MUTATIONS)}
    assert {name for name in seen if name.startswith("flip")} <= {"flip: refused", "flip: same"}
    assert seen["renumber: other"] > 0  # the strict checks are reached, and let other models through
    assert seen["reword: refused"] > seen["reword: other"]


@pytest.mark.parametrize("number", [36045])
def test_mutations_that_once_got_through(number: int) -> None:
    """Of seed 0: a contribution of 1e30 that no whole number could hold."""
    assert run(number + 1, seed=0, start=number).total() == 1


def test_what_the_fuzz_itself_would_notice(tmp_path: Path) -> None:
    whole, _ = subjects(tmp_path)
    path = tmp_path / "damaged.keysift"
    sound = Mutation("none", whole.content, sound=True)
    assert outcome(whole, sound, path) == "same"
    other = Subject(**{**vars(whole), "scores": b"other"})
    assert outcome(other, sound, path) == "other"
    with pytest.raises(AssertionError, match="another score from a damaged file"):
        outcome(other, Mutation("none", whole.content, sound=False), path)


def test_every_bit_of_the_header_counts(tmp_path: Path) -> None:
    """Each bit of the first bytes, flipped alone: the length and the beginning of the header."""
    whole, _ = subjects(tmp_path)
    path = tmp_path / "damaged.keysift"
    for bit in range(8 * 40):
        content = np.frombuffer(whole.content, np.uint8).copy()
        content[bit // 8] ^= 1 << bit % 8
        assert outcome(whole, Mutation("flip", content.tobytes(), sound=False), path) in ("refused", "same")
