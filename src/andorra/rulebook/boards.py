"""Boards as text: rows from the top, separated by `/`, of `x` (first), `o` (second) and `.`.

The text of a board is also its state: an immutable string in which cell (row, column) is the
character at row * (width + 1) + column.

>>> shape = Shape(3, 2)
>>> shape.empty
'.../...'
>>> shape.cells
(0, 1, 2, 4, 5, 6)
>>> put(shape.empty, 5, "x")
'.../.x.'
>>> shape.check(".../.?.")
Traceback (most recent call last):
andorra.errors.PositionError: expected 'x', 'o' or '.' here, in a board of 3 columns and 2 rows
  .../.?.
       ^
"""

from __future__ import annotations

from andorra.errors import PositionError
from andorra.rulebook.base import Outcome, Side

STONES = "xo"
"""The stones of the first and the second side: `STONES[side]`."""

WINNERS: tuple[Outcome, Outcome] = ("first", "second")
"""The outcome in which a side has won: `WINNERS[side]`."""


class Shape:
    """The width and height of a board, with the names and indices of its cells."""

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self.empty = "/".join(["." * width] * height)
        self.cells = tuple(i for i, c in enumerate(self.empty) if c == ".")
        """The index of every cell, row by row from the top."""

    def index(self, row: int, column: int) -> int:
        """Where cell (row, column) is in the text; both count from 0, rows from the top."""
        return row * (self.width + 1) + column

    def place(self, index: int) -> tuple[int, int]:
        """The row and the column of the cell at `index`."""
        return divmod(index, self.width + 1)

    def holds(self, row: int, column: int) -> bool:
        """Whether the board has a cell (row, column)."""
        return 0 <= row < self.height and 0 <= column < self.width

    def check(self, text: str) -> None:
        """Raise unless `text` is a board of this shape."""
        size = f"a board of {self.width} columns and {self.height} rows"
        for place, (found, wanted) in enumerate(zip(text, self.empty, strict=False)):
            if wanted == "/" and found != "/":
                raise PositionError.at(text, place, f"expected '/' here, in {size}")
            if wanted == "." and found not in "xo.":
                raise PositionError.at(text, place, f"expected 'x', 'o' or '.' here, in {size}")
        if len(text) < len(self.empty):
            raise PositionError.at(text, len(text), f"the text ends too early for {size}")
        if len(text) > len(self.empty):
            raise PositionError.at(text, len(self.empty), f"the text is too long for {size}")


def put(board: str, index: int, what: str) -> str:
    """The board with `what` at `index`."""
    return board[:index] + what + board[index + 1 :]


def column_name(column: int) -> str:
    """The letters of a column counted from 0.

    >>> [column_name(column) for column in (0, 25, 26, 63)]
    ['a', 'z', 'aa', 'bl']
    """
    high, low = divmod(column, 26)
    return (column_name(high - 1) if high else "") + "abcdefghijklmnopqrstuvwxyz"[low]


def picture(board: str, columns: list[str], rows: list[str], slant: int = 0) -> str:
    """The board with a name over each column and before each row, for a terminal.

    Each row starts `slant` characters further right than the one above it.

    >>> print(picture("x.o/.x.", ["a", "b", "c"], ["1", "2"]))
      a b c
    1 x . o
    2 . x .
    """
    wide = max(map(len, columns))
    margin = max(map(len, rows))
    lines = [" " * margin + "".join(f" {name:>{wide}}" for name in columns)]
    for number, (name, cells) in enumerate(zip(rows, board.split("/"), strict=True)):
        row = "".join(f" {cell:>{wide}}" for cell in cells)
        lines.append(" " * (slant * number) + f"{name:>{margin}}{row}")
    return "\n".join(lines)


def caption(side: Side, outcome: Outcome | None) -> str:
    """What stands under a picture: who moves, or how the game ended."""
    if outcome is None:
        return f"{STONES[side]} to move"
    return "draw" if outcome == "draw" else f"{STONES[WINNERS.index(outcome)]} has won"
