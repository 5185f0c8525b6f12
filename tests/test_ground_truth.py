"""Values that others have published, found again with certificates that both checkers accept.

Connect Four by width and height. Hex: the whole maps of winning first moves.
Breakthrough by rows and columns, two rows of pieces each unless a third number says otherwise.
Larger boards are the business of the benchmark.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import andorra
from andorra import Result
from examiner import fast_check

MEMORY = "1GiB"
"""Ample for all of this: no result has to be found twice."""

VALUES = {
    "connect4:4x4": "draw",
    "connect4:5x4": "draw",
    "connect4:4x5": "draw",
    "breakthrough:4x2": "loss",
    "breakthrough:4x3": "loss",
    "breakthrough:4x4": "loss",
    "breakthrough:5x2": "loss",
    "breakthrough:5x3": "loss",
    "breakthrough:5x4": "loss",
    "breakthrough:6x2": "win",
    "breakthrough:7x2": "loss",
    "breakthrough:3x3x1": "win",
    "breakthrough:4x3x1": "win",
    "breakthrough:4x4x1": "win",
    "breakthrough:5x4x1": "win",
    "breakthrough:5x5x1": "win",
    "mnk:3,3,3": "draw",
    "mnk:3,4,3": "win",
    "mnk:4,4,3": "win",
    "mnk:4,4,4": "draw",
}
"""For the player who moves first."""

HEX_OPENINGS = {2: ".B/B.", 3: "..B/BBB/B..", 4: "...B/..B./.B../B..."}
"""By size: B where a first stone wins."""

PARTS = {
    "win": [("win:first", "proven")],
    "loss": [("win:first", "disproven")],
    "draw": [("win:first", "disproven"), ("win:second", "disproven")],
}
"""What the certificate of a value shows; in these games a loss is what is left where no line is
drawn and the first player cannot force a win."""


def certified(game: str, position: str | None, path: Path) -> Result:
    """The value, with a certificate that shows it by the word of the trusted checker."""
    result = andorra.solve(game, position, "value", memory=MEMORY, certificate=path)
    assert result.certificate == path
    verified = andorra.check(path)
    assert (verified.game, verified.position) == (game, result.position)
    assert verified.value == result.value and result.value is not None
    assert [(p.question, p.verdict) for p in verified.parts] == PARTS[result.value]
    return result


@pytest.mark.parametrize(("game", "value"), VALUES.items())
def test_value(game: str, value: str, tmp_path: Path) -> None:
    path = tmp_path / "value.andorra"
    assert certified(game, None, path).value == value
    assert fast_check([path]) is None


def openings(size: int) -> list[str]:
    """The positions after each first move, cell by cell."""
    boards = []
    for cell in range(size * size):
        stones = "".join("x" if each == cell else "." for each in range(size * size))
        boards.append("/".join(stones[row : row + size] for row in range(0, size * size, size)))
    return boards


@pytest.mark.parametrize("size", HEX_OPENINGS)
def test_map_of_winning_openings(size: int, tmp_path: Path) -> None:
    boards = openings(size)
    paths = [tmp_path / f"{cell}.andorra" for cell in range(len(boards))]
    values = [
        certified(f"hex:{size}", board, path).value
        for board, path in zip(boards, paths, strict=True)
    ]
    marks = "".join("B" if value == "win" else "." for value in values)
    assert set(values) == {"win", "loss"}
    assert "/".join(marks[r : r + size] for r in range(0, len(marks), size)) == HEX_OPENINGS[size]
    assert fast_check(paths) is None


@pytest.mark.parametrize("size", HEX_OPENINGS)
def test_the_first_player_wins_hex(size: int, tmp_path: Path) -> None:
    path = tmp_path / "hex.andorra"
    assert certified(f"hex:{size}", None, path).value == "win"
    assert fast_check([path]) is None
