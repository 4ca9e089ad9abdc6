"""The paper's tables of losses and of keywords, beside what is run here."""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from benchmarks.paper.datasets import SETS
from benchmarks.paper.layout import markdown
from keysift.risk.losses import get_loss

__all__ = ["keyword_table", "loss_table"]

LOSSES: dict[str, tuple[str, Callable[[NDArray[np.float64]], NDArray[np.float64]], bool]] = {
    "logistic": ("log(1 + exp(−z))", lambda z: np.log1p(np.exp(-z)), False),
    "squared": ("(1 − z)²", lambda z: (1 - z) ** 2, False),
    "zero_one": ("1/2 − sign(z)/2", lambda z: 0.5 - np.sign(z) / 2, True),
    "sigmoid": ("1 / (1 + exp(z))", lambda z: 1 / (1 + np.exp(z)), True),
}
"""As printed: the formula, the same as a function, and whether the loss is said to be symmetric."""
MARGINS = np.linspace(-5, 5, 1001)
PRINTED = {
    "subj": "wonderful terrible feel happy ugly even horrible interesting funny dramatic romantic compassionate",
    "custrev": "easy excellent nice great good love amazing best awesome perfect definitely better happy compassionate",
    "mpqa": "support hope help good great love",
    "ayi": "great best excellent friendly awesome nice amazing",
    "20ng": "sports baseball hockey",
}


def loss_table() -> Iterator[str]:
    """The losses of the paper's first table: how far ours are from the printed formula, and which are symmetric."""
    rows = []
    for name, (formula, function, symmetric) in LOSSES.items():
        loss = get_loss(name)
        apart = float(np.abs(loss.value(MARGINS) - function(MARGINS)).max())
        total = loss.value(MARGINS) + loss.value(-MARGINS)
        constant = bool(np.ptp(total) < 1e-12)
        ours = f"yes, K = {loss.K:g}" if constant and loss.symmetric else "no"
        rows.append([name, formula, f"{apart:.0e}" if apart else "0", "yes" if symmetric else "no", ours])
    yield from markdown(["loss", "printed", "ours differs on −5 to 5 by", "symmetric, paper", "symmetric, ours"], rows)


def keyword_table() -> Iterator[str]:
    """The keywords that the paper lists, and which of them are used."""
    rows = []
    for name, data in SETS.items():
        printed = PRINTED[name].split()
        missing = [word for word in printed if word not in data.keywords]
        used = "all" if not missing else f"{len(data.keywords)} of {len(printed)}: without {', '.join(missing)}"
        rows.append([data.title, ", ".join(printed), used])
    yield from markdown(["set", "the paper's keywords", "used here"], rows)
