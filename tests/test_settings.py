import dataclasses
import re
from typing import Any

import pytest

from keysift.errors import SettingError
from keysift.settings import Settings

WHOLE = "must be a whole number, {} or more; got {!r}."


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        *((name, least - 1, WHOLE.format(least, least - 1)) for name, least in (("alpha", 1), ("gamma", 0))),
        *((name, value, WHOLE.format(1, value)) for name in ("alpha",) for value in (0, 1.5, "3", True)),
        *(("phi", value, f"above 0 and up to 100; got {value!r}.") for value in (0, -5, 100.1, float("nan"))),
        ("never_add", "word", "must be a list of words; got 'word'."),
        ("stop_keywords", "both", "must be 'keep' or 'drop'; got 'both'."),
        ("tokenizer", "split", "must be a function from str to tokens; got 'split'."),
        (
            "stop_words",
            "klingon",
            "must be 'auto', 'none', a language ('english', 'de') or a list of words; got 'klingon'.",
        ),
        ("stop_words", 5, "must be 'auto', 'none', a language or a list; got 5."),
        ("language", "klingon", "or its name); got 'klingon'."),
        ("language", None, "or its name); got None."),
        ("inflections", "no", "must be True or False; got 'no'."),
    ],
)
def test_bad_values(name: str, value: Any, message: str) -> None:
    with pytest.raises(SettingError, match=f"^{name}.*{re.escape(message)}$"):
        Settings(**{name: value})


def test_bounds_are_allowed() -> None:
    Settings(alpha=1, gamma=0, phi=100, never_add=["a"], stop_words=None, stop_keywords="drop", tokenizer=str.split)


def test_settings_are_frozen_and_compare_by_value() -> None:
    assert Settings(gamma=2) == dataclasses.replace(Settings(), gamma=2) != Settings()
    with pytest.raises(dataclasses.FrozenInstanceError):
        Settings().gamma = 2  # type: ignore[misc]


@pytest.mark.parametrize(
    ("given", "guessed", "expected"),
    [
        ({}, "de", ("de", "de")),
        ({}, "en", ("en", "english")),
        ({}, "none", ("none", "english")),
        ({"language": "none"}, "de", ("none", "none")),
        ({"language": "English"}, "de", ("en", "english")),
        ({"language": "fr", "stop_words": "english"}, "de", ("fr", "english")),
        ({"stop_words": "none"}, "de", ("de", "none")),
        ({"stop_words": ["le"]}, "fr", ("fr", ["le"])),
    ],
)
def test_stop_words_follow_the_language(given: dict[str, Any], guessed: str, expected: tuple[str, Any]) -> None:
    settled = Settings(**given).for_language(guessed)
    assert (settled.language, settled.stop_words) == expected
    assert settled.for_language("it") == settled
