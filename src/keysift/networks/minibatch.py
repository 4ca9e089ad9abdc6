"""The corrupted AUC risk of any torch module, minimised batch by batch."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from keysift.errors import SettingError, TrainingError
from keysift.files.atomic import check_target
from keysift.networks.batches import batch_rows, hold_out, scoring_batches
from keysift.networks.checkpoint import Run, fingerprint, read_checkpoint, write_checkpoint
from keysift.networks.history import NetworkHistory
from keysift.networks.optimizers import describe_optimizer, make_optimizer
from keysift.networks.training import Training
from keysift.networks.word_ids import WordIds
from keysift.risk.losses import Loss, check_slope, get_loss
from keysift.risk.pairs import pairs_risk
from keysift.risk.pairwise import pairwise_risk
from keysift.risk.sides import Sides

PAIRS_AT_MOST = 1 << 17
"""Up to this many pairs of a batch are summed one by one; beyond it, the shortcuts of `keysift.risk` are faster."""


class _BatchRisk(torch.autograd.Function):
    """The risk, with its known gradient, as a function in torch's graph."""

    @staticmethod
    def forward(ctx: Any, positive: Tensor, negative: Tensor, loss: Loss) -> Tensor:
        sides = Sides.of(*(scores.detach().double().numpy() for scores in (positive, negative)))
        risk = (pairs_risk if len(positive) * len(negative) <= PAIRS_AT_MOST else pairwise_risk)(loss, sides)
        ctx.save_for_backward(*map(torch.from_numpy, (risk.positive_gradient, risk.negative_gradient)))
        return positive.new_tensor(risk.value)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, Tensor, None]:
        p, n = (gradient.to(grads[0].dtype) * grads[0] for gradient in ctx.saved_tensors)
        return p, n, None


def batch_risk(loss: Loss, scores: Tensor, positive: Tensor) -> Tensor:
    """The risk over all pairs of a batch, differentiable by the scores.

    >>> scores = torch.tensor([1.0, 0.0], requires_grad=True)
    >>> risk = batch_risk(get_loss("squared"), scores, torch.tensor([False, True]))
    >>> risk.backward()
    >>> risk.item(), scores.grad.tolist()
    (4.0, [4.0, -4.0])
    """
    risk: Tensor = _BatchRisk.apply(scores[positive], scores[~positive], loss)  # type: ignore[no-untyped-call]
    return risk


def score_documents(
    network: nn.Module, documents: WordIds, words: int = 32_768, progress: Callable[[float], None] | None = None
) -> NDArray[np.float64]:
    """Score every document, in padded batches of at most `words` places."""
    was_training = network.training
    network.eval()
    scores = np.empty(len(documents))
    done = 0
    with torch.inference_mode():
        for rows in scoring_batches(documents.lengths, words):
            scores[rows] = checked_scores(network, documents.padded(rows)).double().numpy()
            done += len(rows)
            if progress is not None:
                progress(done / len(documents))
    network.train(was_training)
    return scores


def checked_scores(network: nn.Module, table: NDArray[np.int64]) -> Tensor:
    """The network's scores as (documents,), or an error that says what came out instead."""
    try:
        scores = network(torch.from_numpy(table))
    except (RuntimeError, IndexError, TypeError, ValueError) as error:
        reason = str(error).strip().partition("\n")[0]
        raise SettingError(
            f"The module failed on word numbers of shape {table.shape} up to {table.max()} ({reason}); it has to take"
            " such a table of whole numbers, or mean vectors (documents, dim) with Training(inputs='vectors')."
        ) from error
    if not isinstance(scores, Tensor) or scores.shape not in ((len(table),), (len(table), 1)):
        got = tuple(scores.shape) if isinstance(scores, Tensor) else type(scores).__name__
        raise SettingError(
            f"The module must return one score per document, shape ({len(table)},) or ({len(table)}, 1); got {got}."
        )
    return scores.reshape(len(table))


def fit_network(
    network: nn.Module,
    documents: WordIds,
    positive: NDArray[np.bool_],
    loss: Loss,
    plan: Training,
    *,
    seed: int = 0,
    progress: Callable[[str, float], None] | None = None,
    watch: Callable[[int, nn.Module], None] | None = None,
) -> NetworkHistory:
    """Minimise the corrupted AUC risk; the network ends with the weights of the best epoch.

    The best epoch has the highest AUC between the held-out documents of the two sets, which needs no labels; without
    held-out documents it is the last. `progress` is called with the name of an epoch and the share of it that is done,
    `watch` after every epoch with its number, from 1, and the network. torch's random state is left unchanged.
    """
    check_slope(loss)
    rng = np.random.default_rng(seed)
    train, held = hold_out(positive, plan.held_out, rng)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        run = Run(network, make_optimizer(plan, network), rng)
        identity = {}
        if plan.checkpoint is not None:
            check_target(plan.checkpoint)
            identity = _identity(run, documents, positive, loss, plan, seed)
            if Path(plan.checkpoint).exists():
                _resume(run, plan, identity)
        try:
            while run.epoch < plan.epochs_of(len(train)) and not _out_of_patience(run.history, plan):
                risk = _train_epoch(run, documents, positive, train, loss, plan, progress)
                auc = _corrupted_auc(run, documents, positive, held) if len(held) else None
                run.finish_epoch(risk, auc)
                if plan.checkpoint is not None:
                    write_checkpoint(plan.checkpoint, run, identity)
                if watch is not None:
                    watch(run.epoch, network)
        except _NotFiniteError as error:
            run.take_best()
            raise TrainingError(_what_remains(str(error), run, plan)) from None
    run.take_best()
    return run.history


class _NotFiniteError(ArithmeticError):
    pass


def _train_epoch(
    run: Run,
    documents: WordIds,
    positive: NDArray[np.bool_],
    train: NDArray[np.int64],
    loss: Loss,
    plan: Training,
    progress: Callable[[str, float], None] | None,
) -> float:
    """All batches once; returns their mean risk."""
    run.network.train()
    risks, seen, name = [], 0, _name_of_epoch(run.history, plan.epochs_of(len(train)))
    for rows in batch_rows(positive[train], plan.batch_size, plan.batches == "balanced", run.rng):
        risks.append(_train_step(run, documents.padded(train[rows]), positive[train[rows]], loss))
        seen += len(rows)
        if progress is not None:
            progress(name, min(0.99, seen / len(train)))
    if not all(bool(weights.isfinite().all()) for weights in run.network.parameters()):
        raise _NotFiniteError(f"A weight is not finite after step {run.step}, in epoch {run.epoch + 1}")
    if progress is not None:
        progress(name, 1.0)
    # With two tiny sets it can happen that no batch contains both.
    return float(np.mean(risks)) if risks else float("nan")


def _train_step(run: Run, table: NDArray[np.int64], positive: NDArray[np.bool_], loss: Loss) -> float:
    run.step += 1
    scores = checked_scores(run.network, table)
    # Before the risk, whose shortcuts need finite scores; the risk of finite scores can still overflow.
    if not scores.isfinite().all():
        raise _NotFiniteError(f"A score is not finite at step {run.step}, in epoch {run.epoch + 1}")
    risk = batch_risk(loss, scores, torch.from_numpy(positive))
    if not torch.isfinite(risk):
        raise _NotFiniteError(f"The risk is {risk.item()} at step {run.step}, in epoch {run.epoch + 1}")
    run.optimizer.zero_grad()
    risk.backward()  # type: ignore[no-untyped-call]
    run.optimizer.step()
    return risk.item()


def _corrupted_auc(run: Run, documents: WordIds, positive: NDArray[np.bool_], held: NDArray[np.int64]) -> float:
    scores = score_documents(run.network, documents.take(held))
    if not np.isfinite(scores).all():
        raise _NotFiniteError(f"A score is not finite after step {run.step}, in epoch {run.epoch + 1}")
    sides = Sides.of(scores[positive[held]], scores[~positive[held]])
    return 1.0 - pairwise_risk(get_loss("zero_one"), sides).value


def _out_of_patience(history: NetworkHistory, plan: Training) -> bool:
    return bool(history.held_out_auc) and history.steps - history.best_epoch >= plan.patience


def _name_of_epoch(history: NetworkHistory, epochs: int) -> str:
    sofar = f", AUC {history.held_out_auc[-1]:.3f}" if history.held_out_auc else ""
    return f"Epoch {history.steps + 1} of {epochs}{sofar}"


def _identity(
    run: Run, documents: WordIds, positive: NDArray[np.bool_], loss: Loss, plan: Training, seed: int
) -> dict[str, Any]:
    """What must match to resume: with anything else the result would differ from that of an unbroken fit."""
    shapes = {name: list(value.shape) for name, value in run.network.state_dict().items()}
    same = ("learning_rate", "weight_decay", "batch_size", "batches", "held_out")
    return {
        "module": [type(run.network).__name__, shapes],
        "corpus": fingerprint(documents.ids, documents.starts, positive),
        "vectors": fingerprint(*(value.numpy() for name, value in run.network.named_buffers() if name not in shapes)),
        "loss": loss.name,
        "optimizer": describe_optimizer(plan, run.optimizer),
        **{name: getattr(plan, name) for name in same},
        "seed": seed,
    }


def _resume(run: Run, plan: Training, identity: dict[str, Any]) -> None:
    assert plan.checkpoint is not None
    if not plan.resume:
        raise TrainingError(
            f"The checkpoint {plan.checkpoint} already exists; resume to continue from it, or choose another name."
        )
    read_checkpoint(plan.checkpoint, run, identity)


def _what_remains(what: str, run: Run, plan: Training) -> str:
    # A factory has its own learning rate.
    rate = f" than {plan.learning_rate:g}" if isinstance(plan.optimizer, str | type) else ""
    kept = ""
    if plan.checkpoint is not None and run.epoch:
        kept = f", or resume with epochs={run.epoch} from the checkpoint {plan.checkpoint} to keep what was learned"
    return f"{what}; start again with a lower learning rate{rate}{kept}."
