"""Searches that are measured: each in a fresh process of its own.

Idea: the parent sends a task to `andorra.worker`, and gets the result with the process's own peak
of resident memory. Nothing of an earlier search, or of the parent, is in that figure.
Invariant: when the parent goes on, for whatever reason, no process of a task is left behind.
"""

from __future__ import annotations

import os
import pickle
import selectors
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from andorra.errors import RuleError
from andorra.process import Child, Finished
from andorra.result import Result
from andorra.rulebook.base import Game

AnyGame = Game[Any, Any]
GameSource = str | AnyGame | Callable[[], AnyGame]
"""A built-in game's spec, a game that Python can pickle, or a function (the same) that makes it."""

FAILED = "failed"
"""The limit of a run that has an error instead of a result."""
_COUNTS = ("nodes", "expansions", "reexpansions", "moves")
_WORKER = (sys.executable, "-P", "-m", "andorra.worker")
"""Without the current folder before Python's own modules: a stray `json.py` there is not ours."""


@dataclass(frozen=True)
class Task:
    """A call of `andorra.solve`."""

    game: GameSource
    arguments: dict[str, Any] = field(default_factory=dict)
    """By keyword, the game aside."""
    cpu_seconds: float | None = None
    """The most CPU time of the search, which a busy machine does not shorten as it does `seconds`;
    it then ends cleanly."""
    most_cpu_seconds: int | None = None
    """After so much CPU time the system ends the process, whatever it is doing."""
    check_in: Path | None = None
    """A folder for the certificate of an answer, while the fast checker looks at it."""


@dataclass(frozen=True)
class Measured:
    """What came of a task: a result, or a reason why there is none."""

    result: Result | None
    resident_memory: int
    """The largest resident memory of the process, in bytes; 0 if it did not live to tell."""
    error: str | None = None
    certificate: str | None = None
    """What the fast checker said of the certificate, or why there is none; None: not asked for."""

    def figures(self) -> dict[str, Any]:
        """What a row of results tells; without a result it is an unknown, with figures of zero."""
        result = self.result
        counts = result.statistics if result else {}
        return {
            "verdict": result.verdict if result else "unknown",
            "value": result.value if result else None,
            "score": result.score if result else None,
            "limit": result.limit if result else FAILED,
            **{name: counts.get(name, 0) for name in _COUNTS},
            "cpu_seconds": counts.get("cpu_seconds", 0.0),
            "wall_seconds": counts.get("wall_seconds", 0.0),
            "resident_memory": self.resident_memory,
            "unsound": bool(result and result.unsound),
            "error": self.error,
        }


def make(game: GameSource) -> str | AnyGame:
    """The game itself."""
    return game if isinstance(game, str | Game) else game()


def measure(task: Task) -> Measured:
    """Run one task to its end."""
    return _measured(_start(task).finish())


def measure_all(
    tasks: Sequence[Task], jobs: int = 1
) -> Generator[tuple[int, Measured], None, None]:
    """Run the tasks, `jobs` at a time, and give their numbers and outcomes as they end."""
    waiting = iter(enumerate(tasks))
    with selectors.DefaultSelector() as running:
        try:
            _start_next(running, waiting, jobs)
            while running.get_map():
                for key, _ in running.select():
                    index, child = key.data
                    finished = child.finish()
                    running.unregister(child)
                    # Told before another is started: a signal then finds nothing that is not kept.
                    yield index, _measured(finished)
                    _start_next(running, waiting, 1)
        finally:
            for key in list(running.get_map().values()):
                key.data[1].kill()


def check_can_travel(game: GameSource) -> None:
    """Say now, and in words, if no other process can be given this game."""
    if isinstance(game, Game) and type(game).__module__ == "__main__":
        raise RuleError(
            f"the class {type(game).__name__} is defined in the script that runs, where a fresh "
            "process cannot find it: put it into a module, and import it"
        )
    try:
        pickle.dumps(game)
    except Exception as error:
        raise RuleError(f"the game {game!r} cannot be sent to a fresh process: {error}") from error


def _start_next(
    running: selectors.BaseSelector, waiting: Iterator[tuple[int, Task]], most: int
) -> None:
    for _ in range(most):
        following = next(waiting, None)
        if following is None:
            return
        index, task = following
        child = _start(task)
        try:
            running.register(child, selectors.EVENT_READ, (index, child))
        except BaseException:
            child.kill()
            raise


def _start(task: Task) -> Child:
    """Modules are found in the child where they are found here, and it knows whose child it is."""
    given = pickle.dumps((os.getpid(), sys.path)) + pickle.dumps(task)
    return Child(_WORKER, given, most_cpu_seconds=task.most_cpu_seconds)


def _measured(finished: Finished) -> Measured:
    if finished.code != 0:
        return Measured(None, 0, f"its process {finished.describe()}")
    measured: Measured = pickle.loads(finished.raw_output)
    return measured
