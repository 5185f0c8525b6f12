"""What does a small table cost? Df-pn with a table of a share of the entries that it would store.

For information: how much work comes back when results are forgotten. A search that takes too many
times the visits of the full one is ended, and its row says so.
"""

from __future__ import annotations

from bench.report import Row, Table
from bench.section import Run, Section
from bench.task import Answer, Task, solve

SHARES = (1, 10, 100)
GAMES = {"connect4:5x4": 100, "connect4:5x5": 25}
"""By game, how many times the visits of the full search the others may take."""


def measure(run: Run) -> None:
    """A table a game."""
    for game, times in GAMES.items():
        full = solve(Task(game, "win:first"))
        rows = [_row("ample", full, full)]
        rows += [
            _row(f"1/{share}", _with_share(game, share, full, times), full) for share in SHARES
        ]
        title = f"df-pn on {game}, win:first; at most {times} times the visits of the full search"
        run.report.add(Table("small_tables", title, rows))


def _with_share(game: str, share: int, full: Answer, times: int) -> Answer:
    cells = max(64, full.table_used // share)
    options: dict[str, int] = {"table_entries": cells}
    return solve(Task(game, "win:first", nodes=times * full.nodes, options=options))


def _row(size: str, answer: Answer, full: Answer) -> Row:
    return {
        "table": size,
        "cells": answer.table_entries,
        "verdict": answer.verdict if answer.limit is None else f"unknown: {answer.limit}",
        "nodes": answer.nodes,
        "of full": answer.nodes / full.nodes,
        "expansions": answer.expansions,
        "collections": answer.collections,
        "CPU s": answer.cpu_seconds,
    }


SECTION = Section("small_tables", "df-pn where the table is too small for the search", measure)
