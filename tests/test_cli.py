"""The command line: exit codes, messages, JSON, files, progress, Ctrl-C, completion."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import andorra
from andorra.cli import progress as cli_progress
from andorra.cli.main import main

JSON_KEYS = {
    "game", "position", "question", "prover", "verdict", "value", "pn", "dn", "nodes", "expansions",
    "moves", "cpu_seconds", "line", "limit", "certificate",
}  # fmt: skip
WON = "xx./oo./..."
LOST = "oo./xx./x.."
NEVER_SOLVED_SOON = "connect4:7x6"
NIM = """
from andorra import FIRST, SECOND, Game

class Nim(Game[tuple[int, int], int]):
    name = "nim"
    acyclic = True
    can_draw = False
    def __init__(self, parameters="5"):
        self.parameters = parameters
    def initial(self): return (int(self.parameters), 0)
    def to_move(self, state): return SECOND if state[1] else FIRST
    def moves(self, state): return [take for take in (1, 2, 3) if take <= state[0]]
    def play(self, state, move): return (state[0] - move, 1 - state[1])
    def outcome(self, state): return None if state[0] else ("second", "first")[state[1]]

class Broken(Nim):
    def draw(self, state): raise ZeroDivisionError("no picture")

class Other(Nim):
    name = "other"

class Failing(Nim):
    def __init__(self, parameters): 1 // 0

class Lying(Nim):
    def outcome(self, state): return None if state[0] else ("first", "second")[state[1]]

number = 7
"""


class Ran(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str) -> Ran:
        capfd.readouterr()
        code = main(arguments)
        return Ran(code, *capfd.readouterr())

    return command


def start(
    arguments: Sequence[str], prelude: str = "", stdout: int = subprocess.PIPE
) -> subprocess.Popen[str]:
    """A command in a process of its own, with both outputs in pipes.

    A shell that runs tests in the background may have told its children to ignore Ctrl-C.
    """
    code = (
        f"import signal, sys\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n{prelude}"
    )
    code += "\nfrom andorra.cli.main import main\nsys.exit(main())"
    environment = os.environ | {"COLUMNS": "100"}
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )


# Exit codes of solve


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["mnk:3,3,3", WON], 0),
        (["mnk:3,3,3"], 1),
        (["mnk:3,3,3", WON, "--question", "win:second"], 1),
        (["mnk:3,3,3", "--value"], 0),
        (["mnk:4,4,4", "--nodes", "10"], 4),
        (["mnk:4,4,4", "--nodes", "10", "--value"], 4),
        (["mnk:3,3,3", "xx./oo./"], 3),
        (["mnk:3,3"], 3),
        (["mnk:3,3,3", "--question", "wins"], 2),
        (["mnk:3,3,3", "--algorithm", "dfpm"], 2),
        (["mnk:3,3,3", "--nodes", "0"], 2),
        (["mnk:3,3,3", "--nodes", "many"], 2),
        (["mnk:3,3,3", "--seconds", "-1"], 2),
        (["mnk:3,3,3", "--seconds", "nan"], 2),
        (["mnk:3,3,3", "--memory", "lots"], 2),
        (["mnk:3,3,3", "--threads", "2"], 1),
        (["mnk:3,3,3", "--threads", "0"], 1),
        (["mnk:3,3,3", "--threads", "-1"], 2),
        (["mnk:3,3,3", "--threads", "2", "-o", "threads=2"], 2),
        (["mnk:3,3,3", "--threads", "2", "--algorithm", "fixpoint"], 2),
        (["mnk:3,3,3", "--value", "--question", "win"], 2),
        (["mnk:3,3,3", "--option", "guard"], 2),
        (["mnk:3,3,3", "--option", "gaurd=5000"], 2),
        (["mnk:3,3,3", "--option", "nodes=5"], 2),
        (["mnk:3,3,3", "--option", "certificate=file"], 2),
        (["mnk:3,3,3", "--option", "stop=now"], 2),
        (["mnk:3,3,3", WON, "--position", WON], 2),
        (["graph"], 2),
        (["graph", "missing.txt"], 3),
        ([], 2),
    ],
)
def test_exit_codes_of_solve(run: Run, arguments: list[str], code: int) -> None:
    ran = run("solve", *arguments)
    assert ran.code == code
    assert "Traceback" not in ran.err
    if code in (2, 3):
        assert ran.err.startswith("error: ")
    else:
        assert ran.err == ""


# Messages


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["sovle"], ["no command 'sovle'", "did you mean 'solve'?", "usage: andorra"]),
        (["solve", "conect4"], ["no game 'conect4'", "did you mean 'connect4'?"]),
        (["solve", "mnk:3,3,3", "--algorithm", "dfpm"], ["'dfpm'", "did you mean 'dfpn'?"]),
        (["solve", "mnk:3,3,3", "-o", "gaurd=9"], ["'gaurd'", "did you mean 'guard'?"]),
        (["solve", "mnk:3,3,3", "-o", "nodes=5"], ["by --nodes 5"]),
        (["solve", "mnk:3,3,3", "-o", "guard"], ["'guard'", "expected NAME=VALUE"]),
        (["solve", "mnk:3,3,3", "--threads", "9999"], ["option threads: '9999'", "1..1024"]),
        (["solve", "mnk:3,3,3", "xx?/oo./..."], ["  xx?/oo./...\n    ^\n", "nor is there a file"]),
        (["solve", "mnk:3,3,3", "--question", "wins"], ["'wins'", "'win:first'"]),
        (["solve", "mnk:3,3,3", "--quesion", "win"], ["--quesion", "--question"]),
        (["solve", "mnk:3,3,3", "--certificate", "no/such.file"], ["'no'", "does not exist"]),
        (["solve", "graph", "missing.txt"], ["'missing.txt'", "no such file"]),
        (["games", "conect4"], ["did you mean 'connect4'?"]),
        (["algorithms", "dfpm"], ["did you mean 'dfpn'?"]),
        (["show", "missing"], ["'missing'", "no such file"]),
    ],
)
def test_messages(run: Run, arguments: list[str], parts: list[str]) -> None:
    ran = run(*arguments)
    assert ran.code in (2, 3)
    for part in parts:
        assert part in ran.err


def test_position_option_is_never_a_file(run: Run) -> None:
    ran = run("solve", "mnk:3,3,3", "--position", "nothing")
    assert ran.code == 3
    assert "file" not in ran.err


def test_a_bug_is_no_answer(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_: object, **__: object) -> None:
        raise ZeroDivisionError("by accident")

    monkeypatch.setattr(andorra, "solve", crash)
    ran = run("solve", "mnk:3,3,3", WON)
    assert ran.code == 70
    assert "ZeroDivisionError: by accident" in ran.err
    assert "please report" in ran.err


# What solve prints


def test_printout(run: Run) -> None:
    ran = run("solve", "mnk:3,3,3", WON, "--threads", "1")
    assert "1 x x ." in ran.out
    assert "Can the first player (x) force a win?" in ran.out
    assert re.search(r"^verdict +proven$", ran.out, re.MULTILINE)
    assert "c1 (the first player wins)" in ran.out
    assert "dfpn: " in ran.out
    assert "agents" not in ran.out


def test_printout_of_threads(run: Run) -> None:
    ran = run("solve", "mnk:3,3,3", WON, "--threads", "3")
    assert "dfpn threads=3: " in ran.out
    shown = " ".join(ran.out.split())
    assert re.search(r" s of CPU(, [\d,]+ nodes/s)?; [\d.]+ s by the clock", shown)
    shares = r"synchronisation [\d.]+%, idle [\d.]+% of the time"
    assert re.search(rf" agents 3: \d+ to \d+ nodes, {shares}, \d+ idle turns,", shown)


def test_shares_are_of_all_threads_time(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """More waiting than CPU time, which is no more than all of the time."""
    agent = {"nodes": 1, "wall_seconds": 2.0, "cpu_seconds": 0.1, "idle": 0, "stops": 0}
    agent |= {"duplicated": 0, "seconds_waited": 1.0, "seconds_idle": 0.25}
    monkeypatch.setattr("andorra.api._agents", lambda _: [agent, agent | {"seconds_idle": 0.75}])
    out = run("solve", "mnk:3,3,3", WON, "--threads", "2").out
    assert "synchronisation 50.0%, idle 25.0% of the time" in " ".join(out.split())


def test_printout_of_agents_that_take_turns_has_no_times(run: Run) -> None:
    out = run("solve", "mnk:3,3,3", WON, "-o", "agents=3").out
    shown = " ".join(out.split())
    assert re.search(r" agents 3: \d+ to \d+ nodes, \d+ idle turns,", shown)
    assert "by the clock" not in shown


def test_printout_of_one_thread_has_one_time(run: Run) -> None:
    out = run("solve", "mnk:3,3,3", WON, "--threads", "1").out
    assert " s of CPU" in out
    assert "by the clock" not in out


def test_threads_are_all_cores_by_default(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("andorra.options.cores", lambda: 5)
    assert "dfpn threads=5: " in run("solve", "mnk:3,3,3", WON).out
    assert "dfpn agents=2: " in run("solve", "mnk:3,3,3", WON, "-o", "agents=2").out
    assert "dfpn agents=0 threads=5: " in run("solve", "mnk:3,3,3", WON, "-o", "agents=0").out
    pns = ["solve", "mnk:3,3,3", WON, "--algorithm", "pns"]
    assert "pns: " in run(*pns).out
    assert "pns threads=5: " in run(*pns, "--threads", "0").out


def test_options_of_threads_on_one_core(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """What runs on one machine by default runs on any."""
    monkeypatch.setattr("andorra.options.cores", lambda: 1)
    jobs = ["solve", "mnk:3,3,3", WON, "-o", "scheduler=jobs"]
    ran = run(*jobs)
    assert (ran.code, ran.err) == (0, "")
    assert "dfpn scheduler=jobs agents=1: " in ran.out
    assert "dfpn: " in run("solve", "mnk:3,3,3", WON).out
    ran = run(*jobs, "--threads", "1")
    expected = "error: scheduler=jobs does nothing without threads=N or agents=N\n"
    assert (ran.code, ran.err) == (2, expected)


def test_printout_of_a_bounded_question(run: Run) -> None:
    ran = run("solve", "mnk:3,3,3", WON, "--question", "win:second<=3")
    assert "Can the second player (o) force a win within 3 plies?" in ran.out
    assert "disproven" in ran.out


def test_printout_of_a_limit(run: Run) -> None:
    ran = run("solve", "mnk:4,4,4", "--nodes", "10")
    assert "unknown (the limit on nodes was reached)" in ran.out


def test_quiet(run: Run) -> None:
    assert run("solve", "mnk:3,3,3", WON, "--quiet") == (0, "proven\n", "")
    assert run("solve", "mnk:3,3,3", "--value", "--quiet") == (0, "draw\n", "")
    assert run("solve", "mnk:4,4,4", "--value", "--quiet", "--nodes", "9").out == "unknown\n"


def test_json(run: Run) -> None:
    ran = run("solve", "mnk:3,3,3", WON, "--json", "--threads", "1", "-o", "gc_fraction=0.5")
    assert ran.code == 0
    assert ran.out.count("\n") == 1
    answer = json.loads(ran.out)
    assert answer.keys() >= JSON_KEYS
    expected = {
        "game": "mnk:3,3,3", "position": WON, "question": "win:first", "prover": "first",
        "verdict": "proven", "value": "win", "pn": 0, "dn": None, "limit": None,
        "certificate": None, "options": {"gc_fraction": "0.5"},
    }  # fmt: skip
    assert {key: answer[key] for key in expected} == expected
    assert answer["line"][0] == "c1"


def test_json_keys_are_documented(run: Run) -> None:
    page = Path(__file__).parent.parent / "docs" / "command-line.md"
    section = page.read_text(encoding="utf-8").partition("\n## JSON\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`[^|]+) \|", section, re.MULTILINE)
    documented = {key for row in rows for key in re.findall(r"`([a-z_]+)`", row)}
    answer = json.loads(run("solve", "mnk:3,3,3", WON, "--json").out)
    assert documented >= JSON_KEYS
    assert documented - answer.keys() == {"source", "asked"}


def test_json_of_a_value(run: Run) -> None:
    ran = run("solve", "mnk:3,3,3", "--value", "--json", "--certificate", "draw")
    answer = json.loads(ran.out)
    assert (answer["question"], answer["value"], answer["certificate"]) == ("value", "draw", "draw")


# Files of positions


POSITIONS = f"# three problems\n{WON} # won\n\n   {LOST}\n\t.../.../... # drawn\n"


def test_file_of_positions(run: Run, tmp_path: Path) -> None:
    (tmp_path / "some.txt").write_text(POSITIONS)
    ran = run("solve", "mnk:3,3,3", "some.txt", "--json", "--certificate", "proofs")
    answers = [json.loads(line) for line in ran.out.splitlines()]
    assert ran.code == 0
    assert [answer["verdict"] for answer in answers] == ["proven", "proven", "disproven"]
    assert [answer["source"] for answer in answers] == ["some.txt:2", "some.txt:4", "some.txt:5"]
    files = sorted(path.name for path in (tmp_path / "proofs").iterdir())
    assert files == ["some-0002.andorra", "some-0004.andorra", "some-0005.andorra"]
    assert run("check", *(f"proofs/{name}" for name in files)).code == 0


def test_file_with_a_bad_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "some.txt").write_bytes(f"{WON}\nxx?/oo./...\n\xff\n{LOST}\n".encode("latin-1"))
    ran = run("solve", "mnk:3,3,3", "some.txt", "--quiet")
    assert (ran.code, ran.out) == (3, "proven\nproven\n")
    assert "error: some.txt:2: expected" in ran.err
    assert "error: some.txt:3: this is not UTF-8 text" in ran.err


def test_file_with_an_open_problem(run: Run, tmp_path: Path) -> None:
    (tmp_path / "some.txt").write_text("..../..../..../....\nxxx./ooo./..../....\n")
    ran = run("solve", "mnk:4,4,4", "some.txt", "--quiet", "--nodes", "30")
    assert (ran.code, ran.out) == (4, "unknown\nproven\n")


def test_empty_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "some.txt").write_text("# nothing\n\n")
    ran = run("solve", "mnk:3,3,3", "some.txt")
    assert ran.code == 3
    assert "no position in 'some.txt'" in ran.err


def test_standard_input() -> None:
    process = subprocess.run(
        [sys.executable, "-c", "import sys; from andorra.cli.main import main; sys.exit(main())",
         "solve", "mnk:3,3,3", "-", "--quiet"],
        input=f"{WON}\nbad\n", capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (process.returncode, process.stdout) == (3, "proven\n")
    assert "error: <stdin>:2: " in process.stderr


@pytest.mark.parametrize(("positions", "certificate"), [("", "folder"), ("some.txt", "file")])
def test_certificate_must_fit(run: Run, tmp_path: Path, positions: str, certificate: str) -> None:
    (tmp_path / "some.txt").write_text(WON)
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    ran = run("solve", "mnk:3,3,3", positions or WON, "--certificate", certificate)
    assert ran.code == 2
    assert f"'{certificate}' is a {certificate}" in ran.err


def test_graph_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "g.txt").write_text("A: or B C\nB: and A D\nC: loss\nD: win\n")
    assert run("solve", "graph", "g.txt", "--quiet").out == "disproven\n"
    assert run("solve", "graph", "g.txt", "--position", "D", "--quiet").out == "proven\n"
    assert run("solve", "graph:g.txt", "--quiet").out == "disproven\n"
    assert run("solve", "graph", "g.txt", "--certificate", "c", "--quiet").code == 1
    assert run("check", "c").code == 0


def test_bad_graph_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "g.txt").write_text("A: or B\n")
    ran = run("solve", "graph", "g.txt")
    assert ran.code == 3
    assert "g.txt:1: node 'B' is not defined" in ran.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# first\nA: or A A\n", "g.txt:2: successor 'A' is named twice"),
        ("A: or A\n\nguess A 0 1\n", "g.txt:3: "),
        ("A: or A\nguess B 1 1\n", "g.txt:2: "),
        ("\n", "the graph in 'g.txt' has no nodes"),
    ],
)
def test_faults_in_a_graph_file_have_a_place(
    run: Run, tmp_path: Path, text: str, message: str
) -> None:
    (tmp_path / "g.txt").write_text(text)
    ran = run("solve", "graph", "g.txt")
    assert ran.code == 3
    assert f"error: {message}" in ran.err


# Options


@pytest.mark.parametrize("second", ["rise", "tca"])
def test_an_option_set_twice(run: Run, second: str) -> None:
    ran = run("solve", "mnk:3,3,3", "-o", "loops=tca", "-o", f"loops={second}")
    assert (ran.code, ran.out) == (2, "")
    assert f"'loops' is set twice, loops=tca and loops={second}" in ran.err


# Certificates that cannot be

UNSOUND = ["solve", "graph", "g.txt", "-o", "unsafe=true", "-o", "ghi=off", "--certificate", "c"]


@pytest.mark.parametrize("quiet", [False, True])
def test_unsound_settings_have_no_certificate_and_say_so(
    run: Run, tmp_path: Path, quiet: bool
) -> None:
    (tmp_path / "g.txt").write_text("A: or B\nB: and A\n")
    ran = run(*UNSOUND, *["--quiet"] * quiet)
    assert ran.code == 1
    assert not (tmp_path / "c").exists()
    reason = "the settings are unsound (ghi=off)"
    assert (f"no certificate: {reason}\n" == ran.err) is quiet
    assert (f"certificate  none: {reason}\n" in ran.out) is not quiet
    assert "while it was collected" not in ran.out


# Rules of one's own


def test_own_rules(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(NIM)
    solved = run("solve", "nim:8", "--rules", "mine.py:Nim", "--certificate", "c", "--json")
    assert (solved.code, json.loads(solved.out)["game"]) == (1, "nim:8")
    assert run("check", "c").code == 3
    assert run("check", "c", "--rules", "mine.py:Nim").code == 0
    assert run("check", "c", "--rules", "mine:Nim").code == 0
    assert run("show", "c", "--rules", "mine.py:Nim").code == 0


@pytest.mark.parametrize(
    ("game", "rules", "code", "part"),
    [
        ("nim", "mine.py", 2, "expected MODULE:CLASS"),
        ("nim", "mine.py:Nom", 2, "did you mean 'Nim'?"),
        ("nom", "mine.py:Nim", 2, "holds the game 'nim:5', not 'nom'"),
        ("nim", "mine.py:number", 2, "is no game"),
        ("nim:x", "mine.py:Nim", 3, "ValueError"),
        ("nim", "missing.py:Nim", 3, "'missing.py': no such file"),
        ("nim", "missing_module:Nim", 3, "ModuleNotFoundError"),
        ("nim", "bad.py:Nim", 3, "SyntaxError"),
        ("nim", "mine.py:Broken", 3, "ZeroDivisionError: no picture"),
        ("nim", "./missing.so", 3, "missing.so"),
    ],
)
def test_bad_rules(run: Run, tmp_path: Path, game: str, rules: str, code: int, part: str) -> None:
    (tmp_path / "mine.py").write_text(NIM)
    (tmp_path / "bad.py").write_text("class Nim(:")
    ran = run("solve", game, "--rules", rules)
    assert ran.code == code
    assert part in ran.err
    assert "Traceback" not in ran.err


EARLY = """from andorra import FIRST, Game

class Early(Game):
    name = "early"
    acyclic = True
    def initial(self): return 0
    def to_move(self, state): return FIRST
    def moves(self, state): return ["on"] if state < 3 else []
    def play(self, state, move): return state + 1
    def outcome(self, state): return "first" if state == 3 else None
    def scores(self, state): return (5, 5) if state == 3 else (3, 8)
"""


@pytest.fixture
def nim(run: Run, tmp_path: Path) -> str:
    """A certificate of a user's game."""
    (tmp_path / "mine.py").write_text(NIM)
    (tmp_path / "bad.py").write_text("class Nim(:")
    solved = run("solve", "nim:8", "--rules", "mine.py:Nim", "--certificate", "n", "--quiet")
    assert solved.code == 1
    return "n"


@pytest.mark.parametrize(
    ("rules", "code", "part"),
    [
        ("bad.py:Nim", 3, "cannot load 'bad.py': SyntaxError"),
        ("missing.py:Nim", 3, "'missing.py': no such file"),
        ("./missing.so", 3, "missing.so"),
        ("mine.py:Nom", 2, "did you mean 'Nim'?"),
        ("mine.py:number", 3, "is no game"),
        ("mine.py:Other", 3, "holds the game 'other:8', not 'nim:8'"),
        ("mine.py:Failing", 3, "making Failing('8') failed: ZeroDivisionError"),
    ],
)
def test_bad_rules_are_not_the_certificates_fault(
    run: Run, tmp_path: Path, nim: str, rules: str, code: int, part: str
) -> None:
    ran = run("check", nim, "--rules", rules)
    assert (ran.code, ran.out) == (code, "")
    assert part in ran.err
    assert "rejected" not in ran.err


def test_a_certificate_of_other_parameters_is_rejected(run: Run, tmp_path: Path, nim: str) -> None:
    ran = run("check", nim, "--rules", "mine.py:Lying")
    assert ran.code == 1
    assert ran.out.startswith("n: rejected: ")


def test_the_fast_checker_leaves_own_games_to_the_trusted_one(
    run: Run, tmp_path: Path, nim: str
) -> None:
    ran = run("check", nim, "--both", "--rules", "mine.py:Nim")
    assert ran.code == 0
    assert "n: verified: nim:8" in ran.out
    assert "n: not checked: the game 'nim' is not built in [fast checker]" in ran.out
    assert "rejected" not in ran.out
    assert run("check", nim, "--both", "--rules", "mine.py:Lying").code == 1
    assert run("check", nim, "--both").code == 3
    assert run("check", nim, "--fast").code == 3


@pytest.mark.parametrize("command", ["solve", "check", "show", "compare"])
def test_rules_have_one_name(run: Run, command: str) -> None:
    out = run(command, "--help").out
    assert "--rules MODULE:CLASS|LIBRARY" in out
    assert "shared library" in " ".join(out.split())
    assert "--game" not in out


@pytest.mark.parametrize("command", ["check", "show"])
def test_own_games_need_their_rules(run: Run, nim: str, command: str) -> None:
    ran = run(command, nim)
    assert "--rules MODULE:CLASS, path/to/file.py:CLASS or path/to/library.so" in ran.out + ran.err


# check


@pytest.fixture
def draw(run: Run, tmp_path: Path) -> Path:
    """A certificate for tic-tac-toe."""
    assert run("solve", "mnk:3,3,3", "--value", "--certificate", "draw", "--quiet").code == 0
    return tmp_path / "draw"


@pytest.mark.parametrize("checker", [[], ["--fast"], ["--both"]])
def test_check(run: Run, draw: Path, checker: list[str]) -> None:
    altered = draw.with_name("altered")
    content = bytearray(draw.read_bytes())
    content[len(content) // 2] ^= 1
    altered.write_bytes(content)
    assert run("check", "draw", *checker).code == 0
    assert run("check", "draw", "altered", *checker).code == 1
    assert run("check", "missing", "draw", *checker).code == 3
    assert run("check", "missing", "altered", *checker).code == 1


@pytest.mark.parametrize("checkers", [["--fast", "--both"], ["--both", "--fast"]])
def test_one_choice_of_checkers(run: Run, draw: Path, checkers: list[str]) -> None:
    ran = run("check", str(draw), *checkers)
    assert (ran.code, ran.out) == (2, "")
    assert "--fast and --both exclude each other" in ran.err


def test_check_says_what_was_verified(run: Run, draw: Path) -> None:
    out = run("check", str(draw), "--both").out
    assert "verified: mnk:3,3,3: win:first disproven, win:second disproven, value draw" in out
    assert "[trusted checker]" in out
    assert "[fast checker]" in out


def test_check_says_why_not(run: Run, draw: Path) -> None:
    draw.write_bytes(draw.read_bytes()[:-1])
    out = run("check", "draw").out
    assert out.startswith("draw: rejected: ")
    assert "truncated" in out


def test_missing_fast_checker(run: Run, draw: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    monkeypatch.setenv("PATH", "/nowhere")
    ran = run("check", str(draw), "--fast")
    assert ran.code == 3
    assert "'andorra-check' is neither" in ran.err


def test_crashed_fast_checker_verifies_nothing(
    run: Run, draw: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bin" / "andorra-check"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nkill -9 $$\n")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program.with_name("python")))
    ran = run("check", str(draw), "--fast")
    assert ran.code == 3
    assert "draw: not checked: andorra-check ended with code -9" in ran.err


# show


def test_show(run: Run, draw: Path) -> None:
    out = run("show", str(draw)).out
    assert "Can the first player (x) force a win?" in out
    assert "value" in out
    assert "main line" in out


def test_show_json(run: Run, draw: Path) -> None:
    shown = json.loads(run("show", str(draw), "--json", "--part", "2").out)
    assert (shown["game"], shown["value"], shown["part"]) == ("mnk:3,3,3", "draw", 2)
    assert [part["verdict"] for part in shown["parts"]] == ["disproven", "disproven"]
    assert shown["ending"] in ("draw", "first")


def test_show_tree(run: Run, draw: Path) -> None:
    out = run("show", str(draw), "--tree", "--depth", "2", "--width", "2").out
    tree = out[out.index("(start)") :].splitlines()
    assert [line[:3] for line in tree] == ["(st", "├─ ", "│  ", "└─ ", "   "]
    nested = json.loads(run("show", str(draw), "--tree", "--json").out)["tree"]
    assert len(nested["children"]) == 3
    assert nested["omitted"] == 6


def test_show_after(run: Run, draw: Path) -> None:
    shown = json.loads(run("show", str(draw), "--after", "b2", "--json").out)["reply"]
    reply = shown["entry"]["move"]
    assert reply in ("a1", "c1", "a3", "c3")
    assert len(shown["defences"]) == 7
    assert f"plays {reply}" in run("show", str(draw), "--after", "b2").out


@pytest.mark.parametrize(
    ("arguments", "code", "part"),
    [
        (["--after", "b2 b2"], 3, "'b2'"),
        (["--part", "3"], 2, "--part 3"),
        (["--part", "0"], 2, "--part 0"),
        (["--depth", "3"], 2, "add --tree"),
        (["--tree", "--after", "b2"], 2, "choose one"),
        (["--tree", "--depth", "0"], 2, "--depth"),
    ],
)
def test_bad_show(run: Run, draw: Path, arguments: list[str], code: int, part: str) -> None:
    ran = run("show", str(draw), *arguments)
    assert ran.code == code
    assert part in ran.err


def test_show_of_no_certificate(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("nonsense")
    ran = run("show", "file")
    assert ran.code == 3
    assert "no certificate" in ran.err


# Lists


def test_games(run: Run) -> None:
    out = run("games").out
    assert all(f"\n{name} " in out for name in andorra.games())


@pytest.mark.parametrize("name", andorra.games())
def test_game(run: Run, name: str) -> None:
    out = run("games", name).out
    assert out.startswith(f"{name}: ")
    assert ">>>" not in out
    assert "Default question: win" in out
    own = andorra.games()[name].defaults
    assert ("Default options of its own: " in out) == bool(own)
    assert all(f"{option}={value}" in out for option, value in own.items())


def test_games_are_checked_for_broken_promises(run: Run, tmp_path: Path, nim: str) -> None:
    (tmp_path / "lies.py").write_text(NIM + "\n\nclass Lies(Nim):\n    acyclic = True\n"
        "    def play(self, state, move):\n        return state\n")  # fmt: skip
    for what in (["mine.py:Nim"], ["hex:3"], ["mine.py:Nim", "nim:5"]):
        ran = run("games", "--check", *what)
        assert (ran.code, ran.err) == (0, "")
        assert "moves             kept at 2,000 positions" in ran.out
        assert "broken in" not in ran.out
    ran = run("games", "--check", "lies.py:Lies")
    assert ran.code == 1
    assert "acyclic           broken in position" in ran.out


@pytest.mark.parametrize(
    ("what", "words"),
    [
        (["bad.py:Nim"], "cannot load 'bad.py': SyntaxError"),
        (["missing.py:Nim"], "'missing.py': no such file"),
        (["mine.py:Nom"], "did you mean 'Nim'?"),
        (["mine.py:number"], "is no game"),
        (["mine.py:Nim", "nom:3"], "holds the game 'nim:3', not 'nom:3'"),
        (["hex:x"], "hex"),
        (["nothing"], "expected MODULE:CLASS"),
    ],
)
def test_rules_that_cannot_be_checked(run: Run, nim: str, what: list[str], words: str) -> None:
    ran = run("games", "--check", *what)
    assert (ran.code, ran.out) == (3, "")
    assert words in ran.err


def test_what_a_result_is_relative_to_is_printed(run: Run, tmp_path: Path) -> None:
    (tmp_path / "early.py").write_text(EARLY)
    solve = ["solve", "early", "--rules", "early.py:Early", "--quiet"]
    assert run(*solve, "--question", "score>=3", "--certificate", "sure").code == 0
    ran = run("check", "sure", "--rules", "early.py:Early")
    assert ran.code == 0
    sure = "sure: verified relative to the promises 'acyclic', 'scores': early: score>=3 proven;"
    assert ran.out.startswith(sure)
    assert run(*solve, "--question", "score>=9", "--certificate", "never").code == 1
    ran = run("check", "never", "--rules", "early.py:Early")
    assert ran.out.startswith("never: verified relative to the promise 'scores': early: score>=9")
    assert run(*solve, "--question", "win", "--certificate", "win").code == 0
    assert run("check", "win", "--rules", "early.py:Early").out.startswith("win: verified: early: ")


def test_algorithms(run: Run) -> None:
    out = run("algorithms").out
    for info in andorra.algorithms().values():
        assert f"{info.name}: " in out
        for option in info.options:
            assert f"  {option.name} " in out
            assert option.range in out
    assert "dfpn: " not in run("algorithms", "pns").out


def test_defaults_that_games_set_for_themselves(run: Run) -> None:
    own = [f"{name}={value}" for name, value in andorra.games()["tsume"].defaults.items()]
    assert own
    for asked, place in ((["games", "tsume"], "its own: "), (["algorithms", "dfpn"], "On tsume, ")):
        (line,) = [line for line in run(*asked).out.splitlines() if place in line]
        assert all(f" {each}" in line.rstrip(".") for each in own)
    assert "On tsume" not in run("algorithms", "pns").out


def test_help(run: Run) -> None:
    ran = run("--help")
    assert ran.code == 0
    commands = ["solve", "check", "show", "draw", "compare"]
    commands += ["games", "algorithms", "usi", "completion"]
    assert all(f"  {command} " in ran.out for command in commands)
    assert all(run(command, "--help").code == 0 for command in commands)


def test_version(run: Run) -> None:
    assert run("--version").out == f"andorra {andorra.__version__}\n"


# Completion


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_script(run: Run, shell: str) -> None:
    ran = run("completion", shell)
    assert ran.code == 0
    assert f"_ANDORRA_COMPLETE={shell}_complete" in ran.out


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("andorra so", "solve"),
        ("andorra solve con", "connect4"),
        ("andorra solve connect4 -o gc_f", "gc_fraction="),
        ("andorra algorithms alp", "alphabeta"),
        ("andorra compa", "compare"),
        ("andorra compare connect4 --vary algo", "algorithm="),
        ("andorra compare connect4 --vary algorithm=pns,fix", "algorithm=pns,fixpoint"),
        ("andorra compare connect4 --vary form=t", "form=tree"),
    ],
)
def test_completions(
    words: str, expected: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("_ANDORRA_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(len(words.split()) - 1))
    assert main([]) == 0
    assert capsys.readouterr().out.split() == [f"plain,{expected}"]


# Progress, Ctrl-C and pipes

EAGER = "import andorra.cli.progress as progress\nprogress.PLAIN_INTERVAL = 0.01"


def test_ctrl_c_ends_a_search_cleanly() -> None:
    process = start(["solve", NEVER_SOLVED_SOON, "--memory", "64MiB"], EAGER)
    assert process.stderr is not None
    line = process.stderr.readline()
    assert line.startswith(f"{NEVER_SOLVED_SOON}: win:first, searching, pn ")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert process.returncode == 4
    assert "unknown (interrupted)" in out
    assert "Traceback" not in err
    assert "error" not in err


def test_ctrl_c_ends_a_file_of_positions(tmp_path: Path) -> None:
    path = tmp_path / "two.txt"
    path.write_text("4\n44\n")
    arguments = ["solve", NEVER_SOLVED_SOON, str(path), "--memory", "64MiB", "--json"]
    process = start(arguments, EAGER)
    assert process.stderr is not None
    process.stderr.readline()
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate()
    assert process.returncode == 4
    assert [json.loads(line)["limit"] for line in out.splitlines()] == ["interrupted"]


def test_piped_progress_goes_to_standard_error() -> None:
    process = start(["solve", NEVER_SOLVED_SOON, "--nodes", "3000000", "--quiet"], EAGER)
    assert process.communicate() == ("unknown\n", "")
    process = start(["solve", NEVER_SOLVED_SOON, "--nodes", "3000000", "--json"], EAGER)
    out, err = process.communicate()
    assert json.loads(out)["limit"] == "nodes"
    assert all(
        line.startswith(f"{NEVER_SOLVED_SOON}: win:first, searching, pn ")
        for line in err.splitlines()
    )
    assert " nodes/s, depth " in err


def test_closed_pipe() -> None:
    reading, writing = os.pipe()
    process = start(["games"], stdout=writing)
    os.close(reading)
    os.close(writing)
    _, err = process.communicate()
    assert (process.returncode, err) == (141, "")


def moment(**changes: Any) -> andorra.Progress:
    values: dict[str, Any] = {
        "event": "search", "question": "win:first", "pn": 12, "dn": None, "nodes": 1_234_567,
        "expansions": 1, "moves": 1, "depth": 9, "table_fill": 0.5, "seconds": 65.0,
        "nodes_per_second": 18_993.3,
    }  # fmt: skip
    return andorra.Progress(**(values | changes))


def test_plain_lines_are_few(capsys: pytest.CaptureFixture[str]) -> None:
    now = 0.0
    report = cli_progress.PlainLines("some", clock=lambda: now)
    for tenth in range(200):
        now = tenth / 10
        report(moment())
    lines = capsys.readouterr().err.splitlines()
    assert lines == 3 * [
        "some: win:first, searching, pn 12, dn inf, 1,234,567 nodes, 18,993 nodes/s, depth 9, "
        "table 50%, 1:05"
    ]


def test_live_progress_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with cli_progress.reporting("some", quiet=False) as report:
        assert report is not None
        report(moment(event="extract"))
    err = capsys.readouterr().err
    assert "win:first, writing certificate, 1:05, 18,993 nodes/s" in err
    assert "pn 12, dn inf, 1,234,567 nodes, depth 9, table " in err
    assert "━━━━━┄┄┄┄┄" in err


# Start-up


def test_help_loads_nothing_slow() -> None:
    code = (
        "import sys\nfrom andorra.cli.main import main\nmain(['--help'])\n"
        "print(sorted({name.partition('.')[0] for name in sys.modules}"
        " & {'rich', 'numba', 'numpy', 'subprocess', 'asyncio'}))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "[]"


# Boards of shogi


DIAGRAM = """
後手の持駒：なし
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
| ・ ・ ・ ・v玉 ・ ・ ・ ・|一
| ・ ・ ・ ・ ・ ・ ・ ・ ・|二
| ・ ・ ・ ・ 歩 ・ ・ ・ ・|三
| ・ ・ ・ ・ ・ ・ ・ ・ ・|四
| ・ ・ ・ ・ ・ ・ ・ ・ ・|五
| ・ ・ ・ ・ ・ ・ ・ ・ ・|六
| ・ ・ ・ ・ ・ ・ ・ ・ ・|七
| ・ ・ ・ ・ ・ ・ ・ ・ ・|八
| ・ ・ ・ ・ ・ ・ ・ ・ ・|九
+---------------------------+
先手の持駒：金
手数----指手---------消費時間--
   1 ５二金打
"""
SAME_IN_SFEN = "4k4/9/4P4/9/9/9/9/9/9 b G 1"


@pytest.mark.parametrize(
    ("name", "encoding"),
    [("a.kif", "cp932"), ("a.kif", "utf-8"), ("a.BOD", "utf-8-sig"), ("a.kifu", "utf-8")],
)
def test_a_file_with_a_diagram_is_one_position(run: Run, name: str, encoding: str) -> None:
    Path(name).write_bytes(DIAGRAM.replace("\n", "\r\n").encode(encoding))
    ran = run("solve", "tsume", name, "--json", "--certificate", "mate.andorra")
    answer = json.loads(ran.out)
    assert (ran.code, ran.err) == (0, "")
    assert (answer["position"], answer["verdict"]) == (SAME_IN_SFEN, "proven")
    assert "source" not in answer
    assert run("check", "mate.andorra").code == 0
    assert "proven" in run("solve", "tsume", "--position", DIAGRAM.strip(), "--quiet").out


def test_a_file_with_a_diagram_can_be_compared(run: Run) -> None:
    Path("a.kif").write_text(DIAGRAM, encoding="utf-8")
    ran = run("compare", "tsume", "a.kif", "--vary", "algorithm=pns", "--csv")
    assert ran.code == 0 and ran.out.count(SAME_IN_SFEN) == 2


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"\x81 \x81 ", "expected a text in UTF-8 or Shift-JIS"),
        ("手合割：平手\n   1 ７六歩\n".encode(), "no board diagram in 'a.kif'"),
        (DIAGRAM.replace("玉", "王王").encode(), "王王"),
        (b"", "no board diagram in 'a.kif'"),
    ],
)
def test_files_without_a_diagram(run: Run, data: bytes, expected: str) -> None:
    Path("a.kif").write_bytes(data)
    for command in (["solve", "tsume", "a.kif"], ["compare", "tsume", "a.kif", "--cross"]):
        vary = ["--vary", "memory=1MiB"] if command[0] == "compare" else []
        ran = run(*command, *vary)
        assert ran.code == 3 and expected in ran.err and "Traceback" not in ran.err


def test_boards_in_japanese_style(run: Run) -> None:
    rank = "| ・ ・ ・ ・v玉 ・ ・ ・ ・|一"
    certificate = ["--certificate", "mate.andorra"]
    ran = run("solve", "tsume", SAME_IN_SFEN, "--board", "japanese", *certificate)
    assert ran.code == 0 and rank in ran.out
    assert rank in run("show", "mate.andorra", "--board", "japanese").out
    western = run("solve", "tsume", SAME_IN_SFEN).out + run("show", "mate.andorra").out
    assert "玉" not in western and western.count("  .  .  .  .  k  .  .  .  .  a") == 3


def test_games_that_are_not_drawn_in_japanese_style(run: Run) -> None:
    assert run("solve", "mnk:3,3,3", WON, "--quiet", "--certificate", "a.andorra").code == 0
    for command in (["solve", "mnk:3,3,3"], ["show", "a.andorra", "--json"]):
        ran = run(*command, "--board", "japanese")
        assert ran.code == 2 and ran.out == ""
        assert "mnk:3,3,3 is not drawn in this style" in ran.err
    assert run("solve", "mnk:3,3,3", "--board", "chinese").code == 2
