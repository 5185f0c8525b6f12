"""The rows of a study, looked up by solver and problem."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from andorra.study.plan import Plan, Problem
from andorra.study.row import Row

VIRTUAL_BEST = "virtual best"
"""What one would have who knew for each problem whom to ask."""


class Results:
    """What is there of a study, whole or not."""

    def __init__(self, plan: Plan, rows: Iterable[Row]) -> None:
        self.plan = plan
        self._rows = {row.key: row for row in rows}
        self.rows = [
            self._rows[solver.name, problem.name]
            for solver, problem in plan.runs()
            if (solver.name, problem.name) in self._rows
        ]
        """In the order of the plan."""

    @property
    def solvers(self) -> list[str]:
        """Their names, the reference first."""
        return [solver.name for solver in self.plan.solvers]

    @property
    def reference(self) -> str:
        """The solver that others are compared with: the plan's first."""
        return self.solvers[0]

    @property
    def families(self) -> dict[str, list[Problem]]:
        """The problems by family."""
        found: dict[str, list[Problem]] = {}
        for problem in self.plan.problems:
            found.setdefault(problem.family, []).append(problem)
        return found

    @property
    def missing(self) -> int:
        """How many runs of the plan there are none of."""
        return sum(1 for _ in self.plan.runs()) - len(self.rows)

    def row(self, solver: str, problem: Problem) -> Row | None:
        """The run, if there is one."""
        return self._rows.get((solver, problem.name))

    def of_solver(self, solver: str, problems: Iterable[Problem]) -> list[Row]:
        """The solver's runs on these problems."""
        found = (self.row(solver, problem) for problem in problems)
        return [row for row in found if row is not None]

    def on(self, problem: Problem) -> list[Row]:
        """The runs on a problem, in the order of solvers."""
        found = (self.row(solver, problem) for solver in self.solvers)
        return [row for row in found if row is not None]

    def best(self, problems: Iterable[Problem]) -> list[Row]:
        """The virtual best solver's runs: on each problem, the answer that took the least time."""
        found = []
        for problem in problems:
            rows = self.on(problem)
            answered = [row for row in rows if row.answer is not None]
            if rows:
                best = min(answered or rows, key=lambda row: row.cpu_seconds)
                found.append(replace(best, solver=VIRTUAL_BEST))
        return found
