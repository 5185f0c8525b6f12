"""The journal of a study: a file of JSON lines, first the plan and the machine, then a row a run.

A row is with the system as soon as its run is done, so a study can be ended at any time, by Ctrl-C
or a kill, and goes on where it stopped. Runs of two plans never mix: figures under other limits
cannot be compared.
"""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import andorra
from andorra.errors import PlanError
from andorra.json_lines import Form, JsonLines, Plain, has_keys, object_in
from andorra.study.plan import Plan
from andorra.study.row import KIND, Row

NAME = "runs.jsonl"
HEADER = "study"
FORMAT = 1
_CPU = Path("/proc/cpuinfo")
_HEADER_KEYS = {"plan": dict, "machine": dict, "started": str, "format": int}
_ROW_KEYS = dict.fromkeys((each.name for each in fields(Row)), object)
_KEYS: dict[object, dict[str, Any]] = {HEADER: _HEADER_KEYS, KIND: _ROW_KEYS}


def _parse(line: bytes) -> Plain | None:
    plain = object_in(line)
    if plain is None or plain.get("kind") not in _KEYS:
        return None
    return plain if has_keys(plain, _KEYS[plain["kind"]]) else None


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
    *lines, rest = path.read_bytes().split(b"\n")
    parsed = [_parse(line) for line in lines]
    for number, plain in enumerate(parsed, start=1):
        if plain is None:
            said = f"line {number} of {str(path)!r} is no part of a journal of a study"
            raise PlanError(f"{said}: expected {_FORM.expected}")
    last = _parse(rest)  # else a kill has cut it off
    return _recorded(folder, [plain for plain in (*parsed, last) if plain is not None])


def _recorded(folder: Path, lines: list[Plain]) -> Recorded:
    if not lines or lines[0]["kind"] != HEADER or lines[0]["format"] != FORMAT:
        raise PlanError(
            f"{str(folder / NAME)!r} does not begin with a plan of format {FORMAT}: "
            "expected a journal that this version of Andorra wrote"
        )
    head, *rest = lines
    rows = {row.key: row for row in map(Row.from_json, rest)}
    return Recorded(
        Plan.from_json(head["plan"]), head["machine"], head["started"], list(rows.values())
    )


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
