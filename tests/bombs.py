"""Certificates that are small as files and want all the memory that a checker has.

A body is compressed a piece at a time, and a piece that repeats is compressed once: two gigabytes
take a moment. Their digests are right. A child process measures what a checker does with them.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path

from andorra.certificate import HEADER

MIB = 1 << 20
_MODULUS = 65521

MEASURE = """
import json, resource, subprocess, sys
done = subprocess.run(sys.argv[1:], capture_output=True, text=True)
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
print(json.dumps([done.returncode, done.stdout, done.stderr, peak]))
"""
"""Small itself, because Linux counts what a parent has at the start of a child as the child's."""

CHECK = """
import sys, andorra
try:
    andorra.check(sys.argv[1], memory=sys.argv[2])
except andorra.TooLargeError as error:
    sys.exit(f"{error}")
"""
ANDORRA = "import sys; from andorra.cli.main import main; sys.exit(main())"


@dataclass(frozen=True)
class Piece:
    """A part of a body."""

    text: bytes
    times: int = 1


@dataclass(frozen=True)
class Outcome:
    """How a program ended, and its largest resident memory in bytes."""

    code: int
    out: str
    err: str
    peak: int


def packed(*pieces: Piece) -> bytes:
    """A certificate with this body."""
    blocks, checksum = [], 1
    for piece in pieces:
        blocks.append(_block(piece.text) * piece.times)
        checksum = _repeated_checksum(checksum, piece)
    end = zlib.compressobj(wbits=-15).flush() + checksum.to_bytes(4, "big")
    content = HEADER + b"\x78\x9c" + b"".join(blocks) + end
    return content + b"\nsha256 " + hashlib.sha256(content).hexdigest().encode() + b"\n"


def _block(text: bytes) -> bytes:
    """The text in whole deflate blocks that need nothing from before, and are not the last."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(text) + packer.flush(zlib.Z_FULL_FLUSH)


def _repeated_checksum(checksum: int, piece: Piece) -> int:
    """Adler-32 of what came before and the piece so many times, by its two sums."""
    one = zlib.adler32(piece.text, 0)
    low, high, size = one & 0xFFFF, one >> 16, len(piece.text)
    a, b, times = checksum & 0xFFFF, checksum >> 16, piece.times
    b += times * (high + size * a) + size * low * (times * (times - 1) // 2)
    return (b % _MODULUS) << 16 | (a + times * low) % _MODULUS


def head(
    game: str,
    position: str,
    question: str,
    verdict: str,
    entries: int,
    data: bytes | None = None,
) -> bytes:
    """A body up to the first entry; `data` has its line feeds."""
    side = "second" if "second" in question else "first"
    bound = question.partition("<=")[2] or "-"
    rules = b"" if data is None else b"data %d\n" % data.count(b"\n") + data
    rest = f"position {position}\nvalue -\nparts 1\nquestion {question}\nprover {side}\n"
    part = f"within {bound}\nverdict {verdict}\nentries {entries}\n"
    return f"game {game}\n".encode() + rules + rest.encode() + part.encode()


def checked(path: Path, memory: str) -> Outcome:
    """What the trusted checker raises where no system enforces its limit."""
    return measured(sys.executable, "-c", CHECK, path, memory)


def measured(*command: str | Path) -> Outcome:
    """What a program does, in a process that is measured."""
    watched = [sys.executable, "-I", "-S", "-c", MEASURE, *map(str, command)]
    done = subprocess.run(watched, capture_output=True, text=True, check=True)
    return Outcome(*json.loads(done.stdout))


def command_line(*arguments: str | Path) -> Outcome:
    """The command line, measured."""
    return measured(sys.executable, "-c", ANDORRA, *arguments)
