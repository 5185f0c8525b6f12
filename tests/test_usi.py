"""The USI engine: its dialogue line by line, and the installed program under cshogi's client."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from threading import Event, Semaphore, Thread
from types import SimpleNamespace
from typing import Any, TypeVar

import cshogi
import cshogi.usi
import pytest

import andorra
from andorra import Progress, Result
from andorra.cli.main import main
from andorra.errors import OptionError
from andorra.rulebook import make
from andorra.rulebook.sfen import read_sfen, write_sfen
from andorra.rulebook.shogi import legal_moves, move_text, play
from andorra.rulebook.shogi_record import START
from andorra.usi import LARGEST_HASH, RULES, Engine, position_after
from conftest import FindProblemSet
from games_kit import DATA

MATE = "4k4/9/4P4/9/9/9/9/9/9 b G 1"
NO_MATE = "4k4/9/9/9/9/9/9/9/9 b G 1"
ENDLESS = (
    "g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1"
)
"""Microcosmos, a mate in 1,525: no machine of ours finds it while a test waits."""

POLL_INTERVAL = 1024
"""Visits between two looks at whether to stop, in core/limits.hpp."""
PATIENCE = 60
"""Seconds after which an answer is taken not to come at all."""
ANSWER = "<an answer>"
REPORT = "<a report>"
"""In a dialogue: wait until the engine has said such a line, or one more if that was waited for."""
STARTS = {ANSWER: ("checkmate", "bestmove"), REPORT: ("info depth",)}
GO = ("go mate infinite", ANSWER)

T = TypeVar("T")


def talk(*commands: str) -> list[str]:
    """What an engine says to the commands."""
    said: list[str] = []
    heard = {what: Semaphore(0) for what in STARTS}

    def write(line: str) -> None:
        said.append(line)
        for what, starts in STARTS.items():
            if line.startswith(starts):
                heard[what].release()

    def lines() -> Iterator[str]:
        for command in commands:
            if command in STARTS:
                assert heard[command].acquire(timeout=PATIENCE), said
            else:
                yield command

    Engine(write).run(lines())
    return said


def answers(*commands: str) -> list[str]:
    """Of what the engine says, the answers to `go`."""
    return [line for line in talk(*commands) if line.startswith(STARTS[ANSWER])]


def check(name: str, value: bool) -> str:
    """The command that sets an option which is on or off."""
    return f"setoption name {name} value {str(value).lower()}"


def assert_mates(sfen: str, moves: str, spec: str = "tsume") -> None:
    """By the reference rules, and by cshogi, which knows no wasted interpositions."""
    game = make(spec)
    state = game.parse(sfen)
    board = cshogi.Board(write_sfen(state.position))
    for move in moves.split():
        state = game.play(state, game.parse_move(state, move))
        board.push_usi(move)
    assert game.outcome(state) == "first" and board.is_check()
    assert "muda" in spec or not list(board.legal_moves)


# ---- the engine itself ----


def test_introduction() -> None:
    said = talk("usi")
    assert said[:2] == [
        f"id name Andorra {andorra.__version__}",
        "id author The Andorra developers",
    ]
    assert said[-1] == "usiok"
    (hash_size,) = [line.split() for line in said if " USI_Hash " in line]
    assert hash_size[:5] == ["option", "name", "USI_Hash", "type", "spin"]
    limits = dict(zip(hash_size[5::2], map(int, hash_size[6::2]), strict=True))
    assert limits["min"] <= limits["default"] <= limits["max"] == LARGEST_HASH
    cores = len(os.sched_getaffinity(0))
    assert f"option name Threads type spin default {cores} min 1 max 1024" in said
    for name in (*RULES, "Shortest"):
        assert f"option name {name} type check default false" in said


def test_ready_even_while_it_searches() -> None:
    assert talk("isready") == ["readyok"]
    said = talk(f"position sfen {ENDLESS}", "go mate infinite", "isready", "stop")
    assert said.index("readyok") < said.index("checkmate timeout")


@pytest.mark.parametrize("end", ["quit", "quit now", ""])
def test_the_end_of_input_ends_everything(end: str) -> None:
    commands = [f"position sfen {ENDLESS}", "go mate infinite", end]
    assert answers(*commands) == ["checkmate timeout"]
    assert talk("quit", "isready") == []


# ---- mates ----


@pytest.mark.parametrize("limit", ["", "infinite", "60000", "nodes 1000000", "nodes 1"])
def test_mate(limit: str) -> None:
    assert answers(f"position sfen {MATE}", f"go mate {limit}", ANSWER) == ["checkmate G*5b"]


def test_no_mate() -> None:
    assert answers(f"position sfen {NO_MATE}", "go mate infinite", ANSWER) == ["checkmate nomate"]
    assert answers("go mate infinite", ANSWER) == ["checkmate nomate"]  # the start of a game


@pytest.mark.parametrize("limit", ["0", "1", "50", "nodes 0", "nodes 1", "nodes 2000"])
def test_limits_are_obeyed(limit: str) -> None:
    said = talk(f"position sfen {ENDLESS}", f"go mate {limit}", ANSWER)
    reason = "nodes" if "nodes" in limit else "seconds"
    assert f"string unknown ({reason}) pn" in said[-2] and said[-1] == "checkmate timeout"


def test_mates_have_all_their_moves(problem_set: FindProblemSet) -> None:
    for name in ("nshogi_mate3", "nshogi_mate9"):
        lines = problem_set(f"tsume/{name}.sfen").read_text(encoding="utf-8").splitlines()
        for sfen in [line.partition("\t")[0] for line in lines if line[0] != "#"][:25]:
            (answer,) = answers(f"position sfen {sfen}", "go mate infinite", ANSWER)
            assert_mates(sfen, answer.removeprefix("checkmate "))


def test_known_verdicts() -> None:
    """Whatever the game's own test data says, in the words of the protocol."""
    seen = set()
    for entry in DATA["tsume"]["values"]:
        if "attacker" in entry["spec"] + entry["position"]:
            continue
        chosen = {name: parameter in entry["spec"] for name, parameter in RULES.items()}
        options = [check(name, value) for name, value in chosen.items()]
        (answer,) = answers(*options, f"position sfen {entry['position']}", *GO)
        if entry["winner"] == "second":
            assert answer == "checkmate nomate"
        else:
            assert_mates(entry["position"], answer.removeprefix("checkmate "), entry["spec"])
        seen.add((entry["winner"], *chosen.values()))
    assert len(seen) == 5


def test_several_questions_one_after_the_other() -> None:
    first = [f"position sfen {MATE}", "go mate 60000", ANSWER]
    second = ["usinewgame", f"position sfen {NO_MATE}", "go mate 60000", ANSWER, "gameover win"]
    assert answers(*first, *second, *first) == [
        "checkmate G*5b",
        "checkmate nomate",
        "checkmate G*5b",
    ]


def test_the_defender_may_hold_the_rest() -> None:
    position = "position sfen 7lk/7p1/9/9/9/9/9/9/9 b L 1"
    (mate,) = answers(position, "go mate infinite", ANSWER)
    assert_mates(position.removeprefix("position sfen "), mate.removeprefix("checkmate "))
    on, off = (check("DefenderHoldsRest", value) for value in (True, False))
    assert answers(on, position, *GO) == ["checkmate nomate"]
    assert answers(on, off, position, *GO) == [mate]


def test_wasted_interpositions_need_not_count() -> None:
    sfen = "8k/7pp/8N/9/9/9/9/9/R8 b g 1"
    ignored, shortest = check("IgnoreWastedInterpositions", True), check("Shortest", True)
    (short,) = answers(ignored, shortest, f"position sfen {sfen}", *GO)
    assert short in ("checkmate 9i9a", "checkmate 9i9a+")
    (long,) = answers(shortest, f"position sfen {sfen}", *GO)
    assert len(long.split()) > 2
    assert_mates(sfen, long.removeprefix("checkmate "))


@pytest.mark.parametrize(
    ("on", "game"),
    [
        ((), "tsume"),
        (("DefenderHoldsRest",), "tsume:rest"),
        (("IgnoreWastedInterpositions",), "tsume:muda"),
        (("IgnoreWastedInterpositions", "DefenderHoldsRest"), "tsume:rest,muda"),
    ],
)
def test_rules_by_options(monkeypatch: pytest.MonkeyPatch, on: Sequence[str], game: str) -> None:
    asked: list[str] = []

    def search(**arguments: Any) -> Result:
        asked.append(arguments["game"])
        return andorra.solve("tsume", MATE)

    monkeypatch.setattr("andorra.usi.solve", search)
    talk(*(check(name, True) for name in on), *GO)
    assert asked == [game]


# ---- stop ----


def test_stop() -> None:
    said = talk(f"position sfen {ENDLESS}", "go mate infinite", REPORT, "stop", "isready")
    assert "string unknown (interrupted) pn" in said[-3]
    assert said[-2:] == ["checkmate timeout", "readyok"]
    assert talk("stop", "ponderhit", "gameover lose", "stop") == []


@pytest.mark.parametrize("polls", [1, 2, 5])
def test_stop_ends_a_hard_search_after_few_polls(
    monkeypatch: pytest.MonkeyPatch, polls: int
) -> None:
    """The core asks whether to stop once in so many visits; no clock comes into it."""
    asked, found, searching = [0], list[Result](), Event()

    def search(stop: Callable[[], bool], **arguments: Any) -> Result:
        def counted() -> bool:
            asked[0] += 1
            if asked[0] == polls:
                searching.set()
                wait_for(stop)
            return stop()

        found.append(andorra.solve(stop=counted, **arguments | {"threads": 1}))
        return found[0]

    def commands() -> Iterator[str]:
        yield from (f"position sfen {ENDLESS}", "go mate infinite")
        assert searching.wait(PATIENCE)
        yield "stop"

    said: list[str] = []
    monkeypatch.setattr("andorra.usi.solve", search)
    Engine(said.append).run(commands())
    assert said[-1] == "checkmate timeout"
    assert (found[0].verdict, found[0].limit, asked[0]) == ("unknown", "interrupted", polls)
    assert found[0].statistics["nodes"] <= polls * POLL_INTERVAL


def wait_for(condition: Callable[[], bool]) -> None:
    for _ in range(100 * PATIENCE):
        if condition():
            return
        Event().wait(0.01)


def test_stop_does_not_wait_for_a_search_that_clears_up(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    cleared_up = Event()

    def search(**_: Any) -> Result:
        cleared_up.wait(PATIENCE)
        return andorra.solve("tsume", MATE)

    def commands() -> Iterator[str]:
        yield from ("go mate infinite", "stop", "stop", "isready")
        assert said == ["checkmate timeout", "readyok"]
        cleared_up.set()

    monkeypatch.setattr("andorra.usi.solve", search)
    Engine(said.append).run(commands())
    assert said == ["checkmate timeout", "readyok"]


def test_a_search_is_about_the_position_at_its_start() -> None:
    commands = [f"position sfen {ENDLESS}", "go mate infinite", f"position sfen {MATE}"]
    assert answers(*commands, "go mate infinite", ANSWER, ANSWER) == [
        "checkmate timeout",
        "checkmate G*5b",
    ]


def test_gameover_ends_a_search() -> None:
    commands = [f"position sfen {ENDLESS}", "go mate infinite", "gameover draw", "isready"]
    assert talk(*commands)[-2:] == ["checkmate timeout", "readyok"]


# ---- other questions ----


@pytest.mark.parametrize("go", ["go", "go btime 1000 wtime 1000 byoyomi 100", "go depth 3"])
def test_games_are_resigned(go: str) -> None:
    assert talk("position startpos", go) == ["bestmove resign"]


@pytest.mark.parametrize("go", ["go infinite", "go ponder btime 1000 wtime 1000"])
def test_some_answers_are_not_wanted_before_stop(go: str) -> None:
    assert talk("position startpos", go, "isready", "stop") == ["readyok", "bestmove resign"]
    assert talk("position startpos", go, "isready", "gameover win", "stop") == ["readyok"]


@pytest.mark.parametrize("limit", ["x", "-1", "1.5", "nodes", "nodes x", "１００", "9" * 5000])
def test_limits_that_make_no_sense(limit: str) -> None:
    error, answer = talk(f"position sfen {MATE}", f"go mate {limit}")
    assert error.startswith("info string error: cannot read ") and error.isascii()
    assert answer == "checkmate notimplemented"


def test_nonsense_is_ignored() -> None:
    nonsense = ["", "  ", "hello", "\x00", "usiok", "setoption", "setoption name", "ｕｓｉ", "usi2"]
    nonsense += ["setoption name USI_Ponder value true", "setoption name Button", "register later"]
    assert talk(*nonsense, "debug on", "isready") == ["readyok"]


# ---- positions ----


@pytest.mark.parametrize(
    ("words", "quoted"),
    [
        ("", "''"),
        ("startposition", "'startposition'"),
        ("sfen", "''"),
        ("sfen 9/9/9", "'9/9/9'"),
        (f"sfen {MATE} extra", "extra"),
        ("sfen 4k4/4P4/9/9/9/9/9/9/9 b - 1", "in check"),
        ("sfen 9/9/4P4/9/9/9/9/9/9 b G 1", "no king"),
        ("sfen 4k4/9/4Ｐ4/9/9/9/9/9/9 b G 1", "expected a piece"),
        ("startpos moves 7g7f 7g7f", "move 2, '7g7f', is not legal"),
        ("startpos moves 7g7f 五四", "move 2"),
        (f"sfen {MATE} moves G*5b 5a5b", "move 2, '5a5b', is not legal"),
    ],
)
def test_bad_positions(words: str, quoted: str) -> None:
    """And no answer is about the position before."""
    error, *more = talk(f"position sfen {MATE}", f"position {words}", "go mate infinite")
    assert error.startswith("info string error: ") and quoted in error
    assert error.isascii() and error.isprintable()
    assert more[-1] == "checkmate notimplemented"
    recovered = talk(f"position {words}", f"position sfen {MATE}", "go mate infinite", ANSWER)
    assert recovered[-1] == "checkmate G*5b"


def test_game_records_lead_to_the_position() -> None:
    rng = random.Random(4)
    for _ in range(5):
        position, record = read_sfen(START), list[str]()
        for _ in range(rng.randrange(60)):
            move = rng.choice(sorted(legal_moves(position)))
            record.append(move_text(move))
            position = play(position, move)
        words = ["startpos", *(["moves", *record] if record else [])]
        board = cshogi.Board()
        for text in record:
            board.push_usi(text)
        assert position_after(words) == write_sfen(position)
        assert write_sfen(position).split()[:3] == board.sfen().split()[:3]


def test_the_side_to_move_after_the_moves_attacks() -> None:
    both = "sfen 4k4/9/4P4/9/9/9/4p3P/9/4K4 b Gg 1"
    go = ["go mate infinite", ANSWER]
    assert answers(f"position {both}", *go) == ["checkmate G*5b"]
    assert answers(f"position {both} moves", *go) == ["checkmate G*5b"]
    assert answers(f"position {both} moves 1g1f", *go) == ["checkmate G*5h"]


# ---- what it says meanwhile ----


def test_reports_of_a_real_search() -> None:
    said = talk(f"position sfen {ENDLESS}", "go mate infinite", REPORT, "stop")
    words = said[0].split()
    assert words[0] == "info"
    figures = dict(zip(words[1:11:2], map(int, words[2:11:2]), strict=True))
    assert list(figures) == ["depth", "nodes", "nps", "time", "hashfull"]
    assert min(figures.values()) >= 0 and figures["nodes"] > 0 and figures["hashfull"] <= 1000
    assert words[11:13] == ["string", "pn"] and words[14] == "dn"


def test_a_mate_is_reported_with_its_line() -> None:
    report, answer = talk(f"position sfen {MATE}", "go mate infinite", ANSWER)
    assert report.endswith(" score mate 1 pv G*5b") and answer == "checkmate G*5b"


def progress_at(nodes: int) -> Progress:
    return Progress("search", "win:first", 3, None, nodes, nodes, nodes, 7, 0.5, 1.0, nodes)


def test_reports_come_once_a_second_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]

    def search(progress: Callable[[Progress], None], **_: Any) -> Result:
        for tenth in range(1, 36):
            now[0] = 1000 + tenth / 10
            progress(progress_at(tenth))
        return andorra.solve("tsume", MATE)

    monkeypatch.setattr("andorra.usi.time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr("andorra.usi.solve", search)
    *reports, summary, _ = talk("go mate infinite", ANSWER)
    assert [line.split()[4] for line in reports] == ["10", "20", "30"]
    assert reports[0] == ("info depth 7 nodes 10 nps 10 time 1000 hashfull 500 string pn 3 dn inf")
    assert " time 3500 " in summary


def test_the_tables_fill_is_told_on_one_scale(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of all that the table may grow to; nothing is told of a search that was over before."""

    def search(progress: Callable[[Progress], None], **_: Any) -> Result:
        if told:
            progress(progress_at(1))
        return andorra.solve("tsume", MATE)

    monkeypatch.setattr("andorra.usi.solve", search)
    told = True
    assert " hashfull 500 " in talk(*GO)[-2]
    told = False
    assert "hashfull" not in talk(*GO)[-2]


# ---- options, and searches that fail ----


def test_options_reach_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, Any]] = []

    def search(**arguments: Any) -> Result:
        asked.append(arguments)
        raise OptionError("no search\ntoday: 明日")

    monkeypatch.setattr("andorra.usi.solve", search)
    option = "setoption name USI_Hash value {}"
    bad = [option.format(text) for text in ("0", "x", "-5", str(LARGEST_HASH + 1), "9" * 5000)]
    bad += [f"setoption name Threads value {text}" for text in ("0", "all", "1025")]
    threads = "setoption name Threads value 3"
    said = talk(option.format(32), threads, *bad, f"position sfen {MATE}", "go mate 1500", ANSWER)
    (arguments,) = asked
    asked_for = (arguments["memory"], arguments["seconds"], arguments["threads"])
    assert asked_for == (32 << 20, 1.5, 3)
    assert (arguments["game"], arguments["position"]) == ("tsume", MATE)
    assert len(said) == len(bad) + 2
    for command, line in zip(bad, said, strict=False):
        assert command.split()[2] in line and "expected 1 to" in line
    assert said[-2:] == [
        r"info string error: OptionError: no search today: \u660e\u65e5",
        "checkmate timeout",
    ]


@pytest.mark.parametrize("name", [*RULES, "Shortest"])
@pytest.mark.parametrize("value", ["maybe", "True", "1", "いいえ"])
def test_what_is_neither_on_nor_off_is_refused(name: str, value: str) -> None:
    (said,) = talk(f"setoption name {name} value {value}")
    shown = value.encode("ascii", "backslashreplace").decode()
    assert said == f"info string error: {name} '{shown}': expected 'true' or 'false'"


def test_a_value_that_is_refused_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def search(**arguments: Any) -> Result:
        asked.append(arguments["question"])
        return andorra.solve("tsume", MATE)

    monkeypatch.setattr("andorra.usi.solve", search)
    talk(check("Shortest", True), "setoption name Shortest value maybe", *GO)
    assert asked == ["shortest"]


def test_a_proof_without_its_moves_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def search(**_: Any) -> Any:
        counts = {"nodes": 1, "table_used": 0, "table_entries": 0}
        return SimpleNamespace(
            verdict="proven", line=["G*4b"], line_end="incomplete", limit=None, pn=0, dn=None,
            statistics=counts, length=None, length_bounds=None,
        )  # fmt: skip

    monkeypatch.setattr("andorra.usi.solve", search)
    assert talk("go mate infinite", ANSWER)[-1] == "checkmate timeout"


def test_a_listener_who_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search's thread ends without a word; pytest would tell of what it raised."""

    def write(_: str) -> None:
        raise BrokenPipeError

    Engine(write).run([f"position sfen {MATE}", "go mate nodes 100"])


# ---- the installed program ----


def test_command(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    lines = [b"\xff\xfe nonsense\n", b"isready\r\n", b"go\n", b"quit\n", b"isready\n"]
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=BytesIO(b"".join(lines))))
    assert main(["usi"]) == 0
    assert capfd.readouterr() == ("readyok\nbestmove resign\n", "")


def patiently(call: Callable[[], T]) -> T:
    """What `call` returns, which must not take for ever; cshogi waits for ever, if it has to."""
    results: list[T] = []
    thread = Thread(target=lambda: results.append(call()), daemon=True)
    thread.start()
    thread.join(PATIENCE)
    assert results, "there is no answer"
    return results[0]


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Any]:
    """The client in cshogi, which drives `andorra usi` in a process of its own."""
    script = tmp_path / "engine"
    script.write_text(f"#!/bin/sh\nexec {Path(sys.executable).with_name('andorra')} usi\n")
    script.chmod(0o755)
    engine = patiently(lambda: cshogi.usi.Engine(str(script)))
    process = engine.proc
    try:
        yield engine
        patiently(lambda: engine.quit() or True)
        assert (process.returncode, process.stderr.read()) == (0, b"")
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            stream.close()


def ask(client: Any, sfen: str, milliseconds: int | None = None) -> str:
    client.position(sfen=f"sfen {sfen}")
    return str(patiently(lambda: client.go_mate(byoyomi=milliseconds)))


def test_client_gets_answers(client: Any) -> None:
    assert client.name == f"Andorra {andorra.__version__}"
    client.setoption("USI_Hash", 64)
    patiently(lambda: client.isready() or True)
    client.usinewgame()
    assert ask(client, MATE) == "G*5b"
    assert ask(client, NO_MATE) == "nomate"
    assert ask(client, ENDLESS, 20) == "timeout"
    client.position(moves=["7g7f", "3c3d"])
    assert patiently(client.go_mate) == "nomate"
    assert patiently(lambda: client.go(byoyomi=100)) == ("resign", None)


def test_client_stops_a_search(client: Any) -> None:
    searching = Event()
    client.position(sfen=f"sfen {ENDLESS}")

    def listen(line: str) -> None:
        if line.startswith("info depth"):
            searching.set()

    def stop() -> None:
        if searching.wait(PATIENCE):
            client.stop()

    stopper = Thread(target=stop, daemon=True)
    stopper.start()
    assert patiently(lambda: client.go_mate(listener=listen)) == "timeout"
    stopper.join(PATIENCE)
    assert ask(client, MATE) == "G*5b"


def test_client_quits_during_a_search(client: Any) -> None:
    client.setoption("USI_Hash", 64)
    client.proc.stdin.write(f"position sfen {ENDLESS}\ngo mate infinite\n".encode())


def test_ctrl_c_at_the_end_of_input() -> None:
    """Whichever comes first, and whatever it interrupts."""
    program = "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    program += "from andorra.cli.main import main; sys.exit(main(['usi']))"
    for _ in range(3):
        with subprocess.Popen(
            [sys.executable, "-c", program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process:
            assert process.stdin and process.stdout
            process.stdin.write(f"position sfen {ENDLESS}\ngo mate infinite\nisready\n".encode())
            process.stdin.flush()
            assert process.stdout.readline() == b"readyok\n"
            process.send_signal(signal.SIGINT)
            process.stdin.close()
            try:
                assert process.wait(PATIENCE) in (0, 130)
            finally:
                process.kill()
