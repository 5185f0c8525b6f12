"""The positions on which settings of the search are compared, by family of games.

Chosen: what df-pn solves in up to about six CPU seconds, both verdicts, the small ones first: a
quick run takes those. What only some settings solve belongs here, too, or the choice would flatter
the default: on the last two of Lines of Action some go too deep and run out of memory. Verdicts are
known from elsewhere: values of the boards, the map of winning Hex openings, cop numbers, and the
verdicts in the files of positions of Lines of Action, which both checkers have seen.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
COPS = FOLDER.parent / "tests" / "data" / "cops.json"
GRAPHS = ("4x4 grid", "Petersen", "icosahedron", "Heawood", "Q4", "dodecahedron")
LOA_5 = (8, 16, 17, 0, 3, 18)
LOA_6 = (0, 9, 2, 16, 5, 4, 13, 6, 7)
"""Which positions of each file, counted from 0."""


@dataclass(frozen=True)
class Problem:
    """A question with its answer."""

    game: str
    question: str
    known: str
    """The verdict."""
    position: str | None = None
    name: str = ""
    """What to call the position; else its text, or nothing for the initial one."""

    def __str__(self) -> str:
        what = self.name or self.position or ""
        return " ".join(filter(None, (self.game, what, self.question)))


def families() -> dict[str, list[Problem]]:
    """All problems, by family."""
    return {
        "loa": [*_loa(5, LOA_5), *_loa(6, LOA_6)],
        "connect4": _connect4(),
        "mnk": _mnk(),
        "breakthrough": _breakthrough(),
        "hex": _hex(),
        "cops": list(_cops()),
    }


def _connect4() -> list[Problem]:
    return [
        Problem("connect4:4x5", "win:second", "disproven"),
        Problem("connect4:5x4", "win:first", "disproven"),
        Problem("connect4:4x6", "win:first", "disproven"),
        Problem("connect4:5x5", "win:second", "disproven"),
        Problem("connect4:5x5", "win:first", "disproven"),
        Problem("connect4:6x4", "win:second", "proven"),
    ]


def _mnk() -> list[Problem]:
    return [
        Problem("mnk:4,4,3", "win:first", "proven"),
        Problem("mnk:4,4,4", "win:second", "disproven"),
        Problem("mnk:4,4,4", "win:first", "disproven"),
    ]


def _breakthrough() -> list[Problem]:
    return [
        Problem("breakthrough:4x4", "win:first", "disproven"),
        Problem("breakthrough:5x4x1", "win:first", "proven"),
        Problem("breakthrough:5x3", "win:first", "disproven"),
        Problem("breakthrough:5x4", "win:first", "disproven"),
    ]


def _hex() -> list[Problem]:
    """The openings c3 and b2 win against every reply; b5 loses."""
    return [
        Problem("hex:4", "win:first", "proven"),
        Problem("hex:5", "win:first", "proven", hex_position("c3", "d2"), "c3 d2"),
        Problem("hex:5", "win:first", "proven", hex_position("c3", "b4"), "c3 b4"),
        Problem("hex:5", "win:first", "proven", hex_position("b2", "c3"), "b2 c3"),
        Problem("hex:5", "win:first", "disproven", hex_position("b5"), "b5"),
    ]


def hex_position(*moves: str, size: int = 5) -> str:
    """The board after these moves from the empty one.

    >>> hex_position("b1", "a2", size=2)
    '.x/o.'
    """
    board = [["."] * size for _ in range(size)]
    for number, move in enumerate(moves):
        board[int(move[1:]) - 1][ord(move[0]) - ord("a")] = "xo"[number % 2]
    return "/".join("".join(row) for row in board)


def _loa(size: int, chosen: tuple[int, ...]) -> Iterator[Problem]:
    text = (FOLDER / "positions" / f"loa-{size}.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    for number in chosen:
        position, _, said = lines[number].partition("#")
        verdict = said.strip().partition(",")[0]
        yield Problem(f"loa:{size}", "win", verdict, position.strip())


def _cops() -> Iterator[Problem]:
    named: dict[str, dict[str, Any]] = json.loads(COPS.read_text(encoding="utf-8"))["named"]
    for name in GRAPHS:
        edges, enough = named[name]["edges"], named[name]["cops"]
        yield Problem(f"cops:{enough - 1}", "win:first", "disproven", edges, name)
        yield Problem(f"cops:{enough}", "win:first", "proven", edges, name)
