"""Views: several ways to look at the same documents, each a small object that turns them into features.

`words` are TF-IDF weights of words, `characters` those of pieces of words, `sentences` the vectors of a sentence
encoder, and `neighbours` the neighbourhoods among these vectors. By default words, sentences and, where they can be
trusted, neighbours are looked at, and characters in place of both where the encoder does not know the language. A view
of your own is any object with a `name` and a `fit`.
"""

from collections.abc import Callable, Sequence
from typing import Any

from keysift.errors import SettingError
from keysift.features.characters import CharacterView
from keysift.features.neighbours import NeighbourView
from keysift.features.sentences import SentenceView
from keysift.features.view import View
from keysift.features.words import WordView

WORDS, CHARACTERS, SENTENCES, NEIGHBOURS = "words", "characters", "sentences", "neighbours"
VIEWS: dict[str, Callable[[], View]] = {
    WORDS: WordView,
    CHARACTERS: CharacterView,
    SENTENCES: SentenceView,
    NEIGHBOURS: NeighbourView,
}
"""Every view by its name."""
OF_VECTORS = (SENTENCES, NEIGHBOURS)
"""Those that look at sentence vectors."""
AUTO = "auto"
"""Words, sentences and neighbours, or words and characters."""


def check_views(views: Any) -> tuple[Any, ...]:
    """Names or objects that can be used as views, as a tuple; "auto" stays as it is.

    >>> check_views(["words", "lda"])
    Traceback (most recent call last):
    keysift.errors.SettingError: views must be 'auto', one or more of words, characters, sentences, neighbours,
    or objects with a name and a fit method; got 'lda'.
    """
    chosen = _listed(views)
    if chosen == (AUTO,):
        return chosen
    for view in chosen:
        if view not in VIEWS if isinstance(view, str) else not _is_view(view):
            raise SettingError(
                f"views must be 'auto', one or more of {', '.join(VIEWS)}, or objects with a name and a fit method;"
                f" got {view!r}."
            )
    names = view_names(chosen)
    if not names or len(set(names)) < len(names):
        raise SettingError(f"views must be one or more different ones; got {', '.join(names) or 'none'}.")
    if NEIGHBOURS in names and SENTENCES not in names:
        raise SettingError("The view 'neighbours' stands beside 'sentences', which it is compared with; add that one.")
    if taken := [view.name for view in chosen if not isinstance(view, str) and view.name in VIEWS]:
        raise SettingError(f"A view cannot be called {taken[0]!r}, like one of keysift's own; give it another name.")
    return chosen


def _is_view(view: Any) -> bool:
    return hasattr(view, "fit") and hasattr(view, "name") and not isinstance(view, type)


def view_names(views: Any) -> list[str]:
    """What views are called, given as names or as objects."""
    return [view if isinstance(view, str) else str(view.name) for view in _listed(views)]


def _listed(views: Any) -> tuple[Any, ...]:
    return (views,) if isinstance(views, str) or not isinstance(views, Sequence) else tuple(views)


def get_views(views: Sequence[Any], *, encoded: bool) -> tuple[View, ...]:
    """The views by name, or as they are; `views` is what `check_views` gave, `encoded` whether there are vectors.

    >>> [view.name for view in get_views(["auto"], encoded=False)]
    ['words', 'characters']
    """
    if tuple(views) == (AUTO,):
        views = (WORDS, *OF_VECTORS) if encoded else (WORDS, CHARACTERS)
    return tuple(VIEWS[view]() if isinstance(view, str) else view for view in views)
