"""hex: x joins the top and the bottom of a rhombus of hexagons, o the left and the right.

Parameter `N`, the number of rows and columns, 1 to 11, by default 5. Cell (row, column) touches its
neighbours in the row and the column and also (row + 1, column - 1) and (row - 1, column + 1). There
is no swap rule, and no draw: a full board always joins exactly one pair of sides. A position is the
board, and the stones tell who moves. A move is a cell such as `b3`, column b, row 3 from the top.
Moves come row by row, from a1.

>>> from andorra.rulebook import make
>>> game = make("hex:3")
>>> board = game.parse("..x/.x./o.o")
>>> print(game.draw(board))
  a b c
1 . . x
 2 . x .
  3 o . o
x to move
>>> end = game.play(board, game.parse_move(board, "b3"))
>>> game.format(end), game.outcome(end)
('..x/.x./oxo', 'first')
"""

from __future__ import annotations

from andorra.rulebook.boards import Shape
from andorra.rulebook.reading import bad_parameters, numbers, refuse_data
from andorra.rulebook.stones import StoneGame

TOUCHING = ((0, -1), (0, 1), (-1, 0), (1, 0), (1, -1), (-1, 1))
"""From a cell to its six neighbours: steps in rows and columns."""


class Hex(StoneGame):
    """Joining opposite sides of a rhombus."""

    name = "hex"
    players = ("x", "o")
    can_draw = False
    wins_by_own_move = True

    def __init__(self, parameters: str = "", data: str | None = None) -> None:
        refuse_data(self.name, data)
        sizes = numbers(parameters or "5", ",")
        if len(sizes) != 1 or not 1 <= sizes[0] <= 11:
            raise bad_parameters(self.name, parameters, "the size of the board, from 1 to 11")
        size = sizes[0]
        super().__init__(Shape(size, size))
        self.parameters = str(size)
        index, line = self.shape.index, range(size)
        self._from = {"x": [index(0, i) for i in line], "o": [index(i, 0) for i in line]}
        self._to = {
            "x": {index(size - 1, i) for i in line},
            "o": {index(i, size - 1) for i in line},
        }
        self._neighbours = {cell: self._around(cell) for cell in self.shape.cells}

    def _around(self, cell: int) -> list[int]:
        row, column = self.shape.place(cell)
        places = [(row + down, column + right) for down, right in TOUCHING]
        return [self.shape.index(*place) for place in places if self.shape.holds(*place)]

    def has_won(self, board: str, stone: str) -> bool:
        """Whether a chain of these stones joins their two sides of the board."""
        reached = {cell for cell in self._from[stone] if board[cell] == stone}
        open_cells = list(reached)
        while open_cells:
            for cell in self._neighbours[open_cells.pop()]:
                if board[cell] == stone and cell not in reached:
                    reached.add(cell)
                    open_cells.append(cell)
        return not reached.isdisjoint(self._to[stone])

    def draw(self, state: str) -> str:
        """The board, each row half a cell further right, and who moves."""
        return self._picture(state, slant=1)
