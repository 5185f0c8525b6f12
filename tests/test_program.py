"""The program around the command line: whatever happens, the exit code is an answer or says why."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from andorra.cli import exits, interrupts, main
from andorra.cli.program import program


@pytest.fixture(autouse=True)
def _signals_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the signals of the tests' own process alone."""
    monkeypatch.setattr(interrupts, "install", lambda: None)
    monkeypatch.setattr(interrupts, "ignore", lambda: None)


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (MemoryError(), 3, "this needs more memory than the system gives"),
        (ImportError("x.so: failed to map segment from shared object"), 3, "needs more memory"),
        (ImportError("no module named x"), 70, "this is a bug in Andorra"),
        (KeyboardInterrupt(), 130, "error: interrupted"),
        (ValueError("surprise"), 70, "ValueError: surprise"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_escapes_is_no_answer(
    error: BaseException,
    code: int,
    words: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    def failing() -> int:
        raise error

    monkeypatch.setattr(main, "main", failing)
    assert program() == code
    assert words in capfd.readouterr().err


def test_no_memory_for_the_message_itself(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def out_of_memory(*_: Any, **__: Any) -> Any:
        raise MemoryError

    monkeypatch.setattr(main, "_run", out_of_memory)
    monkeypatch.setattr(exits, "print_error", out_of_memory)
    assert program() == 3
    assert "needs more memory" in capfd.readouterr().err


def run_and_signal(name: str, when: str) -> subprocess.CompletedProcess[str]:
    """Run the program, which sends itself a signal."""
    code = (
        "import atexit, os, signal, sys\n"
        f"def send(*_): os.kill(os.getpid(), signal.{name})\n"
        f"{when}\n"
        "from andorra.cli.program import program\n"
        "sys.argv[1:] = ['solve', 'mnk:3,3,3', 'xx./oo./...', '--quiet', '--threads', '1']\n"
        "sys.exit(program())"
    )
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_a_signal_while_python_ends_does_not_change_the_answer(name: str) -> None:
    done = run_and_signal(name, "atexit.register(send)")
    assert (done.returncode, done.stdout, done.stderr) == (0, "proven\n", "")


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_a_signal_while_modules_are_imported_interrupts(name: str) -> None:
    first = "import builtins\nplain = builtins.__import__\n"
    first += "def slow(name, *rest):\n    if name == 'andorra.cli.main': send()\n"
    first += "    return plain(name, *rest)\nbuiltins.__import__ = slow"
    done = run_and_signal(name, first)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "error: interrupted\n")
