"""The environment of a process that does one piece of work beside others: one thread, and memory that is kept."""

import os
import sys

__all__ = ["WORKER", "become_worker"]

THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS")
# Giving freed memory back to the system and asking for it again is a third of a network's time.
KEEP_MEMORY = {"MALLOC_TRIM_THRESHOLD_": "1000000000", "MALLOC_MMAP_THRESHOLD_": "1000000000"}

WORKER = dict.fromkeys(THREADS, "1") | KEEP_MEMORY
"""Read by libraries when a process starts, so set it before."""


def become_worker(module: str) -> None:
    """Start `python -m module` over with a worker's environment, unless this process has it."""
    if not WORKER.items() <= os.environ.items():
        os.execve(sys.executable, [sys.executable, "-m", module, *sys.argv[1:]], os.environ | WORKER)
