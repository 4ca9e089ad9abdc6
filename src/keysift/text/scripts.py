"""Scripts that put no spaces between words."""

import re
from collections.abc import Sequence

SPACELESS_CHARACTERS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005\u3007\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff66-\uff9f"
    "\U00020000-\U0003ffff"
)
"""Thai, Lao, Burmese, Khmer, Japanese and Chinese, as they stand between the brackets of a pattern."""
SPACELESS = re.compile(f"[{SPACELESS_CHARACTERS}]")


def spelled(term: Sequence[str]) -> str:
    """The words of a term as one writes them: with spaces between words, and none between paired characters.

    >>> spelled(("ice", "hockey")), spelled(("酒", "酒店", "店")), spelled(("iphone", "手", "手机", "机"))
    ('ice hockey', '酒店', 'iphone 手机')
    """
    text, joined = "", True
    for place, word in enumerate(term):
        if 0 < place < len(term) - 1 and word == term[place - 1] + term[place + 1] and SPACELESS.match(word):
            joined = True
            continue
        text += word if joined else f" {word}"
        joined = False
    return text
