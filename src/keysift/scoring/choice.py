"""Which models there are, and the way to those that need torch."""

from types import ModuleType
from typing import Any

from keysift.errors import SettingError

__all__ = ["MODELS", "check_model", "network_room"]

MODELS = ("linear", "rcnn", "cnn", "mlp")


def check_model(model: Any) -> Any:
    """Return a model that can be used, or say which can.

    >>> check_model("rnn")
    Traceback (most recent call last):
    keysift.errors.SettingError: model must be one of linear, rcnn, cnn, mlp, or a torch.nn.Module; got 'rnn'.
    """
    if isinstance(model, str) and model in MODELS:
        return model
    # Known by what it can do: torch may not be there to ask.
    if not isinstance(model, str | type) and callable(model) and hasattr(model, "state_dict"):
        return model
    raise SettingError(f"model must be one of {', '.join(MODELS)}, or a torch.nn.Module; got {model!r}.")


def network_room() -> ModuleType:
    """The module `keysift.scoring.network`, or an error that says how to install what it needs."""
    try:
        import keysift.scoring.network as network
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        raise SettingError("A network needs torch, which is not installed: pip install 'keysift[neural]'.") from None
    return network
