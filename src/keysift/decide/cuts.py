"""Where to cut the ranking: one small class for each rule.

The scores alone cannot tell (Section 4.3 of the paper). The cut comes from the class prior, from the precision, recall
or F1 to be expected of it, from a given score or from a number of documents. A document is positive when its score is
*above* the threshold. To add a rule, write its class and enter it in `RULES`.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Protocol, TypeAlias, TypeGuard, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from keysift.decide.posterior import Posterior
from keysift.errors import SettingError

Plain: TypeAlias = str | float | list[str | float]
"""A rule as JSON can hold it."""


@runtime_checkable
class CutRule(Protocol):
    """Turns the scores of a ranking into a threshold.

    >>> scores = np.array([1.0, 2.0, 3.0, 4.0])
    >>> posterior = Posterior(scores, np.array([[0.0, 0.6, 0.8, 1.0]]), np.array([0.6]), 0.0, "")
    >>> rules = AtPrior(), MaxF1(), Precision(0.9), Recall(0.4), Top(2), AtScore(1.7)
    >>> [rule.threshold(scores, 0.25, posterior) for rule in rules]
    [3.5, 1.5, 2.5, 3.5, 2.5, 1.7]
    """

    @property
    def depends_on_prior(self) -> bool:
        """Whether another prior moves the threshold."""

    @property
    def plain(self) -> Plain:
        """The rule as JSON can hold it; `cut_rule` reads it again."""

    def threshold(self, scores: NDArray[np.float64], prior: float, posterior: Posterior) -> float:
        """The score above which a document is positive."""


Threshold: TypeAlias = CutRule | Plain | tuple[str, float]
"""A rule, or how a user writes one: "prior", "max_f1", ("precision", 0.9), ("recall", 0.95), ("top", 100), a score."""


def cut_at_top(scores: NDArray[np.float64], k: int) -> float:
    """A threshold with the k highest scores above it, or as near to k as ties allow.

    >>> cut_at_top(np.array([0.1, 0.4, 0.2, 0.3]), 2)
    0.25
    """
    return _cut_at_mass(scores, np.ones(len(scores)), k)


def cut_at_prior(scores: NDArray[np.float64], prior: float, weights: NDArray[np.float64] | None = None) -> float:
    """The empirical version of Eq. 4: the share `prior` of the training documents scores above the threshold.

    A document of weight two counts as two.

    >>> cut_at_prior(np.array([0.1, 0.4, 0.2, 0.3]), 0.25)
    0.35
    """
    weights = np.ones(len(scores)) if weights is None else weights
    return _cut_at_mass(scores, weights, prior * float(weights.sum()))


def _cut_at_mass(scores: NDArray[np.float64], weights: NDArray[np.float64], wanted: float) -> float:
    """Between two different scores, where the weight above comes nearest to what is wanted."""
    levels, level_of = np.unique(scores, return_inverse=True)
    above = np.append(np.cumsum(np.bincount(level_of, weights)[::-1])[::-1], 0.0)
    # above[i] is the weight of level i and all higher ones. Of two equally near, the one with less above.
    best = len(above) - 1 - int(np.argmin(np.abs(above - wanted)[::-1]))
    if best == len(levels):
        return float(levels[-1])
    if best == 0:
        return float(np.nextafter(levels[0], -np.inf))
    upper, lower = float(levels[best]), float(levels[best - 1])
    middle = lower + (upper - lower) / 2
    return middle if middle < upper else lower


@dataclass(frozen=True, eq=False)
class _PossibleCuts:
    """Every cut that can be made, from the top: only between two different scores."""

    counts: NDArray[np.int64]
    """Documents above each cut."""
    found: NDArray[np.float64]
    """Relevant documents to be expected above each cut."""

    @property
    def relevant(self) -> float:
        """Relevant documents to be expected in all: the last cut has everything above it."""
        return float(self.found[-1])


def _possible_cuts(scores: NDArray[np.float64], posterior: Posterior) -> _PossibleCuts:
    ordered = np.sort(scores)[::-1]
    found = np.cumsum(posterior.at(ordered))
    ends = np.flatnonzero(np.append(ordered[:-1] > ordered[1:], True))
    return _PossibleCuts(ends + 1, found[ends])


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)


def _share(name: str, value: object) -> float:
    if not _is_number(value) or not 0 < value < 1:
        raise SettingError(f"{name} must be a share between 0 and 1; got {value!r}.")
    return float(value)


def _whole(name: str, value: object) -> int:
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < 1:
        raise SettingError(f"{name} must be a whole number above 0; got {value!r}.")
    return int(value)


def _finite(name: str, value: object) -> float:
    try:
        if _is_number(value) and math.isfinite(value):
            return float(value)
    except OverflowError:  # a whole number that no float can hold
        pass
    raise SettingError(f"{name} must be a finite number; got {value!r}.")


@dataclass(frozen=True)
class AtPrior:
    """The share of positive documents is the prior."""

    depends_on_prior: ClassVar[bool] = True
    plain: ClassVar[Plain] = "prior"

    def threshold(self, scores: NDArray[np.float64], prior: float, posterior: Posterior) -> float:
        """The threshold of Eq. 4, on these scores."""
        return cut_at_prior(scores, prior)


@dataclass(frozen=True)
class MaxF1:
    """The highest expected F1."""

    depends_on_prior: ClassVar[bool] = True
    plain: ClassVar[Plain] = "max_f1"

    def threshold(self, scores: NDArray[np.float64], prior: float, posterior: Posterior) -> float:
        """The possible cut where the expected F1 is highest."""
        cuts = _possible_cuts(scores, posterior)
        best = np.argmax(2 * cuts.found / (cuts.counts + cuts.relevant))
        return cut_at_top(scores, int(cuts.counts[best]))


@dataclass(frozen=True)
class Precision:
    """As many documents as possible at an expected precision of at least this share."""

    share: float
    depends_on_prior: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "share", _share("precision", self.share))

    @property
    def plain(self) -> Plain:
        """The name and the share."""
        return ["precision", self.share]

    def threshold(self, scores: NDArray[np.float64], prior: float, posterior: Posterior) -> float:
        """The lowest possible cut that keeps the precision, or an error that says which precision is in reach."""
        cuts = _possible_cuts(scores, posterior)
        precision = cuts.found / cuts.counts
        enough = np.flatnonzero(precision >= self.share)
        if not len(enough):
            top = np.argmax(precision)
            best_there_is = np.floor(1000 * precision[top]) / 1000  # rounded up, it would be out of reach as well
            raise SettingError(
                f"No cut has an expected precision of {self.share:g}: the best is {best_there_is:.3f}, at the top"
                f" {cuts.counts[top]:,} (from {posterior.basis}); ask for at most that, or audit the ranking (20"
                " answers are a beginning) to know more."
            )
        return cut_at_top(scores, int(cuts.counts[enough[-1]]))


@dataclass(frozen=True)
class Recall:
    """As few documents as possible at an expected recall of at least this share."""

    share: float
    depends_on_prior: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "share", _share("recall", self.share))

    @property
    def plain(self) -> Plain:
        """The name and the share."""
        return ["recall", self.share]

    def threshold(self, scores: NDArray[np.float64], prior: float, posterior: Posterior) -> float:
        """The highest possible cut that reaches the recall."""
        cuts = _possible_cuts(scores, posterior)
        best = np.argmax(cuts.found / cuts.relevant >= self.share - 1e-12)
        return cut_at_top(scores, int(cuts.counts[best]))


@dataclass(frozen=True)
class Top:
    """The k best documents, or as near to k as ties allow."""

    k: int
    depends_on_prior: ClassVar[bool] = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", _whole("top", self.k))

    @property
    def plain(self) -> Plain:
        """The name and the number."""
        return ["top", self.k]

    def threshold(self, scores: NDArray[np.float64], prior: float, posterior: Posterior) -> float:
        """The cut below the k-th document."""
        return cut_at_top(scores, min(self.k, len(scores)))


@dataclass(frozen=True)
class AtScore:
    """The score that was given, whatever the documents are."""

    score: float
    depends_on_prior: ClassVar[bool] = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "score", _finite("score", self.score))

    @property
    def plain(self) -> Plain:
        """The score."""
        return self.score

    def threshold(self, scores: NDArray[np.float64], prior: float, posterior: Posterior) -> float:
        """The score itself."""
        return self.score


SCORE = "score"
"""The rule that a number alone stands for."""
RULES: dict[str, CutRule] = {
    "prior": AtPrior(),
    "max_f1": MaxF1(),
    "precision": Precision(0.9),
    "recall": Recall(0.95),
    "top": Top(100),
    SCORE: AtScore(1.5),
}
"""An example of each rule, by name. How it is written, and how many values it takes, is read off its `plain`."""


def cut_rule(given: object) -> CutRule:
    """The rule that a user of Python, or a model file, means.

    >>> cut_rule("prior"), cut_rule(("precision", 0.8)), cut_rule(["top", 20]), cut_rule(0.5)
    (AtPrior(), Precision(share=0.8), Top(k=20), AtScore(score=0.5))
    >>> cut_rule("best")
    Traceback (most recent call last):
    ...
    keysift.errors.SettingError: threshold must be 'prior', 'max_f1', ('precision', 0.9), ('recall', 0.95),
    ('top', 100) or a score such as 1.5; got 'best'.
    """
    if isinstance(given, CutRule) and not isinstance(given, type):  # a class has the attributes of its instances
        return given
    return _read(given, given, in_python)


def parse_cut(text: str) -> CutRule:
    """The rule that a text of the command line means.

    >>> [parse_cut(text) for text in ("max_f1", "recall=0.8", "top=20", "0.5")]
    [MaxF1(), Recall(share=0.8), Top(k=20), AtScore(score=0.5)]
    >>> parse_cut("precision=90")
    Traceback (most recent call last):
    ...
    keysift.errors.SettingError: threshold must be prior, max_f1, precision=0.9, recall=0.95, top=100 or a score such
    as 1.5; got 'precision=90' (precision must be a share between 0 and 1; got 90).
    """
    name, equals, value = (part.strip() for part in text.partition("="))
    return _read([name, _number_or_text(value)] if equals else _number_or_text(name), text, _on_command_line)


def _read(plain: object, given: object, spell: Callable[[Plain], str]) -> CutRule:
    """Look the rule up by its name and make one with the value; `spell` writes a rule as the user would."""
    name, *values = _parts(plain)
    example = RULES.get(name) if isinstance(name, str) else None
    why = ""
    if example is not None and len(values) == len(_parts(example.plain)) - 1:
        make: Callable[..., CutRule] = type(example)
        try:
            return make(*values)
        except SettingError as error:
            why = f" ({str(error).rstrip('.')})"
    named = ", ".join(spell(rule.plain) for name, rule in RULES.items() if name != SCORE)
    raise SettingError(f"threshold must be {named} or a score such as {RULES[SCORE].plain}; got {given!r}{why}.")


def _parts(plain: object) -> list[object]:
    """Name and values of a rule; a number alone is a score."""
    if isinstance(plain, list | tuple):
        return list(plain) or [None]
    return [SCORE, plain] if _is_number(plain) else [plain]


def in_python(plain: Plain) -> str:
    """A rule as it is written in Python.

    >>> in_python(Top(5).plain)
    "('top', 5)"
    """
    return repr(tuple(plain) if isinstance(plain, list) else plain)


def _on_command_line(plain: Plain) -> str:
    return "=".join(map(str, plain)) if isinstance(plain, list) else str(plain)


def _number_or_text(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
