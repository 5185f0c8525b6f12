"""Pages of figures in `docs/`, written by the command that measures them."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from pathlib import Path

from bench.process import ROOT
from bench.report import Table, machine


def write(path: Path, title: str, lead: Iterable[str], tables: Iterable[Table]) -> None:
    """Write a page: paragraphs, then the tables under their titles."""
    parts = [f"# {title}", *lead]
    for table in tables:
        parts += [f"## {table.title}", table.markdown()]
    path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def origin(command: str, cpu_seconds: float) -> str:
    """Where the figures of a page come from."""
    where = machine()
    return (
        f"Made by `{command}`, {_commit()}, in {cpu_seconds / 60:.0f} minutes of CPU time on a "
        f"machine with {where['cores']} cores, {where['processor']}, and a load of "
        f"{where['load']} at the end. Do not edit: run the command again."
    )


def _commit() -> str:
    asked = ["git", "log", "-1", "--format=commit %h of %cs"]
    try:
        said = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "outside a repository"
    return said.stdout.strip()
