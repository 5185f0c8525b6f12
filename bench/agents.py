"""What do many simulated agents visit more than a search alone? No machine's noise changes that.

A section and a page a scheduler, because each takes an hour; `agents` names all of them. The plot
has what the pages say, whichever was written last.
"""

from __future__ import annotations

import functools
import importlib
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import geometric_mean
from typing import Any

from bench import hard, pages
from bench.problems import Problem
from bench.report import Row, Table
from bench.section import Run, Section
from bench.team_runs import Figures, TeamRun
from bench.teams import checked, chosen, cpu_seconds, schedulers

AGENTS = (2, 4, 8, 16, 64, 256, 1024)
IN_VAIN = "“>”: the search ended without an answer, so the mean is a lower bound"
KANEKO = "Kaneko 2010, 29 shogi problems: 1.06, 1.07 and 1.11 with 2, 4 and 8 threads"
RP_PNS = "rp-pns"
PAGE = "agents-"
MEAN = "geometric mean"


@dataclass(frozen=True)
class Series:
    """A scheduler, with problems that its algorithm solves."""

    scheduler: str
    problems: Sequence[Problem]
    settings: Mapping[str, Any]
    """Of the search alone, and of the teams."""
    team: Mapping[str, Any]
    """Of the teams, besides how many they are."""


def _series(run: Run, scheduler: str) -> Series:
    """Those of df-pn on the hard problems; that of pns on some that fit into memory."""
    if scheduler != RP_PNS:
        return Series(scheduler, chosen(run), {}, {"scheduler": scheduler})
    in_memory = hard.small() if run.quick else hard.in_memory()[: run.problems]
    return Series(scheduler, in_memory, {"algorithm": "pns", "form": "dag"}, {})


def measure(scheduler: str, run: Run) -> None:
    """Problems, and the geometric mean, by the number of agents."""
    series = _series(run, scheduler)
    counts = AGENTS[:2] if run.quick else AGENTS
    asked = {(problem, 1): TeamRun(problem, series.settings) for problem in series.problems}
    for problem, agents in itertools.product(series.problems, counts):
        setting = {**series.settings, "agents": agents, **series.team}
        asked[problem, agents] = TeamRun(problem, setting)
    made = dict(zip(asked, checked(run, [*asked.values()], run.jobs), strict=True))
    table = overheads(series, counts, made)
    run.report.add(table)
    if run.pages is not None:
        _write(run.pages, series, table, cpu_seconds(made.values()))


def overheads(
    series: Series, counts: Sequence[int], made: Mapping[tuple[Problem, int], Figures]
) -> Table:
    """Where no answer was found, what was visited in vain is the least that it would take."""
    rows: list[Row] = []
    by: dict[int, list[float]] = {n: [] for n in counts}
    for each in series.problems:
        row: Row = {"problem": str(each)}
        for n in counts:
            by[n].append(made[each, n].nodes / made[each, 1].nodes)
            at_least = "> " if made[each, n].verdict == "unknown" else ""
            row[f"{n} agents"] = f"{at_least}{by[n][-1]:.2f}"
        rows.append(row)
    means: Row = {f"{n} agents": f"{geometric_mean(by[n]):.2f}" for n in counts}
    rows.append({"problem": MEAN, **means})
    in_vain = any(figures.verdict == "unknown" for figures in made.values())
    notes = [f"  {KANEKO}", *([f"  {IN_VAIN}"] if in_vain else [])]
    return Table("agents", f"Search overhead, scheduler={series.scheduler}", rows, notes)


def _write(folder: Path, series: Series, table: Table, spent: float) -> None:
    section = f"{PAGE}{series.scheduler}"
    lead = "Nodes of simulated agents, which take turns in one thread, by those of a search alone."
    origin = pages.origin(f"python -m bench {section}", spent)
    pages.write(folder / f"{section}.md", "Many agents", [origin, lead], [table])
    _plot(folder)


def plotted(folder: Path) -> dict[str, dict[int, float]]:
    """The means on the pages that there are, by scheduler and number of agents."""
    found = {path.stem.removeprefix(PAGE): path for path in sorted(folder.glob(f"{PAGE}*.md"))}
    return {name: dict(_means(path.read_text(encoding="utf-8"))) for name, path in found.items()}


def _means(page: str) -> Iterator[tuple[int, float]]:
    def cells(first: str) -> list[str]:
        (line,) = (line for line in page.splitlines() if line.startswith(f"| {first} |"))
        return line.strip("| ").split(" | ")[1:]

    for name, mean in zip(cells("problem"), cells(MEAN), strict=True):
        yield int(name.removesuffix(" agents")), float(mean)


def _plot(folder: Path) -> None:
    """All schedulers in one picture, where matplotlib is installed."""
    try:
        pyplot = importlib.import_module("matplotlib.pyplot")
    except ImportError:
        print("  no plot: matplotlib is not installed")
        return
    figure, axes = pyplot.subplots(figsize=(7, 4))
    for name, means in plotted(folder).items():
        axes.plot([*means], [*means.values()], marker="o", label=name)
    axes.plot(
        [2, 4, 8], [1.06, 1.07, 1.11], marker="x", linestyle=":", label="Kaneko 2010, threads"
    )
    axes.set(xscale="log", yscale="log", xlabel="agents", ylabel="nodes, by one alone")
    axes.legend()
    figure.savefig(folder / "agents.svg", metadata={"Date": None})
    pyplot.close(figure)


SECTIONS = tuple(
    Section(
        f"{PAGE}{scheduler}",
        f"search overhead of many simulated agents, {scheduler}",
        functools.partial(measure, scheduler),
        long=True,
    )
    for scheduler in (*schedulers(), RP_PNS)
)
