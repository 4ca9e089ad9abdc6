"""The figures of an audit in words, for the terminal and for the page."""

from keysift.audit.estimates import Estimate
from keysift.audit.measures import Measures

__all__ = ["conclusions", "figures", "interval_of", "value_of"]


def figures(measures: Measures) -> list[tuple[str, Estimate | None]]:
    """Every figure by name."""
    return [
        ("precision at the cut", measures.precision),
        (f"precision at {measures.k:,}", measures.precision_at_k),
        ("recall at the cut", measures.recall),
        ("prevalence (the prior)", measures.prevalence),
        ("theta, relevant among pseudo-positive", measures.theta),
        ("theta', relevant among pseudo-negative", measures.theta_prime),
    ]


def value_of(estimate: Estimate | None) -> str:
    """In percent, or a dash.

    >>> value_of(Estimate(0.25, 0.1, 0.5)), interval_of(Estimate(0.25, 0.1, 0.5))
    ('25.0 %', '10.0 to 50.0')
    """
    return "–" if estimate is None or estimate.value is None else f"{100 * estimate.value:.1f} %"


def interval_of(estimate: Estimate | None) -> str:
    """In percent, or a dash."""
    return "–" if estimate is None else f"{100 * estimate.low:.1f} to {100 * estimate.high:.1f}"


def conclusions(measures: Measures) -> list[tuple[str, str]]:
    """What follows from the figures, a sentence each."""
    cut = measures.recommended
    low, high = (round(end * measures.documents) for end in (measures.prevalence.low, measures.prevalence.high))
    lines = [
        (
            "Recommended cut",
            f"the top {cut.above:,} documents (score above {cut.threshold:.3f}), as many as are relevant by the"
            f" prior {measures.prior:.3g} ({low:,} to {high:,}); expected there: precision {value_of(cut.precision)}"
            f" ({interval_of(cut.precision)}), recall {value_of(cut.recall)} ({interval_of(cut.recall)}).",
        ),
        ("May one stop", measures.stopping.sentence),
    ]
    if measures.guarantee is not None:
        lines.append(("Estimation error bound", measures.guarantee.sentence))
    else:
        lines.append(
            (
                "Estimation error bound",
                "unknown, because the ranking does not tell which documents are pseudo-positive; rank again for it.",
            )
        )
    return lines
