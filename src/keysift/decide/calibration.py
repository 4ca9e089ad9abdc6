"""What other corpora teach about a ranking by keywords: the numbers that `benchmarks.decisions.calibrate` writes.

No keyword tells which share of the documents is relevant. What is known is which shares are usual, and how the chance
of being relevant falls along a ranking; both were measured on labelled corpora, each with the same say.
"""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

SHARPNESS = (0.0, 0.1, 0.2, 0.35, 0.6, 1.0, 1.6, 2.5, 4.0, 6.5, 10.0, 16.0)
"""How steeply the chance may fall along a ranking; a sharpness of zero is a ranking by chance."""
LEAKS = (0.0, 0.05, 0.15, 0.4)
"""Shares of the relevant documents that a ranking may not see: they are spread over all of it."""


@dataclass(frozen=True)
class Calibration:
    """The usual shares of relevant documents, and the usual curves."""

    corpora: int
    """How many had a say."""
    log_odds: float
    """Of the usual share: the median over corpora."""
    half_width: float
    """Of its conformal 90 % interval, in log odds."""
    sharpness: tuple[float, ...]
    """How usual each of `SHARPNESS` is."""
    leaks: tuple[float, ...]
    """How usual each of `LEAKS` is."""
    weight: float = 0.7
    """How much an answer counts: less than one, because no corpus has exactly such a curve."""
    tail: float = 0.05
    """The part of the curves beyond each end of an interval, without an answer."""
    told_tail: float = 0.02
    """The same with answers or a known prior: the less is left to what is usual, the more it matters that no curve is
    exact."""


@cache
def shipped() -> Calibration:
    """The numbers in use.

    >>> 0 < shipped().corpora, -4 < shipped().log_odds < 0
    (True, True)
    """
    plain: dict[str, Any] = json.loads(files("keysift.decide").joinpath("calibration.json").read_text(encoding="utf-8"))
    return Calibration(**{**plain, "sharpness": tuple(plain["sharpness"]), "leaks": tuple(plain["leaks"])})
