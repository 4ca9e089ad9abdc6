"""The tables of docs/quality.md and the README, and the prose with tuned numbers: python -m benchmarks.quality.page.

Each part stands between two marks and is written anew, from results.jsonl or from `LearnConfig`; everything else on the
pages stays.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from benchmarks.paper import results
from benchmarks.paper.published import figure
from benchmarks.quality.choice import SETS_OF_TASKS, WITH_LSA, chosen_by_others, compare
from benchmarks.quality.measured import Lines, first_trials, mean, trial_count
from benchmarks.quality.ours import OURS
from benchmarks.quality.prose import prose
from benchmarks.quality.runner import RESULTS
from benchmarks.quality.tasks import TASKS

__all__ = ["blocks", "fill", "main"]

ROOT = Path(__file__).resolve().parents[2]
PAGE, README = ROOT / "docs" / "quality.md", ROOT / "README.md"

FIVE = [task.name for task in TASKS.values() if task.family == "five"]
PEERS = {
    "counting": "counting the keywords",
    "bm25": "BM25 (bm25s)",
    "trivial": "mean difference of TF-IDF",
    "pulearn": "bagging PU learner (pulearn)",
    "snorkel": "label model and logistic regression (Snorkel)",
    "corex": "anchored CorEx (corextopic)",
    "zero_shot": "zero-shot MiniLM, mean of the keywords",
    "zero_shot_text": "zero-shot MiniLM, keywords as one text",
}
RENAMED = {
    "believe a tenth": "self-training, a tenth",
    "believe a half": "self-training, a half",
    "half the doubt": "half the tolerance",
    "twice the doubt": "twice the tolerance",
    "MiniLM without denial": "MiniLM without negation",
}
"""Titles of variants whose name in the file of results is an older word."""


def blocks(lines: Lines) -> dict[str, str]:
    """Every part by name."""
    return {
        **prose(),
        "headline": "\n".join(_headline(lines)),
        "peers": "\n".join(_peers(lines)),
        "groups": "\n".join(_groups(lines)),
        "ablation": "\n".join(_ablation(lines)),
        "choice": "\n".join(_choice(lines)),
        "lists": "\n".join(_lists(lines)),
        "left out": "\n".join(_left_out(lines)),
        "lsa": "\n".join(_lsa(lines)),
    }


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield "|" + "---|" * left + "--:|" * (len(heads) - left)
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _points(value: float) -> str:
    return "" if np.isnan(value) else f"{value:.1f}"


def _variant(system: str) -> str:
    return RENAMED.get(system, system)


def _titles() -> list[str]:
    return [TASKS[name].title for name in FIVE]


def _headline(lines: Lines) -> Iterator[str]:
    def row(title: str, values: Iterable[float]) -> list[str]:
        return [title, *map(_points, values)]

    def ours(system: str, field: str = "auc") -> list[float]:
        return [mean(lines, system, [name], field) for name in FIVE]

    best_peer = [_best(lines, name, [peer for peer in PEERS if not peer.startswith("zero")]) for name in FIVE]
    best_zero = [_best(lines, name, [peer for peer in PEERS if peer.startswith("zero")]) for name in FIVE]
    yield from _table(
        ["AUC", *_titles()],
        [
            row("paper, RCNN with the sigmoid loss, no labels", [_printed("Sigmoid", name) for name in FIVE]),
            row("best peer without an encoder", best_peer),
            row("**keysift, as installed**", ours("keysift")),
            row("paper, RCNN with all true labels", [_printed("O-Sigmoid", name) for name in FIVE]),
            row("best zero-shot with MiniLM", best_zero),
            row("**keysift with MiniLM**", ours("keysift with MiniLM")),
            row("logistic regression on MiniLM with all true labels", ours("oracle_minilm")),
        ],
    )
    counts = {
        system: [trial_count(lines, system, name) for name in FIVE] for system in ("keysift", "keysift with MiniLM")
    }
    yield ""
    yield (
        f"Trials: keysift {_range(counts['keysift'])}, with MiniLM {_range(counts['keysift with MiniLM'])} of each set."
        f" Seconds of a fit with scoring, median: {_seconds(lines, 'keysift')}."
    )


def _best(lines: Lines, name: str, systems: Iterable[str]) -> float:
    values = [mean(lines, system, [name]) for system in systems]
    return max((value for value in values if not np.isnan(value)), default=float("nan"))


def _printed(system: str, name: str) -> float:
    cell = figure("main", name, "auc", system)
    return float("nan") if cell is None else cell[0]


def _range(counts: Sequence[int]) -> str:
    return str(min(counts)) if min(counts) == max(counts) else f"{min(counts)} to {max(counts)}"


def _seconds(lines: Lines, system: str) -> str:
    def median(name: str) -> float:
        found = [line["seconds"] for (of, by, _), line in lines.items() if (of, by) == (name, system)]
        return float(np.median(found)) if found else float("nan")

    return ", ".join(f"{TASKS[name].title} {median(name):.0f}" for name in FIVE)


def _families_of_tasks() -> list[tuple[str, list[str]]]:
    """What there is beside the five sets."""
    titles = {"other keywords": "other keywords", "groups": "20 groups"}
    return [
        (title, [task.name for task in TASKS.values() if task.family == family]) for family, title in titles.items()
    ]


def _families(lines: Lines, system: str, field: str = "auc") -> list[str]:
    return [_points(mean(lines, system, names, field)) for names in (FIVE, *dict(_families_of_tasks()).values())]


def _peers(lines: Lines) -> Iterator[str]:
    names = {**PEERS, "keysift": "**keysift, as installed**", "keysift with MiniLM": "**keysift with MiniLM**"}
    yield from _table(
        ["AUC", *_titles(), "mean of the five", "other keywords", "20 groups", "precision at 100"],
        [
            [
                title,
                *(_points(mean(lines, system, [name])) for name in FIVE),
                *_families(lines, system),
                _points(mean(lines, system, FIVE, "prec100")),
            ]
            for system, title in names.items()
        ],
    )


def _groups(lines: Lines) -> Iterator[str]:
    groups = [task for task in TASKS.values() if task.family == "groups"]
    systems = ("counting", "trivial", "pulearn", "snorkel", "keysift", "oracle_minilm")
    yield from _table(
        ["group", "keywords", "counting", "mean difference", "pulearn", "Snorkel", "keysift", "labels, MiniLM"],
        [
            [
                task.name,
                ", ".join(task.keywords),
                *(_points(mean(lines, system, [task.name])) for system in systems),
            ]
            for task in groups
        ],
        left=2,
    )


def _ablation(lines: Lines) -> Iterator[str]:
    first = first_trials(lines)
    rows = []
    for system in OURS:
        values = [mean(first, system, [name]) for name in FIVE]
        if not np.isnan(values).all():
            precision = _families(first, system, "prec100")
            rows.append(
                [
                    _variant(system),
                    *map(_points, values),
                    *_families(first, system),
                    precision[0],
                    precision[-1],
                    _points(mean(first, system, FIVE, "seconds")),
                ]
            )
    heads = ["mean of the five", "other keywords", "20 groups", "precision at 100", "of the groups", "seconds"]
    yield from _table(["variant", *_titles(), *heads], rows)


def _lists(lines: Lines) -> Iterator[str]:
    """The first trial of the other keywords, list by list."""
    first = first_trials(lines)
    titles = {
        "counting": "counting",
        "trivial": "mean difference",
        "pulearn": "pulearn",
        "keysift": "keysift",
        "zero_shot_text": "zero-shot MiniLM",
        "MiniLM without denial": "keysift with MiniLM, no negation",
        "keysift with MiniLM": "keysift with MiniLM",
    }
    names = [name for name, task in TASKS.items() if task.family == "other keywords"]
    rows = [[TASKS[name].title, *(_points(mean(first, system, [name])) for system in titles)] for name in names]
    rows.append(["mean", *(_points(mean(first, system, names)) for system in titles)])
    yield from _table(["other keywords", *titles.values()], rows)


def _choice(lines: Lines) -> Iterator[str]:
    """The regret of the blend, and that of a choice by the quality alone."""
    first = first_trials(lines)
    rows, five = [], []
    for title, names in [*((TASKS[name].title, [name]) for name in FIVE), *_families_of_tasks()]:
        found = list(compare(first, names))
        if title in _titles():
            five += found
        if found:
            rows.append(
                [
                    title,
                    _lost(c.best_strategy - c.ours for c in found),
                    _lost(c.best - c.ours for c in found),
                    _lost(c.best - c.by_quality for c in found),
                    f"{np.mean([c.correlation for c in found]):.2f}",
                ]
            )
    heads = ["regret beside the best strategy", "beside the best variant", "of the variant of the best quality"]
    yield from _table(["set", *heads, "rank correlation"], rows)
    if five:
        yield ""
        yield (
            f"Regret on the five sets, mean and worst of {len(five)} fits:"
            f" {_lost(c.best_strategy - c.ours for c in five)} beside the strategies,"
            f" {_lost(c.best - c.ours for c in five)} beside all variants;"
            f" {_lost(c.best - c.by_quality for c in five)} if the quality alone chose among these."
        )


def _lost(regrets: Iterable[float]) -> str:
    """The mean, and the worst in brackets."""
    values = list(regrets)
    usual, worst = (round(float(value), 1) + 0.0 for value in (np.mean(values), max(values)))  # no -0.0
    return f"{usual:.1f} ({worst:.1f})"


def _left_out(lines: Lines) -> Iterator[str]:
    """For each set, the variants that the other four would choose, from all and from those with LSA, and their AUC."""
    first = first_trials(lines)
    rows = []
    for name in FIVE:
        tasks = SETS_OF_TASKS[name]
        chosen = [chosen_by_others(first, FIVE, name), chosen_by_others(first, FIVE, name, WITH_LSA), "keysift"]
        cells = [f"{_variant(by)}: {_points(mean(first, by, tasks))}" for by in chosen if by is not None]
        if len(cells) == len(chosen):
            rows.append([TASKS[name].title, str(len(tasks)), *cells])
    yield from _table(["left out", "tasks", "the others choose", "of those with LSA", "default"], rows, left=5)


def _lsa(lines: Lines) -> Iterator[str]:
    """The default and the variant that the sets would choose, over all trials of the five sets."""
    first = first_trials(lines)
    rows = [
        [
            system,
            *(_points(mean(lines, system, [name])) for name in FIVE),
            _points(mean(lines, system, FIVE)),
            *_families(first, system)[1:],
        ]
        for system in ("keysift", "without lsa")
    ]
    yield from _table(
        ["all trials", *_titles(), "mean of the five", "other keywords, first trial", "20 groups, first trial"], rows
    )


def fill(page: Path, parts: Mapping[str, str]) -> None:
    """Put each part between its marks, where the page has them."""
    text = page.read_text(encoding="utf-8")
    for name, part in parts.items():
        start, end = f"<!-- {name}: make quality -->\n", "<!-- end -->"
        before, found, rest = text.partition(start)
        if found:
            _, closed, after = rest.partition(end)
            if not closed:
                raise ValueError(f"{page.name} has no {end} after {start.strip()}; put the line back.")
            text = f"{before}{start}{part}\n{end}{after}"
    page.write_text(text, encoding="utf-8")


def main() -> int:
    """Write the pages from the results that are there."""
    parts = blocks(results.read(RESULTS))
    for page in (PAGE, README):
        fill(page, parts)
    print(parts["headline"])
    print(f"Wrote the generated parts of {PAGE.relative_to(ROOT)} and {README.name}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
