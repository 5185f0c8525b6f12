"""A child that was started is waited for or killed, wherever Ctrl-C finds its parent."""

from __future__ import annotations

import io
import os
import signal
from typing import NoReturn

import pytest

from andorra.process import Child

SILENT = ["sh", "-c", "exec >&-; exec sleep 20"]
"""Ends its output, and goes on."""


def interrupted(*_: object) -> NoReturn:
    raise KeyboardInterrupt


class Interrupting(io.BytesIO):
    """A pipe on which the parent is interrupted while it waits."""

    read = interrupted


def test_a_parent_that_is_interrupted_while_it_waits_kills_the_child(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    child = Child(SILENT)
    monkeypatch.setattr(os, "wait4", interrupted)
    with pytest.raises(KeyboardInterrupt):
        child.finish()
    assert child._popen.returncode == -signal.SIGKILL


def test_a_parent_that_is_interrupted_while_it_reads_kills_the_child() -> None:
    child = Child(SILENT)
    with child._popen.stdout or io.BytesIO():
        child._popen.stdout = Interrupting()
        with pytest.raises(KeyboardInterrupt):
            child.finish()
    assert child._popen.returncode == -signal.SIGKILL


def test_a_child_that_has_ended_can_be_killed_again_and_again() -> None:
    child = Child(["sh", "-c", "echo said; echo why >&2; exit 3"])
    finished = child.finish()
    assert (finished.code, finished.output, finished.messages) == (3, "said\n", "why\n")
    child.kill()
    child.kill()
    assert child._popen.returncode == 3
