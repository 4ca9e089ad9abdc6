import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from keysift.keywords.expansion import Expansion, Keyword
from keysift.keywords.table import ExpansionRow, keyword_table
from keysift.text.counts import Term, count_terms
from keysift.text.tokens import as_documents, tokenize

PUCK, GOAL, LAW, RARE = (Expansion(word, (word,), 0.5) for word in ("puck", "goal", "law", "rare"))
KEYWORDS = [
    Keyword("hockey", ("hockey",), 1.0, True, (PUCK, GOAL)),
    Keyword("ice hockey", ("ice", "hockey"), 2.0, True, (PUCK, LAW, RARE)),
    Keyword("tax", ("tax",), 0.5, False, ()),
]
TERMS: list[Term] = [("hockey",), ("ice", "hockey"), ("tax",), ("puck",), ("goal",), ("law",)]
WORDS = st.sampled_from(["hockey", "ice", "tax", "puck", "goal", "law", "rain"])
DOCUMENTS = st.lists(st.lists(WORDS, max_size=5), min_size=1, max_size=8)


def holds(document: list[str], term: Term) -> bool:
    return f" {' '.join(term)} " in f" {' '.join(document)} "


def pulled(document: list[str], keyword: Keyword) -> bool:
    # "rare" is not among the counted terms
    terms = [keyword.term, *(near.term for near in keyword.expansions if near is not RARE)]
    return any(holds(document, term) for term in terms)


@given(DOCUMENTS, arrays(np.float64, 8, elements=st.sampled_from([0.0, 0.1, 0.2, 0.3])))
def test_equals_the_slow_twin(documents: list[list[str]], similarity: NDArray[np.float64]) -> None:
    matches = count_terms(tokenize(as_documents([" ".join(document) for document in documents])), TERMS)
    rows = keyword_table(KEYWORDS, TERMS, matches, similarity[: len(documents)])
    for row, keyword in zip(rows, KEYWORDS, strict=True):
        own = [place for place, document in enumerate(documents) if holds(document, keyword.term)]
        pulls = [place for place, document in enumerate(documents) if pulled(document, keyword)]
        assert (row.keyword, row.weight, row.in_vectors) == (keyword.text, keyword.weight, keyword.in_vectors)
        assert row.documents == len(own)
        assert row.share == pytest.approx(len(own) / len(documents))
        assert row.expansions == tuple(
            ExpansionRow(near.word, 0.5, sum(holds(document, near.term) for document in documents), near.term in TERMS)
            for near in keyword.expansions
        )
        assert row.alone == sum(
            not any(pulled(documents[place], other) for other in KEYWORDS if other is not keyword) for place in pulls
        )
        assert row.examples == tuple(sorted(own or pulls, key=lambda place: (-similarity[place], place))[:3])


def test_no_keyword_gives_no_row() -> None:
    assert keyword_table([], TERMS, count_terms(tokenize(as_documents(["tax"])), TERMS), np.zeros(1)) == []
