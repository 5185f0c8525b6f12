"""Scores of a user's rules: a game that is over as soon as a question about its score is decided.

The core knows scores of built-in games; a user's rules tell it outcomes alone. So it is given rules
whose outcome *is* the answer, and asked for a win. Certificates are the same: entries stand where
the question is open, and checkers ask the user's own rules.

The scores that a position allows are the rules' word, so it is tested where a search comes by: at
an end there is one score, and no move lets them part further. Below a position that is decided
nothing is searched; at the root, its moves are looked at all the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from andorra.errors import RuleError
from andorra.question import Question
from andorra.rulebook import is_built_in
from andorra.rulebook.base import Game, Outcome, Side, score_bounds
from andorra.rulebook.boards import WINNERS


def has_own_scores(game: Game[Any, Any]) -> bool:
    """Whether a user's rules in Python state scores."""
    return not is_built_in(game) and type(game).scores is not Game.scores


class Judged(Game[Any, Any]):
    """The rules of `game`, won by the question's prover where the score is enough."""

    def __init__(self, game: Game[Any, Any], question: Question) -> None:
        self._game = game
        self._question = question
        self.name = game.name
        self.parameters = game.parameters
        self.acyclic = game.acyclic
        self.can_draw = False

    def initial(self) -> Any:
        """As the game says."""
        return self._game.initial()

    def to_move(self, state: Any) -> Side:
        """As the game says."""
        return self._game.to_move(state)

    def moves(self, state: Any) -> Sequence[Any]:
        """None where the question is decided."""
        return self._game.moves(state) if self.outcome(state) is None else []

    def play(self, state: Any, move: Any) -> Any:
        """As the game says."""
        return self._game.play(state, move)

    def outcome(self, state: Any) -> Outcome | None:
        """Whose the answer is, if the scores that are left give it."""
        enough = self._question.judge(self._game, state)
        if enough is None:
            return None
        prover = self._question.prover
        return WINNERS[prover if enough else 1 - prover]

    def check_scores(self, state: Any, children: Iterable[tuple[str, Any]]) -> None:
        """Raise `RuleError` unless the scores of the position and of its children fit together."""
        before = self._checked(state)
        for move, child in children:
            after = self._checked(child)
            if not (before[0] <= after[0] and after[1] <= before[1]):
                raise self._wrong(f"gave {before}, and {after} after move {move!r},", state)

    def children(self, state: Any) -> Iterator[tuple[str, Any]]:
        """The positions after all moves, though the question may be decided before them."""
        for move in self._game.moves(state):
            yield self._game.format_move(state, move), self._game.play(state, move)

    def _checked(self, state: Any) -> tuple[int, int]:
        least, most = score_bounds(self._game, state)
        if least > most or (least < most and self._game.outcome(state) is not None):
            at = "expected one score at an end," if least < most else "expected the least first,"
            raise self._wrong(f"gave {(least, most)}, {at}", state)
        return least, most

    def _wrong(self, what: str, state: Any) -> RuleError:
        place = f"in position {self._game.format(state)!r}"
        return RuleError(f"{self.spec()}: the rule 'scores' {what} {place}")

    def format(self, state: Any) -> str:
        """As the game says."""
        return self._game.format(state)

    def parse(self, text: str) -> Any:
        """As the game says."""
        return self._game.parse(text)

    def format_move(self, state: Any, move: Any) -> str:
        """As the game says."""
        return self._game.format_move(state, move)
