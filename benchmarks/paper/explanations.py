"""Why a cell is not the paper's: a sentence for every cell that is marked.

An explanation is looked up from the special to the general: (table, set, system, measure), then (table, set, system),
(set, system), (table, system) and (system,). Tables: main, default, heuristic, sweep, data.
"""

__all__ = ["EXPLANATIONS", "UNEXPLAINED", "explain"]

UNEXPLAINED = "not explained yet."

EXPLANATIONS: dict[tuple[str, ...], str] = {}


def explain(table: str, name: str, system: str, measure: str) -> str:
    """The sentence for a marked cell, or that there is none yet."""
    keys: tuple[tuple[str, ...], ...] = (
        (table, name, system, measure),
        (table, name, system),
        (name, system),
        (table, system),
        (system,),
    )
    return next((EXPLANATIONS[key] for key in keys if key in EXPLANATIONS), UNEXPLAINED)
