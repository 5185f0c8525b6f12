"""Input that is no text, never ends or needs more than there is: exit 2 or 3, and a sentence."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import andorra
from andorra.cli.main import main
from andorra.rulebook import reading
from cli_kit import redirected

WON = "xx./oo./..."
LATIN = "é: win\n".encode("latin-1")
OWN = """
from andorra import Game
class Nim(Game):
    name = "nim"
    def initial(self): return (3, 0)
    def to_move(self, s): return s[1]
    def moves(self, s): return [t for t in (1, 2) if t <= s[0]]
    def play(self, s, m): return (s[0] - m, 1 - s[1])
    def outcome(self, s): return None if s[0] else ("second", "first")[s[1]]
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def refused(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 3) -> str:
    """What is said on standard error."""
    capsys.readouterr()
    assert main(arguments) == code
    said = capsys.readouterr().err
    assert "Traceback" not in said
    return said


# ---- files that are not UTF-8 ----


@pytest.mark.parametrize("bad", [LATIN, b"\xff\xfe\x00", b"\x80"])
def test_files_that_are_not_utf_8(bad: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    Path("bad").write_bytes(bad + b"\n")
    for arguments in (
        ["solve", "graph", "bad"],
        ["draw", "graph", "bad"],
        ["view", "graph", "bad", "--no-browser"],
        ["compare", "graph", "bad", "--vary", "rise=9"],
        ["solve", "hex:3", "bad"],
        ["compare", "hex:3", "bad", "--vary", "rise=9"],
        ["draw", "hex:3", "bad"],
        ["study", "bad"],
        ["view", "bad", "--no-browser"],
    ):
        assert "error: " in refused(capsys, *arguments), arguments
    Path("one.txt").write_text("...\n")
    assert "no file of answers" in refused(
        capsys, "solve", "mnk:3,1,3", "one.txt", "--resume", "bad"
    )


@pytest.mark.parametrize("source", ["file", "data"])
def test_positions_of_a_plan_that_are_not_utf_8(
    source: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANDORRA_DATA", ".")
    Path("bad.txt").write_bytes(b"4 # \xe9\n")
    Path("plan.toml").write_text(
        "[limits]\nnodes = 10\n[solvers]\ndfpn = {}\n"
        f"[[problems]]\ngame = 'connect4'\n{source} = 'bad.txt'\n"
    )
    assert "bad.txt: expected UTF-8 text" in refused(capsys, "study", "plan.toml")


def test_a_journal_that_is_not_utf_8(capsys: pytest.CaptureFixture[str]) -> None:
    Path("plan.toml").write_text(
        "[limits]\nnodes = 10\n[solvers]\ndfpn = {}\n[[problems]]\ngame = 'mnk:3,3,3'\n"
    )
    Path("study-plan").mkdir()
    Path("study-plan", "runs.jsonl").write_bytes(LATIN)
    for more in ([], ["--report-only"]):
        assert "journal of a study" in refused(capsys, "study", "plan.toml", *more)


def test_results_that_are_not_utf_8(capsys: pytest.CaptureFixture[str]) -> None:
    Path("runs.jsonl").write_bytes(b'{"kind": "run"}\n{"setting": "\xe9"}\n')
    assert "there is no run" in refused(capsys, "view", "runs.jsonl", "--no-browser")


# ---- what never ends ----


@pytest.fixture
def short_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A MiB is too long, so that tests are quick."""
    monkeypatch.setattr(reading, "LARGEST_TEXT", 1 << 20)


@pytest.mark.usefixtures("short_texts")
def test_devices_that_never_end(capsys: pytest.CaptureFixture[str]) -> None:
    said = "'/dev/zero' holds more than 1 MiB"
    for arguments in (
        ["solve", "graph", "/dev/zero"],
        ["draw", "graph", "/dev/zero"],
        ["compare", "graph", "/dev/zero", "--vary", "rise=9"],
        ["view", "graph", "/dev/zero", "--no-browser"],
    ):
        assert said in refused(capsys, *arguments)
    assert "holds more than 1 MiB" in refused(capsys, "study", "/dev/zero")
    assert "nor is there a file '/dev/zero'" in refused(capsys, "solve", "tsume", "/dev/zero")
    assert "no certificate" in refused_check(capsys, "/dev/zero")


def refused_check(capsys: pytest.CaptureFixture[str], path: str) -> str:
    assert main(["check", path]) == 1
    return capsys.readouterr().out


def test_a_line_that_never_ends() -> None:
    for arguments in (["solve", "hex:3", "-"], ["draw", "hex:3", "-"], ["solve", "tsume", "-"]):
        ran = redirected("< /dev/zero", *arguments)
        assert ran.returncode == 3
        assert ran.stderr.startswith("error: <stdin>:1: the line has more than 1,048,576 bytes")
    Path("long.txt").write_bytes(b"." * (1 << 21))
    ran = redirected("", "solve", "hex:3", "long.txt")
    assert ran.returncode == 3
    assert ran.stderr.startswith("error: long.txt:1: the line has more than 1,048,576 bytes")


def test_diagrams_that_never_end() -> None:
    short = "import andorra.rulebook.reading as reading\nreading.LARGEST_TEXT = 1 << 20"
    ran = redirected("< <(yes '|')", "solve", "tsume", "-", before=short)
    assert ran.returncode == 3
    assert ran.stderr.startswith("error: '<stdin>' holds more than 1 MiB")


def test_graphs_come_through_pipes() -> None:
    graph = "<(echo 'a: or b' && echo 'b: win')"
    for arguments in ("solve graph {} --quiet", "solve graph {} --position b --quiet"):
        ran = redirected(arguments.format(graph))
        assert (ran.returncode, ran.stdout) == (0, "proven\n"), ran.stderr
    ran = redirected(f"compare graph {graph} --vary rise=9 --csv")
    assert (ran.returncode, ran.stdout.count("proven")) == (0, 2), ran.stderr


# ---- memory ----


LIMITED = """
import resource
import andorra._core
resource.setrlimit(resource.RLIMIT_AS, ({0}, {0}))
"""


@pytest.mark.parametrize("algorithm", ["dfpn", "pns", "fixpoint"])
def test_less_memory_than_was_asked_for(algorithm: str) -> None:
    before = LIMITED.format(1 << 30)
    asked = ["solve", "mnk:3,3,3", WON, "--algorithm", algorithm, "--memory", "32GiB"]
    for more in ([], ["--value"], ["--shortest"], ["--score"]):
        ran = redirected("", *asked, *more, "--quiet", before=before)
        assert (ran.returncode, ran.stdout) == (2, "")
        assert ran.stderr.startswith("error: memory of 34359738368 bytes (32,768 MiB): the system")
        assert "Traceback" not in ran.stderr


def test_the_usual_memory_fits_into_what_there_is() -> None:
    before = LIMITED.format(1 << 30)
    ran = redirected("", "solve", "mnk:3,3,3", WON, "--json", "--threads", "1", before=before)
    assert (ran.returncode, json.loads(ran.stdout)["verdict"]) == (0, "proven")


def test_no_memory_anywhere_is_no_bug(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(andorra, "check", none)  # first: the package keeps what it has looked up
    monkeypatch.setattr("andorra.checker.check", none)
    assert "more memory than" in refused(capsys, "check", "file")


@pytest.mark.parametrize(
    ("question", "position", "verdict"),
    [
        ("value", None, "unknown"),
        ("shortest", "x../.../..o", "proven"),
        ("score", None, "proven"),
    ],
)
def test_what_is_known_stays_known_when_memory_goes(
    question: str, position: str | None, verdict: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second question of several finds no memory any more."""
    from andorra.asking import Search
    from andorra.errors import NoMemoryError

    ask = Search.ask
    asked: list[object] = []

    def once(this: Search, *arguments: object, **more: object) -> object:
        asked.append(arguments)
        if len(asked) > 1:
            raise NoMemoryError("no more")
        return ask(this, *arguments, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Search, "ask", once)
    result = andorra.solve("mnk:3,3,3", position, question=question)
    assert len(asked) == 2
    assert (result.limit, result.verdict) == ("memory", verdict)


# ---- certificates of games that are not built in ----


def test_certificates_of_unknown_games_are_not_rejected(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("nim.py").write_text(OWN)
    solve = ["solve", "nim", "--rules", "nim.py:Nim", "--certificate", "n.andorra", "--quiet"]
    assert main(solve) == 1
    for how, where in (([], "in the rulebook"), (["--fast"], "built in"), (["--both"], "in the r")):
        said = f"n.andorra: not checked: the game 'nim' is not {where}"
        assert said in refused(capsys, "check", *how, "n.andorra")
    assert main(["check", "n.andorra", "--rules", "nim.py:Nim"]) == 0
    whole = Path("n.andorra").read_bytes()
    Path("n.andorra").write_bytes(whole[:-1])
    assert main(["check", "n.andorra"]) == 1
    assert os.path.getsize("n.andorra") == len(whole) - 1
