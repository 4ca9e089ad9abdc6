"""Why a cell is not the paper's: a sentence for every cell that is marked.

An explanation is looked up from the special to the general: (table, set, system, measure), then (table, set, system),
(set, system), (table, system) and (system,). Tables: main, default, heuristic, sweep, data.
"""

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
OTHER_SPLITS = "probably the luck of our twenty splits: "

EXPLANATIONS: dict[tuple[str, ...], str] = {
    **{("subj", system): OTHER_LABELS for system in ("PU-NB", "RandomForest", "KNN")},
    ("main", "subj", "KNN", "prec100"): (
        "as for AUC, probably the pseudo-labels of (3, 5), and ties: with those labels we have 89.0 in the mean over"
        " the orders of ties, 85.3 in the worst and 95.8 in the best; the paper's lies between."
    ),
    **{("main", name, "PU-NB", "prec100"): TIES for name in ("subj", "custrev", "mpqa", "ayi")},
    ("main", "20ng", "NB", "prec100"): TIES,
    ("20ng", "NB"): (
        "four documents in ten are tied at probability 1, and the cut takes in all of them; how many they are depends"
        " on the tokens: as they are written, not lower-cased, accuracy is 67.8 (two trials)."
    ),
    ("custrev", "Maxent"): FEW_STEPS,
    ("custrev", "O-Maxent"): FEW_STEPS,
    ("main", "custrev", "O-Maxent", "prec100"): (
        "not met by any reading: 86.5 after 9 steps of scaling. O-Sigmoid is below ours there in the same way, though"
        " its AUC is the paper's; both rows are lower in the paper than systems without labels whose AUC is far lower."
    ),
    ("custrev", "Voting"): OTHER_SPLITS + "Voting learns nothing, and on trials 20 to 39 and 40 to 59 its F1 is 61.8"
    " and 61.9, its accuracy 63.1 and 63.2.",
    ("ayi", "NB"): OTHER_SPLITS + "on trials 20 to 39 and 40 to 59 F1 at the true prior is 61.2 and 60.9, accuracy 62.0"
    " and 61.8.",
    ("20ng", "KNN"): (
        "the score has eleven levels, and the cut at this prior falls between two of them: F1 is about 83 in a trial"
        " where it takes in the lower level, about 89 where it does not, and the paper's mean lies between."
    ),
    ("ayi", "KNN"): (
        "the score has eleven levels, and the cut at this prior falls on one or the next from trial to trial."
    ),
    ("20ng", "RandomForest"): (
        "not explained: the cut made on the test scores (87.9), no bootstrap (88.3), vectors of unit length (88.2) and"
        " NLTK's tokens (88.3) were tried on five or six trials and are no nearer."
    ),
    ("ayi", "RandomForest"): "a single cell of the twenty in this sweep, just beyond two combined standard errors.",
    ("20ng", "GloVeRanking"): (
        "the cosines of long posts depend on the tokens: with NLTK's tokenizer in place of words between punctuation F1"
        " is 54.3 and accuracy 62.5 (six trials)."
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
