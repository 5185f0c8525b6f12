"""What a run found: tables as they are printed and saved, targets met or missed, and errors.

A missed target is a figure like any other. An error is something wrong: a value that is not the
known one, a certificate that a checker rejects, a search that did not end; only errors make the
exit code 1.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path

import andorra

Cell = str | int | float | None
Row = dict[str, Cell]


@dataclass(frozen=True)
class Target:
    """A bound that a figure should keep."""

    bound: float
    at_least: bool
    unit: str = ""

    def __str__(self) -> str:
        return f"{'>=' if self.at_least else '<='} {cell_text(self.bound)}{self.unit}"

    def met(self, value: float) -> bool:
        """Whether the figure keeps it."""
        return value >= self.bound if self.at_least else value <= self.bound


@dataclass(frozen=True)
class Judged:
    """A figure beside its target."""

    what: str
    value: float
    target: str
    met: bool

    @property
    def cells(self) -> Row:
        """The last two columns of a row."""
        return {"target": self.target, "met": "ok" if self.met else "MISSED"}


@dataclass(frozen=True)
class Table:
    """Rows of named cells; a row need not have all columns."""

    section: str
    title: str
    rows: list[Row]
    notes: list[str] = field(default_factory=list)

    def text(self) -> str:
        """Aligned columns under their names: words to the left, numbers to the right."""
        columns = list(dict.fromkeys(name for row in self.rows for name in row))
        drawn = [_column(name, [row.get(name) for row in self.rows]) for name in columns]
        lines = ["  ".join(cells).rstrip() for cells in zip(*drawn, strict=True)]
        return "\n".join([self.title, *(f"  {line}" for line in lines), *self.notes])

    def markdown(self) -> str:
        """The same as a table in Markdown, without the title; notes become a list."""
        columns = list(dict.fromkeys(name for row in self.rows for name in row))
        marks = [
            "---:" if _numeric(row.get(name) for row in self.rows) else "---" for name in columns
        ]
        rows = [[cell_text(row.get(name)) for name in columns] for row in self.rows]
        lines = [f"| {' | '.join(cells)} |" for cells in (columns, marks, *rows)]
        notes = [f"- {note.strip()}" for note in self.notes]
        return "\n".join([*lines, *([""] if notes else []), *notes])


@dataclass
class Report:
    """Everything that a run found."""

    tables: list[Table] = field(default_factory=list)
    judged: list[Judged] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def add(self, table: Table) -> None:
        """Keep and print a table."""
        self.tables.append(table)
        print(f"\n{table.text()}", flush=True)

    def judge(self, what: str, value: float, target: Target) -> Row:
        """Keep a figure with its target, and give the cells that say so."""
        self.judged.append(Judged(what, value, str(target), target.met(value)))
        return self.judged[-1].cells

    def error(self, what: str) -> None:
        """Keep something that is wrong."""
        self.errors.append(what)

    def summary(self) -> str:
        """Targets met and missed, then errors."""
        missed = [each for each in self.judged if not each.met]
        lines = [f"{len(self.judged) - len(missed)} of {len(self.judged)} targets met; "]
        lines[0] += f"errors: {len(self.errors)}"
        lines += [f"MISSED: {m.what}: {cell_text(m.value)}, target {m.target}" for m in missed]
        return "\n".join([*lines, *(f"ERROR: {error}" for error in self.errors)])

    def save(self, path: Path) -> None:
        """Write everything as JSON, and on which machine it was measured."""
        path.write_text(json.dumps(asdict(self) | {"machine": machine()}, indent=1) + "\n")


def machine() -> dict[str, str]:
    """Where figures come from; the load says how quiet the machine was."""
    return {
        "andorra": andorra.__version__,
        "python": platform.python_version(),
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "load": f"{os.getloadavg()[0]:.2f}",
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def cell_text(cell: Cell) -> str:
    """A cell for people: thousands grouped, three digits that count.

    >>> cell_text(1234567), cell_text(0.012345), cell_text(2.0), cell_text(None)
    ('1,234,567', '0.0123', '2', '-')
    """
    if cell is None:
        return "-"
    if isinstance(cell, str):
        return cell
    return f"{cell:,.0f}" if abs(cell) >= 100 or isinstance(cell, int) else f"{cell:.3g}"


def _column(name: str, cells: list[Cell]) -> list[str]:
    """The cells under their name, all of one width."""
    texts = [name, *(cell_text(cell) for cell in cells)]
    width = max(map(len, texts))
    numeric = _numeric(cells)
    return [text.rjust(width) if numeric else text.ljust(width) for text in texts]


def _numeric(cells: Iterable[Cell]) -> bool:
    return not any(isinstance(cell, str) for cell in cells)
