"""The three forms in which `andorra compare` tells what it found: a printout, JSON and CSV.

JSON and CSV print a run when it is done, so that a comparison of hours that ends early has not been
for nothing; the printout waits, because disagreements come first.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import click

from andorra.cli import exits
from andorra.cli.searches import assignments
from andorra.cli.streams import json_line
from andorra.cli.tables import Figures, print_figures

if TYPE_CHECKING:
    from andorra import Comparison, Disagreement, Run, Summary
    from andorra.cli.positions import Problem

_MIB = 1 << 20
_NONE = "-"
_COSTS = ("nodes", "expansions", "re-expansions", "CPU s", "wall s", "peak MiB")
_SHARED = ("nodes", "CPU s", "wall s", "nodes ratio", "CPU ratio", "wall ratio")
"""Names of columns: of a run or all of them, and of those that all settings answered."""


class Output(Protocol):
    """Told what happens, in this order."""

    streams: bool
    """Whether runs are printed when they are done."""

    def begin(self, game: str, problems: Sequence[Problem]) -> None:
        """Keep what all runs share."""

    def add(self, run: Run) -> None:
        """A run is done."""

    def end(self, comparison: Comparison) -> None:
        """All are done."""


class _Streaming:
    """What JSON and CSV share: errors go to standard error, runs have the game and the source."""

    streams = True

    def begin(self, game: str, problems: Sequence[Problem]) -> None:
        self._game = game
        self._problems = problems

    def plain(self, run: Run) -> dict[str, Any]:
        """The run as plain data."""
        source = _place(self._problems[run.number - 1])
        return {"game": self._game, "source": source, **run.to_json()}

    def report(self, comparison: Comparison) -> None:
        """What a person should know although a program reads the output."""
        for each in comparison.disagreements:
            exits.print_error(_in_words(each, self._problems))
        _print_failures(comparison)
        if comparison.interrupted:
            exits.print_error(_interrupted(comparison, len(self._problems)))


class Json(_Streaming):
    """An object a line: one a run, then one a setting."""

    def add(self, run: Run) -> None:
        """Print the run."""
        self._print({"kind": "run"} | self.plain(run))

    def end(self, comparison: Comparison) -> None:
        """Print the summaries."""
        self.report(comparison)
        for summary in comparison.summaries:
            setting = comparison.settings[summary.setting]
            asked = {
                "algorithm": setting.algorithm,
                "memory": setting.memory,
                "options": setting.options,
            }
            self._print({"kind": "setting", "game": self._game} | summary.to_json() | asked)

    @staticmethod
    def _print(plain: dict[str, Any]) -> None:
        click.echo(json_line(plain))


class Csv(_Streaming):
    """A line of names, then a line a run."""

    _started = False

    def add(self, run: Run) -> None:
        """Print the run."""
        plain = self.plain(run)
        plain["options"] = assignments(run.options)
        plain["unsound"] = str(run.unsound).lower()
        writer = csv.DictWriter(sys.stdout, plain.keys(), lineterminator="\n")
        if not self._started:
            writer.writeheader()
            self._started = True
        writer.writerow(plain)
        sys.stdout.flush()

    def end(self, comparison: Comparison) -> None:
        """All runs are printed."""
        self.report(comparison)


class Printout:
    """For people: disagreements, failures, with `each` all runs, and the table."""

    streams = False

    def __init__(self, each: bool) -> None:
        self._each = each

    def begin(self, game: str, problems: Sequence[Problem]) -> None:
        """Keep what the headings need."""
        self._game = game
        self._problems = problems

    def add(self, run: Run) -> None:
        """Wait for the end."""

    def end(self, comparison: Comparison) -> None:
        """Print all of it."""
        for each in comparison.disagreements:
            click.secho(_in_words(each, self._problems), fg="red", bold=True)
        _print_failures(comparison)
        if self._each:
            for number in comparison.numbers:
                self._print_runs(comparison.runs_on(number))
        click.echo(f"{self._heading(comparison)}\n")
        _print_summaries(comparison.summaries)
        _print_remarks(comparison, len(self._problems))

    def _print_runs(self, runs: Sequence[Run]) -> None:
        where = _place(self._problems[runs[0].number - 1])
        click.echo(f"{where or self._game}: {runs[0].position}, {runs[0].question}")
        rows = [(_answer(run), *_costs(run)) for run in runs]
        figures = Figures("", ("answer", *_COSTS), rows)
        print_figures("setting", [run.setting for run in runs], [figures])
        click.echo()

    def _heading(self, comparison: Comparison) -> str:
        questions = {run.question for run in comparison.runs}
        question = f", {questions.pop()}" if len(questions) == 1 else ""
        return f"{self._game}, {_counted(len(self._problems), 'position')}{question}"


def _print_summaries(summaries: Sequence[Summary]) -> None:
    common = summaries[0].common_positions
    all_runs = [(f"{each.answered} of {each.runs}", *_costs(each)) for each in summaries]
    title = f"{_counted(common, 'position')} that all settings answered"
    shared = [_shared(each) for each in summaries]
    groups = [
        Figures("all runs", ("answered", *_COSTS), all_runs),
        Figures(title, _SHARED, shared),
    ]
    print_figures("setting", [each.setting for each in summaries], groups)


def _costs(each: Run | Summary) -> tuple[str, ...]:
    counts = (each.nodes, each.expansions, each.reexpansions)
    memory = f"{each.resident_memory / _MIB:,.0f}"
    seconds = _seconds(each.cpu_seconds), _seconds(each.wall_seconds)
    return (*(f"{count:,}" for count in counts), *seconds, memory)


def _shared(each: Summary) -> tuple[str, ...]:
    if not each.common_positions:
        return (_NONE,) * len(_SHARED)
    seconds = _seconds(each.common_cpu_seconds), _seconds(each.common_wall_seconds)
    ratios = (each.nodes_ratio, each.cpu_ratio, each.wall_ratio)
    shown = (_NONE if ratio is None else f"{ratio:.3f}" for ratio in ratios)
    return f"{each.common_nodes:,}", *seconds, *shown


def _print_remarks(comparison: Comparison, positions: int) -> None:
    unsound = [each.setting for each in comparison.summaries if each.unsound]
    if unsound:
        click.echo(f"unsound on this game: {', '.join(unsound)}")
    if comparison.interrupted:
        click.echo(_interrupted(comparison, positions))


def _interrupted(comparison: Comparison, positions: int) -> str:
    total = len(comparison.settings) * positions
    return f"interrupted: {len(comparison.runs):,} of {_counted(total, 'run')} are done"


def _print_failures(comparison: Comparison) -> None:
    for run in comparison.runs:
        if run.error is not None:
            exits.print_error(f"{run.setting} on {run.position!r}: {run.error}")


def _in_words(each: Disagreement, problems: Sequence[Problem]) -> str:
    place = _place(problems[each.number - 1])
    parties = [
        (answer, [name for name, said in each.answers.items() if said == answer])
        for answer in dict.fromkeys(each.answers.values())
    ]
    said = "; ".join(f"{answer} according to {', '.join(who)}" for answer, who in parties)
    where = f"{each.position!r}{f' ({place})' if place else ''}"
    return f"DISAGREEMENT on {where}: {each.question} is {said}"


def _answer(run: Run) -> str:
    return run.answer or f"unknown ({run.limit})"


def _place(problem: Problem) -> str | None:
    return problem.place if problem.file else None


def _seconds(seconds: float) -> str:
    return f"{seconds:,.3f}" if seconds < 100 else f"{seconds:,.0f}"


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
