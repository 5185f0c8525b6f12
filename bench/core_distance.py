"""How far apart are the two cores that a run is measured on?

A virtual machine's cores are moved about by its host: at one time they share a cache, at another
they do not, and what one has written takes the other 30 ns to read, or 180. That changes every
few minutes, and decides how much threads gain that share a table; so runs of several threads wait
until the cores are near, and a run after which they are not is made again. Where they are never
near, nobody waits twice. A few lines of C++ measure it, compiled when they are first needed.
"""

from __future__ import annotations

import functools
import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from bench.process import ROOT

SOURCE = Path(__file__).with_suffix(".cpp")
NEAR = 100.0
"""Nanoseconds."""
PATIENCE = 300.0
PAUSE = 2.0
"""Seconds."""
TRIES = 4

T = TypeVar("T")


class Cores:
    """The cores of this machine, and whether it is worth while to wait for them."""

    def __init__(self, measure: Callable[[], float], pause: Callable[[float], None]) -> None:
        self._measure = measure
        self._pause = pause
        self._waits = True

    def when_near(self, work: Callable[[], T]) -> tuple[T, float]:
        """What the work came to, done while the cores were near, and how far apart they were."""
        for _ in range(TRIES):
            before = self._wait()
            done = work()
            apart = max(before, self._measure())
            if apart < NEAR or not self._waits:
                break
        return done, apart

    def _wait(self) -> float:
        apart = self._measure()
        waited = 0.0
        while apart >= NEAR and self._waits:
            self._waits = waited < PATIENCE
            self._pause(PAUSE)
            waited += PAUSE
            apart = self._measure()
        return apart


def nanoseconds() -> float:
    """For a cache line from one core to another; nothing where this process has not both."""
    if not has_both():
        return 0.0
    found = subprocess.run([_program()], capture_output=True, text=True, check=True)
    return float(found.stdout)


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


HERE = Cores(nanoseconds, time.sleep)
