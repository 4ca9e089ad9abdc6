"""How the training of a network went; without torch, so that it can be shown anywhere."""

from dataclasses import dataclass


@dataclass(frozen=True)
class NetworkHistory:
    """A value for every epoch.

    >>> NetworkHistory(risk=(0.5, 0.4, 0.4), held_out_auc=(0.6, 0.8, 0.7), best_epoch=2).message
    'epoch 2 was best: AUC 0.800 between the held-out documents of the two sets'
    """

    risk: tuple[float, ...] = ()
    """Mean corrupted risk of the batches."""
    held_out_auc: tuple[float, ...] = ()
    """Corrupted AUC on the held-out documents; empty if there were none."""
    best_epoch: int = 0
    """The epoch whose weights were kept, counted from 1."""

    @property
    def steps(self) -> int:
        """How many epochs were trained."""
        return len(self.risk)

    @property
    def message(self) -> str:
        """Which epoch was kept, and why."""
        if not self.held_out_auc:
            return "the last epoch was kept"
        auc = self.held_out_auc[self.best_epoch - 1]
        return f"epoch {self.best_epoch} was best: AUC {auc:.3f} between the held-out documents of the two sets"
