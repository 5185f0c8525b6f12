"""A search to be measured: plain data that goes to a child process and comes back as an answer."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from andorra import measure
from bench import process, rules

RULES = ("built-in", "numba", "python")


@dataclass(frozen=True)
class Task:
    """Arguments of `andorra.solve`, and whose rules it is to use."""

    game: str
    question: str = "value"
    position: str | None = None
    algorithm: str = "dfpn"
    memory: str = "2GiB"
    """Always stated: the default depends on the machine, and the node count on the memory."""
    nodes: int | None = None
    cpu_seconds: float | None = None
    """The most CPU time, which a busy machine does not shorten as it does `seconds`."""
    certificate: str | None = None
    options: dict[str, Any] = field(default_factory=dict)
    rules: str = "built-in"

    def __str__(self) -> str:
        rules = "" if self.rules == "built-in" else f" ({self.rules} rules)"
        return f"{self.game} {self.position or ''} {self.algorithm} {self.memory}{rules}"


@dataclass(frozen=True)
class Answer:
    """What the search said, and what it cost."""

    verdict: str
    line: list[str]
    """The main line."""
    line_end: str
    """How it ends."""
    value: str | None
    limit: str | None
    pn: int | None
    """The numbers reached; None is infinite."""
    dn: int | None
    nodes: int
    expansions: int
    reexpansions: int
    cpu_seconds: float
    """Of the search, its main line and the extraction; start-up and compiling excluded."""
    collections: int
    searched_again: int
    table_entries: int
    table_used: int
    peak_memory: int
    """The largest resident memory of the whole process, in bytes."""

    @property
    def speed(self) -> float:
        """Visits of the search step a CPU second."""
        return self.nodes / max(self.cpu_seconds, 1e-9)


def solve(task: Task) -> Answer:
    """Run the task in a fresh process."""
    print(f"  ... {task}", file=sys.stderr, flush=True)
    measured = measure.measure(_measurable(task))
    result = measured.result
    if result is None:
        raise RuntimeError(f"{task}: {measured.error}")
    if result.certificate_limit:
        raise RuntimeError(f"{task}: no certificate: {result.certificate_limit}")
    known = result.to_json() | {"peak_memory": measured.resident_memory}
    return Answer(**{name: known[name] for name in Answer.__dataclass_fields__})


def _measurable(task: Task) -> measure.Task:
    names = ("question", "position", "algorithm", "memory", "nodes", "certificate")
    arguments = {name: getattr(task, name) for name in names}
    most = process.MOST_CPU_SECONDS + int(task.cpu_seconds or 0)
    return measure.Task(_game(task), arguments | task.options, task.cpu_seconds, most)


def _game(task: Task) -> measure.GameSource:
    if task.rules == "built-in":
        return task.game
    make = rules.OwnConnect4 if task.rules == "python" else rules.numba_connect4
    return partial(make, task.game.removeprefix("connect4:"))
