"""The shortest win on the command line and in the USI engine."""

from __future__ import annotations

import json
import signal
from dataclasses import replace
from pathlib import Path

import pytest

import andorra
from andorra import Other
from andorra.cli.lengths import print_others
from andorra.result import Verdict, When
from test_cli import EAGER, NEVER_SOLVED_SOON, Run, run, start
from test_usi import ANSWER, talk

__all__ = ["run"]

WON = "x../.../..o"
BOUNDS_MEET_EARLY = "6snk/9/7P1/9/9/9/9/9/9 b RG 1"
MATE_IN_ONE = "4k4/9/4P4/9/9/9/9/9/9 b G2P 1"
MATE_IN_NINE = "l+S4+N1l/6+R2/p2p1p2p/1pp1pkp2/3n5/2P1G3P/PP2PPP+b1/2GS5/1N2KGS+pL b GSLPrbnp 1"


def test_printout(run: Run) -> None:
    ran = run("solve", "mnk:3,3,3", WON, "--shortest", "--others")
    assert ran.code == 0
    assert "What is the shortest win of the first player (x)?" in ran.out
    assert "5 plies, and no fewer" in ran.out
    assert ran.out.endswith(
        "\n\nply  line  other move  wins\n1    c1    a3          in the same length\n"
    )


def test_printout_of_what_is_left(run: Run) -> None:
    for options in ([], ["--any"], ["--shortest"]):
        ran = run("solve", "tsume", MATE_IN_ONE, *options)
        assert ran.code == 0
        assert "left in hand  2P\n" in ran.out
        assert ("1 ply, and no fewer" in ran.out) == (options == ["--shortest"])


def test_printout_without_others(run: Run) -> None:
    ran = run("solve", "mnk:3,3,3", "xx./oo./...", "--shortest", "--others")
    assert "other moves  none: no other move wins\n" in ran.out
    assert "in the same length" not in ran.out
    ran = run("solve", "mnk:3,3,3", "--shortest", "--others")
    assert (ran.code, "other moves" in ran.out) == (1, False)


def test_a_length_left_open(run: Run) -> None:
    ran = run("solve", "tsume", MATE_IN_NINE, "--shortest", "--nodes", "3000")
    assert ran.code == 4
    assert "verdict       proven\n" in ran.out
    assert "length        at least 7 and at most " in ran.out
    assert " plies (the limit on nodes was reached)\n" in ran.out


def test_a_length_is_known_where_its_bounds_meet(run: Run) -> None:
    options = ["--shortest", "--nodes", "300", "--memory", "8MiB"]
    ran = run("solve", "tsume", BOUNDS_MEET_EARLY, *options, "--certificate", "none.andorra")
    assert ran.code == 0
    assert "length        7 plies, and no fewer\n" in ran.out
    assert "certificate   none: the limit on nodes was reached while it was collected\n" in ran.out
    ran = run("solve", "tsume", BOUNDS_MEET_EARLY, *options, "--others")
    assert ran.code == 4
    assert "7 plies, and no fewer (the limit on nodes was reached)\n" in ran.out
    assert "other moves   not looked for\n" in ran.out


@pytest.mark.parametrize(
    ("verdict", "when", "text"),
    [
        ("proven", "as soon", "in the same length"),
        ("proven", "later", "later"),
        ("proven", "not known", "not known how soon"),
        ("unknown", "later", "not known, and later if at all"),
        ("unknown", "not known", "not known"),
    ],
)
def test_when_other_moves_win(
    capsys: pytest.CaptureFixture[str], verdict: Verdict, when: When, text: str
) -> None:
    found = andorra.solve("mnk:3,3,3", WON, "shortest", others=True)
    print_others(replace(found, others=[Other(1, "a3", None, verdict, when)]))
    assert capsys.readouterr().out.endswith(f"1    {found.line[0]}    a3          {text}\n")


def test_quiet(run: Run) -> None:
    assert run("solve", "mnk:3,3,3", WON, "--shortest", "--quiet")[:2] == (0, "5\n")
    second = ["--question", "win:second"]
    ran = run("solve", "mnk:3,3,3", WON, "--shortest", "--quiet", *second)
    assert ran[:2] == (1, "disproven\n")


def test_json(run: Run) -> None:
    ran = run("solve", "mnk:3,3,3", WON, "--shortest", "--others", "--json", "--quiet")
    found = json.loads(ran.out)
    assert (found["question"], found["length"], found["length_bounds"]) == (
        "shortest:first",
        5,
        [5, 5],
    )
    assert found["others"] == [
        {"ply": 1, "move": "a3", "length": 5, "verdict": "proven", "when": "as soon"}
    ]
    assert found["left"] is None
    plain = json.loads(run("solve", "mnk:3,3,3", WON, "--json", "--quiet").out)
    assert [plain[key] for key in ("length", "length_bounds", "others", "left")] == [None] * 4


def test_a_file_of_positions(run: Run, tmp_path: Path) -> None:
    (tmp_path / "some.txt").write_text(f"{WON}\n.../.../...\nxx./oo./...\n")
    ran = run("solve", "mnk:3,3,3", "some.txt", "--shortest", "--quiet")
    assert ran[:2] == (0, "5\ndisproven\n1\n")


def test_the_checkers_say_the_length(run: Run) -> None:
    run("solve", "mnk:3,3,3", WON, "--shortest", "--certificate", "five.andorra")
    ran = run("check", "--both", "five.andorra")
    assert ran.code == 0
    assert ran.out.count(", won within 5 plies and not within 3, value win") == 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--shortest", "--value"], "--shortest and --value ask different questions"),
        (["--shortest", "--question", "win<=9"], "leave out '<=9' of --question win<=9"),
        (["--others"], "--others stand beside the shortest win; add --shortest"),
        (["--shortest", "--others-nodes", "5"], "--others-nodes 5 is about --others"),
        (["--shortest", "--others", "--others-nodes", "0"], "others_nodes=0: expected"),
        (["--shortest", "--question", "best"], "cannot read the question 'best'"),
        (["--question", "shortest:third"], "cannot read the question 'shortest:third'"),
        (["--option", "others=true"], "there is no option 'others'"),
    ],
)
def test_wrong_usage(run: Run, options: list[str], said: str) -> None:
    ran = run("solve", "mnk:3,3,3", WON, *options)
    assert ran.code == 2
    assert said in ran.err


def test_ctrl_c_ends_it_cleanly() -> None:
    process = start(["solve", NEVER_SOLVED_SOON, "--shortest", "--memory", "64MiB"], EAGER)
    assert process.stderr is not None
    process.stderr.readline()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert process.returncode == 4
    assert "unknown (interrupted)" in out
    assert "Traceback" not in err


def test_show_draws_what_the_line_reaches(run: Run) -> None:
    options = ["--shortest", "--certificate", "seven.andorra", "--json", "--quiet"]
    solved = json.loads(run("solve", "tsume", BOUNDS_MEET_EARLY, *options).out)
    assert solved["left"] == "SN"
    shown = json.loads(run("show", "seven.andorra", "--json").out)
    assert shown["end"].split()[2] == "SNg"
    assert run("show", "seven.andorra").out.count("black (attacker) holds SN\n") == 1
    after = json.loads(
        run("show", "seven.andorra", "--json", "--after", " ".join(shown["line"])).out
    )
    assert after["reply"]["position"] == shown["end"]


# ---- USI ----


def test_usi_finds_the_shortest_mate() -> None:
    assert "option name Shortest type check default false" in talk("usi")
    position = f"position sfen {MATE_IN_NINE}"
    lengths = []
    for value in ("false", "true"):
        option = f"setoption name Shortest value {value}"
        answer = talk(option, position, "go mate infinite", ANSWER)[-1]
        lengths.append(len(answer.removeprefix("checkmate ").split()))
    assert lengths[1] == 9 < lengths[0]


def test_usi_says_if_a_mate_may_not_be_the_shortest() -> None:
    option = "setoption name Shortest value true"
    said = talk(option, f"position sfen {MATE_IN_NINE}", "go mate nodes 3000", ANSWER)
    assert said[-1].startswith("checkmate S*3c ")
    assert "info string perhaps not the shortest: it takes at least 7 plies (nodes)" in said
