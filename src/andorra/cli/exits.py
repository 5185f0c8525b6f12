"""How a command can end: the exit codes, and the one form that all our errors are printed in.

0 to 4 are the documented answers (docs/command-line.md). 70 is a bug of ours, 74 output that cannot
be written; 130 and 141 are what shells expect after Ctrl-C outside a search and after a closed
pipe. Invariant: no failure ends with 0 or 1, which are answers. What fails before Python runs our
first line is beyond it.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

import click

from andorra.errors import OutputError

PROVEN = VERIFIED = ANSWERED = 0
DISPROVEN = REJECTED = DISAGREEMENT = 1
USAGE = 2
BAD_INPUT = UNREADABLE = 3
UNKNOWN = 4
BUG = 70
NO_OUTPUT = 74
INTERRUPTED = 130
CLOSED_PIPE = 141


def print_error(message: str, usage: str | None = None) -> None:
    """Print `message` to standard error; its further lines hold the quoted input and the caret."""
    with suppress(BrokenPipeError, OutputError):
        sys.stdout.flush()
    click.echo(click.style("error: ", fg="red", bold=True) + message, err=True)
    if usage:
        click.echo(usage, err=True)


def describe(error: Exception) -> str:
    """What went wrong in words, without Python's own notation for it.

    >>> describe(FileNotFoundError(2, "No such file or directory", "a.txt"))
    "cannot open 'a.txt': no such file or directory"
    >>> describe(OSError(24, "Too many open files"))
    'too many open files'
    >>> describe(OSError(9, "Bad file descriptor", 5))
    'bad file descriptor'
    """
    if not (isinstance(error, OSError) and error.strerror):
        return str(error)
    reason = error.strerror[:1].lower() + error.strerror[1:]
    if not isinstance(error.filename, str | bytes):  # none, or the number of an open file
        return reason
    return f"cannot open {os.fsdecode(error.filename)!r}: {reason}"
