"""What is to be solved: the initial position, a position from the command line, or a file of them.

A file holds a position a line; `#` starts a comment; blank lines are skipped; `-` is standard
input. Lines are read as they come, so answers start before a pipe has ended.
"""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Problem:
    """One position to be solved. `fault` says why its line cannot be read at all."""

    position: str | None
    file: str | None = None
    line: int = 0
    fault: str | None = None

    @property
    def place(self) -> str:
        """File and line, as compilers write them."""
        return f"{self.file}:{self.line}"


def is_file(text: str | None) -> bool:
    """Whether `text` names a file of positions: `-`, or the path of an existing file."""
    if text is None:
        return False
    try:
        return text == "-" or (bool(text) and Path(text).is_file())
    except (OSError, ValueError):  # longer than any path, or not a path at all
        return False


def problems_in(path: str) -> Generator[Problem, None, None]:
    """The problems in the file `path`."""
    if path == "-":
        yield from read("<stdin>", sys.stdin.buffer)
    else:
        with Path(path).open("rb") as lines:
            yield from read(path, lines)


def read(name: str, lines: Iterable[bytes]) -> Iterator[Problem]:
    r"""The problems in `lines`, with their places.

    >>> [(problem.position, problem.place) for problem in read("f", [b"# no\n", b"x. # yes\n"])]
    [('x.', 'f:2')]
    """
    for number, line in enumerate(lines, start=1):
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            fault = f"this is not UTF-8 text, at byte {error.start + 1} of the line: {line!r}"
            yield Problem(None, name, number, fault)
            continue
        position = text.partition("#")[0].strip()
        if position:
            yield Problem(position, name, number)
