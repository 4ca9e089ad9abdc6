"""How documents are split into words, and how keywords become the two sets of Algorithm 1."""

from collections.abc import Collection
from dataclasses import asdict, dataclass, replace
from numbers import Integral, Real
from typing import Any, Literal

from keysift.errors import SettingError
from keysift.text.languages import stop_word_set
from keysift.text.tokens import Tokenizer


@dataclass(frozen=True)
class Settings:
    """How documents and keywords are read; what is learned from them is `LearnConfig`.

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

    def __post_init__(self) -> None:
        for name, least in (("alpha", 1), ("gamma", 0)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
                raise SettingError(f"{name} must be a whole number, {least} or more; got {value!r}.")
        if not _is_number(self.phi) or not 0 < self.phi <= 100:
            raise SettingError(f"phi must be a percentage above 0 and up to 100; got {self.phi!r}.")
        if not _is_words(self.exclude):
            raise SettingError(f"exclude must be a list of words; got {self.exclude!r}.")
        if not (self.stop_words is None or isinstance(self.stop_words, str) or _is_words(self.stop_words)):
            raise SettingError(f"stop_words must be 'english', 'none' or a list of words; got {self.stop_words!r}.")
        stop_word_set(self.stop_words)
        if self.stop_keywords not in ("keep", "drop"):
            raise SettingError(f"stop_keywords must be 'keep' or 'drop'; got {self.stop_keywords!r}.")
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
