"""How documents are split into words, and how keywords become the two sets of Algorithm 1."""

from collections.abc import Collection
from dataclasses import asdict, dataclass, replace
from numbers import Integral, Real
from typing import Any, Literal

from keysift.errors import SettingError, shortened
from keysift.text.languages import guess_language, language_code, stop_word_set
from keysift.text.tokens import Tokenizer, Tokens

MOST = 10_000
"""Nearest words of a keyword, or copies of one in the keyword document; more would be a slip of the finger."""


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
    never_add: Collection[str] = ()
    """Words that never become expansions; to exclude documents, see `keysift.keywords.syntax`."""
    language: str = "auto"
    """Of the documents: "auto" guesses it, a code ("en", "de") or name says it, "none" is none in particular."""
    inflections: bool = True
    """Whether keywords also match their inflections (Paket, Pakete), where the language has a stemmer."""
    stop_words: str | Collection[str] | None = "auto"
    """Words without a say in the pseudo-labels: "auto" (those of the language), a language, "none" or a list."""
    stop_keywords: Literal["keep", "drop"] = "keep"
    """Whether a keyword that is also a stop word stays a keyword; "drop" is the paper's reading."""
    tokenizer: Tokenizer | None = None
    """From a document to its tokens; None splits into lower-cased words, and text without spaces into characters and
    pairs of them."""

    def __post_init__(self) -> None:
        for name, least in (("alpha", 1), ("gamma", 0)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
                raise SettingError(f"{name} must be a whole number, {least} or more; got {value!r}.")
            if int(value) > MOST:
                raise SettingError(f"{name} must be a whole number, {MOST:,} at most; got {shortened(value)}.")
        if not _is_number(self.phi) or not 0 < self.phi <= 100:
            raise SettingError(f"phi must be a percentage above 0 and up to 100; got {self.phi!r}.")
        if not _is_words(self.never_add):
            raise SettingError(f"never_add must be a list of words; got {self.never_add!r}.")
        if not (self.stop_words is None or isinstance(self.stop_words, str) or _is_words(self.stop_words)):
            raise SettingError(f"stop_words must be 'auto', 'none', a language or a list; got {self.stop_words!r}.")
        stop_word_set(self.stop_words)
        language_code(self.language)
        if not isinstance(self.inflections, bool):
            raise SettingError(f"inflections must be True or False; got {self.inflections!r}.")
        if self.stop_keywords not in ("keep", "drop"):
            raise SettingError(f"stop_keywords must be 'keep' or 'drop'; got {self.stop_keywords!r}.")
        if self.tokenizer is not None and not callable(self.tokenizer):
            raise SettingError(f"tokenizer must be a function from str to tokens; got {self.tokenizer!r}.")

    def settled(self, tokens: Tokens) -> "Settings":
        """The same with the language of these documents, and its stop words, in place of "auto"."""
        return self.for_language(guess_language(tokens).code if self.language == "auto" else self.language)

    def for_language(self, language: str) -> "Settings":
        """The same with a language where none is set; stop words are English where none is known.

        >>> german = Settings().for_language("de")
        >>> german.language, german.stop_words, Settings(language="fr").for_language("de").language
        ('de', 'de', 'fr')
        """
        guessed = self.language == "auto"
        code = language_code(language if guessed else self.language)
        stop_words = self.stop_words
        if isinstance(stop_words, str) and stop_words == "auto":
            stop_words = "english" if code == "en" or (guessed and code in ("none", "auto")) else code
        return replace(self, language=code, stop_words=stop_words)

    def plain(self) -> dict[str, Any]:
        """The settings as JSON can hold them; a tokenizer is code and left out.

        >>> Settings(never_add={"b", "a"}).plain()["never_add"]
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
