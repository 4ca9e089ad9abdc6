"""The model file: what is in it, and how a fitted model is made again from it. Data, never code."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keysift.config import DEFAULT, LearnConfig
from keysift.corpus.columns import Columns
from keysift.decide.cuts import CutRule, cut_rule
from keysift.decide.decisions import Decisions
from keysift.decide.drift import summary_of
from keysift.decide.stored import decide_again, pack_decisions, unpack_decisions
from keysift.errors import ModelFileError, SettingError
from keysift.features.views import AUTO, view_names
from keysift.files.tensors import Arrays, read_model, write_model
from keysift.keywords.exclusions import typed
from keysift.keywords.expansion import Keyword, keyword_from
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
        "encoder": str(encoder) if isinstance(encoder, str | Path) else None,
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


def load_model(path: str | Path, *, tokenizer: Tokenizer | None, network: Any) -> tuple[Model, dict[str, Any]]:
    """The model, and the arguments of the classifier that made it; code of the user's own is handed in again."""
    arrays, saved = read_model(path)
    if "checkpoint" in saved:
        raise ModelFileError(f"{path} is a checkpoint and no model; fit with resume to finish it, and save the model.")
    try:
        if saved["own_tokenizer"] and tokenizer is None:
            raise ModelFileError(
                f"The model {path} was fitted with a tokenizer of your own; load it in Python with"
                " keysift.load(path, tokenizer=...)."
            )
        arguments: dict[str, Any] = dict(saved["constructor"])
        if arguments["model"] is None:
            if network is None:
                raise ModelFileError(
                    f"The model {path} was fitted with a module of your own; load it in Python with"
                    " keysift.load(path, model=...), a module built the same way."
                )
            arguments["model"] = check_model(network)
        views = tuple(arguments["views"])
        arguments["views"] = AUTO if views == (AUTO,) else views
        if isinstance(arguments["threshold"], list):  # as JSON has a tuple
            arguments["threshold"] = tuple(arguments["threshold"])
        arguments["settings"] = Settings(**{**saved["settings"], "tokenizer": tokenizer})
        arguments["learning"] = LearnConfig.restore(saved["learning"])
        arguments["training"] = Training(**saved["training"]) if saved["training"] else None
        return _restored(arrays, saved, arguments), arguments
    except (ModelFileError, SettingError):
        raise
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ModelFileError(f"Cannot read the model {path}: a part is missing or damaged ({error!r}).") from None


def _restored(arrays: Arrays, saved: dict[str, Any], arguments: dict[str, Any]) -> Model:
    learned = saved["learned"]
    scorer: Scorer
    if arguments["model"] == "linear":
        scorer = ViewScorer.restore(arrays, saved["scorer"])
    else:
        plan = arguments["training"] or Training()
        scorer = import_networks().NetworkScorer.restore(arrays, saved["scorer"], arguments["model"], plan)
    quality = learned["quality"]
    return Model(
        scorer=scorer,
        keywords=tuple(keyword_from(fields) for fields in learned["keywords"]),
        terms=tuple(tuple(map(str, term)) for term in learned["terms"]),
        decisions=unpack_decisions(arrays, saved["decisions"]),
        quality=Quality.restore(quality, arguments["learning"]) if quality else None,
        suggested=tuple(Suggestion(**fields) for fields in learned["suggested"]),
        summary=arrays["decisions.scores"],
        n_documents=int(learned["n_documents"]),
        n_empty=int(learned["n_empty"]),
        encoded_length=learned["encoded_length"],
        reading=arguments["settings"].for_language(learned.get("language", "none")),
        columns=Columns.restore(learned.get("columns")),
        excluded=tuple(keyword_from(fields) for fields in learned["excluded"]),
    )
