"""Tables of facts on the terminal."""

from rich.table import Table

from keysift.cli.console import plain
from keysift.present.facts import Table as Facts


def terminal_table(facts: Facts, *, show_lines: bool = False) -> Table:
    """A table for the terminal, numbers to the right."""
    table = Table(show_lines=show_lines)
    for place, head in enumerate(facts.heads):
        table.add_column(head, justify="right" if place in facts.numbers else "left")
    for row in facts.rows:
        table.add_row(*map(plain, row))
    return table
