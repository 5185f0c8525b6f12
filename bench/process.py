"""Child processes, with what they cost.

Idea: `wait4` tells the CPU time and the largest resident memory of one child, its start-up and what
its code makes the system do included. A child that uses more CPU time than it is allowed is ended
by the system, so a benchmark always ends.
Invariant: the parent stays small. Linux counts the parent's resident memory at the start of a child
as the child's, so whatever needs memory runs in a child, never here.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parent.parent
MOST_CPU_SECONDS = 900


@dataclass(frozen=True)
class Finished:
    """A child that has ended."""

    code: int
    """Its exit code; below zero, the signal that ended it."""
    output: str
    messages: str
    cpu_seconds: float
    peak_memory: int
    """The largest resident memory, in bytes."""

    def describe(self) -> str:
        """How it ended, for an error message."""
        return f"ended with code {self.code}: {(self.messages or self.output).strip()[-500:]}"


def run(command: Sequence[str | Path]) -> Finished:
    """Run a program to its end, in the root of the checkout."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        with subprocess.Popen(command, stdout=out, stderr=err, cwd=ROOT) as child:
            _limit(child.pid)
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        cpu = usage.ru_utime + usage.ru_stime
        return Finished(child.returncode, _text(out), _text(err), cpu, usage.ru_maxrss * 1024)


def median_cpu(command: Sequence[str | Path], runs: int) -> float:
    """The median CPU seconds of several runs, after one that warms the caches up."""
    finished = [run(command) for _ in range(runs + 1)]
    for each in finished:
        if each.code != 0:
            raise RuntimeError(f"{' '.join(map(str, command))} {each.describe()}")
    return statistics.median(each.cpu_seconds for each in finished[1:])


def program(name: str) -> Path:
    """A program installed beside this Python."""
    path = Path(sys.executable).parent / name
    if not path.is_file():
        raise RuntimeError(f"{path} is missing: expected the program {name!r} beside this Python")
    return path


def _limit(pid: int) -> None:
    with suppress(ProcessLookupError):
        resource.prlimit(pid, resource.RLIMIT_CPU, (MOST_CPU_SECONDS, MOST_CPU_SECONDS))


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode(errors="replace")
