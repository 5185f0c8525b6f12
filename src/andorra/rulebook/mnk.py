"""mnk: m columns, n rows, and who first has k stones in an unbroken line wins.

Parameters `m,n,k`, by default `3,3,3` (tic-tac-toe); m, n and k at least 1, m times n at most 64.
Lines are rows, columns and diagonals; more than k in line win too; a full board is a draw. A
position is the board, and the stones tell who moves. A move is a cell such as `b3`, column b, row 3
from the top; columns after z are aa, ab and so on. Moves come row by row, from a1.

>>> from andorra.rulebook import make
>>> game = make("mnk:3,3,3")
>>> board = game.parse("xo./.x./..o")
>>> print(game.draw(board))
  a b c
1 x o .
2 . x .
3 . . o
x to move
>>> [game.format_move(board, move) for move in game.moves(board)]
['c1', 'a2', 'c2', 'a3', 'b3']
>>> after = game.play(board, game.parse_move(board, "c2"))
>>> game.format(after), game.outcome(after)
('xo./.xx/..o', None)
"""

from __future__ import annotations

from andorra.rulebook.boards import Shape
from andorra.rulebook.reading import bad_parameters, numbers, refuse_data
from andorra.rulebook.stones import Runs, StoneGame

EXPECTED = (
    "m,n,k, for example 3,3,3: m columns and n rows, both at least 1 and m*n at most 64, "
    "and k in a row, at least 1"
)


class Mnk(StoneGame):
    """k in a row on a board of m columns and n rows."""

    name = "mnk"
    players = ("x", "o")
    wins_by_own_move = True

    def __init__(self, parameters: str = "", data: str | None = None) -> None:
        refuse_data(self.name, data)
        sizes = numbers(parameters or "3,3,3", ",")
        if len(sizes) != 3 or min(sizes) < 1 or sizes[0] * sizes[1] > 64:
            raise bad_parameters(self.name, parameters, EXPECTED)
        width, height, length = sizes
        super().__init__(Shape(width, height))
        self.parameters = f"{width},{height},{length}"
        self._runs = Runs(self.shape, length)

    def has_won(self, board: str, stone: str) -> bool:
        """Whether k stones stand in a row."""
        return self._runs.has_run(board, stone)
