from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

from keysift.settings import Settings
from keysift.sight import MOST_DENIED, Sight, _replaced, look
from keysift.text import as_documents, tokenize
from keysift.vectors import WordVectors

TEXTS = [
    "the goalie saved the hockey game",
    "a baseball season of home runs",
    "parliament passed the tax law",
    "Ice hockey, ice HOCKEY and baseball",
    "the court heard the case",
    "",
]
VECTORS = WordVectors(
    "few", pl.Series("word", ["hockey", "baseball", "goalie", "law"]), np.array([[1, 0.5], [0.4, 1], [1, 0.4], [-1, 0]])
)

pytestmark = pytest.mark.filterwarnings("ignore:The keyword '(home runs|ice hockey)' has no vector")


def seen(keywords: Any, **settings: Any) -> Sight:
    tokens = tokenize(as_documents(TEXTS))
    return look(tokens, keywords, VECTORS, Settings(**settings), 0, lambda stage, done: None)


def no_vectors(texts: pl.Series) -> NDArray[np.float32]:
    raise AssertionError("there is no encoder")


def test_what_the_keywords_find() -> None:
    sight = seen(["hockey", "baseball"])
    assert sight.found.terms == (("hockey",), ("baseball",))
    assert sight.labels().positive.tolist() == [True, True, False, True, False, False]
    assert sight.counts.shape == (len(TEXTS), len(sight.tokens.words))


@pytest.mark.parametrize(("chosen", "positive"), [([0], [0, 3]), ([1], [1, 3]), ([0, 1], [0, 1, 3]), ([], None)])
def test_the_split_by_some_of_the_keywords(chosen: list[int], positive: list[int] | None) -> None:
    split = seen(["hockey", "baseball"]).split_by(chosen)
    assert (None if split is None else np.flatnonzero(split.positive).tolist()) == positive


def test_all_keywords_split_as_the_labels_do() -> None:
    sight = seen(["hockey", "baseball"], gamma=1)
    labels, split = sight.labels(), sight.split_by([0, 1])
    assert split is not None
    assert (split.positive == labels.positive).all()
    assert split.weights[split.positive].mean() == pytest.approx(1.0)


def test_a_keyword_that_is_left_out_has_no_say_as_a_word_near_another() -> None:
    sight = seen(["hockey", "goalie"], gamma=1)  # each is the nearest word of the other
    assert sight.keywords[0].expansions != ()
    split = sight.split_by([1])
    assert split is not None
    assert np.flatnonzero(split.positive).tolist() == [0]


def test_keywords_that_find_nothing_or_everything_split_nothing() -> None:
    with pytest.warns(UserWarning, match="'law'|'zebra'"):
        sight = seen(["hockey", "zebra"])
    assert sight.split_by([1]) is None


def test_what_learning_gets() -> None:
    sight = seen(["hockey", "home runs"], gamma=0)
    labels = sight.labels()
    work = sight.work(labels, as_documents(TEXTS), None, no_vectors)
    assert work.keyword_documents.tolist() == [0, 1, 3]
    assert work.holds.toarray().astype(bool).tolist() == [[True, False], [False, True], [True, False]]
    assert (work.split.positive == labels.positive).all()
    words = sight.tokens.words.to_list()
    hidden = [{words[column] for column in row.indices} for row in (work.hidden.counts[[n]] for n in range(3))]
    assert hidden == [{"the", "goalie", "saved", "game"}, {"a", "baseball", "season", "of"}, {"ice", "and", "baseball"}]
    assert work.hidden.counts.shape == (3, len(words))
    assert work.hidden.vectors is None


def test_words_near_a_keyword_do_not_make_a_document_one_with_a_keyword() -> None:
    sight = seen(["baseball", "law"], gamma=1)
    work = sight.work(sight.labels(), as_documents(TEXTS), None, no_vectors)
    assert work.split.positive[0]  # it holds hockey, which is near baseball
    assert work.keyword_documents.tolist() == [1, 2, 3]


def test_documents_are_encoded_without_their_keywords_and_with_them_denied() -> None:
    asked: list[list[str]] = []

    def encode(texts: pl.Series) -> NDArray[np.float32]:
        asked.append(texts.to_list())
        return np.zeros((len(texts), 2), dtype=np.float32)

    sight = seen(["hockey", "ice hockey"])
    vectors = np.ones((len(TEXTS), 2), dtype=np.float32)
    work = sight.work(sight.labels(), as_documents(TEXTS), vectors, encode)
    denied = ["the goalie saved the not hockey game", "not Ice hockey, not ice HOCKEY and baseball"]
    assert asked == [["the goalie saved the  game", ",  and baseball", *denied]]
    assert work.documents.vectors is vectors
    assert work.hidden.vectors is not None
    assert work.hidden.vectors.shape == (2, 2)
    assert work.denied is not None
    assert work.denied.denied.vectors is not None
    assert work.denied.denied.vectors.shape == (2, 2)


def test_nothing_is_denied_where_nobody_asks_for_it_or_nothing_can_be_encoded() -> None:
    asked: list[list[str]] = []

    def encode(texts: pl.Series) -> NDArray[np.float32]:
        asked.append(texts.to_list())
        return np.zeros((len(texts), 2), dtype=np.float32)

    vectors = np.ones((len(TEXTS), 2), dtype=np.float32)
    silent = seen(["hockey"], denial="")
    assert silent.work(silent.labels(), as_documents(TEXTS), vectors, encode).denied is None
    assert asked == [["the goalie saved the  game", "Ice , ice  and baseball"]]
    given = seen(["hockey"]).work(silent.labels(), as_documents(TEXTS), vectors, None)
    assert given.denied is None
    assert given.hidden.vectors is not None
    assert given.hidden.vectors.tolist() == [[1.0, 1.0]] * 2


def test_a_denial_with_a_dollar_is_taken_as_it_is() -> None:
    asked: list[str] = []

    def encode(texts: pl.Series) -> NDArray[np.float32]:
        asked.extend(texts)
        return np.zeros((len(texts), 2), dtype=np.float32)

    sight = seen(["baseball"], denial="$0 no")
    sight.work(sight.labels(), as_documents(TEXTS), np.ones((len(TEXTS), 2), dtype=np.float32), encode)
    assert asked[-1].endswith("and $0 no baseball")


def test_what_plain_words_do_not_find_is_not_denied() -> None:
    texts = ["c++ is fine", "c++ and more", "nothing", "good c++"]
    tokenizer = str.split
    sight = look(
        tokenize(as_documents(texts), tokenizer=tokenizer),
        ["c++", "good"],
        VECTORS,
        Settings(tokenizer=tokenizer),
        0,
        lambda stage, done: None,
    )
    asked: list[str] = []

    def encode(changed: pl.Series) -> NDArray[np.float32]:
        asked.extend(changed)
        return np.zeros((len(changed), 2), dtype=np.float32)

    work = sight.work(sight.labels(), as_documents(texts), np.ones((4, 2), dtype=np.float32), encode)
    assert asked[3:] == ["not good c++"]
    assert work.denied is not None
    assert work.denied.places.tolist() == [2]


@pytest.mark.filterwarnings("ignore:The keyword 'baseball' is in no document")
def test_keywords_that_only_words_near_them_find_leave_nothing_to_encode() -> None:
    def encode(changed: pl.Series) -> NDArray[np.float32]:
        raise AssertionError("there is nothing to encode")

    texts = ["a goalie", "the hockey game", "a law"]
    tokens = tokenize(as_documents(texts))
    near = look(tokens, ["baseball"], VECTORS, Settings(gamma=1), 0, lambda stage, done: None)
    work = near.work(near.labels(), as_documents(texts), np.ones((3, 2), dtype=np.float32), encode)
    assert work.hidden.vectors is not None
    assert work.hidden.vectors.shape == (0, 2)
    assert work.denied is None


def test_very_many_phrases_are_taken_out() -> None:
    terms = [(f"word{number}", "here") for number in range(500)]
    texts = pl.Series(["a word3 here, and word499 here", "word3 there"])
    assert _replaced(texts, terms, "").to_list() == ["a , and ", "word3 there"]


def test_many_documents_are_not_all_denied() -> None:
    texts = [f"good {number}" for number in range(1000)] + ["other"] * 5
    sight = look(tokenize(as_documents(texts)), ["good"], VECTORS, Settings(), 0, lambda stage, done: None)
    work = sight.work(
        sight.labels(),
        as_documents(texts),
        np.zeros((1005, 1), dtype=np.float32),
        lambda changed: np.arange(len(changed), dtype=np.float32)[:, None],
    )
    assert work.denied is not None
    hidden = work.denied.hidden.vectors
    assert hidden is not None
    assert len(hidden) == MOST_DENIED
    assert hidden[[0, -1]].ravel().tolist() == [0, 999]  # from all over the corpus


@pytest.mark.parametrize(
    ("text", "terms", "left"),
    [
        ("Tax LAW, tax-law and taxes", [("tax", "law")], ",  and taxes"),
        ("a (b) [c] a+b", [("b",)], "a () [c] a+"),
        ("Été: l'été", [("été",)], ": l'"),
        ("nothing here", [("else",)], "nothing here"),
    ],
)
def test_keywords_are_taken_out_of_texts(text: str, terms: list[tuple[str, ...]], left: str) -> None:
    assert _replaced(pl.Series([text]), terms, "").to_list() == [left]


def test_progress_is_told() -> None:
    told: list[tuple[str, float]] = []
    look(
        tokenize(as_documents(TEXTS)),
        ["hockey"],
        VECTORS,
        Settings(),
        0,
        lambda stage, done: told.append((stage, done)),
    )
    assert told == [
        ("Expanding keywords", 0.0),
        ("Expanding keywords", 1.0),
        ("Finding keywords", 0.0),
        ("Finding keywords", 1.0),
    ]
