"""Nim as a Python class: take any number from one heap; who takes the last piece wins."""

from andorra.rulebook.base import FIRST, SECOND, Game, Outcome, Side

State = tuple[tuple[int, ...], int]


class Nim(Game[State, str]):
    """The move `b2` takes two pieces from the second heap."""

    name = "nim"
    acyclic = True
    can_draw = False

    def initial(self) -> State:
        """Start with heaps of 1, 2 and 3 pieces; the number behind them is the side to move."""
        return (1, 2, 3), 0

    def to_move(self, state: State) -> Side:
        """Say who moves."""
        return SECOND if state[1] else FIRST

    def moves(self, state: State) -> list[str]:
        """List every heap with every number of pieces it allows to take."""
        return [f"{'abc'[i]}{take + 1}" for i in range(3) for take in range(state[0][i])]

    def play(self, state: State, move: str) -> State:
        """Take the pieces; the other side is next."""
        heaps = list(state[0])
        heaps["abc".index(move[0])] -= int(move[1:])
        return tuple(heaps), 1 - state[1]

    def outcome(self, state: State) -> Outcome | None:
        """Give the win to the side that took the last piece."""
        if any(state[0]):
            return None
        return "first" if state[1] else "second"
