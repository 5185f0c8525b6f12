"""How much more do two agents visit than one, where one search alone is a matter of luck?

In shogi problems the number of visits depends on the order in which equally good moves are tried:
a problem and its mirror image, which have the same tree, differ by half or more. So a ratio of two
searches says little, and many are needed. Here are all problems of the Zuko set that one agent
solves with some work, each with its mirror image, by two simulated agents with several seeds. A
problem's overhead is the ratio of the geometric means; the standard error is that of the mean over
problems. Nothing depends on the machine.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import geometric_mean, mean, stdev

from bench import hard, tsume_data
from bench.problems import Problem
from bench.report import Row, Table
from bench.section import Run
from bench.team_runs import TeamRun, measured
from bench.teams import OVERHEAD, checked, schedulers

NAME = "overhead"
SUMMARY = "search overhead of two simulated agents on shogi problems and their mirror images"
AGENTS = 2
SEEDS = (1, 2, 3)
LEAST, MOST = 100_000, 3_000_000
"""Visits of one agent: of a problem and its mirror image in the mean, and of each at most."""


def measure_overhead(run: Run) -> None:
    """A row a scheduler, and one for what the mirror image alone changes."""
    alone = _alone(run)
    least = 0 if run.quick else LEAST
    names = [name for name, visits in alone.items() if visits and geometric_mean(visits) >= least]
    chosen = [problem for problem in _zuko(run) if problem.name in names]
    rows = [_row("one agent, mirror image by problem", [_by_mirror(alone[name]) for name in names])]
    for scheduler in schedulers():
        logs = [
            math.log(geometric_mean(visits) / geometric_mean(alone[problem.name]))
            for problem, visits in zip(chosen, _by_two(run, chosen, scheduler), strict=True)
        ]
        rows.append(_row(f"{AGENTS} agents by one, scheduler={scheduler}", logs))
    its = rows[1]["search overhead"]
    assert isinstance(its, float)
    rows[1] |= run.report.judge("overhead: search overhead on shogi problems", its, OVERHEAD)
    note = f"  {len(chosen)} problems and their mirror images, seeds {SEEDS}"
    run.report.add(Table(NAME, "Search overhead on shogi problems", rows, [note]))


def _zuko(run: Run) -> list[Problem]:
    return [
        Problem(tsume_data.GAME, tsume_data.QUESTION, "proven", mate.position, mate.name)
        for mate in tsume_data.chosen(run, tsume_data.ZUKO)
    ]


def _alone(run: Run) -> dict[str, list[int]]:
    """Visits of a problem and its mirror image, by name; nothing if one needs too many."""
    copies = {problem.name: hard.copies(problem) for problem in _zuko(run)}
    asked = [TeamRun(copy, {"nodes": MOST}) for each in copies.values() for copy in each]
    found = iter(measured(asked, run.journal, run.jobs))
    visits = {}
    for name, its in copies.items():
        figures = [next(found) for _ in its]
        if any(each.verdict == "disproven" for each in figures):
            run.report.error(f"{NAME}: {name} is a mate, found 'disproven'")
        solved = all(each.verdict == "proven" for each in figures)
        visits[name] = [each.nodes for each in figures] if solved else []
    return visits


def _by_two(run: Run, problems: Sequence[Problem], scheduler: str) -> list[list[int]]:
    """Visits of all copies of each problem, with all seeds."""
    asked = [
        [
            TeamRun(copy, {"agents": AGENTS, "scheduler": scheduler, "seed": seed})
            for copy in hard.copies(problem)
            for seed in SEEDS
        ]
        for problem in problems
    ]
    found = iter(checked(run, [each for runs in asked for each in runs], run.jobs))
    return [[next(found).nodes for _ in runs] for runs in asked]


def _by_mirror(visits: Sequence[int]) -> float:
    return math.log(visits[1] / visits[0])


def _row(what: str, logs: Sequence[float]) -> Row:
    error = stdev(logs) / math.sqrt(len(logs))
    typical = math.exp(math.sqrt(mean(each * each for each in logs)))
    return {
        "visits of": what,
        "search overhead": math.exp(mean(logs)),
        "standard error": f"{error:.0%}",
        "typical factor": typical,
        "least": math.exp(min(logs)),
        "most": math.exp(max(logs)),
    }


SECTION = tsume_data.section(NAME, SUMMARY, [tsume_data.ZUKO], measure_overhead, long=True)
