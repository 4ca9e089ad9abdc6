"""Libraries tell their log about small faults; a user of keysift is told in a sentence, or not."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def silenced(*names: str) -> Iterator[None]:
    """Keep the logs of these libraries silent while the block runs.

    >>> with silenced("pypdf"):
    ...     logging.getLogger("pypdf.reader").error("a small fault")
    """
    loggers = [logging.getLogger(name) for name in names]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)
