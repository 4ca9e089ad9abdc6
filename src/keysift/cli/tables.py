"""Tables of facts on the terminal."""

from typing import TYPE_CHECKING

from keysift.cli.console import plain

if TYPE_CHECKING:
    from rich.table import Table

    from keysift.present.facts import Table as Facts


def terminal_table(facts: "Facts", *, show_lines: bool = False) -> "Table":
    """A table for the terminal, numbers to the right."""
    from rich.table import Table

    table = Table(show_lines=show_lines)
    for place, head in enumerate(facts.heads):
        table.add_column(head, justify="right" if place in facts.numbers else "left")
    for row in facts.rows:
        table.add_row(*map(plain, row))
    return table
