"""What depends on the language: its name, its stop words, and a guess which one it is."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache

import numpy as np
import polars as pl
import scipy.sparse as sp

from keysift.errors import SettingError
from keysift.text.stop_words import ENGLISH
from keysift.text.tokens import Tokens

NAMES = {
    "af": "Afrikaans", "ar": "Arabic", "bg": "Bulgarian", "bn": "Bengali", "br": "Breton", "ca": "Catalan",
    "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek", "en": "English", "eo": "Esperanto", "es": "Spanish",
    "et": "Estonian", "eu": "Basque", "fa": "Persian", "fi": "Finnish", "fr": "French", "ga": "Irish", "gl": "Galician",
    "gu": "Gujarati", "ha": "Hausa", "he": "Hebrew", "hi": "Hindi", "hr": "Croatian", "hu": "Hungarian",
    "hy": "Armenian", "id": "Indonesian", "it": "Italian", "ja": "Japanese", "km": "Khmer", "ko": "Korean",
    "ku": "Kurdish", "la": "Latin", "lo": "Lao", "lt": "Lithuanian", "lv": "Latvian", "mr": "Marathi", "ms": "Malay",
    "my": "Burmese", "nl": "Dutch", "no": "Norwegian", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian",
    "ru": "Russian", "sk": "Slovak", "sl": "Slovenian", "so": "Somali", "st": "Sesotho", "sv": "Swedish",
    "sw": "Swahili", "th": "Thai", "tl": "Tagalog", "tr": "Turkish", "uk": "Ukrainian", "ur": "Urdu",
    "vi": "Vietnamese", "yo": "Yoruba", "zh": "Chinese", "zu": "Zulu",
}  # fmt: skip
"""Every language that has a code here, by its ISO 639-1 code."""
SCRIPTS = {
    "th": ("^[\u0e00-\u0e7f]$", 1.0),
    "lo": ("^[\u0e80-\u0eff]$", 1.0),
    "my": ("^[\u1000-\u109f]$", 1.0),
    "km": ("^[\u1780-\u17ff]$", 1.0),
    "ja": ("^[\u3040-\u30ff]$", 1.0),
    "zh": ("^[\u3400-\u9fff]$", 0.25),
}
"""Characters that tell a language without stop words, and how much each counts; Japanese has Chinese ones, too."""
MOST_DOCUMENTS = 2_000
"""Documents looked at, spread evenly over the corpus."""
MOST_TOKENS = 200
"""Tokens looked at in each of them."""
FEWEST_SIGNS = 2.0
"""Stop words of the language that must be there, each divided by the number of languages that share it."""
LEAST_DENSITY = 0.05
"""The same as a share of the tokens of its documents: English has 0.2 to 0.4."""
LEAST_SHARE = 0.5
"""Share of the documents that must be in the language, of those that show any."""
LEAST_LEAD = 2.0
"""How many times as many documents it must have as the next one."""


@dataclass(frozen=True)
class Language:
    """The language of a corpus, as far as it can be told."""

    code: str
    """ISO 639-1, "none" where it is not known."""
    name: str
    share: float
    """The share of the documents that show this language rather than another, of those that show any."""
    sure: bool
    """Whether it leads clearly; if not, the code is "none"."""


UNKNOWN = Language("none", "unknown", 0.0, False)


def guess_language(tokens: Tokens) -> Language:
    """The language that most documents are in, by their stop words or their script.

    Each document is in the language of which it holds most stop words, a stop word of n languages counts 1/n. Unless
    one language clearly leads, it is unknown.

    >>> import polars as pl
    >>> from keysift.text.tokens import tokenize
    >>> guess_language(tokenize(pl.Series(["Der Hund ist nicht im Haus", "und das ist auch gut so"])))
    Language(code='de', name='German', share=1.0, sure=True)
    >>> guess_language(tokenize(pl.Series(["x1 y2", "qwerty"]))).name
    'unknown'
    """
    places = np.unique(np.linspace(0, len(tokens) - 1, min(len(tokens), MOST_DOCUMENTS)).astype(np.int64))
    sizes = np.minimum(tokens.lengths[places], MOST_TOKENS)
    if not sizes.sum():
        return UNKNOWN
    ends = np.cumsum(sizes)
    flat = tokens.codes[np.repeat(tokens.starts[places] - (ends - sizes), sizes) + np.arange(ends[-1])]
    seen, columns = np.unique(flat, return_inverse=True)
    counts = sp.csr_array((np.ones(len(flat)), columns, np.concatenate([[0], ends])), shape=(len(places), len(seen)))
    signs = (counts @ _signs(tokens.words.gather(seen))).toarray()
    best = signs.argmax(axis=1)
    told = signs.max(axis=1) > 0
    documents = np.bincount(best[told], minlength=signs.shape[1])
    first = int(documents.argmax())
    own = told & (best == first)
    share = documents[first] / max(1, documents.sum())
    second = np.delete(documents, first).max()
    sure = (
        signs[own, first].sum() >= FEWEST_SIGNS
        and signs[own, first].sum() >= LEAST_DENSITY * sizes[own].sum()
        and share >= LEAST_SHARE
        and documents[first] >= LEAST_LEAD * second
    )
    code = list(NAMES)[first]
    return Language(code, NAMES[code], float(share), True) if sure else UNKNOWN


def _signs(words: pl.Series) -> sp.csr_array:
    """How much each word (row) speaks for each language (column)."""
    numbers = {code: number for number, code in enumerate(NAMES)}
    rows = words.rename("word").to_frame().with_row_index("row")
    found = rows.join(_stop_word_table(), on="word").select("row", "language", "sign")
    parts = [found]
    for code, (pattern, sign) in SCRIPTS.items():
        of_script = rows.filter(pl.col("word").str.contains(pattern))
        parts.append(of_script.select("row", language=pl.lit(code), sign=pl.lit(sign)))
    signs = pl.concat(parts)
    columns = signs["language"].replace_strict(numbers, return_dtype=pl.Int64).to_numpy()
    pairs = (signs["sign"].to_numpy(), (signs["row"].to_numpy(), columns))
    return sp.csr_array(sp.coo_array(pairs, shape=(len(words), len(NAMES))))


@cache
def _stop_word_table() -> pl.DataFrame:
    """Every stop word of more than a letter, its languages, and 1 divided by their number."""
    import stopwordsiso  # reads its lists when it is imported

    pairs = [(code, word.lower()) for code in sorted(stopwordsiso.langs() & set(NAMES)) for word in stop_word_set(code)]
    table = pl.DataFrame(pairs, schema=["language", "word"], orient="row").unique(maintain_order=True)
    return table.filter(pl.col("word").str.len_chars() > 1).with_columns(sign=1 / pl.len().over("word"))


def language_code(language: object) -> str:
    """The code of a language that is given by its code or its name; "auto" and "none" stay.

    >>> language_code("de"), language_code("German"), language_code("none")
    ('de', 'de', 'none')
    """
    named = language.lower() if isinstance(language, str) else ""
    if named in ("auto", "none") or named in NAMES:
        return named
    codes = {name.lower(): code for code, name in NAMES.items()}
    if named not in codes:
        raise SettingError(
            f"language must be 'auto', 'none' or a language ({', '.join(NAMES)}, or its name); got {language!r}."
        )
    return codes[named]


def stop_word_set(stop_words: str | Collection[str] | None) -> frozenset[str]:
    """Stop words of a language ("english", "de"), none ("none"), or a list of your own.

    Those of English are scikit-learn's, which the paper's tables use too; "auto" is English until a language is known.

    >>> "the" in stop_word_set("english"), "und" in stop_word_set("de"), sorted(stop_word_set(["und", "oder"]))
    (True, True, ['oder', 'und'])
    """
    if stop_words is None or stop_words == "none":
        return frozenset()
    if isinstance(stop_words, str):
        return _of_language("en" if stop_words == "auto" else _stop_word_code(stop_words))
    return frozenset(word.lower() for word in stop_words)


def _stop_word_code(stop_words: str) -> str:
    try:
        return language_code(stop_words)
    except SettingError:
        raise SettingError(
            f"stop_words must be 'auto', 'none', a language ('english', 'de') or a list of words; got {stop_words!r}."
        ) from None


@cache
def _of_language(code: str) -> frozenset[str]:
    if code == "en":
        return ENGLISH
    import stopwordsiso

    return (
        frozenset(word.lower() for word in stopwordsiso.stopwords(code)) if stopwordsiso.has_lang(code) else frozenset()
    )
