"""Fixtures that all tests share.

Problem sets that the repository does not carry are found through the environment variable
`ANDORRA_DATA`. Without it the tests that need them are skipped and say so; with it, a missing set
is a failure, so that a run that claims to have the data has it.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

FindProblemSet = Callable[[str], Path]

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    # A shell starts what runs in its background so. Processes that tests interrupt would inherit
    # it, and never end.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def problem_set() -> FindProblemSet:
    """Finds a problem set by its path below the data folder, such as `tsume/zuko100.sfen`."""
    folder = os.environ.get("ANDORRA_DATA")

    def find(relative: str) -> Path:
        if not folder:
            pytest.skip(f"needs the problem set {relative}: set ANDORRA_DATA to its data folder")
        path = Path(folder, relative)
        assert path.is_file(), f"ANDORRA_DATA={folder} has no {relative}"
        return path

    return find


@pytest.fixture(autouse=True)
def one_core(monkeypatch: pytest.MonkeyPatch) -> None:
    """All cores are one, for whoever asks for all: what two threads visit is up to chance.

    Tests of threads say how many.
    """
    monkeypatch.setattr("andorra.options.cores", lambda: 1)
