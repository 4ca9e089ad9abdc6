"""New documents through a fitted model: scores, decisions and a ranking."""

import itertools
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray

from keysift.config import LearnConfig
from keysift.decide.cuts import CutRule, in_python
from keysift.decide.decisions import Decisions, decide_others
from keysift.decide.drift import Drift, compare_scores
from keysift.decide.posterior import Posterior
from keysift.decide.prior import check_prior
from keysift.encoding.encode import encode_documents
from keysift.encoding.encoder import Encoder, get_encoder
from keysift.encoding.vector_checks import check_length
from keysift.errors import InputError, SettingError, warn
from keysift.features.prepared import Progress, silent
from keysift.keywords.exclusions import Exclusions
from keysift.keywords.match import count_in
from keysift.learn.scorer import ViewScorer
from keysift.modelfile import Model
from keysift.ranking import Ranking
from keysift.text.known_words import KnownWords
from keysift.text.tokens import Tokenizer, Tokens, as_documents, tokenize
from keysift.threads import cores, on_all_cores

PART_BYTES = 4_000_000
"""Of the documents that a thread scores together, at most; what they need on the way is many times as large."""
LEAST_BYTES = 500_000
"""Fewer are not worth a thread of their own."""


@dataclass(frozen=True, eq=False)
class Scored:
    """Documents as a model reads them, and their scores."""

    tokens: Tokens
    readable: Any
    scores: NDArray[np.float64]
    """An empty document, and one with an excluded keyword, has the lowest there is."""
    found: tuple[sp.csr_array, Exclusions] | None = None
    """Where the terms of the model and the excluded keywords are; looked for at once only if there are any of those."""

    @property
    def empty(self) -> NDArray[np.bool_]:
        """Which documents hold no word."""
        return np.asarray(self.tokens.lengths == 0)

    @property
    def out(self) -> NDArray[np.bool_]:
        """Which documents are empty or hold an excluded keyword: they are never positive."""
        return self.empty if self.found is None else self.empty | self.found[1].documents

    @property
    def held(self) -> NDArray[np.float64]:
        """The scores of the documents that hold a word, and none that is excluded."""
        return self.scores[~self.out]


def score(
    model: Model,
    documents: Any,
    *,
    tokenizer: Tokenizer | None = None,
    encoder: Encoder | None = None,
    embeddings: Any = None,
    encode: bool = True,
    progress: Progress = silent,
    known: KnownWords | None = None,
) -> Scored:
    """Score new documents; `embeddings` are their sentence vectors, `known` words their model's, if you have them.

    Without `encode`, taught words stand in for vectors that nobody handed in, where the model has such words.
    """
    texts = as_documents(documents)
    tokens = tokenize(texts, tokenizer, lambda done: progress("Tokenising", done), known)
    if model.encoded_length is None and embeddings is not None:
        raise InputError("The model was fitted without sentence vectors; leave embeddings out, or fit with them.")
    vectors = None
    # Vectors that told nothing in the fit are not in the scorer, and nobody needs those of new documents.
    told = not (isinstance(model.scorer, ViewScorer) and model.scorer.encoder is None)
    taught = isinstance(model.scorer, ViewScorer) and model.scorer.standing_in is not None
    if model.encoded_length is not None and told and embeddings is None and taught and not encode:
        vectors = np.full((len(tokens), model.encoded_length), np.nan, dtype=np.float32)
    elif model.encoded_length is not None and told:
        if embeddings is not None:
            encoder = get_encoder(embeddings)
        if encoder is None:
            raise InputError(
                "The model was fitted with vectors made elsewhere, or by a function, which no file holds: hand in"
                " embeddings= for new documents, or the function, keysift.load(path, encoder=...)."
            )
        encoded = encode_documents(encoder, texts, lambda done: progress("Encoding", done))
        vectors = check_length(encoded, model.encoded_length)
    readable = model.scorer.prepare(tokens, vectors=vectors)
    scores = model.scorer.score(readable)
    found = count_in(tokens, model.terms, model.reading, model.excluded) if model.excluded else None
    scored = Scored(tokens, readable, scores, found)
    scores[scored.out] = model.scorer.floor
    return scored


@dataclass(frozen=True, eq=False)
class Scores:
    """What `score` finds, without the documents as the model reads them."""

    scores: NDArray[np.float64]
    out: NDArray[np.bool_]

    @property
    def held(self) -> NDArray[np.float64]:
        """The scores of the documents that hold a word, and none that is excluded."""
        return self.scores[~self.out]


def only_scores(
    model: Model,
    documents: Any,
    *,
    tokenizer: Tokenizer | None = None,
    encoder: Encoder | None = None,
    embeddings: Any = None,
) -> Scores:
    """The scores of `score`, to the bit; by words alone they are made on all cores, some documents at a time."""
    texts = as_documents(documents)
    # A tokenizer of one's own may not be made for several threads, and an encoder has its own.
    plain = tokenizer is None and embeddings is None and model.encoded_length is None
    parts, known = [texts], None
    if plain and isinstance(model.scorer, ViewScorer):
        parts = _parts(texts)
        # Where keywords are excluded, all words that there are would have to be put in order for every part.
        known = model.scorer.known_words if len(parts) > 1 and not model.excluded else None

    def score_part(part: pl.Series) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        scored = score(model, part, tokenizer=tokenizer, encoder=encoder, embeddings=embeddings, known=known)
        return scored.scores, scored.out

    scores, out = zip(*on_all_cores(score_part, parts), strict=True)
    return Scores(np.concatenate(scores), np.concatenate(out))


def _parts(texts: pl.Series) -> list[pl.Series]:
    """The documents in as many parts of about the same number of bytes as cores have to do."""
    ends = np.cumsum(texts.str.len_bytes().to_numpy().astype(np.int64))
    size = int(ends[-1]) if len(ends) else 0
    threads = max(1, min(cores(), size // LEAST_BYTES))
    number = threads * -(-size // (threads * PART_BYTES)) or 1
    edges = np.unique([0, *np.searchsorted(ends, size * np.arange(1, number) // number), len(texts)]).tolist()
    return [texts[start:stop] for start, stop in itertools.pairwise(edges)] or [texts]


class Held(Protocol):
    """Anything that knows the scores of the documents that hold a word, and none that is excluded."""

    @property
    def held(self) -> NDArray[np.float64]:
        """These scores."""
        ...


def drift_of(model: Model, held: NDArray[np.float64], config: LearnConfig) -> Drift | None:
    """How far the scores of documents with words are from those of training; None where they look alike."""
    drift = compare_scores(held, model.summary, model.n_documents - model.n_empty, config)
    return drift if drift is not None and drift.notable else None


def warn_of_drift(model: Model, scored: Held, config: LearnConfig) -> None:
    """Say so where documents look unlike those of training: what was expected there does not hold for them."""
    if drift := drift_of(model, scored.held, config):
        warn(
            f"The scores of these documents look unlike those of training ({drift}), so the threshold may not fit them,"
            " and the precision and recall expected in training do not hold for them: say which share of them is"
            " relevant with prior, audit them, or fit again."
        )


def posterior_new(model: Model, scored: Held, prior: float | None, config: LearnConfig) -> Posterior:
    """The chance of every score, for new documents; with a prior of their own the prior odds are changed to it."""
    if prior is None:
        warn_of_drift(model, scored, config)
        return model.decisions.posterior
    return model.decisions.posterior.for_prior(_number(prior))


def decide_new(model: Model, scored: Held, rule: CutRule, prior: float | None, config: LearnConfig) -> Decisions:
    """The decisions for new documents; with a prior of their own they are cut again."""
    if prior is None:
        warn_of_drift(model, scored, config)
        return model.decisions
    new = _number(prior)
    if not rule.depends_on_prior:
        raise SettingError(
            f"The threshold was asked for as {in_python(rule.plain)}, which no prior changes; leave prior out, or"
            " decide by threshold='prior' first."
        )
    return decide_others(model.decisions, scored.held, rule, new) if len(scored.held) else model.decisions


def rank_new(model: Model, scored: Scored, decisions: Decisions) -> Ranking:
    """New documents in order; pseudo-positive are those that hold a keyword or an expansion."""
    matches, exclusions = scored.found or count_in(scored.tokens, model.terms, model.reading)
    return Ranking(
        scores=scored.scores,
        positive=decisions.positive(scored.scores, scored.out),
        pseudo_positive=np.diff(matches.indptr) > 0,
        empty=scored.empty,
        chances=np.where(scored.out, 0.0, decisions.posterior.at(scored.scores)),
        matches=matches,
        terms=model.terms,
        own_terms=[keyword.term for keyword in model.keywords],
        scorer=model.scorer,
        readable=scored.readable,
        exclusions=exclusions,
    )


def _number(prior: float) -> float:
    checked = check_prior(prior)
    if isinstance(checked, str):
        raise SettingError(f"The prior of new documents must be a number between 0 and 1; got {prior!r}.")
    return checked
