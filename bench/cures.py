"""What does each cure do? Defaults against one change at a time, on six families of games.

Each search runs in a process of its own (`andorra.compare`). The default, on which every ratio
leans, and whatever is short are run three times, and the median of their times counts. A changed
search may take ten times the default's visits; one that is ended, or gives up, is no answer and
never a fast one. All values of an option are listed, the default's, too, which is not run twice: so
the list holds whatever the defaults are. A setting that a game does not have (its guesses, mostly)
is left out there.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import median
from typing import Any

import andorra
from andorra import OptionError, Run
from andorra.asking import defaults_of
from andorra.setting import BASELINE, Changes, Setting, settings_by_name
from bench import pages
from bench.effects import CHARGE, LEAST_SECONDS, Effect, Runs, answered, effects, mean
from bench.problems import Problem, families
from bench.report import Row, Table
from bench.section import Run as BenchRun
from bench.section import Section

MEMORY = "512MiB"
MOST_NODES = 20_000_000
LEAST_NODES = 1_000_000
TIMES = 10
"""A changed search may take so many times the default's visits, within these two bounds."""
SHORT_SECONDS = 0.1
REPEATS = 2
"""A search that is shorter than this is run so often more, and the median of its times counts."""
MOST_SECONDS = 30.0
"""Of wall-clock time, for what takes long a visit; a quiet machine makes it CPU time."""
QUICK_PROBLEMS = 1
"""How many problems of each family a quick run takes."""

VALUES: dict[str, tuple[object, ...]] = {
    "loops": ("tca", "df-pn(r)", "rise"),
    "rise": (64, 256, 1024, 1_000_000),
    "closure": (True, False),
    "ghi": ("base-twin", "discard", "paths"),
    "double_count": ("off", "nagai", "snda"),
    "backup": ("sum", "weak", "weak-dn", "weighted"),
    "epsilon": (0, 0.125, 0.25, 0.5),
    "increment": (1, 2, 0),
    "initial": ("unit", "mobility", "game", "search-1", "search-3", "dfpn", "deep"),
    "widening": (0, 2, 4, 8),
    "simulation": ("off", "siblings", "killer"),
    "refine": (0, 4),
}
COMBINATIONS: tuple[Changes, ...] = (
    {"epsilon": 0.25, "initial": "mobility"},
    {"epsilon": 0.25, "double_count": "snda"},
)
DEFAULT = "default"
GAMES = ("loa", "connect4", "mnk", "breakthrough", "hex", "cops")

Measured = dict[str, list[Run]]
"""By setting, its runs."""


def measure(run: BenchRun) -> None:
    """A table a family, and one of all of them; then the page."""
    found: dict[str, list[Effect]] = {}
    tables: list[Table] = []
    spent = 0.0
    for family, problems in families().items():
        chosen = problems[: QUICK_PROBLEMS if run.quick else run.problems]
        runs, notes, cost = measured(run, chosen, settings(chosen[0].game))
        found[family] = effects(runs)
        spent += cost
        tables.append(_family_table(family, chosen, found[family], notes))
        run.report.add(tables[-1])
    summary = summary_table(found)
    run.report.add(summary)
    if run.pages is not None:
        _write(run, [summary, *tables], spent)


def settings(game: str) -> dict[str, Setting]:
    """All settings by name, the default first; what the game sets for itself is the default."""
    plain = Setting.make("dfpn", MEMORY, {})
    return settings_by_name(plain, VALUES, COMBINATIONS, own=defaults_of(game))


def measured(
    run: BenchRun, problems: Sequence[Problem], chosen: Mapping[str, Setting]
) -> tuple[Runs, list[str], float]:
    """Runs by setting, what was left out, and the CPU seconds of all searches."""
    there, left_out = possible(problems[0], chosen)
    runs: Measured = {name: [] for name in there}
    spent, spread = 0.0, 1.0
    for problem in problems:
        found = _on(problem, there, run.jobs)
        for each in found:
            _check(run, problem, each)
        spent += sum(each.cpu_seconds for each in found)
        spread = max(spread, _spread([each for each in found if each.setting == BASELINE]))
        for name, own in runs.items():
            own.append(_median([each for each in found if each.setting == name]))
    return runs, [*left_out, _noise(spread)], spent


def possible(
    problem: Problem, chosen: Mapping[str, Setting]
) -> tuple[dict[str, Setting], list[str]]:
    """The settings that this game has, and why others are left out."""
    there: dict[str, Setting] = {}
    left_out: list[str] = []
    for name, setting in chosen.items():
        options: dict[str, Any] = {**setting.options}
        try:
            andorra.solve(problem.game, problem.position, problem.question, nodes=1, **options)
            there[name] = setting
        except OptionError as error:
            left_out.append(f"  left out: {name} ({error})")
    return there, left_out


def _on(problem: Problem, chosen: Mapping[str, Setting], jobs: int) -> list[Run]:
    """All runs: the default before, among and after the others; then again whatever was short."""
    first = _compare(problem, [], MOST_NODES, jobs)
    most = min(MOST_NODES, max(LEAST_NODES, TIMES * first[0].nodes))
    changed = {name: setting for name, setting in chosen.items() if name != BASELINE}
    runs = _compare(problem, changed.values(), most, jobs)
    last = _compare(problem, [], MOST_NODES, jobs)
    short = [changed[each.setting] for each in runs if each.setting in changed and _short(each)]
    for _ in range(REPEATS if short else 0):
        runs += _compare(problem, short, most, jobs)
    return [*first, *runs, *last]


def _short(run: Run) -> bool:
    return answered(run) and run.cpu_seconds < SHORT_SECONDS


def _compare(problem: Problem, changed: Iterable[Setting], nodes: int, jobs: int) -> list[Run]:
    comparison = andorra.compare(
        problem.game,
        [problem.position],
        problem.question,
        settings=[setting.options for setting in changed],
        memory=MEMORY,
        nodes=nodes,
        seconds=MOST_SECONDS,
        jobs=jobs,
        progress=lambda run, *_: _say(problem, run),
    )
    if comparison.interrupted:
        raise KeyboardInterrupt
    return comparison.runs


def _check(run: BenchRun, problem: Problem, found: Run) -> None:
    if found.error is not None:
        run.report.error(f"cures: {problem}, {found.setting}: {found.error}")
    if answered(found) and found.answer != problem.known:
        what = f"found {found.answer!r}, known is {problem.known!r}"
        run.report.error(f"cures: {problem}, {found.setting}: {what}")


def _median(runs: Sequence[Run]) -> Run:
    return replace(runs[0], cpu_seconds=median(each.cpu_seconds for each in runs))


def _spread(runs: Sequence[Run]) -> float:
    """How far equal runs are apart, if they are long enough for that to mean something."""
    seconds = [each.cpu_seconds for each in runs]
    return max(seconds) / min(seconds) if min(seconds) >= 0.05 else 1.0


def _noise(spread: float) -> str:
    return f"  equal runs of the default were up to {spread:.2f} times apart in CPU time"


def _family_table(
    family: str, problems: Sequence[Problem], found: Sequence[Effect], notes: list[str]
) -> Table:
    rows: list[Row] = [
        {
            "setting": _shown(each.setting),
            "answered": f"{each.answered} of {each.runs}",
            "nodes": each.nodes,
            "CPU s": each.cpu_seconds,
            "nodes ratio": ratio_text(each.nodes_ratio),
            "CPU ratio": ratio_text(each.cpu_ratio),
            "nodes charged": ratio_text(each.nodes_charged),
            "CPU charged": ratio_text(each.cpu_charged),
        }
        for each in found
    ]
    asked = f"  positions: {'; '.join(map(str, problems))}"
    return Table("cures", family, rows, [asked, *notes])


def summary_table(found: Mapping[str, Sequence[Effect]]) -> Table:
    """Ratios of nodes and CPU time by family, and their geometric means over families."""
    by_name = {(family, each.setting): each for family, listed in found.items() for each in listed}
    names = dict.fromkeys(name for _, name in by_name)
    rows = []
    for name in names:
        own = {family: by_name.get((family, name)) for family in found}
        rows.append({"setting": _shown(name), **_cells(own), **_over_all(own)})
    return Table("cures", "All games", rows)


def _cells(own: Mapping[str, Effect | None]) -> Row:
    return {family: _cell(each) for family, each in own.items()}


def _cell(effect: Effect | None) -> str | None:
    if effect is None:
        return None
    text = f"{ratio_text(effect.nodes_ratio)} / {ratio_text(effect.cpu_ratio)}"
    changes = [f"{effect.lost} lost"] * bool(effect.lost)
    changes += [f"{effect.gained} gained"] * bool(effect.gained)
    return ", ".join([text, *changes])


def _over_all(own: Mapping[str, Effect | None]) -> Row:
    there = [each for each in own.values() if each is not None]
    both = (
        f"{ratio_text(mean(each.nodes_ratio for each in there))} / "
        f"{ratio_text(mean(each.cpu_ratio for each in there))}"
    )
    charged = (
        f"{ratio_text(mean(each.nodes_charged for each in there))} / "
        f"{ratio_text(mean(each.cpu_charged for each in there))}"
    )
    answers = f"{sum(each.answered for each in there)} of {sum(each.runs for each in there)}"
    return {"mean": both, "charged": charged, "answered": answers}


def ratio_text(ratio: float | None) -> str:
    """Two digits after the point, so that columns can be compared at a glance.

    >>> ratio_text(0.8512), ratio_text(12.34), ratio_text(None)
    ('0.85', '12.3', '-')
    """
    if ratio is None:
        return "-"
    return f"{ratio:.2f}" if ratio < 10 else f"{ratio:.1f}"


def _say(problem: Problem, run: Run) -> None:
    found = f"{run.answer or run.limit}, {run.nodes:,} nodes, {run.cpu_seconds:.2f} s"
    print(f"  ... {problem}, {_shown(run.setting)}: {found}", file=sys.stderr, flush=True)


def _shown(name: str) -> str:
    return DEFAULT if name == BASELINE else name


def _write(run: BenchRun, tables: list[Table], spent: float) -> None:
    assert run.pages is not None
    command = "python -m bench cures" + (" --quick" if run.quick else "")
    command += f" --problems {run.problems}" if run.problems else ""
    lead = [pages.origin(command, spent), *_explanation()]
    pages.write(run.pages / "cures.md", "What each cure does", lead, tables)


def _explanation() -> Iterator[str]:
    values = Setting.make("dfpn", MEMORY, {}).values()
    default = " ".join(f"`{name}={values[name]}`" for name in VALUES)
    yield f"The default is df-pn with {MEMORY} and {default}; each row has one change or two."
    own = {name: " ".join(f"`{o}={v}`" for o, v in defaults_of(name)({}).items()) for name in GAMES}
    listed = ", ".join(f"{name} {options}" for name, options in own.items() if options)
    yield (
        f"Games have defaults of their own: {listed}. Options that other tables are about are left "
        "out: `gc` and its share ([small tables](small-tables.md)); `dominance`, `groups` and "
        "`costs`, which none of these games has ([shogi](tsume-techniques.md))."
    )
    yield (
        f"A changed search may take {TIMES} times the default's visits, at least {LEAST_NODES:,} "
        f"and at most {MOST_NODES:,}, as the default may, and {MOST_SECONDS:.0f} seconds; what "
        "ends without a verdict is not answered. Ratios are to the default, below 1 is better: "
        "geometric means over the positions that both answered, nodes / CPU seconds. *Charged* is "
        "the mean over all positions, where one that only the default answered counts as "
        f"{CHARGE:.0f} at least, and one that only the change answered as 1 at most. *Lost* and "
        "*gained* are answers that the default has and has not. In the first table, means over "
        "games count every game that has the setting once. CPU times of the default, and those "
        f"under {SHORT_SECONDS} s, are medians of {REPEATS + 1} runs, and none counts as less than "
        f"{LEAST_SECONDS * 1000:.0f} ms. The leaf searches of `initial=search-1` and `search-3` "
        "visit no nodes: only the time tells their cost."
    )


SECTION = Section("cures", "each option's effect on six games, one change at a time", measure, True)
