"""The paper's network in a trial: Sigmoid, Logistic and O-Sigmoid are one RCNN with another loss or other labels."""

import time
from dataclasses import replace

import numpy as np
import polars as pl
import torch
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score
from torch import nn

from benchmarks.paper.stop_words import NLTK_STOP_WORDS
from benchmarks.paper.trial import Outcome, Trial, glove
from keysift.networks.embedding import WordEmbedding
from keysift.networks.minibatch import fit_network, score_documents
from keysift.networks.rcnn import RCNN
from keysift.networks.training import Training
from keysift.networks.word_ids import WordIds, number_words
from keysift.risk.losses import get_loss
from keysift.text.tokens import as_documents, tokenize

__all__ = ["exact_plan", "fast_plan", "read_words", "train_network"]

EPOCHS = 50
LEARNING_RATES = {"custrev": 1e-4, "ayi": 1e-4}
SPEED_UP = {"20ng": 10}


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
    trial: Trial, loss: str, labels: NDArray[np.bool_], plan: Training | None = None, *, unknown: bool = False
) -> Outcome:
    """Train the RCNN on labels of the training documents, and score the test documents.

    A word without a vector is left out, or with `unknown` read as a zero vector.
    After every epoch it notes the AUC of the test documents by their true labels and by Algorithm 1's: does the one
    that needs no label tell how the other goes?
    """
    torch.set_flush_denormal(True)
    plan = plan or fast_plan(trial.data.name)
    vectors = glove()
    train, test = (read_words(texts, unknown) for texts in (trial.train_texts, trial.test_texts))
    torch.manual_seed(trial.number)
    zeros = np.zeros((int(unknown), vectors.matrix.shape[1]), dtype=np.float32)
    network = RCNN(WordEmbedding(np.concatenate([vectors.matrix, zeros])))
    epochs: list[int] = []
    curves: dict[str, list[float]] = {"clean_auc": [], "corrupted_auc": []}
    watching = 0.0

    def watch(epoch: int, network: nn.Module) -> None:
        nonlocal watching
        start = time.perf_counter()
        scores = score_documents(network, test)
        epochs.append(epoch)
        curves["clean_auc"].append(_percent(roc_auc_score(trial.test_labels, scores)))
        curves["corrupted_auc"].append(_percent(roc_auc_score(trial.test_pseudo, scores)))
        watching += time.perf_counter() - start

    start = time.perf_counter()
    fit_network(network, train, labels, get_loss(loss), plan, seed=trial.number, watch=watch)
    seconds = time.perf_counter() - start - watching
    scores = score_documents(network, test)
    extra = {"epochs": epochs, **curves, "learning_rate": plan.learning_rate}
    return Outcome(scores, scores > 0.5, seconds, extra, train_scores=score_documents(network, train))


def read_words(texts: list[str], unknown: bool = False) -> WordIds:
    """Lower-cased, split on white space, without stop words (those of NLTK, as GloVeRanking), at most 200."""
    tokens = tokenize(as_documents(texts), lambda text: text.lower().split())
    vocabulary = glove().words
    if unknown:
        known = pl.Series(glove().rows(tokens.words) >= 0)
        nameless = pl.Series("word", [" "] * len(known))
        tokens = replace(tokens, words=tokens.words.zip_with(known, nameless))
        vocabulary = pl.concat([vocabulary, nameless.head(1).rename(vocabulary.name)])
    return number_words(tokens, vocabulary, NLTK_STOP_WORDS, most=200)


def _percent(share: float) -> float:
    return round(100 * float(share), 3)
