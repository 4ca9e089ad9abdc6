"""Find the documents you mean, from a handful of keywords. No labels.

>>> import keysift
>>> clf = keysift.KeywordClassifier(["sports", "baseball", "hockey"], prior=0.11)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from keysift.classifier import KeywordClassifier, load
    from keysift.config import LearnConfig
    from keysift.linear_classifier import PairwiseLinearClassifier
    from keysift.networks.training import Training
    from keysift.review.simulation import simulate
    from keysift.session import Session
    from keysift.settings import Settings
    from keysift.streaming.arrow import score_batches, score_table

__all__ = [
    "KeywordClassifier",
    "LearnConfig",
    "PairwiseLinearClassifier",
    "Session",
    "Settings",
    "Training",
    "__version__",
    "load",
    "score_batches",
    "score_table",
    "simulate",
]

__version__ = "0.2.0"

_HOMES = {
    "KeywordClassifier": "keysift.classifier",
    "LearnConfig": "keysift.config",
    "PairwiseLinearClassifier": "keysift.linear_classifier",
    "Session": "keysift.session",
    "Settings": "keysift.settings",
    "Training": "keysift.networks.training",
    "load": "keysift.classifier",
    "score_batches": "keysift.streaming.arrow",
    "score_table": "keysift.streaming.arrow",
    "simulate": "keysift.review.simulation",
}


def __getattr__(name: str) -> Any:
    # Importing keysift loads nothing heavy; a name is fetched from its module when first used.
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'keysift' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
