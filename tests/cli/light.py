import sys
from pathlib import Path

from keysift.review.state import State

KEYWORDS = "hockey, baseball"
LIGHT = ["--encoder", "none", "--rounds", "0"]
"""Words, their pieces and no rounds: a fit that takes a moment, where a test is not about what is learned."""
SPORTS = ["-k", KEYWORDS, *LIGHT]
COMMAND = [sys.executable, "-c", "from keysift.cli import main; main()"]
"""In a process of its own."""


def answers(project: Path) -> list[str]:
    """What was said in a project, in the order in which it was said."""
    with State.open(project) as state:
        return [given.answer for given in state.answers().values()]
