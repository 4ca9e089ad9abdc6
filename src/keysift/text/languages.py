"""What depends on the language: stop words, and scripts without spaces."""

import re
from collections.abc import Collection

from keysift.errors import SettingError
from keysift.text.stop_words import ENGLISH
from keysift.text.tokens import Tokens

SPACELESS = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
"""Thai, Lao, Burmese, Khmer, Japanese and Chinese, which put no spaces between words."""


def stop_word_set(stop_words: str | Collection[str] | None) -> frozenset[str]:
    """Stop words by name ("english", "none") or as a list of your own.

    >>> "the" in stop_word_set("english"), sorted(stop_word_set(["und", "oder"]))
    (True, ['oder', 'und'])
    """
    if stop_words is None or stop_words == "none":
        return frozenset()
    if stop_words == "english":
        return ENGLISH
    if isinstance(stop_words, str):
        raise SettingError(f"stop_words must be 'english', 'none' or a list of words; got {stop_words!r}.")
    return frozenset(word.lower() for word in stop_words)


def is_english(tokens: Tokens) -> bool:
    """TEMP until lang is merged."""
    import numpy as np

    stop = tokens.words.is_in(list(stop_word_set("english"))).to_numpy()
    return bool(len(tokens.codes) == 0 or np.mean(stop[tokens.codes[:200_000]]) > 0.12)
