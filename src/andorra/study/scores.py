"""What a solver achieved: counts, PAR2, means, ratios.

PAR2 is the mean CPU time over all runs, where a run without an answer counts as twice its limit;
SAT competitions rank by it. Means over different sets of problems mislead, because whoever solves
more hard ones looks worse. So nodes and time are geometric means over the *common set*, the
problems that all solvers answered. A solver that answers few would leave nothing of it: counted are
those that the plan asks about all problems and that answered at least half of what anybody did; the
others have no such means. For them, too, there are ratios to the reference solver, on the problems
that both answered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from statistics import median

from andorra.comparison import geometric_mean
from andorra.study.plan import Problem
from andorra.study.results import Results
from andorra.study.row import Row

LEAST_SECONDS = 0.001
"""What means and plots take for less: below it, times tell more of the clock than of the search."""
LEAST_NODES = 1


@dataclass(frozen=True)
class Score:
    """A solver on a set of problems."""

    solver: str
    runs: int
    solved: int
    proven: int
    disproven: int
    failed: int
    par2: float | None
    """None if a run had no limit on its time."""
    common: int
    """How many problems the next two are about."""
    nodes: float | None
    """Geometric means; None if the solver is not among the compared ones, or none is common."""
    cpu_seconds: float | None
    both: int
    """How many problems the next two are about: those that the reference solver answered, too."""
    nodes_ratio: float | None
    cpu_ratio: float | None
    speed: float | None
    """Nodes a CPU second, over all runs."""
    memory: float
    """The median of the runs' peaks, in bytes."""
    most_memory: int
    unique: int
    """Problems that nobody else answered."""
    verified: int
    unsound: bool


def scores(results: Results, problems: Sequence[Problem]) -> list[Score]:
    """One a solver that was run, in the plan's order; then the virtual best solver's."""
    common, compared = common_set(results, problems), compared_solvers(results, problems)
    alone = unique(results, problems)
    reference = results.of_solver(results.reference, problems)
    found = []
    for solver in results.solvers:
        rows = results.of_solver(solver, problems)
        if rows:
            shared = common if solver in compared else []
            found.append(_score(rows, shared, reference, len(alone.get(solver, []))))
    best = results.best(problems)
    return [*found, _score(best, common, reference, 0)] if best else found


def common_set(results: Results, problems: Sequence[Problem]) -> list[str]:
    """The names of the problems that all compared solvers answered."""
    solvers = compared_solvers(results, problems)
    return [
        problem.name
        for problem in problems
        if solvers and all(_is_answered(results.row(name, problem)) for name in solvers)
    ]


def compared_solvers(results: Results, problems: Sequence[Problem]) -> list[str]:
    """Whom the plan asks about all of the problems, and who answered half of what anybody did."""
    most = sum(map(_is_answered, results.best(problems)))
    return [
        name
        for name in results.solvers
        if all(name in problem.solvers for problem in problems)
        and 2 * sum(map(_is_answered, results.of_solver(name, problems))) >= most
    ]


def unique(results: Results, problems: Sequence[Problem]) -> dict[str, list[str]]:
    """By solver, the problems that it alone answered."""
    found: dict[str, list[str]] = {}
    for problem in problems:
        answered = [row.solver for row in results.on(problem) if _is_answered(row)]
        if len(answered) == 1:
            found.setdefault(answered[0], []).append(problem.name)
    return found


def unsolved(results: Results) -> list[Problem]:
    """The problems that were run and that nobody answered."""
    run = ((problem, results.on(problem)) for problem in results.plan.problems)
    return [problem for problem, rows in run if rows and not any(map(_is_answered, rows))]


def _score(rows: Sequence[Row], common: list[str], reference: list[Row], alone: int) -> Score:
    answered = [row for row in rows if _is_answered(row)]
    shared = [row for row in answered if row.problem in common]
    nodes_ratio, cpu_ratio, both = _ratios(answered, reference)
    return Score(
        solver=rows[0].solver,
        runs=len(rows),
        solved=len(answered),
        proven=sum(row.verdict == "proven" for row in answered),
        disproven=sum(row.verdict == "disproven" for row in answered),
        failed=sum(row.failed for row in rows),
        par2=par2(rows),
        common=len(shared),
        nodes=geometric_mean([_nodes(row) for row in shared]) if shared else None,
        cpu_seconds=geometric_mean([seconds(row) for row in shared]) if shared else None,
        both=both,
        nodes_ratio=nodes_ratio,
        cpu_ratio=cpu_ratio,
        speed=_speed(rows),
        memory=median(row.resident_memory for row in rows),
        most_memory=max(row.resident_memory for row in rows),
        unique=alone,
        verified=sum(row.verified for row in answered),
        unsound=any(row.unsound for row in rows),
    )


def par2(rows: Sequence[Row]) -> float | None:
    """The mean time, twice the limit where there is no answer; None if there is no such limit."""
    times = []
    for row in rows:
        limit = row.limits["seconds"]
        if limit is None:
            return None
        times.append(row.cpu_seconds if _is_answered(row) else 2 * limit)
    return fsum(times) / len(times)


def seconds(row: Row) -> float:
    """The CPU time, for means and plots."""
    return max(row.cpu_seconds, LEAST_SECONDS)


def _nodes(row: Row) -> float:
    return max(row.nodes, LEAST_NODES)


def _ratios(
    answered: Sequence[Row], reference: Sequence[Row]
) -> tuple[float | None, float | None, int]:
    """Geometric means of the quotients, nodes and time, and over how many problems."""
    others = {row.problem: row for row in reference if _is_answered(row)}
    pairs = [(row, others[row.problem]) for row in answered if row.problem in others]
    if not pairs:
        return None, None, 0
    nodes = geometric_mean([_nodes(mine) / _nodes(other) for mine, other in pairs])
    times = geometric_mean([seconds(mine) / seconds(other) for mine, other in pairs])
    return nodes, times, len(pairs)


def _speed(rows: Sequence[Row]) -> float | None:
    spent = fsum(row.cpu_seconds for row in rows)
    return sum(row.nodes for row in rows) / spent if spent else None


def _is_answered(row: Row | None) -> bool:
    return row is not None and row.answer is not None
