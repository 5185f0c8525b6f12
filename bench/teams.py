"""What do two threads gain, and what does it cost to be ready for them?

`threads`: hard problems with one thread and with two, in turns; wall-clock time, because that is
what threads are for, in a table with the load of the machine. `schedulers`: the same with every
scheduler, by fewer problems and runs, and what the machine itself can give: several searches of one
thread each, which have nothing to do with each other, at the same time. `one-agent`: what a search
pays for being ready to share, with one agent where the table takes locks.

Search overhead is the ratio of nodes to those of one thread; synchronisation overhead the share of
their time in which threads waited for each other; idle turns are those in which an agent found
nothing to do (survey, section 8).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import geometric_mean, mean, median, stdev
from typing import Any

import andorra
from bench import core_distance, hard, pages
from bench.problems import Problem
from bench.report import Row, Table, Target, machine
from bench.section import Run, Section
from bench.team_runs import MEMORY, REST_SECONDS, Figures, TeamRun, measured

ROUNDS = 5
LEAST_SECONDS = 10.0
"""Of one thread. A problem that takes it less does not count."""
THREADS = 2
SPEED_UP = Target(1.8, at_least=True)
OVERHEAD = Target(1.1, at_least=False)
COST = Target(1.03, at_least=False)
COST_NODES = 1_000_000
ALONE = "alone"
CEILING = "side by side"
SIDE_BY_SIDE = 1
"""Pairs of such searches."""
_BESIDE = (
    f"“{CEILING}”: what {THREADS} searches of one thread, each in a process of its own, "
    "get done at the same time, by what one does alone; no scheduler is likely to do "
    "better without visiting less. "
)

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
        """Of all problems."""
        return cls(
            geometric_mean(each.speed_up for each in gains),
            geometric_mean(each.overhead for each in gains),
            mean(each.waited for each in gains),
            sum(each.idle for each in gains),
            sum(each.unanswered for each in gains),
            mean(each.apart for each in gains),
        )


Searched = list[tuple[Problem, Runs]]


def measure_threads(run: Run) -> None:
    """What the default scheduler gains: a row a problem, and the geometric means."""
    searched = _searched(run, hard.for_threads, schedulers()[:1], ROUNDS)
    total = means(run, searched)
    total.rows[0] |= _judged(run, searched)
    _publish(run, "threads", "Two threads", searched, [total, _each(searched)])


def measure_schedulers(run: Run) -> None:
    """What all schedulers gain, by fewer problems and one run each."""
    searched = _searched(run, hard.problems, schedulers(), 1)
    ceilings = [_ceiling(run, *each) for each in searched]
    total = means(run, searched)
    counted = [its for its, each in zip(ceilings, searched, strict=True) if _counts(run, each[1])]
    total.rows.append({"scheduler": CEILING, "speed-up": geometric_mean(counted)})
    _publish(
        run, "schedulers", "Schedulers for two threads", searched, [total, _each(searched)], _BESIDE
    )


def _searched(
    run: Run, known: Callable[[], list[Problem]], names: Sequence[str], rounds: int
) -> Searched:
    return [
        (problem, rounds_of(run, problem, [ALONE, *names], rounds))
        for problem in chosen(run, known)
    ]


def _publish(
    run: Run, name: str, title: str, searched: Searched, tables: Sequence[Table], more: str = ""
) -> None:
    for table in tables:
        run.report.add(table)
    if run.pages is None:
        return
    runs = [its for _, found in searched for its in found.values()]
    lead = (
        f"Wall-clock times: medians of {len(runs[0])} runs each, one thread and several in turns. "
        f"{more}“gave up”: how many of the runs ended without an "
        "answer, which spoils the figures beside it. One search of a shogi problem is a matter of "
        "luck, with one thread as with two, so the means say more than any row; their standard "
        "error is that over problems. "
        f"A search may use {MEMORY}. "
        f"Before each run the machine rests for {REST_SECONDS:g} s: a virtual machine's "
        "memory is slow when it is touched first, and a run that follows another "
        "at once would find a part of it touched. “cores apart”: how long what one core has "
        "written takes to the other; a host may move a virtual machine's cores about, so before "
        "runs of several threads they are brought together by waking each other, to within "
        f"{core_distance.NEAR:.0f} ns, and a run after which they no longer are is made again, "
        f"{core_distance.TRIES} times in all."
    )
    origin = pages.origin(f"python -m bench {name}", cpu_seconds(itertools.chain(*runs)))
    pages.write(run.pages / f"{name}.md", title, [origin, lead], tables)


def rounds_of(run: Run, problem: Problem, names: Sequence[str], rounds: int) -> Runs:
    """Runs of a problem, alone and with schedulers, in turns."""
    settings: dict[str, dict[str, Any]] = {
        name: {} if name == ALONE else {"threads": THREADS, "scheduler": name} for name in names
    }
    asked = [(name, number) for number in range(1 if run.quick else rounds) for name in names]
    made = checked(
        run,
        [TeamRun(problem, settings[name], number) for name, number in asked],
        timed=not run.quick,
    )
    runs: Runs = {name: [] for name in names}
    for (name, _), figures in zip(asked, made, strict=True):
        runs[name].append(figures)
    return runs


def _ceiling(run: Run, problem: Problem, found: Runs) -> float:
    """How many times the work of one get done by as many searches as there are threads."""
    count = THREADS * (1 if run.quick else SIDE_BY_SIDE)
    runs = [TeamRun(problem, {}, number, beside=THREADS - 1) for number in range(count)]
    beside = checked(run, runs, THREADS, timed=not run.quick)
    groups = (found[ALONE], beside)
    before, after = (median(each.wall_seconds for each in group) for group in groups)
    return THREADS * before / after


def _each(searched: Searched) -> Table:
    rows = [row for problem, runs in searched for row in _rows(problem, runs)]
    return Table("threads", "Each problem", rows)


def _rows(problem: Problem, runs: Runs) -> list[Row]:
    gains = {name: Gain.of(runs[ALONE], team) for name, team in runs.items() if name != ALONE}
    return [
        {
            "problem": str(problem),
            "one thread, s": round(_seconds(runs), 1),
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


def _seconds(runs: Runs) -> float:
    return median(each.wall_seconds for each in runs[ALONE])


def _counts(run: Run, runs: Runs) -> bool:
    return run.quick or _seconds(runs) >= LEAST_SECONDS


def means(run: Run, searched: Searched) -> Table:
    """Of each scheduler, over problems that are long enough."""
    names = [name for name in searched[0][1] if name != ALONE]
    rows = [_mean_row(name, _gains(run, searched, name)) for name in names]
    notes = [f"  {THREADS} threads, load at the end {machine()['load']}"]
    short = [str(problem) for problem, runs in searched if not _counts(run, runs)]
    if short:
        notes.append(f"  not counted, under {LEAST_SECONDS:g} s of one thread: {', '.join(short)}")
    title = f"Geometric means over {len(searched) - len(short)} problems"
    return Table("threads", title, rows, notes)


def _gains(run: Run, searched: Searched, name: str) -> list[Gain]:
    return [Gain.of(runs[ALONE], runs[name]) for _, runs in searched if _counts(run, runs)]


def _judged(run: Run, searched: Searched) -> Row:
    its = Gain.together(_gains(run, searched, schedulers()[0]))
    run.report.judge("threads: search overhead", its.overhead, OVERHEAD)
    return run.report.judge("threads: speed-up", its.speed_up, SPEED_UP)


def _mean_row(name: str, gains: Sequence[Gain]) -> Row:
    mean = Gain.together(gains)
    logs = [math.log(each.speed_up) for each in gains]
    error = stdev(logs) / math.sqrt(len(logs)) if len(logs) > 1 else 0.0
    return {
        "scheduler": name,
        "speed-up": mean.speed_up,
        "standard error": f"{error:.0%}",
        "search overhead": mean.overhead,
    }


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
SCHEDULERS_SECTION = Section(
    "schedulers", "speed-up of two threads with each scheduler", measure_schedulers, long=True
)
ONE_AGENT_SECTION = Section(
    "one-agent", "what one agent of a team costs more than a search alone", measure_one_agent
)
