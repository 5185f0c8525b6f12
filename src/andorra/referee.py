"""The rules as the trusted checker asks them: nothing that they say is taken unseen.

Reference rules are tested, a user's are not. So whatever can be seen to be wrong on the lines that
are followed is a `Misruling`: an outcome or a side that does not exist, a position without moves,
two moves with one text, other moves when asked again, a position that changes while a move is
played from it, scores that are no pair or that part further after a move.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

from andorra.memory import note
from andorra.places import Misruling, Places, Rules, State, exact_text
from andorra.rulebook.base import FIRST, SECOND, SIDE_NAMES, Outcome, score_bounds

Scores = tuple[int, int]

_POSITION = 1024
"""Bytes, about, that a position takes with all that is noted of it."""
_MOVE = 64
"""Bytes, about, that a move takes in a list of moves."""


class Referee:
    """Asks the rules of one game."""

    def __init__(self, game: Rules, places: Places) -> None:
        self._game = game
        self._places = places

    def outcome(self, state: State) -> Outcome | None:
        """How the game has ended, if it has."""
        outcome: Outcome | None = self._game.outcome(state)
        if outcome is not None and exact_text(outcome) not in ("draw", *SIDE_NAMES):
            raise Misruling(f"the rules know no outcome {outcome!r}")
        return outcome

    def to_move(self, state: State) -> int:
        """Who moves."""
        side = int(operator.index(self._game.to_move(state)))
        if side not in (FIRST, SECOND):
            raise Misruling(f"the rules say that {side!r} is to move")
        return side

    def played(self, state: State, move: Any) -> State:
        """The position after a move, which leaves the one before as it was."""
        before = self._places.name(state) if self._places.own else None
        after: State = self._game.play(self._places.fresh(state), move)
        if self._places.own and self._places.name(state) != before:
            raise Misruling(f"the rules changed the position {before!r}")
        return after

    def moves(self, state: State) -> Sequence[Any]:
        """All moves, of which there must be one."""
        moves = tuple(self._game.moves(state))
        note(_POSITION + _MOVE * len(moves))
        if not moves:
            raise Misruling(f"{self._game.format(state)!r} has neither moves nor an outcome")
        if self._places.own:
            self._check_moves(state, moves)
        return moves

    def legal(self, state: State, text: str) -> Any:
        """The legal move that the text names."""
        moves = self.moves(state)
        for move in moves:
            if exact_text(self._game.format_move(state, move)) == text:
                return move
        legal = " ".join(self._game.format_move(state, move) for move in moves)
        where = self._game.format(state)
        raise Misruling(f"{text!r} is no legal move in {where!r}; legal: {legal}")

    def scores(self, state: State, outcome: Outcome | None) -> Scores:
        """The scores that are left in the position: of an end, its own."""
        least, most = score_bounds(self._game, state)
        if least > most or (outcome is not None and least != most):
            raise Misruling(f"the rules know no scores from {least} to {most}")
        return least, most

    def _check_moves(self, state: State, moves: Sequence[Any]) -> None:
        texts = [exact_text(self._game.format_move(state, move)) for move in moves]
        where = f"in {self._game.format(state)!r}"
        if len(set(texts)) < len(texts):
            twice = next(text for text in texts if texts.count(text) > 1)
            raise Misruling(f"two moves have the text {twice!r} {where}")
        again = [
            exact_text(self._game.format_move(state, each)) for each in self._game.moves(state)
        ]
        if again != texts:
            raise Misruling(f"the rules gave other moves when asked again {where}")


def check_within(before: Scores | None, scores: Scores) -> None:
    """From move to move, the scores that are left never part further."""
    if before is not None and not (before[0] <= scores[0] and scores[1] <= before[1]):
        least, most = scores
        was = f"after scores from {before[0]} to {before[1]}"
        raise Misruling(f"the rules know scores from {least} to {most} {was}")
