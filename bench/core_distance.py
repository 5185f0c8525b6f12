"""How far apart are the two cores that a run is measured on?

A virtual machine's cores are moved about by its host: at one time they share a cache, at another
they do not, and what one has written takes the other 30 ns to read, or 180. That changes every
few minutes, and decides how much threads gain that share a table; so before runs of several threads
the cores are brought together, and a run after which they are not is made again. Where that does
not help, it is not tried twice. A few lines of C++ do it, compiled when they are first needed.
"""

from __future__ import annotations

import functools
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from bench.process import ROOT

SOURCE = Path(__file__).with_suffix(".cpp")
NEAR = 100.0
"""Nanoseconds."""
PATIENCE = 200
"""Tries to bring them together, of half a second each."""
TRIES = 4
"""Of a run."""

T = TypeVar("T")


class Cores:
    """The cores of this machine, and whether it is worth while to wait for them."""

    def __init__(self, measure: Callable[[], float], join: Callable[[], None]) -> None:
        self._measure = measure
        self._join = join
        self._can_join = True

    def when_near(
        self, work: Callable[[], T], rest: Callable[[], None] = lambda: None
    ) -> tuple[T, float]:
        """What the work came to, done while the cores were near, and how far apart they were.

        `rest` comes before, each time that the work is done.
        """
        for _ in range(TRIES):
            rest()
            before = self._bring_together()
            done = work()
            apart = max(before, self._measure())
            if apart < NEAR or not self._can_join:
                break
        return done, apart

    def _bring_together(self) -> float:
        apart = self._measure()
        tries = 0
        while apart >= NEAR and self._can_join:
            self._can_join = tries < PATIENCE
            self._join()
            tries += 1
            apart = self._measure()
        return apart


def nanoseconds() -> float:
    """For a cache line from one core to another; nothing where this process has not both."""
    if not has_both():
        return 0.0
    found = subprocess.run([_program()], capture_output=True, text=True, check=True)
    return float(found.stdout)


def together() -> None:
    """Let the host find out that the two have to do with each other."""
    subprocess.run([_program(), "together"], check=True)


def has_both() -> bool:
    """Whether this process may use the two cores that are measured, the first two."""
    return {0, 1} <= os.sched_getaffinity(0)


@functools.cache
def _program() -> Path:
    program = ROOT / "build" / "core_distance"
    program.parent.mkdir(exist_ok=True)
    compiler = os.environ.get("CXX", "c++")
    flags = ["-O2", "-std=c++20", "-pthread", "-o"]
    subprocess.run([compiler, *flags, str(program), str(SOURCE)], check=True)
    return program


HERE = Cores(nanoseconds, together)
