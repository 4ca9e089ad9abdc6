"""From two sets of documents to a model: all pairs at once for a linear one, batch by batch for a network.

Nothing that this imports needs torch; `minibatch` does.
"""

from keysift.training.full_batch import History, fit_linear
from keysift.training.history import NetworkHistory
from keysift.training.plan import Training

__all__ = ["History", "NetworkHistory", "Training", "fit_linear"]
