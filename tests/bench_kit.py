"""The benchmarks' modules for tests: `bench` is no installed package, and lies beside `tests`."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.append(str(ROOT))

from bench import __main__ as main  # noqa: E402
from bench import (  # noqa: E402
    agents,
    certificates,
    core_distance,
    cures,
    effects,
    hard,
    overhead,
    problems,
    report,
    section,
    small_tables,
    task,
    team_runs,
    teams,
    techniques,
    tsume_certificates,
    tsume_classics,
    tsume_data,
    tsume_mates,
    tsume_replay,
    tsume_zuko,
)

__all__ = [
    "ROOT",
    "agents",
    "certificates",
    "core_distance",
    "cures",
    "effects",
    "hard",
    "main",
    "overhead",
    "problems",
    "report",
    "section",
    "small_tables",
    "task",
    "team_runs",
    "teams",
    "techniques",
    "tsume_certificates",
    "tsume_classics",
    "tsume_data",
    "tsume_mates",
    "tsume_replay",
    "tsume_zuko",
]
