import functools
import re
from typing import Any

import pytest
import torch
from torch import nn

from keysift.errors import SettingError
from keysift.networks.optimizers import OPTIMIZERS, describe_optimizer, make_optimizer
from keysift.networks.training import Training
from tests.networks.corpora import BagOfWords, fit, same_to_the_bit, state_of


def made(factory: Any) -> torch.optim.Optimizer:
    return make_optimizer(Training(optimizer=factory, learning_rate=0.02, weight_decay=0.07), nn.Linear(2, 1))


@pytest.mark.parametrize(
    ("name", "kind", "options"),
    [
        ("adam", torch.optim.Adam, {"amsgrad": False}),
        ("amsgrad", torch.optim.Adam, {"amsgrad": True}),
        ("adamw", torch.optim.AdamW, {}),
        ("sgd", torch.optim.SGD, {"momentum": 0.9}),
        ("AMSGrad", torch.optim.Adam, {"amsgrad": True}),
    ],
)
def test_by_name(name: str, kind: type, options: dict[str, Any]) -> None:
    optimizer = made(name)
    assert type(optimizer) is kind
    assert optimizer.defaults.items() >= {"lr": 0.02, "weight_decay": 0.07, **options}.items()


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_each_learns_in_its_own_way(name: str) -> None:
    def trained(optimizer: str) -> BagOfWords:
        network = BagOfWords()
        plan = Training(optimizer=optimizer, learning_rate=0.05, epochs=3, batch_size=20, held_out=0)
        history = fit(network, plan)
        assert history.risk[-1] < history.risk[0]
        return network

    network = trained(name)
    assert not same_to_the_bit(state_of(network), state_of(BagOfWords()))
    for other in set(OPTIMIZERS) - {name}:
        assert not same_to_the_bit(state_of(network), state_of(trained(other))), other


def test_a_class_gets_the_settings_that_it_takes() -> None:
    assert made(torch.optim.RMSprop).defaults.items() >= {"lr": 0.02, "weight_decay": 0.07}.items()
    without_decay = made(torch.optim.Rprop)
    assert without_decay.defaults["lr"] == 0.02


@pytest.mark.parametrize(
    "factory",
    [functools.partial(torch.optim.Adagrad, lr=0.5), lambda parameters: torch.optim.Adagrad(parameters, lr=0.5)],
)
def test_a_factory_keeps_its_own_settings(factory: Any) -> None:
    optimizer = made(factory)
    assert isinstance(optimizer, torch.optim.Adagrad)
    assert optimizer.defaults.items() >= {"lr": 0.5, "weight_decay": 0}.items()


@pytest.mark.parametrize(
    ("factory", "message"),
    [
        (
            "adamm",
            "optimizer must be one of adam, amsgrad, adamw, sgd or a factory such as torch.optim.RMSprop; got 'adamm'.",
        ),
        (lambda parameters: 7, "The optimizer factory must return a torch.optim.Optimizer; got int."),
        (list, "The optimizer factory must return a torch.optim.Optimizer; got list."),
        (torch.optim.LBFGS, "The optimizer LBFGS evaluates a batch several times in a step"),
        (torch.optim.SparseAdam, "The optimizer SparseAdam takes sparse gradients alone"),
        (functools.partial(torch.optim.SGD, lr=-1.0), "refuses this module: Invalid learning rate: -1.0; use adam"),
    ],
)
def test_what_is_no_optimizer(factory: Any, message: str) -> None:
    with pytest.raises(SettingError, match=re.escape(message)):
        made(factory)


def test_only_what_is_to_be_learned_is_handed_over() -> None:
    network = nn.Linear(2, 1)
    network.bias.requires_grad_(False)
    (group,) = make_optimizer(Training(), network).param_groups
    assert [parameter is network.weight for parameter in group["params"]] == [True]
    network.weight.requires_grad_(False)
    with pytest.raises(SettingError, match=r"no parameter that can be trained; give one with requires_grad\."):
        make_optimizer(Training(), network)


def test_descriptions_differ_where_the_training_would() -> None:
    factories: list[Any] = [
        "adam",
        "amsgrad",
        "sgd",
        torch.optim.Adam,
        torch.optim.RMSprop,
        functools.partial(torch.optim.RMSprop, lr=0.3),
        functools.partial(torch.optim.RMSprop, lr=0.4),
    ]

    def described(factory: Any) -> str:
        return describe_optimizer(Training(optimizer=factory), made(factory))

    assert len({described(factory) for factory in factories}) == len(factories)
    assert described("AdamW") == described("adamw")
    assert described(functools.partial(torch.optim.RMSprop, lr=0.3)) == described(
        lambda parameters: torch.optim.RMSprop(parameters, lr=0.3)
    )
