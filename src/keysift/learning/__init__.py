"""Learning a ranking from several views of the documents, and choosing how without a label."""

from keysift.learning.across import Plan, Split, ViewFit, blend, fit_split, fuse, self_train
from keysift.learning.answers import correct
from keysift.learning.denial import Denial, Denied, find_denial
from keysift.learning.likeness import heaviest, most_alike, unit_rows
from keysift.learning.neighbours import NEAREST, Neighbours, find_neighbours, is_rare
from keysift.learning.quality import Blind, Fold, Quality, Trial, blend_weights, deal, found_alone, measure_quality
from keysift.learning.ways import ALONE, NEAR, Way, learn, seeds

__all__ = [
    "ALONE",
    "NEAR",
    "NEAREST",
    "Blind",
    "Denial",
    "Denied",
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
    "find_denial",
    "find_neighbours",
    "fit_split",
    "found_alone",
    "fuse",
    "heaviest",
    "is_rare",
    "learn",
    "measure_quality",
    "most_alike",
    "seeds",
    "self_train",
    "unit_rows",
]
