import re
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keysift.errors import KeywordError
from keysift.keywords.parsing import parse_keywords, spelled_out
from keysift.keywords.syntax import JOINERS, LONGEST, Item, parts_of, read_item, read_weighted

TYPED = st.text(st.sampled_from("ab酒 -–*\"“”'’,;|:#\n2.ORANDT\u202e\x07\ud800()«»"), max_size=20)
"""What may go wrong: signs of the syntax, odd dashes and quotes, control characters, half a character."""


@pytest.mark.parametrize(
    ("text", "item"),
    [
        ("free", Item("free")),
        ("  lost \t card ", Item("lost card")),
        ("-love", Item("love", excluded=True)),
        ("–love", Item("love", excluded=True)),
        ("−love", Item("love", excluded=True)),
        ("--love", Item("love", excluded=True)),
        ("-5", Item("5", excluded=True)),
        ("follow-up", Item("follow-up")),
        ("-follow-up", Item("follow-up", excluded=True)),
        ("love-", Item("love-")),
        ("win*", Item("win", prefix=True)),
        ("win＊", Item("win", prefix=True)),
        ("-win*", Item("win", prefix=True, excluded=True)),
        ("lost car*", Item("lost car", prefix=True)),
        ('"lost, card"', Item("lost, card")),
        ('"lost car"*', Item("lost car", prefix=True)),
        ('-"lost card"', Item("lost card", excluded=True)),
        ("“lost card”", Item("lost card")),
        ("„lost card“", Item("lost card")),
        ("«lost card»", Item("lost card")),
        ("「酒店」", Item("酒店")),
        ("'lost, card'", Item("lost, card")),
        ("'don't panic'", Item("don't panic")),
        ("'tis", Item("'tis")),
        ("don't", Item("don't")),
        ('"-5"', Item("-5")),
        ('"win*"', Item("win*")),
        ('"say ""hello"" now"', Item('say "hello" now')),
        ('"free AND easy"', Item("free AND easy")),
        ("OR", Item("OR")),
        ("Paris, Texas", Item("Paris, Texas")),
        ("free:2", Item("free:2")),
        ("rock and roll", Item("rock and roll")),
        ("free\u202eprize\x1b", Item("free prize")),
        ("می\u200cخواهم", Item("می\u200cخواهم")),
        ("-", Item("-")),
        ('""', Item("")),
    ],
)
def test_items(text: str, item: Item) -> None:
    assert read_item(text) == item
    assert read_item(item.text) == item


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("*", "A * stands only at the end of a keyword"),
        ("*win", "got '*win'"),
        ("w*n", "win* finds win, wins and winner; got 'w*n'"),
        ("win**", "In quotes it is a plain character"),
        ("c++*", "right after a letter or digit"),
        ('""*', "right after a letter or digit"),
        ("free AND prize", "AND is not understood in 'free AND prize'; separate keywords by commas"),
        ("free OR prize", "a document needs only one of them"),
        ("NOT love", "a hyphen excludes a word, as in free, -love"),
        ("- love", "It is not clear whether '- love' is excluded"),
        ("-(love hate)", "no space or bracket"),
        ('"lost card', "The quotation mark in '\"lost card' is not closed"),
        ('"lost card" stolen', "After the quoted 'lost card' there is 'stolen'; separate keywords by commas"),
        ('lost "credit card" stolen', "are not around the whole of it; separate keywords by commas"),
        ("caf\udce9", r"'caf\udce9' holds bytes that are no text in UTF-8"),
        ("x" * (LONGEST + 1), "A keyword may have 1,000 characters; 'xxx"),
        ("x" * 50_000_000, "has 50,000,000: give the words to look for"),
    ],
)
def test_what_is_not_understood_is_said(text: str, message: str) -> None:
    with pytest.raises(KeywordError, match=re.escape(message)) as caught:
        read_item(text)
    assert len(str(caught.value)) < 300
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("text", "words", "weight"),
    [
        ("free:2", "free", 2.0),
        ("free：2", "free", 2.0),
        ('"free:2"', "free:2", None),
        ('"free:2":3', "free:2", 3.0),
        ("win*: .5", "win", 0.5),
        ("ratio 3:1: 4", "ratio 3:1", 4.0),
        ("note: important", "note: important", None),
        (":5", ":5", None),
    ],
)
def test_weights(text: str, words: str, weight: float | None) -> None:
    item, found = read_weighted(text)
    assert (item.words, found) == (words, weight)


@pytest.mark.parametrize(
    "text",
    [
        "free;prize;win",
        "free OR prize OR win",
        "free | prize|win",
        "free\nprize\r\nwin\n",
        "free，prize、win",
        "free; prize, win",
        "“free”, 'prize', win",
    ],
)
def test_what_separates(text: str) -> None:
    assert parse_keywords(text) == {"free": 1.0, "prize": 1.0, "win": 1.0}


def test_states_are_no_operators() -> None:
    assert parse_keywords("CA, OR, WA") == parse_keywords(["CA", "OR", "WA"]) == {"CA": 1.0, "OR": 1.0, "WA": 1.0}


def test_a_quote_that_never_closes_does_not_swallow_the_rest() -> None:
    assert list(parts_of('"lost card, stolen')) == ['"lost card', " stolen"]
    assert list(parts_of("'tis, 'twas")) == ["'tis", " 'twas"]


@given(TYPED | st.text(max_size=30))
def test_no_text_breaks_the_parser(text: str) -> None:
    for form in (text, [text], {text: 1.0}):
        try:
            found = parse_keywords(form)
        except KeywordError:
            continue
        assert all(weight > 0 for weight in found.values())
        assert not {category(mark) for name in found for mark in name if mark not in JOINERS} & {"Cc", "Cf", "Cs"}
        assert parse_keywords(found) == found
        assert parse_keywords(list(found)) == dict.fromkeys(found, 1.0)
        assert parse_keywords(spelled_out(found)) == found


@given(
    st.dictionaries(
        st.builds(
            Item,
            st.from_regex(r"[a-z酒]([a-z酒\-*\"'“:,;|#& ]{0,8}[a-z酒])?", fullmatch=True),
            st.booleans(),
            st.booleans(),
        ),
        st.floats(1e-6, 1e6),
        min_size=1,
    )
)
def test_what_is_spelled_out_is_read_again(items: dict[Item, float]) -> None:
    items = {Item(" ".join(item.words.split()), item.prefix, item.excluded): weight for item, weight in items.items()}
    sides = {(item.words.lower(), item.prefix): item.excluded for item in items}
    items = {item: weight for item, weight in items.items() if sides[item.words.lower(), item.prefix] == item.excluded}
    if all(item.excluded for item in items):
        items[Item("wanted")] = 2.0
    typed = {item.text: 1.0 if item.excluded else weight for item, weight in items.items()}
    assert parse_keywords(typed) == typed
    assert parse_keywords(spelled_out(typed)) == typed
    assert [read_item(text) for text in typed] == list(items)
