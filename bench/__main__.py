"""`python -m bench [SECTION...]`: measure, print tables, and say which targets are met.

Exit code: 0 also where targets are missed, 1 where something is wrong (a value, a certificate), 2
for wrong usage.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from bench import (
    agents,
    checkers,
    cops,
    cures,
    memory,
    overhead,
    pns,
    screenshots,
    shortest,
    small_tables,
    speed,
    startup,
    teams,
    techniques,
    tsume_certificates,
    tsume_classics,
    tsume_mates,
    tsume_zuko,
    values,
    viewer,
)
from bench.certificates import Workshop
from bench.process import ROOT
from bench.report import Report, machine
from bench.section import Run, Section
from bench.team_runs import Journal

_SECTIONS = (
    values.SECTION,
    speed.SECTION,
    checkers.SECTION,
    startup.SECTION,
    memory.SECTION,
    cops.SECTION,
    pns.SECTION,
    tsume_zuko.SECTION,
    tsume_mates.SECTION,
    tsume_certificates.SECTION,
    tsume_classics.MICROCOSMOS_SECTION,
    tsume_classics.CLASSICS_SECTION,
    tsume_classics.GIANTS_SECTION,
    techniques.SECTION,
    small_tables.SECTION,
    cures.SECTION,
    shortest.SECTION,
    teams.THREADS_SECTION,
    teams.SCHEDULERS_SECTION,
    *agents.SECTIONS,
    teams.ONE_AGENT_SECTION,
    overhead.SECTION,
    viewer.SECTION,
    screenshots.SECTION,
)
SECTIONS: dict[str, Section] = {section.name: section for section in _SECTIONS}


def main() -> int:
    """Run the sections asked for, or all that are not long."""
    wanted = _arguments()
    if wanted.list:
        print(
            "\n".join(
                f"{each.name:<20}{each.summary}{' (long)' * each.long}"
                for each in SECTIONS.values()
            )
        )
        return 0
    report = Report()
    print(", ".join(f"{name} {what}" for name, what in machine().items()))
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        run = Run(
            report,
            Workshop(Path(folder)),
            trusted_all=wanted.trusted_all,
            hex_map=wanted.hex_map,
            quick=wanted.quick,
            problems=wanted.problems,
            nodes=wanted.nodes,
            seconds=wanted.seconds,
            jobs=wanted.jobs,
            pages=wanted.pages or (None if wanted.quick else ROOT / "docs"),
            journal=None
            if wanted.journal is None
            else stack.enter_context(Journal(wanted.journal)),
        )
        for name in wanted.sections or _short():
            _measure(SECTIONS[name], run)
    print(f"\n{report.summary()}")
    if wanted.json is not None:
        report.save(wanted.json)
    return 1 if report.errors else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Andorra's benchmarks.")
    parser.add_argument(
        "sections", nargs="*", metavar="SECTION", help="default: all but the long ones"
    )
    parser.add_argument("--list", action="store_true", help="list the sections and end")
    parser.add_argument("--json", type=Path, metavar="FILE", help="save all figures, too")
    parser.add_argument(
        "--trusted-all",
        action="store_true",
        help="values: run the trusted checker on certificates of any size",
    )
    parser.add_argument(
        "--hex-map",
        action="store_true",
        help="values: solve all 25 openings of Hex 5, not one of each pair a half turn exchanges",
    )
    parser.add_argument(
        "--quick",
        action="store_true",
        help="the long sections: few small positions, and no page",
    )
    parser.add_argument(
        "--problems",
        type=_count,
        metavar="N",
        help="cures: at most the N smallest of each game; others: the first N",
    )
    parser.add_argument(
        "--nodes", type=_count, metavar="N", help="techniques: the most visits of a search"
    )
    parser.add_argument(
        "--seconds", type=_seconds, metavar="S", help="tsume-…: the most CPU time of a search"
    )
    parser.add_argument(
        "--jobs",
        type=_count,
        default=1,
        help="agents, cures, techniques: searches at a time; CPU seconds need 1",
    )
    parser.add_argument(
        "--pages",
        type=Path,
        metavar="FOLDER",
        help="agents, cures, screenshots, small-tables, techniques, threads: where to write pages",
    )
    parser.add_argument(
        "--journal",
        type=Path,
        metavar="FILE",
        help="agents, threads: keep every run here, and do not make again what is there",
    )
    wanted = parser.parse_args()
    if wanted.pages is not None and not wanted.pages.is_dir():
        parser.error(f"--pages: there is no folder {str(wanted.pages)!r}")
    for name in wanted.sections:
        if not _named(name):
            parser.error(f"there is no section {name!r}; there are: {', '.join(SECTIONS)}")
    wanted.sections = [section for name in wanted.sections for section in _named(name)]
    return wanted


def _named(name: str) -> list[str]:
    """The section of this name, or all whose names begin with it: `tsume` is `tsume-zuko`, …."""
    if name in SECTIONS:
        return [name]
    return [section for section in SECTIONS if section.startswith(f"{name}-")]


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r}: expected a whole number from 1")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r}: expected a positive number")
    return seconds


def _short() -> list[str]:
    return [name for name, section in SECTIONS.items() if not section.long]


def _measure(section: Section, run: Run) -> None:
    """Measure a section; one that fails is an error, and the others go on."""
    print(f"\n== {section.name}: {section.summary}", flush=True)
    try:
        section.measure(run)
    except (RuntimeError, OSError) as error:
        run.report.error(f"{section.name}: {error}")


if __name__ == "__main__":
    sys.exit(main())
