"""python -m benchmarks.quality --help."""

import sys

from benchmarks.worker import become_worker

if __name__ == "__main__":
    become_worker("benchmarks.quality")
    from benchmarks.quality.runner import main

    sys.exit(main())
