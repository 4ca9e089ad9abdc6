import warnings
from typing import Any

import numpy as np
import pytest

from keysift.errors import KeysiftWarning, KeywordError
from keysift.keywords.exclusions import check_sides
from keysift.keywords.expansion import excluded_keywords, expand
from keysift.keywords.match import Matches, count_in
from keysift.keywords.parsing import parse_keywords
from keysift.learn.strength import strength
from keysift.pipeline import learn, match
from tests.keywords.six_documents import matched_six, prepared_six

TEXTS = ["free prize", "free love", "winner of love", "wins and winners", "tax law", "we loved the prize", "LOVE, free"]


def found(keywords: Any, texts: list[str] = TEXTS, **settings: Any) -> Matches:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", KeysiftWarning)
        return match(prepared_six(texts, language="en", **settings), keywords)


def test_where_an_excluded_keyword_is_nothing_else_is_found() -> None:
    matches = found("free, win*, prize, -love")
    assert matches.excluded.tolist() == [False, True, True, False, False, True, True]
    assert matches.holders.tolist() == [0, 3]
    assert np.flatnonzero(matches.similarity).tolist() == [0, 3]
    assert np.flatnonzero(strength(matches)).tolist() == [0, 3]
    assert matches.exclusions is not None
    assert dict(zip(matches.terms, matches.exclusions.lost.tolist(), strict=True)) == {
        ("free",): 2,
        ("win*",): 1,
        ("prize",): 1,
    }
    assert matches.typed == {"free": 1.0, "win*": 1.0, "prize": 1.0, "-love": 1.0}
    assert matches.only([0]).holders.tolist() == [0]


def test_the_same_as_without_these_words() -> None:
    """What counts in the other documents does not depend on how the excluded ones were written."""
    other = [text if place in (0, 3, 4) else "love" for place, text in enumerate(TEXTS)]
    first, second = found("free, win*, -love"), found("free, win*, -love", other)
    assert first.found.matches.toarray().tolist() == second.found.matches.toarray().tolist()
    assert first.excluded.tolist() == second.excluded.tolist()


def test_two_forms_of_one_word_stand_apart() -> None:
    texts = ["we love it", "we loved it", "loving", "loves and loved", "tax"]
    assert found("love, -loved", texts).holders.tolist() == [0, 2]
    assert found("tax, -loved", texts).excluded.tolist() == [True, True, True, True, False]
    assert found("tax, -loved", texts, inflections=False).excluded.tolist() == [False, True, False, True, False]


def test_stop_words_can_be_excluded() -> None:
    assert found("free, prize, -the").excluded.tolist() == [False] * 5 + [True, False]
    dropped = found("the, free, -love", stop_keywords="drop")
    assert dropped.holders.tolist() == [0]


@pytest.mark.parametrize(
    ("keywords", "wanted", "excluded"),
    [
        ("winner, -win*", "winner", "-win*"),
        ("winn*, -win*", "winn*", "-win*"),
        ("lost card, -card", "lost card", "-card"),
        ("a lost card, -lost card", "a lost card", "-lost card"),
        ("lost card, -lost car*", "lost card", "-lost car*"),
        ("酒店, -酒", "酒店", "-酒"),
        ("Hockey, -hockey!", "Hockey", "-hockey!"),
    ],
)
def test_a_keyword_that_is_also_excluded(keywords: str, wanted: str, excluded: str) -> None:
    with pytest.raises(KeywordError, match="is also excluded") as caught:
        matched_six(keywords)
    assert repr(wanted) in str(caught.value)
    assert repr(excluded) in str(caught.value)


@pytest.mark.parametrize("keywords", ["win*, -winner", "card, -lost card", "酒, -酒店", "lost card, -card lost"])
def test_part_of_a_keyword_can_be_excluded(keywords: str) -> None:
    given = parse_keywords(keywords)
    check_sides(expand(given, None), excluded_keywords(given))


def test_chinese() -> None:
    texts = ["我喜欢这家酒店", "这瓶酒很好", "酒吧里的酒", "天气很好"]
    matches = found("酒*, -酒店", texts)
    assert matches.holders.tolist() == [1, 2]
    assert matches.excluded.tolist() == [True, False, False, False]


def test_new_documents_are_counted_in_the_same_way() -> None:
    matches = found("free, win*, prize, -love")
    assert matches.exclusions is not None
    counts, exclusions = count_in(matches.tokens, matches.terms, matches.settings, matches.exclusions.keywords)
    assert counts.toarray().tolist() == matches.found.matches.toarray().tolist()
    assert exclusions.documents.tolist() == matches.excluded.tolist()
    assert exclusions.take(np.array([1, 4])).documents.tolist() == [True, False]


def test_what_exclusions_leave_is_told() -> None:
    prepared = prepared_six(TEXTS, language="en")
    with pytest.warns(KeysiftWarning) as caught:
        match(prepared, "free, tax, -prize, -love, -lovw")
    told = [str(warning.message) for warning in caught]
    assert "Every document with the keyword 'free' also holds an excluded one, so it is ignored." in told
    assert any(
        one.startswith("The excluded keyword '-lovw' is in no document, so it excludes none; the") for one in told
    )
    with pytest.warns(KeysiftWarning, match="Every document with the keyword"):
        matches = match(prepared, "free, -free prize, -love")
    with pytest.raises(
        KeywordError, match=r"Every document with a keyword also holds an excluded one \('-free prize', "
    ):
        learn(prepared, matches)


def test_words_that_are_not_side_by_side_are_named() -> None:
    with pytest.warns(KeysiftWarning, match="its words are, but not side by side: to look for each, put commas"):
        matched_six("hockey law, baseball")


def test_excluded_words_never_become_expansions() -> None:
    matches = matched_six("hockey, -goalie", gamma=3, inflections=False)
    assert all(near.word != "goalie" for keyword in matches.keywords for near in keyword.expansions)
    assert matches.excluded.tolist() == [True, False, False, False, False, False]
