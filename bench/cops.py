"""Cops and Robber, a game full of cycles: what do the searches need, and how often do they give up?

A verdict that is not the known one is an error; `no progress` is a figure. The graphs with names
are those of the tests; all connected graphs of up to 8 vertices are a problem set outside the
repository, found through `ANDORRA_DATA`.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import andorra
from bench.report import Row, Table
from bench.section import Run, Section
from bench.task import Task, solve

DATA = Path(__file__).parent.parent / "tests" / "data" / "cops.json"
CONNECTED = "graphs/connected-1-8.g6"
COP_WIN = {1: 1, 2: 1, 3: 2, 4: 5, 5: 16, 6: 68, 7: 403, 8: 3791}
"""By the number of vertices, on how many connected graphs one cop wins."""
MEMORY = "64MiB"


def measure(run: Run) -> None:
    """A table of graphs with names, and one of all small ones."""
    named: dict[str, dict[str, Any]] = json.loads(DATA.read_text(encoding="utf-8"))["named"]
    rows = [
        _named_row(run, name, entry, cops, algorithm)
        for name, entry in named.items()
        for cops in (entry["cops"] - 1, entry["cops"])
        for algorithm in ("dfpn", "fixpoint")
    ]
    run.report.add(Table("cops", f"can so many cops catch the robber? memory {MEMORY}", rows))
    run.report.add(_all_small_graphs(run))


def _named_row(run: Run, name: str, entry: dict[str, Any], cops: int, algorithm: str) -> Row:
    task = Task(f"cops:{cops}", "win:first", entry["edges"], algorithm, MEMORY)
    answer = solve(task)
    known = "proven" if cops >= entry["cops"] else "disproven"
    if answer.verdict not in (known, "unknown"):
        run.report.error(f"cops: {name}, {cops}: found {answer.verdict!r}, known is {known!r}")
    return {
        "graph": name,
        "cops": cops,
        "algorithm": algorithm,
        "verdict": answer.verdict if answer.limit is None else f"unknown: {answer.limit}",
        "nodes": answer.nodes,
        "expansions": answer.expansions,
        "CPU s": answer.cpu_seconds,
    }


def _all_small_graphs(run: Run) -> Table:
    title = "df-pn, one cop, all connected graphs by number of vertices; one process"
    file = Path(os.environ.get("ANDORRA_DATA", ""), CONNECTED)
    if not file.is_file():
        return Table("cops", title, [], [f"  left out: needs {CONNECTED} in ANDORRA_DATA"])
    graphs = file.read_text(encoding="ascii").split()
    rows = [_size_row(run, vertices, graphs) for vertices in COP_WIN]
    return Table("cops", title, rows)


def _size_row(run: Run, vertices: int, graphs: list[str]) -> Row:
    counts: Counter[str] = Counter()
    seconds = 0.0
    for graph in (graph for graph in graphs if ord(graph[0]) - 63 == vertices):
        result = andorra.solve("cops:1", graph, memory=MEMORY)
        counts.update([result.verdict, "graphs"])
        counts["nodes"] += result.statistics["nodes"]
        seconds += result.statistics["cpu_seconds"]
    won, known = counts["proven"], COP_WIN[vertices]
    if not won <= known <= won + counts["unknown"]:
        run.report.error(f"cops: {vertices} vertices: {won} graphs won, known are {known}")
    names = ("graphs", "proven", "disproven", "unknown", "nodes")
    return {"vertices": vertices, **{name: counts[name] for name in names}, "CPU s": seconds}


SECTION = Section("cops", "Cops and Robber on named graphs and on all small ones", measure)
