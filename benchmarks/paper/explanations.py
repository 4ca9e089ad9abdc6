"""Why a cell is not the paper's: a note for every cell that is marked, and the experiments that it rests on.

A note is looked up from the special to the general: (table, set, system, measure), then (table, set, system), (set,
system), (table, system) and (system,). Tables: main, default, heuristic, sweep, data.
"""

from dataclasses import dataclass

from benchmarks.paper.datasets import SETS
from benchmarks.paper.experiments import PADDED, TIES, WHOLE

__all__ = ["EXPLANATIONS", "UNEXPLAINED", "Note", "explain", "note_of"]

UNEXPLAINED = "not explained yet."


@dataclass(frozen=True)
class Note:
    """A sentence, and the titles of the experiments that are to have the paper's figure."""

    text: str
    by: tuple[str, ...] = ()


def _other_labels(system: str) -> Note:
    return Note(
        "the paper states (α, γ) = (1, 50) for Subj, and we keep to it, but its figures here look like those of (3, 5),"
        " as on the other sets: with (3, 5) we are within a point of its AUC, F1 and ACC at the true, the default and"
        " the heuristic threshold, while NB and Maxent agree with it only under (1, 50) (last table).",
        (f"{system}, pseudo-labels of (3, 5)",),
    )


def _padding(system: str) -> Note:
    return Note(
        "the authors' code pads every document to 200 places and masks nothing, and we mask. The risk sees only"
        " differences of scores, so how many are above 0.5 is what the first weights and the padding make of it; with"
        " padding the figures move to the paper's (section Padding). The length of the training is not the reason: 50"
        " epochs give what the short plan gives. AUC and the figures at a prior hardly depend on it.",
        (f"{system}{PADDED}", f"{system}{WHOLE}"),
    )


def _few_steps(system: str) -> Note:
    return Note(
        "NLTK's default of 100 iterations is used; after 9 steps of scaling instead of 99 the figures are nearer to the"
        " paper's (last table), so fewer may have been run there.",
        (f"{system}, 9 steps",),
    )


def _last_epoch(system: str) -> Note:
    return Note(
        "our ranking is best early in the training, and the keywords themselves are learned after that, with the"
        " paper's own 50 epochs as with ours. That an epoch chosen by true labels would have the paper's figure"
        " explains nothing. With padding and batches of documents of similar length, as in the authors' code, the last"
        " epoch keeps more of it (section 20NG: the last epoch; five trials), more than the paper's: its F1 lies"
        " between that row and ours.",
        (f"{system}{PADDED}, batches by length", f"{system}, batches by length"),
    )


def _by_nltk(system: str, text: str) -> Note:
    return Note(text, (f"{system}, NLTK's tokenizer",))


TIED = Note(
    "the hundred best are all tied at probability 1, so the order of the test documents decides: the best order gives"
    " 100, the worst 0. Ours is the mean over all orders.",
    (TIES,),
)
AT_300 = (
    "AUC, F1 and accuracy agree, and both rows with true labels are lower in the paper by the same factor, with smaller"
    " standard errors: it looks like the precision of more documents than 100. 300 was chosen by O-Maxent, for which it"
    " gives the paper's figure (last table); of O-Sigmoid, which had no say, it is noted in `exact.jsonl` (Cells that"
    " differ)."
)
EVERY_SPLIT = (
    "not explained. It is not the luck of the splits: twenty others differ by as much. White-space tokens as they are"
    " written are further away, Algorithm 1 with scikit-learn's tokens changes nothing, and NLTK's tokens are above the"
    " paper by half of what ours are below (last table)."
)
AT_A_FEW_CUTS = Note(
    "not explained: a few cuts of this sweep, just beyond two combined errors; padding does not take them away.",
    (f"Sigmoid{PADDED}",),
)
OTHER_TOKENS = (
    "on the tokens of NLTK's tokenizer, which the authors' code uses, the figure is the paper's (last table)."
)
LEVELS = (
    "the score has eleven levels, and the cut at this prior falls between two of them: F1 is much lower in a trial"
    " where it takes in the lower level than where it does not. NLTK's tokens do not change that; with ties in a random"
    " order, so that the cut takes in no more than its share, the figures are the paper's (last table)."
)

EXPLANATIONS: dict[tuple[str, ...], Note] = {
    **{("20ng", system): _last_epoch(system) for system in ("Sigmoid", "Logistic", "O-Sigmoid")},
    **{("sweep", name, "Sigmoid"): AT_A_FEW_CUTS for name in ("custrev", "ayi")},
    **{("default", name, system): _padding(system) for name in SETS for system in ("Sigmoid", "Logistic")},
    **{
        ("default", "20ng", system): Note(
            "not explained. A score has no zero of its own, and padding moves all of them (section Padding), here too"
            " far: with padding and batches by length, F1 of both is 76 in five trials, where the masked ones have 54"
            " and 42 in twenty and the paper 59 and 52.",
            (f"{system}{PADDED}, batches by length",),
        )
        for system in ("Sigmoid", "Logistic")
    },
    ("main", "custrev", "O-Sigmoid", "prec100"): Note(AT_300, ("O-Sigmoid, 50 epochs, precision at 300",)),
    ("main", "mpqa", "O-Sigmoid", "prec100"): Note(
        "not explained: AUC, F1 and accuracy are the paper's, which has fewer positives at the very top.",
        ("O-Sigmoid, 50 epochs", f"O-Sigmoid{PADDED}"),
    ),
    **{("subj", system): _other_labels(system) for system in ("PU-NB", "RandomForest", "KNN")},
    ("main", "subj", "KNN", "prec100"): Note(
        "as for AUC, probably the pseudo-labels of (3, 5), and ties: with those labels we come nearer (last table), and"
        " the paper's lies between the worst and the best order of the ties.",
        ("KNN, pseudo-labels of (3, 5)", TIES),
    ),
    **{("main", name, "PU-NB", "prec100"): TIED for name in ("subj", "custrev", "mpqa", "ayi")},
    ("main", "20ng", "NB", "prec100"): TIED,
    ("20ng", "NB"): Note(
        "four documents in ten are tied at probability 1, and the cut takes in all of them; how many they are depends"
        " on the tokens. With Algorithm 1 on scikit-learn's tokens, as in the authors' code, the figure is the paper's"
        " (last table).",
        ("NB, Algorithm 1 with scikit-learn's tokens", "NB, NLTK's tokenizer"),
    ),
    ("custrev", "Maxent"): _few_steps("Maxent"),
    ("custrev", "O-Maxent"): _few_steps("O-Maxent"),
    ("main", "custrev", "O-Maxent", "prec100"): Note(AT_300, ("O-Maxent, 9 steps, precision at 300",)),
    ("custrev", "Voting"): Note(
        "probably the luck of our twenty splits: Voting learns nothing, and with twenty others it is nearer (last"
        " table).",
        ("Voting, other splits",),
    ),
    ("ayi", "NB"): Note(EVERY_SPLIT, ("NB, NLTK's tokenizer",)),
    ("20ng", "KNN"): Note(LEVELS, ("KNN, ties in a random order",)),
    ("ayi", "KNN"): _by_nltk("KNN", OTHER_TOKENS),
    **{
        (name, "RandomForest"): Note(
            "probably the luck of our twenty splits, and of ten trees: with twenty others it is nearer (last table)."
            " NLTK's tokens, as words or sentence by sentence, and Algorithm 1 with scikit-learn's tokens are not.",
            ("RandomForest, other splits",),
        )
        for name in ("ayi", "20ng")
    },
    ("20ng", "GloVeRanking"): Note(
        OTHER_TOKENS, ("GloVeRanking, NLTK's tokenizer by sentence", "GloVeRanking, NLTK's tokenizer")
    ),
}


def note_of(table: str, name: str, system: str, measure: str) -> Note:
    """The note for a marked cell, or that there is none yet."""
    keys: tuple[tuple[str, ...], ...] = (
        (table, name, system, measure),
        (table, name, system),
        (name, system),
        (table, system),
        (system,),
    )
    return next((EXPLANATIONS[key] for key in keys if key in EXPLANATIONS), Note(UNEXPLAINED))


def explain(table: str, name: str, system: str, measure: str) -> str:
    """The sentence of the note."""
    return note_of(table, name, system, measure).text
