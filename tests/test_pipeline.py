from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from keysift import KeywordClassifier, Settings
from keysift.config import LearnConfig
from keysift.errors import InputError, KeysiftWarning, SettingError
from keysift.features.prepared import Prepared
from keysift.networks.training import Training
from keysift.pipeline import Learned, decide, learn, match, prepare, rank, seed_from, suggest
from tests.light import KEYWORDS

pytestmark = pytest.mark.usefixtures("small_glove")
LAW = ["judge", "court", "parliament"]


class Words:
    """An encoder that counts words of sports and of law."""

    def encode(self, texts: list[str]) -> NDArray[np.float64]:
        groups = (("game", "match", "season", "fans"), ("tax", "case", "bill", "verdict"), ("not",))
        return np.array(
            [[sum(word in text for word in group) for group in groups] + [len(text) / 50] for text in texts]
        )


SETUPS: list[dict[str, Any]] = [
    {"encoder": None},
    {"encoder": None, "views": ("words",), "settings": Settings(gamma=5, phi=90)},
    {"encoder": Words()},
    {"encoder": Words(), "learning": LearnConfig(opposite_from=0.0, rounds=2)},
]


def whole(prepared: Prepared, keywords: Any) -> tuple[Learned, pl.DataFrame, tuple[Any, ...]]:
    matches = match(prepared, keywords)
    learned = learn(prepared, matches)
    decisions = decide(learned)
    frame = rank(prepared, matches, learned, decisions).frame()
    return learned, frame, suggest(prepared, matches, learned, decisions)


@pytest.mark.filterwarnings("ignore:The keyword .* has no vector")
@pytest.mark.parametrize("setup", SETUPS)
def test_one_corpus_with_two_lists_of_keywords_is_two_fresh_fits(texts: list[str], setup: dict[str, Any]) -> None:
    lists = (KEYWORDS, LAW)
    fresh = [whole(prepare(texts, **setup), keywords) for keywords in lists]
    for order in ((0, 1, 0), (1, 0)):
        prepared = prepare(texts, **setup)
        for place in order:
            learned, frame, words = whole(prepared, lists[place])
            expected, expected_frame, expected_words = fresh[place]
            assert learned.scores.tobytes() == expected.scores.tobytes()
            assert frame.equals(expected_frame)
            assert learned.beliefs == expected.beliefs
            assert words == expected_words


@pytest.mark.parametrize("setup", SETUPS[:2])
@pytest.mark.filterwarnings("ignore:The keyword .* has no vector")
def test_the_classifier_is_the_pipeline(texts: list[str], setup: dict[str, Any]) -> None:
    clf = KeywordClassifier(KEYWORDS, **setup)
    frame = clf.fit_rank(texts)
    _, expected, suggested = whole(prepare(texts, **setup), KEYWORDS)
    assert frame.equals(expected)
    assert clf.suggested_keywords_ == suggested
    prepared = clf.prepare(texts)
    assert clf.fit_rank(prepared).equals(expected)
    assert KeywordClassifier(LAW, **setup).fit_rank(prepared).equals(KeywordClassifier(LAW, **setup).fit_rank(texts))
    assert clf.keyword_table(prepared) == clf.keyword_table(texts)


def test_documents_that_cannot_be_learned_from_can_be_matched() -> None:
    prepared = prepare(["a hockey game"])
    matches = match(prepared, "hockey")
    assert matches.holders.tolist() == [0]
    with pytest.raises(InputError, match="There is only one document"):
        learn(prepared, matches)


def test_complaints_come_before_the_long_work(texts: list[str]) -> None:
    for options, message in (
        ({"views": ("lda",)}, "got 'lda'"),
        ({"encoder": 7}, "encoder must be"),
        ({"random_state": "seven"}, "random_state must be"),
    ):
        with pytest.raises(SettingError, match=message):
            prepare(texts, **options)


def test_vectors_that_are_not_there_are_told_when_they_are_needed(texts: list[str]) -> None:
    with pytest.raises(SettingError, match="vectors must be one of"):
        match(prepare(texts, vectors="glove", encoder=None, settings=Settings(gamma=1)), KEYWORDS)


@pytest.mark.parametrize(
    ("documents", "names"),
    [
        (
            ["the goalie saved the game", "parliament passed the law and that was it"],
            ["words", "sentences", "neighbours"],
        ),
        (
            ["der Torwart hielt den Ball und wir haben es alle nicht gesehen", "das ist ein Gesetz"],
            ["words", "characters"],
        ),
    ],
)
def test_sentences_are_looked_at_where_the_encoder_knows_the_language(documents: list[str], names: list[str]) -> None:
    prepared = prepare(documents * 40)
    assert [view.name for view in prepared.views] == names
    assert (prepared.encoder is not None) == ("sentences" in names)
    assert bool(prepared.negation) == ("sentences" in names)


def test_sentences_need_an_encoder(texts: list[str]) -> None:
    with pytest.raises(SettingError, match="The view 'sentences' needs an encoder"):
        prepare(texts, views="sentences", encoder=None)


def test_without_time_to_encode_documents_are_ranked_all_the_same(
    texts: list[str], is_sports: NDArray[np.bool_]
) -> None:
    clf = KeywordClassifier(KEYWORDS, encoder=Words(), learning=LearnConfig(encode_budget=0.0))
    with pytest.warns(KeysiftWarning, match="Encoding all 60 documents would take longer"):
        clf.fit(texts)
    scores = clf.decision_function(texts)
    assert roc_auc_score(is_sports, scores) > 0.9
    assert np.isfinite(clf.decision_function(["a new hockey game", "nothing"])).all()


def test_a_network_reads_no_sentence_vectors(texts: list[str]) -> None:
    def encode(documents: list[str]) -> None:
        raise AssertionError("read")

    prepared = prepare(texts, encoder=encode)
    learned = learn(prepared, match(prepared, KEYWORDS), model="mlp", training=Training(epochs=1))
    assert np.isfinite(learned.scores).all()


def test_to_learn_can_be_stopped(texts: list[str]) -> None:
    prepared = prepare(texts, views="words", encoder=None)
    matches = match(prepared, KEYWORDS)

    def stop() -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        learn(prepared, matches, check=stop)
    assert np.isfinite(learn(prepared, matches).scores).all()


def test_the_prior_of_an_audit_needs_answers(texts: list[str]) -> None:
    prepared = prepare(texts, views="words", encoder=None)
    learned = learn(prepared, match(prepared, KEYWORDS))
    with pytest.raises(SettingError, match="needs answers"):
        decide(learned, prior="audit")


@pytest.mark.parametrize("state", [0, 7, np.random.RandomState(3), None])
def test_a_seed_from_a_random_state(state: Any) -> None:
    assert 0 <= seed_from(state) < 2**31
    assert seed_from(5) == seed_from(5) != seed_from(6)
