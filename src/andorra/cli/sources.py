"""Where positions come from, a file or standard input: one a line, or board diagrams of shogi.

Diagrams are known by the end of the file's name or by what the file holds. To tell, a pipe is read
up to its first line that says something; only if that cannot be a position of a built-in game, all
of which are ASCII, is it read to its end. Rules of a user's own may read texts of any form, so
their files are taken as they are, and a diagram, known by its name alone, goes to them whole.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from andorra.cli.positions import Problem, lines_of, read
from andorra.cli.streams import standard_input
from andorra.errors import PositionError

if TYPE_CHECKING:
    from andorra.cli.rules import Rules

STANDARD_INPUT = "-"
DIAGRAM_ENDINGS = (".kif", ".kifu", ".bod")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_TOP_OF_BOARD = re.compile(rb"\+-.*|\|.*|9( +[1-8]){8}")
"""The upper frame, a rank, or the numbers of the files, where these are ASCII."""


class Source:
    """A file of positions, or standard input; what form it has is found out once, at the start."""

    def __init__(self, path: str, rules: Rules) -> None:
        self.path = path
        self._name = "<stdin>" if path == STANDARD_INPUT else path
        self._head: list[bytes] = []
        """What was read of standard input to tell its form."""
        self._diagrams = self._find_diagrams(rules)

    @property
    def only_diagram(self) -> str | None:
        """The diagram, if there is one and nothing else: it is then answered as a position is."""
        return self._diagrams[0].position if len(self._diagrams) == 1 else None

    def count(self) -> int | None:
        """How many problems there are, unless they come through a pipe."""
        if self._diagrams or self.path != STANDARD_INPUT:
            return sum(1 for _ in self.problems())
        return None

    def problems(self) -> Generator[Problem, None, None]:
        """The problems, one at least; those of a pipe can be had once."""
        empty = True
        for problem in self._diagrams or self._lines():
            empty = False
            yield problem
        if empty:
            raise PositionError(f"there is no position in {self.path!r}: expected one a line")

    def _lines(self) -> Iterator[Problem]:
        if self.path == STANDARD_INPUT:
            yield from read(self._name, chain(self._head, self._input()))
            return
        with Path(self.path).open("rb") as lines:
            yield from read(self._name, lines_of(lines, self._name))

    def _input(self) -> Iterator[bytes]:
        return lines_of(standard_input(), self._name)

    def _find_diagrams(self, rules: Rules) -> list[Problem]:
        from andorra.rulebook import GAMES
        from andorra.rulebook.kif_files import split
        from andorra.rulebook.tsume import Tsume

        built_in = type(rules) in GAMES.values()
        text = self._text_with_diagram(built_in)
        if text is None:
            return []
        if not built_in:
            return [Problem(text.strip(), self._name, 1)]
        if not isinstance(rules, Tsume):
            what = f"{self._name!r} is a board diagram of shogi"
            raise PositionError(
                f"{what}: such files are for the game 'tsume', not for {rules.spec()}"
            )
        return [Problem(each.strip(), self._name, line) for line, each in split(text)]

    def _text_with_diagram(self, built_in: bool) -> str | None:
        """All that the file holds, if it holds diagrams."""
        if is_diagram_name(self.path):
            return _named_diagram(self.path)
        if not built_in:
            return None
        if self.path == STANDARD_INPUT:
            self._head = _head(self._input(), self._name)
            return _diagram_in(self._head)
        with Path(self.path).open("rb") as lines:
            return _diagram_in(_head(lines_of(lines, self._name), self._name))


def is_diagram_name(path: str) -> bool:
    """Whether the name is that of a file with board diagrams of shogi."""
    return Path(path).suffix.lower() in DIAGRAM_ENDINGS


def _named_diagram(path: str) -> str:
    from andorra.rulebook.kif_files import decode, has_board
    from andorra.rulebook.reading import text_bytes

    text = decode(text_bytes(path))
    if not has_board(text):
        expected = "a frame '+---' and 9 ranks after it"
        raise PositionError(f"there is no board diagram in {path!r}: expected {expected}")
    return text


def _head(lines: Iterable[bytes], name: str) -> list[bytes]:
    r"""The first lines, as many as it takes to tell: all of them, if these may be diagrams.

    >>> _head([b"# one\n", b"x.o\n", b"...\n"], "f")
    [b'# one\n', b'x.o\n']
    """
    head = []
    following = iter(lines)
    for line in following:
        head.append(line)
        said = line.removeprefix(_BYTE_ORDER_MARK).partition(b"#")[0].strip()
        if said:
            return head if _is_no_diagram(said) else [*head, *_bounded(following, name)]
    return head


def _bounded(lines: Iterable[bytes], name: str) -> Iterator[bytes]:
    """The lines, if they are not more than any file of diagrams has."""
    from andorra.rulebook.reading import LARGEST_TEXT, too_large

    total = 0
    for line in lines:
        total += len(line)
        if total > LARGEST_TEXT:
            raise too_large(name)
        yield line


def _is_no_diagram(said: bytes) -> bool:
    return said.isascii() and not _TOP_OF_BOARD.fullmatch(said)


def _diagram_in(lines: list[bytes]) -> str | None:
    """The text, if there is a board in it."""
    from andorra.rulebook.kif_files import decode, has_board

    try:
        text = decode(b"".join(lines))
    except PositionError:
        return None  # whoever reads it line by line says which of them are bad
    return text if has_board(text) else None
