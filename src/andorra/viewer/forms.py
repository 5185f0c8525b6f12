"""What a request says, read strictly: a field that is missing, unknown or of a wrong type is named.

Only the form is looked at here. What games, positions, options and limits mean is checked by the
code that checks them for the command line.
"""

from __future__ import annotations

import difflib
import json
import math
from collections.abc import Iterable
from typing import Any, NoReturn

from andorra.errors import AndorraError

LONGEST_LIST = 20_000


class RequestError(AndorraError):
    """A request that is not in the form that it must have."""


def read_json(body: bytes) -> dict[str, Any]:
    """The object in the body of a request; nothing stands for an empty one.

    >>> read_json(b'{"game": "mnk"}')
    {'game': 'mnk'}
    >>> read_json(b"[1]")
    Traceback (most recent call last):
    andorra.viewer.forms.RequestError: expected a JSON object, found [1]
    """
    try:
        found = json.loads(body or b"{}", parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise RequestError(f"expected a JSON object in UTF-8: {error}") from None
    if not isinstance(found, dict):
        raise RequestError(f"expected a JSON object, found {_shown(found)}")
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


class Form:
    """The fields of a request."""

    def __init__(self, fields: dict[str, Any], known: Iterable[str]) -> None:
        """Refuse fields that nobody would read."""
        self._fields = fields
        known = list(known)
        for name in fields:
            if name not in known:
                close = difflib.get_close_matches(name[:40], known, 1)
                hint = f"; did you mean {close[0]!r}?" if close else f"; there are: {known}"
                raise RequestError(f"there is no field {_shown(name)}{hint}")

    def text(self, name: str) -> str:
        """A text that must be there."""
        found = self.text_or_none(name)
        if found is None:
            raise RequestError(f"the field {name!r} is missing: expected a text")
        return found

    def text_or_none(self, name: str) -> str | None:
        """A text, or None where the field is missing or null."""
        found = self._fields.get(name)
        return None if found is None else _text(name, found)

    def texts(self, name: str) -> list[str]:
        """A list of texts; none where the field is missing."""
        found = self._fields.get(name, [])
        if not isinstance(found, list) or len(found) > LONGEST_LIST:
            most = f"a list of at most {LONGEST_LIST:,} texts"
            raise RequestError(f"the field {name!r}: expected {most}, found {_shown(found)}")
        return [_text(name, each) for each in found]

    def mapping(self, name: str) -> dict[str, str]:
        """An object of texts; an empty one where the field is missing."""
        found = self._fields.get(name, {})
        if not isinstance(found, dict):
            raise RequestError(f"the field {name!r}: expected an object, found {_shown(found)}")
        return {_text(name, key): _text(f"{name}.{key}", value) for key, value in found.items()}

    def whole(self, name: str) -> int | None:
        """A whole number, or None where the field is missing or null."""
        found = self._fields.get(name)
        if found is not None and (isinstance(found, bool) or not isinstance(found, int)):
            raise RequestError(f"the field {name!r}: expected a whole number, not {_shown(found)}")
        return found

    def number(self, name: str) -> float | None:
        """A finite number, or None where the field is missing or null."""
        found = self._fields.get(name)
        if found is None:
            return None
        if isinstance(found, bool) or not isinstance(found, int | float):
            raise RequestError(f"the field {name!r}: expected a number, not {_shown(found)}")
        if not -1e300 < found < 1e300 or math.isnan(found):
            raise RequestError(f"the field {name!r}: expected a finite number")
        return float(found)

    def flag(self, name: str) -> bool:
        """True or false; false where the field is missing."""
        found = self._fields.get(name, False)
        if not isinstance(found, bool):
            raise RequestError(f"the field {name!r}: expected true or false, not {_shown(found)}")
        return found


def _text(name: str, found: object) -> str:
    if not isinstance(found, str):
        raise RequestError(f"the field {name!r}: expected a text, found {_shown(found)}")
    try:
        found.encode()
    except UnicodeEncodeError:
        raise RequestError(f"the field {name!r}: expected text that UTF-8 can hold") from None
    return found


def _shown(found: object) -> str:
    shown = ascii(found)
    return shown if len(shown) <= 80 else f"{shown[:80]}…"
