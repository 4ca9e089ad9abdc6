"""The paper's network in a trial: Sigmoid, Logistic and O-Sigmoid are one RCNN with another loss or other labels."""

import time
from dataclasses import replace

import numpy as np
import polars as pl
import torch
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score
from torch import nn

from benchmarks.paper.buckets import fit_in_buckets
from benchmarks.paper.measures import measure
from benchmarks.paper.stop_words import NLTK_STOP_WORDS
from benchmarks.paper.trial import Outcome, Trial, glove
from keysift.networks.batches import scoring_batches
from keysift.networks.embedding import WordEmbedding
from keysift.networks.minibatch import fit_network, score_documents
from keysift.networks.rcnn import RCNN
from keysift.networks.training import Training
from keysift.networks.word_ids import WordIds, number_words
from keysift.risk.losses import get_loss
from keysift.text.tokens import as_documents, tokenize

__all__ = ["exact_plan", "fast_plan", "pad", "read_words", "train_network"]

EPOCHS = 50
MOST = 200
"""So many words of a document are read."""
LEARNING_RATES = {"custrev": 1e-4, "ayi": 1e-4}
SPEED_UP = {"20ng": 10}
WATCHED = 10
"""So often the test documents are scored while a network trains."""
NOTED = ("auc", "f1", "acc", "prec100", "f1_default", "acc_default", "f1_heuristic", "acc_heuristic")
"""Measures of the scores with dropout left on."""


def exact_plan(name: str) -> Training:
    """The paper's training: 50 epochs, batches of 128 as they come, Adam."""
    return Training(
        learning_rate=LEARNING_RATES.get(name, 1e-5),
        weight_decay=0.003,
        epochs=EPOCHS,
        batch_size=128,
        batches="natural",
        held_out=0.0,
    )


def fast_plan(name: str) -> Training:
    """A quarter of the epochs at four times the learning rate; on 20NG a tenth, at ten times."""
    exact, times = exact_plan(name), SPEED_UP.get(name, 4)
    return replace(exact, epochs=EPOCHS // times, learning_rate=exact.learning_rate * times)


def train_network(
    trial: Trial,
    loss: str,
    labels: NDArray[np.bool_],
    plan: Training | None = None,
    *,
    unknown: bool = False,
    padding: int = 0,
    buckets: bool = False,
    words: bool = False,
) -> Outcome:
    """Train the RCNN on labels of the training documents, and score the test documents.

    A word without a vector is left out, or with `unknown` read as a zero vector. `padding` lets the network run over so
    many zero vectors after a document, as far as its 200th place; it needs `unknown`.
    `words` are without the punctuation at them. With `buckets` a batch has documents of similar length.
    After every epoch, or ten times, it notes the AUC of the test documents by their true labels and by Algorithm 1's:
    does the one that needs no label tell how the other goes? At the end it notes the measures with dropout left on.
    """
    torch.set_flush_denormal(True)
    plan = plan or fast_plan(trial.data.name)
    vectors = glove()
    train, test = (pad(read_words(texts, unknown, words), padding) for texts in (trial.train_texts, trial.test_texts))
    torch.manual_seed(trial.number)
    zeros = np.zeros((int(unknown), vectors.matrix.shape[1]), dtype=np.float32)
    network = RCNN(WordEmbedding(np.concatenate([vectors.matrix, zeros])))
    epochs: list[int] = []
    curves: dict[str, list[float]] = {"clean_auc": [], "corrupted_auc": []}
    watching = 0.0

    def watch(epoch: int, network: nn.Module) -> None:
        nonlocal watching
        if epoch % max(1, plan.epochs_of(len(train)) // WATCHED):
            return
        start = time.perf_counter()
        scores = score_documents(network, test)
        epochs.append(epoch)
        curves["clean_auc"].append(_percent(roc_auc_score(trial.test_labels, scores)))
        curves["corrupted_auc"].append(_percent(roc_auc_score(trial.test_pseudo, scores)))
        watching += time.perf_counter() - start

    start = time.perf_counter()
    if buckets:
        lengths = read_words(trial.train_texts, unknown, words).lengths
        fit_in_buckets(network, train, lengths, labels, get_loss(loss), plan, seed=trial.number, watch=watch)
    else:
        fit_network(network, train, labels, get_loss(loss), plan, seed=trial.number, watch=watch)
    seconds = time.perf_counter() - start - watching
    noisy = [_scores_with_dropout(network, documents, trial.number) for documents in (test, train)]
    with_dropout = measure(trial, Outcome(noisy[0], noisy[0] > 0.5, seconds, train_scores=noisy[1]))
    scores = score_documents(network, test)
    extra = {
        "epochs": epochs,
        **curves,
        "learning_rate": plan.learning_rate,
        "prec300": 100 * float(trial.test_labels[np.argsort(-scores, kind="stable")[:300]].mean()),
        "with_dropout": {name: with_dropout[name] for name in NOTED},
    }
    return Outcome(scores, scores > 0.5, seconds, extra, train_scores=score_documents(network, train))


def _scores_with_dropout(network: nn.Module, documents: WordIds, seed: int) -> NDArray[np.float64]:
    """Scores as of a network that is still in training, which is how the authors' code scores."""
    network.train()
    scores = np.empty(len(documents))
    with torch.inference_mode(), torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        for rows in scoring_batches(documents.lengths, 32_768):
            scores[rows] = network(torch.from_numpy(documents.padded(rows))).double().numpy()
    network.eval()
    return scores


def pad(documents: WordIds, places: int) -> WordIds:
    """So many words without a vector after each document, but none after its 200th place.

    >>> one = WordIds(np.array([5, 6, 7]), np.array([0, 1, 3]))
    >>> pad(one, 2).starts.tolist(), (pad(one, 2).ids[:3] == [5, len(glove()) + 1, len(glove()) + 1]).all()
    ([0, 3, 7], np.True_)
    """
    lengths = np.minimum(documents.lengths + places, MOST)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    ids = np.full(starts[-1], len(glove()) + 1)
    own = np.arange(len(documents.ids)) + np.repeat(starts[:-1] - documents.starts[:-1], documents.lengths)
    ids[own] = documents.ids
    return WordIds(ids, starts)


def read_words(texts: list[str], unknown: bool = False, words: bool = False) -> WordIds:
    """Lower-cased, split on white space, without stop words (those of NLTK, as GloVeRanking), at most 200."""
    tokens = tokenize(as_documents(texts), None if words else lambda text: text.lower().split())
    vocabulary = glove().words
    if unknown:
        known = pl.Series(glove().rows(tokens.words) >= 0)
        nameless = pl.Series("word", [" "] * len(known))
        tokens = replace(tokens, words=tokens.words.zip_with(known, nameless))
        vocabulary = pl.concat([vocabulary, nameless.head(1).rename(vocabulary.name)])
    return number_words(tokens, vocabulary, NLTK_STOP_WORDS, most=MOST)


def _percent(share: float) -> float:
    return round(100 * float(share), 3)
