"""The fast checker as a program: what it accepts, what it rejects, what it says.

The environment variable `ANDORRA_CHECK` may name the program to test, for example one built with
sanitizers; else it is the one on the PATH or beside this Python.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import shutil
import subprocess
import sys
import zlib
from collections.abc import Iterable
from pathlib import Path

import pytest

from andorra.rulebook import make
from certificates import body_of, make_certificate, make_draw, make_length, pack
from mutants import mutant_files

MUTANTS = 8_000
GRAPH = "A: or B C\nB: and D E\nC: and D\nD: win\nE: loss\n"


def find_program() -> str:
    """The program's path."""
    beside = Path(sys.executable).with_name("andorra-check")
    found = os.environ.get("ANDORRA_CHECK") or shutil.which(beside)
    found = found or shutil.which("andorra-check")
    assert found, f"andorra-check is not built: not ANDORRA_CHECK, {beside} or on the PATH"
    return found


def run(*arguments: str | Path, text: str = "") -> subprocess.CompletedProcess[str]:
    """Run the program; its output must be UTF-8 whatever it was given."""
    command = [find_program(), *map(str, arguments)]
    return subprocess.run(command, input=text, capture_output=True, encoding="utf-8", check=False)


def accepted(files: Iterable[Path]) -> list[bool]:
    """For each file whether it was verified."""
    names = [str(file) for file in files]
    done = run("--stdin-list", text="".join(f"{name}\n" for name in names))
    words = [line.split("  ")[0] for line in done.stdout.split("\n") if line[:1].strip()]
    assert len(words) == len(names), done
    assert set(words) <= {"verified", "rejected"}, done
    assert done.returncode == (0 if set(words) <= {"verified"} else 1), done
    return [word == "verified" for word in words]


def write_all(folder: Path, contents: Iterable[bytes]) -> list[Path]:
    """A file for each content."""
    paths = []
    for number, content in enumerate(contents):
        paths.append(folder / f"file-{number}")
        paths[-1].write_bytes(content)
    return paths


def graph_body() -> str:
    """The body of a small valid certificate."""
    game = make("graph", GRAPH)
    return body_of(make_certificate(make("graph", game.data())))


def saved(folder: Path, body: str | bytes) -> Path:
    """A file with this body."""
    path = folder / "certificate"
    path.write_bytes(pack(body))
    return path


def test_accepts_exactly_the_valid_mutants(tmp_path: Path) -> None:
    files = list(mutant_files(tmp_path, MUTANTS, seed=20))
    assert sum(not file.valid for file in files) >= 5_000
    assert sum(file.valid for file in files) >= 1_000
    verdicts = accepted(file.path for file in files)
    wrong = [file for file, verdict in zip(files, verdicts, strict=True) if verdict != file.valid]
    assert wrong == []


@pytest.mark.parametrize(
    ("spec", "question"),
    [
        ("mnk:3,3,3", "win"),
        ("mnk:3,3,2", "win:first"),
        ("mnk:3,3,3", "win:second<=6"),
        ("connect4:4x4", "win:first<=9"),
        ("hex:3", "win:second"),
        ("breakthrough:4x3x1", "win"),
        ("toll:3", "win:first"),
        ("toll:3", "win:second<=9"),
    ],
)
def test_accepts_all_games(tmp_path: Path, spec: str, question: str) -> None:
    certificate = make_certificate(make(spec), question)
    done = run(saved(tmp_path, body_of(certificate)))
    assert done.returncode == 0, done
    part = certificate.parts[0]
    bound = "" if part.within is None else f"<={part.within}"
    claim = f"win:{part.prover}{bound} {part.verdict} ({len(part.entries):,} entr"
    assert f": {spec}  {claim}" in done.stdout


def test_accepts_a_draw(tmp_path: Path) -> None:
    draw = make_draw(make("mnk:3,3,3"))
    assert draw is not None
    done = run(saved(tmp_path, body_of(draw)))
    assert done.returncode == 0
    assert "win:first disproven (" in done.stdout
    assert ", win:second disproven (" in done.stdout
    assert done.stdout.endswith(", value draw\n")


def test_accepts_a_length(tmp_path: Path) -> None:
    game = make("mnk:3,3,3")
    length = make_length(game, game.parse("x../.../..o"))
    assert length is not None
    done = run(saved(tmp_path, body_of(length)))
    assert done.returncode == 0
    assert done.stdout.endswith(", won within 5 plies and not within 4, value win\n")


def test_names_a_root_that_is_not_the_start(tmp_path: Path) -> None:
    game = make("mnk:3,3,3")
    root = game.parse("xx./oo./...")
    done = run(saved(tmp_path, body_of(make_certificate(game, "win", root))))
    assert ": mnk:3,3,3 at 'xx./oo./...'  win:first proven (1 entry), value win\n" in done.stdout


def test_rejects_every_changed_byte(tmp_path: Path) -> None:
    good = pack(graph_body())
    changed = []
    for place in range(len(good)):
        for bits in (0x01, 0x20, 0x80):
            content = bytearray(good)
            content[place] ^= bits
            changed.append(bytes(content))
    assert accepted(write_all(tmp_path, [good, *changed])) == [True] + [False] * len(changed)


def test_rejects_truncation_and_more(tmp_path: Path) -> None:
    good = pack(graph_body())
    cut = [good[:size] for size in range(len(good))]
    more = [good + b"\n", good + b"x", good + good, b"\n" + good]
    files = write_all(tmp_path, [good, *cut, *more])
    assert accepted(files) == [True] + [False] * (len(files) - 1)


def repacked(payload: bytes) -> bytes:
    """A file with any payload and the right digest."""
    content = b"andorra certificate 1\n" + payload
    return content + b"\nsha256 " + hashlib.sha256(content).hexdigest().encode() + b"\n"


def test_rejects_a_damaged_payload_with_the_right_digest(tmp_path: Path) -> None:
    payload = zlib.compress(graph_body().encode())
    wrong_checksum = payload[:-1] + bytes([payload[-1] ^ 1])
    damaged = [
        payload[:-1],
        payload + b"\0",
        b"",
        wrong_checksum,
        payload + payload,
        b"x" + payload,
    ]
    assert accepted(write_all(tmp_path, map(repacked, damaged))) == [False] * len(damaged)


def test_reads_whatever_zlib_writes(tmp_path: Path) -> None:
    body = body_of(make_certificate(make("mnk:3,3,3"))).encode()
    half = len(body) // 2
    strategies = (zlib.Z_DEFAULT_STRATEGY, zlib.Z_HUFFMAN_ONLY, zlib.Z_RLE, zlib.Z_FIXED)
    contents = []
    for level, window, strategy in itertools.product((0, 1, 6, 9), (9, 12, 15), strategies):
        packer = zlib.compressobj(level, zlib.DEFLATED, window, 1, strategy)
        pieces = [packer.compress(body[:half]), packer.flush(zlib.Z_FULL_FLUSH)]
        contents.append(repacked(b"".join([*pieces, packer.compress(body[half:]), packer.flush()])))
    assert accepted(write_all(tmp_path, contents)) == [True] * len(contents)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("\tC\t", "\tC\t-", "line 17: expected an entry '= or ~, position, move, rank'"),
        ("\tC\t", "\tB\t", "win proven: the line ends with a win of second\n  line of play: B E\n"),
        (
            "\tC\t",
            "\tD\t",
            "the entry's move 'D' is not legal in 'A'\n  line of play: (the root)\n",
        ),
        ("entries 1", "entries 2", "line 18: expected an entry"),
        ("value win", "value loss", "the value 'loss' does not follow from the parts"),
        ("question win", "question win:second", "is about second, but the prover is first"),
        ("position A", "position Z", "the root 'Z' is no position"),
        ("root A", "root  A", "the game's data is not canonical"),
        ("data 6\n", "data 7\nguess A 2 3\n", "the game's data is not canonical"),
        ("end\n", "end\nmore\n", "line 19: expected nothing after 'end', found 'more'"),
        ("game graph", "game \u001b[2J", "game '?[2J' is not built in"),
    ],
)
def test_says_why(tmp_path: Path, old: str, new: str, reason: str) -> None:
    body = graph_body()
    assert old in body
    path = saved(tmp_path, body.replace(old, new))
    done = run(path)
    assert done.returncode == 1
    assert done.stdout.startswith(f"rejected  {path}: ")
    assert reason in done.stdout
    quiet = run("--quiet", path)
    assert (quiet.returncode, quiet.stdout) == (1, done.stdout.split("\n")[0] + "\n")


def test_shows_where_a_cover_took_over(tmp_path: Path) -> None:
    lines = ["~\t0 0 0 0 0 t\tpay\t2", "~\t1 0 0 0 0 t\tpay\t2"]
    head = "game toll:2\nposition 0 - 2 0 0 k\nvalue win\nparts 1\nquestion win:first\n"
    part = "prover first\nwithin -\nverdict proven\nentries 2\n"
    done = run(saved(tmp_path, head + part + "\n".join([*lines, "end", ""])))
    assert done.returncode == 1
    assert "line of play: ask0 [0 0 0 0 0 t] pay ask0\n" in done.stdout


def test_output_is_utf8_whatever_the_file_holds(tmp_path: Path) -> None:
    bad = [b"game \xff\n", b"game \xc3\xa9\n", b"\x9b\x1b[2J\n", b"game " + "\u20ac".encode() * 999]
    files = write_all(tmp_path, [pack(content) for content in bad])
    assert accepted(files) == [False] * len(files)


def test_games_of_users_need_the_other_checker(tmp_path: Path) -> None:
    done = run(saved(tmp_path, graph_body().replace("game graph", "game nim:5")))
    assert done.returncode == 1
    assert "game 'nim' is not built in; use: andorra check --rules" in done.stdout


def test_exit_codes(tmp_path: Path) -> None:
    good, bad = write_all(tmp_path, [pack(graph_body()), b"nothing"])
    missing = tmp_path / "missing"
    assert run(good, good).returncode == 0
    assert run(good, bad).returncode == 1
    assert run(good, missing).returncode == 3
    assert run(good, tmp_path).returncode == 3
    assert run(missing, bad).returncode == 1
    assert run().returncode == 2
    assert run("--unknown", good).returncode == 2
    assert run("--stdin-list", good).returncode == 2
    assert run("--", "--help").returncode == 3
    assert f"unreadable  {missing}: No such file" in run(missing).stdout


def test_help_version_and_quiet(tmp_path: Path) -> None:
    good = saved(tmp_path, graph_body())
    assert "--stdin-list" in run("--help").stdout
    assert run("--version").stdout == "andorra-check 1\n"
    quiet = run("--quiet", good)
    assert (quiet.returncode, quiet.stdout, quiet.stderr) == (0, "", "")
