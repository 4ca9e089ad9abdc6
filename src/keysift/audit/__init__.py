"""The audit: a few documents of a ranking, judged by a person, and what they prove.

`start` draws a sample stratified by rank and makes a table to fill in; `read_answers` reads it back and refuses what
does not fit; `measure` gives precision, recall, prevalence, theta and theta' with intervals, the cut that the
prevalence asks for, whether one may stop, and the estimation error bound. Nothing here changes the ranking.

>>> import polars as pl
>>> ranking = pl.DataFrame({"id": range(50), "rank": range(1, 51), "score": [9.0 - i for i in range(50)],
...                         "decision": [1] * 10 + [0] * 40, "text": ["a"] * 50})
>>> sheet = start(ranking, 20, seed=1)
>>> answered = sheet.with_columns(answer=pl.when(pl.col("id").cast(int) < 12).then(pl.lit("y")).otherwise(pl.lit("no")))
>>> result = measure(read_answers(answered, ranking))
>>> result.precision.value, result.prevalence.low <= 12 / 50 <= result.prevalence.high
(1.0, True)
"""

from keysift.audit.answers import Audit, read_answers
from keysift.audit.estimates import Estimate
from keysift.audit.guarantee import Guarantee
from keysift.audit.labels import labels_from
from keysift.audit.measures import CutFigures, Measures, figures_at, measure
from keysift.audit.ranking import Ranking, ranking_from
from keysift.audit.sampling import Sample, draw
from keysift.audit.sheet import start
from keysift.audit.stopping import Stopping

__all__ = [
    "Audit",
    "CutFigures",
    "Estimate",
    "Guarantee",
    "Measures",
    "Ranking",
    "Sample",
    "Stopping",
    "draw",
    "figures_at",
    "labels_from",
    "measure",
    "ranking_from",
    "read_answers",
    "start",
]
