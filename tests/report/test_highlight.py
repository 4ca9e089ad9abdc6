from keysift.report.highlight import LENGTH, passage
from keysift.report.html import element, render


def shown(text: str, *words: list[str]) -> str:
    return render(element("p", *passage(text, *words)))


def test_kinds_of_evidence_are_told_apart_and_whole_words_only() -> None:
    assert shown("Hockey and hockeys, good or BAD", ["hockey"], ["good"], ["bad"]) == (
        '<p><mark class="keyword">Hockey</mark> and hockeys, <mark class="raises">good</mark> or '
        '<mark class="lowers">BAD</mark></p>'
    )


def test_a_phrase_wins_over_its_words_and_spans_punctuation() -> None:
    text = shown("Machine-learning machine", ["machine learning", "machine"], [], [])
    assert text == '<p><mark class="keyword">Machine-learning</mark> <mark class="keyword">machine</mark></p>'


def test_words_with_regex_characters_and_markup_are_text() -> None:
    assert shown("a <b>(c)</b>", ["(c"], ["b>"], []).count("<b>") == 0


def test_a_long_text_starts_near_the_first_evidence() -> None:
    text = shown("x " * 2000 + "hockey " + "y " * 2000, ["hockey"], [], [])
    assert '<mark class="keyword">hockey</mark>' in text
    assert text.startswith("<p>…")
    assert text.endswith("…</p>")
    assert len(text) < LENGTH + 100


def test_no_evidence() -> None:
    assert shown("plain", [], [], []) == "<p>plain</p>"
