"""The fields of one table of a plan, each read once and with its type.

What is wrong is an error that names the place, quotes what is there and says what was expected. A
field that nobody asked for is one, too.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Collection
from typing import Any, TypeVar

from andorra.errors import PlanError

T = TypeVar("T")
_MISSING = object()


class Fields:
    """One table."""

    def __init__(self, values: Any, what: str, place: Callable[..., str]) -> None:
        """`what` names the table in messages; `place` gives the place of it, or of a key."""
        self._what = what
        self._place = place
        if not isinstance(values, dict):
            raise self.error(f"this is {quoted(values)}, expected a table")
        self._values: dict[str, Any] = values

    @property
    def values(self) -> dict[str, Any]:
        """All fields."""
        return self._values

    def error(self, said: str, key: str | None = None) -> PlanError:
        """An error at the table, or at a field of it."""
        place = self._place() if key is None else self._place(key)
        return PlanError(f"{place}: {self._what}: {said}" if self._what else f"{place}: {said}")

    def refused(self, key: str, expected: str) -> PlanError:
        """The error for a field whose value is no good."""
        return self.error(f"{key} = {quoted(self._values[key])}: expected {expected}", key)

    def has(self, key: str) -> bool:
        """Whether the field is there."""
        return key in self._values

    def text(self, key: str) -> str | None:
        """A text, if it is there; an empty one is none."""
        found: str | None = self._get(key, _is_text, "a text")
        return found

    def needed_text(self, key: str, expected: str) -> str:
        """A text that must be there."""
        found = self.text(key)
        if found is None:
            raise self.error(f"{key} is missing: expected {expected}")
        return found

    def flag(self, key: str, default: bool) -> bool:
        """True or false."""
        found = self._get(key, lambda value: isinstance(value, bool), "true or false")
        return default if found is None else bool(found)

    def any(self, key: str) -> Any:
        """The value as it is."""
        return self._values.get(key)

    def texts(self, key: str) -> list[str] | None:
        """A list of texts, none of them twice."""
        return self._list(key, str, "a list of texts")

    def numbers(self, key: str) -> list[int] | None:
        """A list of whole numbers from 1, none of them twice."""
        found = self._list(key, int, "a list of whole numbers from 1")
        if found is not None and min(found) < 1:
            raise self.refused(key, "a list of whole numbers from 1")
        return found

    def check_names(self, known: Collection[str]) -> None:
        """Refuse a field that there is none of."""
        for key in self._values:
            if key not in known:
                raise self.error(f"there is no {key!r} here{nearest(key, known)}", key)

    def _get(self, key: str, is_good: Callable[[Any], object], expected: str) -> Any:
        value = self._values.get(key, _MISSING)
        if value is _MISSING:
            return None
        if not is_good(value):
            raise self.refused(key, expected)
        return value

    def _list(self, key: str, kind: type[T], expected: str) -> list[T] | None:
        def is_good(value: Any) -> bool:
            return isinstance(value, list) and bool(value) and all(type(v) is kind for v in value)

        found: list[T] | None = self._get(key, is_good, expected)
        for index, each in enumerate(found or []):
            if each in (found or [])[:index]:
                raise self.error(f"{key}: {quoted(each)} is there twice", key)
        return found


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def quoted(value: object) -> str:
    """A value about as TOML writes it.

    >>> quoted("a"), quoted(True), quoted([1, "b"])
    ('"a"', 'true', '[1, "b"]')
    """
    return json.dumps(value, ensure_ascii=False, default=str)


def nearest(name: str, known: Collection[str]) -> str:
    """A hint at what may have been meant.

    >>> nearest("slovers", ["solvers", "problems"]), nearest("x", ["a", "b"])
    ("; did you mean 'solvers'?", '; expected a, b')
    """
    close = difflib.get_close_matches(name, known, 1)
    return f"; did you mean {close[0]!r}?" if close else f"; expected {', '.join(known)}"
