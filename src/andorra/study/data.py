"""Files of positions that a plan names: beside the plan, or below the folder `ANDORRA_DATA`.

A line is a position and perhaps a comment, `POSITION # NAME; more`. The problem sets below
`ANDORRA_DATA` are no part of the project, so a plan goes on without them; a file beside a plan must
be there.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from andorra.errors import PlanError, PositionError
from andorra.rulebook.reading import text_bytes

VARIABLE = "ANDORRA_DATA"
_END_OF_NAME = re.compile(r"[;,(=]")


@dataclass(frozen=True)
class Listed:
    """A position of a file."""

    position: str
    name: str
    """From the comment; else the file's name with the number of the position in it."""


def path_below_data(relative: str) -> Path | None:
    """The file of a problem set, if it is there."""
    folder = os.environ.get(VARIABLE)
    path = Path(folder, relative) if folder else None
    return path if path is not None and path.is_file() else None


def listed(path: Path) -> list[Listed]:
    """The positions of a file, in its order."""
    lines = text_of(path).splitlines()
    parted = (line.partition("#") for line in lines)
    found = [(position.strip(), comment) for position, _, comment in parted if position.strip()]
    return [
        Listed(position, name_in(comment) or f"{path.stem} {number}")
        for number, (position, comment) in enumerate(found, start=1)
    ]


def text_of(path: Path) -> str:
    """The text of a file in UTF-8."""
    try:
        return text_bytes(path).decode("utf-8-sig")
    except (UnicodeDecodeError, PositionError) as error:
        raise PlanError(f"{path.name}: expected UTF-8 text: {error}") from None


def name_in(comment: str) -> str:
    """What the comment calls the position, if it begins with a name.

    >>> name_in(" Kotobuki (Zuko 100); known=611"), name_in(" known=3")
    ('Kotobuki', '')
    """
    name = _END_OF_NAME.split(comment, maxsplit=1)
    return "" if comment[len(name[0]) :].startswith("=") else name[0].strip()
