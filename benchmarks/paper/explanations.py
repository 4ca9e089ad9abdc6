"""Why a cell is not the paper's: a sentence for every cell that is marked.

An explanation is looked up from the special to the general: (table, set, system, measure), then (table, set, system),
(set, system), (table, system) and (system,). Tables: main, default, heuristic, sweep, data.
"""

from benchmarks.paper.datasets import SETS

__all__ = ["EXPLANATIONS", "UNEXPLAINED", "explain"]

UNEXPLAINED = "not explained yet."

OTHER_LABELS = (
    "the paper states (α, γ) = (1, 50) for Subj, and we keep to it, but its figures here look like those of (3, 5), as"
    " on the other sets: with (3, 5) we are within a point of its AUC, F1 and ACC at the true, the default and the"
    " heuristic threshold, while NB and Maxent agree with it only under (1, 50) (last table)."
)
TIES = (
    "the hundred best are all tied at probability 1, so the order of the test documents decides: the best order gives"
    " 100, the worst 0. Ours is the mean over all orders."
)
FEW_STEPS = (
    "NLTK's default of 100 iterations is used; after 9 steps of scaling instead of 99 the figures are nearer to the"
    " paper's (last table), so fewer may have been run there."
)
NO_ZERO = (
    "the risk sees only differences of scores, so a score has no zero of its own: how many are above 0.5 is what the"
    " first weights and the length of the training make of it. AUC and the figures at a prior do not depend on it."
)
PAST_ITS_BEST = (
    "the ranking is best in the middle of the training and the keywords themselves are learned after that, with the"
    " paper's own 50 epochs as with ours: at its best epoch the AUC is the paper's (section Fewer epochs)."
)
BY_CHANCE = "one or two cells of the twenty in this sweep, just beyond two combined standard errors."
AT_THE_TOP = (
    "not explained: AUC, F1 and accuracy are the paper's, which has fewer positives at the very top in both rows with"
    " true labels."
)
OTHER_SPLITS = "probably the luck of our twenty splits: "

EXPLANATIONS: dict[tuple[str, ...], str] = {
    **{("20ng", system): PAST_ITS_BEST for system in ("Sigmoid", "Logistic", "O-Sigmoid")},
    **{("sweep", name, "Sigmoid"): BY_CHANCE for name in ("custrev", "ayi")},
    **{("default", name, system): NO_ZERO for name in SETS for system in ("Sigmoid", "Logistic")},
    **{("main", name, "O-Sigmoid", "prec100"): AT_THE_TOP for name in ("custrev", "mpqa")},
    **{("subj", system): OTHER_LABELS for system in ("PU-NB", "RandomForest", "KNN")},
    ("main", "subj", "KNN", "prec100"): (
        "as for AUC, probably the pseudo-labels of (3, 5), and ties: with those labels we come nearer (last table), and"
        " the paper's lies between the worst and the best order of the ties."
    ),
    **{("main", name, "PU-NB", "prec100"): TIES for name in ("subj", "custrev", "mpqa", "ayi")},
    ("main", "20ng", "NB", "prec100"): TIES,
    ("20ng", "NB"): (
        "four documents in ten are tied at probability 1, and the cut takes in all of them; how many they are depends"
        " on the tokens, of which the paper does not say whether they were lower-cased."
    ),
    ("custrev", "Maxent"): FEW_STEPS,
    ("custrev", "O-Maxent"): FEW_STEPS,
    ("main", "custrev", "O-Maxent", "prec100"): (
        "not met by any reading: 86.5 after 9 steps of scaling. O-Sigmoid is below ours there in the same way, though"
        " its AUC is the paper's; both rows are lower in the paper than systems without labels whose AUC is far lower."
    ),
    ("custrev", "Voting"): OTHER_SPLITS + "Voting learns nothing, and with twenty others it is nearer (last table).",
    ("ayi", "NB"): OTHER_SPLITS + "with twenty others it is nearer (last table).",
    ("20ng", "KNN"): (
        "the score has eleven levels, and the cut at this prior falls between two of them: F1 is much"
        " lower in a trial where it takes in the lower level than where it does not, and the paper's mean lies between."
    ),
    ("ayi", "KNN"): (
        "the score has eleven levels, and the cut at this prior falls on one or the next from trial to trial."
    ),
    ("20ng", "RandomForest"): (
        "not explained: the cut made on the test scores, no bootstrap, vectors of unit length and another tokenizer"
        " were tried, and none is nearer."
    ),
    ("ayi", "RandomForest"): BY_CHANCE,
    ("20ng", "GloVeRanking"): (
        "the cosines of long posts, and so how many are above 0.5, depend on how they are split into words, which the"
        " paper does not say."
    ),
}


def explain(table: str, name: str, system: str, measure: str) -> str:
    """The sentence for a marked cell, or that there is none yet."""
    keys: tuple[tuple[str, ...], ...] = (
        (table, name, system, measure),
        (table, name, system),
        (name, system),
        (table, system),
        (system,),
    )
    return next((EXPLANATIONS[key] for key in keys if key in EXPLANATIONS), UNEXPLAINED)
