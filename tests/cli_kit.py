"""What tests of the command line share: how a command ended, and what a terminal shows of it."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple


class Ran(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def answers(self) -> list[dict[str, Any]]:
        """What it printed with `--json`."""
        return [json.loads(line) for line in self.out.splitlines()]


Run = Callable[..., Ran]


PROGRAM = (
    "import signal, sys\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
    "{before}\nfrom andorra.cli.main import main\nsys.exit(main())"
)
"""The command; a shell that runs tests in its background has its children ignore Ctrl-C."""


def redirected(
    redirections: str, *arguments: str, before: str = "", **options: Any
) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own, with its streams redirected as the shell does it."""
    command = [sys.executable, "-c", PROGRAM.format(before=before), *arguments]
    return subprocess.run(
        ["bash", "-c", f'exec "$@" {redirections}', "bash", *command],
        capture_output=True,
        text=True,
        check=False,
        **options,
    )


def started(*arguments: str, before: str = "", **options: Any) -> subprocess.Popen[str]:
    """A command in a process of its own that tells every moment of its progress."""
    eager = f"import andorra.cli.progress as progress\nprogress.PLAIN_INTERVAL = 0\n{before}"
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(before=eager), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def on_a_terminal(*arguments: str, folder: Path, before: str = "") -> tuple[int, str]:
    """Exit code and everything that a terminal of 100 columns is sent; `before` is run first."""
    leader, follower = pty.openpty()
    code = f"import sys\n{before}from andorra.cli.main import main\nsys.exit(main())"
    process = subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        stdin=follower, stdout=follower, stderr=follower, cwd=folder,
        env=os.environ | {"TERM": "xterm", "COLUMNS": "100", "LINES": "40"},
    )  # fmt: skip
    os.close(follower)
    sent = b""
    while True:
        try:
            chunk = os.read(leader, 1 << 16)
        except OSError:  # Linux says so when the other end is closed
            break
        if not chunk:
            break
        sent += chunk
    os.close(leader)
    return process.wait(), sent.decode()
