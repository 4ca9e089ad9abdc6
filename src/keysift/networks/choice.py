"""The models to choose from, and the import of those that need torch."""

from types import ModuleType
from typing import Any

from keysift.errors import SettingError

MODELS = ("linear", "rcnn", "cnn", "mlp")


def check_model(model: Any) -> Any:
    """Return the model if it can be used; otherwise say which can.

    >>> check_model("rnn")
    Traceback (most recent call last):
    keysift.errors.SettingError: model must be one of linear, rcnn, cnn, mlp, or a torch.nn.Module; got 'rnn'.
    """
    if isinstance(model, str) and model in MODELS:
        return model
    # Recognised by what it can do, because torch may not be installed.
    if not isinstance(model, str | type) and callable(model) and hasattr(model, "state_dict"):
        return model
    raise SettingError(f"model must be one of {', '.join(MODELS)}, or a torch.nn.Module; got {model!r}.")


def import_networks() -> ModuleType:
    """The module `keysift.networks.network_scorer`, or an error that says how to install what it needs."""
    try:
        import keysift.networks.network_scorer as network
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        raise SettingError("A network needs torch, which is not installed: pip install 'keysift[neural]'.") from None
    return network
