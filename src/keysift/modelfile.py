"""The model file: what is in it, and how a fitted model is made again from it. Data, never code."""

from dataclasses import asdict, dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keysift.config import DEFAULT, LearnConfig
from keysift.corpus.columns import Columns
from keysift.decide.cuts import CutRule, cut_rule
from keysift.decide.decisions import Decisions
from keysift.decide.drift import summary_of
from keysift.decide.prior import check_prior
from keysift.decide.stored import (
    damage_named,
    decide_again,
    pack_decisions,
    refuse_checkpoint,
    unpack_decisions,
    unpack_summary,
)
from keysift.encoding.encoder import TextEncoder
from keysift.errors import ModelFileError
from keysift.features.views import AUTO, view_names
from keysift.files.fields import DamagedPartError, Fields
from keysift.files.tensors import Arrays, checksum, read_model, write_model
from keysift.files.typed import restored
from keysift.keywords.exclusions import typed
from keysift.keywords.expansion import Keyword
from keysift.keywords.suggestions import Suggestion
from keysift.learn.quality import Quality
from keysift.learn.scorer import Scorer, ViewScorer
from keysift.networks.choice import check_model, import_networks
from keysift.networks.training import Training
from keysift.pipeline import Learned, Matches, Prepared, suggest
from keysift.risk.losses import get_loss
from keysift.settings import Settings
from keysift.text.counts import Term
from keysift.text.tokens import Tokenizer
from keysift.vectors.words import WordVectors

PARTS = ("constructor", "decisions", "settings", "learning", "learned", "scorer", "training", "own_tokenizer")
"""What the header of a model file has."""
FINGERPRINT = 12
"""Characters of a fingerprint: an accident makes two models the same once in 10^14."""
ARGUMENTS = ("keywords", "prior", "threshold", "vectors", "views", "encoder", "loss", "model", "random_state")
"""Arguments of the classifier that are a part of their own."""


@dataclass(frozen=True, eq=False)
class Model:
    """A fitted model: all that scoring, reasons and decisions need."""

    scorer: Scorer
    keywords: tuple[Keyword, ...]
    """With their expansions."""
    terms: tuple[Term, ...]
    """Those of them that have a say."""
    decisions: Decisions
    quality: Quality | None
    suggested: tuple[Suggestion, ...]
    summary: NDArray[np.float64]
    """The scores of training documents that are not empty, or their quantiles."""
    n_documents: int
    n_empty: int
    """Documents with the lowest score: empty ones, and those with an excluded keyword."""
    encoded_length: int | None
    """Of sentence vectors; None without an encoder."""
    reading: Settings
    """How documents are read, with the language of those of training."""
    columns: Columns | None = None
    """The columns of the table that the documents came from."""
    excluded: tuple[Keyword, ...] = ()
    """Keywords whose documents score lowest."""

    @cached_property
    def fingerprint(self) -> str:
        """A hash of all that makes a score, by which the rankings of this model are known; no cut changes it."""
        arrays, settings = self.scorer.save()
        # A letter first, so that no spreadsheet takes it for a number.
        made = {**settings, "excluded": [keyword.text for keyword in self.excluded]}
        return f"k{checksum(arrays, made)[:FINGERPRINT]}"

    def decide_again(self, rule: CutRule, prior: object) -> Decisions:
        """Other decisions about the training documents; their scores need not be there."""
        return decide_again(self.decisions, self.summary, self.n_documents - self.n_empty, rule, prior)


def model_of(prepared: Prepared, matches: Matches, learned: Learned, decisions: Decisions) -> Model:
    """The model that the stages of the pipeline made."""
    scorer = learned.scorer
    out = prepared.empty | matches.excluded
    encoder = scorer.encoder if isinstance(scorer, ViewScorer) else None  # networks and other views need no vectors
    return Model(
        scorer=scorer,
        keywords=matches.keywords,
        terms=learned.labels.terms,
        decisions=decisions,
        quality=learned.quality,
        suggested=suggest(prepared, matches, learned, decisions),
        summary=summary_of(learned.scores[~out]),
        n_documents=len(prepared),
        n_empty=int(out.sum()),
        encoded_length=None if encoder is None else len(encoder.coef),
        reading=prepared.settings,
        excluded=() if matches.exclusions is None else matches.exclusions.keywords,
    )


def save_model(path: str | Path, model: Model, arguments: dict[str, Any]) -> None:
    """Write one safetensors file with the model and the arguments of its classifier."""
    settings, learning = arguments["settings"] or Settings(), arguments["learning"] or DEFAULT
    training, vectors, encoder = arguments["training"], arguments["vectors"], arguments["encoder"]
    constructor = {
        "keywords": typed(model.keywords, model.excluded),
        "prior": arguments["prior"],
        "threshold": cut_rule(arguments["threshold"]).plain,
        "vectors": vectors.name if isinstance(vectors, WordVectors) else str(vectors),
        "views": view_names(arguments["views"]),
        "encoder": _encoder_name(encoder),
        "loss": get_loss(arguments["loss"]).name,
        "model": arguments["model"] if isinstance(arguments["model"], str) else None,
        "random_state": arguments["random_state"] if isinstance(arguments["random_state"], int) else None,
    }
    arrays, scorer = model.scorer.save()
    kept, decisions = pack_decisions(model.decisions)
    learned = {
        "keywords": [asdict(keyword) for keyword in model.keywords],
        "excluded": [asdict(keyword) for keyword in model.excluded],
        "terms": model.terms,
        "n_documents": model.n_documents,
        "n_empty": model.n_empty,
        "floor": model.scorer.floor,
        "encoded_length": model.encoded_length,
        "language": model.reading.language,
        "quality": model.quality and model.quality.plain(),
        "suggested": [asdict(suggestion) for suggestion in model.suggested],
        "columns": model.columns and model.columns.plain(),
    }
    write_model(
        path,
        {**arrays, **kept, "decisions.scores": model.summary},
        {
            "constructor": constructor,
            "decisions": decisions,
            "settings": settings.plain(),
            "learning": learning.plain(),
            "learned": learned,
            "scorer": scorer,
            "training": training and training.plain(),
            "own_tokenizer": settings.tokenizer is not None,
        },
    )


def _encoder_name(encoder: Any) -> str | None:
    """The name by which an encoder can be loaded again; a function has none."""
    if isinstance(encoder, TextEncoder) and not encoder.asked:
        return encoder.name
    return str(encoder) if isinstance(encoder, str | Path) else None


def load_model(path: str | Path, *, tokenizer: Tokenizer | None, network: Any) -> tuple[Model, dict[str, Any]]:
    """The model, and the arguments of the classifier that made it; code of the user's own is handed in again.

    Every part is checked: a damaged file gives a `ModelFileError` and never other scores.
    """
    arrays, saved = read_model(path)
    refuse_checkpoint(path, saved)
    with damage_named(path):
        file = Fields(saved, "the model").only(*PARTS)
        own_tokenizer, constructor = file.truth("own_tokenizer"), file.inner("constructor")
        own_network = constructor.any("model") is None
    if own_tokenizer and tokenizer is None:
        raise ModelFileError(
            f"The model {path} was fitted with a tokenizer of your own; load it in Python with"
            " keysift.load(path, tokenizer=...)."
        )
    if own_network and network is None:
        raise ModelFileError(
            f"The model {path} was fitted with a module of your own; load it in Python with"
            " keysift.load(path, model=...), a module built the same way."
        )
    with damage_named(path):
        arguments = _arguments(file, tokenizer)
    if own_network:
        arguments["model"] = check_model(network)
    if arguments["model"] != "linear":
        import_networks()  # what is missing on this machine is no damage
    with damage_named(path):
        return _restored(arrays, file, arguments), arguments


def _arguments(file: Fields, tokenizer: Tokenizer | None) -> dict[str, Any]:
    """The arguments of the classifier."""
    given = file.inner("constructor").only(*ARGUMENTS)
    keywords = given.inner("keywords")
    views, threshold = given.texts("views"), cut_rule(given.any("threshold")).plain
    return {
        "keywords": {text: keywords.number(text, 0.0) for text in keywords.given},
        "prior": check_prior(given.any("prior")),
        "threshold": tuple(threshold) if isinstance(threshold, list) else threshold,  # as JSON has a tuple
        "vectors": given.text("vectors"),
        "views": AUTO if views == (AUTO,) else views,
        "encoder": given.maybe("encoder", given.text),
        "loss": get_loss(given.text("loss")).name,
        "model": given.maybe("model", lambda name: check_model(given.text(name))),
        "random_state": given.maybe("random_state", lambda name: given.whole(name, -(2**63), 2**64)),
        "settings": Settings(**{**file.inner("settings").given, "tokenizer": tokenizer}),
        "learning": LearnConfig.restore({**file.inner("learning").given}),
        "training": file.maybe("training", lambda name: _training(file.inner(name))),
    }


def _restored(arrays: Arrays, file: Fields, arguments: dict[str, Any]) -> Model:
    learned = file.inner("learned")
    documents = learned.whole("n_documents", 1)
    empty = learned.whole("n_empty", 0, documents - 1)
    decisions, summary = unpack_decisions(arrays, file.any("decisions")), unpack_summary(arrays, documents, empty)
    own = {name: array for name, array in arrays.items() if not name.startswith("decisions.")}
    scorer: Scorer
    if arguments["model"] == "linear":
        scorer = ViewScorer.restore(own, file.any("scorer"))
    else:
        plan = arguments["training"] or Training()
        scorer = import_networks().NetworkScorer.restore(own, file.any("scorer"), arguments["model"], plan)
    length = learned.maybe("encoded_length", lambda name: learned.whole(name, 1))
    encoder = scorer.encoder if isinstance(scorer, ViewScorer) else None
    if length != (None if encoder is None else len(encoder.coef)):
        raise DamagedPartError("learned.encoded_length must be the length of the sentence vectors")
    if not np.isclose(learned.number("floor"), scorer.floor):
        raise DamagedPartError("learned.floor must be the lowest score there is")
    quality = learned.maybe("quality", learned.inner)
    return Model(
        scorer=scorer,
        keywords=tuple(restored(Keyword, one.given, one.where) for one in learned.objects("keywords")),
        terms=restored(tuple[Term, ...], learned.items("terms"), "learned.terms"),
        decisions=decisions,
        quality=None if quality is None else _quality(quality, arguments["learning"]),
        suggested=tuple(restored(Suggestion, one.given, one.where, ["lift"]) for one in learned.objects("suggested")),
        summary=summary,
        n_documents=documents,
        n_empty=empty,
        encoded_length=length,
        reading=arguments["settings"].for_language(learned.text("language")),
        columns=Columns.restore(learned.given.get("columns")),
        excluded=tuple(restored(Keyword, one.given, one.where) for one in learned.objects("excluded")),
    )


def _training(given: Fields) -> Training:
    """How a network was trained; no code, and no file to write."""
    given.only(*(field.name for field in fields(Training)))
    if given.any("checkpoint") is not None or given.truth("resume"):
        raise DamagedPartError("training must not name a checkpoint")
    given.text("optimizer"), given.truth("fine_tune")
    return Training(**given.given)


def _quality(given: Fields, config: LearnConfig) -> Quality:
    """What was measured without a label; NaN where nothing could be."""
    return Quality.restore({name: given.measured(name) for name in given.given}, config)
