"""rolit: Rolit for two to four players; what can one of them get, whatever all others do?

Parameters `WxH,P,S`, by default `4x4,4,1`: W columns and H rows (2 to 8 each), P players, of whom
player S is asked about; the last, or the last two, may be left out. Player S is the first player of
all questions, and all others together are the second: they are taken to work against S (the
paranoid condition). The score is the number of S's balls at the end.

The players move in turn, 1 first, and none may pass. A move puts a ball of the player's colour on
an empty cell. All balls of other colours between it and others of its colour, in an unbroken row,
column or diagonal, take its colour. A player who can turn over a ball must do so; else the ball
goes beside another one, in any of the eight directions. The game ends when the board is full: S has
won with more balls than any other player, and a tie with the best of them is a draw.

It starts with a ball of each of the four colours in the middle, 1 and 2 above 4 and 3. With fewer
players, the colours of nobody are there all the same: that is our own choice.

A position is the board, `1` to `4` and `.`, a space and the player to move. A move is its cell,
column and row from the top; moves come row by row.

>>> from andorra.rulebook import make
>>> game = make("rolit:4x4,3")
>>> print(game.draw(game.initial()))
  a b c d
1 . . . .
2 . 1 2 .
3 . 4 3 .
4 . . . .
player 1 to move
>>> state = game.initial()
>>> [game.format_move(state, move) for move in game.moves(state)]
['d2', 'b4', 'd4']
>>> game.format(game.play(state, game.parse_move(state, "d4")))
'..../.12./.41./...1 2'
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from andorra.errors import PositionError
from andorra.rulebook.base import FIRST, SECOND, Game, Outcome, Side
from andorra.rulebook.boards import Shape, column_name, picture, put
from andorra.rulebook.reading import bad_parameters, numbers, refuse_data

COLOURS = "1234"
EXPECTED = (
    "WxH,P,S, for example 4x4,4,1: W columns and H rows, 2 to 8 each, P players, 2 to 4, "
    "and S, the one asked about; without S the first, without P four players"
)
DIRECTIONS = [
    (down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)
]


class RolitState(NamedTuple):
    """The board, and the player to move, from 0."""

    board: str
    mover: int


class Rolit(Game[RolitState, int]):
    """A move is the place of its cell in the board's text."""

    name = "rolit"
    acyclic = True
    can_draw = True
    players = "the one asked about", "all others"

    def __init__(self, parameters: str = "", data: str | None = None) -> None:
        refuse_data(self.name, data)
        size, _, rest = (parameters or "4x4").partition(",")
        sides, counts = numbers(size, "x"), numbers(rest, ",") if "," in parameters else [4]
        counts += [1] if len(counts) == 1 else []
        if not _fits(sides, counts):
            raise bad_parameters(self.name, parameters, EXPECTED)
        self._shape = Shape(*sides)
        self._players, self._asked = counts[0], counts[1] - 1
        self.parameters = f"{sides[0]}x{sides[1]},{counts[0]},{counts[1]}"

    def initial(self) -> RolitState:
        """The four colours in the middle, clockwise."""
        row, column = (self._shape.height - 2) // 2, (self._shape.width - 2) // 2
        board = self._shape.empty
        places = [(row, column), (row, column + 1), (row + 1, column + 1), (row + 1, column)]
        for colour, place in zip(COLOURS, places, strict=True):
            board = put(board, self._shape.index(*place), colour)
        return RolitState(board, 0)

    def to_move(self, state: RolitState) -> Side:
        """The first player is the one asked about."""
        return FIRST if state.mover == self._asked else SECOND

    def moves(self, state: RolitState) -> Sequence[int]:
        """All cells where balls are turned over; if there is none, all beside a ball."""
        empty = [cell for cell in self._shape.cells if state.board[cell] == "."]
        capturing = [cell for cell in empty if self._turned(state, cell)]
        return capturing or [cell for cell in empty if self._is_beside(state.board, cell)]

    def _ray(self, cell: int, down: int, right: int) -> Iterator[int]:
        """The cells in one direction, up to the edge."""
        row, column = self._shape.place(cell)
        while self._shape.holds(row := row + down, column := column + right):
            yield self._shape.index(row, column)

    def _turned(self, state: RolitState, cell: int) -> list[int]:
        """The cells of all balls that a ball of the mover's on this cell turns over."""
        turned = []
        for direction in DIRECTIONS:
            run: list[int] = []
            for place in self._ray(cell, *direction):
                if state.board[place] == ".":
                    break
                if state.board[place] == COLOURS[state.mover]:
                    turned += run
                    break
                run.append(place)
        return turned

    def _is_beside(self, board: str, cell: int) -> bool:
        near = (next(self._ray(cell, *direction), None) for direction in DIRECTIONS)
        return any(place is not None and board[place] != "." for place in near)

    def play(self, state: RolitState, move: int) -> RolitState:
        """Put the ball there and turn over the others."""
        board = state.board
        for place in (move, *self._turned(state, move)):
            board = put(board, place, COLOURS[state.mover])
        return RolitState(board, (state.mover + 1) % self._players)

    def outcome(self, state: RolitState) -> Outcome | None:
        """Whether the player asked about has more balls than any other, once the board is full."""
        if "." in state.board:
            return None
        counts = [state.board.count(colour) for colour in COLOURS[: self._players]]
        mine = counts.pop(self._asked)
        return "draw" if mine == max(counts) else "first" if mine > max(counts) else "second"

    def scores(self, state: RolitState) -> tuple[int, int]:
        """The balls of the player asked about; all may change as long as a cell is empty."""
        if "." in state.board:
            return (0, len(self._shape.cells))
        mine = state.board.count(COLOURS[self._asked])
        return (mine, mine)

    def format(self, state: RolitState) -> str:
        """Board and player."""
        return f"{state.board} {state.mover + 1}"

    def parse(self, text: str) -> RolitState:
        """The position `text`, if there is a ball on its board."""
        board, _, mover = text.partition(" ")
        for place, (found, wanted) in enumerate(zip(board, self._shape.empty, strict=False)):
            allowed = "/" if wanted == "/" else f"{COLOURS}."
            if found not in allowed:
                raise PositionError.at(text, place, f"expected one of {allowed!r} here")
        if len(board) != len(self._shape.empty):
            size = f"{self._shape.width} columns and {self._shape.height} rows"
            place = min(len(board), len(self._shape.empty))
            raise PositionError.at(text, place, f"expected a board of {size}")
        if mover not in tuple(COLOURS[: self._players]):
            expected = f"expected the player to move, 1 to {self._players}"
            raise PositionError.at(text, min(len(board) + 1, len(text)), expected)
        if not any(colour in board for colour in COLOURS):
            raise PositionError.at(text, 0, "expected at least one ball")
        return RolitState(board, int(mover) - 1)

    def format_move(self, state: RolitState, move: int) -> str:
        """The cell."""
        row, column = self._shape.place(move)
        return f"{column_name(column)}{row + 1}"

    def draw(self, state: RolitState) -> str:
        """The board, and who moves."""
        columns = [column_name(column) for column in range(self._shape.width)]
        rows = [str(row + 1) for row in range(self._shape.height)]
        end = "the game is over" if self.outcome(state) else f"player {state.mover + 1} to move"
        return f"{picture(state.board, columns, rows)}\n{end}"


def _fits(sides: list[int], counts: list[int]) -> bool:
    if len(sides) != 2 or len(counts) != 2 or not all(2 <= side <= 8 for side in sides):
        return False
    return 2 <= counts[0] <= len(COLOURS) and 1 <= counts[1] <= counts[0]
