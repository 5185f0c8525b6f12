"""What `mnk`, `connect4` and `hex` share: sides take turns to put a stone that stays for ever.

So the stones tell who moves, no position comes again, and only the side that just moved can have
won. `parse` sees to it that this holds: the counts must fit, and a win must belong to the side
that just moved.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from andorra.errors import PositionError
from andorra.rulebook.base import FIRST, SECOND, Game, Outcome, Side
from andorra.rulebook.boards import STONES, WINNERS, Shape, caption, column_name, picture, put


class StoneGame(Game[str, int]):
    """A game of stones on a board. The state is the board's text, a move the index of a cell."""

    acyclic = True

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        places = {index: shape.place(index) for index in shape.cells}
        self._names = {i: f"{column_name(column)}{row + 1}" for i, (row, column) in places.items()}

    @abstractmethod
    def has_won(self, board: str, stone: str) -> bool:
        """Whether the stones of one side make a win."""

    def initial(self) -> str:
        """The empty board."""
        return self.shape.empty

    def to_move(self, state: str) -> Side:
        """The first side if both have equally many stones."""
        return FIRST if state.count("x") == state.count("o") else SECOND

    def moves(self, state: str) -> Sequence[int]:
        """The empty cells, row by row."""
        if self.outcome(state):
            return []
        return [index for index in self.shape.cells if state[index] == "."]

    def play(self, state: str, move: int) -> str:
        """The board with one more stone."""
        return put(state, move, STONES[self.to_move(state)])

    def outcome(self, state: str) -> Outcome | None:
        """A win of the side that just moved; a draw if the board is full."""
        just_moved = SECOND if self.to_move(state) == FIRST else FIRST
        if self.has_won(state, STONES[just_moved]):
            return WINNERS[just_moved]
        return None if "." in state else "draw"

    def format(self, state: str) -> str:
        """The board."""
        return state

    def parse(self, text: str) -> str:
        """The board `text`, if play with these rules could give its counts and its winner."""
        self.shape.check(text)
        self._check_counts(text)
        self._check_winner(text)
        return text

    def _check_counts(self, board: str) -> None:
        first, second = board.count("x"), board.count("o")
        if first - second not in (0, 1):
            raise PositionError(
                f"{first} x and {second} o in {board!r}; "
                "expected as many x as o, or one more, because x moves first"
            )

    def _check_winner(self, board: str) -> None:
        to_move = STONES[self.to_move(board)]
        if self.has_won(board, to_move):
            raise PositionError(
                f"{to_move} is to move in {board!r} but has won already; "
                "expected no win, or one of the side that just moved"
            )

    def format_move(self, state: str, move: int) -> str:
        """The cell: its column's letter, its row's number from the top."""
        return self._names[move]

    def draw(self, state: str) -> str:
        """The board with its coordinates, and who moves."""
        return self._picture(state, slant=0)

    def _picture(self, state: str, slant: int) -> str:
        columns = [column_name(column) for column in range(self.shape.width)]
        rows = [str(row + 1) for row in range(self.shape.height)]
        under = caption(self.to_move(state), self.outcome(state))
        return f"{picture(state, columns, rows, slant)}\n{under}"


class Runs:
    """Finds unbroken runs of stones: in rows, columns and diagonals.

    Reading every step-th character of a board's text walks along its lines: step 1 along rows,
    width + 1 down the columns, width and width + 2 along the two diagonals. Beyond either edge
    of the board such a walk meets a `/`, so no run is found that leaves the board.

    >>> runs = Runs(Shape(3, 3), 3)
    >>> runs.has_run("x.o/.x./o.x", "x"), runs.has_run("..x/x../.x.", "x")
    (True, False)
    """

    def __init__(self, shape: Shape, length: int) -> None:
        beyond_any_line = max(shape.width, shape.height) + 1
        self._full = {stone: stone * min(length, beyond_any_line) for stone in STONES}
        steps = (1, shape.width, shape.width + 1, shape.width + 2)
        self._walks = [slice(start, None, step) for step in steps for start in range(step)]

    def has_run(self, board: str, stone: str) -> bool:
        """Whether `length` of these stones stand in a row."""
        full = self._full[stone]
        return any(full in board[walk] for walk in self._walks)
