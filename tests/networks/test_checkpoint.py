"""A broken run that goes on is an unbroken one; anything else than the same run is refused in a sentence."""

import functools
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from keysift.errors import TrainingError
from keysift.files.tensors import read_model, write_model
from keysift.networks.embedding import WordEmbedding
from keysift.networks.minibatch import fit_network
from keysift.networks.mlp import OverMeanVectors
from keysift.networks.training import Training
from keysift.risk.losses import get_loss
from tests.networks.corpora import WORDS, BagOfWords, fit, same_to_the_bit, state_of, two_sets

PLAN = Training(learning_rate=0.05, epochs=5, batch_size=20, held_out=0.3)
FACTORY = functools.partial(torch.optim.RMSprop, lr=0.02, momentum=0.5)


class WithBuffers(BagOfWords):
    """Has state that is not learned, too: the counts and means of batch normalisation."""

    def __init__(self) -> None:
        super().__init__()
        self.score = nn.Sequential(nn.BatchNorm1d(4), nn.Linear(4, 1))  # type: ignore[assignment]
        nn.init.constant_(self.score[1].weight, 0.5)  # type: ignore[index]


def stop_after(epochs: int) -> Any:
    def watch(epoch: int, _: nn.Module) -> None:
        if epoch == epochs:
            raise KeyboardInterrupt

    return watch


@pytest.mark.parametrize(
    "options",
    [
        {"optimizer": "adam"},
        {"optimizer": "sgd"},
        {"optimizer": "amsgrad"},
        {"optimizer": "adamw", "batches": "natural"},
        {"optimizer": FACTORY},
        {"held_out": 0},
        {"patience": 1, "epochs": 40},
    ],
    ids=str,
)
@pytest.mark.parametrize("module", [BagOfWords, WithBuffers])
def test_interrupted_and_resumed_equals_unbroken_to_the_bit(
    tmp_path: Path, options: dict[str, Any], module: type[nn.Module]
) -> None:
    plan, path = replace(PLAN, **options), tmp_path / "run.keysift"
    torch.manual_seed(0)
    whole = module()
    history = fit(whole, plan)
    assert history.steps > 2
    for stop in (1, 2):
        torch.manual_seed(0)
        with pytest.raises(KeyboardInterrupt):
            fit(module(), replace(plan, checkpoint=path, resume=stop > 1), watch=stop_after(stop))
    torch.manual_seed(1)  # neither the first weights nor what was drawn before matter any more
    resumed = module()
    assert fit(resumed, replace(plan, checkpoint=path, resume=True)) == history
    assert same_to_the_bit(state_of(resumed), state_of(whole))


def test_what_is_done_of_an_epoch_is_done_again(tmp_path: Path) -> None:
    path, whole, resumed = tmp_path / "run.keysift", BagOfWords(), BagOfWords()
    history = fit(whole, PLAN)

    def stop(name: str, done: float) -> None:
        if name.startswith("Epoch 3") and done > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fit(BagOfWords(), replace(PLAN, checkpoint=path), progress=stop)
    assert fit(resumed, replace(PLAN, checkpoint=path, resume=True)) == history
    assert same_to_the_bit(state_of(resumed), state_of(whole))


def test_a_finished_run_can_be_taken_up_as_it_is_or_with_more_epochs(tmp_path: Path) -> None:
    plan = replace(PLAN, checkpoint=tmp_path / "run.keysift", held_out=0)
    finished, again, longer, whole = (BagOfWords() for _ in range(4))
    history = fit(finished, plan)
    before = (tmp_path / "run.keysift").read_bytes()
    assert fit(again, replace(plan, resume=True)) == history
    assert same_to_the_bit(state_of(again), state_of(finished))
    assert (tmp_path / "run.keysift").read_bytes() == before
    assert fit(longer, replace(plan, resume=True, epochs=8)) == fit(whole, replace(plan, checkpoint=None, epochs=8))
    assert same_to_the_bit(state_of(longer), state_of(whole))


def test_a_run_that_stopped_early_is_taken_up_with_its_best_weights(tmp_path: Path) -> None:
    plan = replace(PLAN, checkpoint=tmp_path / "run.keysift", epochs=40, patience=2)
    network, again = BagOfWords(), BagOfWords()
    history = fit(network, plan)
    assert history.best_epoch < history.steps < 40
    assert fit(again, replace(plan, resume=True)) == history
    assert same_to_the_bit(state_of(again), state_of(network))


def test_resume_without_a_file_starts_at_the_beginning(tmp_path: Path) -> None:
    network, other = BagOfWords(), BagOfWords()
    plan = replace(PLAN, checkpoint=tmp_path / "run.keysift", resume=True)
    assert fit(network, plan) == fit(other, PLAN)
    assert same_to_the_bit(state_of(network), state_of(other))


def test_the_random_numbers_of_others_are_left_alone(tmp_path: Path) -> None:
    plan = replace(PLAN, checkpoint=tmp_path / "run.keysift")
    before = torch.get_rng_state()
    fit(BagOfWords(), plan)
    fit(BagOfWords(), replace(plan, resume=True, epochs=6))
    assert torch.equal(torch.get_rng_state(), before)


def test_the_file_holds_data_of_the_last_and_the_best_epoch(tmp_path: Path) -> None:
    path, network = tmp_path / "run.keysift", BagOfWords()
    history = fit(network, replace(PLAN, checkpoint=path, epochs=40, patience=2))
    arrays, saved = read_model(path)
    assert saved["epoch"] == history.steps > history.best_epoch == saved["best_epoch"]
    for name, value in network.state_dict().items():
        assert np.array_equal(arrays[f"best.{name}"], value.numpy())
        assert arrays[f"network.{name}"].shape == value.shape
    assert not np.array_equal(arrays["network.score.weight"], arrays["best.score.weight"])
    assert json.dumps(saved)


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    path = tmp_path / "run.keysift"
    fit(BagOfWords(), replace(PLAN, epochs=2, checkpoint=path))
    return path


def refused(path: Path, expected: str, network: nn.Module | None = None, **given: Any) -> None:
    """Resuming fails with one sentence about the file, and the file stays as it was."""
    before, (documents, positive) = path.read_bytes(), given.pop("corpus", two_sets())
    loss, seed = get_loss(given.pop("loss", "sigmoid")), given.pop("seed", 0)
    plan = replace(PLAN, **{"checkpoint": path, "resume": True, **given})
    with pytest.raises(TrainingError) as caught:
        fit_network(network or BagOfWords(), documents, positive, loss, plan, seed=seed)
    message = str(caught.value)
    assert str(path) in message
    assert expected in message.replace(str(path), "PATH")
    assert message.endswith(".")
    assert ". " not in message
    assert "\n" not in message
    assert path.read_bytes() == before


def test_a_file_that_is_there_is_not_replaced_without_asking(checkpoint: Path) -> None:
    refused(checkpoint, "already exists; resume to continue from it, or choose another name", resume=False)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"learning_rate": 0.1}, "belongs to learning_rate 0.05, not 0.1; fit as it was started, or choose another"),
        ({"weight_decay": 0.5}, "belongs to weight_decay 0.003, not 0.5"),
        ({"batch_size": 10}, "belongs to batch_size 20, not 10"),
        ({"batches": "natural"}, "belongs to batches 'balanced', not 'natural'"),
        ({"held_out": 0.1}, "belongs to held_out 0.3, not 0.1"),
        ({"optimizer": "sgd"}, "belongs to optimizer 'adam', not 'sgd'"),
        ({"optimizer": "amsgrad"}, "belongs to optimizer 'adam', not 'amsgrad'"),
        ({"loss": "logistic"}, "belongs to loss 'sigmoid', not 'logistic'"),
        ({"seed": 1}, "belongs to seed 0, not 1"),
        ({"corpus": two_sets(seed=1)}, "belongs to another corpus (or other keywords); fit as it was started"),
        ({"corpus": (two_sets()[0], ~two_sets()[1])}, "belongs to another corpus (or other keywords)"),
        ({"network": BagOfWords(dim=5)}, "belongs to another module; fit as it was started"),
        ({"network": nn.Sequential(BagOfWords())}, "belongs to another module"),
    ],
    ids=str,
)
def test_another_run(checkpoint: Path, options: dict[str, Any], expected: str) -> None:
    refused(checkpoint, expected, **options)


def test_another_setting_of_a_factory(tmp_path: Path) -> None:
    path = tmp_path / "run.keysift"
    fit(BagOfWords(), replace(PLAN, optimizer=FACTORY, checkpoint=path))
    refused(path, "belongs to optimizer", optimizer=functools.partial(FACTORY, lr=0.03))


def test_other_word_vectors(tmp_path: Path) -> None:
    path, rng = tmp_path / "run.keysift", np.random.default_rng(0)
    one, other = (
        OverMeanVectors(WordEmbedding(rng.normal(size=(WORDS, 3)).astype(np.float32)), nn.Linear(3, 1)) for _ in "ab"
    )
    fit(one, replace(PLAN, checkpoint=path))
    refused(path, "belongs to other word vectors; fit as it was started", network=other)


@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 0.999])
def test_cut_short(checkpoint: Path, share: float) -> None:
    content = checkpoint.read_bytes()
    checkpoint.write_bytes(content[: int(share * len(content))])
    refused(checkpoint, "Cannot resume from the checkpoint PATH: it is damaged, cut short or from another keysift")


def test_no_keysift_file_at_all(checkpoint: Path) -> None:
    checkpoint.write_bytes(b"epoch,risk\n1,0.5\n")
    refused(checkpoint, "Cannot resume from the checkpoint PATH: it is damaged, cut short")


@pytest.mark.parametrize("part", ["network.score.weight", "random.torch", "optimizer.0.exp_avg"])
def test_a_part_is_missing_or_has_another_shape(checkpoint: Path, part: str) -> None:
    arrays, saved = read_model(checkpoint)
    changed = {name: array for name, array in arrays.items() if name != part}
    if part.startswith("optimizer"):
        saved["optimizer"] = None
    write_model(checkpoint, changed, saved)
    refused(checkpoint, "a part is missing or damaged (")
    if part.startswith("network"):
        write_model(checkpoint, {**changed, part: np.zeros((7, 7), np.float32)}, saved)
        refused(checkpoint, "a part is missing or damaged (")


def test_a_model_is_no_checkpoint(checkpoint: Path) -> None:
    write_model(checkpoint, {"word_scores": np.zeros(3)}, {"constructor": {}})
    refused(checkpoint, "is a model, not a checkpoint; name the checkpoint that an earlier fit wrote")
