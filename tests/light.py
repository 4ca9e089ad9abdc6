"""Keywords of the small corpus, and a classifier that fits in a moment."""

from typing import Any

from keysift.config import LearnConfig

KEYWORDS = ["hockey", "baseball"]
EMPTY = ["", "  \n", "?!", "\t..."]
ALONE = LearnConfig(rounds=0)
"""Learn from the keywords alone, without self-training."""
LIGHT: dict[str, Any] = {"views": ("words",), "encoder": None, "learning": ALONE}
"""One view and no rounds, where a test is not about what is learned."""
