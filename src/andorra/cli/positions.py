"""What is to be solved: the initial position, a position from the command line, or a file of them.

A file holds a position a line; `#` starts a comment, in any encoding; blank lines are skipped; `-`
is standard input. Lines are read as they come, so answers start before a pipe has ended. A file of
board diagrams (`sources.py`) holds a position a diagram.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import BinaryIO

import click

from andorra.errors import PositionError

LONGEST_LINE = 1 << 20
"""In bytes: some devices send a line that never ends."""
GRAPH = "graph"
"""The game whose first file is not one of positions, but the graph itself."""


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

    def readable(self) -> str | None:
        """The position, if its line can be read at all."""
        if self.fault is not None:
            raise PositionError(self.fault)
        return self.position


def game_and_texts(game: str, texts: Sequence[str], command: str) -> tuple[str, list[str]]:
    """The game, and what is left of the arguments after it: positions, or files of them.

    >>> game_and_texts("graph", ["dinner.txt", "cook"], "solve")
    ('graph:dinner.txt', ['cook'])
    """
    if game != GRAPH:
        return game, list(texts)
    if not texts:
        usage = f"andorra {command} {GRAPH} FILE"
        raise click.UsageError(f"the game {GRAPH!r} needs its file: {usage}")
    return f"{GRAPH}:{texts[0]}", list(texts[1:])


@contextmanager
def maybe_a_file(text: str | None) -> Iterator[None]:
    """A text that is no position may have been meant as a file: say that there is none."""
    try:
        yield
    except PositionError as error:
        if text is None:
            raise
        raise PositionError(f"{error}\nnor is there a file {text!r}") from None


def is_file(text: str | None) -> bool:
    """Whether `text` names a file of positions: `-`, or the path of an existing file."""
    if text is None:
        return False
    try:
        return text == "-" or (bool(text) and Path(text).is_file())
    except (OSError, ValueError):  # longer than any path, or not a path at all
        return False


def lines_of(file: BinaryIO, name: str) -> Iterator[bytes]:
    """The lines of a file; one that is longer than any position is an error, where it began."""
    for number in count(1):
        line = file.readline(LONGEST_LINE + 1)
        if len(line) > LONGEST_LINE:
            said = f"{name}:{number}: the line has more than {LONGEST_LINE:,} bytes"
            raise PositionError(f"{said}: expected a position a line")
        if not line:
            return
        yield line


def read(name: str, lines: Iterable[bytes]) -> Iterator[Problem]:
    r"""The problems in `lines`, with their places.

    >>> [(problem.position, problem.place) for problem in read("f", [b"# no\n", b"x. # yes\n"])]
    [('x.', 'f:2')]
    """
    for number, line in enumerate(lines, start=1):
        said = line.partition(b"#")[0]
        try:
            position = said.decode("utf-8-sig" if number == 1 else "utf-8").strip()
        except UnicodeDecodeError as error:
            fault = f"this is not UTF-8 text, at byte {error.start + 1} of the line: {line!r}"
            yield Problem(None, name, number, fault)
            continue
        if position:
            yield Problem(position, name, number)
