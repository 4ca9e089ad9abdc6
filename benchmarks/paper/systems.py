"""All systems by name, in the paper's order, and keysift's linear model on one view after them."""

from collections.abc import Callable

from benchmarks.paper import baselines
from benchmarks.paper.trial import Outcome, Trial

__all__ = ["FAIR", "NETWORKS", "ORACLES", "SYSTEMS"]


def sigmoid(trial: Trial) -> Outcome:
    """The paper's network with the sigmoid loss, on the pseudo-labels."""
    from benchmarks.paper.networks import train_network

    return train_network(trial, "sigmoid", trial.pseudo)


def logistic(trial: Trial) -> Outcome:
    """The paper's network with the logistic loss, on the pseudo-labels."""
    from benchmarks.paper.networks import train_network

    return train_network(trial, "logistic", trial.pseudo)


def oracle_sigmoid(trial: Trial) -> Outcome:
    """The paper's network with the sigmoid loss, on the true labels."""
    from benchmarks.paper.networks import train_network

    return train_network(trial, "sigmoid", trial.train_labels == 1)


SYSTEMS: dict[str, Callable[[Trial], Outcome]] = {
    "Sigmoid": sigmoid,
    "Logistic": logistic,
    "PU-NB": baselines.positive_naive_bayes,
    "NB": baselines.naive_bayes,
    "Maxent": baselines.maxent,
    "RandomForest": baselines.random_forest,
    "KNN": baselines.nearest_neighbours,
    "GloVeRanking": baselines.glove_ranking,
    "Voting": baselines.voting,
    "O-Maxent": baselines.oracle_maxent,
    "O-Sigmoid": oracle_sigmoid,
    "keysift": baselines.default_keysift,
}

NETWORKS = ("Sigmoid", "Logistic", "O-Sigmoid")
"""Those that take minutes where the others take seconds."""

ORACLES = ("O-Maxent", "O-Sigmoid")
"""Those that see the true labels."""

FAIR = tuple(system for system in SYSTEMS if system not in ORACLES)
"""Those that do not."""
