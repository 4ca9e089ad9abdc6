"""Learning a ranking from several views of the documents, and choosing how without a label."""

from keysift.learning.across import Plan, Split, ViewFit, blend, fit_split, fuse, self_train
from keysift.learning.answers import correct
from keysift.learning.neighbours import Neighbours, find_neighbours
from keysift.learning.quality import Blind, Fold, Quality, Trial, blend_weights, deal, measure_quality
from keysift.learning.ways import ALONE, NEAR, Way, learn

__all__ = [
    "ALONE",
    "NEAR",
    "Blind",
    "Fold",
    "Neighbours",
    "Plan",
    "Quality",
    "Split",
    "Trial",
    "ViewFit",
    "Way",
    "blend",
    "blend_weights",
    "correct",
    "deal",
    "find_neighbours",
    "fit_split",
    "fuse",
    "learn",
    "measure_quality",
    "self_train",
]
