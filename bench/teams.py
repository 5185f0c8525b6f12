"""What do several agents gain, and what do they cost?

`threads`: hard problems with one thread and with two, in turns; wall-clock time, because that is
what threads are for, in a table with the load of the machine. `agents`: what simulated agents visit
more than a search alone, which no machine's noise changes; `jobs` of them at a time. `one-agent`:
what a search pays for being ready to share, with one agent where the table takes locks.

Search overhead is the ratio of nodes to those of one thread; synchronisation overhead the share of
their time in which threads waited for each other; idle turns are those in which an agent found
nothing to do (survey, section 8).
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import geometric_mean, median
from typing import Any

import andorra
from andorra import Result, measure
from bench import hard, pages
from bench.problems import Problem
from bench.report import Row, Table, Target, machine
from bench.section import Run, Section

MEMORY = "2GiB"
ROUNDS = 5
THREADS = 2
AGENTS = (2, 4, 8, 16, 64, 256, 1024)
SPEED_UP = Target(1.8, at_least=True)
OVERHEAD = Target(1.1, at_least=False)
COST = Target(1.03, at_least=False)
COST_NODES = 1_000_000
KANEKO = "Kaneko 2010, 29 shogi problems: 1.06, 1.07 and 1.11 with 2, 4 and 8 threads"
ALONE = "alone"

Runs = dict[str, list[Result]]
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

    @classmethod
    def of(cls, alone: Sequence[Result], team: Sequence[Result]) -> Gain:
        """From runs with one thread and with several."""
        before, after = (median(_figures(runs, "wall_seconds")) for runs in (alone, team))
        nodes = median(_figures(alone, "nodes"))
        waits = [_of_agents(each, "seconds_waited") for each in team]
        busy = sum(_figures(team, "wall_seconds")) * THREADS
        idle = round(median(_of_agents(each, "idle") for each in team))
        return cls(before / after, median(_figures(team, "nodes")) / nodes, sum(waits) / busy, idle)


def measure_threads(run: Run) -> None:
    """A row a problem and scheduler, and the geometric means."""
    chosen = _chosen(run)
    every = schedulers()
    gains: dict[str, list[Gain]] = {name: [] for name in every}
    rows: list[Row] = []
    spent = 0.0
    for problem in chosen:
        runs = _rounds(run, problem, every)
        spent += sum(sum(_figures(each, "cpu_seconds")) for each in runs.values())
        for name in every:
            gains[name].append(Gain.of(runs[ALONE], runs[name]))
        rows += _rows(problem, runs[ALONE], {name: gains[name][-1] for name in every})
    tables = [_means(run, gains), Table("threads", "Each problem", rows)]
    for table in tables:
        run.report.add(table)
    if run.pages is not None:
        lead = ["Wall-clock times: medians of five runs each, one thread and several in turns."]
        origin = pages.origin("python -m bench threads", spent)
        pages.write(run.pages / "threads.md", "Two threads", [origin, *lead], tables)


def _rounds(run: Run, problem: Problem, every: Iterable[str]) -> Runs:
    settings: dict[str, dict[str, Any]] = {ALONE: {}}
    settings |= {name: {"threads": THREADS, "scheduler": name} for name in every}
    runs: Runs = {name: [] for name in settings}
    for _ in range(1 if run.quick else ROUNDS):
        for name, setting in settings.items():
            runs[name].append(_solve(run, problem, setting))
    return runs


def _rows(problem: Problem, alone: Sequence[Result], gains: Mapping[str, Gain]) -> list[Row]:
    seconds = median(_figures(alone, "wall_seconds"))
    return [
        {
            "problem": str(problem),
            "one thread, s": round(seconds, 1),
            "scheduler": name,
            "speed-up": round(gain.speed_up, 2),
            "search overhead": round(gain.overhead, 2),
            "waiting": f"{gain.waited:.1%}",
            "idle turns": gain.idle,
        }
        for name, gain in gains.items()
    ]


def _means(run: Run, gains: Mapping[str, Sequence[Gain]]) -> Table:
    rows: list[Row] = []
    for name, each in gains.items():
        speed_up = geometric_mean(gain.speed_up for gain in each)
        overhead = geometric_mean(gain.overhead for gain in each)
        row: Row = {"scheduler": name, "speed-up": speed_up, "search overhead": overhead}
        if name == schedulers()[0]:
            row |= run.report.judge("threads: speed-up", speed_up, SPEED_UP)
            run.report.judge("threads: search overhead", overhead, OVERHEAD)
        rows.append(row)
    count = len(gains[schedulers()[0]])
    notes = [f"  {THREADS} threads, load at the end {machine()['load']}"]
    return Table("threads", f"Geometric means over {count} problems", rows, notes)


def measure_one_agent(run: Run) -> None:
    """The first visits of each problem, alone and as a team of one: the least CPU time of each."""
    rows: list[Row] = []
    ratios: list[float] = []
    for problem in _chosen(run):
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
    rounds = [
        [_ran(problem, setting).statistics["cpu_seconds"] for setting in capped]
        for _ in range(1 if run.quick else ROUNDS)
    ]
    return [min(seconds) for seconds in zip(*rounds, strict=True)]


def measure_agents(run: Run) -> None:
    """A table a scheduler: problems, and the geometric mean, by the number of agents."""
    chosen = _chosen(run)
    counts = AGENTS[:2] if run.quick else AGENTS
    tasks = {(problem, ALONE, 1): _task(problem, {}) for problem in chosen}
    for problem in chosen:
        for name in schedulers():
            for agents in counts:
                setting = {"agents": agents, "scheduler": name}
                tasks[problem, name, agents] = _task(problem, setting)
    results = dict(_measured(run, tasks))
    overheads = {
        key: result.statistics["nodes"] / results[key[0], ALONE, 1].statistics["nodes"]
        for key, result in results.items()
    }
    tables = [_overheads(name, chosen, counts, overheads) for name in schedulers()]
    for table in tables:
        run.report.add(table)
    if run.pages is not None:
        _write_agents(run, tables, results.values())


def _measured(run: Run, tasks: Mapping[Any, measure.Task]) -> Iterable[tuple[Any, Result]]:
    keys = list(tasks)
    for index, found in measure.measure_all(list(tasks.values()), run.jobs):
        print(f"  ... {keys[index][1:]} of {keys[index][0]}", file=sys.stderr, flush=True)
        yield keys[index], _checked(run, keys[index][0], found)


def _overheads(
    name: str, chosen: Sequence[Problem], counts: Sequence[int], overheads: Mapping[Any, float]
) -> Table:
    rows = [
        _overhead_row(str(each), {n: overheads[each, name, n] for n in counts}) for each in chosen
    ]
    means = {n: geometric_mean(overheads[each, name, n] for each in chosen) for n in counts}
    rows.append(_overhead_row("geometric mean", means))
    return Table("agents", f"Search overhead, scheduler={name}", rows, [f"  {KANEKO}"])


def _overhead_row(what: str, by_agents: Mapping[int, float]) -> Row:
    row: Row = {"problem": what}
    return row | {f"{agents} agents": round(its, 2) for agents, its in by_agents.items()}


def _write_agents(run: Run, tables: Sequence[Table], results: Iterable[Result]) -> None:
    assert run.pages is not None
    spent = sum(_figures(results, "cpu_seconds"))
    lead = [
        "Nodes of simulated agents, which take turns in one thread, by those of a search alone.",
        *_plotted(run, tables),
    ]
    origin = pages.origin("python -m bench agents", spent)
    pages.write(run.pages / "agents.md", "Many agents", [origin, *lead], tables)


def _plotted(run: Run, tables: Sequence[Table]) -> list[str]:
    """The means as a picture beside the page, where matplotlib is installed."""
    assert run.pages is not None
    try:
        pyplot = importlib.import_module("matplotlib.pyplot")
    except ImportError:
        return ["(No plot: matplotlib is not installed.)"]
    figure, axes = pyplot.subplots(figsize=(7, 4))
    for table in tables:
        means = {
            int(name.split()[0]): mean for name, mean in table.rows[-1].items() if "agents" in name
        }
        axes.plot([*means], [*means.values()], marker="o", label=table.title.split("=")[1])
    axes.plot(
        [2, 4, 8], [1.06, 1.07, 1.11], marker="x", linestyle=":", label="Kaneko 2010, threads"
    )
    axes.set(xscale="log", yscale="log", xlabel="agents", ylabel="nodes, by one alone")
    axes.legend()
    figure.savefig(run.pages / "agents.svg", metadata={"Date": None})
    return ["![Search overhead by the number of agents](agents.svg)"]


def _chosen(run: Run) -> list[Problem]:
    return hard.small() if run.quick else hard.problems()[: run.problems]


def _task(problem: Problem, setting: Mapping[str, Any]) -> measure.Task:
    fixed = {"position": problem.position, "question": problem.question, "memory": MEMORY}
    return measure.Task(problem.game, {**fixed, **setting})


def _solve(run: Run, problem: Problem, setting: Mapping[str, Any]) -> Result:
    print(f"  ... {problem} {dict(setting)}", file=sys.stderr, flush=True)
    return _checked(run, problem, measure.measure(_task(problem, setting)))


def _checked(run: Run, problem: Problem, found: measure.Measured) -> Result:
    result = _found(problem, found)
    if result.verdict != problem.known:
        run.report.error(f"{problem}: found {result.verdict}, known is {problem.known}")
    return result


def _ran(problem: Problem, setting: Mapping[str, Any]) -> Result:
    return _found(problem, measure.measure(_task(problem, setting)))


def _found(problem: Problem, found: measure.Measured) -> Result:
    if found.result is None:
        raise RuntimeError(f"{problem}: {found.error}")
    return found.result


def _figures(results: Iterable[Result], name: str) -> list[float]:
    return [each.statistics[name] for each in results]


def _of_agents(result: Result, name: str) -> float:
    return float(sum(agent[name] for agent in result.statistics["agents"]))


THREADS_SECTION = Section(
    "threads", "speed-up of two threads on hard problems", measure_threads, long=True
)
AGENTS_SECTION = Section(
    "agents", "search overhead of many simulated agents", measure_agents, long=True
)
ONE_AGENT_SECTION = Section(
    "one-agent", "what one agent of a team costs more than a search alone", measure_one_agent
)
