"""Files made to exhaust a machine: both checkers answer within their limit on memory.

Each case is a way to make something grow. The answer is "too large" or "rejected", and the resident
memory of the whole process stays under the limit and what the program itself takes.
"""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

import andorra
from andorra import TooLargeError, memory
from andorra.certificate import game_of, read
from andorra.checker import check
from andorra.cli.main import main
from andorra.errors import CertificateError, OptionError
from andorra.fast_checker import find
from andorra.rulebook import make
from andorra.viewer.entries import FirstFields, StoredCertificate
from bombs import MIB, Piece, checked, command_line, head, measured, packed
from certificates import body_of, make_certificate, pack

LIMIT = 48
"""In MiB."""
PROGRAM = 16 * MIB
"""What the fast checker takes besides."""
INTERPRETER = 64 * MIB
"""What Python and its modules take besides."""
TOO_LARGE = f"too large for {LIMIT} MiB"

START = ("mnk:3,3,3", ".../.../...")
MANY = Piece(head(*START, "win", "proven", 10**9))
CYCLE = b"root A\nA: or B\nB: or A\n"
NO_ENTRIES = (
    b"\nvalue -\nparts 1\nquestion win\nprover first\nwithin -\nverdict proven\nentries 0\nend\n"
)
END = Piece(b"end\n")


def graph(data: bytes) -> Piece:
    """A claim about a graph."""
    return Piece(head("graph", "n0", "win:first", "disproven", 0, data) + b"end\n")


def chain(nodes: int) -> bytes:
    """A graph in canonical form, whose nodes have two successors each."""
    lines = [b"n%d: or n%d n%d\n" % (i, i + 1, i + 2) for i in range(nodes)]
    ends = b"n%d: win\nn%d: loss\n" % (nodes, nodes + 1)
    return b"root n0\n" + b"".join(lines) + ends


def names(nodes: int, of_each: int) -> bytes:
    """A graph whose nodes have many successors each, all different and never defined."""
    successors = (
        b" ".join(b"%d" % (i * of_each + j) for j in range(of_each)) for i in range(nodes)
    )
    lines = (b"n%d: or %s\n" % (i, line) for i, line in enumerate(successors))
    return b"root n0\n" + b"".join(lines)


def covers() -> bytes:
    """Cover entries for 720,000 positions."""
    most = (2, 100, 100, 36)
    positions = itertools.product(*map(range, most))
    return b"".join(b"~\t0 %d %d %d %d t\tpay\t-\n" % position for position in positions)


CASES: dict[str, list[Piece]] = {
    "entries": [MANY, Piece(b"=\t\t\t1\n" * 150_000, 2000)],
    "a line without end": [Piece(b"game "), Piece(b"a" * MIB, 2048)],
    "parameters": [Piece(b"game mnk:"), Piece(b"11," * (MIB // 3), 60), Piece(MANY.text[10:])],
    "a position": [
        Piece("game mnk:3,3,3\nposition \N{GRINNING FACE}".encode()),
        Piece(b"ab/" * (MIB // 3), 60),
        Piece(NO_ENTRIES),
    ],
    "a move": [
        Piece(head(*START, "win", "proven", 1) + b"=\t.../.../...\t"),
        Piece(b"\1" * MIB, 60),
        Piece(b"\t1\nend\n"),
    ],
    "lines of data": [Piece(b"game graph\ndata 900000000\n"), Piece(b"\n" * MIB, 2000)],
    "nodes": [graph(chain(300_000))],
    "names": [graph(names(10, 60_000))],
    "fewer nodes": [graph(chain(100_000))],
    "fewer names": [graph(names(6, 60_000))],
    "colons": [Piece(b"game graph\ndata 1\n"), Piece(b":" * MIB, 20), Piece(NO_ENTRIES)],
    "hints": [
        Piece(b"game graph\ndata 500003\na: or b c\nb: win\nc: win\n"),
        Piece(b"guess a 1 1\n" * 100_000, 5),
        Piece(b"position a" + NO_ENTRIES),
    ],
    "a run": [
        Piece(head("graph", "A", "win:first<=99999999999", "disproven", 0, CYCLE)),
        END,
    ],
    "covers": [
        Piece(head("toll:3", "0 0 3 1 4 t", "win:first", "disproven", 720_000)),
        Piece(covers()),
        END,
    ],
}
"""Files of some kilobytes, up to 4 MB."""
REJECTED_BY_THE_FAST_ONE = {"names", "fewer-names", "fewer-nodes", "colons"}
"""It finds what is wrong with them before it needs so much."""


@pytest.fixture(params=CASES)
def bomb(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A file for each case."""
    case: str = request.param
    path = tmp_path / case.replace(" ", "-")
    path.write_bytes(packed(*CASES[case]))
    assert path.stat().st_size < 5 * MIB
    return path


def test_the_trusted_checker_keeps_its_limit(bomb: Path) -> None:
    done = checked(bomb, f"{LIMIT}MiB")
    assert (done.code, done.err) == (1, f"{TOO_LARGE}\n")
    assert done.peak < LIMIT * MIB + INTERPRETER


def test_the_fast_checker_keeps_its_limit(bomb: Path) -> None:
    done = measured(find(), "--memory", f"{LIMIT}MiB", bomb)
    rejected = bomb.name in REJECTED_BY_THE_FAST_ONE
    assert (done.code, done.err) == (1 if rejected else 3, "")
    expected = f"rejected  {bomb}: " if rejected else f"too large  {bomb}: {TOO_LARGE}\n"
    assert done.out.startswith(expected)
    assert done.peak < LIMIT * MIB + PROGRAM


def written(folder: Path, *pieces: Piece) -> Path:
    path = folder / "file"
    path.write_bytes(packed(*pieces))
    return path


@pytest.mark.parametrize("case", ["entries", "a run", "a line without end"])
def test_both_checkers_say_that_a_file_is_too_large(tmp_path: Path, case: str) -> None:
    done = command_line("check", "--both", "--memory", "8MiB", written(tmp_path, *CASES[case]))
    assert done.code == 3
    assert done.out.count("too large for 8 MiB [") == 2
    assert done.peak < 8 * MIB + INTERPRETER


@pytest.mark.parametrize("checker", [[], ["--fast"]])
@pytest.mark.parametrize("game", ["mnk:10000,10000,3", "hex:99999999", "dots:99999,99999"])
def test_huge_boards_are_rejected(tmp_path: Path, game: str, checker: list[str]) -> None:
    path = written(tmp_path, Piece(head(game, "-", "win", "proven", 0)), END)
    done = command_line("check", *checker, "--memory", f"{LIMIT}MiB", path)
    assert (done.code, done.err) == (1, "")
    assert done.peak < LIMIT * MIB + INTERPRETER


@pytest.mark.parametrize("checker", [[], ["--fast"]])
def test_a_false_count_takes_nothing(tmp_path: Path, checker: list[str]) -> None:
    path = written(tmp_path, Piece(head(*START, "win", "proven", 10**17)), END)
    done = command_line("check", *checker, "--memory", "8MiB", path)
    assert (done.code, done.err) == (1, "")


@pytest.mark.parametrize("checker", [[], ["--fast"]])
def test_messages_are_short(tmp_path: Path, checker: list[str]) -> None:
    entry = b"=\t.../.../...\t" + b"\1" * (4 * MIB) + b"\t1\nend\n"
    path = written(tmp_path, Piece(head(*START, "win", "proven", 1)), Piece(entry))
    done = command_line("check", *checker, "--memory", "1GiB", path)
    assert done.code == 1
    assert len(done.out) < 21_000


def test_the_middle_of_a_long_line_is_only_counted(tmp_path: Path) -> None:
    with pytest.raises(CertificateError, match=r"after n1 .* n200 \[9600 more\] n9801 .* n10000$"):
        check(written(tmp_path, graph(chain(10_000))))


@pytest.mark.parametrize("limit", [None, "16MiB"])
def test_a_good_certificate_passes(tmp_path: Path, limit: str | None) -> None:
    path = tmp_path / "good"
    andorra.solve("connect4:4x4", question="value", certificate=path)
    options = [] if limit is None else ["--memory", limit]
    done = command_line("check", "--both", *options, path)
    assert (done.code, done.out.count(": verified: ")) == (0, 2)
    assert check(path, memory=limit).value == "draw"


def test_what_is_too_large_passes_with_more(tmp_path: Path) -> None:
    path = written(tmp_path, graph(chain(20_000).replace(b"win", b"loss")))
    for checker in ([], ["--fast"]):
        small, large = (
            command_line("check", *checker, "--memory", size, path) for size in ("1MiB", "64MiB")
        )
        assert (small.code, small.out.count("too large for 1 MiB")) == (3, 1)
        assert (large.code, large.out.count("verified")) == (0, 1)


def test_the_worst_code_wins(tmp_path: Path) -> None:
    large, bad = written(tmp_path, *CASES["a run"]), tmp_path / "bad"
    good = tmp_path / "good"
    bad.write_bytes(b"nothing")
    good.write_bytes(pack(body_of(make_certificate(make("mnk:3,3,3")))))
    small = ("--memory", "8MiB")
    assert measured(find(), *small, large, good).code == 3
    assert measured(find(), *small, large, bad, good).code == 1
    assert command_line("check", *small, large, good).code == 3
    assert command_line("check", *small, large, bad).code == 1


def test_a_file_without_end_is_not_read(tmp_path: Path) -> None:
    done = measured(find(), "--memory", "8MiB", "/dev/zero")
    assert (done.code, done.out.split("  ")[0]) == (1, "rejected")
    assert done.peak < 8 * MIB + PROGRAM


RULES = """
from andorra import Game

class Greedy(Game):
    name = "greedy"
    acyclic = True

    def initial(self):
        return 0

    def to_move(self, state):
        return 0

    def moves(self, state):
        return [bytearray(1 << 20) for _ in range(1 << 12)]

    def play(self, state, move):
        return state + 1

    def outcome(self, state):
        return None
"""


@pytest.mark.parametrize("position", [b"0", b"(" + b"1," * 200_000 + b")"])
def test_rules_of_users_keep_the_limit(tmp_path: Path, position: bytes) -> None:
    rules = tmp_path / "greedy.py"
    rules.write_text(RULES)
    first = b"game greedy\nposition " + position + NO_ENTRIES
    path = written(tmp_path, Piece(first.replace(b"win\n", b"win:second\n").replace(
        b"prover first", b"prover second")))  # fmt: skip
    done = command_line("check", "--memory", f"{LIMIT}MiB", "--rules", f"{rules}:Greedy", path)
    assert (done.code, done.err) == (3, "")
    assert TOO_LARGE in done.out
    assert done.peak < LIMIT * MIB + INTERPRETER


@pytest.fixture
def small_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """One on which the default is the limit of these tests."""
    monkeypatch.setattr(memory, "_default_memory", lambda: LIMIT * MIB)


@pytest.mark.usefixtures("small_machine")
def test_show_says_what_is_too_large(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for case in ("entries", "nodes", "a line without end"):
        assert main(["show", str(written(tmp_path, *CASES[case]))]) == 3
        assert TOO_LARGE in capsys.readouterr().err


@pytest.mark.usefixtures("small_machine")
def test_readers_have_the_default_limit(tmp_path: Path) -> None:
    with pytest.raises(TooLargeError, match=TOO_LARGE):
        read(written(tmp_path, *CASES["entries"]))
    with pytest.raises(TooLargeError, match=TOO_LARGE):
        game_of(written(tmp_path, *CASES["a line without end"]))


@pytest.mark.usefixtures("small_machine")
def test_the_viewer_says_what_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TooLargeError, match=TOO_LARGE):
        StoredCertificate(written(tmp_path, *CASES["lines of data"]), lambda _: FirstFields(0))
    monkeypatch.setattr(memory, "_default_memory", lambda: 4 * MIB)
    pieces = [MANY, Piece(b"=\t\t\t1\n" * 150_000, 20)]
    stored = StoredCertificate(written(tmp_path, *pieces), lambda _: FirstFields(0))
    with pytest.raises(CertificateError, match="too large for 4 MiB"):
        list(stored.part(0).find(b"x"))
    stored.close()


@pytest.mark.parametrize(
    "text", ["2MiB", "1.5g", "64 MB", "1048576", "3t", " 2GiB ", "5Mb", "1024K", "1023.9tib"]
)
def test_both_checkers_read_the_same_sizes(tmp_path: Path, text: str) -> None:
    memory.memory_bytes(text)
    done = measured(find(), f"--memory={text}", tmp_path / "missing")
    assert done.code == 3


@pytest.mark.parametrize(
    "text", ["", "1", "1023K", "1024tib", "2 GiBs", "-2GiB", "2.GiB", ".5GiB", "1e9", "GiB", "2xb"]
)
def test_both_checkers_refuse_the_same_sizes(tmp_path: Path, text: str) -> None:
    with pytest.raises(OptionError):
        memory.memory_bytes(text)
    done = measured(find(), f"--memory={text}", tmp_path / "missing")
    assert (done.code, done.out) == (2, "")
    assert f"--memory '{text}': expected 512MiB, 2GiB" in done.err
    done = command_line("check", f"--memory={text}", tmp_path / "missing")
    assert done.code == 2


def test_both_checkers_have_the_same_default() -> None:
    default = memory.shown(memory.memory_bytes(None))
    assert f"which is {default} here\n" in measured(find(), "--help").out


def test_sizes_are_shown_alike(tmp_path: Path) -> None:
    path = written(tmp_path, *CASES["a run"])
    for size in (1 << 20, 1_300_000, 5 << 19):
        said = measured(find(), "--memory", str(size), path).out
        assert said.endswith(f": too large for {memory.shown(size)}\n")
