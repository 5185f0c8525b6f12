"""The child process of `andorra.measure`: one task from standard input, what came of it as output.

`VmHWM` is the peak of this process alone; what `wait4` tells the parent would start with what the
parent had resident when it started us.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections.abc import Callable
from typing import IO

from andorra.api import solve
from andorra.errors import AndorraError
from andorra.measure import Measured, Task, make
from andorra.result import Progress


def main() -> None:
    """Solve, and tell."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which then ends us
    with _private_output() as out:
        parent, sys.path[:] = pickle.load(sys.stdin.buffer)
        measured = _measured(pickle.load(sys.stdin.buffer), parent)
        out.write(pickle.dumps(measured))


def _private_output() -> IO[bytes]:
    """Standard output for the answer alone: what a user's rules print goes to the messages."""
    private = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return private


def _measured(task: Task, parent: int) -> Measured:
    try:
        result = solve(make(task.game), progress=_end_with(parent), **task.arguments)
    except (AndorraError, MemoryError, OSError) as error:
        return Measured(None, _peak(), str(error) or type(error).__name__)
    return Measured(result, _peak())


def _end_with(parent: int) -> Callable[[Progress], None]:
    """Nobody would read the answer: do not search on for hours."""

    def look(_: Progress) -> None:
        if os.getppid() != parent:
            os._exit(1)

    return look


def _peak() -> int:
    with open("/proc/self/status", encoding="ascii", errors="replace") as status:
        return next(int(line.split()[1]) << 10 for line in status if line.startswith("VmHWM:"))


if __name__ == "__main__":
    main()
