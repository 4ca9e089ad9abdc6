"""How a network is trained; without torch, so that settings are checked before anything heavy is loaded."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from numbers import Integral
from pathlib import Path
from typing import Any, Literal

from keysift.errors import SettingError, shortened

STEPS = 100
"""With more, a network begins to learn the keywords themselves instead of what they stand for (docs/networks.md)."""
MOST = 1_000_000
"""No whole number is larger: so many epochs, or words of a document, are a slip of the finger."""


@dataclass(frozen=True)
class Training:
    """Settings of model="rcnn", "cnn", "mlp" or a module of your own; the linear model needs none of them.

    >>> Training(epochs=0)
    Traceback (most recent call last):
    keysift.errors.SettingError: epochs must be a whole number, 1 or more; got 0.
    """

    optimizer: str | Callable[..., Any] = "adam"
    """"adam", "amsgrad", "adamw", "sgd", or a factory from parameters to a torch optimiser."""
    learning_rate: float = 5e-4
    weight_decay: float = 0.003
    epochs: int | None = None
    """The largest number of passes over the documents; None takes about a hundred steps, which measured best."""
    batch_size: int = 256
    batches: Literal["balanced", "natural"] = "balanced"
    """Half of every batch from each of the two sets, or documents as they come (the paper)."""
    held_out: float = 0.1
    """Share of the documents held out to watch the corrupted AUC; with 0 there is no early stopping."""
    patience: int = 5
    """Stop when the corrupted AUC of the held-out documents has not risen for this many epochs, and keep the best."""
    fine_tune: bool = False
    """Whether the vectors of the words in the training documents are learned as well."""
    max_words: int | None = 200
    """A network reads this many words from the start of a document; None reads all."""
    inputs: Literal["words", "vectors"] = "words"
    """What a module of your own takes: padded word numbers (documents, longest), or mean vectors (documents, dim)."""
    checkpoint: str | Path | None = None
    """A file that is written after every epoch."""
    resume: bool = False
    """Whether to continue from the checkpoint."""

    def __post_init__(self) -> None:
        for name in ("epochs", "batch_size", "patience", "max_words"):
            value, least = getattr(self, name), 2 if name == "batch_size" else 1
            if name in ("epochs", "max_words") and value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
                raise SettingError(f"{name} must be a whole number, {least} or more; got {value!r}.")
            if int(value) > MOST:
                raise SettingError(f"{name} must be a whole number, {MOST:,} at most; got {shortened(value)}.")
        for name in ("learning_rate", "weight_decay", "held_out"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < float("inf"):
                raise SettingError(f"{name} must be a number, 0 or more; got {value!r}.")
        if self.held_out >= 1:
            raise SettingError(f"held_out must be a share below 1; got {self.held_out!r}.")
        for name, allowed in (("batches", ("balanced", "natural")), ("inputs", ("words", "vectors"))):
            if getattr(self, name) not in allowed:
                raise SettingError(f"{name} must be one of {', '.join(allowed)}; got {getattr(self, name)!r}.")
        if self.resume and self.checkpoint is None:
            raise SettingError("resume needs a checkpoint to continue from; give checkpoint as well.")

    def epochs_of(self, documents: int) -> int:
        """The largest number of epochs for this many documents.

        >>> Training(batch_size=256).epochs_of(8000), Training(epochs=7).epochs_of(8000)
        (3, 7)
        """
        return self.epochs or max(1, round(STEPS / -(-documents // self.batch_size)))

    def plain(self) -> dict[str, Any]:
        """The settings to save with a model, without a factory, which is code, and without the checkpoint.

        >>> Training(optimizer="sgd", checkpoint="run.keysift").plain()["checkpoint"] is None
        True
        """
        optimizer = self.optimizer if isinstance(self.optimizer, str) else "adam"
        return {**asdict(self), "optimizer": optimizer, "checkpoint": None, "resume": False}
