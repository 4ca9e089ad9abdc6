"""python -m benchmarks.suite --help."""

import sys

from benchmarks.worker import become_worker

if __name__ == "__main__":
    become_worker("benchmarks.suite")
    from benchmarks.suite.runner import main

    sys.exit(main())
