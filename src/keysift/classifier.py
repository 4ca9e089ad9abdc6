"""The estimator: text in, ranking and decisions out. It wires the stages together and holds no formula."""

import warnings
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags, check_random_state
from sklearn.utils.validation import check_is_fitted

from keysift.audit import Audit, Measures, labels_from, measure
from keysift.drift import compare_scores, summary_of
from keysift.encoding import Encoder, Precomputed, check_length, encode_documents, get_encoder
from keysift.errors import InputError, KeysiftWarning, ModelFileError, SettingError
from keysift.evidence import evidence_frame
from keysift.keywords import Belief, KeywordRow, Suggestion, keyword_from, keyword_table, parse_keywords
from keysift.learnable import check_answers, check_documents
from keysift.learning import Quality
from keysift.losses import Loss, get_loss
from keysift.modelfile import read_model, write_model
from keysift.posteriors import Posterior, expected_from, recalibrated, through_mean
from keysift.priors import PriorEstimate, find_prior
from keysift.pseudolabel import PseudoLabels
from keysift.scoring import Scorer, ViewHistory, ViewScorer, check_model, fit_views, network_room
from keysift.settings import Settings
from keysift.sight import Sight, look
from keysift.text import Term, Tokenizer, Tokens, as_documents, count_terms, stop_word_set, tokenize
from keysift.thresholds import Prior, Threshold, check_prior, check_threshold, cut
from keysift.training import NetworkHistory, Training
from keysift.vectors import WordVectors
from keysift.views import VIEWS, SentenceView, check_views, get_views

__all__ = ["KeywordClassifier", "Progress", "load"]

Progress = Callable[[str, float], None]
"""Told the name of a stage and the share of it that is done."""


def _silent(stage: str, done: float) -> None:
    pass


class KeywordClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Learn a ranking and a decision from a few keywords and unlabelled documents.

    Parameters
    ----------
    keywords
        What you look for: a list, {word: weight}, a comma-separated string or a file. Phrases are allowed.
    prior
        The share of relevant documents, where you know it; "estimate" tells it from rankings that are blind to some of
        the keywords, "heuristic" takes the share of pseudo-positives, "audit" the prevalence of the `Audit` that is
        handed to `fit`.
    threshold
        "prior" decides the top share `prior` positive; "max_f1", ("precision", 0.9) or ("recall", 0.95) what may be
        expected; or a score; or ("top", k).
    vectors
        "glove-6b-50d", "corpus" (learned from your documents) or the path of a GloVe or word2vec text file.
    views
        What the linear model looks at, one or more of "words" (mean word vectors), "pieces" (mean vectors of word
        pieces), "tfidf" and "lsa", or views of your own (see `keysift.views`).
    encoder
        One more view: the name or folder of a sentence-transformers model (`pip install 'keysift[encoder]'`), a
        function from a list of texts to an array, or the vectors of the documents of `fit` themselves.
    loss
        A name from `keysift.losses.LOSSES`; keep to symmetric ones if you want the guarantee.
    model
        "linear", which fits in a moment; a network, "rcnn", "cnn" or "mlp"; or a torch.nn.Module of your own, which is
        copied: word numbers (documents, longest), 0 for padding, or vectors in, one score a document out. The number of
        a word is its row in the word vectors plus one. Networks need `pip install 'keysift[neural]'`.
    training
        A `Training` with how a network is trained.
    random_state
        Makes a fit repeatable: `lsa`, the quality without labels, vectors="corpus" and networks draw random numbers.
    settings
        A `Settings` with everything else.

    Answers of a person never change the ranking by themselves: `apply_audit` takes the prior and the threshold from
    them. Only `fit(documents, audit=...)` learns from them: every answer decides in which set its document is, and
    then the linear model is corrected by the pairwise risk between relevant and irrelevant answers. `audit` is an
    `Audit` of a ranking of the same documents by `fit_rank` or `rank`, {place: 1 or 0}, or an array with 1, 0 and -1
    (unknown) for the documents. An `Audit` with prior="audit" also gives the prior, and the cut is made in the new
    scores; what its report says of precision and recall is true of the old ranking only.

    Attributes
    ----------
    keywords_, terms_ : the keywords with their expansions, and those of them that have a say
    pseudo_labels_ : the two corrupted sets, the similarities and what matched
    prior_, threshold_ : the share and the score that decide
    prior_estimate_ : the share with its interval, where it comes from and what it assumes
    posterior_ : the chance of every score to be a relevant document's
    expected_ : the precision, recall and F1 that may be expected at the threshold, with intervals
    answers_ : the answers that were learned from, by place, -1 where there is none; None without an audit
    scorer_ : the model, with the words that it knows
    history_ : how the fit went, view by view or epoch by epoch
    quality_ : what could be said of the ranking without a label, and how it chose; None for networks; a loaded model
        has it without what it says document by document
    keyword_beliefs_ : what the others believe of each keyword and expansion, by term (see `keyword_table`)
    suggested_keywords_ : words that the best documents hold more often than the rest, which might become keywords

    >>> documents = ["the goalie saved the hockey game", "parliament passed the tax law",
    ...              "a baseball season of home runs", "the court heard the tax case"]
    >>> clf = KeywordClassifier(["hockey", "baseball"], prior=0.5).fit(documents)
    >>> clf.predict(documents).tolist()
    [1, 0, 1, 0]
    """

    posterior_: Posterior

    def __init__(
        self,
        keywords: Any,
        *,
        prior: Prior = "estimate",
        threshold: Threshold = "prior",
        vectors: str | Path | WordVectors = "glove-6b-50d",
        views: Any = tuple(VIEWS),
        encoder: Any = None,
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
        self.views = views
        self.encoder = encoder
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

    def fit(
        self,
        documents: Any,
        y: Any = None,
        *,
        audit: Any = None,
        embeddings: Any = None,
        progress: Progress = _silent,
    ) -> "KeywordClassifier":
        """Learn from unlabelled documents; `y` is ignored and only there for pipelines.

        `audit` has answers to learn from as well (see the class), `embeddings` are sentence vectors of these documents,
        where you have them already; the same in all methods.

        >>> documents = ["goal in the hockey game", "a hockey stick for sale", "goal by the keeper", "a lamp for sale"]
        >>> clf = KeywordClassifier(["hockey"], prior=0.5).fit(documents, audit={1: 0, 2: 1})
        >>> clf.predict(documents).tolist()
        [1, 0, 1, 0]
        """
        self._learn(documents, audit, embeddings, progress)
        return self

    def fit_rank(
        self, documents: Any, *, audit: Any = None, embeddings: Any = None, progress: Progress = _silent
    ) -> pl.DataFrame:
        """`fit` and `rank` on the same documents, which are then read only once."""
        sight, prepared, scores = self._learn(documents, audit, embeddings, progress)
        positive = self.pseudo_labels_.positive
        return self._ranking(sight.tokens, prepared, scores, sight.found.matches, positive, progress, self.threshold_)

    def decision_function(self, documents: Any, *, embeddings: Any = None) -> NDArray[np.float64]:
        """Scores, higher means more relevant; an empty document scores lower than any other can."""
        check_is_fitted(self)
        tokens, prepared = self._prepared(documents, embeddings, _silent)
        return self._scores(tokens, prepared)

    def predict(self, documents: Any, *, embeddings: Any = None, prior: float | None = None) -> NDArray[np.int64]:
        """1 where the score is above `threshold_`, else 0; an empty document is never positive.

        With a `prior`, that of these documents, the cut is made anew for them. Warns where their scores look unlike
        those of training.
        """
        scores = self.decision_function(documents, embeddings=embeddings)
        # An empty document's score is the lowest there is, but a threshold given by the user may be lower still.
        empty = scores <= self.scorer_.floor
        return self._decide(scores, empty, self._new_threshold(scores, empty, prior))

    def rank(
        self, documents: Any, *, embeddings: Any = None, prior: float | None = None, progress: Progress = _silent
    ) -> pl.DataFrame:
        """The documents in order, best first: rank, score, decision and the reasons; `prior` as in `predict`.

        `document` is the place in the input, `pseudo_positive` whether it is in the corrupted positive set (after
        `fit_rank`) or holds a keyword or expansion, `matched` which of them, `words` the words that moved its score
        most, `contributions` by how much, and `evidence` all of that in a line.
        """
        check_is_fitted(self)
        tokens, prepared = self._prepared(documents, embeddings, progress)
        if not len(tokens):
            raise InputError("There is no document to rank; give at least one.")
        matches = count_terms(tokens, self.terms_)
        found = np.diff(matches.indptr) > 0
        scores = self._scores(tokens, prepared)
        threshold = self._new_threshold(scores, tokens.lengths == 0, prior)
        return self._ranking(tokens, prepared, scores, matches, found, progress, threshold)

    def keyword_table(self, documents: Any = None, *, progress: Progress = _silent) -> list[KeywordRow]:
        """What each keyword and its expansions find in the documents, by default in those of the last fit.

        With documents it needs no fit and does none; only a fit can tell what the others believe of a keyword.
        """
        if documents is None:
            check_is_fitted(
                self,
                "pseudo_labels_",
                msg="There are no documents to look into: hand them in, or call fit (a loaded model has none).",
            )
            labels = self.pseudo_labels_
            beliefs = self.keyword_beliefs_
            return keyword_table(self.keywords_, labels.terms, labels.matches, labels.similarity, beliefs)
        tokens = self._tokens(as_documents(documents), progress)
        if not len(tokens):
            raise InputError("There is no document to look into; give at least one.")
        sight = look(tokens, self.keywords, self.vectors, self._settings, _seed(self.random_state), progress)
        return keyword_table(sight.keywords, sight.found.terms, sight.found.matches, sight.found.similarity)

    def apply_audit(self, audit: Audit) -> "KeywordClassifier":
        """Take the prior and the threshold from an audit (see `keysift.audit`); the ranking stays as it is.

        The audit is one of a ranking that this model made: its prevalence becomes `prior_`, the chances are made to
        agree with its answers, and the threshold is cut anew in that ranking, as it was asked for.
        """
        check_is_fitted(self)
        measured, scores = measure(audit), audit.ranking.scores
        self.prior_estimate_ = _audited_prior(measured)
        self.prior_, known = self.prior_estimate_.value, audit.known
        rows = audit.sample.rows[known]
        self.posterior_ = recalibrated(
            self.posterior_,
            scores[rows],
            audit.answers[known],
            audit.weights[known],
            scores,
            self.prior_estimate_.interval,
            f"{measured.answered:,} audited documents",
        )
        asked = self.threshold
        self.threshold_ = measured.threshold if asked == "prior" else self._cut(scores, self.prior_, self.posterior_)
        self.expected_ = self.posterior_.expected(scores, self.threshold_)
        return self

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
            "views": [view if isinstance(view, str) else view.name for view in check_views(self.views)],
            "encoder": str(self.encoder) if isinstance(self.encoder, str | Path) else None,
            "loss": get_loss(self.loss).name,
            "model": None if own else self.model,
            "random_state": self.random_state if isinstance(self.random_state, int) else None,
        }
        learned = {
            "keywords": [asdict(keyword) for keyword in self.keywords_],
            "terms": self.terms_,
            "prior": asdict(self.prior_estimate_),
            "threshold": self.threshold_,
            "expected": asdict(self.expected_),
            "basis": self.posterior_.basis,
            "n_documents": self.n_documents_,
            "encoded_length": self.encoded_length_,
            "quality": self.quality_ and self.quality_.plain(),
            "suggested": [asdict(suggestion) for suggestion in self.suggested_keywords_],
        }
        decisions = {"scores": self.score_summary_, "knots": self.posterior_.scores, "chances": self.posterior_.chances}
        write_model(
            path,
            {**arrays, **{f"decisions.{name}": array for name, array in decisions.items()}},
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

    def _tokens(self, texts: pl.Series, progress: Progress) -> Tokens:
        return tokenize(texts, self._settings.tokenizer, lambda done: progress("Tokenising", done))

    def _prepared(self, documents: Any, embeddings: Any, progress: Progress) -> tuple[Tokens, Any]:
        """New documents as the model reads them."""
        texts = as_documents(documents)
        tokens = self._tokens(texts, progress)
        if self.encoded_length_ is None and embeddings is not None:
            raise InputError("The model was fitted without sentence vectors; leave embeddings out, or fit with them.")
        vectors = None
        # Vectors that told nothing in the fit are not in the scorer, and nobody needs those of new documents.
        told = not (isinstance(self.scorer_, ViewScorer) and self.scorer_.encoder is None)
        if self.encoded_length_ is not None and told:
            vectors = check_length(self._encoded(texts, self._new_encoder(embeddings), progress), self.encoded_length_)
        return tokens, self.scorer_.prepare(tokens, vectors=vectors)

    def _new_encoder(self, embeddings: Any) -> Encoder:
        if embeddings is not None:
            return get_encoder(embeddings)
        if self.encoder_ is None:
            raise InputError(
                "The model was fitted with vectors made elsewhere, or by a function, which no file holds: hand in"
                " embeddings= for new documents (--vector-column on the command line), or the function,"
                " keysift.load(path, encoder=...)."
            )
        return self.encoder_

    def _encoded(self, texts: pl.Series, encoder: Encoder, progress: Progress) -> NDArray[np.float32]:
        return encode_documents(encoder, texts, lambda done: progress("Encoding", done))

    def _learn(
        self, documents: Any, audit: Any, embeddings: Any, progress: Progress
    ) -> tuple[Sight, Any, NDArray[np.float64]]:
        """From the documents to the threshold; returns what the model read of them and their scores, too."""
        prior, loss = check_prior(self.prior), get_loss(self.loss)
        check_threshold(self.threshold)
        audited = _audited_prior(measure(audit)) if prior == "audit" and isinstance(audit, Audit) else None
        if prior == "audit" and audited is None:
            raise SettingError(
                "prior='audit' needs answers, and a fit has none yet: fit with prior='estimate', audit the ranking, and"
                " hand the answers to apply_audit, or the Audit to fit."
                if audit is None
                else "prior='audit' needs an Audit, which knows how its documents were drawn, and plain labels do not:"
                " hand in the Audit, or choose prior='estimate' or a number."
            )
        model, seed, settings = check_model(self.model), _seed(self.random_state), self._settings
        check_views(self.views)
        if self.encoder is not None and embeddings is not None:
            raise SettingError(
                "encoder and embeddings (--encoder and --vector-column) both give the sentence vectors; leave one out."
            )
        given = self.encoder if embeddings is None else embeddings
        encoder = None if given is None else get_encoder(given)
        if model != "linear":
            network_room()
            if encoder is not None:
                raise SettingError("An encoder is a view of the linear model; leave it out, or model='linear'.")
        parse_keywords(self.keywords)  # to complain before the long work
        texts = as_documents(documents)
        tokens = self._tokens(texts, progress)
        check_documents(tokens)
        answers = None if audit is None else labels_from(audit, len(tokens))
        sight = look(tokens, self.keywords, self.vectors, settings, seed, progress)
        labels = sight.labels()
        if answers is not None:
            check_answers(labels.positive, answers)
        vectors = None if encoder is None else self._encoded(texts, encoder, progress)

        scorer: Scorer
        history: ViewHistory | NetworkHistory
        quality: Quality | None = None
        if isinstance(model, str) and model == "linear":
            scorer, history, quality = self._fit_views(
                sight, labels, answers, texts, vectors, encoder, loss, seed, progress
            )
        else:
            scorer, history = self._fit_network(sight, labels, answers, loss, seed, progress)
        self.scorer_, self.history_, self.quality_ = scorer, history, quality
        # Vectors that were handed in belong to these documents alone; those of `encoder` can be looked up again.
        self.encoder_ = encoder if embeddings is None else None
        self.encoded_length_ = None if vectors is None else int(vectors.shape[1])
        self.keywords_, self.terms_, self.pseudo_labels_ = sight.keywords, labels.terms, labels
        self.answers_ = answers
        self.n_documents_, self.classes_ = len(tokens), np.array([0, 1])
        prepared = self.scorer_.prepare(tokens, sight.counts, vectors)
        scores = self._scores(tokens, prepared)
        found = find_prior(prior if audited is None else "estimate", quality, scores, len(labels.positives))
        self.prior_estimate_, self.posterior_ = found
        if audited is not None:
            old = self.posterior_
            basis = f"{old.basis}, with the prevalence of the audit"
            self.prior_estimate_ = audited
            self.posterior_ = through_mean(old.scores, old.chances[1], scores, audited.interval, basis)
        self.prior_ = self.prior_estimate_.value
        self.threshold_ = self._cut(scores, self.prior_, self.posterior_)
        self.expected_ = self.posterior_.expected(scores, self.threshold_)
        self.score_summary_ = summary_of(scores[tokens.lengths > 0])
        self.keyword_beliefs_ = {} if quality is None else self._beliefs(sight, quality, scores, vectors)
        decided = int(self._decide(scores, tokens.lengths == 0, self.threshold_).sum())
        self.suggested_keywords_ = sight.suggestions(scores, decided, self.keyword_beliefs_)
        return sight, prepared, scores

    def _beliefs(
        self, sight: Sight, quality: Quality, scores: NDArray[np.float64], vectors: NDArray[np.float32] | None
    ) -> dict[Term, Belief]:
        scorer = self.scorer_
        if self._settings.gamma and isinstance(scorer, ViewScorer) and scorer.nearest is not None:
            # A document without a word is most like itself, and would be its own example.
            scorer = replace(scorer, nearest=None)
            scores = scorer.score(scorer.prepare(sight.tokens, sight.counts, vectors))

        def rescore(rows: NDArray[np.int64], counts: sp.csr_array) -> NDArray[np.float64]:
            # The sentence vectors stay as they are: encoding again would cost more than this is worth.
            return scorer.score(scorer.prepare(sight.tokens, counts, None if vectors is None else vectors[rows]))

        return {**sight.keyword_beliefs(quality), **sight.expansion_beliefs(scores, rescore)}

    def _fit_views(
        self,
        sight: Sight,
        labels: PseudoLabels,
        answers: NDArray[np.int8] | None,
        texts: pl.Series,
        vectors: NDArray[np.float32] | None,
        encoder: Encoder | None,
        loss: Loss,
        seed: int,
        progress: Progress,
    ) -> tuple[Scorer, ViewHistory, Quality]:
        settings = self._settings
        views = get_views(self.views, sight.vectors, stop_word_set(settings.stop_words), seed)
        if vectors is not None:
            views = (*views, SentenceView())

        def encode(changed: pl.Series) -> NDArray[np.float32]:
            assert encoder is not None
            return encode_documents(encoder, changed, lambda done: progress("Encoding variants", done))

        again = None if encoder is None or isinstance(encoder, Precomputed) else encode
        work = sight.work(labels, texts, vectors, again, answers)
        known = sight.vectors.words if "words" in check_views(self.views) else sight.tokens.words
        return fit_views(work, views, known, loss, settings, seed, progress)

    def _fit_network(
        self,
        sight: Sight,
        labels: PseudoLabels,
        answers: NDArray[np.int8] | None,
        loss: Loss,
        seed: int,
        progress: Progress,
    ) -> tuple[Scorer, NetworkHistory]:
        scorer, history = network_room().fit_scorer(
            sight.tokens,
            sight.vectors,
            labels.positive if answers is None else np.where(answers >= 0, answers == 1, labels.positive),
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
        pseudo_positive: NDArray[np.bool_],
        progress: Progress,
        threshold: float,
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
                "decision": self._decide(scores, empty, threshold)[order],
                "pseudo_positive": pseudo_positive[order].astype(np.int64),
            }
        ).hstack(evidence[order])
        progress("Ranking", 1.0)
        return frame

    def _scores(self, tokens: Tokens, prepared: Any) -> NDArray[np.float64]:
        scores = self.scorer_.score(prepared)
        scores[tokens.lengths == 0] = self.scorer_.floor
        return scores

    def _decide(self, scores: NDArray[np.float64], empty: NDArray[np.bool_], threshold: float) -> NDArray[np.int64]:
        return ((scores > threshold) & ~empty).astype(np.int64)

    def _cut(self, scores: NDArray[np.float64], prior: float, posterior: Posterior) -> float:
        return cut(check_threshold(self.threshold), scores, prior, posterior)

    def _new_threshold(self, scores: NDArray[np.float64], empty: NDArray[np.bool_], prior: float | None) -> float:
        """The threshold for new documents; with a prior of their own it is cut anew among them."""
        if prior is None:
            drift = compare_scores(scores[~empty], self.score_summary_, self.n_documents_)
            if drift is not None and drift.notable:
                warnings.warn(
                    f"The scores of these documents look unlike those of training ({drift}), so the threshold may not"
                    " fit them: say which share of them is relevant with prior, audit them, or fit anew.",
                    KeysiftWarning,
                    stacklevel=3,
                )
            return self.threshold_
        new = check_prior(prior)
        if isinstance(new, str):
            raise SettingError(f"The prior of new documents must be a number between 0 and 1; got {prior!r}.")
        asked = check_threshold(self.threshold)
        if isinstance(asked, int | float) or asked[0] == "top":
            raise SettingError(
                f"The threshold was asked for as {self.threshold!r}, which no prior changes; leave prior out, or fit"
                " with threshold='prior'."
            )
        return self._cut(scores, new, self.posterior_.for_prior(self.prior_, new)) if len(scores) else self.threshold_


def load(
    path: str | Path, *, tokenizer: Tokenizer | None = None, model: Any = None, encoder: Any = None
) -> KeywordClassifier:
    """Load a saved classifier; a tokenizer, module or encoder of your own is handed in again: a file holds no code.

    Without its encoder a model still scores documents whose `embeddings` are handed in.
    """
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
        if constructor["model"] is None:
            if model is None:
                raise ModelFileError(
                    f"The model {path} was fitted with a module of its own; load it in Python with"
                    " keysift.load(path, model=...), a module built the same way."
                )
            constructor["model"] = check_model(model)
        constructor["views"] = tuple(constructor["views"])
        if encoder is not None:
            constructor["encoder"] = encoder
        clf = KeywordClassifier(
            **constructor,
            training=Training(**saved["training"]) if saved["training"] else None,
            settings=Settings(**{**saved["settings"], "tokenizer": tokenizer}),
        )
        if constructor["model"] == "linear":
            clf.scorer_ = ViewScorer.restore(arrays, saved["model"])
        else:
            clf.scorer_ = network_room().NetworkScorer.restore(arrays, saved["model"], clf.model, clf._training)
        clf.keywords_ = tuple(keyword_from(fields) for fields in learned["keywords"])
        clf.terms_ = tuple(tuple(map(str, term)) for term in learned["terms"])
        clf.prior_estimate_ = PriorEstimate(**learned["prior"])
        clf.prior_, clf.threshold_ = clf.prior_estimate_.value, float(learned["threshold"])
        clf.posterior_ = Posterior(arrays["decisions.knots"], arrays["decisions.chances"], str(learned["basis"]))
        clf.score_summary_, clf.expected_ = arrays["decisions.scores"], expected_from(learned["expected"])
        clf.n_documents_, clf.classes_ = int(learned["n_documents"]), np.array([0, 1])
        clf.encoded_length_ = learned["encoded_length"]
        clf.encoder_ = None if clf.encoder is None or clf.encoded_length_ is None else get_encoder(clf.encoder)
        clf.quality_ = Quality.restore(learned["quality"]) if learned.get("quality") else None
        clf.suggested_keywords_ = tuple(Suggestion(**fields) for fields in learned.get("suggested", ()))
    except (ModelFileError, SettingError):
        raise
    except (KeyError, TypeError, ValueError) as error:
        raise ModelFileError(f"Cannot read the model {path}: a part is missing or damaged ({error!r}).") from None
    return clf


def _audited_prior(measured: Measures) -> PriorEstimate:
    """The prevalence of an audit as a prior; never all documents, nor none."""
    share = float(np.clip(measured.prior, 1 / measured.documents, 1 - 1 / measured.documents))
    prevalence = measured.prevalence
    return PriorEstimate(share, prevalence.low, prevalence.high, "audit", f"from {measured.answered:,} answers")


def _seed(random_state: Any) -> int:
    try:
        return int(check_random_state(random_state).randint(2**31))
    except ValueError:
        raise SettingError(
            f"random_state must be a whole number from 0 to {2**32 - 1}, a RandomState or None; got {random_state!r}."
        ) from None
