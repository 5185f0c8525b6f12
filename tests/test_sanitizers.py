"""The core's own tests (tests/core), built with the address and undefined-behaviour sanitizers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BUILD = ROOT / "build" / "sanitized"


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


@pytest.fixture(scope="module")
def build() -> Path:
    """The sanitized build, made anew only where sources changed."""
    settings = ["-DANDORRA_PYTHON=OFF", "-DANDORRA_TESTS=ON", "-DCMAKE_BUILD_TYPE=None"]
    flags = ["-DANDORRA_SANITIZE=address,undefined", "-DCMAKE_CXX_FLAGS=-O1 -g1"]
    run("cmake", "-S", ROOT, "-B", BUILD, "-G", "Ninja", *settings, *flags)
    run("cmake", "--build", BUILD, "--target", "core-tests", "core-tests-8-bit")
    return BUILD


@pytest.mark.parametrize("program", ["core-tests", "core-tests-8-bit"])
def test_core(build: Path, program: str) -> None:
    output = run(build / "tests" / "core" / program)
    passed, failed = output.splitlines()[-1].split(",")
    assert int(passed.split()[0]) > 500
    assert failed == " 0 failed"
