"""The journal of a study: a file of JSON lines, first the plan and the machine, then a row a run.

A row is with the system as soon as its run is done, so a study can be ended at any time, by Ctrl-C
or a kill, and goes on where it stopped. Runs of two plans never mix: figures under other limits
cannot be compared.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from dataclasses import dataclass, fields
from io import FileIO
from pathlib import Path
from typing import Any, get_args

import andorra
from andorra.errors import PlanError
from andorra.json_lines import (
    LONGEST_LINE,
    Form,
    JsonLines,
    Plain,
    has_keys,
    lines_of,
    object_in,
)
from andorra.result import Value, Verdict
from andorra.study.plan import Plan
from andorra.study.row import KIND, Row

NAME = "runs.jsonl"
HEADER = "study"
FORMAT = 1
_CPU = Path("/proc/cpuinfo")
_HEADER_KEYS = {"plan": dict, "machine": dict, "started": str, "format": int}
_ROW_KEYS: dict[str, Any] = {
    **dict.fromkeys((each.name for each in fields(Row)), str),
    **dict.fromkeys(("known", "value", "limit", "certificate", "error"), str | None),
    **dict.fromkeys(("options", "limits"), dict),
    **dict.fromkeys(("nodes", "expansions", "reexpansions", "moves"), int),
    **dict.fromkeys(("resident_memory", "jobs"), int),
    **dict.fromkeys(("cpu_seconds", "wall_seconds"), int | float),
    "score": int | None,
    "unsound": bool,
}
_KEYS: dict[str, dict[str, Any]] = {HEADER: _HEADER_KEYS, KIND: _ROW_KEYS}


def _parse(line: bytes) -> Plain | None:
    plain = object_in(line)
    kind = None if plain is None else plain.get("kind")
    keys = _KEYS.get(kind) if isinstance(kind, str) else None
    if plain is None or keys is None or not has_keys(plain, keys):
        return None
    return plain if kind == HEADER or _is_answer(plain) else None


def _is_answer(row: Plain) -> bool:
    """Whether there are such a verdict and such a value."""
    return row["verdict"] in get_args(Verdict) and row["value"] in (None, *get_args(Value))


_FORM = Form(
    what="journal of a study",
    expected="an object of the kind 'study' or 'run'",
    beginning=b'{"kind": "',
    parse=_parse,
)


@dataclass(frozen=True)
class Recorded:
    """All that a journal says."""

    plan: Plan
    machine: dict[str, Any]
    started: str
    rows: list[Row]


class Journal(JsonLines):
    """The journal, open for one run of the study; the folder and the file are made if need be."""

    def __init__(self, folder: Path, plan: Plan, now: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        super().__init__(folder / NAME, f"{str(folder / NAME)!r}", _FORM)
        self.plan = plan
        self.rows: list[Row] = []
        try:
            self._begin(folder, now)
        except BaseException:
            self.close()
            raise

    def _begin(self, folder: Path, now: str) -> None:
        if not self.lines:
            self.add(_header(self.plan, now))
            return
        known = _recorded(folder, self.lines)
        _check_same(folder, self.plan, known.plan)
        self.rows = known.rows

    def keep(self, row: Row) -> None:
        """Append a run."""
        self.add(row.to_json())
        self.rows.append(row)


def recorded(folder: Path) -> Recorded:
    """What the journal in a folder says, without changing it."""
    path = folder / NAME
    if not path.is_file():
        raise PlanError(f"there is no study in {str(folder)!r}: expected a file {NAME!r}")
    with path.open("rb", buffering=0) as file:
        return _recorded(folder, list(_plains_in(file, path)))


def _plains_in(file: FileIO, path: Path) -> Iterator[Plain]:
    for number, line in enumerate(lines_of(file), start=1):
        plain = _FORM.understood(line.removesuffix(b"\n"))
        if plain is not None:
            yield plain
        elif line.endswith(b"\n") or len(line) > LONGEST_LINE:  # else a kill has cut it off
            said = f"line {number} of {str(path)!r} is no part of a journal of a study"
            raise PlanError(f"{said}: expected {_FORM.expected}")


def _recorded(folder: Path, lines: list[Plain]) -> Recorded:
    if not lines or lines[0]["kind"] != HEADER or lines[0]["format"] != FORMAT:
        raise PlanError(
            f"{str(folder / NAME)!r} does not begin with a plan of format {FORMAT}: "
            "expected a journal that this version of Andorra wrote"
        )
    head, *rest = lines
    if any(each["kind"] != KIND for each in rest):
        raise PlanError(f"{str(folder / NAME)!r} has two plans: expected one, and then runs")
    rows = {row.key: row for row in map(Row.from_json, rest)}
    plan = _plan_in(folder, head["plan"])
    return Recorded(plan, head["machine"], head["started"], list(rows.values()))


def _plan_in(folder: Path, plain: Plain) -> Plan:
    try:
        return Plan.from_json(plain)
    except (KeyError, TypeError):  # fields that are missing, too many, or of another kind
        said = f"{str(folder / NAME)!r} begins with something that is no plan"
        raise PlanError(f"{said}: expected one that this version of Andorra wrote") from None


def _check_same(folder: Path, plan: Plan, there: Plan) -> None:
    difference = plan.difference(there)
    if difference:
        raise PlanError(
            f"{str(folder)!r} has runs of another plan: {difference}\n"
            "give another folder with --output, or remove this one if its runs are not needed"
        )


def _header(plan: Plan, now: str) -> Plain:
    return {
        "kind": HEADER,
        "format": FORMAT,
        "started": now,
        "plan": plan.to_json(),
        "machine": {
            "cpu": _cpu(),
            "cores": os.cpu_count(),
            "memory": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
            "system": f"{platform.system()} {platform.release()}",
            "andorra": andorra.__version__,
            "python": platform.python_version(),
        },
    }


def _cpu() -> str:
    """The processor's name, where the system tells it."""
    try:
        lines = _CPU.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return platform.machine()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())
