"""breakthrough: pieces go forward; who first reaches the far row, or takes every piece, wins.

Parameters `RxC` or `RxCxROWS`, by default `5x4`: rows, columns, and rows of pieces each (2 if not
given); R and C at most 8, C at least 2, ROWS at least 1, R at least twice ROWS. x starts at the
bottom and moves up. A piece moves one step forward, straight or diagonally, to an empty cell, or
takes an enemy diagonally. A side without a move would lose, but there is always one: of the
foremost pieces each has a cell diagonally ahead, and no piece of its own stands there. So there are
no draws.

A position is the board, a space and the side to move. One with pieces of both sides on their far
rows, or with no piece at all, is rejected. A move is the cells it goes from and to: `a2b3`, rows
from 1 at the bottom. Moves are ordered by the cell they leave (a1, b1, ..., then row 2), then by
the column they go to.

>>> from andorra.rulebook import make
>>> game = make("breakthrough:4x3x1")
>>> print(game.draw(game.initial()))
  a b c
4 o o o
3 . . .
2 . . .
1 x x x
x to move
>>> state = game.parse("ooo/x../.../.xx x")
>>> [game.format_move(state, move) for move in game.moves(state)]
['b1a2', 'b1b2', 'b1c2', 'c1b2', 'c1c2', 'a3b4']
>>> game.outcome(game.play(state, game.parse_move(state, "a3b4")))
'first'
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from andorra.errors import PositionError
from andorra.rulebook.base import FIRST, SECOND, Outcome, Side
from andorra.rulebook.boards import STONES, WINNERS, Shape
from andorra.rulebook.pieces import PieceGame, PieceState, Step
from andorra.rulebook.reading import bad_parameters, numbers, refuse_data

EXPECTED = (
    "RxC or RxCxROWS, for example 5x4: R rows and C columns, both at most 8, C at least 2, "
    "and ROWS rows of pieces each (2 if not given), with R at least twice ROWS"
)


class Breakthrough(PieceGame):
    """Racing pieces that take diagonally."""

    name = "breakthrough"
    acyclic = True
    can_draw = False
    wins_by_own_move = True

    def __init__(self, parameters: str = "", data: str | None = None) -> None:
        refuse_data(self.name, data)
        sizes = numbers(parameters or "5x4", "x")
        sizes += [2] if len(sizes) == 2 else []
        if len(sizes) != 3 or not _fits(*sizes):
            raise bad_parameters(self.name, parameters, EXPECTED)
        rows, columns, self._filled = sizes
        self.parameters = f"{rows}x{columns}" + ("" if sizes[2] == 2 else f"x{sizes[2]}")
        super().__init__(Shape(columns, rows))

    def initial(self) -> PieceState:
        """The rows nearest to each side full of its pieces."""
        rows, columns = self.shape.height, self.shape.width
        between = ["." * columns] * (rows - 2 * self._filled)
        board = ["o" * columns] * self._filled + between + ["x" * columns] * self._filled
        return PieceState("/".join(board), FIRST)

    def moves(self, state: PieceState) -> Sequence[Step]:
        """The steps of all pieces, by the cell they leave, then by the column they go to."""
        if self.outcome(state):
            return []
        own = STONES[state.side]
        pieces = [cell for cell in self.upwards if state.board[cell] == own]
        return [Step(piece, goal) for piece in pieces for goal in self._goals(state, piece)]

    def _goals(self, state: PieceState, piece: int) -> Iterator[int]:
        row, column = self.shape.place(piece)
        ahead = row - 1 if state.side == FIRST else row + 1
        enemy = STONES[1 - state.side]
        for goal_column in (column - 1, column, column + 1):
            if self.shape.holds(ahead, goal_column):
                goal = self.shape.index(ahead, goal_column)
                found = state.board[goal]
                if found == "." or (found == enemy and goal_column != column):
                    yield goal

    def outcome(self, state: PieceState) -> Outcome | None:
        """A win for the side on its far row, or alone on the board."""
        for side in (FIRST, SECOND):
            if self._on_far_row(state.board, side) or STONES[1 - side] not in state.board:
                return WINNERS[side]
        return None

    def _on_far_row(self, board: str, side: Side) -> bool:
        width = self.shape.width
        far_row = board[:width] if side == FIRST else board[-width:]
        return STONES[side] in far_row

    def parse(self, text: str) -> PieceState:
        """The position `text`, if at most one side has won it."""
        state = super().parse(text)
        board = state.board
        if "x" not in board and "o" not in board:
            raise PositionError(f"expected at least one piece in {board!r}")
        if self._on_far_row(board, FIRST) and self._on_far_row(board, SECOND):
            raise PositionError(f"both sides have reached their far rows in {board!r}")
        return state


def _fits(rows: int, columns: int, filled: int) -> bool:
    return filled >= 1 and 2 * filled <= rows <= 8 and 2 <= columns <= 8
