"""The way of the data, as plain functions between frozen values.

    prepare   documents -> Prepared            once per corpus, whatever the keywords
    match     keywords  -> Matches             per change of a keyword
    learn     Prepared, Matches -> Learned     the model, the scores and their quality
    decide    Learned   -> Decisions           the prior, the cut and what to expect; milliseconds
    rank      all of it -> Ranking             the order, and reasons for the rows that are asked for

>>> documents = ["the goalie saved the hockey game", "parliament passed the tax law",
...              "a baseball season of home runs", "the court heard the tax case"]
>>> prepared = prepare(documents)
>>> matches = match(prepared, ["hockey", "baseball"])
>>> learned = learn(prepared, matches)
>>> rank(prepared, matches, learned, decide(learned, prior=0.5)).page(0, 2)["document"].to_list()
[2, 0]
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keysift.config import DEFAULT, LearnConfig
from keysift.decide.curves import Family, usual
from keysift.decide.cuts import Threshold, cut_rule
from keysift.decide.decisions import Decisions, decide_by, make_decisions, with_prior
from keysift.decide.posterior import Interval, Posterior
from keysift.decide.prior import Prior, PriorEstimate, check_prior
from keysift.decide.two_groups import TwoGroups
from keysift.encoding.encoder import get_encoder
from keysift.errors import SettingError, warn
from keysift.features.prepared import Prepared, Progress, silent
from keysift.features.views import SENTENCES, check_views, get_views, view_names
from keysift.keywords.beliefs import Belief
from keysift.keywords.exclusions import check_sides
from keysift.keywords.expansion import brought_by, excluded_keywords, expand
from keysift.keywords.match import Matches, corpus_inflections
from keysift.keywords.missing import warn_of_missing
from keysift.keywords.parsing import parse_keywords
from keysift.keywords.suggestions import Suggestion
from keysift.learn.checks import check_answers, check_documents, check_not_all_excluded
from keysift.learn.fitting import KeywordFit, ViewHistory, fit_views
from keysift.learn.pseudo_labels import PseudoLabels, pseudo_label
from keysift.learn.quality import Quality
from keysift.learn.readable import Readable
from keysift.learn.scorer import Scorer, ViewScorer
from keysift.learn.verdicts import expansion_beliefs, keyword_beliefs, suggestions
from keysift.networks.choice import check_model, import_networks
from keysift.networks.history import NetworkHistory
from keysift.networks.training import Training
from keysift.ranking import Ranking
from keysift.risk.losses import Loss, get_loss
from keysift.settings import Settings
from keysift.text.counts import Term, count_words
from keysift.text.languages import stop_word_set
from keysift.text.tokens import as_documents, tokenize
from keysift.threads import in_one_thread
from keysift.vectors.sources import check_vectors
from keysift.vectors.words import WordVectors

__all__ = ["Decisions", "Learned", "Matches", "Prepared", "Ranking", "decide", "learn", "match", "prepare", "rank"]


@dataclass(frozen=True, eq=False)
class Learned:
    """What was learned from the documents and the keywords."""

    scorer: Scorer
    scores: NDArray[np.float64]
    """Of the training documents; an empty one, and one with an excluded keyword, has the lowest there is."""
    labels: PseudoLabels
    """The two corrupted sets."""
    history: ViewHistory | NetworkHistory
    quality: Quality | None
    """What could be said of the ranking without a label; None for networks."""
    beliefs: dict[Term, Belief]
    """How well each keyword and expansion agrees with the others."""
    readable: Any
    """The training documents as the scorer reads them."""
    answers: NDArray[np.int8] | None = None
    """What a person said of each document: 1, 0, or -1 for nothing."""
    fitted: KeywordFit | None = None
    """What was learned before answers corrected it; None for networks."""
    groups: TwoGroups | None = None
    """Of the scores before answers corrected them, so that a reading order has no say in the prior; None without."""
    reading: NDArray[np.float64] | None = None
    """What a reading order goes by while all answers are irrelevant; None where it goes by the scores."""

    @property
    def to_read(self) -> NDArray[np.float64]:
        """What a reading order goes by."""
        return self.scores if self.reading is None else self.reading

    @cached_property
    def scored(self) -> NDArray[np.float64]:
        """The scores of the documents that are not empty: the others have no say in prior, chances and cut."""
        return self.scores[self.scores > self.scorer.floor]

    @cached_property
    def usual(self) -> tuple[Interval, Posterior]:
        """What is usual for such scores before any answer; made once, so that a cut can be dragged."""
        return usual(self.scored, family=Family.over(self.scored, groups=self.groups))

    @property
    def measured(self) -> bool:
        """Whether it was measured how often intervals hold for such scores: not for networks, nor after answers."""
        return self.answers is None and not isinstance(self.history, NetworkHistory)


def prepare(
    documents: Any,
    *,
    vectors: str | Path | WordVectors = "glove-6b-50d",
    views: Any = "auto",
    encoder: Any = "minilm",
    settings: Settings | None = None,
    learning: LearnConfig | None = None,
    random_state: Any = 0,
    progress: Progress = silent,
) -> Prepared:
    """Tokens and counts of the documents at once; vectors, features and neighbours when they are first needed.

    >>> prepared = prepare(["a hockey game", "a tax law"])
    >>> len(prepared), prepared.tokens.words.to_list()
    (2, ['a', 'hockey', 'game', 'tax', 'law'])
    """
    wanted = check_views(views)  # to complain before the long work
    check_vectors(vectors)
    settings, config, seed = settings or Settings(), learning or DEFAULT, seed_from(random_state)
    encodes = None if encoder is None else get_encoder(encoder)
    texts = as_documents(documents)
    tokens = tokenize(texts, settings.tokenizer, lambda done: progress("Tokenising", done))
    settings = settings.settled(tokens.filled)
    english = settings.language in ("en", "none")  # none: not clear, as in a few short texts
    if encoder == "minilm" if isinstance(encoder, str) else False:
        encodes = encodes if english and _runs() else None
    chosen = get_views(wanted, encoded=encodes is not None)
    if SENTENCES in view_names(chosen) and encodes is None:
        raise SettingError("The view 'sentences' needs an encoder that knows the language; leave it out, or give one.")
    negation = config.negation if config.negation != "auto" else "not" if english else ""
    return Prepared(
        texts, tokens, count_words(tokens), vectors, chosen, encodes, settings, config, seed, negation=negation
    )


@in_one_thread
def match(prepared: Prepared, keywords: Any, progress: Progress = silent) -> Matches:
    """Expand the keywords and find them in the documents.

    >>> prepared = prepare(["a hockey game", "a tax law", "hockey and more hockey"])
    >>> match(prepared, "hockey").holders.tolist()
    [0, 2]
    """
    progress("Finding keywords", 0.0)
    settings, filled = prepared.settings, prepared.filled
    vectors = filled.word_vectors if settings.gamma > 0 else None  # only an expansion needs them
    given = parse_keywords(keywords)
    expanded = expand(given, vectors, gamma=settings.gamma, never_add=settings.never_add, tokenizer=settings.tokenizer)
    excluded = excluded_keywords(given, settings.tokenizer)
    check_sides(expanded, excluded)
    inflections = filled.once("inflections", lambda: corpus_inflections(prepared.tokens, settings))
    matches = Matches.find(expanded, prepared.tokens, prepared.counts, settings, inflections, excluded)
    by_term = dict(zip(matches.terms, matches.found.documents.tolist(), strict=True))
    warn_of_missing(expanded, by_term, prepared.tokens, vectors, expanded=settings.gamma > 0, out=matches.exclusions)
    progress("Finding keywords", 1.0)
    return matches


@in_one_thread
def learn(
    prepared: Prepared,
    matches: Matches,
    *,
    loss: str | Loss = "sigmoid",
    model: Any = "linear",
    training: Training | None = None,
    answers: NDArray[np.int8] | None = None,
    progress: Progress = silent,
    check: Callable[[], None] = lambda: None,
) -> Learned:
    """Learn a ranking; `answers` of a person (1, 0, -1 for none) count where there are any.

    Empty documents have no say in it: they get the lowest score afterwards. `check` is called often and may raise to
    stop.

    >>> prepared = prepare(["a hockey game", "a tax law", "the hockey team", "the court"])
    >>> learned = learn(prepared, match(prepared, "hockey"))
    >>> bool(learned.scores[[0, 2]].min() > learned.scores[[1, 3]].max())
    True
    """
    loss, model = get_loss(loss), check_model(model)
    check_documents(prepared.tokens)
    check_not_all_excluded(matches)
    some, found, places = prepared.filled, matches.filled, np.flatnonzero(~prepared.empty)
    labels = pseudo_label(found.found, phi=prepared.settings.phi, brought_by=brought_by(matches.keywords))
    said = None if answers is None else answers[places]
    if said is not None:
        check_answers(labels.positive, said)
    everywhere = labels.spread(places, matches.found)
    if isinstance(model, str) and model == "linear":
        scorer, fitted = fit_views(some, found, loss, answers=said, progress=progress, check=check)
        read = some.documents()
        documents = scorer.prepare(some.tokens, read.counts, read.vectors)
        scores = training_scores(scorer, documents, found)
        beliefs = keyword_beliefs(found, fitted.quality) | expansion_beliefs(some, found, scorer, scores)
        if len(some) < len(prepared):
            documents, scores = documents.spread(places, len(prepared)), spread(scores, places, len(prepared), scorer)
        history, quality = fitted.history, fitted.quality
        return Learned(scorer, scores, everywhere, history, quality, beliefs, documents, answers, fitted)
    network, trained = import_networks().fit_scorer(
        some.tokens,
        some.word_vectors,
        labels.positive if said is None else np.where(said >= 0, said == 1, labels.positive),
        loss,
        model=model,
        plan=training or Training(),
        stop_words=stop_word_set(prepared.settings.stop_words),
        seed=prepared.seed,
        progress=progress,
    )
    documents = network.prepare(prepared.tokens, prepared.counts)
    scores = network.score(documents)
    scores[prepared.empty | matches.excluded] = network.floor
    return Learned(network, scores, everywhere, trained, None, {}, documents, answers)


@in_one_thread
def decide(learned: Learned, prior: Prior | PriorEstimate = "estimate", threshold: Threshold = "prior") -> Decisions:
    """How many documents are relevant, where to cut, and what to expect; nothing is learned again.

    >>> prepared = prepare(["a hockey game", "a tax law", "the hockey team", "the court"])
    >>> learned = learn(prepared, match(prepared, "hockey"))
    >>> decide(learned, prior=0.5).positive(learned.scores).tolist()
    [True, False, True, False]
    >>> decide(learned, threshold=("top", 1)).expected.count
    1
    """
    rule = cut_rule(threshold)
    positives = len(learned.labels.positives)
    if isinstance(prior, PriorEstimate):
        # Answers were learned from, so intervals of such scores were not measured.
        unanswered = decide_by("estimate", learned.scored, positives, rule, measured=False, before=learned.usual)
        basis = f"{unanswered.posterior.basis}, with the prevalence of the audit"
        posterior = with_prior(unanswered.posterior, prior, learned.scored, basis)
        return make_decisions(learned.scored, prior, posterior, rule)
    asked = check_prior(prior)
    if asked == "audit":
        raise SettingError(
            "prior='audit' needs answers: fit with prior='estimate', audit the ranking, and hand the answers to"
            " apply_audit, or the Audit to fit."
        )
    before = learned.usual if isinstance(asked, str) else None
    return decide_by(asked, learned.scored, positives, rule, learned.measured, before)


def rank(prepared: Prepared, matches: Matches, learned: Learned, decisions: Decisions) -> Ranking:
    """The documents in order; reasons are made for the rows that are asked for.

    >>> prepared = prepare(["a hockey game", "a tax law", "the hockey team", "the court"])
    >>> matches = match(prepared, "hockey")
    >>> learned = learn(prepared, matches)
    >>> ranking = rank(prepared, matches, learned, decide(learned, prior=0.5))
    >>> ranking.page(0, 1)["matched"].to_list(), ranking.page(0, 4)["decision"].to_list()
    ([['hockey']], [1, 1, 0, 0])
    """
    return Ranking(
        scores=learned.scores,
        positive=decisions.positive(learned.scores, prepared.empty | matches.excluded),
        pseudo_positive=learned.labels.positive,
        empty=prepared.empty,
        chances=np.where(prepared.empty | matches.excluded, 0.0, decisions.posterior.at(learned.scores)),
        matches=matches.found.matches,
        terms=matches.terms,
        own_terms=matches.own_terms,
        scorer=learned.scorer,
        readable=learned.readable,
        exclusions=matches.exclusions,
    )


def suggest(prepared: Prepared, matches: Matches, learned: Learned, decisions: Decisions) -> tuple[Suggestion, ...]:
    """Words that might become keywords."""
    decided = int(decisions.positive(learned.scored).sum())
    return suggestions(prepared.filled, matches.filled, learned.scores[~prepared.empty], decided, learned.beliefs)


def _runs() -> bool:
    """Whether the encoder that comes with keysift can run here; if not, one warning says why."""
    from keysift.encoding import minilm

    reason = minilm.available()
    if reason is not None:
        warn(
            f"Sentences are not looked at, because {reason}; the ranking is learned from words and their pieces."
            " Install onnxruntime, or say encoder=None."
        )
    return reason is None


def seed_from(random_state: Any) -> int:
    """A seed from what scikit-learn takes for one."""
    try:
        if isinstance(random_state, Integral):  # as scikit-learn does, which takes a second to load
            return int(np.random.RandomState(int(random_state)).randint(2**31))
        from sklearn.utils import check_random_state

        return int(check_random_state(random_state).randint(2**31))
    except ValueError:
        raise SettingError(
            f"random_state must be a whole number from 0 to {2**32 - 1}, a RandomState or None; got {random_state!r}."
        ) from None


def training_scores(scorer: ViewScorer, documents: Readable, matches: Matches) -> NDArray[np.float64]:
    """Of the training documents; one with an excluded keyword has the lowest there is."""
    scores = scorer.score(documents)
    scores[matches.excluded] = scorer.floor
    return scores


def spread(
    scores: NDArray[np.float64], places: NDArray[np.int64], documents: int, scorer: Scorer
) -> NDArray[np.float64]:
    """The scores of some documents among all; the others, which are empty, get the lowest there is."""
    every = np.full(documents, scorer.floor)
    every[places] = scores
    return every
