"""Learning a ranking from several views of the documents, and choosing how without a label."""

from keysift.learning.across import Plan, Split, ViewFit, blend, fit_split, fuse, self_train
from keysift.learning.quality import Fold, Quality, Trial, blend_weights, deal, measure_quality

__all__ = [
    "Fold",
    "Plan",
    "Quality",
    "Split",
    "Trial",
    "ViewFit",
    "blend",
    "blend_weights",
    "deal",
    "fit_split",
    "fuse",
    "measure_quality",
    "self_train",
]
