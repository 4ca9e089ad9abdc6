"""python -m benchmarks.review --help."""

import sys

from benchmarks.worker import become_worker

if __name__ == "__main__":
    become_worker("benchmarks.review")
    from benchmarks.review.runner import main

    sys.exit(main())
