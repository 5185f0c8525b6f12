"""What a study runs: solvers, problems, limits, and which solver runs on which problem.

Everything is spelled out here: positions and questions in canonical text, memory in bytes. So a
plan that is written into a journal says all that is needed to run it again, and two plans are the
same exactly if they run the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any


@dataclass(frozen=True)
class Limits:
    """When a run ends without an answer."""

    seconds: float | None
    """Of CPU time."""
    nodes: int | None
    memory: int
    """In bytes."""


@dataclass(frozen=True)
class Solver:
    """A line of the tables: an algorithm with its options, and the limits of its runs."""

    name: str
    algorithm: str
    options: dict[str, str]
    limits: Limits


@dataclass(frozen=True)
class Problem:
    """A question about a position, and who is asked."""

    name: str
    family: str
    """What it is counted under: the game's name, unless the plan says otherwise."""
    game: str
    position: str
    question: str
    known: str | None
    """The answer, where it is known from elsewhere."""
    solvers: tuple[str, ...]
    """Names, in the order of the plan."""


@dataclass(frozen=True)
class Plan:
    """A study."""

    title: str
    certificates: bool
    """Whether the fast checker sees a certificate of every answer."""
    solvers: tuple[Solver, ...]
    problems: tuple[Problem, ...]
    left_out: tuple[str, ...] = ()
    """What the plan names and this machine does not have, a line each."""

    def runs(self) -> Iterator[tuple[Solver, Problem]]:
        """All runs; solvers take turns on a problem, so that a study has whole problems early."""
        by_name = {solver.name: solver for solver in self.solvers}
        for problem in self.problems:
            for name in problem.solvers:
                yield by_name[name], problem

    def to_json(self) -> dict[str, Any]:
        """The plan as plain data."""
        plain = asdict(self)
        for problem in plain["problems"]:
            problem["solvers"] = list(problem["solvers"])
        return plain | {name: list(plain[name]) for name in ("solvers", "problems", "left_out")}

    @classmethod
    def from_json(cls, plain: dict[str, Any]) -> Plan:
        """The plan that `to_json` made this of."""
        solvers = [
            Solver(**{**each, "limits": Limits(**each["limits"])}) for each in plain["solvers"]
        ]
        problems = [
            replace(Problem(**each), solvers=tuple(each["solvers"])) for each in plain["problems"]
        ]
        parts = {"solvers": solvers, "problems": problems, "left_out": plain["left_out"]}
        return cls(**{**plain, **{name: tuple(part) for name, part in parts.items()}})

    def difference(self, other: Plan) -> str:
        """In a few words, what is different there from here; empty if nothing is."""
        if self == other:
            return ""
        for what in ("solvers", "problems"):
            here = {each.name: each for each in getattr(self, what)}
            there = {each.name: each for each in getattr(other, what)}
            for name in sorted(here.keys() ^ there.keys()):
                return f"{what[:-1]} {name!r} is only {'here' if name in here else 'there'}"
            for name in here:
                if here[name] != there[name]:
                    return f"{what[:-1]} {name!r}: {_differing(there[name], here[name])}"
        return _differing(other, self)


def _differing(there: Any, here: Any) -> str:
    """The first field that differs, with both values."""
    old, new = asdict(there), asdict(here)
    name = next(name for name in old if old[name] != new[name])
    return f"{name} is {_short(old[name])} there, {_short(new[name])} here"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:79]}…"
