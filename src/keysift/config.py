"""Every tuned number in one place: what it does, and the value that measured best."""

from dataclasses import asdict, dataclass, fields
from numbers import Integral, Real
from typing import Any

from keysift.errors import SettingError

WHOLE = {
    "max_iter": 1,
    "round_steps": 1,
    "lsa_size": 1,
    "rounds": 1,
    "encoder_patience": 1,
    "trial_rounds": 1,
    "neighbours": 1,
    "most_compared": 2,
    "spreading_steps": 1,
    "example_words": 1,
    "example_sample": 1,
    "folds": 2,
    "fewest_left_out": 1,
    "most_others": 1,
    "known_words": 0,
    "most_negated": 0,
    "fewest_negated": 2,
    "fewest_documents": 1,
    "most_suggestions": 0,
    "fewest_best": 1,
    "drift_documents": 1,
}
"""Fields that hold a whole number, and the least that each may be."""


@dataclass(frozen=True)
class LearnConfig:
    """How to learn and how to decide; an ablation is `dataclasses.replace(LearnConfig(), rounds=2)`.

    >>> LearnConfig(rounds=0)
    Traceback (most recent call last):
    keysift.errors.SettingError: rounds must be a whole number, 1 or more; got 0.
    """

    # The fit of one view.
    l2: float = 0.15
    """Strength of the penalty on the coefficients when learning from the keywords."""
    round_l2: float = 0.04
    """The same in a round of self-training, where there are more positives."""
    neighbour_l2: float = 0.01
    """The same when learning from neighbours, which share rare words and names: these are to be learned."""
    max_iter: int = 200
    """Limit of L-BFGS steps when learning from the keywords."""
    round_steps: int = 25
    """The same where the labels are a guess and the fit need not be exact."""
    tol: float = 1e-4
    """The largest component of the gradient at which L-BFGS stops."""

    # The views.
    lsa_size: int = 200
    """Directions of greatest variance that the view lsa keeps."""
    encoder_weight: float = 8.0
    """How much sentence vectors count in the score; each view of words counts 1."""
    negation_weight: float = 4.0
    """How much the direction from negated to plain copies counts in the score."""
    lexical_teaching: float = 0.5
    """How much tfidf and lsa each count when another view learns from them: the two are very similar."""
    encoder_teaching: float = 4.0
    """The same for sentence vectors."""
    negation_teaching: float = 2.0
    """The same for the direction of negation."""
    mean_neighbour_weight: float = 0.5
    """How much each view of mean vectors counts in what is learned from neighbours."""
    tfidf_neighbour_weight: float = 2.0
    """The same for tfidf, which sees the rare words that neighbours share."""
    encoder_neighbour_weight: float = 0.25
    """The same for sentence vectors and the direction of negation."""
    known_words: int = 100_000
    """So many of the most frequent words of the word vectors get a score, even if no training document holds them."""

    # Self-training: views learn from each other.
    self_training: float | str = "auto"
    """The share of documents taken as positive beside those with a keyword; "neighbours" takes the documents near
    those; "auto" tries several strategies and blends them by a quality that needs no label."""
    shares: tuple[float, ...] = (0.0, 0.1, 0.5)
    """Shares that "auto" tries; zero is the keywords alone."""
    encoder_shares: tuple[float, ...] = (0.0, 0.1, 0.2, 0.5)
    """The same with sentence vectors."""
    rounds: int = 4
    """How often the views learn from each other."""
    encoder_patience: int = 3
    """With sentence vectors so many times as many rounds: they go on learning when words have nothing new to say."""
    trial_rounds: int = 2
    """Rounds that are enough to compare strategies."""
    added_weight: float = 0.5
    """How much a document counts that self-training adds, beside one with a keyword."""
    answer_weight: float = 1.0
    """How much a document counts that a person judged."""
    correction_l2: float = 20.0
    """Penalty of the correction by one answer of each kind; it falls as answers come in."""

    # Neighbours.
    neighbours: int = 20
    """Nearest documents that are looked at."""
    most_compared: int = 20_000
    """Comparing all with all takes the square of their number: of more documents a sample is compared."""
    common_word: float = 0.1
    """A word in a larger share of the documents does not make two of them similar."""
    spreading_steps: int = 6
    """How often keywords spread from document to document along the neighbours."""
    restart: float = 0.1
    """The share of each step that starts again at the documents with a keyword."""
    reach: float = 2.0
    """So many times as many documents are taken as positive as hold a keyword."""
    least_reach: float = 0.05
    """And at least this share of all documents."""
    trust_from: float = 0.6
    """Neighbours that find left-out keywords with a lower AUC are not trusted."""
    trust_fully: float = 0.75
    """Neighbours that find them with a higher AUC are trusted fully."""
    neighbour_benefit: float = 0.3
    """Weight of learning from neighbours in the blend, if all strategies are equally good and neighbours trusted."""
    example_weight: float = 5.0
    """Deviation of the score by the most similar training documents where only neighbours are learned from: about as
    much as the four views of words together."""
    example_words: int = 50
    """Words of each document, the heaviest ones, that are compared with training documents."""
    copy_similarity: float = 0.999
    """A training document at least this similar is taken for the document itself, which tells nothing of it."""
    example_sample: int = 2_000
    """Training documents that are enough to know the usual score by similar documents."""

    # Negated copies ("not great"), for sentence vectors.
    negation: str = "not"
    """The word put before a keyword to negate it; an empty one: nothing is negated."""
    most_negated: int = 300
    """Documents with a negated keyword that are enough to see where it leads."""
    fewest_negated: int = 10
    """So many are needed to tell."""
    negation_auc: float = 0.55
    """The direction is followed if it finds documents with masked keywords with at least this AUC."""
    negation_deviations: float = 1.64
    """And by so many standard deviations better than chance, which chance alone reaches once in twenty times."""

    # Quality without labels.
    folds: int = 3
    """Groups of keywords that are left out in turn."""
    fewest_left_out: int = 5
    """A fold with fewer documents to look for says nothing."""
    most_others: int = 5_000
    """Documents without a keyword that are enough to compare with."""
    blend_tolerance: float = 0.04
    """The share of the quality above chance that a strategy may lose before it counts less by a factor of e."""
    benefit_offset: float = 0.1
    """A strategy of a larger share s gets the benefit of the doubt: (s + this)^2."""
    chance_deviations: float = 3.0
    """A quality less than so many standard deviations above chance tells nothing of the strategies."""
    telling_chance: float = 0.6
    """But only where chance reaches no more than this: of few documents even a poor measure is the best there is."""
    view_deviations: float = 1.64
    """Sentence vectors within so many deviations of chance tell nothing: 19 of 20 that are noise find less."""
    negligible: float = 0.01
    """What counts less in the blend is left out."""

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
                if not _is_number(value) or not 0 <= value < float("inf"):
                    raise SettingError(f"{field.name} must be a number, 0 or more; got {value!r}.")
            elif isinstance(field.default, tuple):
                _check_numbers(field.name, value)
        chosen = self.self_training
        if chosen not in ("auto", "neighbours") and not (_is_number(chosen) and 0 <= float(chosen) < 1):
            raise SettingError(
                f"self_training must be 'auto', 'neighbours' or a share from 0 to below 1; got {chosen!r}."
            )
        if not isinstance(self.negation, str):
            raise SettingError(f"negation must be a word like 'not', or empty; got {self.negation!r}.")

    def plain(self) -> dict[str, Any]:
        """The numbers as JSON can hold them.

        >>> LearnConfig().plain()["shares"]
        [0.0, 0.1, 0.5]
        """
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}

    @classmethod
    def restore(cls, plain: dict[str, Any]) -> "LearnConfig":
        """From what `plain` gave.

        >>> LearnConfig.restore(LearnConfig(rounds=2).plain()) == LearnConfig(rounds=2)
        True
        """
        given: dict[str, Any] = {name: tuple(one) if isinstance(one, list) else one for name, one in plain.items()}
        return cls(**given)


def _check_whole(name: str, value: object, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, Integral) or int(value) < least:
        raise SettingError(f"{name} must be a whole number, {least} or more; got {value!r}.")


def _check_numbers(name: str, value: object) -> None:
    if (
        not isinstance(value, tuple)
        or not value
        or not all(_is_number(one) and 0 <= one < float("inf") for one in value)
    ):
        raise SettingError(f"{name} must be a tuple of numbers, 0 or more; got {value!r}.")


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


DEFAULT = LearnConfig()
