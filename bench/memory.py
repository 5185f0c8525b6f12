"""Does a long search keep to its memory? Resident memory of its process, under two limits.

Each search is long enough to fill what it was given several times over: df-pn collects garbage, pns
deletes its least proving nodes, fixpoint ends at the limit. One row is solved and certified in a
table that is too small for it, so that the extraction has gaps to close.
"""

from __future__ import annotations

from dataclasses import replace

from bench.report import Report, Row, Table, Target
from bench.section import Run, Section
from bench.task import Answer, Task, solve

MIB = 1 << 20
ALLOWED_MORE = 64 * MIB
BOARD = "connect4:7x6"
SEARCHES = {
    64 * MIB: (
        Task(BOARD, "win:first", memory="64MiB", nodes=10_000_000),
        Task(BOARD, "win:first", memory="64MiB", nodes=5_000_000, algorithm="pns"),
        Task(BOARD, "win:first", memory="64MiB", algorithm="fixpoint"),
        Task("connect4:5x5", memory="64MiB", certificate="gaps.andorra"),
    ),
    1024 * MIB: (
        Task(BOARD, "win:first", memory="1GiB", nodes=45_000_000),
        Task(BOARD, "win:first", memory="1GiB", nodes=20_000_000, algorithm="pns"),
        Task(BOARD, "win:first", memory="1GiB", algorithm="fixpoint"),
    ),
}


def measure(run: Run) -> None:
    """A row a search."""
    tasks = [(limit, task) for limit, searches in SEARCHES.items() for task in searches]
    rows = [_row(run.report, limit, task, _solved(run, task)) for limit, task in tasks]
    title = "resident memory of the whole process in MiB, Python included"
    run.report.add(Table("memory", title, rows))


def _solved(run: Run, task: Task) -> Answer:
    if task.certificate is None:
        return solve(task)
    return run.workshop.certified(replace(task, certificate=None)).answer


def _row(report: Report, limit: int, task: Task, answer: Answer) -> Row:
    resident = answer.peak_memory / MIB
    target = Target((limit + ALLOWED_MORE) / MIB, at_least=False, unit=" MiB")
    what = f"resident MiB of {task.algorithm} on {task.game}, limit {task.memory}"
    return {
        "algorithm": task.algorithm,
        "game": task.game + (" + certificate" if task.certificate else ""),
        "limit": task.memory,
        "ended by": answer.limit or answer.value,
        "nodes": answer.nodes,
        "collections": answer.collections,
        "searched again": answer.searched_again,
        "nodes/s": answer.speed,
        "resident": resident,
        **report.judge(what, resident, target),
    }


SECTION = Section("memory", "resident memory of long searches under 64 MiB and 1 GiB", measure)
