"""`doctor`: whether keysift can work here, and what to do about each problem."""

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from keysift.cli.console import output as results_console
from keysift.cli.console import plain, say

if TYPE_CHECKING:
    from keysift.cli.checkup import Finding


def doctor(
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Write the findings as JSON.")] = False,
) -> None:
    """Check versions, extras, encoder, cache, write access, threads, memory and terminal; say what to do.

    The exit code is 0 if all is well and 1 if something needs attention; an extra that is not installed does not.
    """
    from rich.table import Table

    from keysift.cli.checkup import findings

    found = list(findings())
    problems = [one for one in found if one.problem]
    if as_json:
        sys.stdout.write(json.dumps([asdict(one) for one in found], indent=1) + "\n")
    else:
        table = Table(show_lines=False)
        for head in ("", "what", "found"):
            table.add_column(head, overflow="fold")
        for one in found:
            table.add_row("!" if one.problem else "ok", plain(one.name), plain(one.value))
        results_console().print(table)
        for line in _advice(found):
            say(line)
    if problems:
        raise typer.Exit(1)


def _advice(found: "list[Finding]") -> Iterator[str]:
    problems = [one for one in found if one.problem]
    for one in found:
        if one.advice and not one.problem:
            yield f"{one.name}: {one.advice}"
    for number, one in enumerate(problems, start=1):
        yield f"{number}. {one.name}: {one.value}. {one.advice}"
    yield f"{len(problems)} of {len(found)} checks need attention." if problems else "All is well."
