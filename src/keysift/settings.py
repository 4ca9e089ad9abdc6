"""What a user rarely changes, with defaults that were measured (`make bench`)."""

from collections.abc import Collection
from dataclasses import asdict, dataclass, replace
from numbers import Integral, Real
from typing import Any, Literal

from keysift.errors import SettingError
from keysift.text import Tokenizer, stop_word_set

__all__ = ["Settings"]


@dataclass(frozen=True)
class Settings:
    """Settings of `KeywordClassifier` beyond its constructor's arguments.

    >>> Settings(gamma=-1)
    Traceback (most recent call last):
    keysift.errors.SettingError: gamma must be a whole number, 0 or more; got -1.
    """

    alpha: int = 3
    """How often each keyword is in the keyword document (Algorithm 1)."""
    gamma: int = 0
    """How many of its nearest words are added for each keyword (Algorithm 1); the paper adds 5 or 50."""
    phi: float = 100.0
    """Percentage of the documents with a similarity above zero that become pseudo-positive (Algorithm 1); the paper
    takes 90, here the least similar count less instead."""
    exclude: Collection[str] = ()
    """Words that never become expansions."""
    stop_words: str | Collection[str] | None = "english"
    """Words without a say in the pseudo-labels: "english", "none" or a list."""
    stop_keywords: Literal["keep", "drop"] = "keep"
    """Whether a keyword that is also a stop word stays a keyword; "drop" is the paper's reading."""
    tokenizer: Tokenizer | None = None
    """From a document to its tokens, for languages without spaces; None splits into lower-cased words."""
    believe: float | str = "auto"
    """The share of documents that the views may believe in beside those with a keyword, or "neighbours": documents near
    those; "auto" tries several ways and blends them by a quality that needs no label."""
    denial: str = "not"
    """The word that denies a keyword when it stands before it; a sentence encoder learns from such documents where a
    keyword has an opposite. An empty one: nothing is denied."""
    rounds: int = 4
    """How often the views learn from each other."""
    l2: float = 0.15
    """Strength of the penalty on the coefficients when learning from the keywords."""
    round_l2: float = 0.04
    """The same when the views learn from each other: there are more positives then."""
    max_iter: int = 200
    """Limit of L-BFGS steps."""
    tol: float = 1e-4
    """The gradient at which L-BFGS stops."""

    def __post_init__(self) -> None:
        for name, least in (("alpha", 1), ("gamma", 0), ("rounds", 1), ("max_iter", 1)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
                raise SettingError(f"{name} must be a whole number, {least} or more; got {value!r}.")
        if not _is_number(self.phi) or not 0 < self.phi <= 100:
            raise SettingError(f"phi must be a percentage above 0 and up to 100; got {self.phi!r}.")
        if self.believe not in ("auto", "neighbours") and not (
            _is_number(self.believe) and 0 <= float(self.believe) < 1
        ):
            raise SettingError(
                f"believe must be 'auto', 'neighbours' or a share from 0 to below 1; got {self.believe!r}."
            )
        for name in ("l2", "round_l2", "tol"):
            value = getattr(self, name)
            if not _is_number(value) or not 0 <= value < float("inf"):
                raise SettingError(f"{name} must be a number, 0 or more; got {value!r}.")
        if not _is_words(self.exclude):
            raise SettingError(f"exclude must be a list of words; got {self.exclude!r}.")
        if not (self.stop_words is None or isinstance(self.stop_words, str) or _is_words(self.stop_words)):
            raise SettingError(f"stop_words must be 'english', 'none' or a list of words; got {self.stop_words!r}.")
        stop_word_set(self.stop_words)
        if self.stop_keywords not in ("keep", "drop"):
            raise SettingError(f"stop_keywords must be 'keep' or 'drop'; got {self.stop_keywords!r}.")
        if not isinstance(self.denial, str):
            raise SettingError(f"denial must be a word like 'not', or empty; got {self.denial!r}.")
        if self.tokenizer is not None and not callable(self.tokenizer):
            raise SettingError(f"tokenizer must be a function from str to tokens; got {self.tokenizer!r}.")

    def plain(self) -> dict[str, Any]:
        """The settings as JSON can hold them; a tokenizer is code and left out.

        >>> Settings(exclude={"b", "a"}).plain()["exclude"]
        ['a', 'b']
        """
        fields = asdict(replace(self, tokenizer=None))
        return {
            name: sorted(value) if isinstance(value, Collection) and not isinstance(value, str) else value
            for name, value in fields.items()
        }


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _is_words(value: object) -> bool:
    return isinstance(value, Collection) and not isinstance(value, str) and all(isinstance(w, str) for w in value)
