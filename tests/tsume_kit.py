"""What tests of shogi problems share: the problem sets, and mates found by trying every move."""

from __future__ import annotations

from andorra.rulebook import FIRST
from andorra.rulebook.tsume import Tsume, TsumeState
from conftest import FindProblemSet

GAME = Tsume()


class TooManyPositionsError(Exception):
    """There are more lines than somebody wants to wait for."""


def problems(problem_set: FindProblemSet, name: str) -> list[str]:
    """The SFENs of a problem set, which stand before a tab."""
    lines = problem_set(f"tsume/{name}.sfen").read_text(encoding="utf-8").splitlines()
    return [line.partition("\t")[0] for line in lines if line and not line.startswith("#")]


def mates_within(
    state: TsumeState, plies: int, most: float = float("inf"), game: Tsume = GAME
) -> bool:
    """Whether the attacker can mate in at most so many plies.

    Raises TooManyPositionsError where that means to look at more than `most` positions.
    """
    looked_at = 0

    def mates(state: TsumeState, plies: int) -> bool:
        nonlocal looked_at
        looked_at += 1
        if looked_at > most:
            raise TooManyPositionsError
        if plies == 0 or game.outcome(state):
            return game.outcome(state) == "first"
        quantifier = any if game.to_move(state) == FIRST else all
        after = (game.play(state, move) for move in game.moves(state))
        return quantifier(mates(child, plies - 1) for child in after)

    return mates(state, plies)
