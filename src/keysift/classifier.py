"""The estimator: what a `KeywordRanker` does, with the manners of scikit-learn."""

from dataclasses import fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags

from keysift.config import DEFAULT, LearnConfig
from keysift.errors import SettingError
from keysift.features.prepared import Progress, silent
from keysift.loading import load_as
from keysift.networks.training import Training
from keysift.ranker import KeywordRanker
from keysift.scoring import posterior_new
from keysift.settings import Settings
from keysift.streaming.scale import SAMPLE, Scale, output_path
from keysift.text.tokens import Tokenizer

if TYPE_CHECKING:
    from keysift.sharded import Outcome

__all__ = ["KeywordClassifier", "load"]

PARTS: dict[str, Any] = {"settings": Settings, "learning": LearnConfig, "training": Training}
"""Parameters that hold several values; None stands for their defaults."""
OF_DOCUMENTS = ("documents_", "pseudo_labels_", "history_", "answers_", "keyword_beliefs_", "exclusions_")
"""What a fit in memory knows of its documents."""


class KeywordClassifier(KeywordRanker, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Learn a ranking and a decision from a few keywords and unlabelled documents.

    Parameters
    ----------
    keywords : what you look for: a list, {word: weight}, a comma-separated string or a file; phrases, beginnings (win*)
        and excluded words (-love) are allowed (see `keysift.keywords.syntax`)
    prior : the share of relevant documents; "estimate" guesses it from other corpora and the groups of the
        scores, for no keyword can tell (`ask` can), "heuristic" takes the share of pseudo-positives, "audit" that of
        the `Audit` that is handed to `fit`
    threshold : "prior" (the top share `prior` is positive; of a guess, the best F1 to be expected), "max_f1",
        ("precision", 0.9), ("recall", 0.95), ("top", k) or a score
    vectors : "glove-6b-50d", "corpus" (learned from your documents) or the path of a GloVe or word2vec text file
    views : what the linear model looks at: "auto", one or more of "words", "characters" (pieces of words) and
        "sentences", or views of your own (see `keysift.features.view`)
    encoder : what turns documents into sentence vectors: "minilm", which comes with keysift and knows English; the name
        or folder of a sentence-transformers model (`pip install 'keysift[encoder]'`); a function from a list of texts
        to an array; the vectors of the documents of `fit` themselves; or None
    loss : a name from `keysift.risk.LOSSES`; keep to symmetric ones if you want the guarantee
    model : "linear", which fits in a moment; a network, "rcnn", "cnn" or "mlp" (`pip install 'keysift[neural]'`); or a
        torch.nn.Module of your own, which is copied: word numbers (documents, longest), 0 for padding, or vectors in,
        one score per document out; the number of a word is its row in the word vectors plus one
    training : a `Training` with how a network is trained
    random_state : makes a fit repeatable: vectors="corpus" and networks draw numbers, and so does a budget for encoding
    settings : a `Settings` with how documents and keywords are read
    learning : a `LearnConfig` with every tuned number of learning and deciding

    Attributes
    ----------
    keywords_, terms_ : the keywords with their expansions, and those of them that have a say
    excluded_ : the excluded keywords: documents that hold one count as negatives, score lowest and are never positive
    pseudo_labels_ : the two corrupted sets, the similarities and what matched
    decisions_ : the prior, the threshold and what to expect of it
    prior_, threshold_, prior_estimate_, posterior_, expected_ : the parts of `decisions_`
    documents_, answers_ : the texts, and the answers that were learned from: -1 for none; None without an audit
    scorer_, history_ : the model, with the words that it knows, and how the fit went
    quality_ : what could be said of the ranking without a label; None for networks
    keyword_beliefs_ : how well each keyword and expansion agrees with the others, by term (see `keyword_table`)
    suggested_keywords_ : words that are over-represented in the best documents, which might become keywords

    A fit sets all of them or, if it fails, none.

    >>> documents = ["the goalie saved the hockey game", "parliament passed the tax law",
    ...              "a baseball season of home runs", "the court heard the tax case"]
    >>> clf = KeywordClassifier(["hockey", "baseball"], prior=0.5).fit(documents)
    >>> clf.predict(documents).tolist()
    [1, 0, 1, 0]
    """

    def predict_proba(
        self, documents: Any, *, embeddings: Any = None, prior: float | None = None
    ) -> NDArray[np.float64]:
        """The chances of each document to be irrelevant and to be relevant, a row each; `prior` as in `predict`.

        They are as good as the prior: `prior_` if it is given or answered, else a guess (`prior_estimate_`). What a
        score tells beyond that was measured on labelled corpora, or comes from answers (`ask`).

        >>> documents = ["a hockey game", "a tax law", "the hockey team", "the court"]
        >>> clf = KeywordClassifier(["hockey"], prior=0.5).fit(documents)
        >>> chances = clf.predict_proba(documents)
        >>> chances.shape, bool(chances[0, 1] > chances[1, 1]), round(float(chances[:, 1].mean()), 3)
        ((4, 2), True, 0.5)
        """
        self._check_fitted()
        scored = self._scores(documents, embeddings)
        chances = posterior_new(self.model_, scored, prior, self.learning or DEFAULT).at(scored.scores)
        relevant = np.where(scored.out, 0.0, chances)  # empty, or with an excluded keyword
        return np.column_stack([1 - relevant, relevant])

    def fit_files(
        self,
        source: str | Path,
        output: str | Path | None = None,
        *,
        text: str | list[str] | None = None,
        id: str | None = None,
        sample: int = SAMPLE,
        memory: str | None = None,
        work: str | Path | None = None,
        engine: str = "local",
        address: str | None = None,
        unsorted: bool = False,
        reasons: str = "best",
        progress: Progress = silent,
    ) -> Self:
        """Learn from files of any size, and rank them into `output`, if it is given: what `keysift rank` does.

        - `source`: a file, a folder or a pattern (`"posts/*.parquet"`)
        - `output`: the name of a table (.csv, .parquet, …), or with a slash behind it of a folder of Parquet files
        - `text`, `id`: the columns of the texts and the ids, where they cannot be told
        - `sample`: documents learned from at most, chosen by a hash of their content
        - `memory`: the most memory to use, as "2GB"
        - `work`: a folder that keeps every finished shard; the same call goes on from it, whatever ended the last one
        - `engine`: "local", processes of this machine, or "ray" (`pip install 'keysift[ray]'`), with the same result
        - `address`: that of the Ray cluster; by default the one that is connected to, or runs on this machine
        - `unsorted`: write in the order of the input, without ranks
        - `reasons`: give reasons for the "best" (and all positive) or for "all"

        The classifier then knows what a loaded one knows: it scores and ranks others, and holds no document.

        >>> import os
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     rows = ["text", "a hockey game", "a tax law", "the hockey team", "the court"]
        ...     _ = Path(f"{folder}/posts.csv").write_text(os.linesep.join(rows))
        ...     clf = KeywordClassifier(["hockey"], prior=0.5, encoder=None)
        ...     _ = clf.fit_files(f"{folder}/posts.csv", f"{folder}/ranking.csv", engine="local")
        ...     outcome = clf.rank_files(f"{folder}/posts.csv", f"{folder}/again.csv")
        ...     Path(f"{folder}/ranking.csv").read_text() == Path(f"{folder}/again.csv").read_text()
        True
        >>> outcome.documents, outcome.positive, clf.predict(["the hockey season"]).tolist()
        (4, 2, [1])
        """
        from keysift.sharded import check_named, fit_identity, fit_stream, open_files

        check_named(self)
        scale = Scale(sample, memory, unsorted, reasons, engine, address)
        where = None if output is None else output_path(output)
        ranker = KeywordRanker(**self.arguments())
        own = fit_identity(ranker, scale)
        with open_files(source, {"text": text, "id": id}, scale, work, where, own, progress) as stream:
            outcome = fit_stream(stream, ranker, scale, where, ranked=output is not None)
        self._assign_model(outcome.ranker.model_, None)
        self.encoder_ = outcome.ranker.encoder_
        for name in OF_DOCUMENTS:
            self.__dict__.pop(name, None)
        return self

    def rank_files(
        self,
        source: str | Path,
        output: str | Path,
        *,
        text: str | list[str] | None = None,
        id: str | None = None,
        prior: float | None = None,
        memory: str | None = None,
        work: str | Path | None = None,
        engine: str = "local",
        address: str | None = None,
        unsorted: bool = False,
        reasons: str = "best",
        progress: Progress = silent,
    ) -> "Outcome":
        """Rank files of any size by what was learned, into `output`: what `keysift score` does.

        The parameters are those of `fit_files`, and `prior` as in `predict`. The outcome has the numbers of
        `documents`, of those decided `positive`, and of those left `out`.
        """
        from keysift.sharded import check_named, named_encoder, open_files, rank_identity, rank_stream

        self._check_fitted()
        check_named(self)
        scale = Scale(memory=memory, unsorted=unsorted, reasons=reasons, engine=engine, address=address)
        where, encoder = output_path(output), named_encoder(self)
        own, columns = rank_identity(self, encoder), {"text": text, "id": id}
        with open_files(source, columns, scale, work, where, own, progress, self.columns_) as stream:
            return rank_stream(stream, self, scale, where, encoder=encoder, prior=prior)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name; `deep` also gives every field of `settings`, `learning` and `training`.

        >>> KeywordClassifier(["hockey"]).get_params()["learning__l2"]
        1.0
        """
        params: dict[str, Any] = super().get_params(deep=deep)
        for name, kind in PARTS.items() if deep else ():
            value = kind() if params[name] is None else params[name]
            if isinstance(value, kind):
                params |= {f"{name}__{field}": getattr(value, field) for field in _fields(kind)}
        return params

    def set_params(self, **params: Any) -> Self:
        """Set parameters, also single fields of `settings`, `learning` and `training`, as a grid search does.

        >>> clf = KeywordClassifier(["hockey"]).set_params(prior=0.1, learning__l2=3.0, settings__gamma=5)
        >>> clf.learning.l2, clf.settings.gamma
        (3.0, 5)
        >>> clf.set_params(settings__l2=3.0)
        Traceback (most recent call last):
        keysift.errors.SettingError: There is no parameter 'settings__l2'; did you mean learning__l2?
        """
        within: dict[str, dict[str, Any]] = {}
        known = self.get_params()
        for name, value in params.items():
            part, _, field = name.partition("__")
            if name not in known and not (field and hasattr(known.get(part), "set_params")):
                raise SettingError(f"There is no parameter {name!r}; {_meant(name, known)}")
            if field and part in PARTS:
                within.setdefault(part, {})[field] = value
        super().set_params(**{name: value for name, value in params.items() if name.partition("__")[0] not in within})
        for part, changes in within.items():
            before = params.get(part, getattr(self, part))
            setattr(self, part, replace(PARTS[part]() if before is None else before, **changes))
        return self

    def _repr_html_inner(self) -> str:
        """The headline figures of a fitted model; before the fit, what scikit-learn shows."""
        if not hasattr(self, "model_"):
            return str(super()._repr_html_inner())
        from keysift.present.card import card_html

        return card_html(self)

    def _repr_mimebundle_(self, **options: Any) -> dict[str, str]:
        bundle: dict[str, str] = super()._repr_mimebundle_(**options)
        if "text/html" in bundle:  # as the configuration of scikit-learn has it
            bundle["text/html"] = self._repr_html_inner()
        return bundle

    def __sklearn_tags__(self) -> Tags:
        """One-dimensional text in, two classes out, no labels needed."""
        tags = super().__sklearn_tags__()
        tags.target_tags.required = False
        tags.classifier_tags.multi_class = False
        tags.input_tags.one_d_array, tags.input_tags.two_d_array, tags.input_tags.string = True, False, True
        return tags


def _fields(kind: type) -> list[str]:
    return [field.name for field in fields(kind)]


def _meant(name: str, known: dict[str, Any]) -> str:
    """Which parameter somebody may have meant by a name that is none."""
    part, _, field = name.partition("__")
    near = [other for other in known if other.partition("__")[2] == (field or name)]
    if not near and part in PARTS:
        return f"{part} has {', '.join(_fields(PARTS[part]))}."
    near = near or get_close_matches(name, known, n=3)
    own = [other for other in known if "__" not in other]
    return f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(own)}."


def load(
    path: str | Path, *, tokenizer: Tokenizer | None = None, model: Any = None, encoder: Any = None
) -> KeywordClassifier:
    """Load a saved classifier; a tokenizer, module or encoder of your own is handed in again: a file holds no code.

    An encoder that the file only names, a folder or a model on a hub, is loaded if you ask for it by that name, and
    never by itself; "minilm" comes with keysift and needs no asking. Without its encoder a model still scores documents
    whose `embeddings` are handed in.
    """
    return load_as(KeywordClassifier, path, tokenizer=tokenizer, model=model, encoder=encoder)
