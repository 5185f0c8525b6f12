"""loa: Lines of Action; who first joins all their pieces into one group wins.

Parameter `N`, the number of rows and columns, 3 to 8, by default 8. x starts on the top and the
bottom row, o on the left and the right column, all without the corners. A piece moves along a row,
a column or a diagonal, exactly as many cells as that whole line has pieces of either side. It may
jump over pieces of its own side but not over enemies, and it goes to an empty cell or takes an
enemy. A side without such a move must `pass`.

A side has won when each of its pieces can be reached from each other over pieces of that side on
neighbouring cells, diagonals included; a single piece has won. Who joins the opponent's pieces
loses; where one move joins the pieces of both, the side that just moved wins. Positions can come
again; play without end is nobody's win, so a game can be a draw though no line ends in one.

A position is the board, a space and the side to move. One in which a side has no piece is rejected.
A move is the cells it goes from and to: `b1b3`, rows from 1 at the bottom. Moves are ordered by the
cell they leave (a1, b1, ..., then row 2), then in the same order by the cell they go to.

>>> from andorra.rulebook import make
>>> game = make("loa:5")
>>> state = game.parse("..x../o...o/x..o./...../..x.. x")
>>> print(game.draw(state))
  a b c d e
5 . . x . .
4 o . . . o
3 x . . o .
2 . . . . .
1 . . x . .
x to move
>>> [game.format_move(state, move) for move in game.moves(state)]
['c1b1', 'c1d1', 'c1d2', 'c1c3', 'a3a1', 'a3c3', 'c5c3', 'c5d4', 'c5b5', 'c5d5']
>>> state = game.parse("...../..xo./x..../.o.../..... x")
>>> game.outcome(game.play(state, game.parse_move(state, "a3b3")))
'first'
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from andorra.errors import PositionError
from andorra.rulebook.base import FIRST, Outcome
from andorra.rulebook.boards import STONES, WINNERS, Shape
from andorra.rulebook.pieces import PieceGame, PieceState, Step, other
from andorra.rulebook.reading import bad_parameters, numbers, refuse_data

DIRECTIONS = ((1, -1), (1, 0), (1, 1), (0, -1), (0, 1), (-1, -1), (-1, 0), (-1, 1))
"""The ways along rows, columns and diagonals: steps in rows, which count from the top, and
columns."""

PASS = Step(-1, -1)
"""The move of a side that has no other."""


class Loa(PieceGame):
    """Joining pieces that move as far as their lines are full."""

    name = "loa"
    acyclic = False
    can_draw = True  # by play without end

    def __init__(self, parameters: str = "", data: str | None = None) -> None:
        refuse_data(self.name, data)
        sizes = numbers(parameters or "8", ",")
        if len(sizes) != 1 or not 3 <= sizes[0] <= 8:
            raise bad_parameters(self.name, parameters, "the size of the board, from 3 to 8")
        self._size = sizes[0]
        self.parameters = str(self._size)
        super().__init__(Shape(self._size, self._size))
        self._ahead = {
            (cell, direction): self._cells_ahead(cell, direction)
            for cell in self.shape.cells
            for direction in DIRECTIONS
        }

    def initial(self) -> PieceState:
        """The pieces of x above and below, those of o left and right, the corners empty."""
        inner = self._size - 2
        edge = f".{'x' * inner}."
        return PieceState("/".join([edge, *[f"o{'.' * inner}o"] * inner, edge]), FIRST)

    def moves(self, state: PieceState) -> Sequence[Step]:
        """The steps of all pieces, by the cell they leave, then by the cell they go to."""
        if self.outcome(state):
            return []
        pieces = [cell for cell in self.upwards if state.board[cell] == STONES[state.side]]
        steps = [Step(piece, goal) for piece in pieces for goal in self._goals(state, piece)]
        return steps or [PASS]

    def _goals(self, state: PieceState, piece: int) -> list[int]:
        """Where a piece can go, in the order of moves."""
        found = []
        for direction in DIRECTIONS:
            ahead = self._ahead[piece, direction]
            distance = self._pieces_on_line(state.board, piece, direction)
            if distance <= len(ahead) and self._is_open(state, ahead[:distance]):
                found.append(ahead[distance - 1])
        return [cell for cell in self.upwards if cell in found]

    def _cells_ahead(self, cell: int, direction: tuple[int, int]) -> list[int]:
        """The cells from `cell` (without it) to the edge."""
        (row, column), (down, right) = self.shape.place(cell), direction
        places = [(row + i * down, column + i * right) for i in range(1, self._size)]
        return [self.shape.index(*place) for place in places if self.shape.holds(*place)]

    def _pieces_on_line(self, board: str, piece: int, direction: tuple[int, int]) -> int:
        """The pieces of both sides on the whole line, ahead and behind, with the one given."""
        down, right = direction
        line = [piece, *self._ahead[piece, direction], *self._ahead[piece, (-down, -right)]]
        return sum(board[cell] != "." for cell in line)

    def _is_open(self, state: PieceState, path: list[int]) -> bool:
        """Whether no enemy stands in between and no own piece at the end of the path."""
        own, enemy = STONES[state.side], STONES[1 - state.side]
        return (
            all(state.board[cell] != enemy for cell in path[:-1]) and state.board[path[-1]] != own
        )

    def play(self, state: PieceState, move: Step) -> PieceState:
        """The position after the step, or the same board with the other side to move."""
        if move == PASS:
            return PieceState(state.board, other(state.side))
        return super().play(state, move)

    def outcome(self, state: PieceState) -> Outcome | None:
        """A win for the side whose pieces are joined; of both, for the side that just moved."""
        for side in (other(state.side), state.side):
            if self._joined(state.board, STONES[side]):
                return WINNERS[side]
        return None

    def _joined(self, board: str, stone: str) -> bool:
        """Whether all pieces of one side are one group."""
        pieces = {cell for cell in self.shape.cells if board[cell] == stone}
        reached = [pieces.pop()]
        for cell in reached:
            neighbours = pieces.intersection(self._neighbours(cell))
            pieces -= neighbours
            reached += neighbours
        return not pieces

    def _neighbours(self, cell: int) -> Iterator[int]:
        for direction in DIRECTIONS:
            yield from self._ahead[cell, direction][:1]

    def parse(self, text: str) -> PieceState:
        """The position `text`, if both sides have pieces."""
        state = super().parse(text)
        for stone in STONES:
            if stone not in state.board:
                raise PositionError(f"expected at least one {stone} in {state.board!r}")
        return state

    def format_move(self, state: PieceState, move: Step) -> str:
        """The cell the piece leaves and the one it goes to, or `pass`."""
        return "pass" if move == PASS else super().format_move(state, move)
