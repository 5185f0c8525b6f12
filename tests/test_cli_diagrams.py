"""Board diagrams and game records on the command line: read from anywhere, and written."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest

import andorra
from andorra.cli.main import main
from andorra.rulebook.kif import write_diagram
from andorra.rulebook.sfen import read_sfen
from cli_kit import Ran, Run

MATE = "4k4/9/4P4/9/9/9/9/9/9 b G2p 1"
NO_MATE = "4k4/9/9/9/9/9/9/9/9 b G 1"
WHITE_MATES = "9/9/9/9/9/9/4p4/9/4K4 w g 1"
BOTH = "4k4/9/4P4/9/9/9/4p4/9/4K4"
RECORD = "startpos moves 7g7f 3c3d 8h2b+ 3a2b B*8e"
REACHED = "lnsgkg1nl/1r5s1/pppppp1pp/6p2/1B7/2P6/PP1PPPPPP/7R1/LNSGKGSNL w b 1"
RULES = """
from andorra import FIRST, Game

class Lines(Game[str, int]):
    name = "lines"
    acyclic = True
    can_draw = True
    def initial(self): return "x"
    def to_move(self, state): return FIRST
    def moves(self, state): return []
    def play(self, state, move): return state
    def outcome(self, state): return "first" if "|" in state else "draw"
    def format(self, state): return state.replace("\\n", "$")
    def parse(self, text): return text.replace("$", "\\n")
    def draw(self, state): return "\\u2654 " + state
"""


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in an empty folder, perhaps with something on standard input."""
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str, given: bytes = b"") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        capfd.readouterr()
        code = main(arguments)
        return Ran(code, *capfd.readouterr())

    return command


def diagram(sfen: str) -> str:
    return write_diagram(read_sfen(sfen)) + "\n"


SEVERAL = f"# two\n{diagram(MATE)}\n表題：もう一つ\n{diagram(NO_MATE)}\n{diagram(WHITE_MATES)}"


# ---- reading ----


def test_hands_of_a_problem_are_not_lost(run: Run) -> None:
    text = diagram(MATE).replace("先手の", "攻方の").replace("後手の", "玉方の")
    Path("a.kif").write_text(text, encoding="cp932")
    ran = run("solve", "tsume", "a.kif", "--json")
    assert (ran.code, ran.answers[0]["position"]) == (0, MATE)
    Path("a.kif").write_text(text.replace("攻方の", "攻手の"), encoding="cp932")
    ran = run("solve", "tsume", "a.kif", "--json")
    assert (ran.code, ran.out) == (3, "") and "'攻手の持駒：金'" in ran.err


@pytest.mark.parametrize("name", ["all.kif", "all.txt", "-"])
def test_a_file_of_several_diagrams(run: Run, name: str) -> None:
    data = SEVERAL.encode("cp932")
    if name != "-":
        Path(name).write_bytes(data)
    ran = run("solve", "tsume", name, "--json", "--certificate", "proofs", given=data)
    assert [each["position"] for each in ran.answers] == [MATE, NO_MATE, WHITE_MATES]
    assert [each["verdict"] for each in ran.answers] == ["proven", "disproven", "proven"]
    file = "<stdin>" if name == "-" else name
    assert [each["source"] for each in ran.answers] == [f"{file}:{line}" for line in (2, 18, 33)]
    assert (ran.code, ran.err, len(list(Path("proofs").iterdir()))) == (0, "", 3)
    for line in (2, 18, 33):
        assert SEVERAL.splitlines()[line - 1].startswith("後手の持駒")


def test_several_diagrams_one_of_which_is_bad(run: Run) -> None:
    Path("all.kif").write_text(SEVERAL.replace("v玉", "v虎", 1), encoding="utf-8")
    ran = run("solve", "tsume", "all.kif", "--quiet", "--resume", "kept.jsonl")
    assert (ran.code, ran.out) == (3, "disproven\nproven\n")
    assert "all.kif:2: " in ran.err and "v虎" in ran.err
    vary = ["--vary", "algorithm=pns", "--csv"]
    assert NO_MATE in run("compare", "tsume", "all.kif", *vary).out


def test_several_diagrams_that_cannot_be_told_apart(run: Run) -> None:
    Path("all.kif").write_text(diagram(MATE).replace("先手の持駒：金\n", "") * 2, encoding="utf-8")
    ran = run("solve", "tsume", "all.kif")
    assert ran.code == 3 and "line 1 lacks the hand of 先手" in ran.err


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932"])
@pytest.mark.parametrize("head", ["", "# ---- 棋譜 ----\r\n\r\n手合割：その他\r\n"])
def test_a_diagram_is_known_by_what_it_holds(run: Run, encoding: str, head: str) -> None:
    data = (head + diagram(MATE).replace("\n", "\r\n")).encode(encoding)
    Path("a.txt").write_bytes(data)
    for name in ("a.txt", "-"):
        ran = run("solve", "tsume", name, "--json", given=data)
        assert (ran.code, ran.answers[0]["position"]) == (0, MATE)
        assert "source" not in ran.answers[0]


@pytest.mark.parametrize("first", [1, 2])
def test_a_diagram_may_begin_with_its_board(run: Run, first: int) -> None:
    lines = diagram(MATE).replace("９ ８ ７ ６ ５ ４ ３ ２ １", "9 8 7 6 5 4 3 2 1").splitlines()
    text = "\n".join([*lines[first:], lines[0]])
    ran = run("solve", "tsume", "-", "--json", given=text.encode())
    assert (ran.code, ran.answers[0]["position"]) == (0, MATE)


def test_lines_of_a_pipe_are_still_answered_as_they_come() -> None:
    script = "import sys; from andorra.cli.main import main; sys.exit(main())"
    command = [sys.executable, "-uc", script, "solve", "tsume", "-", "--quiet"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(f"# +---+\n{MATE}\n".encode())
        process.stdin.flush()
        assert process.stdout.readline() == b"proven\n"
        process.stdin.write(f"{NO_MATE}\n".encode())
        process.stdin.close()
        assert process.stdout.read() == b"disproven\n"


def test_other_text_in_japanese_is_no_diagram(run: Run) -> None:
    ran = run("solve", "tsume", "-", "--quiet", given=f"詰将棋\n{MATE}\n".encode())
    assert (ran.code, ran.out) == (3, "proven\n") and "<stdin>:1: " in ran.err
    ran = run("solve", "tsume", "-", "--quiet", given=b"\x81 \x81\n" + MATE.encode())
    assert (ran.code, ran.out) == (3, "proven\n") and "not UTF-8" in ran.err


@pytest.mark.parametrize("name", ["x.kif", "x.txt"])
def test_diagrams_are_for_tsume(run: Run, name: str) -> None:
    Path(name).write_text(diagram(MATE), encoding="utf-8")
    ran = run("solve", "hex:3", name)
    assert (ran.code, ran.out) == (3, "")
    assert repr(name) in ran.err and "for the game 'tsume', not for hex:3" in ran.err


def test_rules_of_ones_own_get_diagrams_whole(run: Run) -> None:
    Path("lines.py").write_text(RULES, encoding="utf-8")
    whole = {"x.kif": ["+---+$|x|$+---+"], "x.txt": ["+---+", "|x|", "+---+"]}
    for name, positions in whole.items():
        Path(name).write_text("+---+\n|x|\n+---+", encoding="utf-8")
        ran = run("solve", "lines", name, "--rules", "lines.py:Lines", "--json")
        assert (ran.err, [each["position"] for each in ran.answers]) == ("", positions)


@pytest.mark.parametrize("encoding", ["utf-8", "cp932", "euc-jp"])
def test_comments_may_have_any_encoding(run: Run, encoding: str) -> None:
    text = f"# 詰将棋、表\n{MATE} # 一手詰\n{NO_MATE}\n"
    Path("a.txt").write_bytes(text.encode(encoding))
    for name in ("a.txt", "-"):
        ran = run("solve", "tsume", name, "--quiet", given=text.encode(encoding))
        assert ran == (0, "proven\ndisproven\n", "")


# ---- game records ----


@pytest.mark.parametrize("record", [RECORD, f"position {RECORD}"])
def test_a_game_record_is_replayed(run: Run, record: str) -> None:
    ran = run("solve", "tsume", record, "--json", "--nodes", "1000")
    assert ran.answers[0]["position"] == REACHED
    ran = run("solve", "tsume", f"{record} attacker=b", "--json", "--nodes", "1000")
    assert ran.answers[0]["position"] == f"{REACHED} attacker=b"
    Path("records.txt").write_text(f"{record}\nsfen {MATE} moves 5c5b+ 5a5b\n", encoding="utf-8")
    ran = run("solve", "tsume", "records.txt", "--json", "--nodes", "1000")
    assert [each["position"] for each in ran.answers] == [REACHED, "9/4k4/9/9/9/9/9/9/9 b G3p 1"]
    assert andorra.solve("tsume", record, nodes=1).position == REACHED


def test_a_record_may_hold_moves_that_are_no_checks(run: Run) -> None:
    ran = run("solve", "tsume", f"position sfen {BOTH} b Gg 1 moves 5c5b+ 5a5b 5i6i", "--json")
    assert ran.answers[0]["position"] == "9/4k4/9/9/9/9/4p4/9/3K5 w Ggp 1"


def test_illegal_moves_of_a_record_are_quoted(run: Run) -> None:
    ran = run("solve", "tsume", f"sfen {MATE} moves 5c5b+ 5a6b")
    assert (ran.code, ran.out) == (3, "")
    assert "move 2, '5a6b', is not legal in '4k4/4+P4/9/9/9/9/9/9/9 w G2p 1'" in ran.err
    ran = run("solve", "tsume", f"sfen {MATE} moves G*5b 5a4a")
    assert ran.code == 3 and "the game is over" in ran.err


# ---- writing ----


@pytest.mark.parametrize("side", ["b", "w"])
@pytest.mark.parametrize("attacker", ["b", "w"])
@pytest.mark.parametrize(
    ("name", "chosen", "encoding"),
    [
        ("a.kif", [], "shift_jis"),
        ("a.KIF", ["--encoding", "utf-8"], "utf-8"),
        ("a.kifu", [], "utf-8"),
        ("a.bod", ["--encoding", "shift_jis"], "shift_jis"),
        ("a.txt", ["--board", "japanese"], "utf-8"),
        ("a.txt", ["--board", "japanese", "--encoding", "shift_jis"], "shift_jis"),
    ],
)
def test_written_diagrams_are_read(
    run: Run, side: str, attacker: str, name: str, chosen: list[str], encoding: str
) -> None:
    sfen = f"{BOTH} {side} GPsl 1" + (f" attacker={attacker}" if attacker != side else "")
    assert run("draw", "tsume", sfen, "--output", name, *chosen) == (0, "", "")
    text = Path(name).read_bytes().decode(encoding)
    assert "先手の持駒：金　歩\n" in text and text.endswith("\n")
    ran = run("solve", "tsume", name, "--json", "--nodes", "1")
    assert ran.answers[0]["position"] == sfen


def test_drawings_on_standard_output(run: Run) -> None:
    western = run("draw", "tsume", MATE)
    assert western.code == 0 and "black (attacker) holds G\n" in western.out
    assert run("draw", "tsume", MATE, "--board", "japanese").out == diagram(MATE)
    assert run("draw", "mnk:3,3,3").out.count(".") >= 9
    assert run("draw", "tsume", RECORD).out.endswith("white to move\n")


def test_the_encoding_of_standard_output(
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    arguments = ["draw", "tsume", MATE, "--board", "japanese", "--encoding", "shift_jis"]
    assert main(arguments) == 0
    assert capfdbinary.readouterr().out == diagram(MATE).encode("cp932")


def test_a_file_of_positions_becomes_one_of_diagrams(run: Run) -> None:
    Path("all.txt").write_text(f"{MATE}\n# two\n{NO_MATE}\n{WHITE_MATES}\n", encoding="utf-8")
    assert run("draw", "tsume", "all.txt", "--output", "all.kif") == (0, "", "")
    ran = run("solve", "tsume", "all.kif", "--json")
    assert [each["position"] for each in ran.answers] == [MATE, NO_MATE, WHITE_MATES]
    assert run("draw", "tsume", "all.kif", "--output", "all.kif").code == 0
    assert run("solve", "tsume", "all.kif", "--quiet").out == "proven\ndisproven\nproven\n"


def test_what_cannot_be_drawn_is_not_written(run: Run) -> None:
    Path("all.txt").write_text(f"{MATE}\n4k4\n", encoding="utf-8")
    ran = run("draw", "tsume", "all.txt", "--output", "a.kif")
    assert ran.code == 3 and "all.txt:2: " in ran.err
    ran = run("draw", "tsume", "nothing.txt", "--output", "a.kif")
    assert ran.code == 3 and "nor is there a file 'nothing.txt'" in ran.err
    ran = run("draw", "hex:3", "--output", "a.kif")
    assert ran.code == 2 and "hex:3 is not drawn in this style" in ran.err
    Path("lines.py").write_text(RULES, encoding="utf-8")
    lines = ["draw", "lines", "--rules", "lines.py:Lines"]
    ran = run(*lines, "--output", "a.kif", "--board", "western")
    assert ran.code == 2 and "--encoding shift_jis: it has no '♔'" in ran.err
    assert not Path("a.kif").exists()
    assert run(*lines, "--output", "a.txt").code == 0
    assert run("draw", "tsume", "--output", "no/a.kif").code == 3
