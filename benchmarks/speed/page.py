"""docs/speed.md, from the results of `python -m benchmarks.speed`."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.line import Line, markdown

__all__ = ["PAGE", "page"]

PAGE = Path(__file__).resolve().parents[2] / "docs" / "speed.md"
MEGABYTES = 35.9
"""Of 20 Newsgroups as they were posted."""
DOCUMENTS = {"20NG": 18_846, "200,000 sentences": 200_000}
START_WANTED = {"import keysift": 0.3, "keysift --help": 0.4}

INTRODUCTION = """# Speed

`make speed` measures this page and writes it: keysift without its sentence encoder, beside what one would use instead,
on the same documents in the same run. Each piece of work has a process of its own, in which everything is imported and
warmed up before the clock starts; the processes take turns, and of several runs the least time counts (rankings run
once). Memory is the
most that the process had, texts and libraries included. What else the machine did while it was measured is in the
seconds, CPU seconds are nearer to what the work itself takes.

- **20NG**: the 18,846 posts of 20 Newsgroups as they were posted, 36 MB, the paper's three keywords.
- **200,000 sentences**: the short texts of the suite's English corpora, and the sentences of its longer ones, all
  different; relevant are the calls for donations among the tweets of one corpus, with the keywords of that task, and
  whatever comes from another corpus counts as irrelevant.
"""


def page(results: Sequence[dict[str, Any]]) -> str:
    """The whole page, as far as there are results."""
    by_work = {(row["corpus"], row["work"]): row for row in results}
    lines = [*_starts(by_work), *_tokens(by_work), *_scoring(by_work)]
    notes = [f"{row['work']}\n" for row in results if row["corpus"] == "note"]
    parts = [INTRODUCTION, *notes, "## Starting, tokenising, scoring\n", markdown(lines), *_told()]
    for corpus in DOCUMENTS:
        rows = [by_work[key] for key in by_work if key[0] == corpus and key[1].startswith("rank ")]
        if rows:
            parts += [f"\n## Ranking {corpus}\n", _ranking(rows)]
    return "\n".join(parts) + "\n"


def _starts(by_work: dict[tuple[str, str], dict[str, Any]]) -> Iterator[Line]:
    for name, wanted in START_WANTED.items():
        if row := by_work.get(("start", name)):
            yield Line(name, row["seconds"], wanted, "s", "wanted", "1 or less")


def _tokens(by_work: dict[tuple[str, str], dict[str, Any]]) -> Iterator[Line]:
    pairs = (
        ("tokens keysift", "tokens polars", "polars' bare extract_all", "0.6 or more"),
        ("tokens keysift", "tokens HashingVectorizer", "HashingVectorizer", "3 or more"),
        ("tokens keysift, counted", "tokens HashingVectorizer", "HashingVectorizer", "3 or more"),
    )
    for ours, theirs, against, wanted in pairs:
        if ("20NG", ours) in by_work and ("20NG", theirs) in by_work:
            own, other = (MEGABYTES / by_work["20NG", work]["cpu"] for work in (ours, theirs))
            title = "tokenising and counting" if "counted" in ours else "tokenising"
            yield Line(f"20NG: {title}", own, other, "MB a CPU second", against, wanted)


def _scoring(by_work: dict[tuple[str, str], dict[str, Any]]) -> Iterator[Line]:
    for corpus, documents in DOCUMENTS.items():
        rows = [by_work.get((corpus, work)) for work in ("score keysift", "score scikit-learn")]
        if rows[0] and rows[1]:
            for unit, name in (("seconds", "second"), ("cpu", "CPU second")):
                own, other = documents / rows[0][unit], documents / rows[1][unit]
                against = "TfidfVectorizer + LogisticRegression"
                yield Line(f"{corpus}: scoring", own, other, f"documents a {name}", against, "3 or more")


def _told() -> list[str]:
    return [
        "",
        "keysift scores by words and by their pieces, and gives the same score to the bit whatever documents stand",
        "beside it; so it can score parts of the documents in a thread for each core, which shows in the seconds and",
        "not in the CPU seconds (OMP_NUM_THREADS=1 turns it off). What its pieces tell is one number for each word;",
        "only words that no document of training held are spelled. Most of the CPU time is tokenising, which cuts",
        "ASCII byte by byte and numbers words by a table of packed words; other texts are split by polars.",
    ]


def _ranking(rows: Sequence[dict[str, Any]]) -> str:
    own = next((row for row in rows if row["work"] == "rank keysift"), rows[0])
    table = ["| | AUC | seconds | CPU s | times keysift's CPU s | MB |", "|---|--:|--:|--:|--:|--:|"]
    for row in sorted(rows, key=lambda row: row["cpu"]):
        name = row["work"].removeprefix("rank ")
        shown = f"**{name}**" if row is own else name
        table.append(
            f"| {shown} | {100 * row['auc']:.1f} | {row['seconds']:.1f} | {row['cpu']:.1f} |"
            f" {row['cpu'] / own['cpu']:.2f} | {row['memory']:,.0f} |"
        )
    return "\n".join(table)
