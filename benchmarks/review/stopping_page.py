"""When to stop, as a section of docs/review.md."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from benchmarks.review.stopping import HEURISTICS, RUNS
from keysift.review.stopping import CONFIDENCE, TARGET

__all__ = ["section"]

INTRODUCTION = f"""## When to stop

Each screening, e-discovery and abuse task is read once in the order of a review that learns, as above, seed 0. The
**check** reads best first until a row without relevant documents is long enough, then draws at random from what is
unread until {100 * TARGET:.0f} % recall is proved with {100 * CONFIDENCE:.0f} % confidence, looking after every draw;
{RUNS:,} random samples a task, from that one order. **Held** is how often recall really was at least
{100 * TARGET:.0f} % when it stopped, and has to be at least {100 * CONFIDENCE:.0f} %. The **oracle** knows when
{100 * TARGET:.0f} % are found in that order. The rules of thumb promise nothing: their recall is what they happened to
reach. Knee is that of Cormack and Grossman, and half is half of the corpus.

What a check needs depends on how many relevant documents there are: with 40, {100 * TARGET:.0f} % recall allows two
to be missed, and to prove that no third one is left most of what is unread has to be read, whatever the method. When to
begin the check was chosen on these tasks; that concerns the reading, not the guarantee.
"""


def section(lines: Mapping[str, Mapping[str, Any]]) -> str:
    """The section, from the lines by task."""
    return f"{INTRODUCTION}\n" + "\n".join(_table(lines) if lines else ["Nothing is measured yet."])


def _table(lines: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    heads = ("task", "relevant", "oracle reads", "check: held", "reads", "5 to 95 % of runs", "mean recall")
    yield _row(*heads, *(f"{name}: reads, recall" for name in HEURISTICS))
    yield "|---|" + "--:|" * (len(heads) - 1 + len(HEURISTICS))
    for task, line in lines.items():
        low, high = line["read_from_to"]
        yield _row(
            task,
            f"{line['relevant']:,} of {line['documents']:,}",
            f"{line['oracle']:,}",
            _percent(line["held"]),
            f"{line['read']:,.0f}",
            f"{low:,} to {high:,}",
            _percent(line["recall"]),
            *(f"{rule['read']:,}, {_percent(rule['recall'])}" for rule in map(line["heuristics"].get, HEURISTICS)),
        )
    yield _row(
        "mean share read",
        "",
        _percent(_share(lines, "oracle")),
        f"lowest {_percent(min(line['held'] for line in lines.values()))}",
        _percent(_share(lines, "read")),
        "",
        "",
        *(_thumb(lines, name) for name in HEURISTICS),
    )


def _thumb(lines: Mapping[str, Mapping[str, Any]], name: str) -> str:
    rules = [(line["heuristics"][name], line["documents"]) for line in lines.values()]
    share = np.mean([rule["read"] / documents for rule, documents in rules])
    missed = sum(rule["recall"] < TARGET - 1e-9 for rule, _ in rules)
    return f"{_percent(float(share))}, below {100 * TARGET:.0f} % on {missed} of {len(rules)}"


def _share(lines: Mapping[str, Mapping[str, Any]], name: str) -> float:
    return float(np.mean([line[name] / line["documents"] for line in lines.values()]))


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"
