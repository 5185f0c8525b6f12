"""Programs that the benchmarks run, with what they cost (`andorra.process`).

A child that uses more CPU time than it is allowed is ended by the system, so a benchmark always
ends. Linux counts the parent's resident memory at the start of a child as the child's, so whatever
needs memory runs in a child, never here.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Sequence
from pathlib import Path

from andorra.process import Child, Finished

ROOT = Path(__file__).resolve().parent.parent
MOST_CPU_SECONDS = 900


def run(command: Sequence[str | Path]) -> Finished:
    """Run a program to its end, in the root of the checkout."""
    return Child(command, folder=ROOT, most_cpu_seconds=MOST_CPU_SECONDS).finish()


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
