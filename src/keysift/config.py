"""Every tuned number in one place: what it does, and the value that measured best."""

from dataclasses import asdict, dataclass, fields
from numbers import Integral, Real
from typing import Any

from keysift.errors import SettingError, shortened

WHOLE = {
    "max_iter": 1,
    "round_steps": 1,
    "most_negated": 0,
    "fewest_negated": 1,
    "negated_characters": 1,
    "taught_steps": 1,
    "rounds": 0,
    "unread_documents": 0,
    "denied": 0,
    "opening": 0,
    "folds": 2,
    "fewest_left_out": 1,
    "fewest_documents": 1,
    "most_suggestions": 0,
    "fewest_best": 1,
    "drift_documents": 1,
}
"""Fields that hold a whole number, and the least that each may be."""
LARGEST, MOST = 1e12, 1_000_000
"""No number is larger: its square can still be computed, and so many rounds would still end."""


@dataclass(frozen=True)
class LearnConfig:
    """How to learn and how to decide; an ablation is `dataclasses.replace(LearnConfig(), rounds=2)`.

    >>> LearnConfig(rounds=-1)
    Traceback (most recent call last):
    keysift.errors.SettingError: rounds must be a whole number, 0 or more; got -1.
    """

    # The fit of one view.
    l2: float = 1.0
    """Strength of the penalty on the coefficients when learning from the keywords."""
    round_l2: float = 0.1
    """The same in a round of self-training, where there are more positives."""
    max_iter: int = 100
    """Limit of L-BFGS steps when learning from the keywords."""
    round_steps: int = 15
    """The same in a round of self-training, where the labels are a guess and the fit need not be exact."""
    tol: float = 1e-4
    """The largest component of the gradient at which L-BFGS stops."""

    # Keywords.
    denied: int = 3
    """A keyword does not count within so many words behind a negation: "not a great film"."""
    opening: int = 30
    """A keyword among so many first words of a document counts double."""

    # Sentence vectors.
    encode_budget: float = 120.0
    """Seconds for encoding; documents that do not fit into them are scored by words that the encoder taught."""
    negation: str = "auto"
    """The word put before a keyword to find its opposite: "not" in English text; an empty one: nothing is negated."""
    most_negated: int = 120
    """Documents with a negated keyword that are enough to see where it leads."""
    fewest_negated: int = 3
    """So many are needed to tell."""
    negated_characters: int = 300
    """Characters of a document that are enough to see what a negated keyword does."""
    opposite_weight: float = 8.0
    """How much the direction away from the opposite counts in the score, times the square of its cosine."""
    taught_damping: float = 3.0
    """Penalty of the regression by which words stand in for sentence vectors that there was no time to make."""
    taught_steps: int = 30
    """The most steps of that regression."""

    # Self-training.
    rounds: int = 4
    """How often the views learn from what they rank highest together."""
    share: float = 0.3
    """The share of the documents that joins the positive ones in a round."""
    added_weight: float = 0.5
    """How much each of them counts, beside a document of mean strength."""
    opposite_from: float = 0.3
    """Self-training is trusted where the opposite leads away from the keywords with at least this cosine."""
    allowed_loss: float = 0.07
    """And where it makes at most this share more errors, as the quality without labels counts them."""
    least_held: float = 0.02
    """These errors count only where at least this share of the documents holds a keyword."""

    # Neighbourhoods.
    neighbours_behind: float = 0.05
    """They count where documents of left-out keywords are found by them at most so much worse than by their vectors."""

    # Words.
    few_words: float = 5.0
    """Where the median document has so many different words, they count half as much in the score as in long ones."""
    means_weight: float = 0.5
    """How much it counts in the score what the documents that hold a word score on average."""
    means_added: float = 10.0
    """So many average words are added to those of a document, so that these means tell less of a short one."""

    # Answers of a person.
    answer_weight: float = 1.0
    """How much a document counts that a person judged relevant."""
    correction_l2: float = 5.0
    """Penalty of the fit to one answer of each kind; it falls as answers come in."""
    correction_tol: float = 1e-3
    """The largest component of the gradient at which that fit stops."""
    unread_weight: float = 1.0
    """How much the documents without an answer count as irrelevant, all together, beside the irrelevant answers."""
    unread_documents: int = 1000
    """So many of them at most, so that an answer is learned in a moment."""
    answers_start: float = 0.15
    """How much the score by answers counts in each view at first, beside the score by keywords."""
    trust_l2: float = 2.0
    """Penalty on how far these weights are from where they start; it falls as answers come in."""
    few_answers: float = 30.0
    """With so many answers that penalty is twice as large, as pairs of few documents agree by chance."""
    trust_unread: float = 0.2
    """How much the documents without an answer count beside the irrelevant answers when the weights are told."""
    doubt: float = 10.0
    """So many irrelevant answers at the top and no relevant one halve the say of the keywords in what is read next."""

    # Quality without labels.
    folds: int = 4
    """Groups of keywords that are left out in turn."""
    fewest_left_out: int = 5
    """A fold with fewer documents to look for says nothing."""
    chance_deviations: float = 3.0
    """A quality less than so many standard deviations above chance may be chance."""

    # Verdicts on keywords, and words to add.
    fewest_documents: int = 5
    """Fewer documents say nothing about a word."""
    agreement: float = 0.6
    """Keywords whose beliefs have a lower median hardly find each other's documents: all verdicts are unclear."""
    ambiguous_below: float = 0.5
    """A keyword is ambiguous if it is less than this share as far above chance as the others."""
    least_lift: float = 2.0
    """A word to add is at least so many times as frequent in the best documents as in the rest."""
    most_suggestions: int = 12
    """Words to add that are shown."""
    fewest_best: int = 50
    """The best documents are those decided positive, and at least so many."""

    # Drift of new documents.
    drift_documents: int = 50
    """Fewer new documents are no distribution."""
    drift_distance: float = 0.1
    """A Kolmogorov-Smirnov distance that matters."""
    drift_pvalue: float = 0.001
    """And a chance of it that is small enough."""

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name in WHOLE:
                _check_whole(field.name, value, WHOLE[field.name])
            elif isinstance(field.default, float):
                if not (_is_number(value) and 0 <= value < float("inf")):
                    raise SettingError(f"{field.name} must be a number, 0 or more; got {value!r}.")
                if value > LARGEST:
                    raise SettingError(f"{field.name} must be a number, {LARGEST:g} at most; got {shortened(value)}.")
        if not isinstance(self.negation, str):
            raise SettingError(f"negation must be a word like 'not', or empty; got {self.negation!r}.")

    def plain(self) -> dict[str, Any]:
        """The numbers as JSON can hold them.

        >>> LearnConfig(rounds=2).plain()["rounds"]
        2
        """
        return asdict(self)

    @classmethod
    def restore(cls, plain: dict[str, Any]) -> "LearnConfig":
        """From what `plain` gave.

        >>> LearnConfig.restore(LearnConfig(rounds=2).plain()) == LearnConfig(rounds=2)
        True
        """
        return cls(**plain)


def _check_whole(name: str, value: object, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, Integral) or int(value) < least:
        raise SettingError(f"{name} must be a whole number, {least} or more; got {value!r}.")
    if int(value) > MOST:
        raise SettingError(f"{name} must be a whole number, {MOST:,} at most; got {shortened(value)}.")


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


DEFAULT = LearnConfig()
