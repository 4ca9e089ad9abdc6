"""A ranker from its file: what was saved, and an encoder only as far as the user asks for it."""

from pathlib import Path
from typing import Any, TypeVar

from keysift.encoding.encoder import get_encoder, named_by_file
from keysift.encoding.minilm import NAME as SHIPPED
from keysift.errors import warn
from keysift.modelfile import load_model
from keysift.ranker import KeywordRanker
from keysift.text.tokens import Tokenizer

R = TypeVar("R", bound=KeywordRanker)


def load_as(
    kind: type[R], path: str | Path, *, tokenizer: Tokenizer | None = None, model: Any = None, encoder: Any = None
) -> R:
    """Load a saved ranker, or a saved classifier; the other arguments are those of `keysift.load`."""
    loaded, arguments = load_model(path, tokenizer=tokenizer, network=model)
    named = arguments["encoder"]
    if encoder is not None:
        arguments["encoder"] = encoder
        if isinstance(encoder, str) and named not in (None, encoder):
            warn(
                f"The model {path} was fitted with the encoder {named!r}, not with {encoder!r}; its scores are right"
                " only if both give the same vectors."
            )
    elif named not in (None, SHIPPED):  # a file does not decide what is loaded
        arguments["encoder"] = named_by_file(named, path)
    clf = kind(**arguments)
    clf._assign_model(loaded, None)
    clf.encoder_ = None
    if clf.encoder is not None and loaded.encoded_length is not None:
        clf.encoder_ = get_encoder(clf.encoder)
    return clf
