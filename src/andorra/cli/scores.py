"""Scores: the options of `andorra solve` about them, and how questions and answers are told."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from andorra import Result

Command = TypeVar("Command", bound=Callable[..., Any])

_SCORE = "score"
_OPTIONS = (
    click.option("--score", is_flag=True, help="Find the exact score that a side can force."),
    click.option(
        "--steps",
        metavar="HOW",
        help="With --score: close in on it in binary [default], linear or aspiration steps.",
    ),
)


def score_options(command: Command) -> Command:
    """Give a command the options about scores."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def score_arguments(question: str | None, score: bool, steps: str | None) -> dict[str, Any]:
    """The keyword arguments of `andorra.solve`; `question` is what the other options ask.

    >>> score_arguments(None, score=True, steps=None)
    {'question': 'score'}
    """
    if score and question is not None:
        what = "--value" if question == "value" else f"--question {question}"
        raise click.UsageError(f"--score asks its own questions; leave out {what}")
    question = _SCORE if score else question
    if steps is not None and not is_score(question):
        raise click.UsageError(f"--steps {steps} is about the exact score; add --score")
    return {"question": question} | ({} if steps is None else {"steps": steps})


def is_score(question: str | None) -> bool:
    """Whether a question is about the exact score."""
    return question is not None and (question == _SCORE or question.startswith(f"{_SCORE}:"))


def score_question(question: str, prover: str) -> str:
    """What a question about a score asks for; empty if it is about something else.

    >>> score_question("score<=-2", "the second player")
    'Can the second player force a score of at most -2?'
    """
    if is_score(question):
        most = "highest" if question.endswith("first") else "lowest"
        return f"What is the {most} score that {prover} can force?"
    for way, words in ((">=", "at least"), ("<=", "at most")):
        if question.startswith(f"{_SCORE}{way}"):
            return f"Can {prover} force a score of {words} {question.partition(way)[2]}?"
    return ""


def score_in_words(result: Result, limit: str) -> str:
    """The exact score, as far as that was asked and is known."""
    if not is_score(result.question):
        return ""
    if result.score is not None:
        return f"{result.score}, and no {'more' if result.prover == 'first' else 'less'}"
    if result.verdict == "disproven":
        return "none: the other side can go on without end"
    least, most = result.score_bounds or (None, None)
    known = [f"at least {least}"] * (least is not None) + [f"at most {most}"] * (most is not None)
    return f"{' and '.join(known) or 'not known'}{limit and f' ({limit})'}"
