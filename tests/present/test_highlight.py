import pytest

from keysift.present.facts import TextPiece
from keysift.present.highlight import LENGTH, passage, words_pattern


def shown(text: str, *words: list[str]) -> list[tuple[str, str]]:
    return [(part.text, part.kind) for part in passage(text, *words)]


def test_kinds_of_evidence_are_told_apart_and_whole_words_only() -> None:
    assert shown("Hockey and hockeys, good or BAD", ["hockey"], ["good"], ["bad"]) == [
        ("Hockey", "keyword"),
        (" and hockeys, ", ""),
        ("good", "raises"),
        (" or ", ""),
        ("BAD", "lowers"),
    ]


def test_a_phrase_wins_over_its_words_and_spans_punctuation() -> None:
    parts = shown("Machine-learning machine", ["machine learning", "machine"])
    assert parts == [("Machine-learning", "keyword"), (" ", ""), ("machine", "keyword")]


def test_words_with_regex_characters_are_text() -> None:
    assert shown("a .b (c d", ["(c"], [".*"]) == [("a .b ", ""), ("(c", "keyword"), (" d", "")]


def test_a_long_text_starts_near_the_first_evidence() -> None:
    parts = passage("x " * 2000 + "hockey " + "y " * 2000, ["hockey"])
    assert TextPiece("hockey", "keyword") in parts
    assert parts[0] == parts[-1] == TextPiece("…")
    assert sum(len(part.text) for part in parts) == LENGTH + 2


@pytest.mark.parametrize("words", [[], [""], [" "]])
def test_no_evidence(words: list[str]) -> None:
    assert shown("plain  text", words) == [("plain text", "")]
    assert words_pattern(words) is None


def test_excluded_words_lower_and_beginnings_are_marked() -> None:
    assert shown("Winners win free love", ["win*", "-lov*"], ["free"]) == [
        ("Winners", "keyword"),
        (" ", ""),
        ("win", "keyword"),
        (" ", ""),
        ("free", "raises"),
        (" ", ""),
        ("love", "lowers"),
    ]
    assert shown("Lost car-parks", ["lost car*"]) == [("Lost car", "keyword"), ("-parks", "")]
    assert shown("这家酒店", ["-酒店"]) == [("这家", ""), ("酒店", "lowers")]
