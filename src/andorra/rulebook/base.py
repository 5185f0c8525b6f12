"""What the rules of a game are, in Python: the contract of the reference rules and of users' games.

A game is a small class whose methods are functions of immutable, hashable states. Six methods are
needed; the rest have defaults. This is all of Nim with one heap, where who takes the last wins:

>>> class Nim(Game[tuple[int, int], int]):
...     name = "nim"
...     acyclic = True
...     can_draw = False
...
...     def initial(self):
...         return (5, 0)
...
...     def to_move(self, state):
...         return FIRST if state[1] == 0 else SECOND
...
...     def moves(self, state):
...         return [take for take in (1, 2, 3) if take <= state[0]]
...
...     def play(self, state, move):
...         return (state[0] - move, 1 - state[1])
...
...     def outcome(self, state):
...         if state[0] > 0:
...             return None
...         return "second" if self.to_move(state) == FIRST else "first"
>>> Nim().moves((2, 0))
[1, 2]
"""

from __future__ import annotations

import ast
import operator
from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from typing import Any, Generic, Literal, TypeVar, cast

from andorra.errors import PositionError, RuleError

Side = Literal[0, 1]
Outcome = Literal["first", "second", "draw"]

FIRST: Side = 0
SECOND: Side = 1
SIDE_NAMES = ("first", "second")

State = TypeVar("State", bound=Hashable)
Move = TypeVar("Move")


class Game(ABC, Generic[State, Move]):
    """The rules of one domain, with its parameters fixed.

    Sides need not alternate: `to_move` says who moves. `moves` lists unique moves in a stable
    order, and none exactly when `outcome` names an end.
    """

    name: str
    """The game's name, as the command line spells it."""
    parameters: str = ""
    """What follows the name and a colon, in canonical spelling."""
    acyclic: bool = False
    """No position can come again."""
    can_draw: bool = True
    """Some line may end in a draw."""
    wins_by_own_move: bool = False
    """Sides alternate, and each wins only by a move of its own.

    The lengths of a side's wins from a position are then all odd or all even. Searches go by that
    in built-in games only."""
    question: str = "win"
    """The default question."""
    players: tuple[str, str] = ("", "")
    """What the players are called on the board, where that says more than first and second."""

    @abstractmethod
    def initial(self) -> State:
        """The position at which the game starts."""

    @abstractmethod
    def to_move(self, state: State) -> Side:
        """Who moves."""

    @abstractmethod
    def moves(self, state: State) -> Sequence[Move]:
        """All legal moves; none exactly at an end."""

    @abstractmethod
    def play(self, state: State, move: Move) -> State:
        """The position after a legal move."""

    @abstractmethod
    def outcome(self, state: State) -> Outcome | None:
        """Who has won, "draw", or None while the game goes on."""

    def format(self, state: State) -> str:
        """The position as one line of text without tabs; equal exactly for equal positions."""
        return repr(state)

    def parse(self, text: str) -> State:
        """The position that `text` describes; `PositionError` if it describes none."""
        try:
            return cast(State, ast.literal_eval(text))
        except (ValueError, SyntaxError, MemoryError, RecursionError) as error:
            raise PositionError(f"cannot read the position {text!r}: {error}") from None

    def format_move(self, state: State, move: Move) -> str:
        """The move as text without white space, unique among the moves of `state`."""
        return str(move)

    def parse_move(self, state: State, text: str) -> Move:
        """The legal move that `text` names; `PositionError` if there is none."""
        legal = {self.format_move(state, move): move for move in self.moves(state)}
        if text in legal:
            return legal[text]
        listed = " ".join(legal) or "none, the game is over"
        raise PositionError(f"{text!r} is no legal move in {self.format(state)!r}; legal: {listed}")

    def draw(self, state: State) -> str:
        """A picture of the position for a terminal."""
        return self.format(state)

    def data(self) -> str | None:
        """Rules that are data (an explicit graph), to be carried inside a certificate."""
        return None

    def hinted_data(self) -> str | None:
        """`data` with hints for the search, which certificates do without."""
        return self.data()

    def board(self, state: State) -> Any:
        """All of the state but its resources, the side to move included (see `resources`)."""
        return state

    def resources(self, state: State) -> tuple[int, ...]:
        """Numbers of which more is never worse for the first player.

        What helps the second player enters negatively. Of two positions with equal `board`, the
        one whose numbers are all at least as large dominates the other.
        """
        return ()

    def scores(self, state: State) -> tuple[int, int]:
        """The least and the most that the ends of all lines from here can score.

        In the first player's view. Both are the same at an end, and from move to move they never
        part further. In games without a score of their own, a win counts 1 and a loss -1.
        """
        outcome = self.outcome(state)
        if outcome is None:
            return (-1, 1)
        score = {"first": 1, "draw": 0, "second": -1}[outcome]
        return (score, score)

    def left(self, state: State, side: Side) -> str | None:
        """What a side has left in the position, for people; None if the game knows no such thing.

        Shown for the winner at the end of a main line.
        """
        return None

    def spec(self) -> str:
        """Name and parameters, as the command line takes them."""
        return f"{self.name}:{self.parameters}" if self.parameters else self.name


def score_bounds(game: Game[State, Any], state: State) -> tuple[int, int]:
    """What `scores` says of the position; `RuleError` unless that is a pair of whole numbers."""
    scores: Any = game.scores(state)
    try:
        least, most = scores
        return operator.index(least), operator.index(most)
    except (TypeError, ValueError):
        what = f"gave {scores!r}, expected a pair of whole numbers, the least and the most,"
        where = f"in position {game.format(state)!r}"
        raise RuleError(f"{game.spec()}: the rule 'scores' {what} {where}") from None


def has_score(game: Game[State, Any], state: State, side: Side, score: int) -> bool | None:
    """True: a side has the score for certain; False: it is out of reach; None: neither.

    The first player wants at least that score, the second at most. What all ends have in common is
    certain only where every line ends.
    """
    least, most = score_bounds(game, state)
    if side == SECOND:
        least, most, score = -most, -least, -score
    if most < score:
        return False
    ends = game.acyclic or game.outcome(state) is not None
    return True if least >= score and ends else None
