"""A training run on disk: a safetensors file with everything the next epoch needs, and no code."""

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.optim import Optimizer

from keysift.errors import KeysiftError, TrainingError
from keysift.files.tensors import Arrays, read_model, write_model
from keysift.networks.history import NetworkHistory

OTHER = {
    "module": "another module",
    "corpus": "another corpus (or other keywords)",
    "vectors": "other word vectors",
}
"""What to call a difference where the value itself means nothing to a reader."""


class Run:
    """Everything that changes while a network is trained."""

    def __init__(self, network: nn.Module, optimizer: Optimizer, rng: np.random.Generator) -> None:
        self.network, self.optimizer, self.rng = network, optimizer, rng
        self.epoch = self.step = 0
        self.history = NetworkHistory()
        self.best: dict[str, Tensor] = {}

    def finish_epoch(self, risk: float, auc: float | None) -> None:
        """Record how the epoch went, and keep its weights if it was the best so far."""
        self.epoch += 1
        seen = self.history
        best = auc is None or auc > max(seen.held_out_auc, default=-1.0)
        self.history = NetworkHistory(
            risk=(*seen.risk, risk),
            held_out_auc=seen.held_out_auc if auc is None else (*seen.held_out_auc, auc),
            best_epoch=self.epoch if best else seen.best_epoch,
        )
        if best:
            self.best = {name: value.clone() for name, value in self.network.state_dict().items()}

    def take_best(self) -> None:
        """Give the network the weights of its best epoch."""
        if self.best:
            self.network.load_state_dict(self.best)
        self.network.eval()


def fingerprint(*arrays: NDArray[Any]) -> str:
    """A hash that is the same only for the same numbers."""
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


def write_checkpoint(path: str | Path, run: Run, identity: dict[str, Any]) -> None:
    """Write the run, all of it or nothing; `identity` says what was trained, on what and how."""
    arrays: Arrays = {"random.torch": torch.get_rng_state().numpy()}
    for part, state in (("network", run.network.state_dict()), ("best", run.best)):
        arrays |= {f"{part}.{name}": value.detach().numpy() for name, value in state.items()}
    plain: dict[str, dict[str, Any]] = {}
    for index, values in run.optimizer.state_dict()["state"].items():
        tensors = {name: value for name, value in values.items() if isinstance(value, Tensor)}
        arrays |= {f"optimizer.{index}.{name}": value.numpy() for name, value in tensors.items()}
        plain[str(index)] = {name: value for name, value in values.items() if name not in tensors}
    write_model(
        path,
        arrays,
        {
            "checkpoint": identity,
            "epoch": run.epoch,
            "step": run.step,
            "risk": run.history.risk,
            "held_out_auc": run.history.held_out_auc,
            "best_epoch": run.history.best_epoch,
            "optimizer": plain,
            "random": run.rng.bit_generator.state,
        },
    )


def read_checkpoint(path: str | Path, run: Run, identity: dict[str, Any]) -> None:
    """Bring a fresh run to the state of the checkpoint, or say why it belongs to another fit."""
    try:
        arrays, saved = read_model(path)
    except KeysiftError as error:
        raise TrainingError(
            f"Cannot resume from the checkpoint {path}: it is damaged, cut short or from another keysift; choose"
            " another name and start again."
        ) from error
    if not isinstance(saved.get("checkpoint"), dict):
        raise TrainingError(f"{path} is a model, not a checkpoint; name the checkpoint that an earlier fit wrote.")
    for name, value in identity.items():
        was = saved["checkpoint"].get(name)
        if was != value:
            other = OTHER.get(name, f"{name} {was!r}, not {value!r}")
            raise TrainingError(
                f"The checkpoint {path} belongs to {other}; fit as it was started, or choose another checkpoint."
            )
    try:
        run.network.load_state_dict(_tensors(arrays, "network."))
        run.best = _tensors(arrays, "best.")
        state = {int(index): dict(values) for index, values in saved["optimizer"].items()}
        for name, value in _tensors(arrays, "optimizer.").items():
            index, _, key = name.partition(".")
            state[int(index)][key] = value
        run.optimizer.load_state_dict({**run.optimizer.state_dict(), "state": state})
        torch.set_rng_state(torch.from_numpy(np.array(arrays["random.torch"])))
        run.rng.bit_generator.state = saved["random"]
        run.epoch, run.step = int(saved["epoch"]), int(saved["step"])
        run.history = NetworkHistory(
            tuple(saved["risk"]), tuple(saved["held_out_auc"]), best_epoch=int(saved["best_epoch"])
        )
    except (AttributeError, KeyError, TypeError, ValueError, RuntimeError) as error:
        raise TrainingError(
            f"Cannot resume from the checkpoint {path}: a part is missing or damaged ({error!r:.80}); choose"
            " another name and start again."
        ) from None


def _tensors(arrays: Arrays, prefix: str) -> dict[str, Tensor]:
    return {
        name.removeprefix(prefix): torch.from_numpy(np.array(value))
        for name, value in arrays.items()
        if name.startswith(prefix)
    }
