"""The command line: thin doors that parse, call and show."""

from keysift.cli.app import app

__all__ = ["app", "main"]


def main() -> None:
    """Run the command line."""
    app(prog_name="keysift")
