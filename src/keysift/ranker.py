"""Keywords and documents in, ranking and decisions out. It wires the pipeline together, and nothing else.

`KeywordClassifier` is the same as an estimator of scikit-learn; the command line does without, which takes a second to
load.
"""

import inspect
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.audit.answers import Audit
from keysift.audit.asking import Answer, ask, sample_to_ask
from keysift.audit.audited import audited_decisions, check_made_by, prior_of
from keysift.audit.labels import labels_from
from keysift.config import DEFAULT, LearnConfig
from keysift.corpus.columns import Columns
from keysift.decide.cuts import Threshold, cut_rule
from keysift.decide.decisions import Decisions, cut_again
from keysift.decide.prior import Prior, check_prior
from keysift.encoding.encoder import Encoder
from keysift.encoding.precomputed import Precomputed
from keysift.errors import InputError, SettingError, warn
from keysift.features.prepared import Prepared, Progress, silent
from keysift.keywords.parsing import parse_keywords
from keysift.keywords.table import KeywordTable, excluded_rows, keyword_table
from keysift.learn.checks import check_documents
from keysift.modelfile import Model, model_of, save_model
from keysift.networks.choice import check_model, import_networks
from keysift.networks.training import Training
from keysift.pipeline import Learned, Matches, decide, learn, match, prepare, rank
from keysift.ranking import Ranking, with_index
from keysift.risk.losses import Loss, get_loss
from keysift.scoring import Scored, Scores, decide_new, only_scores, rank_new, score
from keysift.settings import Settings
from keysift.vectors.words import WordVectors


class KeywordRanker:
    """What `KeywordClassifier` can do; its parameters and attributes are described there."""

    def __init__(
        self,
        keywords: Any,
        *,
        prior: Prior = "estimate",
        threshold: Threshold = "prior",
        vectors: str | Path | WordVectors = "glove-6b-50d",
        views: Any = "auto",
        encoder: Any = "minilm",
        loss: str | Loss = "sigmoid",
        model: Any = "linear",
        training: Training | None = None,
        random_state: int | np.random.RandomState | None = 0,
        settings: Settings | None = None,
        learning: LearnConfig | None = None,
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
        self.learning = learning

    def prepare(self, documents: Any, *, embeddings: Any = None, progress: Progress = silent) -> Prepared:
        """What depends on the documents alone; hand it to `fit` in their place to do it only once."""
        given = self.encoder is not None and not (isinstance(self.encoder, str) and self.encoder == "minilm")
        if given and embeddings is not None:
            raise SettingError("encoder= and embeddings= both give the sentence vectors; leave one out.")
        return prepare(
            documents,
            vectors=self.vectors,
            views=self.views,
            encoder=self.encoder if embeddings is None else embeddings,
            settings=self.settings,
            learning=self.learning,
            random_state=self.random_state,
            progress=progress,
        )

    def fit(
        self,
        documents: Any,
        y: Any = None,
        *,
        audit: Any = None,
        embeddings: Any = None,
        progress: Progress = silent,
    ) -> Self:
        """Learn from unlabelled documents, or from what `prepare` made of them; `y` is ignored, for pipelines only.

        `audit` has answers to learn from as well: an `Audit` of a ranking of the same documents, {place: 1 or 0}, or an
        array with 1, 0 and -1 (unknown). Every answer decides in which set its document is, and the linear model is
        corrected by the pairwise risk between relevant and irrelevant answers. Answers count only here: `apply_audit`
        leaves the ranking alone. `embeddings` are sentence vectors of these documents, where you have them already.

        >>> documents = ["goal in the hockey game", "a hockey stick for sale", "goal by the keeper", "a lamp for sale"]
        >>> clf = KeywordRanker(["hockey"], prior=0.5).fit(documents, audit={1: 0, 2: 1})
        >>> clf.predict(documents).tolist()
        [1, 0, 1, 0]
        """
        self._fit(documents, audit, embeddings, progress)
        return self

    def fit_rank(
        self, documents: Any, *, audit: Any = None, embeddings: Any = None, progress: Progress = silent
    ) -> pl.DataFrame:
        """`fit` and `rank` on the same documents, which are then read only once."""
        ranking = self._fit(documents, audit, embeddings, progress)
        progress("Ranking", 0.0)
        frame = with_index(ranking.frame(), documents)
        progress("Ranking", 1.0)
        return frame

    def decide(self, *, prior: Prior | None = None, threshold: Threshold | None = None) -> Decisions:
        """New decisions about the documents of the fit, by another prior or threshold; nothing is learned or set.

        >>> documents = ["a hockey game", "a tax law", "the hockey team", "the court"]
        >>> clf = KeywordRanker(["hockey"], prior=0.5).fit(documents)
        >>> clf.decide(threshold=("top", 1)).expected.count, clf.threshold
        (1, 'prior')
        """
        self._check_fitted()
        rule = self.decisions_.rule if threshold is None else cut_rule(threshold)
        new = None if prior is None else check_prior(prior)
        if self.learned_ is None:
            return self.model_.decide_again(rule, new)
        if isinstance(new, str):
            return decide(self.learned_, new, rule)
        return cut_again(self.decisions_, self.learned_.scored, rule, new)

    def decision_function(self, documents: Any, *, embeddings: Any = None) -> NDArray[np.float64]:
        """Scores, higher means more relevant; lowest for empty documents, and those with an excluded keyword."""
        self._check_fitted()
        return self._scores(documents, embeddings).scores

    def predict(self, documents: Any, *, embeddings: Any = None, prior: float | None = None) -> NDArray[np.int64]:
        """1 where the score is above `threshold_`, else 0; never for an empty document, or one with an excluded word.

        With a `prior`, that of these documents, the cut is made again for them. Warns where their scores look unlike
        those of training.
        """
        self._check_fitted()
        scored = self._scores(documents, embeddings)
        decisions = decide_new(self.model_, scored, self.decisions_.rule, prior, self.learning or DEFAULT)
        return decisions.positive(scored.scores, scored.out).astype(np.int64)

    def rank(
        self, documents: Any, *, embeddings: Any = None, prior: float | None = None, progress: Progress = silent
    ) -> pl.DataFrame:
        """The documents in order, best first: rank, score, decision and the reasons; `prior` as in `predict`.

        `document` is the place in the input, `id` the index of a pandas series where it has one of its own, `chance`
        that of being relevant as far as the prior is right, `pseudo_positive` whether it is in the corrupted positive
        set (after `fit_rank`) or holds a keyword or expansion, `matched` which of them, `words` the words that moved
        its score most, `contributions` by how much, and `evidence` all of that in a line.
        """
        self._check_fitted()
        scored = self._score(documents, embeddings, progress)
        if not len(scored.tokens):
            raise InputError("There is no document to rank; give at least one.")
        progress("Ranking", 0.0)
        decisions = decide_new(self.model_, scored, self.decisions_.rule, prior, self.learning or DEFAULT)
        frame = with_index(rank_new(self.model_, scored, decisions).frame(), documents)
        progress("Ranking", 1.0)
        return frame

    def keyword_table(self, documents: Any = None, *, progress: Progress = silent) -> KeywordTable:
        """What each keyword and its expansions find in the documents, by default in those of the last fit.

        A sequence of rows that prints as a polars frame; `keyword_table().frame()` is that frame.

        With documents it needs no fit and does none; only a fit can tell how well the keywords agree.
        """
        if documents is None:
            self._check_fitted(
                "pseudo_labels_",
                "There are no documents to look into: hand them in, or call fit (a loaded model has none).",
            )
            labels = self.pseudo_labels_
            found = labels.terms, labels.matches, labels.similarity
            rows = keyword_table(self.keywords_, *found, self.keyword_beliefs_)
            return KeywordTable((*rows, *excluded_rows(self.exclusions_)))
        prepared = documents
        if not isinstance(documents, Prepared):
            prepared = prepare(
                documents,
                vectors=self.vectors,
                encoder=None,  # a keyword is found by its letters
                settings=self.settings,
                random_state=self.random_state,
                progress=progress,
            )
        matches = match(prepared, self.keywords, progress)
        found = matches.terms, matches.found.matches, matches.similarity
        rows = keyword_table(matches.keywords, *found)
        return KeywordTable((*rows, *excluded_rows(matches.exclusions)))

    def apply_audit(self, audit: Audit, *, threshold: Threshold | None = None) -> Self:
        """Take the prior and the threshold from an audit (see `keysift.audit`); the ranking stays as it is.

        The audit is one of a ranking that this model made: prior and chances are made to agree with its answers, and
        the ranking is cut again, by the rule that was asked for or by `threshold`.
        """
        self._check_fitted()
        own = None if self.learned_ is None else np.sort(self.learned_.scored)
        ranked = getattr(audit, "ranking", ())  # new documents may have been ranked; only those of the fit are known
        check_made_by(audit, self.model_.fingerprint, own if own is not None and len(ranked) == len(own) else None)
        rule = self.decisions_.rule if threshold is None else cut_rule(threshold)
        self._assign_decisions(audited_decisions(audit, self.decisions_, rule))
        self.threshold = self.threshold if threshold is None else threshold
        return self

    def ask(self, n: int = 20, answer: Answer | None = None, *, seed: int = 0) -> Self:
        """Ask about n documents of the fit, well spread over the ranking, and decide by the answers.

        `answer` is given a text and says 1 (relevant), 0 (not) or None (unsure); without it the terminal is asked.

        >>> documents = ["a hockey game", "a tax law", "the hockey team", "the court"] * 5
        >>> clf = KeywordRanker(["hockey"]).fit(documents).ask(8, lambda text: "hockey" in text)
        >>> clf.prior_estimate_.basis, clf.prior_estimate_.low < 0.5 < clf.prior_estimate_.high
        ('audit', True)
        """
        message = "There are no documents to ask about: call fit (a loaded model has none)."
        self._check_fitted("documents_", message)
        assert self.learned_ is not None, "as documents_ are there"
        if self.prior_estimate_.basis == "audit":
            warn(
                "These documents are drawn anew, and answers given before do not count; to know more, ask more at once."
            )
        scores = self.learned_.scored
        texts = self.documents_.filter(
            pl.Series(self.learned_.scores > self.scorer_.floor)
        )  # nobody reads an empty one
        return self.apply_audit(ask(sample_to_ask(scores, self.decisions_.positive(scores), texts, n, seed), answer))

    def save(self, path: str | Path) -> None:
        """Write one safetensors file with all that scoring needs."""
        self._check_fitted()
        arguments = self.arguments()
        if self.encoder_ is None and self.encoded_length_ is not None:
            arguments["encoder"] = None  # the vectors were handed in, and no encoder would give the like
        save_model(path, self.model_, arguments)

    def remember(self, columns: Columns | None) -> Self:
        """Keep which columns the documents came from, so that others are read from the same."""
        self._check_fitted()
        self._assign_model(replace(self.model_, columns=columns), self.learned_)
        return self

    def apply_decisions(self, decisions: Decisions) -> Self:
        """Decide from now on as `decide` proposed: its cut, its prior and its rule."""
        self._check_fitted()
        self.threshold = decisions.rule.plain
        self.prior = decisions.prior.value if decisions.prior.basis == "given" else self.prior
        self._assign_decisions(decisions)
        return self

    def _fit(self, documents: Any, audit: Any, embeddings: Any, progress: Progress) -> Ranking:
        """Compute every value, then assign them all."""
        asked, rule = check_prior(self.prior), cut_rule(self.threshold)
        prior = prior_of(audit) if asked == "audit" else asked
        if check_model(self.model) != "linear":
            import_networks()
        parse_keywords(self.keywords)  # to complain before the long work
        get_loss(self.loss)
        prepared = documents
        if isinstance(documents, Prepared):
            documents.check_made_with(self.settings or Settings(), self.learning or DEFAULT, embeddings)
        else:
            prepared = self.prepare(documents, embeddings=embeddings, progress=progress)
        check_documents(prepared.tokens)
        answers = None if audit is None else labels_from(audit, len(prepared))
        matches = match(prepared, self.keywords, progress)
        learned = learn(
            prepared,
            matches,
            loss=self.loss,
            model=self.model,
            training=self.training,
            answers=answers,
            progress=progress,
        )
        decisions = decide(learned, prior, rule)
        self.adopt(prepared, matches, learned, decisions)
        return rank(prepared, matches, learned, decisions)

    def adopt(self, prepared: Prepared, matches: Matches, learned: Learned, decisions: Decisions) -> Self:
        """Become fitted by what the functions of `keysift.pipeline` found, without learning again."""
        self._assign_model(model_of(prepared, matches, learned, decisions), learned)
        # Vectors that were handed in belong to these documents alone; those of `encoder` can be looked up again.
        own = self.encoder is not None and not isinstance(self.encoder, str)
        handed_in = isinstance(prepared.encoder, Precomputed) and not own
        self.encoder_: Encoder | None = None if handed_in else prepared.encoder
        self.documents_ = prepared.texts
        self.pseudo_labels_, self.history_, self.answers_ = learned.labels, learned.history, learned.answers
        self.keyword_beliefs_, self.exclusions_ = learned.beliefs, matches.exclusions
        return self

    def _assign_model(self, model: Model, learned: Learned | None) -> None:
        self.model_, self.learned_ = model, learned
        self.scorer_, self.quality_ = model.scorer, model.quality
        self.keywords_, self.terms_, self.excluded_ = model.keywords, model.terms, model.excluded
        self.suggested_keywords_, self.columns_ = model.suggested, model.columns
        self.n_documents_, self.n_empty_ = model.n_documents, model.n_empty
        self.encoded_length_ = model.encoded_length
        self.score_summary_, self.classes_ = model.summary, np.array([0, 1])
        self._assign_decisions(model.decisions)

    def _assign_decisions(self, decisions: Decisions) -> None:
        self.model_ = replace(self.model_, decisions=decisions)
        self.decisions_, self.prior_estimate_, self.posterior_ = decisions, decisions.prior, decisions.posterior
        self.prior_, self.threshold_, self.expected_ = decisions.prior.value, decisions.threshold, decisions.expected

    def _score(self, documents: Any, embeddings: Any, progress: Progress) -> Scored:
        return score(self.model_, documents, **self._reading(), embeddings=embeddings, progress=progress)

    def _scores(self, documents: Any, embeddings: Any) -> Scores:
        return only_scores(self.model_, documents, **self._reading(), embeddings=embeddings)

    def _reading(self) -> dict[str, Any]:
        return {"tokenizer": (self.settings or Settings()).tokenizer, "encoder": self.encoder_}

    def _check_fitted(self, attribute: str = "model_", message: str = "") -> None:
        if not hasattr(self, attribute):
            from sklearn.exceptions import NotFittedError  # what users of an estimator expect

            raise NotFittedError(message or f"This {type(self).__name__} has learned nothing yet; call fit first.")

    def arguments(self) -> dict[str, Any]:
        """The arguments of the constructor, by name."""
        return {name: getattr(self, name) for name in sorted(inspect.signature(type(self)).parameters)}
