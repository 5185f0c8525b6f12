"""Short mates of shogi from games: are all of them proven, and in what time?

Three thousand searches of a few milliseconds, so all run in one process. Every line is replayed in
cshogi, where that is installed.
"""

from __future__ import annotations

import andorra
from bench import tsume_data
from bench.report import Row, Table, Target
from bench.section import Run
from bench.tsume_data import GAME, QUESTION
from bench.tsume_replay import COLUMN, Replay

NAME = "tsume-mates"
SETS = ("nshogi_mate3.sfen", "nshogi_mate5.sfen", "nshogi_mate9.sfen")
MEMORY = "64MiB"
SECONDS = 10.0


def measure(run: Run) -> None:
    """A row a set."""
    rows = [_row(run, name) for name in SETS]
    title = f"mates in three, five and nine, {MEMORY}, at most {SECONDS:g} s a problem; one process"
    run.report.add(Table(NAME, title, rows, Replay(run, NAME).notes))


def _row(run: Run, name: str) -> Row:
    positions = [mate.position for mate in tsume_data.chosen(run, name)]
    results = [_result(position) for position in positions]
    confirmed = _check(run, name, results)
    proven = sum(result.verdict == "proven" for result in results)
    seconds = [float(result.statistics["cpu_seconds"]) for result in results]
    return {
        "set": name.removesuffix(".sfen"),
        "problems": len(results),
        "proven": proven,
        COLUMN: confirmed,
        "nodes": sum(result.statistics["nodes"] for result in results),
        "mean CPU s": sum(seconds) / len(seconds),
        "worst CPU s": max(seconds),
        **run.report.judge(f"{name}: proven", proven, Target(len(results), at_least=True)),
    }


def _result(position: str) -> andorra.Result:
    return andorra.solve(GAME, position, QUESTION, memory=MEMORY, seconds=SECONDS)


def _check(run: Run, name: str, results: list[andorra.Result]) -> int | None:
    """Report what is wrong; how many lines cshogi has confirmed."""
    replay = Replay(run, NAME)
    for number, result in enumerate(results, start=1):
        problem = f"{name}, problem {number}"
        if result.verdict == "disproven":
            run.report.error(f"{NAME}: {problem} is a mate, found 'disproven'")
        elif result.verdict == "proven":
            replay.check(problem, result.position, result.line, result.line_end)
    return replay.confirmed


SECTION = tsume_data.section(
    NAME, "3,000 mates in three, five and nine plies", SETS, measure, long=False
)
