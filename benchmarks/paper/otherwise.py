"""What is done in another way than the paper says or its authors' code does, with the figures that it makes."""

from collections.abc import Iterator

import numpy as np

from benchmarks.paper.datasets import SETS
from benchmarks.paper.layout import Results, trials_of, values_of

__all__ = ["otherwise_section"]

RELABELLED = "NB, Algorithm 1 with scikit-learn's tokens"
FOURTEEN = "14 keywords"


def otherwise_section(experiments: Results) -> Iterator[str]:
    """A list; a part that was not measured has no figure."""
    yield "\n### Where we do otherwise\n"
    yield (
        f"- **13 keywords on Custrev.** The paper lists a fourteenth, “compassionate”; the authors' code does not have"
        f" it, and neither do we.{_fourteen(experiments)}"
    )
    yield (
        "- **Tokens of Algorithm 1.** Ours are words of one letter or more, and the “n't” among the neighbours of a"
        " keyword counts as its letters; scikit-learn's, which the authors' code has, are of two letters or more."
        f"{_relabelled(experiments)} The rows “scikit-learn's tokens” above are the paper's reading."
    )
    yield "- **Tokens of the networks.** As in the authors' code between white space (section Tokens). A word without a"
    yield "  vector is left out, where their code has a zero; the rows with padding have zeros."
    yield "- **Padding.** We mask it, their code does not (section Padding)."
    yield "- **Dropout.** We switch it off for scoring, their code does not (section Dropout)."
    yield "- **Batches.** Ours are shuffled, theirs have documents of similar length (section 20NG: the last epoch).\n"


def _fourteen(experiments: Results) -> str:
    system, title = "NB", f"NB, {FOURTEEN}"
    if not trials_of(experiments, "custrev", title):
        return ""
    changed = values_of(experiments, "custrev", title, "relabelled")
    return f" It would give {changed.mean():.1f} of 3,016 training documents another label ({system}: last table)."


def _relabelled(experiments: Results) -> str:
    told = []
    for name, data in SETS.items():
        there = trials_of(experiments, name, RELABELLED)
        if there and all("relabelled" in experiments[name, RELABELLED, trial] for trial in there):
            changed = values_of(experiments, name, RELABELLED, "relabelled")
            documents = np.sum([experiments[name, RELABELLED, there[0]][key] for key in ("tp", "fp", "fn", "tn")])
            told.append(f"{data.title} {changed.min():.0f} to {changed.max():.0f} of {documents:,.0f}")
    return f" Training documents with another label, over the trials: {'; '.join(told)}." if told else ""
