"""Parts of a file, each taken out by its name and checked: its kind, its shape, its range.

Whoever made the file may be anybody, so nothing is converted: a number that should be whole and is 3.0, or a list that
should be a text, is damage.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

from keysift.errors import shortened

T = TypeVar("T")

LARGEST = 1e100
"""No number of a model is larger; squares and sums of such numbers still are numbers."""
MOST = 2**53
"""No count is larger."""


class DamagedPartError(ValueError):
    """A part of a file that is missing or is not what it has to be."""


@dataclass(frozen=True)
class Fields:
    """The fields of a JSON object.

    >>> fields = Fields({"n": 3, "share": 0.5, "inner": {"name": "a"}}, "learned")
    >>> fields.whole("n"), fields.number("share", 0, 1), fields.inner("inner").text("name")
    (3, 0.5, 'a')
    >>> fields.whole("share")
    Traceback (most recent call last):
    ...
    keysift.files.fields.DamagedPartError: learned.share must be a whole number from 0 to 9007199254740992; got 0.5
    """

    given: Mapping[str, Any]
    where: str

    @classmethod
    def of(cls, given: object, where: str) -> "Fields":
        """The fields of what should be an object."""
        if not isinstance(given, dict):
            raise DamagedPartError(f"{where} must be an object; got {shortened(given)}")
        return cls(given, where)

    def any(self, name: str) -> Any:
        """A field, whatever it is."""
        if name not in self.given:
            raise DamagedPartError(f"{self.where}.{name} is missing")
        return self.given[name]

    def only(self, *names: str) -> "Fields":
        """The same, if there is no other field."""
        if others := sorted(set(self.given) - set(names)):
            raise DamagedPartError(f"{self.where} must not have the field {shortened(others[0])}")
        return self

    def inner(self, name: str) -> "Fields":
        """A field that is an object."""
        return Fields.of(self.any(name), f"{self.where}.{name}")

    def text(self, name: str) -> str:
        """A field that is a text."""
        value = self.any(name)
        return value if isinstance(value, str) else self._refuse(name, "a text", value)

    def truth(self, name: str) -> bool:
        """A field that is true or false."""
        value = self.any(name)
        return value if isinstance(value, bool) else self._refuse(name, "true or false", value)

    def whole(self, name: str, least: int = 0, most: int = MOST) -> int:
        """A field that is a whole number."""
        value = self.any(name)
        if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
            return value
        raise self._wrong(name, f"a whole number from {least} to {most}", value)

    def number(self, name: str, least: float = -LARGEST, most: float = LARGEST) -> float:
        """A field that is a finite number."""
        value = self.any(name)
        if isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most:
            return float(value)
        raise self._wrong(name, f"a number from {least:g} to {most:g}", value)

    def measured(self, name: str) -> float:
        """A field that is a number, or NaN where nothing could be measured."""
        value = self.any(name)
        return value if isinstance(value, float) and math.isnan(value) else self.number(name)

    def items(self, name: str) -> list[Any]:
        """A field that is a list."""
        value = self.any(name)
        return value if isinstance(value, list) else self._refuse(name, "a list", value)

    def texts(self, name: str) -> tuple[str, ...]:
        """A field that is a list of texts."""
        values = self.items(name)
        return tuple(values) if all(isinstance(one, str) for one in values) else self._refuse(name, "texts", values)

    def objects(self, name: str) -> "list[Fields]":
        """A field that is a list of objects."""
        return [Fields.of(one, f"{self.where}.{name}[{place}]") for place, one in enumerate(self.items(name))]

    def maybe(self, name: str, take: Callable[[str], T]) -> T | None:
        """A field that may be null, and is otherwise taken by one of the other functions."""
        return None if self.any(name) is None else take(name)

    def _refuse(self, name: str, allowed: str, value: object) -> NoReturn:
        raise self._wrong(name, allowed, value)

    def _wrong(self, name: str, allowed: str, value: object) -> DamagedPartError:
        return DamagedPartError(f"{self.where}.{name} must be {allowed}; got {shortened(value, 60)}")


@dataclass(frozen=True)
class Columns:
    """The arrays of a file.

    >>> columns = Columns({"coef": np.array([0.5, 2.0])})
    >>> columns.numbers("coef", (2,)).tolist()
    [0.5, 2.0]
    >>> columns.numbers("coef", (3,))
    Traceback (most recent call last):
    ...
    keysift.files.fields.DamagedPartError: the array coef must have the shape (3,); got (2,)
    """

    arrays: Mapping[str, NDArray[Any]]

    def of_kind(self, name: str, kind: DTypeLike, shape: tuple[int | None, ...]) -> NDArray[Any]:
        """An array of one kind of numbers and of one shape; None allows any length."""
        if name not in self.arrays:
            raise DamagedPartError(f"the array {name} is missing")
        array = self.arrays[name]
        if array.dtype != np.dtype(kind):
            raise DamagedPartError(f"the array {name} must hold {np.dtype(kind)}; got {array.dtype}")
        if len(array.shape) != len(shape) or any(
            wanted not in (None, got) for wanted, got in zip(shape, array.shape, strict=True)
        ):
            wanted = ", ".join("any" if length is None else str(length) for length in shape)
            raise DamagedPartError(
                f"the array {name} must have the shape ({wanted}{',' if len(shape) == 1 else ''}); got {array.shape}"
            )
        return array

    def numbers(
        self,
        name: str,
        shape: tuple[int | None, ...],
        least: float = -LARGEST,
        most: float = LARGEST,
        kind: DTypeLike = np.float64,
    ) -> NDArray[Any]:
        """An array of finite numbers in a range."""
        array = self.of_kind(name, kind, shape)
        # As numbers of double precision, whatever the array holds; a comparison with NaN is false.
        if not ((array >= np.float64(least)) & (array <= np.float64(most))).all():
            raise DamagedPartError(f"the array {name} must hold numbers from {least:g} to {most:g}")
        return array

    def only(self, *names: str) -> None:
        """Refuse an array that nobody asked for."""
        if others := sorted(set(self.arrays) - set(names)):
            raise DamagedPartError(f"the array {shortened(others[0])} belongs to no part of the model")
