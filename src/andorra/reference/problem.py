"""A game and a question, seen as an AND/OR graph.

Idea: a search asks three things of a node: is it an end, is it the prover's turn, what are its
children. A node is a position together with the number of plies left, which is None where the
question has no bound.

Invariant: a node that is no end has children. (A node without moves must state its outcome: "all of
no children are proven" would prove it by accident.)
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

from andorra.errors import RuleError
from andorra.question import Question
from andorra.rulebook.base import Game

State = TypeVar("State", bound=Hashable)
Move = TypeVar("Move")
Node = tuple[State, int | None]


@dataclass(frozen=True)
class Problem(Generic[State, Move]):
    """Whether the question's prover can force its win from the root is to be found out."""

    game: Game[State, Move]
    root: Node[State]
    question: Question

    @classmethod
    def ask(
        cls, game: Game[State, Move], position: State | None, question: str | Question
    ) -> Problem[State, Move]:
        """The problem for a position (the initial one by default) and a question or its text."""
        state = game.initial() if position is None else position
        if isinstance(question, str):
            question = Question.parse(question, game.to_move(state))
        return cls(game, (state, question.within), question)

    @property
    def may_repeat(self) -> bool:
        """Whether a node can come again on a line; plies left never do."""
        return not self.game.acyclic and self.question.within is None

    def status(self, node: Node[State]) -> bool | None:
        """True at the prover's win, False at any other end, None where play goes on."""
        state, plies_left = node
        return self.question.judge(self.game, state, plies_left)

    def is_or(self, node: Node[State]) -> bool:
        """Whether it is the prover's turn. Sides may move twice, so the depth does not tell."""
        return self.game.to_move(node[0]) == self.question.prover

    def children(self, node: Node[State]) -> list[tuple[Move, Node[State]]]:
        """The moves at a node that is no end, each with the node it leads to."""
        state, plies_left = node
        left = None if plies_left is None else plies_left - 1
        moves = self.game.moves(state)
        if not moves:
            raise RuleError(f"no moves and no outcome in {self.game.format(state)!r}")
        return [(move, (self.game.play(state, move), left)) for move in moves]
