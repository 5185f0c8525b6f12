"""One run of a study: a line of the journal, which says all about itself.

Nothing here needs the plan or other rows to be understood: versions, solver, options, problem,
limits, and what came of it.
"""

from __future__ import annotations

import platform
from dataclasses import asdict, dataclass, fields
from typing import Any

import andorra
from andorra.comparison import answer_to
from andorra.cpu_cap import CpuCap
from andorra.fast_checker import VERIFIED
from andorra.measure import FAILED, Measured
from andorra.result import Value, Verdict
from andorra.study.plan import Problem, Solver

KIND = "run"
WALL = "seconds"
"""The limit by the clock on the wall, as the core calls it."""


@dataclass(frozen=True)
class Row:
    """A solver on a problem."""

    solver: str
    problem: str
    family: str
    game: str
    position: str
    question: str
    known: str | None
    algorithm: str
    options: dict[str, str]
    limits: dict[str, Any]
    """`seconds` of CPU time, `nodes`, `memory` in bytes, `wall_seconds`."""
    verdict: Verdict
    value: Value | None
    score: int | None
    limit: str | None
    """What ended an unknown; `CPU seconds`, or `failed` if there is an error."""
    nodes: int
    expansions: int
    reexpansions: int
    moves: int
    cpu_seconds: float
    """Of the search, its start-up and the certificate excluded."""
    wall_seconds: float
    resident_memory: int
    """The largest resident memory of the process during the search, in bytes, Python included."""
    unsound: bool
    certificate: str | None
    """`verified`, `rejected: why`, or why there is none; None if there is nothing to certify."""
    error: str | None
    jobs: int
    """How many runs there were at a time."""
    finished: str
    """When, in UTC."""
    andorra: str
    python: str
    """The versions."""

    @property
    def key(self) -> tuple[str, str]:
        """What tells it from all other rows of a study."""
        return self.solver, self.problem

    @property
    def answer(self) -> str | None:
        """The verdict, or to the question for the value or the score, that; None if unknown."""
        return answer_to(self.question, self.verdict, self.value, self.score)

    @property
    def failed(self) -> bool:
        """Whether the run has no result at all."""
        return self.limit == FAILED

    @property
    def verified(self) -> bool:
        """Whether the fast checker accepted its certificate."""
        return self.certificate == VERIFIED

    @property
    def rejected(self) -> bool:
        """Whether the fast checker rejected its certificate."""
        return self.certificate is not None and self.certificate.startswith("rejected")

    @property
    def out_of_time(self) -> bool:
        """Whether time ended it."""
        return self.limit in (CpuCap.LIMIT, WALL)

    def to_json(self) -> dict[str, Any]:
        """The row as plain data."""
        return {"kind": KIND} | asdict(self)

    @classmethod
    def from_json(cls, plain: dict[str, Any]) -> Row:
        """The row that `to_json` made this of."""
        return cls(**{each.name: plain[each.name] for each in fields(cls)})


def made(
    solver: Solver,
    problem: Problem,
    measured: Measured,
    wall_seconds: float | None,
    jobs: int,
    finished: str,
) -> Row:
    """The row for what came of a run; `wall_seconds` was its limit by the clock on the wall."""
    limits = asdict(solver.limits) | {"wall_seconds": wall_seconds}
    return Row(
        solver=solver.name,
        problem=problem.name,
        family=problem.family,
        game=problem.game,
        position=problem.position,
        question=problem.question,
        known=problem.known,
        algorithm=solver.algorithm,
        options=solver.options,
        limits=limits,
        certificate=measured.certificate,
        jobs=jobs,
        finished=finished,
        andorra=andorra.__version__,
        python=platform.python_version(),
        **measured.figures(),
    )
