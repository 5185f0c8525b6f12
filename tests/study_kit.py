"""What tests of studies share: plans and rows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from andorra.study.plan import Limits, Plan, Problem, Solver
from andorra.study.row import Row
from measure_kit import MIB

LIMITS = Limits(10.0, None, 64 * MIB)
WON = "xx./oo./..."
SMALL = f"""
title = "A small study"

[limits]
nodes = 20000
memory = "1MiB"
certificates = false

[solvers]
dfpn = {{}}
pns = {{}}
"df-pn, 1+e" = {{ algorithm = "dfpn", epsilon = 0.5 }}

[[problems]]
name = "won"
game = "mnk:3,3,3"
position = "{WON}"
known = "proven"

[[problems]]
game = "mnk:3,3,3"
question = "value"
known = "draw"

[[problems]]
game = "connect4:4x4"
without = ["pns"]
"""


def a_plan(solvers: Sequence[str], problems: Sequence[str], **more: Any) -> Plan:
    """A plan in which every solver runs on every problem."""
    return Plan(
        title="Of hand-made rows",
        certificates=False,
        solvers=tuple(Solver(name, "dfpn", {}, LIMITS) for name in solvers),
        problems=tuple(
            Problem(name, "mnk", "mnk:3,3,3", name, "win:first", None, tuple(solvers))
            for name in problems
        ),
        **more,
    )


def a_row(solver: str, problem: str, seconds: float = 1.0, nodes: int = 100, **more: Any) -> Row:
    """A run that proved something."""
    values: dict[str, Any] = {
        "solver": solver, "problem": problem, "family": "mnk", "game": "mnk:3,3,3",
        "position": problem, "question": "win:first", "known": None, "algorithm": "dfpn",
        "options": {}, "limits": {"seconds": 10.0, "nodes": None, "memory": 64 * MIB},
        "verdict": "proven", "value": None, "score": None, "limit": None, "nodes": nodes,
        "expansions": 1,
        "reexpansions": 0, "moves": 1, "cpu_seconds": seconds, "wall_seconds": seconds,
        "resident_memory": 40 * MIB, "unsound": False, "certificate": None, "error": None,
        "jobs": 2, "finished": "2026-01-01T00:00:00+00:00", "andorra": "0.1.0", "python": "3.11.0",
    }  # fmt: skip
    return Row(**(values | more))


def unsolved(solver: str, problem: str, seconds: float = 10.0, **more: Any) -> Row:
    """A run that time ended."""
    values: dict[str, Any] = {"verdict": "unknown", "limit": "CPU seconds"}
    return a_row(solver, problem, seconds, **(values | more))


def written(folder: Path, text: str = SMALL, name: str = "small.toml") -> Path:
    """A plan in a file."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path
