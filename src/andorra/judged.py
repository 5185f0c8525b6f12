"""Scores of a user's rules: a game that is over as soon as a question about its score is decided.

The core knows scores of built-in games; a user's rules tell it outcomes alone. So it is given rules
whose outcome *is* the answer, and asked for a win. Certificates are the same: entries stand where
the question is open, and checkers ask the user's own rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from andorra.question import Question
from andorra.rulebook import GAMES
from andorra.rulebook.base import Game, Outcome, Side
from andorra.rulebook.boards import WINNERS


def has_own_scores(game: Game[Any, Any]) -> bool:
    """Whether a user's rules in Python state scores."""
    return type(game) not in GAMES.values() and type(game).scores is not Game.scores


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

    def format(self, state: Any) -> str:
        """As the game says."""
        return self._game.format(state)

    def parse(self, text: str) -> Any:
        """As the game says."""
        return self._game.parse(text)

    def format_move(self, state: Any, move: Any) -> str:
        """As the game says."""
        return self._game.format_move(state, move)
