"""How long a study will take yet.

Idea: the cost of a run that is still to come is taken as its solver's mean, times how much dearer
than others its problem was to the solvers that had it. What such a cost is in time by the clock,
with so many runs at a time on a machine with other things to do, is measured as the study goes on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from andorra.study.plan import Problem, Solver
from andorra.study.row import Row

START_UP = 0.4
"""What a process costs before it searches, in CPU seconds."""


class Estimate:
    """What is known of the costs so far."""

    def __init__(self, rows: Iterable[Row], jobs: int) -> None:
        """`rows` are those of earlier times."""
        self._jobs = jobs
        self._all = _Mean()
        self._by_solver: dict[str, _Mean] = {}
        self._by_problem: dict[str, _Mean] = {}
        self._spent = 0.0
        for row in rows:
            self._learn(row)

    def add(self, row: Row) -> None:
        """A run is done."""
        self._learn(row)
        self._spent += cost(row)

    def left(self, to_come: Sequence[tuple[Solver, Problem]], elapsed: float) -> float:
        """Seconds by the clock for these runs, after `elapsed` seconds since it went on."""
        costs = sum(self._expected(solver, problem) for solver, problem in to_come)
        return costs * (elapsed / self._spent if self._spent else 1 / self._jobs)

    def _learn(self, row: Row) -> None:
        solver = self._by_solver.setdefault(row.solver, _Mean())
        problem = self._by_problem.setdefault(row.problem, _Mean())
        for mean in (self._all, solver, problem):
            mean.add(cost(row))

    def _expected(self, solver: Solver, problem: Problem) -> float:
        most = START_UP + (solver.limits.seconds or float("inf"))
        if not self._all.count:
            return START_UP if solver.limits.seconds is None else most
        usual = self._by_solver.get(solver.name, self._all).value
        dearer = self._by_problem.get(problem.name, self._all).value / self._all.value
        return min(usual * dearer, most)


class _Mean:
    """A mean of what is added."""

    def __init__(self) -> None:
        self.count = 0
        self._sum = 0.0

    def add(self, figure: float) -> None:
        self.count += 1
        self._sum += figure

    @property
    def value(self) -> float:
        return self._sum / self.count


def cost(row: Row) -> float:
    """About what a run took, in CPU seconds; one with a certificate is searched twice."""
    return START_UP + row.cpu_seconds * (1 if row.certificate is None else 2)
