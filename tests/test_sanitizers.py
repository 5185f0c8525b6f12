"""The core's own tests (tests/core), built with sanitizers.

All of them with those for addresses and undefined behaviour, those of threads with that for races.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

pytestmark = pytest.mark.timeout(2400)  # from nothing, all of the core is compiled twice


def run(*command: str | Path) -> str:
    """Run a tool of the virtual environment; its output, or a failure that shows it."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        env=os.environ | {"PATH": path},
        check=False,
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-6000:]
    return done.stdout


def build(folder: str, sanitizers: str, *targets: str) -> Path:
    """The folder of the programs, made anew only where sources changed, by one worker at a time."""
    place = ROOT / "build" / folder
    place.mkdir(parents=True, exist_ok=True)
    settings = ["-DANDORRA_PYTHON=OFF", "-DANDORRA_TESTS=ON", "-DCMAKE_BUILD_TYPE=None"]
    flags = [f"-DANDORRA_SANITIZE={sanitizers}", "-DCMAKE_CXX_FLAGS=-O1 -g1"]
    with (place / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        run("cmake", "-S", ROOT, "-B", place, "-G", "Ninja", *settings, *flags)
        run("cmake", "--build", place, "--target", *targets)
    return place / "tests" / "core"


@pytest.fixture(scope="module")
def programs() -> Path:
    """Those that look at addresses and undefined behaviour."""
    return build("sanitized", "address,undefined", "core-tests", "core-tests-8-bit")


def failures(program: Path, least: int) -> str:
    """What a program says of failures; it must have passed at least so many checks."""
    passed, failed = run(program).splitlines()[-1].split(",")
    assert int(passed.split()[0]) >= least
    return failed.strip()


@pytest.mark.parametrize("program", ["core-tests", "core-tests-8-bit"])
def test_core(programs: Path, program: str) -> None:
    assert failures(programs / program, 500) == "0 failed"


def test_threads() -> None:
    program = build("races", "thread", "core-tests-threads") / "core-tests-threads"
    assert failures(program, 100) == "0 failed"
