"""One self-contained HTML page about a ranking; it opens offline and runs no script."""

from keysift.report.page import write_report

__all__ = ["write_report"]
