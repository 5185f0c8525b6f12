"""How fast are the checkers? Entries a CPU second, of the programs as people run them.

Start-up is part of every figure; it is also shown by itself, as the cost of checking a certificate
of a few entries.
"""

from __future__ import annotations

import statistics

from bench.certificates import Certified, Checker, check
from bench.report import Report, Row, Table, Target
from bench.section import Run, Section
from bench.task import Task

LARGE = (Task("connect4:5x5"), Task("connect4:6x4"))
TINY = Task("mnk:3,3,3", position="xx./oo./...", question="win")
RUNS: dict[Checker, int] = {"fast": 9, "trusted": 1}
TARGETS: dict[Checker, Target] = {
    "fast": Target(1_000_000, at_least=True),
    "trusted": Target(5_000, at_least=True),
}


def measure(run: Run) -> None:
    """A row a checker and certificate."""
    tiny = run.workshop.certified(TINY)
    large = {task.game: run.workshop.certified(task) for task in LARGE}
    rows: list[Row] = []
    for checker in RUNS:
        rows.append(_start_up(checker, tiny))
        rows += [_row(run.report, checker, game, made) for game, made in large.items()]
    title = f"entries a CPU second, start-up included; fast: medians of {RUNS['fast']} runs"
    run.report.add(Table("checkers", title, rows))


def _seconds(checker: Checker, made: Certified, runs: int) -> float:
    checked = [check(checker, made.path) for _ in range(runs)]
    for each in checked:
        if not each.accepted:
            raise RuntimeError(f"the {checker} checker: {each.said}")
    return statistics.median(each.cpu_seconds for each in checked)


def _start_up(checker: Checker, tiny: Certified) -> Row:
    seconds = _seconds(checker, tiny, RUNS["fast"])
    return {"checker": checker, "game": "(start-up)", "entries": tiny.entries, "CPU s": seconds}


def _row(report: Report, checker: Checker, game: str, made: Certified) -> Row:
    seconds = _seconds(checker, made, RUNS[checker])
    speed = made.entries / seconds
    judged = report.judge(f"{checker} checker, entries/s, {game}", speed, TARGETS[checker])
    measured = {"entries": made.entries, "CPU s": seconds, "entries/s": speed}
    return {"checker": checker, "game": game, **measured, **judged}


SECTION = Section("checkers", "entries a CPU second, fast and trusted checker", measure)
