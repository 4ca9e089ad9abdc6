"""Maps from features to a score, and nothing else."""

from keysift.models.linear import Features, LinearModel
from keysift.models.wordscores import WordScores, score_words

__all__ = ["Features", "LinearModel", "WordScores", "score_words"]
