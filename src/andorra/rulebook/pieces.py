"""What `breakthrough` and `loa` share: pieces go from cell to cell, and a position says who moves.

A position is the board, a space and the side to move. A move is the cells it goes from and to:
`a2b3`, rows from 1 at the bottom.
"""

from __future__ import annotations

from typing import NamedTuple

from andorra.errors import PositionError
from andorra.rulebook.base import FIRST, SECOND, Game, Side
from andorra.rulebook.boards import STONES, Shape, caption, column_name, picture, put
from andorra.rulebook.reading import quoted


class PieceState(NamedTuple):
    """A board and who moves."""

    board: str
    side: Side


class Step(NamedTuple):
    """A move between two cells, given as indices into the board's text."""

    start: int
    goal: int


class PieceGame(Game[PieceState, Step]):
    """A game of moving pieces, in which a piece takes what stands where it goes."""

    players = ("x", "o")

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.upwards = sorted(shape.cells, key=lambda i: -shape.place(i)[0])
        """The index of every cell in the order of moves: a1, b1, ..., then row 2."""

    def to_move(self, state: PieceState) -> Side:
        """The side that is part of the position."""
        return state.side

    def play(self, state: PieceState, move: Step) -> PieceState:
        """The board after the step, the other side to move."""
        board = put(put(state.board, move.start, "."), move.goal, STONES[state.side])
        return PieceState(board, other(state.side))

    def format(self, state: PieceState) -> str:
        """The board, a space and the side to move."""
        return f"{state.board} {STONES[state.side]}"

    def parse(self, text: str) -> PieceState:
        """The position `text`, whatever pieces it has."""
        board, _, mover = text.rpartition(" ")
        if mover not in ("x", "o"):
            raise PositionError(f"expected a board, a space and 'x' or 'o', not {quoted(text)}")
        self.shape.check(board)
        return PieceState(board, FIRST if mover == "x" else SECOND)

    def format_move(self, state: PieceState, move: Step) -> str:
        """The cell the piece leaves and the one it goes to."""
        return self._cell_name(move.start) + self._cell_name(move.goal)

    def _cell_name(self, cell: int) -> str:
        row, column = self.shape.place(cell)
        return f"{column_name(column)}{self.shape.height - row}"

    def draw(self, state: PieceState) -> str:
        """The board with its coordinates, and who moves."""
        columns = [column_name(column) for column in range(self.shape.width)]
        rows = [str(row) for row in range(self.shape.height, 0, -1)]
        under = caption(state.side, self.outcome(state))
        return f"{picture(state.board, columns, rows)}\n{under}"


def other(side: Side) -> Side:
    """The opponent."""
    return SECOND if side == FIRST else FIRST
