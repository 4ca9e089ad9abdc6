import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sklearn.metrics import roc_auc_score
from torch import Tensor, nn

from keysift.errors import SettingError, TrainingError
from keysift.files.tensors import read_model
from keysift.networks import minibatch
from keysift.networks.batches import hold_out
from keysift.networks.minibatch import batch_risk, fit_network, score_documents
from keysift.networks.training import Training
from keysift.networks.word_ids import WordIds
from keysift.risk.losses import LOSSES, Loss, get_loss
from tests.networks.corpora import BagOfWords, NanAt, State, fit, same_to_the_bit, state_of, two_sets

QUICK = Training(learning_rate=0.05, epochs=3, batch_size=20, held_out=0.3)
TRAINABLE = [loss for loss in LOSSES.values() if loss.form != "zero-one"]
every_trainable_loss = pytest.mark.parametrize("loss", TRAINABLE, ids=lambda loss: loss.name)
# Every pair on the one hand, the shortcuts on the other; the grid of the smooth losses is good to 1e-6.
both_ways = pytest.mark.parametrize(("pairs_at_most", "atol"), [(1 << 17, 1e-12), (0, 2e-6)])


def some_scores(documents: int, dtype: torch.dtype = torch.float64) -> tuple[Tensor, Tensor]:
    rng = np.random.default_rng(0)
    scores = torch.tensor(rng.normal(0, 2, documents), dtype=dtype, requires_grad=True)
    return scores, torch.from_numpy(rng.permutation(np.arange(documents) % 3 == 0))


def double_loop(loss: Loss, scores: list[float], positive: list[bool]) -> float:
    ups, downs = ([score for score, up in zip(scores, positive, strict=True) if up is which] for which in (True, False))
    pairs = [(one, other) for one in ups for other in downs]
    return sum(float(loss.value(one - other)) for one, other in pairs) / len(pairs)


@every_trainable_loss
@both_ways
def test_the_risk_of_a_batch_is_the_double_loop_and_its_gradient_what_a_small_step_does(
    loss: Loss, pairs_at_most: int, atol: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(minibatch, "PAIRS_AT_MOST", pairs_at_most)
    scores, positive = some_scores(12)
    risk = batch_risk(loss, scores, positive)
    values, which = scores.tolist(), positive.tolist()
    assert risk.item() == pytest.approx(double_loop(loss, values, which), abs=atol, rel=1e-9)
    (3 * risk).backward()  # type: ignore[no-untyped-call]
    assert scores.grad is not None
    for place, gradient in enumerate(scores.grad.tolist()):
        up, down = ([*values[:place], values[place] + step, *values[place + 1 :]] for step in (1e-5, -1e-5))
        slope = (double_loop(loss, up, which) - double_loop(loss, down, which)) / 2e-5
        assert gradient == pytest.approx(3 * slope, abs=1e-5)


@every_trainable_loss
def test_large_batches_take_the_shortcut_and_agree(loss: Loss, monkeypatch: pytest.MonkeyPatch) -> None:
    results = []
    for used in (minibatch.PAIRS_AT_MOST, 1 << 30):
        monkeypatch.setattr(minibatch, "PAIRS_AT_MOST", used)
        if used == 1 << 30:
            monkeypatch.delattr(minibatch, "pairwise_risk")  # so that it would be noticed
        else:
            monkeypatch.delattr(minibatch, "pairs_risk")
        scores, positive = some_scores(900)
        risk = batch_risk(loss, scores, positive)
        risk.backward()  # type: ignore[no-untyped-call]
        results.append((risk.item(), scores.grad))
        monkeypatch.undo()
    (shortcut, slopes), (exact, expected) = results
    assert slopes is not None
    assert expected is not None
    assert shortcut == pytest.approx(exact, abs=1e-6, rel=1e-9)
    assert (slopes - expected).abs().max() <= 1e-5 * expected.abs().max()


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_the_risk_keeps_the_type_of_the_scores(dtype: torch.dtype) -> None:
    scores, positive = some_scores(12, dtype)
    risk = batch_risk(get_loss("sigmoid"), scores, positive)
    risk.backward()  # type: ignore[no-untyped-call]
    assert scores.grad is not None
    assert risk.dtype == scores.grad.dtype == dtype


def test_scores_come_in_the_order_of_the_documents_whatever_the_batches() -> None:
    documents, _ = two_sets()
    network, told = BagOfWords(), list[float]()
    scores = score_documents(network, documents, words=30, progress=told.append)
    assert network.training
    with torch.inference_mode():
        alone = [network.eval()(torch.from_numpy(documents.padded(np.array([row]))))[0, 0] for row in range(60)]
    np.testing.assert_allclose(scores, alone, atol=1e-6)
    np.testing.assert_allclose(scores, score_documents(network, documents), atol=1e-6)
    assert not network.training
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert len(told) > 5
    assert score_documents(network, documents.take(np.empty(0, np.int64))).shape == (0,)


def test_training_lowers_the_risk_and_raises_the_auc() -> None:
    network, (documents, positive) = BagOfWords(), two_sets()
    before = roc_auc_score(positive, score_documents(network, documents))
    history = fit(network, Training(learning_rate=0.05, epochs=12, batch_size=20, held_out=0))
    assert history.risk[-1] < history.risk[0] - 0.1
    assert before < 0.7 < 0.9 < roc_auc_score(positive, score_documents(network, documents))


@pytest.mark.parametrize("batches", ["balanced", "natural"])
def test_repeatable_with_a_seed_to_the_bit(batches: Any) -> None:
    plan = Training(learning_rate=0.05, epochs=3, batch_size=20, held_out=0.3, batches=batches)
    results = []
    for seed in (4, 4, 5):
        torch.rand(3)  # what was drawn before must not matter
        network = BagOfWords()
        history = fit(network, plan, seed=seed)
        results.append((history, state_of(network)))
    (history, state), (again, same), (_, other) = results
    assert history == again
    assert same_to_the_bit(state, same)
    assert not same_to_the_bit(state, other)


def test_random_numbers_of_others_are_left_alone() -> None:
    def drawn() -> tuple[list[float], list[float]]:
        return torch.rand(3).tolist(), np.random.random(3).tolist()  # noqa: NPY002

    torch_state, numpy_state = torch.get_rng_state(), np.random.get_state()  # noqa: NPY002
    expected = drawn()
    torch.set_rng_state(torch_state)
    np.random.set_state(numpy_state)  # noqa: NPY002
    fit(BagOfWords(), QUICK)
    assert drawn() == expected


def watched(network: nn.Module, plan: Training) -> tuple[Any, list[State], list[float]]:
    """The history, and after every epoch the weights and the AUC on what `hold_out` holds out."""
    documents, positive = two_sets()
    _, held = hold_out(positive, plan.held_out, np.random.default_rng(0))
    states, aucs = list[State](), list[float]()

    def watch(epoch: int, network: nn.Module) -> None:
        states.append(state_of(network))
        assert epoch == len(states)
        if len(held):
            aucs.append(float(roc_auc_score(positive[held], score_documents(network, documents.take(held)))))

    return fit(network, plan, watch=watch), states, aucs


def test_early_stopping_keeps_the_best_weights() -> None:
    network = BagOfWords()
    plan = Training(learning_rate=0.05, epochs=50, batch_size=20, held_out=0.3, patience=3)
    history, states, aucs = watched(network, plan)
    assert history.held_out_auc == pytest.approx(aucs)
    assert history.best_epoch == 1 + int(np.argmax(aucs))
    assert history.best_epoch > 1
    assert history.steps == len(states) == history.best_epoch + 3 < 50
    assert same_to_the_bit(state_of(network), states[history.best_epoch - 1])
    assert not same_to_the_bit(state_of(network), states[-1])
    assert not network.training


def test_with_nothing_held_out_every_epoch_is_trained_and_the_last_is_kept() -> None:
    network = BagOfWords()
    history, states, _ = watched(network, Training(learning_rate=0.05, epochs=7, batch_size=20, held_out=0, patience=1))
    assert (history.steps, history.best_epoch, history.held_out_auc) == (7, 7, ())
    assert same_to_the_bit(state_of(network), states[-1])


def test_without_a_number_of_epochs_there_are_about_a_hundred_steps() -> None:
    told = set[str]()
    plan = Training(batch_size=8, held_out=0)  # eight steps an epoch
    history = fit(BagOfWords(), plan, progress=lambda name, _: told.add(name))
    assert history.steps == 12
    assert told == {f"Epoch {epoch} of 12" for epoch in range(1, 13)}


def test_what_is_held_out_is_not_trained_on() -> None:
    documents, positive = two_sets()
    train, _ = hold_out(positive, 0.3, np.random.default_rng(0))
    seen = list[Tensor]()

    class Watching(BagOfWords):
        def forward(self, ids: Tensor) -> Tensor:
            if self.training:
                seen.extend(ids)
            return super().forward(ids)

    fit(Watching(), QUICK)
    allowed = {tuple(documents.padded(train[[row]])[0]) for row in range(len(train))}
    assert {tuple(row[row > 0].tolist()) for row in seen} == allowed


def test_progress_is_told_epoch_by_epoch() -> None:
    told = list[tuple[str, float]]()
    history = fit(BagOfWords(), QUICK, progress=lambda name, done: told.append((name, done)))
    names = list(dict.fromkeys(name for name, _ in told))
    first, second = (f"{auc:.3f}" for auc in history.held_out_auc[:2])
    assert names == ["Epoch 1 of 3", f"Epoch 2 of 3, AUC {first}", f"Epoch 3 of 3, AUC {second}"]
    for epoch in names:
        shares = [done for name, done in told if name == epoch]
        assert shares == sorted(shares)
        assert shares.count(1.0) == 1


class Returning(nn.Module):
    """Returns whatever the function makes of the right scores."""

    def __init__(self, change: Callable[[Tensor], Any]) -> None:
        super().__init__()
        self.inner, self.change = BagOfWords(), change

    def forward(self, ids: Tensor) -> Any:
        return self.change(self.inner(ids))


@pytest.mark.parametrize(
    ("change", "got"),
    [
        (lambda scores: torch.cat([scores, scores], 1), "(20, 2)"),
        (lambda scores: scores.sum(), "()"),
        (lambda scores: scores.T, "(1, 20)"),
        (lambda scores: scores[:-1], "(19, 1)"),
        (lambda scores: (scores, scores), "tuple"),
        (lambda scores: None, "NoneType"),
    ],
)
def test_a_module_with_a_wrong_output(change: Callable[[Tensor], Any], got: str) -> None:
    message = f"The module must return one score per document, shape (20,) or (20, 1); got {got}."
    with pytest.raises(SettingError, match=f"^{re.escape(message)}$"):
        fit(Returning(change), QUICK)


def test_one_score_a_document_may_be_a_column_or_not() -> None:
    column, flat = Returning(lambda scores: scores), Returning(lambda scores: scores.squeeze(1))
    assert fit(column, QUICK) == fit(flat, QUICK)
    assert same_to_the_bit(state_of(column), state_of(flat))


def test_a_module_that_cannot_read_word_numbers() -> None:
    class Few(BagOfWords):
        def __init__(self) -> None:
            super().__init__()
            self.vectors = nn.Embedding(3, 4)

    with pytest.raises(SettingError, match=r"failed on word numbers of shape \(20, \d\) up to 20 \(index out of range"):
        fit(Few(), QUICK)
    with pytest.raises(SettingError, match=r"or mean vectors \(documents, dim\) with Training\(inputs='vectors'\)"):
        fit(nn.Linear(5, 1), QUICK)


def test_a_loss_without_a_slope_is_refused() -> None:
    with pytest.raises(SettingError, match="zero_one loss is flat"):
        fit_network(BagOfWords(), *two_sets(), get_loss("zero_one"), QUICK)


@pytest.mark.parametrize("pairs_at_most", [1 << 17, 0])
def test_not_a_number_stops_at_the_step_and_the_last_good_epoch_is_in_the_checkpoint(
    pairs_at_most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(minibatch, "PAIRS_AT_MOST", pairs_at_most)
    path, states = tmp_path / "run.keysift", list[State]()
    options: dict[str, Any] = {"learning_rate": 0.05, "batch_size": 20, "held_out": 0, "checkpoint": path}
    # Three steps an epoch: the eighth is in the third epoch.
    with pytest.raises(TrainingError) as caught:
        fit(NanAt(8), Training(epochs=5, **options), watch=lambda _, network: states.append(state_of(network)))
    assert str(caught.value) == (
        "A score is not finite at step 8, in epoch 3; start again with a lower learning rate than 0.05, or resume with"
        f" epochs=2 from the checkpoint {path} to keep what was learned."
    )
    arrays, saved = read_model(path)
    assert (saved["epoch"], saved["step"]) == (2, 6)
    assert all(np.isfinite(array).all() for array in arrays.values())
    # And what the message says can be done is what happens.
    network = NanAt(8)
    assert fit(network, Training(epochs=2, resume=True, **options)).steps == 2
    assert same_to_the_bit(state_of(network), states[1])


def test_not_a_number_in_the_first_epoch_leaves_no_checkpoint(tmp_path: Path) -> None:
    path = tmp_path / "run.keysift"
    for checkpoint in (path, None):
        with pytest.raises(TrainingError, match=r"at step 1, in epoch 1; start again with a lower learning rate than "):
            fit(NanAt(1), Training(learning_rate=0.05, checkpoint=checkpoint))
    assert not path.exists()


def test_weights_that_are_not_finite_never_become_an_epoch(tmp_path: Path) -> None:
    path = tmp_path / "run.keysift"
    plan = Training(
        optimizer=lambda parameters: torch.optim.SGD(parameters, lr=float("inf")),
        batch_size=60,
        held_out=0,
        checkpoint=path,
    )
    message = "A weight is not finite after step 1, in epoch 1; start again with a lower learning rate."
    with pytest.raises(TrainingError, match=f"^{re.escape(message)}$"):
        fit(BagOfWords(), plan)
    assert not path.exists()


def test_held_out_scores_that_are_not_finite() -> None:
    class OnlyInTraining(BagOfWords):
        def forward(self, ids: Tensor) -> Tensor:
            return super().forward(ids) * (1.0 if self.training else torch.nan)

    with pytest.raises(TrainingError, match="A score is not finite after step 3, in epoch 1"):
        fit(OnlyInTraining(), QUICK)


def test_a_risk_that_overflows() -> None:
    with pytest.raises(TrainingError, match="The risk is inf at step 1, in epoch 1"):
        fit_network(Returning(lambda scores: scores * 1e30), *two_sets(), get_loss("squared"), QUICK)


def test_an_epoch_in_which_no_batch_holds_a_pair() -> None:
    # Of three documents in batches of two, the positive one is sometimes alone.
    documents, positive = WordIds(np.array([1, 2, 3]), np.arange(4)), np.array([True, False, False])
    plan = Training(epochs=12, batch_size=2, batches="natural", held_out=0)
    history = fit_network(BagOfWords(), documents, positive, get_loss("sigmoid"), plan)
    missing = np.isnan(history.risk)
    assert 0 < missing.sum() < 12
