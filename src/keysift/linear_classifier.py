"""The symmetric-loss AUC classifier on a feature matrix, for those who bring their own features and labels."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from keysift.decide.cuts import cut_at_prior
from keysift.decide.prior import check_prior
from keysift.errors import SettingError
from keysift.features.linear import Features, LinearModel
from keysift.learn.linear_fit import History, fit_linear
from keysift.learn.sharded_fit import Each, TrainingShard, fit_sharded
from keysift.risk.losses import Loss, get_loss


class PairwiseLinearClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Linear classifier that maximises the AUC between two possibly corrupted sets, over all pairs.

    Parameters
    ----------
    loss
        A name from `keysift.risk.losses.LOSSES`; symmetric ones keep their minimiser when the sets are corrupted.
    l2
        Strength of the penalty l2/2 |w|^2 on the standardised features.
    prior
        Share of documents that `predict` calls positive on the training data; "heuristic" takes the share of
        the second class in `y`.
    standardize
        Divide each feature by its deviation; sparse features stay sparse.
    max_iter, tol
        Limit of L-BFGS steps, and the largest component of the gradient at which they stop.
    warm_start
        Start from the coefficients of the previous fit.

    >>> X = np.array([[0.0], [0.1], [0.9], [1.0]])
    >>> PairwiseLinearClassifier().fit(X, [0, 0, 1, 1]).predict([[0.2], [0.8]]).tolist()
    [0, 1]
    """

    def __init__(
        self,
        *,
        loss: str | Loss = "sigmoid",
        l2: float = 0.15,
        prior: float | str = "heuristic",
        standardize: bool = True,
        max_iter: int = 200,
        tol: float = 1e-6,
        warm_start: bool = False,
    ) -> None:
        self.loss = loss
        self.l2 = l2
        self.prior = prior
        self.standardize = standardize
        self.max_iter = max_iter
        self.tol = tol
        self.warm_start = warm_start

    def __sklearn_tags__(self) -> Tags:
        """Two classes, dense or sparse features."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.sparse = True
        return tags

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> "PairwiseLinearClassifier":
        """Learn from features and pseudo-labels; the larger label is the positive one."""
        prior = self._checked_prior()
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64)
        check_classification_targets(y)
        weights = (
            None
            if sample_weight is None
            else _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        )
        if weights is not None:
            kept = np.flatnonzero(weights > 0)
            X, y, weights = X[kept], y[kept], weights[kept]
        classes, coded = np.unique(y, return_inverse=True)
        _check_two(classes)
        positive = coded == 1
        before: NDArray[np.float64] | None = getattr(self, "coef_", None) if self.warm_start else None
        start = before[0] if before is not None and before.shape[1] == X.shape[1] else None
        model, history = fit_linear(
            X,
            positive,
            get_loss(self.loss),
            l2=self.l2,
            weights=weights,
            start=start,
            max_iter=self.max_iter,
            tol=self.tol,
            standardize=self.standardize,
        )
        # Cut the scores without offset: then coef . x + intercept is zero, not a rounding error, for ties at the cut.
        return self._assign(classes, model, history, LinearModel(model.coef, 0.0).score(X), positive, weights, prior)

    def fit_shards(self, shards: Iterable[tuple[Any, ArrayLike]], *, each: Each = map) -> "PairwiseLinearClassifier":
        """`fit` on rows in parts that need not be in memory, over all pairs of all parts: the same to 1e-6.

        A shard is its features, an array (`np.load(path, mmap_mode="r")`) or a sparse one, and the labels of its rows.
        In every step it adds a histogram and a gradient, which are small. `each` runs them, such as the `map` of a pool
        of threads. Only smooth losses can do that, and `warm_start` has no say.

        >>> X, y = np.array([[0.0], [0.1], [0.9], [1.0]]), np.array([0, 0, 1, 1])
        >>> sharded = PairwiseLinearClassifier().fit_shards([(X[:3], y[:3]), (X[3:], y[3:])])
        >>> whole = PairwiseLinearClassifier().fit(X, y)
        >>> bool(np.abs(sharded.coef_ - whole.coef_).max() < 1e-6), sharded.predict([[0.2], [0.8]]).tolist()
        (True, [0, 1])
        """
        prior = self._checked_prior()
        parts = [(X, np.asarray(y)) for X, y in shards]
        if not parts:
            raise SettingError("There is no shard to learn from; give at least one, as (features, labels).")
        classes = np.unique(np.concatenate([np.unique(y) for _, y in parts]))
        _check_two(classes)
        training = [TrainingShard(X, *(1.0 * (y == one) for one in classes[::-1])) for X, y in parts]
        settings: dict[str, Any] = {"max_iter": self.max_iter, "tol": self.tol, "standardize": self.standardize}
        model, history = fit_sharded(training, get_loss(self.loss), l2=self.l2, each=each, **settings)
        scores = np.concatenate(list(each(lambda shard: shard.scores(model.coef), training)))
        positive = np.concatenate([y == classes[1] for _, y in parts])
        self.n_features_in_ = len(model.coef)
        return self._assign(classes, model, history, scores, positive, None, prior)

    def _checked_prior(self) -> float | str:
        prior = check_prior(self.prior)
        if prior in ("estimate", "audit"):
            raise SettingError(f"prior must be a number between 0 and 1 or 'heuristic' here; got {prior!r}.")
        if not self.l2 >= 0:
            raise SettingError(f"l2 must be 0 or more; got {self.l2!r}.")
        return prior

    def _assign(
        self,
        classes: NDArray[Any],
        model: LinearModel,
        history: History,
        scores: NDArray[np.float64],
        positive: NDArray[np.bool_],
        weights: NDArray[np.float64] | None,
        prior: float | str,
    ) -> "PairwiseLinearClassifier":
        self.classes_, self.history_, self.n_iter_ = classes, history, history.steps
        self.prior_ = float(np.average(positive, weights=weights)) if isinstance(prior, str) else prior
        # scikit-learn's convention: positive means above zero, so the threshold moves into the intercept.
        self.coef_ = model.coef[None, :]
        self.intercept_ = np.array([-cut_at_prior(scores, self.prior_, weights)])
        return self

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Scores, the threshold subtracted: higher is more relevant, above zero is positive."""
        check_is_fitted(self)
        features: Features = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        return LinearModel(self.coef_[0], float(self.intercept_[0])).score(features)

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of each row."""
        check_is_fitted(self)
        return np.asarray(self.classes_[(self.decision_function(X) > 0).astype(int)])


def _check_two(classes: NDArray[Any]) -> None:
    if len(classes) == 1:
        raise SettingError(f"y holds only one class, {classes.tolist()[0]!r}; both sets are needed.")
    if len(classes) > 2:
        raise SettingError(f"Only binary classification is supported; y holds {len(classes)} classes.")
