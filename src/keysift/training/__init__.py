"""From features and the two corrupted sets to a fitted model."""

from keysift.training.full_batch import History, fit_linear

__all__ = ["History", "fit_linear"]
