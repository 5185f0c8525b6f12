"""How do best-first and depth-first compare? Expansions of pns and df-pn on small games.

For information. The two must agree on the value.
"""

from __future__ import annotations

from bench.report import Report, Row, Table
from bench.section import Run, Section
from bench.task import Answer, Task, solve

GAMES = (
    "mnk:3,3,3",
    "mnk:3,4,3",
    "mnk:4,4,3",
    "connect4:4x4",
    "connect4:5x4",
    "hex:3",
    "hex:4",
    "breakthrough:4x4",
    "breakthrough:5x4x1",
    "toll:4",
)


def measure(run: Run) -> None:
    """A row a game."""
    rows = []
    for game in GAMES:
        dfpn, pns = (solve(Task(game, memory="1GiB", algorithm=name)) for name in ("dfpn", "pns"))
        _compare(run.report, game, dfpn, pns)
        rows.append(_row(game, dfpn, pns))
    title = "all questions that the value needs; pns keeps a graph, df-pn a table"
    run.report.add(Table("pns", title, rows))


def _compare(report: Report, game: str, dfpn: Answer, pns: Answer) -> None:
    if None not in (dfpn.value, pns.value) and dfpn.value != pns.value:
        report.error(f"pns: {game}: dfpn says {dfpn.value!r}, pns {pns.value!r}")


def _row(game: str, dfpn: Answer, pns: Answer) -> Row:
    return {
        "game": game,
        "value": dfpn.value or dfpn.limit,
        "dfpn nodes": dfpn.nodes,
        "dfpn expansions": dfpn.expansions,
        "dfpn CPU s": dfpn.cpu_seconds,
        "pns value": pns.value or pns.limit,
        "pns expansions": pns.expansions,
        "pns CPU s": pns.cpu_seconds,
        "expansions, pns/dfpn": pns.expansions / max(dfpn.expansions, 1),
    }


SECTION = Section("pns", "pns against df-pn on small games", measure)
