"""The audit as a table that a person fills in, in any spreadsheet or with `keysift audit label`."""

import json
import re
from dataclasses import dataclass

import polars as pl

from keysift.audit.ranked_table import ranking_from
from keysift.audit.sampling import Sample, draw
from keysift.audit.strata import STRATA
from keysift.corpus.cells import for_spreadsheet
from keysift.errors import InputError, listed

COLUMNS = ("id", "text", "evidence", "highlight", "answer", "stratum", "tag")
TAG = re.compile(
    r"\s*(keysift-(?P<fingerprint>[0-9a-f]{12})-n(?P<n>\d+)-s(?P<seed>\d+)-k(?P<k>\d+))-(?P<number>\d+)\s*"
)


@dataclass(frozen=True)
class Tag:
    """What every row says of the sample it belongs to."""

    sample: str
    fingerprint: str
    n: int
    seed: int
    k: int
    number: int
    """Of the row, from 1, in the order in which the sample was written."""


def start(
    ranking: pl.DataFrame, n: int = 100, *, seed: int = 0, k: int = 100, texts: pl.Series | None = None
) -> pl.DataFrame:
    """A sample of a ranking as a table with an empty column `answer`; `draw` tells how it is drawn.

    >>> ranking = pl.DataFrame({"id": ["a", "b"], "rank": [1, 2], "score": [2.0, 1.0], "decision": [1, 0]})
    >>> start(ranking, 2).select("id", "answer", "stratum", "tag").rows()[0]
    ('a', '', 'above the cut', 'keysift-...-n2-s0-k100-1')
    """
    return sheet_of(draw(ranking_from(ranking, texts=texts), n, seed=seed, k=k))


def sheet_of(sample: Sample) -> pl.DataFrame:
    """One row a document of the sample; no cell of it is a formula to a spreadsheet, be it an id."""
    ranking = sample.ranking
    sheet = pl.DataFrame(
        {
            "id": ranking.ids.gather(sample.rows),
            "text": ranking.texts.gather(sample.rows),
            "evidence": ranking.evidence.gather(sample.rows),
            # Words that `audit label` marks in the text, as JSON, so that every format holds them.
            "highlight": [json.dumps(ranking.words(place), ensure_ascii=False) for place in sample.rows.tolist()],
            "answer": [""] * len(sample.rows),
            "stratum": [STRATA[stratum] for stratum in sample.strata],
            "tag": [f"{sample.tag}-{number}" for number in range(1, len(sample.rows) + 1)],
        },
        schema_overrides=dict.fromkeys(COLUMNS, pl.String),
    )
    return for_spreadsheet(sheet)


def check_sheet(frame: pl.DataFrame, source: str = "The audit") -> None:
    """Refuse a table that is no audit."""
    lacking = [name for name in ("id", "answer", "tag") if name not in frame.columns]
    if lacking or frame.is_empty() or not any(read_tag(tag) for tag in frame["tag"].cast(pl.String)):
        has = "no column " + " and no column ".join(map(repr, lacking)) if lacking else "no row with a tag of an audit"
        raise InputError(
            f"{source} is no audit: it has {has} (its columns are {listed(frame.columns)}); keysift audit start makes"
            " one."
        )


def read_tag(text: str | None) -> Tag | None:
    """What a tag says, or None where it is none.

    >>> read_tag("keysift-0123456789ab-n100-s0-k100-7")
    Tag(sample='keysift-0123456789ab-n100-s0-k100', fingerprint='0123456789ab', n=100, seed=0, k=100, number=7)
    """
    match = TAG.fullmatch(text or "")
    if match is None:
        return None
    numbers = {name: int(match[name]) for name in ("n", "seed", "k", "number")}
    return Tag(match[1], match["fingerprint"], **numbers)
