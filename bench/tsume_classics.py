"""Long problems of shogi: Microcosmos, 1,525 plies, the longest there is, and some of its kind.

Beside the times that others have published or that we have measured; their programs and machines
differ, so these are no more than a scale. `--seconds` is the cap for each problem.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bench import tsume_data
from bench.report import Row, Table
from bench.section import Run
from bench.task import solve
from bench.tsume_data import CLASSICS, Mate

MEMORY = "2GiB"
MICROCOSMOS_SECONDS = 60.0
CLASSICS_SECONDS = 600.0


@dataclass(frozen=True)
class Published:
    """What is known of a problem from elsewhere."""

    plies: int
    """As its composer has it."""
    figures: str


MICROCOSMOS = {
    "Microcosmos": Published(
        1525, "KomoringHeights 1.1.0: 100.8 s, 58.3M nodes; shtsume 1.2.7: 104.7 s, 38.5M nodes"
    )
}
"""Peers measured with 2 GiB on one quiet 2.8 GHz Xeon core."""
OTHERS = {
    "FAIRWAY": Published(611, "KomoringHeights 0.5: 459 s"),
    "Ran": Published(451, "KomoringHeights 0.5: 407 s"),
    "Shin-Tokagen": Published(1205, "KomoringHeights 0.5: 460 s"),
}
"""Its author's figures, on his machine and with 29 GB."""


def _measure_microcosmos(run: Run) -> None:
    _measure(run, "tsume-microcosmos", MICROCOSMOS, run.seconds or MICROCOSMOS_SECONDS)


def _measure_classics(run: Run) -> None:
    _measure(run, "tsume-classics", OTHERS, run.seconds or CLASSICS_SECONDS)


def _measure(run: Run, section: str, known: dict[str, Published], seconds: float) -> None:
    mates: Sequence[Mate] = tsume_data.named(CLASSICS, list(known))
    rows = [_row(run, section, mate, known[mate.name], seconds) for mate in mates]
    run.report.add(Table(section, f"{MEMORY}, at most {seconds:g} CPU s a problem", rows))


def _row(run: Run, section: str, mate: Mate, known: Published, seconds: float) -> Row:
    answer = solve(mate.task(MEMORY, seconds))
    tsume_data.check(run, section, mate, answer)
    return {
        "problem": mate.name,
        "composer's plies": known.plies,
        "verdict": answer.verdict if answer.limit is None else f"unknown: {answer.limit}",
        "plies": len(answer.line) or None,
        "nodes": answer.nodes,
        "CPU s": answer.cpu_seconds,
        "peak MiB": answer.peak_memory >> 20,
        "elsewhere": known.figures,
    }


MICROCOSMOS_SECTION = tsume_data.section(
    "tsume-microcosmos",
    "Microcosmos, 1,525 plies, under a cap",
    (CLASSICS,),
    _measure_microcosmos,
    long=True,
)
CLASSICS_SECTION = tsume_data.section(
    "tsume-classics",
    "Fairway, Ran, Shin-Tokagen; --seconds is the cap",
    (CLASSICS,),
    _measure_classics,
    long=True,
)
