"""Where the fast checker is, and what it says of a file.

It is a program of its own, and is run as one: whatever happens in it, it can only say yes by ending
with code 0.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from andorra.errors import AndorraError
from andorra.process import Child

PROGRAM = "andorra-check"
VERIFIED = "verified"
TOO_LARGE = "too large"
_REJECTED = 1


def find() -> Path:
    """The program: beside this Python, where it was installed, or on the PATH."""
    beside = Path(sys.executable).parent / PROGRAM
    found = str(beside) if beside.is_file() else shutil.which(PROGRAM)
    if found is None:
        raise AndorraError(
            f"the fast checker {PROGRAM!r} is neither beside {sys.executable!r} nor on the PATH"
        )
    return Path(found)


def opinion(path: Path, most_cpu_seconds: int | None = None) -> str:
    """`verified`, or in a line `rejected` and why, or why there is no opinion."""
    finished = Child([find(), path], most_cpu_seconds=most_cpu_seconds).finish()
    if finished.code == 0:
        return VERIFIED
    if finished.code != _REJECTED:
        return f"not checked: {PROGRAM} {' '.join(finished.describe().split())}"
    said = (finished.output + finished.messages).strip()
    reason = said.removeprefix(f"rejected  {path}: ")
    return f"rejected: {' '.join(reason.split())}"
