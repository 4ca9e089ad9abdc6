"""One line of a benchmark: what was measured, against which yardstick, and their ratio."""

from dataclasses import dataclass

__all__ = ["Line", "markdown", "show"]


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


def _number(value: float) -> str:
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.3g}"
