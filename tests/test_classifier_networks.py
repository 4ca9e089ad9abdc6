"""Networks in the place of the linear model: small and quick ones; what they learn is looked at in tests/networks."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
import torch
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GridSearchCV
from torch import Tensor, nn

import keysift
from keysift import KeywordClassifier, Training
from keysift.errors import ModelFileError, SettingError, TrainingError
from keysift.files.tensors import read_model, write_model
from keysift.networks.history import NetworkHistory
from keysift.present.cut_facts import UNMEASURED, expected_above
from tests.light import EMPTY, KEYWORDS

pytestmark = pytest.mark.usefixtures("small_glove")
NETWORKS = ["rcnn", "cnn", "mlp"]
QUICK = Training(learning_rate=0.01, epochs=3, batch_size=16, held_out=0)


def own_module() -> nn.Module:
    return nn.Sequential(nn.Linear(50, 8), nn.Tanh(), nn.Linear(8, 1))


def on_vectors(**options: Any) -> Training:
    return replace(QUICK, inputs="vectors", **options)


@pytest.mark.parametrize("model", NETWORKS)
def test_a_network_finds_what_is_meant(model: str, texts: list[str], is_sports: NDArray[np.bool_]) -> None:
    clf = KeywordClassifier(KEYWORDS, prior=1 / 3, model=model, training=replace(QUICK, epochs=6)).fit(texts)
    held = np.array([any(word in text for word in KEYWORDS) for text in texts])
    assert roc_auc_score(is_sports, held) < 0.95 < roc_auc_score(is_sports, clf.decision_function(texts))
    assert clf.predict(texts).sum() == 20
    assert isinstance(clf.history_, NetworkHistory)
    assert clf.history_.steps == 6
    assert clf.history_.risk[-1] < clf.history_.risk[0]


@pytest.mark.parametrize("model", NETWORKS)
def test_a_network_ranks_with_reasons_and_is_the_same_from_a_file(tmp_path: Path, model: str, texts: list[str]) -> None:
    documents = [*EMPTY, *texts, "zzzzqqq"]
    clf = KeywordClassifier(KEYWORDS, model=model, training=QUICK, threshold=-1e9)
    frame = clf.fit_rank(documents)
    assert frame.equals(clf.rank(documents))
    assert frame["score"].is_sorted(descending=True)
    assert frame["document"].to_list()[-4:] == [0, 1, 2, 3]
    assert frame["decision"].to_list() == [1] * 61 + [0] * 4
    assert clf.predict(documents)[:4].tolist() == [0, 0, 0, 0]
    scores = clf.decision_function(documents)
    assert (scores[:4] < scores[4:].min()).all()
    hit = frame.filter(pl.col("document") == 4 + next(place for place, text in enumerate(texts) if "hockey" in text))
    assert "keywords: hockey" in hit["evidence"][0]
    assert "moved by: " in hit["evidence"][0]

    clf.save(tmp_path / "a.keysift")
    loaded = keysift.load(tmp_path / "a.keysift")
    assert loaded.rank(documents).equals(frame)
    assert loaded.decision_function(documents).tobytes() == scores.tobytes()
    assert loaded.get_params()["training"] == QUICK
    assert loaded.fit(documents).decision_function(documents).tobytes() == scores.tobytes()


def test_a_network_has_the_usual_prior_and_intervals_that_nobody_measured(tmp_path: Path, texts: list[str]) -> None:
    clf = KeywordClassifier(KEYWORDS, model="mlp", training=QUICK, threshold="max_f1").fit(texts)
    assert clf.quality_ is None
    assert clf.prior_estimate_.basis == "estimate"
    assert not clf.posterior_.measured
    assert expected_above(clf.expected_, clf.posterior_) == UNMEASURED
    assert not clf.decide(prior=0.5).posterior.measured
    assert not clf.ask(20, lambda text: "hockey" in text).posterior_.measured
    clf.save(tmp_path / "a.keysift")
    loaded = keysift.load(tmp_path / "a.keysift")
    assert loaded.expected_ == clf.expected_
    assert loaded.predict(texts, prior=0.5).sum() == clf.predict(texts, prior=0.5).sum()


@pytest.mark.parametrize("vectors", ["glove-6b-50d", "corpus"])
def test_a_network_is_repeatable_to_the_bit(texts: list[str], vectors: str) -> None:
    training = replace(QUICK, held_out=0.2, fine_tune=True)
    clf = KeywordClassifier(KEYWORDS, vectors=vectors, model="rcnn", training=training, random_state=7)
    first, second = (clone(clf).fit(texts) for _ in range(2))
    assert first.decision_function(texts).tobytes() == second.decision_function(texts).tobytes()
    assert first.history_ == second.history_
    other = clone(clf).set_params(random_state=8).fit(texts)
    assert first.decision_function(texts).tobytes() != other.decision_function(texts).tobytes()


def test_a_network_of_corpus_vectors_is_the_same_from_a_file(tmp_path: Path, texts: list[str]) -> None:
    clf = KeywordClassifier(KEYWORDS, vectors="corpus", model="cnn", training=QUICK).fit(texts)
    clf.save(tmp_path / "a.keysift")
    assert keysift.load(tmp_path / "a.keysift").rank(texts).equals(clf.rank(texts))


def test_clone_and_get_params_with_a_module(texts: list[str]) -> None:
    module = own_module()
    clf = KeywordClassifier(KEYWORDS, model=module, training=on_vectors())
    assert clf.get_params()["model"] is module
    copy = clone(clf)
    assert copy.model is not module
    assert repr(copy.model) == repr(module)
    assert "Sequential" in repr(clf)
    before = [weight.clone() for weight in module.parameters()]
    scores = [both.fit(texts).decision_function(texts).tobytes() for both in (clf, copy, clf)]
    assert scores[0] == scores[1] == scores[2]  # each starts from the module as it was handed in
    assert all(torch.equal(*both) for both in zip(before, module.parameters(), strict=True))


def test_a_grid_search_over_optimizers(texts: list[str], is_sports: NDArray[np.bool_]) -> None:
    grid = {"training": [replace(QUICK, optimizer=optimizer) for optimizer in ("sgd", torch.optim.RMSprop)]}
    clf = KeywordClassifier(KEYWORDS, model="mlp")
    search = GridSearchCV(clf, grid, scoring="roc_auc", cv=2, error_score="raise").fit(texts, is_sports.astype(int))
    assert search.best_score_ > 0.8
    assert search.best_params_["training"] in grid["training"]
    assert len(set(search.cv_results_["mean_test_score"])) == 2


def test_a_module_of_ones_own_has_to_be_handed_in_again(tmp_path: Path, texts: list[str]) -> None:
    path, module = tmp_path / "a.keysift", own_module()
    clf = KeywordClassifier(KEYWORDS, model=module, training=on_vectors(optimizer=torch.optim.Adagrad)).fit(texts)
    clf.save(path)
    with pytest.raises(ModelFileError, match=r"module of your own; .* keysift.load\(path, model=...\), a module built"):
        keysift.load(path)
    with pytest.raises(ModelFileError, match="saved weights do not fit the module that was passed"):
        keysift.load(path, model=nn.Linear(50, 1))
    with pytest.raises(SettingError, match=r"model must be one of .* or a torch\.nn\.Module; got <class"):
        keysift.load(path, model=nn.Linear)
    state = torch.get_rng_state()
    loaded = keysift.load(path, model=module)
    assert torch.equal(torch.get_rng_state(), state)
    assert loaded.rank(texts).equals(clf.rank(texts))


def test_a_module_on_word_numbers(texts: list[str], is_sports: NDArray[np.bool_], tmp_path: Path) -> None:
    class WordSum(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.scores = nn.Embedding(20_001, 1, padding_idx=0)  # a row for every word of small_glove, and 0
            nn.init.zeros_(self.scores.weight)

        def forward(self, ids: Tensor) -> Tensor:
            scores: Tensor = self.scores(ids).sum(1)
            return scores

    clf = KeywordClassifier(KEYWORDS, model=WordSum(), training=QUICK).fit(texts)
    assert roc_auc_score(is_sports, clf.decision_function(texts)) > 0.8
    clf.save(tmp_path / "a.keysift")
    assert keysift.load(tmp_path / "a.keysift", model=WordSum()).rank(texts).equals(clf.rank(texts))


def test_a_network_with_a_part_missing(tmp_path: Path, texts: list[str]) -> None:
    path = tmp_path / "a.keysift"
    KeywordClassifier(KEYWORDS, model="mlp", vectors="corpus", training=QUICK).fit(texts).save(path)
    arrays, saved = read_model(path)
    damaged: list[tuple[dict[str, Any], dict[str, Any]]] = [
        ({name: array for name, array in arrays.items() if name != "vectors.matrix"}, saved),
        (arrays, {**saved, "scorer": None}),
        (arrays, {**saved, "training": ["mlp"]}),
    ]
    for parts in damaged:
        write_model(path, *parts)
        with pytest.raises(ModelFileError, match="a part is missing or damaged"):
            keysift.load(path)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"model": "rnn"}, "model must be one of linear, rcnn, cnn, mlp, or a torch.nn.Module; got 'rnn'."),
        ({"model": nn.Linear}, "or a torch.nn.Module; got <class"),
        (
            {"model": "mlp", "training": Training(optimizer="fast")},
            "optimizer must be one of adam, amsgrad, adamw, sgd",
        ),
        ({"model": "mlp", "loss": "zero_one"}, "The zero_one loss is flat"),
        ({"model": nn.Linear(50, 2), "training": on_vectors()}, "or (16, 1); got (16, 2)."),
        ({"model": nn.Linear(7, 1), "training": on_vectors()}, "The module failed on word numbers of shape (16, "),
        (
            {"model": nn.Tanh(), "training": on_vectors()},
            "no parameter that can be trained; give one with requires_grad",
        ),
    ],
)
def test_bad_networks_are_found_in_fit(texts: list[str], options: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingError, match=re.escape(message)):
        KeywordClassifier(KEYWORDS, **options).fit(texts)


def test_progress_of_a_network_is_told_epoch_by_epoch(texts: list[str]) -> None:
    seen: list[tuple[str, float]] = []
    clf = KeywordClassifier(KEYWORDS, model="mlp", training=replace(QUICK, epochs=2))
    clf.fit_rank(texts, progress=lambda stage, done: seen.append((stage, done)))
    stages = list(dict.fromkeys(stage for stage, _ in seen))
    assert stages == ["Tokenising", "Finding keywords", "Epoch 1 of 2", "Epoch 2 of 2", "Ranking"]
    assert all((stage, 1.0) in seen for stage in stages)


def test_a_network_goes_on_from_its_checkpoint(tmp_path: Path, texts: list[str]) -> None:
    path = tmp_path / "run.keysift"
    whole = KeywordClassifier(KEYWORDS, model="rcnn", training=QUICK).fit(texts)
    KeywordClassifier(KEYWORDS, model="rcnn", training=replace(QUICK, epochs=1, checkpoint=path)).fit(texts)
    resumed = KeywordClassifier(KEYWORDS, model="rcnn", training=replace(QUICK, checkpoint=path, resume=True))
    assert resumed.fit(texts).decision_function(texts).tobytes() == whole.decision_function(texts).tobytes()
    with pytest.raises(TrainingError, match=r"belongs to another corpus \(or other keywords\)"):
        clone(resumed).set_params(keywords=["judge"]).fit(texts)
    with pytest.raises(TrainingError, match="belongs to another module"):
        clone(resumed).set_params(model="cnn").fit(texts)
