"""What does a small table cost? Df-pn with a table of a share of the entries that it would store.

A search that has taken `times` the visits of the full one is ended, and its row has the bounds that
it reached. 1+epsilon runs beside the plain search, in tables of the same sizes (Pawlewicz & Lew
2007 compare them so), and every way of forgetting that the options table has, too. What is *full*
is the plain search in an ample table: its entries are what shares are of, its visits what is
compared with.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import andorra.options
from bench import pages
from bench.report import Row, Table
from bench.section import Run, Section
from bench.task import Answer, Task, solve

SHARES = (1, 10, 100, 1000)
EPSILONS = (0, 0.25)
FORGETTING = "gc"
"""The option for what a full table forgets, if there is one."""
GAMES = ("connect4:5x5", "connect4:6x4")
TIMES = 100
"""How many times the visits of the full search the others may take."""
NEVER = 10**12
QUICK_GAMES = ("connect4:4x4",)
QUICK_TIMES = 10
QUESTION = "win:first"

Options = dict[str, Any]
Found = tuple[str, Options, Answer]
"""The table's size in words, the settings, and what came of them."""


def measure(run: Run) -> None:
    """A table a game, and the page."""
    times = QUICK_TIMES if run.quick else TIMES
    tables: list[Table] = []
    spent = 0.0
    for game in QUICK_GAMES if run.quick else GAMES:
        table, cost = _game(game, times)
        spent += cost
        tables.append(table)
        run.report.add(table)
    if run.pages is not None:
        _write(run, tables, times, spent)


def settings() -> list[Options]:
    """Epsilon and what to forget, in all combinations."""
    row = andorra.options.option_table().get(FORGETTING)
    ways: list[Options] = [{FORGETTING: way} for way in row.range.split("|")] if row else [{}]
    return [{"epsilon": epsilon, **way} for epsilon, way in product(EPSILONS, ways)]


def _game(game: str, times: int) -> tuple[Table, float]:
    """The table, and the CPU seconds that it took."""
    full = solve(_ample(game, 0))
    found: list[Found] = [("ample", {"epsilon": 0}, full)]
    found += [("ample", {"epsilon": e}, solve(_ample(game, e))) for e in EPSILONS if e]
    found += _small(game, full, times)
    rows = [_row(size, options, answer, full) for size, options, answer in found]
    title = f"df-pn on {game}, {QUESTION}; at most {times} times the visits of the full search"
    return Table("small-tables", title, rows), sum(each.cpu_seconds for *_, each in found)


def _ample(game: str, epsilon: float) -> Task:
    return Task(game, QUESTION, options={"epsilon": epsilon})


def _small(game: str, full: Answer, times: int) -> Iterator[Found]:
    for share, options in product(SHARES, settings()):
        cells = max(64, full.table_used // share)
        given = options | {"table_entries": cells, "guard": NEVER}
        yield (
            f"1/{share}",
            options,
            solve(Task(game, QUESTION, nodes=times * full.nodes, options=given)),
        )


def _row(size: str, options: Options, answer: Answer, full: Answer) -> Row:
    return {
        "table": size,
        "epsilon": str(options["epsilon"]),
        "forgets": options.get(FORGETTING),
        "cells": answer.table_entries,
        "verdict": answer.verdict if answer.limit is None else f"unknown: {answer.limit}",
        "pn": _number(answer.pn),
        "dn": _number(answer.dn),
        "nodes": answer.nodes,
        "of full": answer.nodes / full.nodes,
        "expansions": answer.expansions,
        "again": answer.reexpansions,
        "collections": answer.collections,
        "CPU s": answer.cpu_seconds,
    }


def _number(number: int | None) -> str:
    return "infinite" if number is None else f"{number:,}"


def _write(run: Run, tables: list[Table], times: int, spent: float) -> None:
    assert run.pages is not None
    command = "python -m bench small-tables" + (" --quick" if run.quick else "")
    lead = [
        pages.origin(command, spent),
        "Shares are of the entries that the plain search stores in an ample table; *of full* is "
        "the number of visits against that search's. A search that has taken "
        f"{times} times its visits is ended: its proof and disproof numbers are what it had "
        "reached. *Again* counts move generations of positions that the table still knew; one "
        "that was forgotten is expanded anew, and counts so.",
    ]
    pages.write(run.pages / "small-tables.md", "Df-pn in small tables", lead, tables)


SECTION = Section(
    "small-tables", "df-pn where the table is too small for the search", measure, long=True
)
