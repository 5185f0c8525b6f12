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
from dataclasses import replace
from typing import IO, Any

from andorra import fast_checker
from andorra.api import solve
from andorra.cpu_cap import CpuCap
from andorra.errors import AndorraError
from andorra.measure import AnyGame, Measured, Task, make
from andorra.result import Progress, Result

_CERTIFICATE_SHARE = 3
"""A search with its certificate may take so many times the CPU time of the search alone."""
_FAULTS = (AndorraError, MemoryError, OSError)


def main() -> None:
    """Solve, and tell."""
    for number in (signal.SIGINT, signal.SIGTERM):  # for the parent, which then ends us
        signal.signal(number, signal.SIG_IGN)
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
    watched = replace(task, arguments=task.arguments | {"progress": _end_with(parent)})
    try:
        game = make(task.game)
        result = _searched(game, watched, task.cpu_seconds)
    except _FAULTS as error:
        return Measured(None, _peak(), _described(error))
    measured = Measured(result, _peak())  # before the certificate, which takes memory of its own
    if task.check_in is None or result.verdict == "unknown":
        return measured
    return replace(measured, certificate=_certificate(game, watched, result))


def _searched(game: str | AnyGame, task: Task, cpu_seconds: float | None, **more: Any) -> Result:
    if cpu_seconds is None:
        return solve(game, **task.arguments, **more)
    result = solve(game, stop=CpuCap(cpu_seconds), **task.arguments, **more)
    return replace(result, limit=CpuCap.LIMIT) if result.limit == "interrupted" else result


def _certificate(game: str | AnyGame, task: Task, answer: Result) -> str:
    """Search again for the certificate, so that nobody's figures have its cost; have it checked."""
    assert task.check_in is not None
    cap = None if task.cpu_seconds is None else task.cpu_seconds * _CERTIFICATE_SHARE
    path = task.check_in / f"{os.getpid()}.andorra"
    try:
        again = _searched(game, task, cap, certificate=path)
        if again.certificate is None:
            limit = again.certificate_limit or again.limit
            return f"none: {CpuCap.LIMIT if limit == 'interrupted' else limit}"
        if (again.verdict, again.value) != (answer.verdict, answer.value):
            return f"rejected: the certificate is for {again.verdict!r}, value {again.value}"
        return fast_checker.opinion(path, task.most_cpu_seconds)
    except _FAULTS as error:
        return f"none: {_described(error)}"
    finally:
        path.unlink(missing_ok=True)


def _described(error: Exception) -> str:
    return str(error) or type(error).__name__


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
