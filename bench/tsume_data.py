"""Problem sets of shogi, which lie outside the repository: `ANDORRA_DATA` names their folder.

A line is a position in SFEN, a tab, and a comment that begins with the problem's name. What two
open solvers need for one of the sets is a table beside it, measured on one quiet core.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.report import Table
from bench.section import Run, Section
from bench.task import Answer, Task

GAME = "tsume"
QUESTION = "win:first"
ZUKO = "zuko100.sfen"
PEERS = "zuko-peers.tsv"
CLASSICS = "classic_long_hard.sfen"
NO_MATE = ("zuko073",)
"""Disproven as the set has it; both checkers have verified the certificate of 1,138,759 entries."""
QUICK = 3
"""How many problems of a set a quick run takes."""
_COLUMNS = {"KomoringHeights 1.1.0": "kh", "shtsume 1.2.7": "shtsume"}
_UNSOLVED = "TIMEOUT"


@dataclass(frozen=True)
class Mate:
    """A problem: the side to move mates."""

    name: str
    position: str

    def task(self, memory: str, cpu_seconds: float) -> Task:
        """The search for it."""
        return Task(GAME, QUESTION, self.position, memory=memory, cpu_seconds=cpu_seconds)


@dataclass(frozen=True)
class Spent:
    """What a solver made of a problem."""

    solved: bool
    cpu_seconds: float


def path(name: str) -> Path:
    """Where the file of a set would be."""
    return Path(os.environ.get("ANDORRA_DATA", ""), "tsume", name)


def mates(name: str) -> list[Mate]:
    """The problems of a set, in its order."""
    lines = path(name).read_text(encoding="utf-8").splitlines()
    return [_mate(line) for line in lines if line and not line.startswith("#")]


def chosen(run: Run, name: str) -> list[Mate]:
    """The problems that the run asks for: all of a set, or its first ones."""
    return mates(name)[: QUICK if run.quick else run.problems]


def named(name: str, words: Sequence[str]) -> list[Mate]:
    """The problems of a set with these names, whatever the case of their letters."""
    known = {mate.name.lower(): mate for mate in mates(name)}
    return [known[word.lower()] for word in words]


def peers() -> dict[str, dict[str, Spent]]:
    """What other solvers spent on the Zuko set, by solver and problem."""
    lines = path(PEERS).read_text(encoding="utf-8").splitlines()
    names, *rows = [line.split("\t") for line in lines if not line.startswith("#")]
    by_name = [dict(zip(names, row, strict=True)) for row in rows]
    return {
        solver: {row["problem"]: _spent(row, column) for row in by_name}
        for solver, column in _COLUMNS.items()
    }


def check(run: Run, section: str, mate: Mate, answer: Answer) -> None:
    """A problem whose side to move cannot mate would be a wrong answer, but for one that cannot."""
    if answer.verdict == "disproven" and mate.name not in NO_MATE:
        run.report.error(f"{section}: {mate.name} is a mate, found 'disproven'")


def section(
    name: str, summary: str, sets: Sequence[str], measure: Callable[[Run], None], long: bool
) -> Section:
    """A section that needs these sets, and says so where they are missing."""

    def measure_if_there(run: Run) -> None:
        missing = [f"tsume/{each}" for each in sets if not path(each).is_file()]
        if missing:
            note = f"  left out: needs {', '.join(missing)} in ANDORRA_DATA"
            run.report.add(Table(name, summary, [], [note]))
        else:
            measure(run)

    return Section(name, summary, measure_if_there, long)


def _mate(line: str) -> Mate:
    position, _, comment = line.partition("\t")
    name = comment.lstrip("# ").partition(";")[0].partition("(")[0]
    return Mate(name.strip(), position)


def _spent(row: dict[str, str], column: str) -> Spent:
    return Spent(row[f"{column}_result"] != _UNSOLVED, float(row[f"{column}_cpu_s"]))
