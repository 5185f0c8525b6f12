"""What tests of `andorra.solve` share: the oracle's verdicts, and what must hold of any result.

`assert_consistent` needs no oracle: the bounds fit the verdict, the line is legal in the reference
rules and ends as it says, and the best move is there exactly when the side to move has one.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from andorra import Game, Result
from andorra.question import Question
from andorra.reference import fixpoint
from andorra.rulebook import SIDE_NAMES, make

AnyGame = Game[Any, Any]

END_NAMES = {"first": "win", "second": "loss", "draw": "draw"}
"""How a line's end is called, by the game's outcome."""


def oracle(game: AnyGame, position: str, question: str) -> str:
    """The verdict, from the least fixpoint on the whole graph."""
    return _remembered(game.spec(), game.data(), position, question)


@cache
def _remembered(spec: str, data: str | None, position: str, question: str) -> str:
    game = make(spec, data)
    return fixpoint.solve(game, game.parse(position), question).verdict


def assert_consistent(game: AnyGame, result: Result) -> None:
    """What a result says does not contradict itself or the rules."""
    assert_bounds(result)
    question = Question.parse(result.question, game.to_move(game.parse(result.position)))
    assert result.question == str(question)
    assert result.prover == SIDE_NAMES[question.prover]
    assert (result.limit is None) == (result.verdict != "unknown")
    if result.verdict == "unknown":
        assert (result.line, result.line_end, result.best_move) == ([], "incomplete", None)
        assert (result.value, result.certificate) == (None, None)
    else:
        assert_line(game, result, question)
        assert_best_move(game, result, question)


def assert_bounds(result: Result) -> None:
    """None is infinite, which only solved positions have; open ones have positive numbers."""
    if result.verdict == "unknown":
        assert isinstance(result.pn, int) and result.pn > 0, result.pn
        assert isinstance(result.dn, int) and result.dn > 0, result.dn
    else:
        expected = (0, None) if result.verdict == "proven" else (None, 0)
        assert (result.pn, result.dn) == expected


def assert_line(game: AnyGame, result: Result, question: Question) -> None:
    """The line is legal, ends as it says, and where it ends the verdict is plain to see."""
    states = replay(game, result.position, result.line)
    outcome = game.outcome(states[-1])
    if result.line_end == "repetition":
        assert (outcome, result.verdict) == (None, "disproven")
        assert states[-1] in states[:-1]
    elif result.line_end == "limit":
        assert (outcome, result.verdict) == (None, "disproven")
        assert len(result.line) == question.within
    else:
        assert outcome is not None, f"{result.line_end}: {result.line}"
        assert result.line_end == END_NAMES[outcome]
        won = outcome == SIDE_NAMES[question.prover]
        assert won == (result.verdict == "proven")


def replay(game: AnyGame, position: str, line: list[str]) -> list[Any]:
    """The states that a line of moves goes through; an illegal move is an error of the rules."""
    states = [game.parse(position)]
    for move in line:
        states.append(game.play(states[-1], game.parse_move(states[-1], move)))
    return states


def assert_best_move(game: AnyGame, result: Result, question: Question) -> None:
    """It is the line's first move if the side to move holds the strategy, and None otherwise."""
    state = game.parse(result.position)
    holder_moves = (result.verdict == "proven") == (game.to_move(state) == question.prover)
    open_ended = question.judge(game, state, question.within) is None
    expected = result.line[0] if holder_moves and open_ended else None
    assert result.best_move == expected


def assert_keeps_verdict(game: AnyGame, result: Result) -> None:
    """After the best move the oracle says what it said before it."""
    if result.best_move is None:
        return
    after = game.format(replay(game, result.position, [result.best_move])[-1])
    asked, _, within = result.question.partition("<=")
    left = f"<={int(within) - 1}" if within else ""
    assert oracle(game, after, asked + left) == result.verdict, result.best_move
