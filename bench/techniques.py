"""What does each technique do on shogi problems? The defaults of `tsume` with one change at a time.

On the Shogi Zuko, by a cap on visits, so that the counts are the same on every machine. A change is
one from what people get, the values that the game sets for itself. A value that cannot be used
together with a default comes with that one off. What the game does not have is left out, with the
reason.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import median
from typing import Any

import andorra
from andorra import Run
from andorra.setting import BASELINE, Changes, Setting, settings_by_name
from bench import cures, pages, tsume_data
from bench.cures import ratio_text
from bench.effects import CHARGE, Effect, Runs, effects
from bench.problems import Problem
from bench.report import Row, Table
from bench.section import Run as BenchRun
from bench.tsume_data import GAME, QUESTION, Mate

NAME = "techniques"
PAGE = "tsume-techniques.md"
MEMORY = "1GiB"
NODES = 300_000
REPEATS = 2
"""So often the default is run once more, after all the others."""

VALUES: dict[str, tuple[object, ...]] = {
    "groups": ("off", "largest", "in-turn"),
    "double_count": ("off", "nagai", "snda"),
    "backup": ("sum", "weak-dn"),
    "initial": ("unit", "mobility", "game", "search-1", "deep"),
    "dominance": (True, False),
    "epsilon": (0, 0.125, 0.25, 0.5),
    "increment": (1, 2, 0),
    "ghi": ("paths", "discard", "base-twin"),
    "loops": ("tca", "df-pn(r)", "rise"),
    "closure": (True, False),
    "simulation": ("off", "siblings", "killer"),
    "widening": (0, 8),
    "costs": (True, False),
}
"""All values of an option that are tried; the default's is among them and is not run twice."""
TOGETHER: tuple[Changes, ...] = (
    {"backup": "weak", "double_count": "off"},
    {"backup": "weighted", "double_count": "off"},
    {
        "groups": "off",
        "double_count": "off",
        "backup": "sum",
        "initial": "unit",
        "dominance": False,
        "epsilon": 0,
        "costs": False,
    },
)
"""Changes that go together; the last one is plain df-pn."""


def measure(run: BenchRun) -> None:
    """The table, and the page."""
    nodes = run.nodes or NODES
    mates = tsume_data.chosen(run, tsume_data.ZUKO)
    there, left_out = possible(mates[0], settings())
    runs = _runs(run, mates, there, nodes)
    title = f"{len(mates)} problems, at most {nodes:,} visits each"
    table = Table(NAME, title, [_row(each) for each in effects(runs)], left_out)
    run.report.add(table)
    if run.pages is not None:
        _write(run, table, nodes, sum(each.cpu_seconds for own in runs.values() for each in own))


def defaults() -> dict[str, str]:
    """The options that `tsume` sets for itself."""
    return andorra.games()[GAME].defaults


def settings() -> dict[str, Setting]:
    """All settings by name, the defaults first."""
    baseline = Setting.make("dfpn", MEMORY, defaults())
    together = [baseline.changed(changes).options for changes in TOGETHER]
    return settings_by_name(baseline, VALUES, together)


def possible(mate: Mate, chosen: Mapping[str, Setting]) -> tuple[dict[str, Setting], list[str]]:
    """The settings that the game has, and why others are left out."""
    return cures.possible(Problem(GAME, QUESTION, "proven", mate.position), chosen)


def _runs(run: BenchRun, mates: Sequence[Mate], chosen: Mapping[str, Setting], nodes: int) -> Runs:
    """By setting, a run a problem; the default's time, on which all ratios lean, is a median."""
    rounds = [_compare(run, mates, chosen, nodes)]
    rounds += [_compare(run, mates, {BASELINE: chosen[BASELINE]}, nodes) for _ in range(REPEATS)]
    for each in (each for found in rounds for each in found):
        _check(run, mates, each)
    runs = {name: _of(rounds[0], name) for name in chosen}
    equal = zip(*(_of(found, BASELINE) for found in rounds), strict=True)
    runs[BASELINE] = [_median(each) for each in equal]
    return runs


def _of(runs: Sequence[Run], setting: str) -> list[Run]:
    return [each for each in runs if each.setting == setting]


def _median(runs: Sequence[Run]) -> Run:
    return replace(runs[0], cpu_seconds=median(each.cpu_seconds for each in runs))


def _compare(
    run: BenchRun, mates: Sequence[Mate], chosen: Mapping[str, Setting], nodes: int
) -> list[Run]:
    """All runs, in the problems' order."""
    options: dict[str, Any] = {**chosen[BASELINE].options}
    comparison = andorra.compare(
        GAME,
        [mate.position for mate in mates],
        QUESTION,
        settings=[setting.options for setting in chosen.values()],
        memory=MEMORY,
        nodes=nodes,
        jobs=run.jobs,
        progress=lambda each, done, total: _say(mates, each, done, total),
        **options,
    )
    if comparison.interrupted:
        raise KeyboardInterrupt
    return sorted(comparison.runs, key=lambda each: each.number)


def _check(run: BenchRun, mates: Sequence[Mate], found: Run) -> None:
    where = f"{NAME}: {mates[found.number - 1].name}, {found.setting}"
    if found.error is not None:
        run.report.error(f"{where}: {found.error}")
    if found.answer not in (None, "proven"):
        run.report.error(f"{where}: found {found.answer!r}, but it is a mate")


def _say(mates: Sequence[Mate], run: Run, done: int, total: int) -> None:
    found = f"{run.answer or run.limit}, {run.nodes:,} nodes, {run.cpu_seconds:.2f} s"
    where = f"{done:,} of {total:,}: {mates[run.number - 1].name}, {run.setting}"
    print(f"  ... {where}: {found}", file=sys.stderr, flush=True)


def _row(effect: Effect) -> Row:
    return {
        "setting": cures.DEFAULT if effect.setting == BASELINE else effect.setting,
        "solved": f"{effect.answered} of {effect.runs}",
        "gained": effect.gained,
        "lost": effect.lost,
        "nodes": effect.nodes,
        "CPU s": effect.cpu_seconds,
        "nodes ratio": ratio_text(effect.nodes_ratio),
        "CPU ratio": ratio_text(effect.cpu_ratio),
        "nodes charged": ratio_text(effect.nodes_charged),
        "CPU charged": ratio_text(effect.cpu_charged),
    }


def _write(run: BenchRun, table: Table, nodes: int, spent: float) -> None:
    assert run.pages is not None
    command = f"python -m bench {NAME}" + (" --quick" if run.quick else "")
    command += f" --problems {run.problems}" if run.problems else ""
    command += f" --nodes {nodes}" if nodes != NODES else ""
    lead = [pages.origin(command, spent), *_explanation(nodes)]
    pages.write(run.pages / PAGE, "What each technique does on shogi problems", lead, [table])


def _explanation(nodes: int) -> Iterator[str]:
    values = Setting.make("dfpn", MEMORY, defaults()).values()
    used = " ".join(f"`{name}={values[name]}`" for name in VALUES)
    yield (
        f"The default is df-pn on `tsume` with {MEMORY} and {used}. Each row has one change, or "
        "the few that go together; the last one is df-pn with nothing but its care for cycles. "
        "The problems are those of the Shogi Zuko."
    )
    yield (
        f"A search ends after {nodes:,} visits. *Solved* counts proofs under that cap, *gained* "
        "and *lost* those that the default has not and has. Nodes and CPU seconds are of all "
        "searches, the ended ones, too. Ratios are to the default, below 1 is better: geometric "
        "means over the problems that both solved. *Charged* is the mean over all problems, where "
        f"one that only the default solved counts as {CHARGE:.0f} at least, and one that only the "
        "change solved as 1 at most. Node counts are the same on every machine; the default's "
        f"times are medians of {REPEATS + 1} runs, the others are of one. The leaf searches "
        "of `initial=search-1` visit no nodes: only the time tells their cost. Settings "
        "that are wrong or endless on games with cycles (`loops=off`, `ghi=off`) are not in the "
        "table."
    )


SECTION = tsume_data.section(
    NAME,
    "each technique's effect on the Shogi Zuko, one change at a time",
    (tsume_data.ZUKO,),
    measure,
    long=True,
)
