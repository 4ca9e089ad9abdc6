"""The settings that a ranking was learned with, as far as they are not the usual ones."""

import inspect
from typing import Any

from keysift.config import DEFAULT
from keysift.encoding.encoder import get_encoder
from keysift.networks.training import Training
from keysift.present.facts import Section, Sentence, Table
from keysift.ranker import KeywordRanker
from keysift.risk.losses import get_loss
from keysift.settings import Settings

SHOWN = ("prior", "threshold", "vectors", "views", "encoder", "loss", "model", "random_state")


def settings_section(clf: KeywordRanker) -> Section | None:
    """The changed settings as a part of a page; None where there is none."""
    rows = tuple((name, _words(value)) for name, value in changed_settings(clf).items())
    if not rows:
        return None
    return Section("Settings", (Sentence("All others are the defaults."),), table=Table(("name", "value"), rows))


def changed_settings(clf: KeywordRanker) -> dict[str, Any]:
    """Arguments and settings that differ from their defaults, by name.

    >>> changed_settings(KeywordRanker(["goal"], prior=0.1, settings=Settings(gamma=5)))
    {'prior': 0.1, 'gamma': 5}
    """
    parameters = inspect.signature(KeywordRanker).parameters
    usual = {name: parameters[name].default for name in SHOWN}
    given = {name: getattr(clf, name) for name in SHOWN}
    given["loss"] = get_loss(clf.loss).name
    given["vectors"] = str(getattr(clf.vectors, "name", clf.vectors))
    given["views"] = _names(clf.views)
    usual["views"] = _names(usual["views"])
    given["encoder"] = _encoder(clf)
    if not isinstance(clf.model, str):
        given["model"] = type(clf.model).__name__
    settings = clf.settings or Settings()
    given |= {**settings.plain(), "tokenizer": None if settings.tokenizer is None else "one of your own"}
    usual |= {**Settings().plain(), "tokenizer": None}
    given |= (clf.learning or DEFAULT).plain()
    usual |= DEFAULT.plain()
    if clf.model != "linear":
        given |= (clf.training or Training()).plain()
        usual |= Training().plain()
    return {name: value for name, value in given.items() if value != usual[name]}


def _names(views: Any) -> tuple[str, ...]:
    several = (views,) if isinstance(views, str) else tuple(views)
    return tuple(view if isinstance(view, str) else view.name for view in several)


def _encoder(clf: KeywordRanker) -> str | None:
    fitted = getattr(clf, "encoder_", None)
    if fitted is not None:
        return str(fitted.name)
    if getattr(clf, "encoded_length_", None) is not None:
        return "vectors made elsewhere"
    return None if clf.encoder is None else get_encoder(clf.encoder).name


def _words(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
