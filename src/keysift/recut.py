"""A ranking file cut again: other decisions about the same scores, nothing learned.

A model file is cut again by `keysift.decide.stored`.
"""

from dataclasses import replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.audit.ranked_table import ranking_from, without_words
from keysift.decide.curves import usual
from keysift.decide.cuts import AtPrior, AtScore, CutRule, Top
from keysift.decide.decisions import Decisions, make_decisions, with_prior
from keysift.decide.posterior import Posterior
from keysift.decide.prior import GUESSED, PriorEstimate, check_prior, given_prior
from keysift.errors import InputError, SettingError

CHANCE = "chance"
"""The column with the chance of each document to be relevant."""


def recut(
    frame: pl.DataFrame, rule: CutRule, prior: float | None = None, *, source: str = "The ranking"
) -> tuple[pl.DataFrame, Decisions]:
    """The ranking with the decisions of another rule or prior, and these; rows and other columns stay as they are.

    Rules that expect a precision or a recall need the column `chance`, which `keysift rank` writes.

    >>> frame = pl.DataFrame({"id": [1, 2, 3], "rank": [1, 2, 3], "score": [2.0, 1.0, 0.0], "decision": [1, 0, 0],
    ...                       "chance": [0.9, 0.6, 0.1]})
    >>> from keysift.decide.cuts import Precision
    >>> cut, decisions = recut(frame, Precision(0.7))
    >>> cut["decision"].to_list(), round(decisions.expected.precision.value, 2)
    ([1, 1, 0], 0.75)
    """
    ranking_from(frame, source=source)  # to complain of what is no ranking
    every = frame["score"].cast(pl.Float64).to_numpy()
    held = ~without_words(frame)  # empty documents have no say
    scores, chances = every[held], _chances(frame, source)
    if chances is None:
        return _recut_blindly(frame, held, rule, prior, source)
    chances = chances[held]
    mean = float(chances.mean())
    estimate = PriorEstimate(mean, mean, mean, "chances", f"the mean chance in {source}")
    knots, place = np.unique(scores, return_inverse=True)
    at_knots = np.bincount(place, chances) / np.bincount(place)
    posterior = Posterior(knots, at_knots[None, :], np.array([mean]), 0.0, f"the chances in {source}", measured=False)
    common, before = usual(scores)
    if np.allclose(chances, before.at(scores), atol=1e-6):  # nobody gave a prior or an answer
        estimate = PriorEstimate(*common, "estimate", GUESSED)
        posterior = replace(before, basis=posterior.basis, measured=False)
    if prior is not None:
        estimate = given_prior(_number(prior))
        posterior = with_prior(posterior, estimate, scores)
        frame = frame.with_columns(pl.Series(CHANCE, posterior.at(every)))
    decisions = make_decisions(scores, estimate, posterior, rule)
    return _with_decisions(frame, decisions, held), decisions


def _recut_blindly(
    frame: pl.DataFrame, held: NDArray[np.bool_], rule: CutRule, prior: float | None, source: str
) -> tuple[pl.DataFrame, Decisions]:
    """Without chances only a number of documents, a share of them or a score can be asked for."""
    if not isinstance(rule, AtPrior | AtScore | Top) or (isinstance(rule, AtPrior) and prior is None):
        raise InputError(
            f"{source} has no column 'chance', so nothing is known of precision and recall; cut by top=100 or a score,"
            " give the prior as well, or rank again with this keysift."
        )
    scores = frame["score"].cast(pl.Float64).to_numpy()[held]
    share = (
        float((frame["decision"].cast(pl.Float64) == 1).to_numpy()[held].mean()) if prior is None else _number(prior)
    )
    share = min(max(share, 1e-6), 1 - 1e-6)
    flat = Posterior(np.zeros(1), np.full((1, 1), share), np.array([share]), 0.0, "nothing but scores", measured=False)
    decisions = make_decisions(scores, given_prior(share), flat, rule)
    return _with_decisions(frame, decisions, held), decisions


def _with_decisions(frame: pl.DataFrame, decisions: Decisions, held: NDArray[np.bool_]) -> pl.DataFrame:
    positive = decisions.positive(frame["score"].cast(pl.Float64).to_numpy(), ~held)
    decided = pl.Series("decision", positive.tolist()).cast(pl.Int64)  # from an array, polars loads numpy.ma
    kind = frame.schema["decision"]
    return frame.with_columns(decided.cast(kind) if kind == pl.String else decided)


def _chances(frame: pl.DataFrame, source: str) -> NDArray[np.float64] | None:
    if CHANCE not in frame.columns:
        return None
    column = frame[CHANCE].cast(pl.Float64, strict=False)
    wrong = ~column.is_between(0, 1).fill_null(False)
    if wrong.any():
        row = int(wrong.arg_true()[0])
        raise InputError(
            f"{source}: row {row + 1} has the chance {frame[CHANCE][row]!r}; it must be a number from 0 to 1; rank"
            " again to have it written."
        )
    return np.asarray(np.clip(column.to_numpy(), 1e-9, 1 - 1e-9))


def _number(prior: float) -> float:
    checked = check_prior(prior)
    if isinstance(checked, str):
        raise SettingError(f"The prior of a ranking file must be a number between 0 and 1; got {prior!r}.")
    return checked
