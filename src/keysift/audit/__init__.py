"""The audit: a few documents of a ranking, judged by a person, and what they prove.

`start` draws a sample stratified by rank and makes a table to fill in; `read_answers` reads it back and refuses what
does not fit; `measure` gives precision, recall, prevalence, theta and theta' with intervals, the cut that the
prevalence asks for, and whether one can stop reading. Nothing here changes the ranking.

>>> import polars as pl
>>> from keysift.audit import measure, read_answers, start
>>> ranking = pl.DataFrame({"id": range(50), "rank": range(1, 51), "score": [9.0 - i for i in range(50)],
...                         "decision": [1] * 10 + [0] * 40, "text": ["a"] * 50})
>>> sheet = start(ranking, 20, seed=1)
>>> answered = sheet.with_columns(answer=pl.when(pl.col("id").cast(int) < 12).then(pl.lit("y")).otherwise(pl.lit("no")))
>>> result = measure(read_answers(answered, ranking))
>>> result.precision.value, result.prevalence.low <= 12 / 50 <= result.prevalence.high
(1.0, True)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from keysift.audit.answers import Audit, read_answers
    from keysift.audit.measures import Measures, measure
    from keysift.audit.sheet import start

__all__ = ["Audit", "Measures", "measure", "read_answers", "start"]

_HOMES = {
    "Audit": "keysift.audit.answers",
    "Measures": "keysift.audit.measures",
    "measure": "keysift.audit.measures",
    "read_answers": "keysift.audit.answers",
    "start": "keysift.audit.sheet",
}


def __getattr__(name: str) -> Any:
    # As in keysift itself: whoever only reads a ranking does not load the whole audit.
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'keysift.audit' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
