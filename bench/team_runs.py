"""Runs of the hard problems: what they are given, and what is kept of them.

Such runs take hours together. With a journal (`--journal FILE`, JSON lines that survive a kill) a
run that was made is not made again, so a section can be ended at any time and go on later. A run
counts as made only by the core that is here now: each line has a digest of its sources.
"""

from __future__ import annotations

import functools
import hashlib
import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from andorra import Result, measure
from andorra.json_lines import Form, JsonLines, Plain, has_keys, object_in
from bench import core_distance
from bench.problems import Problem

MEMORY = "3GiB"
"""With 2 GiB, two threads had to forget on Connect Four 7x5 after 4 4 4 4, and one had not."""
REST_SECONDS = 6.0
"""Before a run whose time counts. A virtual machine gets memory from its host when it is touched,
and gives back what is free for some seconds: 1.6 GB took 0.25 s to touch at once after another
process, 2.6 to 3.5 s after a rest of 7 s, and 1.3 to 1.4 s for two that touch half each. Without a
rest the faster run would find more of the last one's memory; after it, all find none."""
CORE = Path(__file__).parents[1] / "core"


@dataclass(frozen=True)
class Figures:
    """What is kept of a run."""

    verdict: str
    nodes: int
    wall_seconds: float
    cpu_seconds: float
    waited: float
    """The seconds of all agents together."""
    idle: int
    """Turns in which an agent found nothing to do."""
    apart: float = 0.0
    """Nanoseconds from core to core, where several threads were timed."""
    timed: bool = False
    """Whether the machine was left to it, so that seconds count."""

    @classmethod
    def of(cls, result: Result, apart: float, timed: bool) -> Figures:
        """From the statistics of a search."""
        counted = result.statistics
        agents = counted.get("agents", [])
        return cls(
            result.verdict,
            counted["nodes"],
            counted["wall_seconds"],
            counted["cpu_seconds"],
            sum(agent["seconds_waited"] for agent in agents),
            sum(agent["idle"] for agent in agents),
            apart,
            timed,
        )


@dataclass(frozen=True)
class TeamRun:
    """A problem, the settings of its search, and which of several equal runs this is."""

    problem: Problem
    settings: Mapping[str, Any]
    number: int = 0
    beside: int = 0
    """How many other runs there are at the same time, where that matters."""

    @property
    def task(self) -> measure.Task:
        """The search itself."""
        asked = {"position": self.problem.position, "question": self.problem.question}
        return measure.Task(self.problem.game, {**asked, "memory": MEMORY, **self.settings})

    @property
    def key(self) -> str:
        """What tells it from all others."""
        task = self.task
        which = [self.number, self.beside] if self.beside else [self.number]
        return json.dumps([core_digest(CORE), task.game, task.arguments, *which], sort_keys=True)

    def __str__(self) -> str:
        return f"{self.problem} {dict(self.settings)}, run {self.number + 1}"


class Journal(JsonLines):
    """The file of runs that were made, open for this one."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, f"--journal {str(path)!r}", _FORM)
        self._known = {line["run"]: line for line in self.lines}

    def find(self, run: TeamRun, timed: bool = False) -> Figures | None:
        """The figures of a run, if it was made, and if need be with a machine of its own."""
        line = self._known.get(run.key)
        if line is None or (timed and not line["timed"]):
            return None
        return Figures(**{each.name: line[each.name] for each in fields(Figures)})

    def keep(self, run: TeamRun, figures: Figures) -> None:
        """Append a run."""
        line = {"run": run.key, **asdict(figures)}
        self._known[run.key] = line
        self.add(line)


@functools.cache
def core_digest(folder: Path) -> str:
    """A short text that changes when a file of the core does."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.[ch]pp")):
        digest.update(f"{path.relative_to(folder)}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()[:12]


def measured(
    runs: Sequence[TeamRun], journal: Journal | None, jobs: int = 1, timed: bool = False
) -> list[Figures]:
    """The figures of all runs, in their order; those in the journal are not made again.

    `timed`: seconds count, so the machine rests before, and several threads find their cores near.
    """
    known = [journal.find(run, timed) if journal else None for run in runs]
    found = {index: figures for index, figures in enumerate(known) if figures}
    missing = [index for index in range(len(runs)) if index not in found]
    for number, outcome, apart in _outcomes([runs[index].task for index in missing], jobs, timed):
        index = missing[number]
        print(f"  ... {runs[index]}", file=sys.stderr, flush=True)
        found[index] = _figures(runs[index], outcome, apart, timed)
        if journal:
            journal.keep(runs[index], found[index])
    return [found[index] for index in range(len(runs))]


def _outcomes(
    tasks: Sequence[measure.Task], jobs: int, timed: bool
) -> Iterator[tuple[int, measure.Measured, float]]:
    """With how far apart the cores were, where that matters."""
    if not timed:
        for number, outcome in measure.measure_all(tasks, jobs):
            yield number, outcome, 0.0
        return
    rest = functools.partial(time.sleep, REST_SECONDS)
    for first in range(0, len(tasks), jobs):
        together = tasks[first : first + jobs]
        work = functools.partial(_all, together, jobs)
        if jobs == 1 and "threads" in together[0].arguments:
            made, apart = core_distance.HERE.when_near(work, rest)
        else:
            rest()
            made, apart = work(), 0.0
        for number, outcome in made:
            yield first + number, outcome, apart


def _all(tasks: Sequence[measure.Task], jobs: int) -> list[tuple[int, measure.Measured]]:
    return list(measure.measure_all(tasks, jobs))


def _figures(run: TeamRun, outcome: measure.Measured, apart: float, timed: bool) -> Figures:
    if outcome.result is None:
        raise RuntimeError(f"{run}: {outcome.error}")
    return Figures.of(outcome.result, apart, timed)


def _parse(line: bytes) -> Plain | None:
    plain = object_in(line)
    keys = dict.fromkeys(["run", *(each.name for each in fields(Figures))], object)
    return plain if plain is not None and has_keys(plain, keys) else None


_FORM = Form(
    what="journal of runs",
    expected="an object with the key 'run' and the figures of a run",
    beginning=b'{"run": "',
    parse=_parse,
)
