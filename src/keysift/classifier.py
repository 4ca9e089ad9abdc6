"""The estimator: text in, ranking and decisions out. It wires the stages together and holds no formula."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags, check_random_state
from sklearn.utils.validation import check_is_fitted

from keysift.errors import InputError, ModelFileError, SettingError
from keysift.evidence import evidence_frame
from keysift.keywords import (
    Keyword,
    KeywordRow,
    brought_by,
    expand,
    keyword_document,
    keyword_from,
    keyword_table,
    parse_keywords,
    warn_of_missing,
)
from keysift.learnable import check_documents
from keysift.losses import Loss, get_loss
from keysift.modelfile import read_model, write_model
from keysift.pseudolabel import KeywordMatches, match_keywords, pseudo_label
from keysift.scoring import Scorer, WordScorer, check_model, fit_words, network_room
from keysift.settings import Settings
from keysift.text import Tokenizer, Tokens, as_documents, count_terms, count_words, stop_word_set, tokenize
from keysift.thresholds import Prior, Threshold, check_prior, check_threshold, cut
from keysift.training import History, NetworkHistory, Training
from keysift.vectors import WordVectors, get_vectors

__all__ = ["KeywordClassifier", "Progress", "load"]

Progress = Callable[[str, float], None]
"""Told the name of a stage and the share of it that is done."""


def _silent(stage: str, done: float) -> None:
    pass


@dataclass(frozen=True)
class _Sight:
    """What the keywords find in the documents, before anything is decided or learned."""

    tokens: Tokens
    counts: sp.csr_array
    vectors: WordVectors
    keywords: tuple[Keyword, ...]
    found: KeywordMatches


class KeywordClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Learn a ranking and a decision from a few keywords and unlabelled documents.

    Parameters
    ----------
    keywords
        What you look for: a list, {word: weight}, a comma-separated string or a file. Phrases are allowed.
    prior
        The share of relevant documents, where you know it; "heuristic" takes the share of pseudo-positives.
    threshold
        "prior" decides the top share `prior` positive; or a score; or ("top", k).
    vectors
        "glove-6b-50d", "corpus" (learned from your documents) or the path of a GloVe or word2vec text file.
    loss
        A name from `keysift.losses.LOSSES`; keep to symmetric ones if you want the guarantee.
    model
        "linear", which fits in a moment; a network, "rcnn", "cnn" or "mlp"; or a torch.nn.Module of your own, which is
        copied: word numbers (documents, longest), 0 for padding, or vectors in, one score a document out. The number of
        a word is its row in the word vectors plus one. Networks need `pip install 'keysift[neural]'`.
    training
        A `Training` with how a network is trained.
    random_state
        Makes a fit repeatable; vectors="corpus" and networks draw random numbers.
    settings
        A `Settings` with everything else.

    Attributes
    ----------
    keywords_, terms_ : the keywords with their expansions, and those of them that have a say
    pseudo_labels_ : the two corrupted sets, the similarities and what matched
    prior_, threshold_ : the share and the score that decide
    scorer_ : the model, with the words that it knows
    history_ : how the fit went, step by step or epoch by epoch

    >>> documents = ["the goalie saved the hockey game", "parliament passed the tax law",
    ...              "a baseball season of home runs", "the court heard the tax case"]
    >>> clf = KeywordClassifier(["hockey", "baseball"], prior=0.5).fit(documents)
    >>> clf.predict(documents).tolist()
    [1, 0, 1, 0]
    """

    def __init__(
        self,
        keywords: Any,
        *,
        prior: Prior = "heuristic",
        threshold: Threshold = "prior",
        vectors: str | Path | WordVectors = "glove-6b-50d",
        loss: str | Loss = "sigmoid",
        model: Any = "linear",
        training: Training | None = None,
        random_state: int | np.random.RandomState | None = 0,
        settings: Settings | None = None,
    ) -> None:
        self.keywords = keywords
        self.prior = prior
        self.threshold = threshold
        self.vectors = vectors
        self.loss = loss
        self.model = model
        self.training = training
        self.random_state = random_state
        self.settings = settings

    def __sklearn_tags__(self) -> Tags:
        """One-dimensional text in, two classes out, no labels needed."""
        tags = super().__sklearn_tags__()
        tags.target_tags.required = False
        tags.classifier_tags.multi_class = False
        tags.input_tags.one_d_array, tags.input_tags.two_d_array, tags.input_tags.string = True, False, True
        return tags

    def fit(self, documents: Any, y: Any = None, *, progress: Progress = _silent) -> "KeywordClassifier":
        """Learn from unlabelled documents; `y` is ignored and only there for pipelines."""
        self._learn(documents, progress)
        return self

    def fit_rank(self, documents: Any, *, progress: Progress = _silent) -> pl.DataFrame:
        """`fit` and `rank` on the same documents, which are then read only once."""
        sight, prepared, scores = self._learn(documents, progress)
        return self._ranking(sight.tokens, prepared, scores, sight.found.matches, progress)

    def decision_function(self, documents: Any) -> NDArray[np.float64]:
        """Scores, higher means more relevant; an empty document scores lower than any other can."""
        check_is_fitted(self)
        tokens = self._tokens(documents, _silent)
        return self._scores(tokens, self.scorer_.prepare(tokens))

    def predict(self, documents: Any) -> NDArray[np.int64]:
        """1 where the score is above `threshold_`, else 0; an empty document is never positive."""
        # An empty document's score is the lowest there is, but a threshold given by the user may be lower still.
        scores = self.decision_function(documents)
        return self._decide(scores, scores <= self.scorer_.floor)

    def rank(self, documents: Any, *, progress: Progress = _silent) -> pl.DataFrame:
        """The documents in order, best first: rank, score, decision and the reasons.

        `document` is the place in the input, `matched` the keywords and expansions that the document holds, `words` the
        words that moved its score most, `contributions` by how much, and `evidence` all of that in a line.
        """
        check_is_fitted(self)
        tokens = self._tokens(documents, progress)
        if not len(tokens):
            raise InputError("There is no document to rank; give at least one.")
        prepared = self.scorer_.prepare(tokens)
        matches = count_terms(tokens, self.terms_)
        return self._ranking(tokens, prepared, self._scores(tokens, prepared), matches, progress)

    def keyword_table(self, documents: Any = None, *, progress: Progress = _silent) -> list[KeywordRow]:
        """What each keyword and its expansions find in the documents, by default in those of the last fit.

        With documents it needs no fit and does none.
        """
        if documents is None:
            check_is_fitted(self, "pseudo_labels_")
            labels = self.pseudo_labels_
            return keyword_table(self.keywords_, labels.terms, labels.matches, labels.similarity)
        tokens = self._tokens(documents, progress)
        if not len(tokens):
            raise InputError("There is no document to look into; give at least one.")
        sight = self._look(tokens, _seed(self.random_state), progress)
        return keyword_table(sight.keywords, sight.found.terms, sight.found.matches, sight.found.similarity)

    def save(self, path: str | Path) -> None:
        """Write one safetensors file with all that scoring needs."""
        check_is_fitted(self)
        settings, own = self._settings, not isinstance(self.model, str)
        arrays, model = self.scorer_.save()
        constructor = {
            "keywords": {keyword.text: keyword.weight for keyword in self.keywords_},
            "prior": self.prior,
            "threshold": self.threshold,
            "vectors": self.vectors.name if isinstance(self.vectors, WordVectors) else str(self.vectors),
            "loss": get_loss(self.loss).name,
            "model": None if own else self.model,
            "random_state": self.random_state if isinstance(self.random_state, int) else None,
        }
        learned = {
            "keywords": [asdict(keyword) for keyword in self.keywords_],
            "terms": self.terms_,
            "prior": self.prior_,
            "threshold": self.threshold_,
            "n_documents": self.n_documents_,
        }
        write_model(
            path,
            arrays,
            {
                "constructor": constructor,
                "settings": settings.plain(),
                "learned": learned,
                "model": model,
                "training": self.training and self.training.plain(),
                "own_tokenizer": settings.tokenizer is not None,
            },
        )

    @property
    def _settings(self) -> Settings:
        return self.settings or Settings()

    @property
    def _training(self) -> Training:
        return self.training or Training()

    def _tokens(self, documents: Any, progress: Progress) -> Tokens:
        return tokenize(as_documents(documents), self._settings.tokenizer, lambda done: progress("Tokenising", done))

    def _look(self, tokens: Tokens, seed: int, progress: Progress) -> _Sight:
        """Expand the keywords and find them in the documents."""
        settings = self._settings
        progress("Expanding keywords", 0.0)
        vectors = get_vectors(self.vectors, tokens, np.random.default_rng(seed))
        keywords = expand(
            parse_keywords(self.keywords),
            vectors,
            gamma=settings.gamma,
            exclude=settings.exclude,
            tokenizer=settings.tokenizer,
        )
        progress("Expanding keywords", 1.0)

        progress("Finding keywords", 0.0)
        stop_words = stop_word_set(settings.stop_words)
        if settings.stop_keywords == "keep":
            stop_words -= {" ".join(keyword.term) for keyword in keywords}
        counts = count_words(tokens)
        document = keyword_document(keywords, settings.alpha)
        found = match_keywords(tokens, document, stop_words=stop_words, counts=counts)
        warn_of_missing(keywords, dict(zip(found.terms, found.documents.tolist(), strict=True)), tokens, vectors)
        progress("Finding keywords", 1.0)
        return _Sight(tokens, counts, vectors, keywords, found)

    def _learn(self, documents: Any, progress: Progress) -> tuple[_Sight, Any, NDArray[np.float64]]:
        """From the documents to the threshold; returns what the model read of them and their scores, too."""
        prior, threshold, loss = check_prior(self.prior), check_threshold(self.threshold), get_loss(self.loss)
        model, seed, settings = check_model(self.model), _seed(self.random_state), self._settings
        if model != "linear":
            network_room()
        parse_keywords(self.keywords)  # to complain before the long work
        tokens = self._tokens(documents, progress)
        check_documents(tokens)
        sight = self._look(tokens, seed, progress)
        labels = pseudo_label(sight.found, phi=settings.phi, brought_by=brought_by(sight.keywords))

        scorer, self.history_ = self._fit_model(sight, labels.positive, loss, seed, progress)
        self.scorer_ = scorer
        self.keywords_, self.terms_, self.pseudo_labels_ = sight.keywords, labels.terms, labels
        self.n_documents_, self.classes_ = len(tokens), np.array([0, 1])
        self.prior_ = labels.share if prior == "heuristic" else prior
        prepared = scorer.prepare(tokens, sight.counts)
        scores = self._scores(tokens, prepared)
        self.threshold_ = cut(threshold, scores, self.prior_)
        return sight, prepared, scores

    def _fit_model(
        self, sight: _Sight, positive: NDArray[np.bool_], loss: Loss, seed: int, progress: Progress
    ) -> tuple[Scorer, History | NetworkHistory]:
        if isinstance(self.model, str) and self.model == "linear":
            progress("Fitting all pairs", 0.0)
            fitted = fit_words(sight.tokens, sight.counts, sight.vectors, positive, loss, self._settings)
            progress("Fitting all pairs", 1.0)
            return fitted
        scorer, history = network_room().fit_scorer(
            sight.tokens,
            sight.vectors,
            positive,
            loss,
            model=self.model,
            plan=self._training,
            stop_words=stop_word_set(self._settings.stop_words),
            seed=seed,
            progress=progress,
        )
        return scorer, history

    def _ranking(
        self,
        tokens: Tokens,
        prepared: Any,
        scores: NDArray[np.float64],
        matches: sp.csr_array,
        progress: Progress,
    ) -> pl.DataFrame:
        progress("Ranking", 0.0)
        empty = tokens.lengths == 0
        moved = self.scorer_.explain(prepared, scores)
        own = {keyword.term for keyword in self.keywords_}
        evidence = evidence_frame(matches, self.terms_, moved, self.scorer_.words, set(self.terms_) - own)
        order = np.lexsort((np.arange(len(scores)), -scores, empty))
        frame = pl.DataFrame(
            {
                "document": order,
                "rank": np.arange(1, len(order) + 1),
                "score": scores[order],
                "decision": self._decide(scores, empty)[order],
            }
        ).hstack(evidence[order])
        progress("Ranking", 1.0)
        return frame

    def _scores(self, tokens: Tokens, prepared: Any) -> NDArray[np.float64]:
        scores = self.scorer_.score(prepared)
        scores[tokens.lengths == 0] = self.scorer_.floor
        return scores

    def _decide(self, scores: NDArray[np.float64], empty: NDArray[np.bool_]) -> NDArray[np.int64]:
        return ((scores > self.threshold_) & ~empty).astype(np.int64)


def load(path: str | Path, *, tokenizer: Tokenizer | None = None, model: Any = None) -> KeywordClassifier:
    """Load a saved classifier; a tokenizer or module of your own has to be handed in again: a file holds no code."""
    arrays, saved = read_model(path)
    if "checkpoint" in saved:
        raise ModelFileError(f"{path} is a checkpoint and no model; fit with resume to finish it, and save the model.")
    try:
        if saved["own_tokenizer"] and tokenizer is None:
            raise ModelFileError(
                f"The model {path} was fitted with a tokenizer of its own; load it in Python with"
                " keysift.load(path, tokenizer=...)."
            )
        constructor, learned = saved["constructor"], saved["learned"]
        if isinstance(constructor["threshold"], list):
            constructor["threshold"] = tuple(constructor["threshold"])
        # Files from before there were networks do not name the model.
        if constructor.setdefault("model", "linear") is None:
            if model is None:
                raise ModelFileError(
                    f"The model {path} was fitted with a module of its own; load it in Python with"
                    " keysift.load(path, model=...), a module built the same way."
                )
            constructor["model"] = check_model(model)
        clf = KeywordClassifier(
            **constructor,
            training=Training(**saved["training"]) if saved.get("training") else None,
            settings=Settings(**{**saved["settings"], "tokenizer": tokenizer}),
        )
        if constructor["model"] == "linear":
            clf.scorer_ = WordScorer.restore(arrays)
        else:
            clf.scorer_ = network_room().NetworkScorer.restore(arrays, saved["model"], clf.model, clf._training)
        clf.keywords_ = tuple(keyword_from(fields) for fields in learned["keywords"])
        clf.terms_ = tuple(tuple(map(str, term)) for term in learned["terms"])
        clf.prior_, clf.threshold_ = float(learned["prior"]), float(learned["threshold"])
        clf.n_documents_, clf.classes_ = int(learned["n_documents"]), np.array([0, 1])
    except (ModelFileError, SettingError):
        raise
    except (KeyError, TypeError, ValueError) as error:
        raise ModelFileError(f"Cannot read the model {path}: a part is missing or damaged ({error!r}).") from None
    return clf


def _seed(random_state: Any) -> int:
    try:
        return int(check_random_state(random_state).randint(2**31))
    except ValueError:
        raise SettingError(
            f"random_state must be a whole number from 0 to {2**32 - 1}, a RandomState or None; got {random_state!r}."
        ) from None
