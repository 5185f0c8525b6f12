"""How fast is the search step? Visits a CPU second, search only: no certificate is asked for.

Rules are compared on Connect Four 5x5 with the node count the same to the last visit. Rounds take
turns, so that a noisy machine is noisy for all, and the ratio is the median of the ratios of all
rounds. The speed itself is judged by the fastest round, since other programs on the machine can
only slow a search down; the median stands beside it. Compiling and start-up are not counted.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from bench.report import Report, Row, Table, Target
from bench.section import Run, Section
from bench.task import Answer, Task, solve

ROUNDS = 7
BUILT_IN = Task("connect4:5x5", memory="1GiB")
NUMBA = Task("connect4:5x5", memory="1GiB", rules="numba")
FASTEST = Target(3_500_000, at_least=True)
NUMBA_RATIO = Target(1.3, at_least=False, unit="x")
OTHERS = (
    Task("connect4:4x4", memory="1GiB"),
    Task("connect4:4x4", memory="1GiB", rules="python"),
    Task("connect4:5x4", memory="1GiB"),
    Task("connect4:5x4", memory="1GiB", algorithm="pns"),
    Task("connect4:5x4", memory="1GiB", algorithm="fixpoint"),
)


def measure(run: Run) -> None:
    """One table for the targets, one for information."""
    rounds = [(solve(BUILT_IN), solve(NUMBA)) for _ in range(ROUNDS)]
    built_in, numba = ([pair[side] for pair in rounds] for side in (0, 1))
    _check_same(run.report, built_in + numba)
    title = f"df-pn on Connect Four 5x5, both questions; medians of {ROUNDS} rounds"
    rows = [_built_in_row(run.report, built_in), _numba_row(run.report, numba, built_in)]
    run.report.add(Table("speed", title, rows))
    rows = [_row(task, [solve(task)]) for task in OTHERS]
    run.report.add(Table("speed", "other rules and algorithms, for information", rows))


def _check_same(report: Report, answers: Sequence[Answer]) -> None:
    counts = {answer.nodes for answer in answers}
    if len(counts) > 1:
        report.error(f"speed: the same search took different numbers of visits: {sorted(counts)}")
    if {answer.value for answer in answers} != {"draw"}:
        report.error("speed: Connect Four 5x5 is a draw, but a search gave another value")


def _row(task: Task, answers: Sequence[Answer]) -> Row:
    return {
        "rules": task.rules,
        "game": task.game,
        "algorithm": task.algorithm,
        "nodes": answers[0].nodes,
        "CPU s": statistics.median(answer.cpu_seconds for answer in answers),
        "nodes/s": statistics.median(answer.speed for answer in answers),
        "fastest": _fastest(answers),
    }


def _fastest(answers: Sequence[Answer]) -> float:
    return max(answer.speed for answer in answers)


def _built_in_row(report: Report, answers: Sequence[Answer]) -> Row:
    speed = _fastest(answers)
    judged = report.judge(
        "df-pn visits a CPU second, Connect Four 5x5, the fastest round", speed, FASTEST
    )
    return {**_row(BUILT_IN, answers), "times slower": 1.0, **judged}


def _numba_row(report: Report, answers: Sequence[Answer], built_in: Sequence[Answer]) -> Row:
    pairs = zip(built_in, answers, strict=True)
    slower = statistics.median(fast.speed / slow.speed for fast, slow in pairs)
    judged = report.judge("Numba rules, times slower than built-in ones", slower, NUMBA_RATIO)
    return {**_row(NUMBA, answers), "times slower": slower, **judged}


SECTION = Section("speed", "visits of the search step a CPU second, by rules", measure)
