"""A value of a dataclass from what JSON holds of it, every field checked against its annotation."""

import math
from collections.abc import Collection
from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Literal, NoReturn, TypeVar, Union, get_args, get_origin, get_type_hints

from keysift.errors import shortened
from keysift.files.fields import LARGEST, DamagedPartError, Fields

T = TypeVar("T")


def restored(kind: type[T], given: object, where: str, boundless: Collection[str] = ()) -> T:
    """The value, or an error that names the field that is damaged.

    Nothing is converted but lists into tuples and whole numbers into others; all numbers are finite but those of the
    fields in `boundless`.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Near:
    ...     word: str
    ...     term: tuple[str, ...]
    ...     weight: float | None
    >>> restored(Near, {"word": "puck", "term": ["puck"], "weight": 1}, "near")
    Near(word='puck', term=('puck',), weight=1.0)
    >>> restored(Near, {"word": "puck", "term": "puck", "weight": None}, "near")
    Traceback (most recent call last):
    ...
    keysift.files.fields.DamagedPartError: near.term must be a list; got 'puck'
    """
    value: T = _value(kind, given, where, frozenset(boundless))
    return value


def _value(kind: Any, given: object, where: str, boundless: frozenset[str]) -> Any:
    origin, inside = get_origin(kind), get_args(kind)
    if is_dataclass(kind):
        return _dataclass(kind, given, where, boundless)
    if origin in (Union, UnionType):
        if given is None and NoneType in inside:
            return None
        (only,) = [one for one in inside if one is not NoneType]
        return _value(only, given, where, boundless)
    if origin is Literal:
        return given if given in inside else _refuse(where, f"one of {', '.join(map(str, inside))}", given)
    if origin is tuple:
        return tuple(_value(inside[0], one, f"{where}[{n}]", boundless) for n, one in enumerate(_list(given, where)))
    if isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return _named_tuple(kind, given, where, boundless)
    if kind is float:
        return _number(given, where, boundless)
    if kind is int:
        whole = isinstance(given, int) and not isinstance(given, bool)
        return given if whole else _refuse(where, "a whole number", given)
    if kind in (str, bool):
        name = "a text" if kind is str else "true or false"
        return given if isinstance(given, kind) else _refuse(where, name, given)
    raise TypeError(f"{where} has the annotation {kind}, which no file can hold")


def _dataclass(kind: Any, given: object, where: str, boundless: frozenset[str]) -> Any:
    hints, names = get_type_hints(kind), [field.name for field in fields(kind)]
    plain = Fields.of(given, where).only(*names)
    return kind(**{name: _value(hints[name], plain.any(name), f"{where}.{name}", boundless) for name in names})


def _named_tuple(kind: Any, given: object, where: str, boundless: frozenset[str]) -> Any:
    hints, values = get_type_hints(kind), _list(given, where)
    if len(values) != len(kind._fields):
        _refuse(where, f"a list of {len(kind._fields)}", given)
    return kind(
        *(
            _value(hints[name], one, f"{where}.{name}", boundless)
            for name, one in zip(kind._fields, values, strict=True)
        )
    )


def _number(given: object, where: str, boundless: frozenset[str]) -> float:
    if isinstance(given, int | float) and not isinstance(given, bool):
        if -LARGEST <= given <= LARGEST:
            return float(given)
        if where.rpartition(".")[2] in boundless and isinstance(given, float) and not math.isnan(given):
            return given
    raise _wrong(where, "a finite number", given)


def _list(given: object, where: str) -> list[Any]:
    return given if isinstance(given, list) else _refuse(where, "a list", given)


def _refuse(where: str, allowed: str, given: object) -> NoReturn:
    raise _wrong(where, allowed, given)


def _wrong(where: str, allowed: str, given: object) -> DamagedPartError:
    return DamagedPartError(f"{where} must be {allowed}; got {shortened(given, 60)}")
