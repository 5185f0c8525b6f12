"""Reading what users write: quoting it safely, and numbers without surprises.

Python's `int` takes "１２", "1_0" and " 7 "; these functions take plain ASCII digits only, so that
each thing has one spelling.

>>> numbers("7x6", "x"), numbers("7x06", "x"), numbers("7x", "x")
([7, 6], [], [])
"""

from __future__ import annotations

import os
import re

from andorra.errors import PositionError

SHOWN = 60
"""How much of a text an error message quotes."""

LARGEST_TEXT = 256 << 20
"""Bytes of a text that are read at most: some devices never end."""
_PIECE = 1 << 20

NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")
"""A number in its one spelling; nine digits are more than any game needs."""

WHOLE_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,8}")
"""The same, and negative ones."""


def text_bytes(path: str | os.PathLike[str]) -> bytes:
    """What a file, a pipe or a device holds, if that is not more than any text of ours."""
    pieces = []
    left = LARGEST_TEXT
    with open(path, "rb") as file:
        while piece := file.read(_PIECE):
            pieces.append(piece)
            left -= len(piece)
            if left < 0:
                raise too_large(os.fspath(path))
    return b"".join(pieces)


def too_large(what: str) -> PositionError:
    """The error for a text that is larger than any of ours."""
    return PositionError(f"{what!r} holds more than {LARGEST_TEXT >> 20} MiB: expected a text")


def quoted(text: str) -> str:
    """`text` in quotes, special characters escaped, cut where it is too long to show.

    >>> print(quoted("x" * 100 + "y"))
    'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'... (101 characters)
    """
    if len(text) <= SHOWN:
        return repr(text)
    return f"{text[:SHOWN]!r}... ({len(text)} characters)"


def numbers(text: str, separator: str) -> list[int]:
    """The numbers in `text`; an empty list if it is anything but numbers of up to nine digits."""
    fields = text.split(separator)
    if not all(NUMBER.fullmatch(field) for field in fields):
        return []
    return [int(field) for field in fields]


def bad_parameters(game: str, text: str, expected: str) -> PositionError:
    """The error for parameters that do not fit a game."""
    return PositionError(f"bad parameters {quoted(text)} for {game}; expected {expected}")


def refuse_data(game: str, data: str | None) -> None:
    """Raise if `data` was given to a game whose rules are no data."""
    if data is not None:
        raise PositionError(f"{game} takes no data, but was given {quoted(data)}")
