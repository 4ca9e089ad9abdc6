"""Self-contained HTML pages about a ranking and its cuts; they open offline and run no script."""

from keysift.report.page import write_report
from keysift.report.sweep_page import write_sweep

__all__ = ["write_report", "write_sweep"]
