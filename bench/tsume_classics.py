"""Long problems of shogi: Microcosmos, 1,525 plies, the longest there is, and others of its kind.

Beside the times that others have published or that we have measured; their programs and machines
differ, so these are no more than a scale. `--seconds` is the cap for each problem.
"""

from __future__ import annotations

from dataclasses import dataclass

from bench import tsume_data
from bench.report import Row, Table
from bench.section import Run, Section
from bench.task import solve
from bench.tsume_data import CLASSICS, Mate


@dataclass(frozen=True)
class Published:
    """What is known of a problem from elsewhere."""

    plies: int
    """As its composer has it."""
    figures: str


@dataclass(frozen=True)
class Group:
    """Problems that are asked for together."""

    section: str
    memory: str
    seconds: float
    known: dict[str, Published]


MICROCOSMOS = Group(
    "tsume-microcosmos",
    "2GiB",
    60.0,
    {
        "Microcosmos": Published(
            1525,
            "KomoringHeights 1.1.0: 100.8 s, 58.3M nodes; shtsume 1.2.7: 104.7 s, 38.5M nodes",
        )
    },
)
"""Peers measured with 2 GiB on one quiet 2.8 GHz Xeon core."""
SOLVED_ELSEWHERE = Group(
    "tsume-classics",
    "8GiB",
    600.0,
    {
        "FAIRWAY": Published(611, "KomoringHeights 0.5: 459 s"),
        "Ran": Published(451, "KomoringHeights 0.5: 407 s"),
        "Shin-Tokagen": Published(1205, "KomoringHeights 0.5: 460 s"),
    },
)
"""Its author's figures, on his machine and with 29 GB."""
GIANTS = Group(
    "tsume-giants",
    "8GiB",
    300.0,
    {
        "Sekitoba": Published(525, "Kishimoto 2010: 7,241 s, 1.05e9 nodes"),
        "Megalopolis": Published(515, "Kishimoto 2010: 13,590 s, 0.85e9 nodes"),
        "Meta-Shinsekai": Published(941, "Kishimoto 2010: 7,298 s, 1.05e9 nodes"),
        "Mokusei-no-tabi": Published(411, "Kishimoto 2010: 5,481 s"),
    },
)
"""Kishimoto's figures are for df-pn with TCA and SNDA and a table of 2 GB; the last one is also
called Journey to Jupiter."""


def _section(group: Group, summary: str) -> Section:
    def measure(run: Run) -> None:
        _measure(run, group)

    return tsume_data.section(group.section, summary, (CLASSICS,), measure, long=True)


def _measure(run: Run, group: Group) -> None:
    seconds = run.seconds or group.seconds
    mates = tsume_data.named(CLASSICS, list(group.known))
    rows = [_row(run, group, mate, seconds) for mate in mates]
    title = f"{group.memory}, at most {seconds:g} CPU s a problem"
    run.report.add(Table(group.section, title, rows))


def _row(run: Run, group: Group, mate: Mate, seconds: float) -> Row:
    answer = solve(mate.task(group.memory, seconds))
    tsume_data.check(run, group.section, mate, answer)
    known = group.known[mate.name]
    return {
        "problem": mate.name,
        "composer's plies": known.plies,
        "verdict": answer.verdict if answer.limit is None else f"unknown: {answer.limit}",
        "plies": len(answer.line) or None,
        "pn": answer.pn,
        "dn": answer.dn,
        "nodes": answer.nodes,
        "CPU s": answer.cpu_seconds,
        "peak MiB": answer.peak_memory >> 20,
        "elsewhere": known.figures,
    }


MICROCOSMOS_SECTION = _section(MICROCOSMOS, "Microcosmos, 1,525 plies, under a cap")
CLASSICS_SECTION = _section(SOLVED_ELSEWHERE, "Fairway, Ran, Shin-Tokagen; --seconds is the cap")
GIANTS_SECTION = _section(
    GIANTS, "a start on Sekitoba, Megalopolis, Meta-Shinsekai, Jupiter; --seconds is the cap"
)
