"""Files of many problems on the command line: table, live display, answers that are kept."""

from __future__ import annotations

import json
import math
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import cli_kit
from andorra import json_lines
from andorra.cli import many_progress
from andorra.cli.main import main
from andorra.cli.resume import Answers
from andorra.errors import AndorraError, OutputError
from cli_kit import Ran, Run

WON = "xxx./ooo./..../...."
EMPTY = "..../..../..../...."
GAME = "mnk:4,4,4"
FILE = "some.txt"
KEPT = "kept.jsonl"


@pytest.fixture
def solve(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Run:
    """Solves a file of two problems, of which 30 nodes leave the second one open."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / FILE).write_text(f"{WON}\n{EMPTY}\n")

    def command(*arguments: str) -> Ran:
        capfd.readouterr()
        code = main(["solve", GAME, FILE, *arguments])
        return Ran(code, *capfd.readouterr())

    return command


def kept(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / KEPT).read_text().splitlines()]


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The positions that were searched, with more than the one node that finds their names."""
    import andorra
    from andorra.api import solve

    searched: list[str] = []

    def counted(game: Any, position: str, **arguments: Any) -> andorra.Result:
        if arguments["nodes"] != 1:
            searched.append(position)
        return solve(game, position, **arguments)

    monkeypatch.setattr(andorra, "solve", counted, raising=False)
    return searched


# ---- what is kept, and what is solved again ----


def test_answers_are_kept_as_json_prints_them(solve: Run, tmp_path: Path) -> None:
    ran = solve("--json", "--nodes", "30", "--memory", "1MiB", "--resume", KEPT)
    assert ran.code == 4
    assert ran.answers == kept(tmp_path)
    assert [answer["verdict"] for answer in ran.answers] == ["proven", "unknown"]
    assert ran.answers[1]["asked"] == {"memory": 1 << 20, "nodes": 30, "seconds": None}


def test_output_of_a_second_run_is_that_of_the_first(solve: Run, searches: list[str]) -> None:
    arguments = ["--nodes", "30", "--resume", KEPT]
    first = solve(*arguments, "--json")
    assert searches == [WON, EMPTY]
    assert solve(*arguments, "--json") == first
    assert solve(*arguments, "--quiet") == (4, "proven\nunknown\n", "")
    assert solve(*arguments) == (
        4,
        f"{GAME} ({FILE}:1): proven, by an earlier run\n\n"
        f"{GAME} ({FILE}:2): unknown, by an earlier run\n",
        "",
    )
    assert searches == [WON, EMPTY]


def test_answers_are_found_wherever_the_position_stands_now(
    solve: Run, searches: list[str], tmp_path: Path
) -> None:
    solve("--nodes", "30", "--resume", KEPT, "--quiet")
    (tmp_path / FILE).write_text(f"# moved\n\n{EMPTY}\n  {WON} # won\n")
    ran = solve("--nodes", "30", "--resume", KEPT, "--json")
    assert [(each["source"], each["verdict"]) for each in ran.answers] == [
        (f"{FILE}:3", "unknown"),
        (f"{FILE}:4", "proven"),
    ]
    assert len(searches) == 2


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        (["--nodes", "30"], []),
        (["--nodes", "20"], []),
        (["--nodes", "30", "--memory", "2MiB"], []),
        (["--nodes", "40"], [EMPTY]),
        (["--seconds", "0.001"], [EMPTY]),
        (["--nodes", "30", "--retry"], [EMPTY]),
        (["--nodes", "30", "-o", "epsilon=0.5"], [WON, EMPTY]),
        (["--nodes", "30", "--question", "win:first"], []),
        (["--nodes", "30", "--question", "win"], []),
        (["--nodes", "30", "--question", "win:second"], [WON, EMPTY]),
        (["--nodes", "30", "--algorithm", "pns"], [WON, EMPTY]),
        (["--nodes", "30", "--value"], [WON, EMPTY]),
    ],
)
def test_what_is_solved_again(
    solve: Run, searches: list[str], more: list[str], expected: list[str]
) -> None:
    solve("--nodes", "30", "--memory", "1MiB", "--resume", KEPT, "--quiet")
    searches.clear()
    solve("--memory", "1MiB", "--resume", KEPT, "--quiet", *more)
    assert searches == expected


def test_a_smaller_limit_later_does_not_hide_a_larger_one(solve: Run, searches: list[str]) -> None:
    for nodes in ("50", "30"):
        solve("--nodes", nodes, "--resume", KEPT, "--quiet", "--retry")
    searches.clear()
    solve("--nodes", "50", "--resume", KEPT, "--quiet")
    assert searches == []


def test_an_answer_makes_the_unknowns_before_it_forgotten(solve: Run, searches: list[str]) -> None:
    solve("--nodes", "30", "--resume", KEPT, "--quiet")
    assert solve("--resume", KEPT, "--quiet").out == "proven\ndisproven\n"
    searches.clear()
    assert solve("--nodes", "30", "--resume", KEPT, "--quiet") == (0, "proven\ndisproven\n", "")
    assert searches == []


def test_a_certificate_that_is_not_there_is_made(
    solve: Run, searches: list[str], tmp_path: Path
) -> None:
    asked = ["--nodes", "30", "--resume", KEPT, "--quiet"]
    solve(*asked)
    solve(*asked, "--certificate", "proofs")
    assert searches == [WON, EMPTY, WON]
    solve(*asked, "--certificate", "proofs")
    assert len(searches) == 3
    (tmp_path / "proofs" / "some-0001.andorra").unlink()
    solve(*asked, "--certificate", "proofs")
    assert searches[3:] == [WON]
    assert main(["check", "proofs/some-0001.andorra"]) == 0


def test_a_bad_line_is_no_answer(solve: Run, tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(f"nonsense\n{WON}\n")
    for _ in range(2):
        ran = solve("--resume", KEPT, "--quiet")
        assert (ran.code, ran.out) == (3, "proven\n")
        assert f"error: {FILE}:1: " in ran.err
    assert len(kept(tmp_path)) == 1


# ---- the file of answers ----


@pytest.mark.parametrize("left", [1, 5, 9, 10, 50, -2, -1])
def test_a_line_that_was_cut_off_is_repaired(
    solve: Run, searches: list[str], tmp_path: Path, left: int
) -> None:
    solve("--nodes", "30", "--resume", KEPT, "--quiet")
    first, second = (tmp_path / KEPT).read_bytes().splitlines(keepends=True)
    (tmp_path / KEPT).write_bytes(first + second[:left])
    searches.clear()
    assert solve("--nodes", "30", "--resume", KEPT, "--quiet").out == "proven\nunknown\n"
    assert searches == ([] if left == -1 else [EMPTY])
    assert [answer["verdict"] for answer in kept(tmp_path)] == ["proven", "unknown"]


OURS: dict[str, Any] = {
    "game": GAME, "position": WON, "question": "win:first", "algorithm": "dfpn", "options": {},
    "verdict": "proven", "limit": None, "certificate": None, "certificate_limit": None,
    "value": "win", "line": [], "nodes": 1, "cpu_seconds": 0.0,
    "asked": {"memory": 1, "nodes": None, "seconds": None},
}  # fmt: skip


def test_the_example_is_ours(tmp_path: Path) -> None:
    (tmp_path / KEPT).write_text(json.dumps(OURS))
    with Answers(tmp_path / KEPT) as answers:
        assert answers.find(OURS, None, retry=False) == OURS


@pytest.mark.parametrize(
    "foreign",
    [
        "hello",
        "hello\n",
        "{}\n",
        "[1, 2]\n",
        "\n",
        '{"game": "mnk:3,3,3"}\n',
        *(
            json.dumps({key: value for key, value in OURS.items() if key != missing}) + "\n"
            for missing in OURS
        ),
        json.dumps(OURS | {"nodes": "many"}) + "\n",
        *(
            json.dumps(OURS | wrong) + "\n"
            for wrong in (
                {"nodes": True},
                {"cpu_seconds": math.nan},
                {"cpu_seconds": math.inf},
                {"verdict": "perhaps"},
                {"value": "huh"},
                {"line": [1, {"a": 2}]},
                {"options": {"rise": 9}},
                {"score": "high"},
                {"length_bounds": [None, 3]},
                {"length_bounds": [3]},
                {"score_bounds": ["low", None]},
                {"overheads": [1]},
                {"wall_seconds": "long"},
                {"asked": OURS["asked"] | {"nodes": "abc"}},
            )
        ),
        json.dumps(OURS).replace("0.0", "1e999") + "\n",
        json.dumps(OURS).replace("0.0", "Infinity") + "\n",
        json.dumps(OURS)[:-1] + f', "more": {40 * "["}{40 * "]"}}}\n',
        200_000 * "[" + "\n",
        200_000 * '{"a":' + "\n",
        json.dumps(OURS | {"asked": {"memory": 1}}) + "\n",
        json.dumps(OURS) + "\nhello",
    ],
)
def test_a_file_that_is_not_ours_is_refused_and_left_alone(
    solve: Run, tmp_path: Path, foreign: str
) -> None:
    (tmp_path / KEPT).write_text(foreign)
    ran = solve("--resume", KEPT)
    assert (ran.code, ran.out) == (3, "")
    assert f"error: --resume '{KEPT}' is no file of answers: line " in ran.err
    assert "expected an object as 'andorra solve GAME FILE --json' prints it" in ran.err
    assert (tmp_path / KEPT).read_text() == foreign


def test_the_line_that_is_not_ours_is_quoted(solve: Run, tmp_path: Path) -> None:
    (tmp_path / KEPT).write_text(json.dumps(OURS) + "\n" + 100 * "x")
    assert f"line 2 is '{60 * 'x'}…'," in solve("--resume", KEPT).err


def test_a_line_without_end_is_refused_when_its_beginning_is_read(
    solve: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file has no more than a few bytes on the disk, and no reader has the memory for it."""
    monkeypatch.setattr(json_lines, "LONGEST_LINE", 1000)
    with (tmp_path / KEPT).open("wb") as file:
        file.truncate(1 << 40)
    ran = solve("--resume", KEPT)
    assert ran.code == 3
    assert "line 1 is '" in ran.err and "expected an object" in ran.err


@pytest.mark.parametrize("more", [0, 1])
def test_the_longest_line_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: int
) -> None:
    line = json.dumps(OURS)
    monkeypatch.setattr(json_lines, "LONGEST_LINE", len(line) - more)
    for end in ("\n", ""):
        (tmp_path / KEPT).write_text(line + end)
        if more:
            with pytest.raises(AndorraError, match="line 1 is"):
                Answers(tmp_path / KEPT)
            continue
        with Answers(tmp_path / KEPT) as answers:
            assert answers.lines == [OURS]


def test_a_line_that_no_run_could_read_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_lines, "LONGEST_LINE", 100)
    with Answers(tmp_path / KEPT) as answers, pytest.raises(OutputError, match="more than 100"):
        answers.add(OURS)
    assert kept(tmp_path) == []


def test_two_runs_do_not_write_into_one_file(solve: Run, tmp_path: Path) -> None:
    with Answers(tmp_path / KEPT):
        ran = solve("--resume", KEPT)
    assert (ran.code, ran.err) == (3, f"error: --resume '{KEPT}': another run is using it\n")
    with pytest.raises(AndorraError), Answers(tmp_path / KEPT), Answers(tmp_path / KEPT):
        pass


@pytest.mark.parametrize(
    ("arguments", "code", "part"),
    [
        ([GAME, "--resume", KEPT], 2, "--resume is for a FILE of several positions"),
        ([GAME, WON, "--resume", KEPT], 2, "--resume is for a FILE of several positions"),
        ([GAME, FILE, "--retry"], 2, "--retry is for the unknowns of an earlier run"),
        ([GAME, FILE, "--resume", "no/folder"], 3, "cannot open 'no/folder'"),
        ([GAME, FILE, "--resume", "."], 3, "cannot open '.'"),
    ],
)
def test_resume_must_make_sense(
    solve: Run, capfd: pytest.CaptureFixture[str], arguments: list[str], code: int, part: str
) -> None:
    assert main(["solve", *arguments]) == code
    assert part in capfd.readouterr().err


# ---- Ctrl-C, and being killed ----


def start(*arguments: str) -> subprocess.Popen[str]:
    """A run that says soon that it is searching."""
    code = (
        "import signal, sys\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "import andorra.cli.progress as progress\nprogress.PLAIN_INTERVAL = 0.01\n"
        "from andorra.cli.main import main\nsys.exit(main())"
    )
    return subprocess.Popen(
        [sys.executable, "-c", code, "solve", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_what_is_answered_survives(tmp_path: Path, ending: signal.Signals) -> None:
    positions, file = tmp_path / "two.txt", tmp_path / KEPT
    positions.write_text("444444326555\n4\n")
    arguments = ["connect4:7x6", str(positions), "--memory", "64MiB", "--resume", str(file)]
    process = start(*arguments)
    assert process.stderr is not None
    while f"{positions}:2: " not in process.stderr.readline():
        pass
    process.send_signal(ending)
    process.communicate()
    assert process.returncode == (-ending if ending == signal.SIGKILL else 4)
    assert [answer["limit"] for answer in kept(tmp_path)] == [None]


# ---- on a terminal ----


def on_a_terminal(*arguments: str, folder: Path) -> tuple[int, str]:
    """Exit code and everything that a terminal is sent by `andorra solve`, drawn all the time."""
    before = "import andorra.cli.many_progress as progress\nprogress._INTERVAL = 0\n"
    return cli_kit.on_a_terminal("solve", *arguments, folder=folder, before=before)


def words(line: str) -> list[str]:
    return line.replace("\x1b[0m", "").replace("\x1b[2m", "").split()


def test_a_table_at_the_end(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(f"{WON}\nbad\n{EMPTY}\n")
    arguments = [
        GAME,
        FILE,
        "--nodes",
        "30",
        "--memory",
        "1MiB",
        "--resume",
        KEPT,
        "--threads",
        "1",
    ]
    code, sent = on_a_terminal(*arguments, folder=tmp_path)
    assert code == 3
    assert f"error: \x1b[0m{FILE}:2: " in sent
    lines = sent.partition(f"{GAME}, {FILE}")[2].splitlines()[2:]
    assert [words(line) for line in lines[:5]] == [
        ["problem", "line", "verdict", "plies", "nodes", "CPU", "s", "limit"],
        ["1", "1", "proven", "1", str(kept(tmp_path)[0]["nodes"]), words(lines[1])[5], "-"],
        ["2", "2", "unreadable", "-", "-", "-", "-"],
        ["3", "3", "unknown", "-", "30", words(lines[3])[5], "nodes"],
        [
            "all", "-", "1", "answered", "-", str(30 + kept(tmp_path)[0]["nodes"]),
            words(lines[4])[6], "-",
        ],
    ]  # fmt: skip
    assert lines[6] == "1 proven, 1 unreadable, 1 unknown"
    _, sent = on_a_terminal(*arguments, folder=tmp_path)
    assert "1 proven, 1 unreadable, 1 unknown; 2 by earlier runs" in sent


def test_a_table_of_several_threads_has_times_by_the_clock(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(f"bad\n{WON}\n")
    _, sent = on_a_terminal(GAME, FILE, "--threads", "2", folder=tmp_path)
    lines = [words(line) for line in sent.partition(f"{GAME}, {FILE}")[2].splitlines()[2:6]]
    assert lines[0][4:] == ["nodes", "CPU", "s", "wall", "s", "limit"]
    assert lines[1] == ["1", "1", "unreadable", "-", "-", "-", "-", "-"]
    assert re.fullmatch(r"proven 1 [\d,]+ \d+\.\d\d \d+\.\d\d -", " ".join(lines[2][2:]))
    assert re.fullmatch(r"all - 1 answered - [\d,]+ \d+\.\d\d \d+\.\d\d -", " ".join(lines[3]))


def test_a_table_of_lengths(tmp_path: Path) -> None:
    """Verdicts are counted, lengths have a column of their own."""
    game = "mnk:3,3,3"
    (tmp_path / FILE).write_text("xx./oo./...\nbad\nx../.../..o\n.../.../...\n")
    _, sent = on_a_terminal(game, FILE, "--shortest", folder=tmp_path)
    lines = sent.partition(f"{game}, {FILE}")[2].splitlines()[2:]
    assert words(lines[0])[:5] == ["problem", "line", "verdict", "length", "plies"]
    assert [words(line)[1:5] for line in lines[1:5]] == [
        ["1", "proven", "1", "1"],
        ["2", "unreadable", "-", "-"],
        ["3", "proven", "5", "5"],
        ["4", "disproven", "-", words(lines[4])[4]],
    ]
    assert words(lines[5])[:6] == ["all", "-", "3", "answered", "-", "-"]
    assert lines[7] == "2 proven, 1 unreadable, 1 disproven"
    assert "1 proven" in sent.partition(f"{game}, {FILE}")[0]


def test_a_bar_over_the_problems(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("4\n44\n")
    _, sent = on_a_terminal("connect4:7x6", FILE, "--nodes", "1500000", folder=tmp_path)
    assert "0 of 2 problems" in sent
    assert "1 of 2 problems" in sent
    assert "━━━━━┄┄┄┄┄" in sent
    assert "1 unknown" in sent
    assert f"{FILE}:2\x1b[0m  win:first, searching, " in sent


def test_json_on_a_terminal_is_whole(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(f"{WON}\n{WON}\n")
    code, sent = on_a_terminal(GAME, FILE, "--json", folder=tmp_path)
    objects = [line[line.index('{"game"') :] for line in sent.splitlines() if '{"game"' in line]
    assert code == 0
    assert [json.loads(line)["source"] for line in objects] == [f"{FILE}:1", f"{FILE}:2"]


def test_drawing_costs_little(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    shown = many_progress.Shown("some", 1000)
    drawn: list[str] = []
    monkeypatch.setattr(shown._live, "update", lambda text, refresh: drawn.append(text.plain))
    for problem in range(1000):
        now = problem / 1000
        shown.begin(f"some:{problem}")
        shown.done("proven")
    shown.close()
    assert len(drawn) == 10
    assert drawn[0] == "some  0 of 1,000 problems  ┄┄┄┄┄┄┄┄┄┄"
    assert drawn[-1].startswith("some  90")


def test_problems_from_a_pipe_are_not_counted_before(tmp_path: Path) -> None:
    shown = many_progress.Shown("-", None)
    shown.done("proven")
    assert shown._text().plain == "-  problems done: 1  1 proven"
    shown.close()
