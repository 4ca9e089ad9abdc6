"""Decisions in a model file, and new decisions from what the file keeps."""

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keysift.decide.cuts import CutRule, cut_rule
from keysift.decide.decisions import Decisions, cut_again
from keysift.decide.posterior import Posterior, expected_from
from keysift.decide.prior import PriorEstimate, check_prior
from keysift.errors import ModelFileError, SettingError
from keysift.files.tensors import Arrays, read_model, write_model


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


def unpack_decisions(arrays: Arrays, decided: dict[str, Any]) -> Decisions:
    """The decisions of `pack_decisions`."""
    return Decisions(
        PriorEstimate(**decided["prior"]),
        Posterior(
            arrays["decisions.knots"],
            arrays["decisions.chances"],
            arrays["decisions.priors"],
            float(decided["tail"]),
            str(decided["basis"]),
            bool(decided["measured"]),
        ),
        cut_rule(decided["rule"]),
        float(decided["threshold"]),
        expected_from(decided["expected"]),
    )


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
    if "checkpoint" in saved:
        raise ModelFileError(f"{path} is a checkpoint and no model; fit with resume to finish it, and save the model.")
    try:
        learned = saved["learned"]
        documents, empty = int(learned["n_documents"]), int(learned["n_empty"])
        before = unpack_decisions(arrays, saved["decisions"])
        decisions = decide_again(before, arrays["decisions.scores"], documents - empty, rule, prior)
        kept, saved["decisions"] = pack_decisions(decisions)
        saved["constructor"]["threshold"] = rule.plain
        if prior is not None:
            saved["constructor"]["prior"] = decisions.prior.value
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, SettingError):
            raise
        raise ModelFileError(f"Cannot read the model {path}: a part is missing or damaged ({error!r}).") from None
    write_model(target, {**arrays, **kept}, saved)
    return decisions, documents
