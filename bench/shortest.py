"""How long do mates in shogi take, and how fast is that proved? Sets of known length.

The sets are found through the environment variable ANDORRA_DATA, as in the tests. A mate that is
longer than its set says is an error, and so is a line of another length; shorter ones are counted,
because a set is no better than the program that made it.
"""

from __future__ import annotations

import os
from pathlib import Path

import andorra
from bench.report import Row, Table
from bench.section import Run, Section

SETS = {"nshogi_mate3": 3, "nshogi_mate5": 5, "nshogi_mate9": 9}
QUICK = 50
"""Problems of each set in a quick run."""


def measure(run: Run) -> None:
    """A row a set."""
    folder = os.environ.get("ANDORRA_DATA")
    if not folder:
        note = "  needs the problem sets: set ANDORRA_DATA to their folder"
        return run.report.add(Table("shortest", "shortest mates", [], [note]))
    most = QUICK if run.quick else run.problems
    rows = [_row(run, Path(folder, "tsume", f"{name}.sfen"), SETS[name], most) for name in SETS]
    run.report.add(Table("shortest", "shortest mates, each proved and none shorter", rows))


def _row(run: Run, path: Path, plies: int, most: int | None) -> Row:
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line[:1] != "#"]
    results = [_solved(run, line.partition("\t")[0], plies) for line in lines[:most] if line]
    seconds = sum(result.statistics["cpu_seconds"] for result in results)
    return {
        "set": path.stem,
        "problems": len(results),
        "as long": sum(result.length == plies for result in results),
        "shorter": sum(result.length is not None and result.length < plies for result in results),
        "nodes": sum(result.statistics["nodes"] for result in results),
        "CPU s": seconds,
        "ms a problem": 1000 * seconds / max(len(results), 1),
    }


def _solved(run: Run, sfen: str, plies: int) -> andorra.Result:
    result = andorra.solve("tsume", sfen, "shortest", memory="256MiB")
    if result.length is None or result.length > plies:
        run.report.error(f"shortest: {sfen}: {result.length} plies, known are {plies}")
    elif (len(result.line), result.line_end) != (result.length, "win"):
        run.report.error(f"shortest: {sfen}: a line of {len(result.line)} plies")
    return result


SECTION = Section("shortest", "shortest mates of sets of known length", measure, long=True)
