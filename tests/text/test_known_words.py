import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from keysift.text.dictionary import Dictionary, cut
from keysift.text.known_words import KnownWords, MoreWords
from keysift.text.tokens import tokenize

WORDS = st.text("abé", min_size=1, max_size=3) | st.sampled_from(["x" * 15, "x" * 16, "x" * 17])


def series(words: list[str]) -> pl.Series:
    return pl.Series("word", words, dtype=pl.String)


@given(known=st.lists(WORDS, unique=True), batches=st.lists(st.lists(WORDS, max_size=8), max_size=3))
def test_numbers_are_those_of_a_dictionary_that_saw_the_known_words_first(
    known: list[str], batches: list[list[str]]
) -> None:
    slow, more = Dictionary(), MoreWords(KnownWords.of(series(known)))
    slow.number(cut(series(known)))
    for batch in batches:
        assert more.number(cut(series(batch))).tolist() == slow.number(cut(series(batch))).tolist()
    assert more.words.to_list() == slow.words.to_list()
    assert more.known.words.to_list() == known  # others may use them too


@given(known=st.lists(WORDS, unique=True), documents=st.lists(st.text("abAÉé日 .", max_size=12), max_size=6))
def test_known_words_change_the_numbers_of_tokens_only(known: list[str], documents: list[str]) -> None:
    plain = tokenize(series(documents))
    tokens = tokenize(series(documents), known=KnownWords.of(series(known)))
    assert tokens.starts.tolist() == plain.starts.tolist()
    assert tokens.words.gather(tokens.codes).to_list() == plain.words.gather(plain.codes).to_list()
    assert tokens.words.head(len(known)).to_list() == known
    assert tokens.words.n_unique() == len(tokens.words)
