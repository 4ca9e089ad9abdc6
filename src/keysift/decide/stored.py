"""Decisions in a model file, and new decisions from what the file keeps."""

import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keysift.decide.cuts import CutRule, cut_rule
from keysift.decide.decisions import Decisions, cut_again
from keysift.decide.drift import SUMMARY
from keysift.decide.posterior import Expected, Posterior
from keysift.decide.prior import PriorEstimate, check_prior
from keysift.errors import ModelFileError, SettingError
from keysift.files.fields import Columns, DamagedPartError, Fields
from keysift.files.tensors import Arrays, read_model, write_model
from keysift.files.typed import restored

ANY = sys.float_info.max
"""A threshold may be any finite number: scores are compared with it and nothing else."""
TINY = 1e-12
"""A chance is not nearer to 0 or 1."""
BASES = ("given", "heuristic", "estimate", "audit")
"""Where a prior may come from."""


def pack_decisions(decisions: Decisions) -> tuple[Arrays, dict[str, Any]]:
    """Arrays, and the rest as JSON can hold it."""
    posterior = decisions.posterior
    arrays = {
        "decisions.knots": posterior.scores,
        "decisions.chances": posterior.chances,
        "decisions.priors": posterior.priors,
    }
    return arrays, {
        "prior": asdict(decisions.prior),
        "rule": decisions.rule.plain,
        "threshold": decisions.threshold,
        "expected": asdict(decisions.expected),
        "basis": posterior.basis,
        "tail": posterior.tail,
        "measured": posterior.measured,
    }


def unpack_decisions(arrays: Arrays, decided: object) -> Decisions:
    """The decisions of `pack_decisions`; whatever they did not hold is refused."""
    plain, columns = Fields.of(decided, "decisions"), Columns(arrays)
    plain.only("prior", "rule", "threshold", "expected", "basis", "tail", "measured")
    chances = columns.numbers("decisions.chances", (None, None), TINY, 1 - TINY)
    knots = columns.numbers("decisions.knots", (chances.shape[1],))
    priors = columns.numbers("decisions.priors", (chances.shape[0],), 0.0, 1.0)
    if not chances.size or (np.diff(knots) <= 0).any():
        raise DamagedPartError("the array decisions.knots must hold ascending scores")
    if not ((priors > 0) & (priors < 1)).all():
        raise DamagedPartError("the array decisions.priors must hold numbers between 0 and 1")
    posterior = Posterior(
        knots, chances, priors, plain.number("tail", 0, 0.5), plain.text("basis"), plain.truth("measured")
    )
    prior = restored(PriorEstimate, plain.any("prior"), "decisions.prior")
    if not (0 < prior.value < 1 and 0 <= prior.low <= prior.high <= 1) or prior.basis not in BASES:
        raise DamagedPartError(
            "decisions.prior must be a share between 0 and 1, with its bounds and where it comes from"
        )
    expected = restored(Expected, plain.any("expected"), "decisions.expected", boundless=["threshold"])
    threshold = plain.number("threshold", -ANY, ANY)
    if not math.isfinite(expected.threshold) or expected.count < 0:
        raise DamagedPartError("decisions.expected must be what is to be expected of a cut")
    return Decisions(prior, posterior, cut_rule(plain.any("rule")), threshold, expected)


def unpack_summary(arrays: Arrays, documents: int, empty: int) -> NDArray[np.float64]:
    """The scores of so many training documents, or their quantiles."""
    summary = Columns(arrays).numbers("decisions.scores", (min(documents - empty, SUMMARY),))
    if (np.diff(summary) < 0).any():
        raise DamagedPartError("the array decisions.scores must be in order")
    return summary


def decide_again(
    decisions: Decisions,
    summary: NDArray[np.float64],
    documents: int,
    rule: CutRule,
    prior: object,
) -> Decisions:
    """New decisions about so many training documents, from what a model file keeps of their scores.

    Empty documents are not among them: they have no say.
    """
    given = None if prior is None else check_prior(prior)
    if isinstance(given, str):
        raise SettingError(f"A loaded model has no documents to take the prior {given!r} from; give it as a number.")
    again = cut_again(decisions, summary, rule, given)
    if len(summary) == documents:
        return again
    count = round(again.expected.count * documents / max(1, len(summary)))  # the file has quantiles only
    return replace(again, expected=replace(again.expected, count=count))


def recut_model(path: str | Path, target: str | Path, rule: CutRule, prior: float | None) -> tuple[Decisions, int]:
    """Write the model of a file with other decisions to `target`; returns these, and the number of its documents.

    What scores is not even looked at: no code of a user's own is needed.
    """
    arrays, saved = read_model(path)
    refuse_checkpoint(path, saved)
    with damage_named(path):
        learned, constructor = Fields.of(saved.get("learned"), "learned"), Fields.of(saved.get("constructor"), "")
        documents = learned.whole("n_documents", 1)
        empty = learned.whole("n_empty", 0, documents - 1)
        before, summary = unpack_decisions(arrays, saved.get("decisions")), unpack_summary(arrays, documents, empty)
    decisions = decide_again(before, summary, documents - empty, rule, prior)
    kept, saved["decisions"] = pack_decisions(decisions)
    saved["constructor"] = {**constructor.given, "threshold": rule.plain}
    if prior is not None:
        saved["constructor"]["prior"] = decisions.prior.value
    write_model(target, {**arrays, **kept}, saved)
    return decisions, documents


def refuse_checkpoint(path: str | Path, saved: dict[str, Any]) -> None:
    """Say so where a file is no model but a training run."""
    if "checkpoint" in saved:
        raise ModelFileError(f"{path} is a checkpoint and no model; fit with resume to finish it, and save the model.")


@contextmanager
def damage_named(path: str | Path) -> Iterator[None]:
    """Whatever the block finds wrong with the parts of a model is one sentence that names its file."""
    try:
        yield
    except ModelFileError:
        raise
    except (ArithmeticError, AttributeError, LookupError, MemoryError, TypeError, ValueError) as error:
        reason = str(error).splitlines()[0].rstrip(".") if str(error) else type(error).__name__
        raise ModelFileError(
            f"Cannot read the model {path}: a part is missing or damaged ({reason:.200}); fit and save it again."
        ) from None
