"""`andorra compare GAME [POSITION|FILE...] --vary ...`: several settings on the same positions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from andorra.cli import exits
from andorra.cli.completions import Assignment, GameName
from andorra.cli.positions import Problem, game_and_texts, is_file, maybe_a_file
from andorra.cli.progress import counting
from andorra.cli.rules import Subject, load, rules_option, subject
from andorra.cli.searches import LIMITS, assignment, search_arguments, search_options
from andorra.cli.sources import Source
from andorra.errors import OptionError, PositionError, RuleError

if TYPE_CHECKING:
    from andorra import Comparison, Run
    from andorra.cli.compare_output import Output

_SETTING_NAMES = ("algorithm", "memory")


@dataclass(frozen=True)
class Plan:
    """What is to be run."""

    subject: Subject
    source: Any
    """The game as a fresh process can make it."""
    problems: list[Problem]
    arguments: dict[str, Any]
    """Keyword arguments of `andorra.compare`."""


@click.command("compare")
@click.argument("game", type=GameName(), metavar="GAME")
@click.argument("texts", metavar="[POSITION|FILE]...", nargs=-1)
@click.option(
    "--position",
    "positions",
    metavar="TEXT",
    multiple=True,
    help="A position, even if a file has its name; repeatable.",
)
@click.option(
    "--vary",
    metavar="NAME=V1,V2",
    type=Assignment(_SETTING_NAMES),
    multiple=True,
    help="Values to try beside the baseline's, one change at a time: of an option, "
    "of 'algorithm' or of 'memory'; repeatable.",
)
@click.option("--cross", is_flag=True, help="Try all combinations of what --vary names.")
@click.option(
    "--setting",
    "by_hand",
    metavar="'NAME=V NAME=V'",
    multiple=True,
    help="One whole setting: these options and no others; repeatable.",
)
@search_options
@rules_option(", as for 'solve'")
@click.option(
    "--jobs",
    metavar="N",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Runs at a time; CPU seconds are comparable with one only.",
)
@click.option("--each", is_flag=True, help="Print a line for each run, too.")
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print a line of JSON for each run, then for each setting.",
)
@click.option("--csv", "as_csv", is_flag=True, help="Print the runs as comma-separated values.")
def command(
    game: str,
    texts: tuple[str, ...],
    positions: tuple[str, ...],
    rules: str | None,
    vary: tuple[str, ...],
    by_hand: tuple[str, ...],
    cross: bool,
    jobs: int,
    each: bool,
    as_json: bool,
    as_csv: bool,
    **arguments: Any,
) -> int:
    """Compare settings of the search on the same positions.

    The baseline is the algorithm with its defaults and with what --algorithm, --memory and --option
    say. Beside it runs a setting for each value of --vary, named by what differs. GAME, POSITION
    and FILE are as for 'andorra solve'. Each run is a process of its own, so that its peak of
    memory is its own.

    Ratios are geometric means over the positions that all settings answered, the baseline being 1.
    Settings whose answers disagree are named first.

    \b
    Exit code: 0 the baseline answered everything, 1 answers disagree, 2 usage,
    3 bad input, or a run that failed, 4 the baseline left something open, or Ctrl-C.

    \b
    andorra compare connect4:5x4 --vary gc_fraction=0.1,0.5 --vary algorithm=pns
    andorra compare hex:4 openings.txt --cross --vary rise=16,256 --vary memory=1MiB,64MiB
    andorra compare mnk:4,4,3 --setting 'algorithm=pns form=tree' --setting 'gc_fraction=0.9'
    """
    output = _output(as_json, as_csv, each)
    if not (vary or by_hand):
        raise click.UsageError("there is nothing to compare: add --vary NAME=V1,V2 or --setting")
    settings: dict[str, Any] = {
        "vary": _varied(vary),
        "settings": [_whole_setting(text) for text in by_hand],
        "cross": cross,
        "jobs": jobs,
    }
    game, left = game_and_texts(game, texts, "compare")
    chosen = subject(game, rules)
    source = chosen.game if rules is None else partial(load, rules, game)
    problems, bad = _readable(chosen, left, positions)
    if bad and not problems:
        return exits.BAD_INPUT
    plan = Plan(chosen, source, problems, search_arguments(**arguments) | settings)
    return _code(_compare(plan, output), bad)


def _output(as_json: bool, as_csv: bool, each: bool) -> Output:
    from andorra.cli import compare_output

    if as_json and as_csv:
        raise click.UsageError("--json and --csv are two forms of output: choose one")
    if each and (as_json or as_csv):
        raise click.UsageError("--json and --csv print each run anyway: leave out --each")
    if as_json:
        return compare_output.Json()
    return compare_output.Csv() if as_csv else compare_output.Printout(each)


def _varied(texts: Sequence[str]) -> dict[str, list[str]]:
    """The values by name; a name that is given twice has all values."""
    varied: dict[str, list[str]] = {}
    for text in texts:
        name, values = assignment(text, "--vary", "NAME=V1,V2,…")
        _check_name(name, f"--vary {text}")
        listed = [value.strip() for value in values.split(",")]
        if not all(listed):
            raise OptionError(f"cannot read --vary {text!r}: expected NAME=V1,V2,…")
        varied.setdefault(name, []).extend(listed)
    return varied


def _whole_setting(text: str) -> dict[str, str]:
    pairs = [assignment(word, f"--setting {text!r}:") for word in text.split()]
    for name, value in pairs:
        _check_name(name, f"--setting {text!r}")
        if not value:
            raise OptionError(f"cannot read --setting {text!r}: {name} has no value")
    if not pairs or len(dict(pairs)) < len(pairs):
        problem = "a name is there twice" if pairs else "it is empty"
        raise OptionError(f"cannot read --setting {text!r}: {problem}; expected 'NAME=V NAME=V'")
    return dict(pairs)


def _check_name(name: str, where: str) -> None:
    if name in LIMITS:
        raise OptionError(f"{where}: {name!r} is the same for all settings; give --{name}")


def _readable(
    chosen: Subject, texts: Sequence[str], positions: Sequence[str]
) -> tuple[list[Problem], bool]:
    """The problems that can be read, and whether a line of a file could not be."""
    problems: list[Problem] = []
    bad = False
    for problem in _problems(chosen, texts, positions):
        try:
            chosen.draw(problem.readable())
            problems.append(problem)
        except (PositionError, RuleError) as error:
            if problem.file is None:
                raise
            exits.print_error(f"{problem.place}: {error}")
            bad = True
    return problems, bad


def _problems(chosen: Subject, texts: Sequence[str], positions: Sequence[str]) -> Iterator[Problem]:
    if not (texts or positions):
        yield Problem(None)
    for text in texts:
        if is_file(text):
            yield from Source(text, chosen.rules).problems()
        else:
            with maybe_a_file(text):
                chosen.draw(text)
            yield Problem(text)
    yield from map(Problem, positions)


def _compare(plan: Plan, output: Output) -> Comparison:
    import andorra

    output.begin(plan.subject.spec, plan.problems)
    with counting(plan.subject.spec, unless_mixed=output.streams) as count:

        def report(run: Run, done: int, total: int) -> None:
            output.add(run)
            count(done, total)

        positions = [problem.position for problem in plan.problems]
        comparison = andorra.compare(plan.source, positions, progress=report, **plan.arguments)
    output.end(comparison)
    return comparison


def _code(comparison: Comparison, bad: bool) -> int:
    if comparison.disagreements:
        return exits.DISAGREEMENT
    if bad or any(run.error for run in comparison.runs):
        return exits.BAD_INPUT
    done = comparison.baseline_answered_all and not comparison.interrupted
    return exits.ANSWERED if done else exits.UNKNOWN
