"""Standard streams that are closed, full or poor in letters: an exit code of their own, a sentence.

No failure may end with 0 or 1, which are answers.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import andorra
from cli_kit import PROGRAM, redirected

WON = "xx./oo./..."
SOLVE = ("solve", "mnk:3,3,3", WON)
MATE = "7nk/9/6G2/9/9/9/9/9/9 b 2G 1"
PLAN = """
[limits]
nodes = 1000
[solvers]
dfpn = {}
[[problems]]
game = "mnk:3,3,3"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What commands need: a certificate, positions, a plan."""
    andorra.solve("mnk:3,3,3", WON, certificate=tmp_path / "won.andorra")
    (tmp_path / "positions.txt").write_text(f"{WON}\n{WON}\n")
    (tmp_path / "plan.toml").write_text(PLAN)
    return tmp_path


COMMANDS = [
    ["--help"],
    ["solve", "mnk:3,3,3", "positions.txt"],
    ["check", "--both", "won.andorra"],
    ["show", "won.andorra", "--json"],
    ["draw", "mnk:3,3,3", "--encoding", "shift_jis"],
    ["compare", "mnk:3,3,3", WON, "--vary", "rise=9", "--csv"],
    ["study", "plan.toml"],
    ["view", "--no-browser"],
    ["games"],
    ["algorithms", "dfpn"],
    ["completion", "bash"],
]
FORMS = [[*SOLVE], [*SOLVE, "--quiet"], [*SOLVE, "--json"], ["solve", "mnk:3,3,3", "--quiet"]]
"""The last one is disproven."""


@pytest.mark.parametrize("arguments", COMMANDS + FORMS, ids=" ".join)
def test_output_that_is_full(arguments: list[str], folder: Path) -> None:
    ran = redirected(">/dev/full", *arguments, cwd=folder)
    assert ran.returncode == 74
    said = "error: cannot write to standard output: no space left on device"
    assert ran.stderr.splitlines()[-1] == said
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize("arguments", [*FORMS, ["check", "won.andorra"], ["games"]], ids=" ".join)
def test_output_that_is_closed(arguments: list[str], folder: Path) -> None:
    """Which is known at once, and nothing is searched for nobody."""
    ran = redirected(">&-", *arguments, cwd=folder)
    assert ran.returncode == 74
    assert ran.stderr == "error: cannot write to standard output: it is closed\n"


def test_an_engine_whose_output_cannot_be_written() -> None:
    for redirection in (">&-", ">/dev/full"):
        ran = redirected(redirection, "usi", input="isready\nquit\n")
        assert ran.returncode == 74
        assert "Traceback" not in ran.stderr


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_output_without_a_reader(arguments: list[str], folder: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-c", PROGRAM.format(before=""), *arguments]
    ran = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, cwd=folder, check=False)
    os.close(writing)
    assert ran.returncode == 141
    assert b"error" not in ran.stderr and b"Traceback" not in ran.stderr


@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full"])
@pytest.mark.parametrize(
    ("arguments", "code", "out"),
    [
        ([*SOLVE, "--quiet"], 0, "proven\n"),
        (["solve", "connect4:7x6", "--nodes", "3000000", "--quiet"], 4, "unknown\n"),
        (["solve", "mnk:3,3,3", "--nodes", "0"], 2, ""),
        (["check", "missing.andorra"], 3, ""),
    ],
)
def test_errors_that_cannot_be_written(
    redirection: str, arguments: list[str], code: int, out: str, folder: Path
) -> None:
    """Progress and errors must not get among the answers, nor cost one."""
    before = "import andorra.cli.progress as progress\nprogress.PLAIN_INTERVAL = 0"
    ran = redirected(redirection, *arguments, cwd=folder, before=before)
    assert ran.returncode == code
    assert ran.stdout.endswith(out) and "error" not in ran.stdout


def test_progress_does_not_get_into_the_output() -> None:
    before = "import andorra.cli.progress as progress\nprogress.PLAIN_INTERVAL = 0"
    for redirection in ("2>&-", "2>/dev/full"):
        arguments = ("solve", "connect4:7x6", "--nodes", "3000000", "--json")
        ran = redirected(redirection, *arguments, before=before)
        assert (ran.returncode, json.loads(ran.stdout)["limit"]) == (4, "nodes")


@pytest.mark.parametrize(
    "arguments", [["solve", "hex:3", "-"], ["draw", "hex:3", "-"], ["usi"]], ids=" ".join
)
def test_closed_input(arguments: list[str]) -> None:
    ran = redirected("<&-", *arguments)
    assert ran.returncode == 3
    assert ran.stderr == "error: cannot read standard input: it is closed\n"


def test_who_needs_no_input_needs_no_open_one(folder: Path) -> None:
    assert redirected("<&-", *SOLVE, "--quiet", cwd=folder).stdout == "proven\n"
    assert redirected("<&- 2>&-", "check", "--both", "won.andorra", cwd=folder).returncode == 0


def test_files_do_not_take_the_place_of_closed_streams(folder: Path) -> None:
    """A file that got the number of standard error would be written to by whoever prints errors."""
    before = "import os, atexit\natexit.register(lambda: os.write(2, b'not for a file'))"
    arguments = (*SOLVE, "--quiet", "--certificate", "new.andorra")
    ran = redirected("<&- 2>&-", *arguments, cwd=folder, before=before)
    assert (ran.returncode, ran.stdout) == (0, "proven\n")
    assert andorra.check(folder / "new.andorra").value == "win"


# ---- encodings ----


@pytest.mark.parametrize("encoding", ["latin-1", "ascii"])
def test_terminals_of_few_letters(encoding: str, folder: Path) -> None:
    environment = os.environ | {"PYTHONIOENCODING": encoding}
    for arguments in (
        ["solve", "tsume", MATE, "--board", "japanese"],
        ["draw", "tsume", MATE, "--board", "japanese"],
        ["games", "tsume"],
        ["compare", "mnk:3,3,3", WON, "--vary", "rise=9"],
        ["study", "plan.toml"],
    ):
        command = [sys.executable, "-c", PROGRAM.format(before=""), *arguments]
        ran = subprocess.run(command, capture_output=True, cwd=folder, check=False, env=environment)
        assert ran.returncode == 0, ran.stderr
        assert ran.stdout.decode(encoding)
    assert b"?" in ran.stdout or b"report" in ran.stdout


def test_json_is_exact_on_terminals_of_few_letters(tmp_path: Path) -> None:
    (tmp_path / "graph.txt").write_text("é: or 玉\n玉: win\n", encoding="utf-8")
    for encoding in ("latin-1", "ascii", "utf-8"):
        environment = os.environ | {"PYTHONIOENCODING": encoding}
        command = [sys.executable, "-c", PROGRAM.format(before=""), "solve", "graph", "graph.txt"]
        ran = subprocess.run(
            [*command, "--json"], capture_output=True, cwd=tmp_path, check=False, env=environment
        )
        assert json.loads(ran.stdout.decode(encoding))["line"] == ["玉"]


def test_names_that_are_no_text(tmp_path: Path) -> None:
    name = os.fsdecode(b"\xff.andorra")
    positions = tmp_path / "one.txt"
    positions.write_text(f"{WON}\n")
    strict = os.environ | {"PYTHONIOENCODING": "utf-8:strict"}
    ran = redirected("", *SOLVE, "--certificate", name, cwd=tmp_path, env=strict)
    assert ran.returncode == 0 and "certificate  ?.andorra" in ran.stdout
    ran = redirected("", *SOLVE, "--certificate", name, "--json", cwd=tmp_path, env=strict)
    assert ran.returncode == 0 and json.loads(ran.stdout)["certificate"] == name
    kept = ("solve", "mnk:3,3,3", "one.txt", "--quiet", "--resume", "kept.jsonl")
    ran = redirected("", *kept, "--certificate", os.fsdecode(b"\xff"), cwd=tmp_path, env=strict)
    assert (ran.returncode, ran.stdout) == (0, "proven\n")
