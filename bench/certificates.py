"""Certificates made once in a run, and the two checkers as the programs that people run.

A search with a certificate can take a minute, and more than one section needs the same one: the
`Workshop` keeps certificates in a temporary folder, by task, for the length of a run.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from bench import process
from bench.task import Answer, Task, solve

Checker = Literal["fast", "trusted"]
_ENTRIES = re.compile(r"([0-9,]+) entr(?:y|ies)")


@dataclass(frozen=True)
class Checked:
    """What a checker said of a file, and what it cost, start-up included."""

    accepted: bool
    said: str
    cpu_seconds: float

    @property
    def entries(self) -> int:
        """How many entries it read, as it says."""
        return sum(int(count.replace(",", "")) for count in _ENTRIES.findall(self.said))


@dataclass(frozen=True)
class Certified:
    """An answer with its certificate, and what the fast checker said of it."""

    answer: Answer
    path: Path
    fast: Checked

    @property
    def entries(self) -> int:
        """Counted by the fast checker."""
        return self.fast.entries

    @property
    def file_size(self) -> int:
        """In bytes."""
        return self.path.stat().st_size


class NoVerdictError(RuntimeError):
    """A limit ended the search before there was anything to certify."""


class Workshop:
    """Solves and keeps certificates."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._made: dict[str, Certified] = {}

    def certified(self, task: Task) -> Certified:
        """The task's answer with its certificate, made now or earlier in this run."""
        key = repr(task)
        if key not in self._made:
            path = self.folder / f"{len(self._made):03}.andorra"
            answer = solve(replace(task, certificate=str(path)))
            if answer.limit is not None:
                said = f"{task}: no verdict, the search ended by {answer.limit!r}"
                raise NoVerdictError(said)
            self._made[key] = Certified(answer, path, check("fast", path))
        return self._made[key]


def check(checker: Checker, path: Path) -> Checked:
    """Run a checker on a file."""
    if checker == "trusted":
        print(f"  ... the trusted checker on {path.name}", file=sys.stderr, flush=True)
    finished = process.run([*_command(checker), path])
    said = (finished.output + finished.messages).strip()
    return Checked(finished.code == 0, said, finished.cpu_seconds)


def _command(checker: Checker) -> list[str]:
    if checker == "fast":
        return [str(process.program("andorra-check"))]
    return [str(process.program("andorra")), "check"]
