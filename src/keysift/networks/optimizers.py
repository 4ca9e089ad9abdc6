"""Optimisers, by name or from a factory."""

import inspect
from collections.abc import Callable

from torch import nn
from torch.optim import SGD, Adam, AdamW, Optimizer, SparseAdam

from keysift.errors import SettingError
from keysift.networks.training import Training

Factory = Callable[..., Optimizer]

OPTIMIZERS: dict[str, Factory] = {
    "adam": lambda parameters, **options: Adam(parameters, fused=True, **options),
    "amsgrad": lambda parameters, **options: Adam(parameters, amsgrad=True, fused=True, **options),
    "adamw": lambda parameters, **options: AdamW(parameters, fused=True, **options),
    "sgd": lambda parameters, **options: SGD(parameters, momentum=0.9, fused=True, **options),
}


def make_optimizer(plan: Training, network: nn.Module) -> Optimizer:
    """The optimiser of a plan, for the trainable weights of a network.

    A class of torch.optim is given the learning rate and the weight decay, if it takes them; any other factory is
    called with the parameters alone and keeps its own settings.
    """
    factory, options = plan.optimizer, {"lr": plan.learning_rate, "weight_decay": plan.weight_decay}
    parameters = [parameter for parameter in network.parameters() if parameter.requires_grad]
    if not parameters:
        raise SettingError("The module has no parameter that can be trained; give one with requires_grad.")
    if isinstance(factory, str):
        if factory.lower() not in OPTIMIZERS:
            raise SettingError(
                f"optimizer must be one of {', '.join(OPTIMIZERS)} or a factory such as torch.optim.RMSprop; got"
                f" {factory!r}."
            )
        return OPTIMIZERS[factory.lower()](parameters, **options)
    taken = inspect.signature(factory).parameters if isinstance(factory, type) else {}
    try:
        made = factory(parameters, **{name: value for name, value in options.items() if name in taken})
    except ValueError as error:  # Muon, for one, takes matrices alone
        name = getattr(factory, "__name__", "from the factory")
        raise SettingError(f"The optimizer {name} refuses this module: {error}; use {', '.join(OPTIMIZERS)}.") from None
    if not isinstance(made, Optimizer):
        raise SettingError(f"The optimizer factory must return a torch.optim.Optimizer; got {type(made).__name__}.")
    closure = inspect.signature(made.step).parameters.get("closure")
    if closure is not None and closure.default is closure.empty:
        raise SettingError(
            f"The optimizer {type(made).__name__} evaluates a batch several times in a step, which is not supported;"
            f" use {', '.join(OPTIMIZERS)} or another one whose step needs no closure."
        )
    if isinstance(made, SparseAdam):
        raise SettingError(
            f"The optimizer SparseAdam takes sparse gradients alone, and these are not; use {', '.join(OPTIMIZERS)}."
        )
    return made


def describe_optimizer(plan: Training, optimizer: Optimizer) -> str:
    """The name of the optimiser; for one from a factory, its class and settings."""
    if isinstance(plan.optimizer, str):
        return plan.optimizer.lower()
    groups = optimizer.state_dict()["param_groups"]
    return f"{type(optimizer).__name__} {[{k: v for k, v in group.items() if k != 'params'} for group in groups]}"
