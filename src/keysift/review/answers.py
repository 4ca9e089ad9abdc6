"""One answer of a person: relevant, not, or unsure."""

from numbers import Integral

from keysift.errors import SettingError, shortened

WORDS: dict[str, int | None] = {"y": 1, "n": 0, "unsure": None}


def check_answer(answer: object) -> int | None:
    """1 for relevant, 0 for not, None for unsure; anything else is refused.

    >>> [check_answer(answer) for answer in ("y", "n", "unsure", 1, False, None)]
    [1, 0, None, 1, 0, None]
    >>> check_answer("maybe")
    Traceback (most recent call last):
    keysift.errors.SettingError: An answer must be 'y', 'n' or 'unsure', or 1, 0 or None; got 'maybe'.
    """
    if answer is None:
        return None
    if isinstance(answer, str) and answer in WORDS:
        return WORDS[answer]
    if _is_whole(answer) and answer in (0, 1):
        return 1 if answer else 0
    raise SettingError(f"An answer must be 'y', 'n' or 'unsure', or 1, 0 or None; got {shortened(answer)}.")


def spoken(answer: int | None) -> str:
    """The word for an answer.

    >>> [spoken(check_answer(word)) for word in WORDS]
    ['y', 'n', 'unsure']
    """
    return next(word for word, code in WORDS.items() if code == answer)


def check_document(document: object, documents: int) -> int:
    """The place of a document, if there is one there.

    >>> check_document(3, 3)
    Traceback (most recent call last):
    keysift.errors.SettingError: There is no document 3; give a whole number from 0 to 2, its place in the corpus.
    """
    if _is_whole(document) and not isinstance(document, bool) and 0 <= int(document) < documents:  # type: ignore[call-overload]
        return int(document)  # type: ignore[call-overload, no-any-return]
    raise SettingError(
        f"There is no document {shortened(document)}; give a whole number from 0 to {documents - 1}, its place in the"
        " corpus."
    )


def _is_whole(value: object) -> bool:
    # A NumPy truth value is no Integral.
    return isinstance(value, Integral) or type(value).__name__ in ("bool", "bool_")
