"""One line of a benchmark: what was measured, against which yardstick, and their ratio."""

from dataclasses import dataclass

__all__ = ["Line", "markdown", "replaced", "show"]


@dataclass(frozen=True)
class Line:
    """A figure beside its yardstick; `wanted` says which ratio is good."""

    name: str
    value: float
    yardstick: float
    unit: str
    against: str
    """What the yardstick is."""
    wanted: str

    @property
    def ratio(self) -> float:
        """Value over yardstick."""
        return self.value / self.yardstick if self.yardstick else float("nan")


def show(line: Line) -> None:
    """Print a line as soon as it is known."""
    print(
        f"{line.name:<44} {_number(line.value):>10} {line.unit:<9}"
        f" yardstick {_number(line.yardstick):>10} ({line.against})  ratio {line.ratio:.4g}  [{line.wanted}]",
        flush=True,
    )


def markdown(lines: list[Line]) -> str:
    """The lines as a table for the README."""
    rows = [
        f"| {line.name} | {_number(line.value)} {line.unit} | {_number(line.yardstick)} ({line.against}) |"
        f" {line.ratio:.3g} | {line.wanted} |"
        for line in lines
    ]
    return "\n".join(["| figure | measured | yardstick | ratio | wanted |", "|---|--:|--:|--:|---|", *rows])


def replaced(table: str, lines: list[Line]) -> str:
    """The same table with new rows for these figures; those of the same name replace each other in their order.

    >>> old = markdown([Line("a", 1.0, 2.0, "s", "b", "1 or less"), Line("c", 3.0, 2.0, "s", "b", "1 or less")])
    >>> replaced(old, [Line("c", 1.0, 2.0, "s", "b", "1 or less")]).splitlines()[2:]
    ['| a | 1 s | 2 (b) | 0.5 | 1 or less |', '| c | 1 s | 2 (b) | 0.5 | 1 or less |']
    """
    new: dict[str, list[str]] = {}
    for line, row in zip(lines, markdown(lines).splitlines()[2:], strict=True):
        new.setdefault(line.name, []).append(row)
    rows = []
    for row in table.splitlines():
        waiting = new.get(row.removeprefix("| ").partition(" | ")[0])
        rows.append(waiting.pop(0) if waiting else row)
    return "\n".join(rows)


def _number(value: float) -> str:
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.3g}"
