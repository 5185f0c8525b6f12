"""The forms in which `andorra solve GAME FILE` tells its answers.

On a terminal a table at the end; in a pipe, what a single problem prints, as the answers come; with
`--json` a line of JSON, with `--quiet` a word. Answers that an earlier run has found (`--resume`)
are told in their place among the others, so that the output is that of one run.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import click

from andorra.cli.lengths import is_shortest
from andorra.cli.output import print_result
from andorra.cli.streams import json_line
from andorra.cli.tables import Figures, print_figures
from andorra.json_lines import Plain

if TYPE_CHECKING:
    from andorra import Result
    from andorra.cli.positions import Problem

UNREADABLE = "unreadable"
"""The table's word for a line that holds no position."""
_NONE = "-"


@dataclass(frozen=True)
class Answer:
    """What came of one problem."""

    problem: Problem
    plain: Plain
    result: Result | None
    """None: an earlier run's."""


class Output(Protocol):
    """Told what happens, in this order."""

    streams: bool
    """Whether answers are printed when they are there."""

    def begin(self, problem: Problem, drawing: str) -> None:
        """A search is about to start."""

    def add(self, answer: Answer) -> None:
        """There is an answer."""

    def refuse(self, problem: Problem) -> None:
        """The line holds no position; the error has been printed."""

    def end(self, total: int | None) -> None:
        """That was all; `total`: how many problems the file has, if that is known."""


def chosen(game: str, as_json: bool, quiet: bool) -> Output:
    """The form that was asked for, or that suits standard output."""
    if as_json:
        return Json()
    if quiet:
        return Words()
    return Table(game) if sys.stdout.isatty() else Printout(game)


class _Streaming:
    """What the forms share that print answers as they come."""

    streams = True

    def begin(self, problem: Problem, drawing: str) -> None:
        """Nothing to say yet."""

    def refuse(self, problem: Problem) -> None:
        """The error has been printed."""

    def end(self, total: int | None) -> None:
        """All is printed."""


class Json(_Streaming):
    """An object a line."""

    def add(self, answer: Answer) -> None:
        """Print it."""
        click.echo(json_line(answer.plain))


class Words(_Streaming):
    """A word a line."""

    def add(self, answer: Answer) -> None:
        """Print it."""
        click.echo(word(answer.plain))


class Printout(_Streaming):
    """Position and result, with a blank line between problems."""

    def __init__(self, game: str) -> None:
        self._game = game
        self._first = True

    def begin(self, problem: Problem, drawing: str) -> None:
        """Print the position."""
        self._part()
        click.echo(f"{self._game} ({problem.place})\n\n{drawing}\n")

    def add(self, answer: Answer) -> None:
        """Print the result; of an earlier run's, the word."""
        if answer.result is not None:
            print_result(answer.result)
            return
        self._part()
        before = f"{word(answer.plain)}, by an earlier run"
        click.echo(f"{self._game} ({answer.problem.place}): {before}")

    def refuse(self, problem: Problem) -> None:
        """The error is a part of its own."""
        self._part()

    def _part(self) -> None:
        if not self._first:
            click.echo()
        self._first = False


class Table:
    """A row a problem and the sums, at the end."""

    streams = False

    def __init__(self, game: str) -> None:
        self._game = game
        self._told: list[tuple[Problem, Answer | None]] = []

    def begin(self, problem: Problem, drawing: str) -> None:
        """Wait for the end."""

    def add(self, answer: Answer) -> None:
        """Keep it."""
        self._told.append((answer.problem, answer))

    def refuse(self, problem: Problem) -> None:
        """Keep a row for it."""
        self._told.append((problem, None))

    def end(self, total: int | None) -> None:
        """Print all rows, sums and remarks."""
        if not self._told:
            return
        costs = ("nodes", "CPU s", *self._wall_column("wall s"))
        names = ("line", "verdict", *self._length_column("length"), "plies", *costs)
        labels = [*(f"{number:,}" for number in range(1, len(self._told) + 1)), "all"]
        rows = [self._row(problem, answer) for problem, answer in self._told]
        figures = Figures("", (*names, "limit"), [*rows, self._sums()])
        click.echo(f"{self._game}, {self._told[0][0].file}\n")
        print_figures("problem", labels, [figures])
        click.echo("\n" + "; ".join(self._remarks(total)))

    @property
    def _answers(self) -> list[Answer]:
        return [answer for _, answer in self._told if answer is not None]

    def _sums(self) -> tuple[str, ...]:
        plains = [answer.plain for answer in self._answers]
        answered = sum(is_answered(plain) for plain in plains)
        nodes = sum(plain["nodes"] for plain in plains)
        wall = self._wall_column(_seconds(_sum(plains, "wall_seconds")))
        costs = f"{nodes:,}", _seconds(_sum(plains, "cpu_seconds")), *wall
        lengths = self._length_column(_NONE)
        return (_NONE, f"{answered:,} answered", *lengths, _NONE, *costs, _NONE)

    def _row(self, problem: Problem, answer: Answer | None) -> tuple[str, ...]:
        line = f"{problem.line:,}"
        if answer is None:
            costs = _NONE, _NONE, *self._wall_column(_NONE)
            return (line, UNREADABLE, *self._length_column(_NONE), _NONE, *costs, _NONE)
        plain = answer.plain
        wall = self._wall_column(_seconds(plain.get("wall_seconds", 0.0)))
        costs = f"{plain['nodes']:,}", _seconds(plain["cpu_seconds"]), *wall
        lengths = self._length_column(_length(plain))
        return (line, verdict(plain), *lengths, _plies(plain), *costs, plain["limit"] or _NONE)

    def _length_column(self, text: str) -> tuple[str, ...]:
        """The text, where the shortest win was asked for."""
        asked = any(is_shortest(answer.plain["question"]) for answer in self._answers)
        return (text,) if asked else ()

    def _wall_column(self, text: str) -> tuple[str, ...]:
        """The text, where several threads searched."""
        return (text,) if any(answer.plain.get("overheads") for answer in self._answers) else ()

    def _remarks(self, total: int | None) -> Iterator[str]:
        words = [
            UNREADABLE if answer is None else verdict(answer.plain) for _, answer in self._told
        ]
        yield ", ".join(f"{count:,} {each}" for each, count in Counter(words).most_common())
        earlier = sum(answer.result is None for answer in self._answers)
        if earlier:
            yield f"{earlier:,} by earlier runs"
        if total is not None and len(self._told) < total:
            yield f"{total - len(self._told):,} of {total:,} not tried"


def word(plain: Plain) -> str:
    """The answer in one word: the length, if it was asked for and is known, else the verdict.

    >>> word({"question": "shortest:first", "verdict": "proven", "length": 5})
    '5'
    """
    length = plain.get("length")
    return verdict(plain) if length is None else str(length)


def verdict(plain: Plain) -> str:
    """The value or the score, if it was asked for and is known, else the verdict.

    >>> verdict({"question": "value", "value": "draw", "verdict": "disproven"})
    'draw'
    >>> verdict({"question": "score:first", "score": -3, "verdict": "proven"})
    '-3'
    """
    if plain.get("score") is not None:
        return str(plain["score"])
    value = plain["value"] if plain["question"] == "value" else None
    return str(value or plain["verdict"])


def is_answered(plain: Plain) -> bool:
    """Whether nothing was left open.

    >>> is_answered({"verdict": "unknown", "limit": "nodes"})
    False
    """
    return plain["verdict"] != "unknown" and plain["limit"] is None


def _length(plain: Plain) -> str:
    """The length of the shortest win, or its bounds.

    >>> [_length({"length_bounds": bounds}) for bounds in ([5, 5], [5, 9], [5, None], None)]
    ['5', '5 to 9', '5 or more', '-']
    """
    bounds = plain.get("length_bounds")
    if bounds is None:
        return _NONE
    at_least, at_most = bounds
    if at_least == at_most:
        return f"{at_least:,}"
    return f"{at_least:,} or more" if at_most is None else f"{at_least:,} to {at_most:,}"


def _plies(plain: Plain) -> str:
    """The length of the main line; of an unfinished one, with a mark."""
    if not plain["line"]:
        return _NONE
    return f"{len(plain['line']):,}{'+' if plain.get('line_end') == 'incomplete' else ''}"


def _sum(plains: list[Plain], seconds: str) -> float:
    return sum((float(plain.get(seconds, 0.0)) for plain in plains), 0.0)


def _seconds(seconds: float) -> str:
    return f"{seconds:,.2f}"
