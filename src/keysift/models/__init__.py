"""Maps from features to a score, and nothing else."""

from keysift.models.linear import Features, LinearModel

__all__ = ["Features", "LinearModel"]
