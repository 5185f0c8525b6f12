"""What do two threads gain, and what does it cost to be ready for them?

`threads`: hard problems with one thread and with two, in turns; wall-clock time, because that is
what threads are for, in a table with the load of the machine. `one-agent`: what a search pays for
being ready to share, with one agent where the table takes locks.

Search overhead is the ratio of nodes to those of one thread; synchronisation overhead the share of
their time in which threads waited for each other; idle turns are those in which an agent found
nothing to do (survey, section 8). What the machine itself can give is measured beside it: several
searches of one thread each, which have nothing to do with each other, at the same time.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import geometric_mean, mean, median
from typing import Any

import andorra
from bench import core_distance, hard, pages
from bench.hard import Way
from bench.problems import Problem
from bench.report import Row, Table, Target, machine
from bench.section import Run, Section
from bench.team_runs import MEMORY, REST_SECONDS, Figures, TeamRun, measured

ROUNDS = 5
ROUNDS_BY_WAY = 1
"""Where a problem is searched in several ways: of each of them but the first."""
LEAST_SECONDS = 10.0
"""Of one thread. A problem that takes it less is measured as it is, and does not count."""
OTHER_ROUNDS = 1
"""Of schedulers that are not the default: over all problems that is enough to rank them."""
THREADS = 2
SPEED_UP = Target(1.8, at_least=True)
OVERHEAD = Target(1.1, at_least=False)
COST = Target(1.03, at_least=False)
COST_NODES = 1_000_000
ALONE = "alone"
CEILING = "side by side"
SIDE_BY_SIDE = 1
"""Pairs of such searches."""

Runs = dict[str, list[Figures]]
"""By scheduler, or ALONE."""


def schedulers() -> list[str]:
    """All of df-pn's, the default first."""
    options = {option.name: option for option in andorra.algorithms()["dfpn"].options}
    default = options["scheduler"].default
    return sorted(options["scheduler"].range.split("|"), key=lambda name: name != default)


@dataclass(frozen=True)
class Gain:
    """What a scheduler makes of a problem."""

    speed_up: float
    overhead: float
    waited: float
    """Of all threads' time, the share."""
    idle: int
    unanswered: int
    """Runs that gave up; their times are in the medians."""
    apart: float
    """Nanoseconds from core to core."""

    @classmethod
    def of(cls, alone: Sequence[Figures], team: Sequence[Figures]) -> Gain:
        """From runs with one thread and with several."""
        before, after = (median(each.wall_seconds for each in runs) for runs in (alone, team))
        nodes, more_nodes = (median(each.nodes for each in runs) for runs in (alone, team))
        waited = sum(each.waited for each in team)
        busy = sum(each.wall_seconds for each in team) * THREADS
        idle = round(median(each.idle for each in team))
        unanswered = sum(each.verdict == "unknown" for each in team)
        apart = median(each.apart for each in team)
        return cls(before / after, more_nodes / nodes, waited / busy, idle, unanswered, apart)

    @classmethod
    def together(cls, gains: Sequence[Gain]) -> Gain:
        """Of a problem, from those of the ways to search it; or of all problems."""
        return cls(
            geometric_mean(each.speed_up for each in gains),
            geometric_mean(each.overhead for each in gains),
            mean(each.waited for each in gains),
            sum(each.idle for each in gains),
            sum(each.unanswered for each in gains),
            mean(each.apart for each in gains),
        )


Searched = list[tuple[Way, Runs]]
"""The ways to search a problem, and what came of them."""


def measure_threads(run: Run) -> None:
    """A row a way to search a problem and scheduler, and the geometric means."""
    rows: list[Row] = []
    all_searched: list[Searched] = []
    ceilings: list[float] = []
    for problem in chosen(run, hard.for_threads):
        searched = searched_in_all_ways(run, problem)
        alone = searched[0][1][ALONE]
        all_searched.append(searched)
        ceilings.append(_ceiling(run, problem, alone))
        rows += [row for way, runs in searched for row in _rows(way, runs)]
        rows.append(_ceiling_row(problem, alone, ceilings[-1]))
    tables = [means(run, all_searched, ceilings), Table("threads", "Each problem", rows)]
    for table in tables:
        run.report.add(table)
    if run.pages is not None:
        _write_threads(run.pages, tables, all_searched)


def searched_in_all_ways(run: Run, problem: Problem) -> Searched:
    """The first way, which is the problem as it is, most often; others only if it is to count."""
    first, *others = hard.ways(problem)
    searched = [(first, rounds_of(run, first, schedulers(), ROUNDS))]
    if run.quick or _is_long(searched):
        searched += [(way, rounds_of(run, way, schedulers(), ROUNDS_BY_WAY)) for way in others]
    return searched


def _write_threads(folder: Path, tables: Sequence[Table], all_searched: Iterable[Searched]) -> None:
    lead = (
        f"Wall-clock times: medians of {ROUNDS} runs each, one thread and several in turns; "
        f"of the schedulers that are not the default, {OTHER_ROUNDS} run each, with default "
        "settings only. "
        f"“{CEILING}”: what {THREADS} searches of one thread, each in a process of its own, "
        "get done at the same time, by what one does alone; no scheduler is likely to do "
        "better without visiting less. “gave up”: how many of the runs ended without an "
        "answer, which spoils the figures beside it. One search of a shogi problem is a matter of "
        "luck, with one thread as with two, so each is searched in ways that are as good as each "
        "other: it and its mirror image, with epsilon as it is by default and "
        f"{', '.join(hard.NEAR_DEFAULT)}, {ROUNDS_BY_WAY} run each but of the first; together they "
        "count as one problem in the means. “as they are”: the same without mirror images and "
        f"other values of epsilon, so medians of {ROUNDS} runs only. A search may use {MEMORY}. "
        f"Before each run the machine rests for {REST_SECONDS:g} s: a virtual machine's "
        "memory is slow when it is touched first, and a run that follows another "
        "at once would find a part of it touched. “cores apart”: how long what one core has "
        "written takes to the other; a host may move a virtual machine's cores about, so before "
        "runs of several threads they are brought together by waking each other, to within "
        f"{core_distance.NEAR:.0f} ns, and a run after which they no longer are is made again, "
        f"{core_distance.TRIES} times in all."
    )
    runs = (its for searched in all_searched for _, runs in searched for its in runs.values())
    origin = pages.origin("python -m bench threads", cpu_seconds(itertools.chain(*runs)))
    pages.write(folder / "threads.md", "Two threads", [origin, lead], tables)


def rounds_of(run: Run, way: Way, every: Iterable[str], rounds: int) -> Runs:
    """Runs of a problem, in turns: alone and with each scheduler."""
    settings: dict[str, dict[str, Any]] = {ALONE: {}}
    settings |= {name: {"threads": THREADS, "scheduler": name} for name in every}
    fewer = set(every) - {schedulers()[0]}
    other_rounds = 0 if way.settings else OTHER_ROUNDS
    asked = [
        (name, number)
        for number in range(1 if run.quick else rounds)
        for name in settings
        if number < other_rounds or name not in fewer
    ]
    made = checked(
        run,
        [TeamRun(way.problem, way.settings | settings[name], number) for name, number in asked],
        timed=not run.quick,
    )
    runs: Runs = {name: [] for name in settings}
    for (name, _), figures in zip(asked, made, strict=True):
        runs[name].append(figures)
    return runs


def _ceiling(run: Run, problem: Problem, alone: Sequence[Figures]) -> float:
    """How many times the work of one get done by as many searches as there are threads."""
    count = THREADS * (1 if run.quick else SIDE_BY_SIDE)
    runs = [TeamRun(problem, {}, number, beside=THREADS - 1) for number in range(count)]
    beside = checked(run, runs, THREADS, timed=not run.quick)
    before, after = (median(each.wall_seconds for each in group) for group in (alone, beside))
    return THREADS * before / after


def _ceiling_row(problem: Problem, alone: Sequence[Figures], ceiling: float) -> Row:
    seconds = round(median(each.wall_seconds for each in alone), 1)
    row: Row = {"problem": str(problem), "one thread, s": seconds}
    return row | {"scheduler": CEILING, "speed-up": round(ceiling, 2)}


def _rows(way: Way, runs: Runs) -> list[Row]:
    seconds = median(each.wall_seconds for each in runs[ALONE])
    teams = {name: team for name, team in runs.items() if team and name != ALONE}
    gains = {name: Gain.of(runs[ALONE], team) for name, team in teams.items()}
    return [
        {
            "problem": str(way),
            "one thread, s": round(seconds, 1),
            "scheduler": name,
            "speed-up": round(gain.speed_up, 2),
            "search overhead": round(gain.overhead, 2),
            "waiting": f"{gain.waited:.1%}",
            "idle turns": gain.idle,
            "gave up": gain.unanswered,
            "cores apart, ns": round(gain.apart),
        }
        for name, gain in gains.items()
    ]


def means(run: Run, all_searched: Sequence[Searched], ceilings: Sequence[float]) -> Table:
    """Of each scheduler, over problems that are long enough; of the default also as they are."""
    default, *others = schedulers()
    is_long = [run.quick or _is_long(searched) for searched in all_searched]
    counted = [*itertools.compress(all_searched, is_long)]
    as_they_are = [searched[:1] for searched in counted]
    rows: list[Row] = [
        _judged_row(run, default, _mean(default, counted)),
        _judged_row(run, f"{default}, problems as they are", _mean(default, as_they_are)),
        *(_mean_row(name, _mean(name, counted)) for name in others),
        {"scheduler": CEILING, "speed-up": geometric_mean(itertools.compress(ceilings, is_long))},
    ]
    notes = [f"  {THREADS} threads, load at the end {machine()['load']}"]
    ways = [str(searched[0][0]) for searched in all_searched]
    short = [way for way, is_one in zip(ways, is_long, strict=True) if not is_one]
    if short:
        notes.append(f"  not counted, under {LEAST_SECONDS:g} s of one thread: {', '.join(short)}")
    return Table("threads", f"Geometric means over {len(counted)} problems", rows, notes)


def _is_long(searched: Searched) -> bool:
    """As it is; other ways to search it may take less."""
    alone = searched[0][1][ALONE]
    return median(each.wall_seconds for each in alone) >= LEAST_SECONDS


def _judged_row(run: Run, name: str, its: Gain) -> Row:
    judged = run.report.judge(f"threads: speed-up, {name}", its.speed_up, SPEED_UP)
    run.report.judge(f"threads: search overhead, {name}", its.overhead, OVERHEAD)
    return _mean_row(name, its) | judged


def _mean(scheduler: str, all_searched: Iterable[Searched]) -> Gain:
    """Over problems, each of which counts once, by the ways that the scheduler has searched in."""

    def gain(searched: Searched) -> Gain:
        both = [(runs[ALONE], runs[scheduler]) for _, runs in searched if runs[scheduler]]
        return Gain.together([Gain.of(*each) for each in both])

    return Gain.together([gain(searched) for searched in all_searched])


def _mean_row(name: str, mean: Gain) -> Row:
    return {"scheduler": name, "speed-up": mean.speed_up, "search overhead": mean.overhead}


def measure_one_agent(run: Run) -> None:
    """The first visits of each problem, alone and as a team of one: the least CPU time of each."""
    rows: list[Row] = []
    ratios: list[float] = []
    for problem in chosen(run):
        alone, one = _least_seconds(run, problem, [{}, {"agents": 1}])
        ratios.append(one / alone)
        seconds = {"alone, s": alone, "one agent, s": one}
        rows.append({"problem": str(problem), **seconds, "by": ratios[-1]})
    mean = geometric_mean(ratios)
    rows.append({"problem": "geometric mean", "by": mean})
    rows[-1] |= run.report.judge("one agent by a search alone", mean, COST)
    note = f"  CPU seconds of {COST_NODES:,} visits, the least of {ROUNDS} runs each, in turns"
    run.report.add(Table("one-agent", "What being ready to share costs", rows, [note]))


def _least_seconds(
    run: Run, problem: Problem, settings: Sequence[Mapping[str, Any]]
) -> list[float]:
    capped = [{**setting, "nodes": COST_NODES} for setting in settings]
    rounds = range(1 if run.quick else ROUNDS)
    runs = [TeamRun(problem, setting, number) for number in rounds for setting in capped]
    seconds = [each.cpu_seconds for each in measured(runs, None, timed=not run.quick)]
    return [min(seconds[first :: len(capped)]) for first in range(len(capped))]


def chosen(run: Run, known: Callable[[], list[Problem]] = hard.problems) -> list[Problem]:
    """The hard problems, or in a quick run small ones."""
    return hard.small() if run.quick else known()[: run.problems]


def checked(run: Run, runs: Sequence[TeamRun], jobs: int = 1, timed: bool = False) -> list[Figures]:
    """What the runs came to; a wrong answer is an error of the report."""
    made = measured(runs, run.journal, jobs, timed)
    for each, figures in zip(runs, made, strict=True):
        known = each.problem.known
        if figures.verdict != known:
            run.report.error(f"{each}: found {figures.verdict}, known is {known}")
    return made


def cpu_seconds(runs: Iterable[Figures]) -> float:
    """Of all together."""
    return sum(each.cpu_seconds for each in runs)


THREADS_SECTION = Section(
    "threads", "speed-up of two threads on hard problems", measure_threads, long=True
)
ONE_AGENT_SECTION = Section(
    "one-agent", "what one agent of a team costs more than a search alone", measure_one_agent
)
