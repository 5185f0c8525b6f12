"""SIGTERM is obeyed as Ctrl-C is, by every command that may take long; the library leaves it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import andorra
from andorra.cli import interrupts
from cli_kit import redirected, started

NEVER_SOLVED_SOON = "connect4:7x6"
ENDLESS_MATE = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
WON = "xx./oo./..."
SIGNALS = [signal.SIGINT, signal.SIGTERM]
either = pytest.mark.parametrize("ending", SIGNALS)


def ended(process: subprocess.Popen[str], ending: signal.Signals) -> tuple[int, str, str]:
    """Exit code and outputs, after a signal as soon as it says how its search goes."""
    assert process.stderr is not None
    assert "searching" in process.stderr.readline()
    process.send_signal(ending)
    out, err = process.communicate()
    assert "Traceback" not in err and "error" not in err
    return process.returncode, out, err


@either
@pytest.mark.parametrize("asked", ["--value", "--shortest", "--score", "--question=win:second"])
def test_a_search_ends_with_unknown(ending: signal.Signals, asked: str, tmp_path: Path) -> None:
    arguments = ["solve", NEVER_SOLVED_SOON, asked, "--memory", "64MiB", "--json"]
    process = started(*arguments, "--certificate", "file", cwd=tmp_path)
    code, out, _ = ended(process, ending)
    answer = json.loads(out)
    assert code == 4
    assert (answer["verdict"], answer["limit"]) == ("unknown", "interrupted")
    assert list(tmp_path.iterdir()) == []


def test_a_search_ends_in_words() -> None:
    process = started("solve", NEVER_SOLVED_SOON, "--memory", "64MiB")
    code, out, _ = ended(process, signal.SIGTERM)
    assert code == 4 and "unknown (interrupted)" in out


RAISE = """
import andorra.certificate as certificate
usual = certificate.Writer.head
def head(this, *arguments):
    for _ in range({times}):
        signal.raise_signal(signal.{name})
    usual(this, *arguments)
certificate.Writer.head = head
"""


@pytest.mark.parametrize("times", [1, 2])
@either
def test_a_verdict_survives_a_signal_while_its_certificate_is_written(
    ending: signal.Signals, times: int, tmp_path: Path
) -> None:
    """Batch systems send SIGTERM more than once."""
    before = RAISE.format(times=times, name=ending.name)
    arguments = ["solve", "mnk:3,3,3", WON, "--json", "--certificate", "file"]
    ran = redirected("", *arguments, cwd=tmp_path, before=before)
    answer = json.loads(ran.stdout)
    assert (ran.returncode, answer["verdict"]) == (0, "proven")
    assert answer["certificate_limit"] == "interrupted"
    assert list(tmp_path.iterdir()) == []


def test_a_file_ends_after_a_signal_while_a_certificate_is_written(tmp_path: Path) -> None:
    (tmp_path / "two.txt").write_text(f"{WON}\n{WON}\n")
    arguments = ["solve", "mnk:3,3,3", "two.txt", "--quiet", "--resume", "kept"]
    before = RAISE.format(times=1, name="SIGTERM")
    ran = redirected("", *arguments, "--certificate", "proofs", cwd=tmp_path, before=before)
    assert (ran.returncode, ran.stdout) == (4, "proven\n")
    assert len((tmp_path / "kept").read_text().splitlines()) == 1
    ran = redirected("", *arguments, "--certificate", "proofs", cwd=tmp_path)
    assert (ran.returncode, ran.stdout) == (0, "proven\nproven\n")
    assert len(list((tmp_path / "proofs").iterdir())) == 2


def test_impatience_costs_no_verdict(tmp_path: Path) -> None:
    before = RAISE.format(times=2, name="SIGTERM")
    before += "import andorra.cli.interrupts as interrupts\ninterrupts.PATIENCE = 0"
    arguments = ["solve", "mnk:3,3,3", WON, "--quiet", "--certificate", "file"]
    ran = redirected("", *arguments, cwd=tmp_path, before=before)
    assert (ran.returncode, ran.stdout) == (0, "proven\n")
    assert list(tmp_path.iterdir()) == []


@either
def test_waiting_for_input_ends(ending: signal.Signals, tmp_path: Path) -> None:
    process = started("solve", "mnk:3,3,3", "-", "--quiet", "--resume", "kept", cwd=tmp_path)
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(f"{WON}\n")
    process.stdin.flush()
    assert process.stdout.readline() == "proven\n"
    process.send_signal(ending)
    _, err = process.communicate()
    # The second is what it says if it has not begun to wait.
    assert (process.returncode, err) in [(130, "error: interrupted\n"), (4, "")]
    assert len((tmp_path / "kept").read_text().splitlines()) == 1


@pytest.mark.parametrize("how", [[], ["--fast"]])
@either
def test_a_check_ends(ending: signal.Signals, how: list[str], tmp_path: Path) -> None:
    andorra.solve("mnk:3,3,3", WON, certificate=tmp_path / "file")
    before = f"""
import subprocess
import andorra.checker as checker
def interrupted(*arguments, **more):
    signal.raise_signal(signal.{ending.name})
checker.check = subprocess.run = interrupted
"""
    ran = redirected("", "check", *how, "file", cwd=tmp_path, before=before)
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "error: interrupted\n")


@either
def test_an_engine_ends(ending: signal.Signals) -> None:
    process = started("usi")
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(f"setoption name USI_Hash value 64\nposition sfen {ENDLESS_MATE}\n")
    process.stdin.write("go mate infinite\nisready\n")
    process.stdin.flush()
    assert process.stdout.readline() == "readyok\n"
    process.send_signal(ending)
    out, err = process.communicate()
    assert out.splitlines()[-1].startswith("checkmate ")
    assert (process.returncode, err) == (130, "error: interrupted\n")


def test_a_page_ends_and_leaves_nothing(tmp_path: Path) -> None:
    pytest.importorskip("uvicorn")
    process = started("view", "--no-browser", env=os.environ | {"TMPDIR": str(tmp_path)})
    assert process.stdout is not None
    assert process.stdout.readline().startswith("Open http://")
    assert len(list(tmp_path.iterdir())) == 1
    process.stdout.readline()
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate()
    assert (process.returncode, err) == (0, "")
    assert list(tmp_path.iterdir()) == []


PLAN = """
[limits]
seconds = 100
memory = "16MiB"
[solvers]
dfpn = {}
[[problems]]
game = "mnk:3,3,3"
[[problems]]
game = "connect4:7x6"
"""
SAY_WHEN_ALONE = """
import andorra.measure as measure
usual = measure._start
def start(task):
    child = usual(task)
    if task.game == "connect4:7x6": print("searching", file=sys.stderr, flush=True)
    return child
measure._start = start
"""


@pytest.mark.parametrize("to_all", [False, True])
def test_a_study_ends_with_its_processes(to_all: bool, tmp_path: Path) -> None:
    """Also if the signal goes to all its processes: that is no failure of a run."""
    (tmp_path / "plan.toml").write_text(PLAN)
    process = started(
        "study", "plan.toml", "-q", "--jobs", "1",
        cwd=tmp_path, before=SAY_WHEN_ALONE, start_new_session=True,
        env=os.environ | {"TMPDIR": str(tmp_path)},
    )  # fmt: skip
    assert process.stderr is not None
    assert process.stderr.readline() == "searching\n"
    if to_all:
        os.killpg(process.pid, signal.SIGTERM)
    else:
        process.send_signal(signal.SIGTERM)
    _, err = process.communicate()
    assert process.returncode == 4
    assert "interrupted: 1 runs are kept" in err
    rows = (tmp_path / "study-plan" / "runs.jsonl").read_text().splitlines()
    assert [json.loads(row).get("error") for row in rows[1:]] == [None]
    assert {each.name for each in tmp_path.iterdir()} == {"plan.toml", "study-plan"}
    for _ in range(600):  # one that was only just starting ends when it sees that it is alone
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return
        signal.sigtimedwait([], 0.1)
    pytest.fail("a process goes on")


# ---- whose handlers these are ----


def test_handlers_are_given_back() -> None:
    before = [signal.getsignal(number) for number in SIGNALS]
    with interrupts.handled():
        assert {signal.getsignal(number) for number in SIGNALS} == {interrupts._obey}
    assert [signal.getsignal(number) for number in SIGNALS] == before


def test_what_is_ignored_stays_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        with interrupts.handled():
            assert signal.getsignal(signal.SIGTERM) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGTERM, before)


def test_signals_that_come_together_are_one_request(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    with interrupts.handled(), interrupts.held() as asked:
        assert not asked()
        signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGTERM)
        assert asked()
        now = interrupts.PATIENCE
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGINT)
    with interrupts.handled():
        assert not interrupts.asked()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)


def test_the_library_leaves_sigterm_to_the_program() -> None:
    code = (
        "import andorra\n"
        f"andorra.solve({NEVER_SOLVED_SOON!r}, memory='64MiB',"
        " progress=lambda _: print('searching', flush=True))"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"searching\n"
        process.send_signal(signal.SIGTERM)
        process.stdout.read()
    assert process.returncode == -signal.SIGTERM


# ---- loops in Python ----


def interrupt(_: Any) -> None:
    signal.raise_signal(signal.SIGINT)


ASKED: list[dict[str, Any]] = [
    {"question": "win:first"},
    {"question": "value"},
    {"question": "shortest"},
    {"question": "score"},
    {"threads": 2},
    {"algorithm": "pns"},
]


@pytest.mark.parametrize("asked", ASKED, ids=str)
def test_ctrl_c_ends_a_loop_that_wants_it(asked: dict[str, Any]) -> None:
    answers = []

    def loop() -> None:
        for game in ("mnk:3,3,3", NEVER_SOLVED_SOON, "mnk:3,3,3"):
            more: dict[str, Any] = {"memory": "64MiB", "progress": interrupt} | asked
            answers.append(andorra.solve(game, on_interrupt="raise", **more))

    with pytest.raises(KeyboardInterrupt):
        loop()
    assert len(answers) <= 1
    result = andorra.solve(NEVER_SOLVED_SOON, memory="64MiB", progress=interrupt, **asked)
    assert result.limit == "interrupted"


def test_stop_never_raises() -> None:
    result = andorra.solve(
        NEVER_SOLVED_SOON, memory="64MiB", stop=lambda: True, on_interrupt="raise"
    )
    assert (result.verdict, result.limit) == ("unknown", "interrupted")


def test_ctrl_c_in_rules_ends_a_loop_that_wants_it() -> None:
    class Nim(andorra.Game[tuple[int, int], int]):
        name = "nim"

        def initial(self) -> tuple[int, int]:
            return (9, andorra.FIRST)

        def to_move(self, state: tuple[int, int]) -> Any:
            return state[1]

        def moves(self, state: tuple[int, int]) -> list[int]:
            if state[0] == 5:
                signal.raise_signal(signal.SIGINT)
            return [take for take in (1, 2, 3) if take <= state[0]]

        def play(self, state: tuple[int, int], move: int) -> tuple[int, int]:
            return (state[0] - move, 1 - state[1])

        def outcome(self, state: tuple[int, int]) -> Any:
            return None if state[0] else ("second", "first")[state[1]]

    assert andorra.solve(Nim()).limit == "interrupted"
    with pytest.raises(KeyboardInterrupt):
        andorra.solve(Nim(), on_interrupt="raise")


def test_ctrl_c_ends_comparisons_as_the_caller_wants(monkeypatch: pytest.MonkeyPatch) -> None:
    def compared(**more: Any) -> andorra.Comparison:
        return andorra.compare(
            "mnk:3,3,3", [WON], vary={"rise": [9]},
            progress=lambda *_: signal.raise_signal(signal.SIGINT), **more,
        )  # fmt: skip

    assert compared().interrupted
    with pytest.raises(KeyboardInterrupt):
        compared(on_interrupt="raise")


@pytest.mark.parametrize("function", [andorra.solve, andorra.compare])
def test_what_else_is_asked_for_is_an_error(function: Any) -> None:
    with pytest.raises(andorra.OptionError, match="expected 'answer' or 'raise'"):
        function("mnk:3,3,3", on_interrupt="exit")
