"""What a section of the benchmarks is, and what it is given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bench.certificates import Workshop
from bench.report import Report
from bench.team_runs import Journal


@dataclass(frozen=True)
class Run:
    """What the sections of one run share."""

    report: Report
    workshop: Workshop
    trusted_all: bool
    """Run the trusted checker on certificates of any size."""
    hex_map: bool
    """Solve all openings of Hex 5, not one of each pair that a half turn exchanges."""
    quick: bool = False
    """Small positions only, to see that everything works."""
    problems: int | None = None
    """At most so many problems of each family, the small ones first; None: all."""
    nodes: int | None = None
    """The most visits of a search, where a section has such a cap; None: the section's own."""
    seconds: float | None = None
    """The most CPU time of a search, likewise."""
    jobs: int = 1
    """How many searches may run at a time; above 1, CPU seconds cannot be compared."""
    pages: Path | None = None
    """The folder for the pages that sections write; None: nowhere."""
    journal: Journal | None = None
    """Of runs that need not be made again."""


@dataclass(frozen=True)
class Section:
    """A question that the benchmarks answer."""

    name: str
    summary: str
    measure: Callable[[Run], None]
    long: bool = False
    """Run only where it is named."""
