"""The Shogi Zuko, a hundred problems of 1755: how many under a cap, and in what time?

Beside the figures of two open solvers under the same cap. Problems 8 and 73 are left out of the
sums: neither peer solves them under it, and 73 has no mate as the set has it. A search that the cap
ends counts as long as the cap. Every line is replayed in cshogi, where that is installed.
"""

from __future__ import annotations

from collections.abc import Mapping

from bench import tsume_data
from bench.report import Row, Table, Target
from bench.section import Run
from bench.task import Answer, solve
from bench.tsume_data import Mate, Spent
from bench.tsume_replay import COLUMN, Replay

NAME = "tsume-zuko"
MEMORY = "1GiB"
SECONDS = 10.0
LEFT_OUT = ("zuko008", "zuko073")
LONGEST = "zuko100"
"""Kotobuki, 611 plies."""
OURS = "andorra"

Figures = Mapping[str, Spent]
"""By problem."""


def measure(run: Run) -> None:
    """A row a problem, and one a solver."""
    seconds = run.seconds or SECONDS
    mates = tsume_data.chosen(run, tsume_data.ZUKO)
    replay = Replay(run, NAME)
    answers = {mate.name: _answer(run, mate, seconds, replay) for mate in mates}
    peers = tsume_data.peers()
    ours = {name: _spent(answer, seconds) for name, answer in answers.items()}
    rows = [_row(name, answer, peers) for name, answer in answers.items()]
    title = f"Shogi Zuko, {MEMORY}, at most {seconds:g} CPU s a problem; peers: at most 10"
    run.report.add(Table(NAME, title, rows))
    sums = [_sums(solver, own, list(answers)) for solver, own in {OURS: ours, **peers}.items()]
    sums[0][COLUMN] = replay.confirmed
    notes = [f"  worst and sum: without {' and '.join(LEFT_OUT)}", *replay.notes]
    run.report.add(Table(NAME, "Shogi Zuko, all solvers", sums, notes))
    if LONGEST in answers and seconds == SECONDS:
        run.report.add(_targets(run, ours))


def _answer(run: Run, mate: Mate, seconds: float, replay: Replay) -> Answer:
    answer = solve(mate.task(MEMORY, seconds))
    tsume_data.check(run, NAME, mate, answer)
    if answer.verdict == "proven":
        replay.check(mate.name, mate.position, answer.line, answer.line_end)
    return answer


def _spent(answer: Answer, cap: float) -> Spent:
    solved = answer.verdict == "proven"
    return Spent(solved, answer.cpu_seconds if solved else max(answer.cpu_seconds, cap))


def _row(name: str, answer: Answer, peers: Mapping[str, Figures]) -> Row:
    return {
        "problem": name,
        "verdict": answer.verdict if answer.limit is None else f"unknown: {answer.limit}",
        "plies": len(answer.line) or None,
        "nodes": answer.nodes,
        "CPU s": answer.cpu_seconds,
        **{solver: _if_solved(own[name]) for solver, own in peers.items()},
    }


def _if_solved(spent: Spent) -> float | None:
    return spent.cpu_seconds if spent.solved else None


def _sums(solver: str, own: Figures, asked: list[str]) -> Row:
    counted = {name: own[name].cpu_seconds for name in asked if name not in LEFT_OUT}
    worst = max(counted, key=lambda name: counted[name])
    return {
        "solver": solver,
        "problems": len(asked),
        "solved": sum(own[name].solved for name in asked),
        "sum CPU s": sum(counted.values()),
        "worst CPU s": counted[worst],
        "worst": worst,
    }


def _targets(run: Run, own: Figures) -> Table:
    counted = {name: spent for name, spent in own.items() if name not in LEFT_OUT}
    figures = {
        "solved": (sum(each.solved for each in counted.values()), Target(98, at_least=True)),
        "sum CPU s": (
            sum(each.cpu_seconds for each in counted.values()),
            Target(40, at_least=False, unit=" s"),
        ),
        f"CPU s of {LONGEST}": (
            own[LONGEST].cpu_seconds,
            Target(2, at_least=False, unit=" s"),
        ),
    }
    rows: list[Row] = [
        {"figure": what, "value": value, **run.report.judge(f"{NAME}: {what}", value, target)}
        for what, (value, target) in figures.items()
    ]
    return Table(NAME, f"targets, without {' and '.join(LEFT_OUT)}", rows)


SECTION = tsume_data.section(
    NAME,
    "the hundred problems of the Shogi Zuko beside two peers",
    (tsume_data.ZUKO, tsume_data.PEERS),
    measure,
    long=False,
)
