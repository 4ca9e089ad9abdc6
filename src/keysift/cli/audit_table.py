"""The figures of an audit on the terminal."""

from keysift.audit.measures import Measures
from keysift.cli.console import note, plain
from keysift.cli.console import output as results_console
from keysift.cli.tables import terminal_table
from keysift.present.audit import audit_facts


def show_measures(measures: Measures) -> None:
    """Print every figure with its interval, the strata, and what follows."""
    facts, console = audit_facts(measures), results_console()
    console.print(plain(facts.judged))
    console.print(terminal_table(facts.figures))
    console.print(terminal_table(facts.strata))
    for sentence in facts.conclusions:
        console.print(plain(str(sentence)), soft_wrap=True)
    if facts.left_out:
        note(facts.left_out)
