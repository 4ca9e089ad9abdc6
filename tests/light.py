"""Keywords of the small corpus, and a classifier that fits in a moment."""

from typing import Any

from keysift.config import LearnConfig

KEYWORDS = ["hockey", "baseball"]
EMPTY = ["", "  \n", "?!", None]
ALONE = LearnConfig(self_training=0)
"""Learn from the keywords alone, without a choice between strategies."""
LIGHT: dict[str, Any] = {"views": ("words",), "learning": ALONE}
"""One view and no choice, where a test is not about what is learned."""
