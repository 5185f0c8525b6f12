"""The shortest win: the options of `andorra solve` about it, and how its length is shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from andorra.cli.tables import print_table

if TYPE_CHECKING:
    from andorra import Other, Result

Command = TypeVar("Command", bound=Callable[..., Any])

_SHORTEST = "shortest"
_OPTIONS = (
    click.option(
        "--shortest/--any",
        default=False,
        help="Find the shortest win, and prove that there is no shorter one; or any [default].",
    ),
    click.option(
        "--others", is_flag=True, help="With --shortest: list other moves on the line that win."
    ),
    click.option(
        "--others-nodes", metavar="N", type=int, help="The most nodes to visit, one of --others."
    ),
)


def length_options(command: Command) -> Command:
    """Give a command the options about the shortest win."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def length_arguments(
    question: str | None, shortest: bool, others: bool, others_nodes: int | None
) -> dict[str, Any]:
    """The keyword arguments of `andorra.solve`; `question` is what the other options ask.

    >>> length_arguments("win:second", shortest=True, others=False, others_nodes=None)
    {'question': 'shortest:second'}
    """
    question = _shortest(question) if shortest else question
    if others and not is_shortest(question):
        raise click.UsageError("--others stand beside the shortest win; add --shortest")
    if others_nodes is not None and not others:
        raise click.UsageError(f"--others-nodes {others_nodes} is about --others; add it")
    asked: dict[str, Any] = {"question": question}
    limit = {} if others_nodes is None else {"others_nodes": others_nodes}
    return asked | ({"others": True} | limit if others else {})


def is_shortest(question: str | None) -> bool:
    """Whether a question is about the shortest win."""
    return question is not None and question.startswith(_SHORTEST)


def _shortest(question: str | None) -> str:
    if question == "value":
        raise click.UsageError("--shortest and --value ask different questions; choose one")
    if question is None or is_shortest(question):
        return question or _SHORTEST
    if question.startswith("score"):
        raise click.UsageError(f"--shortest is about wins; leave out --question {question}")
    win, bound, plies = question.partition("<=")
    if bound:
        raise click.UsageError(
            f"--shortest finds the number of plies; leave out '<={plies}' of --question {question}"
        )
    return _SHORTEST + win.removeprefix("win") if win.startswith("win") else question


def length_in_words(result: Result, limit: str) -> str:
    """How long the shortest win takes, as far as that was asked and is known."""
    if result.length is not None:
        return f"{_plies(result.length)}, and no fewer{limit and f' ({limit})'}"
    if result.length_bounds is None:
        return ""
    at_least, at_most = result.length_bounds
    bounds = f"at least {at_least}" + ("" if at_most is None else f" and at most {at_most}")
    return f"{bounds} plies ({limit})"


def _plies(number: int) -> str:
    return f"{number} ply" if number == 1 else f"{number} plies"


def others_in_words(result: Result) -> str:
    """What there is to say of other solutions if there is no table of them."""
    if result.others is None and result.length is not None:
        return "" if result.limit in (None, "interrupted") else "not looked for"
    return "none: no other move wins" if result.others == [] else ""


def print_others(result: Result) -> None:
    """Print the other moves that win as a table."""
    if not result.others:
        return
    rows = [
        (other.ply, result.line[other.ply - 1], other.move, _how(other)) for other in result.others
    ]
    click.echo()
    print_table(("ply", "line", "other move", "wins"), rows)


_HOW = {
    (True, "as soon"): "in the same length",
    (True, "later"): "later",
    (True, "not known"): "not known how soon",
    (False, "later"): "not known, and later if at all",
    (False, "not known"): "not known",
}
"""By whether it is known to win, and when."""


def _how(other: Other) -> str:
    return _HOW[other.verdict == "proven", other.when]
