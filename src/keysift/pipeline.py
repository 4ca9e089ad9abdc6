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
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from keysift.config import DEFAULT, LearnConfig
from keysift.decide.cuts import Threshold, cut_rule
from keysift.decide.decisions import Decisions, make_decisions, with_prior
from keysift.decide.posterior import Posterior
from keysift.decide.prior import Prior, PriorEstimate, check_prior, estimate_prior, find_prior
from keysift.encoding.encoder import get_encoder
from keysift.errors import SettingError
from keysift.features.prepared import Prepared, Progress, silent
from keysift.features.views import VIEWS, Ingredients, check_views, get_views, sentence_view
from keysift.keywords.beliefs import Belief
from keysift.keywords.expansion import brought_by, expand
from keysift.keywords.match import Matches, corpus_inflections
from keysift.keywords.missing import warn_of_missing
from keysift.keywords.parsing import parse_keywords
from keysift.keywords.suggestions import Suggestion
from keysift.learn.checks import check_answers, check_documents
from keysift.learn.fitting import ViewHistory, fit_views, readable
from keysift.learn.pseudo_labels import PseudoLabels, pseudo_label
from keysift.learn.quality import Quality
from keysift.learn.scorer import Scorer
from keysift.learn.split import Split
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
from keysift.vectors.sources import get_vectors
from keysift.vectors.words import WordVectors

__all__ = ["Decisions", "Learned", "Matches", "Prepared", "Ranking", "decide", "learn", "match", "prepare", "rank"]


@dataclass(frozen=True, eq=False)
class Learned:
    """What was learned from the documents and the keywords."""

    scorer: Scorer
    scores: NDArray[np.float64]
    """Of the training documents; an empty one has the lowest there is."""
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

    @cached_property
    def estimated(self) -> tuple[PriorEstimate, Posterior]:
        """The prior without a label, and the chance of every score."""
        return estimate_prior(self.quality, self.scores, len(self.labels.positives))


def prepare(
    documents: Any,
    *,
    vectors: str | Path | WordVectors = "glove-6b-50d",
    views: Any = tuple(VIEWS),
    encoder: Any = None,
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
    settings, config, seed = settings or Settings(), learning or DEFAULT, seed_from(random_state)
    encodes = None if encoder is None else get_encoder(encoder)
    texts = as_documents(documents)
    tokens = tokenize(texts, settings.tokenizer, lambda done: progress("Tokenising", done))
    word_vectors = get_vectors(vectors, tokens, np.random.default_rng(seed))
    settings = settings.settled(tokens)
    given = Ingredients(word_vectors, stop_word_set(settings.stop_words), seed, config)
    chosen = get_views(wanted, given)
    if encodes is not None:
        chosen = (*chosen, sentence_view(config))
    return Prepared(texts, tokens, count_words(tokens), word_vectors, chosen, encodes, settings, config, seed)


def match(prepared: Prepared, keywords: Any, progress: Progress = silent) -> Matches:
    """Expand the keywords and find them in the documents.

    >>> prepared = prepare(["a hockey game", "a tax law", "hockey and more hockey"])
    >>> match(prepared, "hockey").holders.tolist()
    [0, 2]
    """
    progress("Finding keywords", 0.0)
    settings, vectors = prepared.settings, prepared.word_vectors
    expanded = expand(
        parse_keywords(keywords),
        vectors,
        gamma=settings.gamma,
        exclude=settings.exclude,
        tokenizer=settings.tokenizer,
    )
    inflections = prepared.once("inflections", lambda: corpus_inflections(prepared.tokens, settings))
    matches = Matches.find(expanded, prepared.tokens, prepared.counts, settings, inflections)
    by_term = dict(zip(matches.terms, matches.found.documents.tolist(), strict=True))
    warn_of_missing(expanded, by_term, prepared.tokens, vectors, expanded=settings.gamma > 0)
    progress("Finding keywords", 1.0)
    return matches


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

    `check` is called often and may raise to stop.

    >>> prepared = prepare(["a hockey game", "a tax law", "the hockey team", "the court"])
    >>> learned = learn(prepared, match(prepared, "hockey"))
    >>> bool(learned.scores[[0, 2]].min() > learned.scores[[1, 3]].max())
    True
    """
    loss, model = get_loss(loss), check_model(model)
    check_documents(prepared.tokens)
    labels = pseudo_label(matches.found, phi=prepared.settings.phi, brought_by=brought_by(matches.keywords))
    if answers is not None:
        check_answers(labels.positive, answers)
    if isinstance(model, str) and model == "linear":
        split = Split.of(labels.positive, labels.similarity)
        scorer, history, quality = fit_views(
            prepared, matches, split, loss, answers=answers, progress=progress, check=check
        )
        documents = readable(prepared, scorer)
        scores = _scores(scorer, documents, prepared.empty)
        beliefs = keyword_beliefs(matches, quality) | expansion_beliefs(prepared, matches, scorer, scores)
        return Learned(scorer, scores, labels, history, quality, beliefs, documents, answers)
    if prepared.encoder is not None:
        raise SettingError("An encoder is a view of the linear model; leave it out, or choose model='linear'.")
    network, trained = import_networks().fit_scorer(
        prepared.tokens,
        prepared.word_vectors,
        labels.positive if answers is None else np.where(answers >= 0, answers == 1, labels.positive),
        loss,
        model=model,
        plan=training or Training(),
        stop_words=stop_word_set(prepared.settings.stop_words),
        seed=prepared.seed,
        progress=progress,
    )
    documents = network.prepare(prepared.tokens, prepared.counts)
    scores = _scores(network, documents, prepared.empty)
    return Learned(network, scores, labels, trained, None, {}, documents, answers)


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
    if isinstance(prior, PriorEstimate):
        basis = f"{learned.estimated[1].basis}, with the prevalence of the audit"
        return make_decisions(
            learned.scores, prior, with_prior(learned.estimated[1], prior, learned.scores, basis), rule
        )
    asked = check_prior(prior)
    if asked == "audit":
        raise SettingError(
            "prior='audit' needs answers: fit with prior='estimate', audit the ranking, and hand the answers to"
            " apply_audit, or the Audit to fit."
        )
    estimate, posterior = find_prior(asked, learned.estimated, learned.scores, len(learned.labels.positives))
    return make_decisions(learned.scores, estimate, posterior, rule)


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
        positive=decisions.positive(learned.scores, prepared.empty),
        pseudo_positive=learned.labels.positive,
        empty=prepared.empty,
        chances=decisions.posterior.at(learned.scores),
        matches=matches.found.matches,
        terms=matches.terms,
        own_terms=matches.own_terms,
        scorer=learned.scorer,
        readable=learned.readable,
    )


def suggest(prepared: Prepared, matches: Matches, learned: Learned, decisions: Decisions) -> tuple[Suggestion, ...]:
    """Words that might become keywords."""
    decided = int(decisions.positive(learned.scores, prepared.empty).sum())
    return suggestions(prepared, matches, learned.scores, decided, learned.beliefs)


def seed_from(random_state: Any) -> int:
    """A seed from what scikit-learn takes for one."""
    try:
        return int(check_random_state(random_state).randint(2**31))
    except ValueError:
        raise SettingError(
            f"random_state must be a whole number from 0 to {2**32 - 1}, a RandomState or None; got {random_state!r}."
        ) from None


def _scores(scorer: Scorer, documents: Any, empty: NDArray[np.bool_]) -> NDArray[np.float64]:
    scores = scorer.score(documents)
    scores[empty] = scorer.floor
    return scores
