"""Views: several ways to look at the same documents, each a small object that turns them into features.

`words` is the mean of word vectors, `pieces` the mean of static vectors of word pieces, `tfidf` the words themselves,
`lsa` their directions of greatest variance, and `encoder` the vectors of a sentence encoder. Which are used is an
argument of the classifier; a view of your own is any object with a `name` and a `fit`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from keysift.config import LearnConfig
from keysift.errors import SettingError
from keysift.features.lexical import LsaView, TfidfView
from keysift.features.means import PieceView, WordView
from keysift.features.sentences import SentenceView
from keysift.features.view import Role, View
from keysift.vectors.words import WordVectors


@dataclass(frozen=True, eq=False)
class Ingredients:
    """What views are made of."""

    vectors: WordVectors
    stop_words: frozenset[str]
    seed: int
    config: LearnConfig


def _words(given: Ingredients) -> View:
    return WordView(given.vectors, Role(neighbours=given.config.mean_neighbour_weight))


def _pieces(given: Ingredients) -> View:
    return PieceView(Role(neighbours=given.config.mean_neighbour_weight))


def _tfidf(given: Ingredients) -> View:
    config = given.config
    return TfidfView(given.stop_words, Role(teaching=config.lexical_teaching, neighbours=config.tfidf_neighbour_weight))


def _lsa(given: Ingredients) -> View:
    return LsaView(given.seed, given.config.lsa_size, Role(teaching=given.config.lexical_teaching))


VIEWS: dict[str, Callable[[Ingredients], View]] = {"words": _words, "pieces": _pieces, "tfidf": _tfidf, "lsa": _lsa}
"""Every view by its name."""
ENCODER, NEGATION = "encoder", "negation"
"""Names of the views that come with an encoder."""


def sentence_view(config: LearnConfig) -> SentenceView:
    """The view of sentence vectors."""
    return SentenceView(
        Role("sentences", config.encoder_weight, config.encoder_teaching, config.encoder_neighbour_weight)
    )


def check_views(views: Any) -> tuple[Any, ...]:
    """Names or objects that can be used as views, as a tuple.

    >>> check_views(["words", "lda"])
    Traceback (most recent call last):
    keysift.errors.SettingError: views must be one or more of words, pieces, tfidf, lsa, or objects with a name and a
    fit method; got 'lda'.
    """
    chosen = _listed(views)
    for view in chosen:
        if view not in VIEWS if isinstance(view, str) else not _is_view(view):
            raise SettingError(
                f"views must be one or more of {', '.join(VIEWS)}, or objects with a name and a fit method;"
                f" got {view!r}."
            )
    names = view_names(chosen)
    if not names or len(set(names)) < len(names):
        raise SettingError(f"views must be one or more different ones; got {', '.join(names) or 'none'}.")
    if taken := [name for name in names if name in (ENCODER, NEGATION)]:
        raise SettingError(f"A view cannot be called {taken[0]!r}, like one of keysift's own; give it another name.")
    return chosen


def _is_view(view: Any) -> bool:
    return hasattr(view, "fit") and hasattr(view, "name") and not isinstance(view, type)


def view_names(views: Any) -> list[str]:
    """What views are called, given as names or as objects."""
    return [view if isinstance(view, str) else str(view.name) for view in _listed(views)]


def _listed(views: Any) -> tuple[Any, ...]:
    return (views,) if isinstance(views, str) or not isinstance(views, Sequence) else tuple(views)


def get_views(views: Sequence[Any], given: Ingredients) -> tuple[View, ...]:
    """The views by name, or as they are; `views` is what `check_views` gave."""
    return tuple(VIEWS[view](given) if isinstance(view, str) else view for view in views)
