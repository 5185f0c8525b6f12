"""A search to be measured: plain data that goes to a child process and comes back as an answer."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass, field
from typing import Any

from bench import process

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
    value: str | None
    limit: str | None
    nodes: int
    expansions: int
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
    command = [sys.executable, "-m", "bench.worker", json.dumps(asdict(task))]
    finished = process.run(command)
    if finished.code != 0:
        raise RuntimeError(f"{task} {finished.describe()}")
    said: dict[str, Any] = json.loads(finished.output)
    return Answer(**said, peak_memory=finished.peak_memory)
