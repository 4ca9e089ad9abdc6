import os
import subprocess
import sys
import threading
import time

import pytest
from threadpoolctl import threadpool_info

from keysift import threads as threads_module
from keysift.threads import in_one_thread, on_all_cores

FIT = """
import hashlib
import numpy as np
from keysift.ranker import KeywordRanker
rng = np.random.default_rng(0)
words = np.array([f"word{n}" for n in range(300)] + ["hockey"])
texts = [" ".join(words[rng.integers(len(words), size=12)]) for _ in range(1500)]
vectors = rng.normal(size=(1500, 384))
vectors[:, 0] += ["hockey" in text for text in texts]
clf = KeywordRanker("hockey").fit(texts, embeddings=vectors)
scores = clf.decision_function([*texts, ""], embeddings=np.vstack([vectors, vectors[:1]]))
print(hashlib.sha256(scores.tobytes() + clf.posterior_.chances.tobytes()).hexdigest(), clf.threshold_)
"""


def test_scores_and_the_cut_are_equal_to_the_bit_for_any_number_of_threads() -> None:
    if (os.cpu_count() or 1) < 2:
        pytest.skip("this machine has one core, so there is one thread anyway")
    seen = set()
    for threads in ("1", "2"):
        names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS")
        environment = {**os.environ, **dict.fromkeys(names, threads)}
        command = [sys.executable, "-c", FIT]
        seen.add(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)
    assert len(seen) == 1


def test_one_thread_inside_and_as_before_outside() -> None:
    def threads() -> list[int]:
        return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]

    before = threads()
    assert set(in_one_thread(threads)()) == {1}
    assert threads() == before


def test_overlapping_calls_give_the_threads_back_when_the_last_one_ends() -> None:
    def threads() -> list[int]:
        return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]

    before = threads()
    first_is_in, first_may_go = threading.Event(), threading.Event()
    seen: list[list[int]] = []

    @in_one_thread
    def first() -> None:
        first_is_in.set()
        first_may_go.wait(10)

    @in_one_thread
    def second() -> None:
        first_may_go.set()
        thread.join(10)
        seen.append(threads())  # the first has ended, and this one is still alone

    thread = threading.Thread(target=first)
    thread.start()
    first_is_in.wait(10)
    second()
    assert set(seen[0]) == {1}
    assert threads() == before


@pytest.mark.parametrize("cores", [1, 2, 5])
def test_parts_come_in_their_order(cores: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads_module, "cores", lambda: cores)

    def slow_first(part: int) -> int:
        time.sleep(0.02 if part % 3 == 0 else 0.0)
        return part * part

    assert list(on_all_cores(slow_first, range(10))) == [part * part for part in range(10)]
    assert list(on_all_cores(slow_first, [])) == []


def test_few_parts_are_done_before_somebody_takes_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads_module, "cores", lambda: 2)
    begun: list[int] = []
    results = on_all_cores(begun.append, range(100))
    next(results)
    time.sleep(0.1)
    assert len(begun) <= 4
    assert len(list(results)) == 99


def test_what_goes_wrong_in_a_thread_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads_module, "cores", lambda: 2)
    with pytest.raises(ZeroDivisionError):
        list(on_all_cores(lambda part: 1 // part, [1, 0, 1]))


@pytest.mark.parametrize(("said", "fewer"), [("1", True), ("", False), ("0", False), ("many", False), ("9999", False)])
def test_cores_can_be_limited(said: str, fewer: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    there = threads_module.cores()
    monkeypatch.setenv("OMP_NUM_THREADS", said)
    assert threads_module.cores() == (1 if fewer else there)
