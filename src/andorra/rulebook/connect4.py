"""connect4: stones fall to the bottom of a column; who first has four in a row wins.

Parameters `WxH`, by default `7x6`: W columns and H rows, W and H at least 1, W(H+1) at most 64. A
full board is a draw. A position is the board, and the stones tell who moves; where W is at most 9,
a string of column digits is read too, the moves played from the empty board. A move is the number
of a column, from 1. Moves come from the centre outwards, the left one first where two are equally
far.

>>> from andorra.rulebook import make
>>> game = make("connect4:5x4")
>>> board = game.parse("3324")
>>> print(game.draw(board))
1 2 3 4 5
. . . . .
. . . . .
. . o . .
. x x o .
x to move
>>> [game.format_move(board, move) for move in game.moves(board)]
['3', '2', '4', '1', '5']
>>> game.format(game.play(board, game.parse_move(board, "3")))
'...../..x../..o../.xxo.'
"""

from __future__ import annotations

from collections.abc import Sequence

from andorra.errors import PositionError
from andorra.rulebook.base import FIRST
from andorra.rulebook.boards import Shape, caption, put
from andorra.rulebook.reading import bad_parameters, numbers, refuse_data
from andorra.rulebook.stones import Runs, StoneGame

EXPECTED = "WxH, for example 7x6: W columns and H rows, both at least 1, with W*(H+1) at most 64"


class Connect4(StoneGame):
    """Four in a row on a standing board. A move is a column, counted from 0."""

    name = "connect4"
    players = ("x", "o")
    wins_by_own_move = True

    def __init__(self, parameters: str = "", data: str | None = None) -> None:
        refuse_data(self.name, data)
        sizes = numbers(parameters or "7x6", "x")
        if len(sizes) != 2 or min(sizes) < 1 or sizes[0] * (sizes[1] + 1) > 64:
            raise bad_parameters(self.name, parameters, EXPECTED)
        width, height = sizes
        super().__init__(Shape(width, height))
        self.parameters = f"{width}x{height}"
        self._runs = Runs(self.shape, 4)
        self._columns = sorted(range(width), key=lambda column: abs(2 * column - (width - 1)))

    def has_won(self, board: str, stone: str) -> bool:
        """Whether four stones stand in a row."""
        return self._runs.has_run(board, stone)

    def moves(self, state: str) -> Sequence[int]:
        """The columns with room, from the centre outwards."""
        if self.outcome(state):
            return []
        return [column for column in self._columns if state[column] == "."]

    def play(self, state: str, move: int) -> str:
        """The board after a stone fell into a column."""
        stride = self.shape.width + 1
        row = state[move::stride].count(".") - 1
        return put(state, row * stride + move, "x" if self.to_move(state) == FIRST else "o")

    def parse(self, text: str) -> str:
        """The board `text`, or the one after the moves `text`."""
        if text and not text.strip("0123456789"):
            return self._replay(text)
        board = super().parse(text)
        self._check_support(board)
        return board

    def _replay(self, digits: str) -> str:
        if self.shape.width > 9:
            raise PositionError(
                f"cannot read {digits[:60]!r} as moves: a digit names a column of 9 at most, "
                f"and this board has {self.shape.width}; expected a board"
            )
        board = self.initial()
        for place, digit in enumerate(digits):
            column = int(digit) - 1
            if column not in self.moves(board):
                raise PositionError.at(digits, place, f"column {digit} cannot be played here")
            board = self.play(board, column)
        return board

    def _check_support(self, board: str) -> None:
        for index in self.shape.cells:
            below = index + self.shape.width + 1
            if board[index] != "." and board[below : below + 1] == ".":
                raise PositionError.at(board, index, "expected a stone below this one")

    def format_move(self, state: str, move: int) -> str:
        """The number of the column, from 1."""
        return str(move + 1)

    def draw(self, state: str) -> str:
        """The board under the numbers of its columns, and who moves."""
        names = [str(column + 1) for column in range(self.shape.width)]
        wide = len(names[-1])
        rows = [names, *state.split("/")]
        lines = [" ".join(f"{cell:>{wide}}" for cell in row) for row in rows]
        return "\n".join([*lines, caption(self.to_move(state), self.outcome(state))])
