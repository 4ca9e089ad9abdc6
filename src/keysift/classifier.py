"""The estimator: what a `KeywordRanker` does, with the manners of scikit-learn."""

from pathlib import Path
from typing import Any

from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags

from keysift.ranker import KeywordRanker, load_as
from keysift.text.tokens import Tokenizer

__all__ = ["KeywordClassifier", "load"]


class KeywordClassifier(KeywordRanker, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Learn a ranking and a decision from a few keywords and unlabelled documents.

    Parameters
    ----------
    keywords : what you look for: a list, {word: weight}, a comma-separated string or a file; phrases are allowed
    prior : the share of relevant documents; "estimate" takes what is usual, for no keyword can tell (`ask` can),
        "heuristic" the share of pseudo-positives, "audit" that of the `Audit` that is handed to `fit`
    threshold : "prior" (the top share `prior` is positive), "max_f1", ("precision", 0.9), ("recall", 0.95), ("top", k)
        or a score
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

    def __sklearn_tags__(self) -> Tags:
        """One-dimensional text in, two classes out, no labels needed."""
        tags = super().__sklearn_tags__()
        tags.target_tags.required = False
        tags.classifier_tags.multi_class = False
        tags.input_tags.one_d_array, tags.input_tags.two_d_array, tags.input_tags.string = True, False, True
        return tags


def load(
    path: str | Path, *, tokenizer: Tokenizer | None = None, model: Any = None, encoder: Any = None
) -> KeywordClassifier:
    """Load a saved classifier; a tokenizer, module or encoder of your own is handed in again: a file holds no code.

    An encoder that the file only names, a folder or a model on a hub, is loaded if you ask for it by that name, and
    never by itself; "minilm" comes with keysift and needs no asking. Without its encoder a model still scores documents
    whose `embeddings` are handed in.
    """
    return load_as(KeywordClassifier, path, tokenizer=tokenizer, model=model, encoder=encoder)
