"""All systems by name."""

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.suite.ours import OURS
from benchmarks.suite.outcome import Outcome
from benchmarks.suite.tasks import SuiteTask
from benchmarks.suite.yardstick import counting, distinct_keywords, has_encoder, with_keyword, yardstick

__all__ = ["SYSTEMS", "System", "labels"]

System = Callable[[SuiteTask], Outcome]

FOLDS = 5


def labels(task: SuiteTask) -> Outcome:
    """The reference with labels: logistic regression on TF-IDF, each fold scored by the others; means of the folds."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import average_precision_score, roc_auc_score
    from sklearn.model_selection import StratifiedKFold

    read: dict[str, Any] = {"ngram_range": (1, 2)} if task.spaced else {"analyzer": "char", "ngram_range": (1, 3)}
    scores = np.zeros(len(task.texts))
    aucs, precisions = [], []
    texts = np.array(task.texts, dtype=object)
    for train, test in StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(texts, task.relevant):
        features = TfidfVectorizer(sublinear_tf=True, min_df=2, **read)
        model = LogisticRegression(C=10.0, class_weight="balanced", max_iter=1000)
        model.fit(features.fit_transform(texts[train]), task.relevant[train])
        scores[test] = model.decision_function(features.transform(texts[test]))
        aucs.append(roc_auc_score(task.relevant[test], scores[test]))
        precisions.append(average_precision_score(task.relevant[test], scores[test]))
    measured = {"auc": aucs, "ap": precisions}
    return Outcome(scores, {name: round(100 * float(np.mean(values)), 4) for name, values in measured.items()})


def _yardstick(task: SuiteTask, sentences: bool) -> Outcome:
    scores, weights = yardstick(task, sentences=sentences)
    return Outcome(scores, {}, distinct_keywords(task.texts, task.keywords, task.spaced), weights)


SYSTEMS: dict[str, System] = {
    "counting": lambda task: Outcome(counting(task)),
    "mean difference": lambda task: Outcome(with_keyword(task)),
    "yardstick without sentences": lambda task: _yardstick(task, sentences=False),
    **({"yardstick": lambda task: _yardstick(task, sentences=True)} if has_encoder() else {}),
    **OURS,
    "labels": labels,
}
"""By the names in the file of results; the yardstick is whole only where an encoder comes with keysift."""
