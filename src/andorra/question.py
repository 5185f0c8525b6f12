"""A question: whether a side can force a win, (optionally) within how many plies; or a score.

The prover wins a line only by reaching its own win in a finite number of moves: a draw, or play
without end, is no win for the prover. A bound makes a *different* question: an ongoing game with no
plies left counts as not won.

Scores are in the first player's view, so a score of at least N is what the first player wants to
force, and one of at most N what the second does. Play without end has no score, and is no success
of the prover's either. Where the rules say that all ends of a position's lines score enough, or
that none does, the line is over: in the first case only if every line ends.

>>> Question.parse("win", FIRST)
Question(prover=0, within=None, score=None)
>>> str(Question.parse("win:second<=7", FIRST))
'win:second<=7'
>>> str(Question.parse("mate<=5", SECOND))
'win:first<=5'
>>> Question.parse("score>=3", SECOND), Question.parse("score<=-1", FIRST).prover
(Question(prover=0, within=None, score=3), 1)

In shogi problems the first player is the attacker, so `mate<=N` says the same as `win:first<=N`; it
is read in every game. The texts `value`, `score` and `shortest` ask several questions (`api.py`),
and are no question here; the error names them because people write all of them in the same place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from andorra.errors import OptionError
from andorra.rulebook.base import FIRST, SECOND, SIDE_NAMES, Game, Outcome, Side, has_score

_GRAMMAR = re.compile(r"win(?::(first|second))?(?:<=(0|[1-9][0-9]{0,17}))?")
_SCORE = re.compile(r"score(>=|<=)(0|-?[1-9][0-9]{0,8})")
_MATE = "mate<="
_EXPECTED = (
    "expected 'win', 'win:first' or 'win:second', optionally followed by '<=N' "
    "with a number of plies N, for example 'win:first<=7'; 'mate<=N', which is 'win:first<=N'; "
    "'value'; 'shortest', 'shortest:first' or 'shortest:second'; 'score>=N' or 'score<=N' with a "
    "whole number N; or 'score', 'score:first' or 'score:second'"
)


@dataclass(frozen=True)
class Question:
    """Whether `prover` can force a win (within `within` plies, if that is not None).

    With a `score`, whether the first player can force that much, or the second no more than that.
    """

    prover: Side
    within: int | None = None
    score: int | None = None

    @classmethod
    def parse(cls, text: str, side_to_move: Side) -> Question:
        """The question that `text` asks where `side_to_move` moves, who proves a plain `win`.

        >>> Question.parse("wins", FIRST)  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ...
        andorra.errors.OptionError: cannot read the question 'wins': expected 'win', ...
        """
        if scored := _SCORE.fullmatch(text):
            return cls(FIRST if scored[1] == ">=" else SECOND, score=int(scored[2]))
        match = _GRAMMAR.fullmatch(_spelled_out(text))
        if match is None:
            raise OptionError(f"cannot read the question {text!r}: {_EXPECTED}")
        side, within = match.groups()
        prover = side_to_move if side is None else FIRST if side == "first" else SECOND
        return cls(prover, None if within is None else int(within))

    def __str__(self) -> str:
        """The canonical text, which always names the prover."""
        if self.score is not None:
            return f"score{'>=' if self.prover == FIRST else '<='}{self.score}"
        bound = "" if self.within is None else f"<={self.within}"
        return f"win:{SIDE_NAMES[self.prover]}{bound}"

    def status(self, outcome: Outcome | None, plies_left: int | None = None) -> bool | None:
        """True: the prover has won here; False: has not and will not; None: the game goes on.

        `plies_left` is None exactly when the question has no bound.

        >>> question = Question(FIRST, within=3)
        >>> question.status("first", 0), question.status("draw", 2), question.status(None, 0)
        (True, False, False)
        >>> print(question.status(None, 1))
        None
        """
        if outcome is not None:
            return outcome == SIDE_NAMES[self.prover]
        return False if plies_left == 0 else None

    def judge(self, game: Game[Any, Any], state: Any, plies_left: int | None = None) -> bool | None:
        """The same of a position; of a score, True: it is enough, and False: it never will be."""
        if self.score is None:
            return self.status(game.outcome(state), plies_left)
        return has_score(game, state, self.prover, self.score)


def _spelled_out(text: str) -> str:
    return f"win:first<={text.removeprefix(_MATE)}" if text.startswith(_MATE) else text
