"""How long until something happens? CPU time of an import and of `andorra --help`.

Each command runs many times in processes of their own; the interpreter's own start is part of the
figures that are judged, and is taken off in a column beside them.
"""

from __future__ import annotations

import sys

from bench.process import median_cpu, program
from bench.report import Row, Table, Target
from bench.section import Run, Section

RUNS = 25
IMPORT = Target(60, at_least=False, unit=" ms")
HELP = Target(250, at_least=False, unit=" ms")


def measure(run: Run) -> None:
    """A row a command."""
    bare = _python_ms("pass")
    imported, with_core = _python_ms("import andorra"), _python_ms("from andorra import solve")
    helped = 1000 * median_cpu([program("andorra"), "--help"], RUNS)
    rows = [
        _row("python -c pass", bare, bare),
        _row("import andorra", imported, bare)
        | run.report.judge("import andorra", imported, IMPORT),
        _row("from andorra import solve", with_core, bare),
        _row("andorra --help", helped, bare) | run.report.judge("andorra --help", helped, HELP),
    ]
    run.report.add(Table("startup", f"CPU milliseconds, medians of {RUNS} runs", rows))


def _python_ms(code: str) -> float:
    return 1000 * median_cpu([sys.executable, "-c", code], RUNS)


def _row(command: str, milliseconds: float, bare: float) -> Row:
    net = None if milliseconds == bare else milliseconds - bare
    return {"command": command, "ms": milliseconds, "net of the interpreter": net}


SECTION = Section("startup", "CPU time of an import and of the command's help", measure)
