"""The part of docs/quality.md on the suite: python -m benchmarks.suite.page. It is written anew between its marks."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.paper.datasets import ROOT
from benchmarks.suite.choice import SYSTEM, Choice, complete, leave_one_out
from benchmarks.suite.lines import RESULTS, Lines, mean, mean_of_tasks, measured, read
from benchmarks.suite.ours import DEFAULT, OURS, VARIANTS, WITHOUT
from benchmarks.suite.tasks import length_class

__all__ = ["END", "PAGE", "START", "block", "fill", "main"]

PAGE, README = ROOT / "docs" / "quality.md", ROOT / "README.md"
START, END = "<!-- suite: make suite -->\n", "<!-- end of suite -->"

WHOLE, WORDS = "yardstick", "yardstick without sentences"
FAMILIES = {"five": "five sets", "lists": "other keywords", "groups": "20 groups"}
BEHIND = 2.0
"""A task that is below the yardstick by more points of AUC than this is flagged."""

Row = Sequence[str]


def block(lines: Lines) -> str:
    """All tables, from the results that are there."""
    if not measured(lines, family="suite"):
        return "Nothing is measured yet."
    choice = leave_one_out(*_compared(lines))
    every = {**lines, **choice.lines}
    parts = (
        _headline(every, choice),
        _decisions(lines),
        _by(every, "kind", lambda line: str(line["kind"])),
        _by(every, "length", lambda line: length_class(line["length"]), ("short", "medium", "long")),
        _tasks(lines),
        _variants(lines),
    )
    return "\n\n".join("\n".join(part) for part in parts)


def _compared(lines: Lines) -> tuple[Lines, list[str]]:
    """The variants that have the whole suite, and the corpora that all of these have."""
    suite = {key: line for key, line in lines.items() if line["family"] == "suite"}
    variants = complete(suite, [DEFAULT, *VARIANTS, WITHOUT], DEFAULT)
    tasks = {task: line["corpus"] for (task, system), line in lines.items() if system == DEFAULT}
    lacking = {corpus for task, corpus in tasks.items() if any((task, one) not in lines for one in variants)}
    return {key: line for key, line in lines.items() if line["corpus"] not in lacking}, variants


def _yardstick(lines: Lines) -> str:
    """The whole yardstick once every task that the lesser one has is there."""
    tasks = [task for task, system in lines if system == WORDS]
    return WHOLE if any(system == WHOLE for _, system in lines) and _all(lines, WHOLE, tasks) else WORDS


def _all(lines: Lines, system: str, tasks: Iterable[str]) -> bool:
    return all((task, system) in lines for task in tasks)


def _systems(lines: Lines) -> dict[str, str]:
    """Titles by system, in the order of the tables."""
    yardstick = _yardstick(lines)
    return {
        "counting": "counting the keywords",
        "mean difference": "mean difference of TF-IDF",
        yardstick: yardstick,
        SYSTEM: "**keysift, chosen by the other corpora**",
        DEFAULT: "keysift, as installed",
        "labels": "logistic regression with all labels",
    }


def _headline(lines: Lines, choice: Choice) -> Iterator[str]:
    suite = measured(lines, family="suite")
    corpora = {line["corpus"] for line in suite.values()}
    older = {title: measured(lines, family=family) for family, title in FAMILIES.items()}
    older = {title: tasks for title, tasks in older.items() if tasks}
    heads = [f"{len(corpora)} corpora", f"{len(suite)} tasks", *older]
    rows = [
        [
            title,
            _pair(lines, system, suite, mean),
            _pair(lines, system, suite, mean_of_tasks),
            *(_pair(lines, system, tasks, mean) for tasks in older.values()),
        ]
        for system, title in _systems(lines).items()
        if any(by == system for _, by in lines)
    ]
    yield from _table(["AUC / average precision", *heads], rows)
    chosen = sorted(set(choice.chosen.values()), key=list(choice.chosen.values()).count, reverse=True)
    if chosen:
        counts = ", ".join(f"{name} ({list(choice.chosen.values()).count(name)} corpora)" for name in chosen)
        yield ""
        yield f"In means over corpora every corpus has the same weight. The other corpora choose: {counts}."


def _decisions(lines: Lines) -> Iterator[str]:
    """What is said without a label, beside the truth, on the suite."""
    found = [line for (_, system), line in lines.items() if system == DEFAULT and line["family"] == "suite"]
    rows = []
    for name in ("prior", "precision", "recall"):
        stated = [(line[name], _truth(line, name)) for line in found if name in line]
        if stated:
            rows.append(
                [
                    name,
                    f"{np.mean([abs(said['estimate'] - true) for said, true in stated]):.3f}",
                    f"{100 * np.mean([said['low'] <= true <= said['high'] for said, true in stated]):.0f} %",
                    f"{np.mean([said['high'] - said['low'] for said, _ in stated]):.2f}",
                    str(len(stated)),
                ]
            )
    yield from _table(
        ["keysift without answers", "mean error", "interval holds the truth", "its mean width", "tasks"], rows
    )
    cut = [(line["f1"], line["f1_true_share"]) for line in found if "f1" in line]
    if cut:
        at_cut, at_share = np.mean(cut, axis=0)
        yield ""
        yield f"Macro F1 at its cut {at_cut:.1f}, at a cut at the true share {at_share:.1f} (mean of {len(cut)} tasks)."


def _truth(line: Any, name: str) -> float:
    return float(line["positives"] / line["documents"] if name == "prior" else line[f"true_{name}"])


def _by(lines: Lines, head: str, group: Callable[[Any], str], order: Sequence[str] = ()) -> Iterator[str]:
    """The systems beside each other for each group of tasks of the suite."""
    suite = measured(lines, family="suite")
    groups = {group(line) for line in suite.values()}
    systems = {**_systems(lines), SYSTEM: "**keysift**", "counting": "counting", "mean difference": "mean difference"}
    systems["labels"] = "labels"
    del systems[DEFAULT]
    rows = []
    for name in order or sorted(groups):
        tasks = [task for task, line in suite.items() if group(line) == name]
        if tasks:
            rows.append([name, str(len(tasks)), *(_pair(lines, system, tasks, mean) for system in systems)])
    yield from _table([head, "tasks", *systems.values()], rows)


def _tasks(lines: Lines) -> Iterator[str]:
    yardstick = _yardstick(lines)
    rows, behind = [], 0
    for task, line in measured(lines, family="suite").items():
        difference = _value(lines, DEFAULT, task) - _value(lines, yardstick, task)
        behind += difference < -BEHIND
        rows.append(
            [
                task,
                line["kind"],
                length_class(line["length"]),
                *(_pair(lines, system, [task], mean) for system in (yardstick, DEFAULT)),
                "" if np.isnan(difference) else f"{difference:+.1f}" + (" **behind**" if difference < -BEHIND else ""),
            ]
        )
    yield from _table(["task", "kind", "length", yardstick, "keysift, as installed", "difference of AUC"], rows, left=3)
    yield ""
    yield f"Below the yardstick by more than {BEHIND:g} points of AUC: {behind} of {len(rows)} tasks."


def _variants(lines: Lines) -> Iterator[str]:
    """Each variant over all corpora of all families, and what it has more than the default on the same tasks."""
    tasks = [task for task, system in lines if system == DEFAULT]
    rows = []
    for system in OURS:
        both = [task for task in tasks if (task, system) in lines]
        if both:
            gains = [mean(lines, system, both, field) - mean(lines, DEFAULT, both, field) for field in ("auc", "ap")]
            more = "" if system == DEFAULT else " / ".join(f"{gain:+.1f}" for gain in gains)
            seconds = mean_of_tasks(lines, system, both, "seconds")
            rows.append([system, _pair(lines, system, both, mean), more, str(len(both)), f"{seconds:.1f}"])
    yield from _table(["variant", "mean of all corpora", "more than the default", "tasks", "seconds a task"], rows)


def _value(lines: Lines, system: str, task: str) -> float:
    return float(lines[task, system]["auc"]) if (task, system) in lines else float("nan")


def _pair(
    lines: Lines, system: str, tasks: Iterable[str], over: Callable[[Lines, str, Iterable[str], str], float]
) -> str:
    """AUC and average precision; how many tasks, where some are not there."""
    names = list(tasks)
    found = sum((task, system) in lines for task in names)
    if not found:
        return ""
    part = "" if found == len(names) else f" ({found} of {len(names)})"
    return f"{over(lines, system, names, 'auc'):.1f} / {over(lines, system, names, 'ap'):.1f}{part}"


def _table(heads: Sequence[str], rows: Iterable[Row], left: int = 1) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield "|" + "---|" * left + "--:|" * (len(heads) - left)
    for row in rows:
        yield f"| {' | '.join(row)} |"


def fill(page: Path, part: str) -> None:
    """Put the part between its marks; everything else on the page stays."""
    text = page.read_text(encoding="utf-8")
    before, found, rest = text.partition(START)
    _, closed, after = rest.partition(END)
    if not (found and closed):
        raise ValueError(f"{page.name} must have the lines {START.strip()} and {END}, in this order; put them back.")
    page.write_text(f"{before}{START}{part}\n{END}{after}", encoding="utf-8")


def main() -> int:
    """Write the page from the results that are there."""
    part = block(read(RESULTS))
    fill(PAGE, part)
    fill(README, part.partition("\n\n")[0])
    print(part.partition("\n\n")[0])
    print(f"Wrote the part on the suite of {PAGE.relative_to(ROOT)}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
