"""By what a document is known again: a hash of its text, and its id."""

import hashlib
from collections.abc import Iterable


def fingerprint(text: str) -> str:
    r"""A hash of a text, whatever spaces and line breaks a spreadsheet has put between its words.

    >>> fingerprint("a  late\ngoal ") == fingerprint("a late goal") != fingerprint("a late goal!")
    True
    """
    return hashlib.blake2b(" ".join(text.split()).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def fingerprints(texts: Iterable[str]) -> list[str]:
    """One hash a text.

    >>> len(set(fingerprints(["a goal", "a  goal", "rain"])))
    2
    """
    return [fingerprint(text) for text in texts]
