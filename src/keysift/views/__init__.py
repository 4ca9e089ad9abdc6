"""Views: several ways to look at the same documents, each a small object with one job, features.

`words` is the mean of word vectors, `pieces` the mean of static vectors of word pieces, `tfidf` the words themselves,
`lsa` their directions of greatest variance, and `encoder` the vectors of a sentence encoder. Which are used is an
argument of the classifier; a view of your own is any object with a `name` and a `read`.
"""

from collections.abc import Callable, Sequence
from typing import Any

from keysift.errors import SettingError
from keysift.vectors import WordVectors
from keysift.views.lexical import LsaView, TfidfView
from keysift.views.means import PieceView, WordView
from keysift.views.reading import SPREAD, Documents, Part, Reading, View
from keysift.views.rows import Rows, Shares, Tfidf, inverse_document_frequency
from keysift.views.sentences import SentenceView

__all__ = [
    "SPREAD",
    "VIEWS",
    "Documents",
    "LsaView",
    "Part",
    "PieceView",
    "Reading",
    "Rows",
    "SentenceView",
    "Shares",
    "Tfidf",
    "TfidfView",
    "View",
    "WordView",
    "check_views",
    "get_views",
    "inverse_document_frequency",
]

VIEWS: dict[str, Callable[[WordVectors, frozenset[str], int], View]] = {
    "words": lambda vectors, stop_words, seed: WordView(vectors),
    "pieces": lambda vectors, stop_words, seed: PieceView(),
    "tfidf": lambda vectors, stop_words, seed: TfidfView(stop_words),
    "lsa": lambda vectors, stop_words, seed: LsaView(seed),
}
TAKEN = ("encoder", "denial")
"""Names of views that come with an encoder."""


def check_views(views: Any) -> tuple[Any, ...]:
    """Names or objects that can be used as views, as a tuple.

    >>> check_views(["words", "lda"])
    Traceback (most recent call last):
    keysift.errors.SettingError: views must be one or more of words, pieces, tfidf, lsa, or objects with a name and a
    read method; got 'lda'.
    """
    chosen = (views,) if isinstance(views, str) else tuple(views) if isinstance(views, Sequence) else (views,)
    for view in chosen:
        if view not in VIEWS if isinstance(view, str) else not _is_view(view):
            raise SettingError(
                f"views must be one or more of {', '.join(VIEWS)}, or objects with a name and a read method;"
                f" got {view!r}."
            )
    names = [view if isinstance(view, str) else view.name for view in chosen]
    if not names or len(set(names)) < len(names):
        raise SettingError(f"views must be one or more different ones; got {', '.join(names) or 'none'}.")
    if taken := [name for name in names if name in TAKEN]:
        raise SettingError(f"A view cannot be called {taken[0]!r}, like one of keysift's own; give it another name.")
    return chosen


def _is_view(view: Any) -> bool:
    return hasattr(view, "read") and hasattr(view, "name") and not isinstance(view, type)


def get_views(views: Any, vectors: WordVectors, stop_words: frozenset[str], seed: int) -> tuple[View, ...]:
    """The views by name, or as they are."""
    return tuple(
        VIEWS[view](vectors, stop_words, seed) if isinstance(view, str) else view for view in check_views(views)
    )
