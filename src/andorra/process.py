"""Child processes, with what they cost.

Idea: `wait4` tells the CPU time and the largest resident memory of one child, its start-up and what
its code makes the system do included. A child that may use so much CPU time and no more is ended by
the system.
Invariant: a child that was started here is waited for or killed here, whatever happens to us.
Beware: Linux counts the parent's resident memory at the start of a child as the child's. Whoever
needs that figure stays small, or has the child tell its own (`andorra.worker`).
"""

from __future__ import annotations

import os
import resource
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_LONGEST_EXCERPT = 500


@dataclass(frozen=True)
class Finished:
    """A child that has ended."""

    code: int
    """Its exit code; below zero, the signal that ended it."""
    raw_output: bytes
    messages: str
    cpu_seconds: float
    peak_memory: int
    """The largest resident memory, in bytes."""

    @property
    def output(self) -> str:
        """What it printed, as text."""
        return self.raw_output.decode(errors="replace")

    def describe(self) -> str:
        """How it ended, for an error message."""
        said = (self.messages or self.output).strip()[-_LONGEST_EXCERPT:]
        return f"ended with code {self.code}{f': {said}' if said else ''}"


class Child:
    """A program that runs beside us; `selectors` can wait for what it prints, or for its end."""

    def __init__(
        self,
        command: Sequence[str | Path],
        given: bytes = b"",
        folder: Path | None = None,
        most_cpu_seconds: int | None = None,
    ) -> None:
        """Start `command` in `folder`, with `given` as its standard input."""
        self._messages = tempfile.TemporaryFile()  # noqa: SIM115, closed when the child ends
        with tempfile.TemporaryFile() as source:
            source.write(given)
            source.seek(0)
            self._popen = subprocess.Popen(
                command, stdin=source, stdout=subprocess.PIPE, stderr=self._messages, cwd=folder
            )
        if most_cpu_seconds is not None:
            _limit(self._popen.pid, most_cpu_seconds)

    def fileno(self) -> int:
        """The pipe from its standard output."""
        assert self._popen.stdout is not None
        return self._popen.stdout.fileno()

    def finish(self) -> Finished:
        """Wait for its end; if that is interrupted, end it."""
        try:
            return self._finish()
        except BaseException:
            self.kill()
            raise

    def kill(self) -> None:
        """End it now, if it has not ended yet; a second time does nothing."""
        if self._popen.returncode is None:
            self._popen.kill()  # before all else: whatever closes the pipe waits for the end
        with self._popen:
            self._messages.close()

    def _finish(self) -> Finished:
        """Its end; nothing is closed before, because `kill` comes next if this is interrupted."""
        child = self._popen
        assert child.stdout is not None
        output = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        self._messages.seek(0)
        said = self._messages.read().decode(errors="replace")
        self.kill()
        cpu = usage.ru_utime + usage.ru_stime
        return Finished(child.returncode, output, said, cpu, usage.ru_maxrss * 1024)


def _limit(pid: int, cpu_seconds: int) -> None:
    with suppress(ProcessLookupError):
        resource.prlimit(pid, resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))
