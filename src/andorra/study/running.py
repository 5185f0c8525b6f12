"""Runs a plan: what the journal lacks, several at a time, each in a fresh process.

A run ends cleanly at its CPU limit. Two nets are below that: a limit by the clock on the wall, for
a machine that has no time for us, and one after which the system ends the process, for a search
that does not ask. The second one is a failure, and is shown as one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from andorra import measure
from andorra.leftovers import Folder
from andorra.measure import Task
from andorra.study.journal import Journal
from andorra.study.plan import Problem, Solver
from andorra.study.row import Row, made

Run = tuple[Solver, Problem]
Progress = Callable[[Row, list[Run]], None]
"""Told of a run that is done, and of those that are not."""
_WALL_SHARE, _WALL_MORE = 10, 60
_KILL_SHARE, _KILL_MORE = 5, 60
"""Of the CPU limit, and seconds more. A certificate takes up to three times the limit."""


def to_come(journal: Journal) -> list[Run]:
    """The runs that the journal lacks."""
    done = {row.key for row in journal.rows}
    return [
        (solver, problem)
        for solver, problem in journal.plan.runs()
        if (solver.name, problem.name) not in done
    ]


def run(journal: Journal, jobs: int, progress: Progress) -> None:
    """Run what is still to come, and keep it in the journal as it is done."""
    runs = to_come(journal)
    left = dict(enumerate(runs))
    with Folder("study") as folder:
        check_in = folder.path if journal.plan.certificates else None
        tasks = [_task(solver, problem, check_in) for solver, problem in runs]
        with closing(measure.measure_all(tasks, jobs)) as measured:
            for index, outcome in measured:
                solver, problem = left.pop(index)
                row = made(solver, problem, outcome, _wall_seconds(solver), jobs, now())
                journal.keep(row)
                progress(row, list(left.values()))


def now() -> str:
    """The time in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _task(solver: Solver, problem: Problem, check_in: Path | None) -> Task:
    seconds = solver.limits.seconds
    arguments = {
        "position": problem.position,
        "question": problem.question,
        "algorithm": solver.algorithm,
        "memory": solver.limits.memory,
        "nodes": solver.limits.nodes,
        "seconds": _wall_seconds(solver),
    }
    most = None if seconds is None else math.ceil(_KILL_SHARE * seconds) + _KILL_MORE
    return Task(problem.game, arguments | solver.options, seconds, most, check_in)


def _wall_seconds(solver: Solver) -> float | None:
    seconds = solver.limits.seconds
    return None if seconds is None else _WALL_SHARE * seconds + _WALL_MORE
