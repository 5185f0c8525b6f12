"""The certificate's file format as plain data: reading, and writing whole or not at all.

Source: docs/certificate.md, version 1. This file knows the grammar and nothing of any game: what
the entries mean is the checker's business.

Reading is strict and fails closed: the digest is verified first, in constant memory; then the body
is decompressed piece by piece, and every deviation from the grammar raises `CertificateError` with
the line. Nothing is ever allocated because a file announces a large count, and `TooLargeError` ends
what would pass the limit on memory in force (`andorra.memory`).

Writing streams into a temporary file beside the target, which takes the target's place only when
it is complete and on disk; after any exception nothing is left behind.

>>> import tempfile
>>> entry = Entry("=", "xx./oo.", "c1", rank=1, plies=None)
>>> part = Part("win", "first", None, "proven", (entry,))
>>> with tempfile.TemporaryDirectory() as folder:
...     write(folder + "/file", Certificate("mnk:3,2,3", None, "xx./oo.", "win", (part,)))
...     read(folder + "/file").parts[0].entries[0].move
'c1'
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
import zlib
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Literal, NamedTuple, NoReturn, cast

from andorra import leftovers
from andorra.errors import CertificateError
from andorra.memory import limited_anyhow, note, require

Kind = Literal["=", "~"]
SideName = Literal["first", "second"]
VerdictName = Literal["proven", "disproven"]
Value = Literal["win", "draw", "loss", "-"]

HEADER = b"andorra certificate 1\n"
LARGEST_BODY = 64 << 30
"""Bytes of body that are decompressed at most: a guard against files made to exhaust a machine."""
LONGEST_LINE = 64 << 20
"""Enough for a graph's longest node: 65,535 successors with names of 64 characters."""

_TRAILER_SIZE = 73
_TRAILER = re.compile(rb"\nsha256 ([0-9a-f]{64})\n")
_CHUNK = 1 << 16
_KEPT_OF_A_BYTE = 32
"""Bytes of memory: about what entries take of it, and the most that reading one long line does."""
_DATA_OF_A_BYTE = 8
"""Bytes of memory while lines of data are put together."""
_COUNT = r"(?:0|[1-9][0-9]{0,17})"
_NUMBER = r"(?:0|-?[1-9][0-9]{0,8})"
_QUESTION = re.compile(
    rf"win(?::(?P<side>first|second))?(?:<=(?P<within>{_COUNT}))?"
    rf"|score(?P<way>>=|<=)(?P<score>{_NUMBER})"
)
_SHOWN = 120


@dataclass(frozen=True, slots=True)
class Entry:
    """The move that the holder of the strategy plays in one position."""

    kind: Kind
    position: str
    move: str
    rank: int | None
    """Falls strictly along every line of a proof; None in a disproof."""
    plies: int | None
    """Plies left; None exactly if the question has no bound."""


@dataclass(frozen=True, slots=True)
class Part:
    """One question, its verdict, and the strategy that shows it."""

    question: str
    prover: SideName
    within: int | None
    verdict: VerdictName
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Certificate:
    """All that a file says. `data`, if any, is text whose every line ends with a line feed."""

    game: str
    data: str | None
    position: str
    value: Value
    parts: tuple[Part, ...]


class Asked(NamedTuple):
    """What a question says: whose success, within how many plies, and by what score."""

    side: SideName | None
    within: int | None = None
    score: int | None = None
    """At least so much, or at most if the second player is to force it."""


def parse_question(text: str) -> Asked:
    """The question, taken apart.

    >>> parse_question("win:second<=7")
    Asked(side='second', within=7, score=None)
    >>> parse_question("win").side, parse_question("score>=-3")
    (None, Asked(side='first', within=None, score=-3))
    """
    match = _QUESTION.fullmatch(text)
    if match is None:
        raise CertificateError(
            f"expected a question such as 'win:first<=7' or 'score>=3', found {_quoted(text)}"
        )
    if match["score"] is not None:
        return Asked("first" if match["way"] == ">=" else "second", score=int(match["score"]))
    bound = match["within"]
    return Asked(cast("SideName | None", match["side"]), None if bound is None else int(bound))


def read(path: str | os.PathLike[str], largest_body: int = LARGEST_BODY) -> Certificate:
    """The certificate in the file; `CertificateError` if the file is not exactly in the format."""
    with limited_anyhow():
        return Body(_lines(body_of(path, largest_body))).certificate()


def game_of(path: str | os.PathLike[str]) -> str:
    """The game that the file names; of the body, only the first line is read."""
    with limited_anyhow(), closing(body_of(path)) as chunks:
        return Body(_lines(chunks)).game()


def body_of(
    path: str | os.PathLike[str], largest_body: int = LARGEST_BODY
) -> Generator[bytes, None, None]:
    """The body, piece by piece; the digest of the whole file is verified before the first one."""
    with open(path, "rb") as file:
        payload_size = _check_digest(file)
        file.seek(len(HEADER))
        yield from _decompressed(file, payload_size, largest_body)


def _check_digest(file: BinaryIO) -> int:
    """Check header, trailer and digest; the payload's size in bytes."""
    if file.read(len(HEADER)) != HEADER:
        raise CertificateError(f"this is no certificate: it must start with {_quoted(HEADER)}")
    payload_size = file.seek(0, os.SEEK_END) - len(HEADER) - _TRAILER_SIZE
    if payload_size < 0:
        raise CertificateError("the file is truncated: it has no room for 'sha256' and its digest")
    file.seek(len(HEADER))
    digest = hashlib.sha256(HEADER)
    for chunk in _chunks(file, payload_size):
        digest.update(chunk)
    trailer = file.read()
    match = _TRAILER.fullmatch(trailer)
    if match is None:
        raise CertificateError(
            "truncated, or more follows its end: the file must end with "
            f"'\\nsha256 <64 hexadecimal digits>\\n', but ends with {_quoted(trailer)}"
        )
    if match[1].decode() != digest.hexdigest():
        raise CertificateError(
            f"the file was altered: its digest says {match[1].decode()}, "
            f"its content has {digest.hexdigest()}"
        )
    return payload_size


def _chunks(file: BinaryIO, size: int) -> Iterator[bytes]:
    """Exactly `size` bytes of the file, piece by piece."""
    while size > 0:
        chunk = file.read(min(size, _CHUNK))
        if not chunk:
            raise CertificateError("the file became shorter while it was read")
        size -= len(chunk)
        yield chunk


def _decompressed(file: BinaryIO, size: int, largest: int) -> Iterator[bytes]:
    """The body, in pieces of at most `_CHUNK` bytes, from exactly one zlib stream."""
    stream = zlib.decompressobj()
    total = 0
    try:
        for chunk in _chunks(file, size):
            if stream.eof:
                raise CertificateError("the compressed body is followed by other bytes")
            while True:
                piece = stream.decompress(chunk, _CHUNK)
                chunk = stream.unconsumed_tail
                total += len(piece)
                if total > largest:
                    raise CertificateError(f"the body is larger than {largest} bytes")
                note(_KEPT_OF_A_BYTE * len(piece))
                yield piece
                if not chunk and len(piece) < _CHUNK:
                    break
    except zlib.error as error:
        raise CertificateError(f"the body cannot be decompressed: {error}") from None
    if not stream.eof:
        raise CertificateError("the compressed body is truncated")
    if stream.unused_data:
        raise CertificateError("the compressed body is followed by other bytes")


def _lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The lines without their line feeds; the last one must have one too."""
    held: list[bytes] = []
    for chunk in chunks:
        *lines, rest = chunk.split(b"\n")
        if lines:
            yield b"".join([*held, lines[0]])
            yield from lines[1:]
            held = []
        held.append(rest)
        if (size := sum(map(len, held))) > LONGEST_LINE:
            raise CertificateError(f"a line is longer than {LONGEST_LINE} bytes")
        if size > _CHUNK:
            require(_KEPT_OF_A_BYTE * size)
    if any(held):
        raise CertificateError(f"the body's last line has no line feed: {_quoted(b''.join(held))}")


class Body:
    """A reader of the body's lines, which knows where it is.

    Who keeps entries elsewhere reads `head`, for each part `part_head` and as many lines as it
    announces, and `end`.
    """

    def __init__(self, lines: Iterator[bytes]) -> None:
        """Read nothing yet; the lines come without their line feeds."""
        self._lines = lines
        self._number = 0
        self._line = ""

    def game(self) -> str:
        """The game, from the first line."""
        return self._field("game ", "(.+)", "a game")

    def certificate(self) -> Certificate:
        """All of it."""
        head, parts = self.head()
        body = replace(head, parts=tuple(self._part() for _ in range(parts)))
        self.end()
        return body

    def head(self) -> tuple[Certificate, int]:
        """What comes before the first part, as a certificate without parts, and their number."""
        game = self.game()
        data, position = self._data_and_position()
        value = cast(Value, self._field("value ", "(win|draw|loss|-)", "win, draw, loss or -"))
        parts = int(self._field("parts ", "([12])", "1 or 2"))
        return Certificate(game, data, position, value, ()), parts

    def end(self) -> None:
        """The last line; nothing may follow."""
        self._field("end", "()", "nothing")
        if next(self._lines, None) is not None:
            raise CertificateError(f"line {self._number + 1}: more follows after 'end'")

    def _data_and_position(self) -> tuple[str | None, str]:
        self._advance("'data ' or 'position '")
        data = None
        if self._line.startswith("data "):
            count = int(self._match("data ", f"({_COUNT})", "a count"))
            data = "".join(self._data(count))
            self._advance("'position '")
        return data, self._match("position ", "(.*)", "a position")

    def _data(self, count: int) -> Iterator[str]:
        size, looked = 0, _CHUNK
        for _ in range(count):
            line = self._advance("a line of data")
            size += len(line)
            if size > looked:
                require(_DATA_OF_A_BYTE * size)
                looked += size // 8
            yield f"{line}\n"

    def _part(self) -> Part:
        part, count = self.part_head()
        return replace(part, entries=tuple(self._entries(part, count)))

    def part_head(self) -> tuple[Part, int]:
        """A part without its entries, and how many lines of them follow."""
        expected = "win[:side][<=count], score>=number or score<=number"
        question = self._field("question ", f"({_QUESTION.pattern})", expected)
        prover = self._field("prover ", "(first|second)", "first or second")
        within = self._field("within ", f"(-|{_COUNT})", "- or a count")
        verdict = self._field("verdict ", "(proven|disproven)", "proven or disproven")
        count = int(self._field("entries ", f"({_COUNT})", "a count"))
        bound = None if within == "-" else int(within)
        sides = cast(SideName, prover), bound, cast(VerdictName, verdict)
        return Part(question, *sides, ()), count

    def _entries(self, part: Part, count: int) -> Iterator[Entry]:
        reader = EntryReader(part)
        for _ in range(count):
            entry = reader.entry(self._advance(reader.expected))
            if entry is None:
                self._reject(reader.expected)
            yield entry

    def _field(self, name: str, grammar: str, meaning: str) -> str:
        self._advance(f"{name!r}")
        return self._match(name, grammar, meaning)

    def _match(self, name: str, grammar: str, meaning: str) -> str:
        """What follows `name` in the current line."""
        match = re.fullmatch(f"{name}{grammar}", self._line)
        if match is None:
            self._reject(f"{name!r} and then {meaning}")
        return cast(str, match[1])

    def _advance(self, expected: str) -> str:
        line = next(self._lines, None)
        self._number += 1
        if line is None:
            raise CertificateError(
                f"line {self._number}: expected {expected}, found the body's end"
            )
        try:
            self._line = line.decode()
        except UnicodeDecodeError as error:
            self._line = line.decode(errors="replace")
            self._reject(f"UTF-8 text ({error.reason} at byte {error.start})")
        return self._line

    def _reject(self, expected: str) -> NoReturn:
        raise CertificateError(
            f"line {self._number}: expected {expected}, found {_quoted(self._line)}"
        )


class EntryReader:
    """The grammar of one part's entries."""

    def __init__(self, part: Part) -> None:
        """Entries have a rank in a proof, and plies where the question has a bound."""
        self._ranked, self._bounded = part.verdict == "proven", part.within is not None
        rank = "([1-9][0-9]{0,17})" if self._ranked else "(-)"
        plies = rf"\t({_COUNT})" if self._bounded else "()"
        self._grammar = re.compile(rf"([=~])\t([^\t]*)\t([^\t]*)\t{rank}{plies}")
        fields = f"kind TAB position TAB move TAB {'rank' if self._ranked else '-'}"
        self.expected = f"an entry '{fields}{' TAB plies' if self._bounded else ''}'"

    def entry(self, line: str) -> Entry | None:
        r"""The entry that the line holds; None if it holds none.

        >>> EntryReader(Part("win", "first", None, "proven", ())).entry("=\tx..\tb1\t3").rank
        3
        """
        match = self._grammar.fullmatch(line)
        if match is None:
            return None
        kind, position, move, rank, plies = match.groups()
        return Entry(
            cast(Kind, kind),
            position,
            move,
            int(rank) if self._ranked else None,
            int(plies) if self._bounded else None,
        )


def _quoted(text: str | bytes) -> str:
    """Foreign text, made harmless and short enough for a message."""
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN]) + "…" * (len(text) > _SHOWN)


def write(path: str | os.PathLike[str], certificate: Certificate) -> None:
    """Write the certificate's file, whole or not at all."""
    with Writer(path) as out:
        out.head(
            certificate.game,
            certificate.data,
            certificate.position,
            certificate.value,
            len(certificate.parts),
        )
        for part in certificate.parts:
            lines = map(entry_line, part.entries)
            out.part(part.question, part.prover, part.within, part.verdict, lines)
        out.end()


def entry_line(entry: Entry) -> bytes:
    """The entry's line in the body.

    >>> entry_line(Entry("=", "x..", "b1", rank=3, plies=None))
    b'=\\tx..\\tb1\\t3\\n'
    """
    rank = "-" if entry.rank is None else str(entry.rank)
    fields = [entry.kind, entry.position, entry.move, rank]
    if entry.plies is not None:
        fields.append(str(entry.plies))
    if any(mark in field for field in fields for mark in "\t\n"):
        raise CertificateError(f"an entry's field must not hold a tab or line feed: {fields!r}")
    return "\t".join(fields).encode() + b"\n"


class Writer:
    """A certificate's file in the making; use it in a `with` block.

    The body arrives by `head`, `part` and `end`, or as ready bytes by `write`. The file appears
    under its name when the block ends well, and leaves no trace when it does not.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Touch nothing yet: the `with` block opens the temporary file."""
        self._path = Path(path)
        self._compressor = zlib.compressobj()
        self._digest = hashlib.sha256()
        self._tail = b""

    def __enter__(self) -> Writer:
        """Open the temporary file."""
        self._temporary, self._file = leftovers.create(self._path.parent, self)
        try:
            self._put(HEADER)
        except BaseException:
            self._discard()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Let the file appear, or remove every trace of it."""
        if kind is not None:
            self._discard()
            return
        try:
            self._finish()
        except BaseException:
            self._discard()
            raise

    def write(self, body: bytes) -> None:
        """Take the next bytes of the body, wherever they are cut."""
        self._tail = (self._tail + body[-5:])[-5:]
        self._put(self._compressor.compress(body))

    def head(self, game: str, data: str | None, position: str, value: Value, parts: int) -> None:
        """Write all that comes before the first part."""
        self._field("game", game)
        if data is not None:
            lines = data if data.endswith("\n") or not data else data + "\n"
            self._field("data", lines.count("\n"))
            self.write(lines.encode())
        self._field("position", position)
        self._field("value", value)
        self._field("parts", parts)

    def part(
        self,
        question: str,
        prover: SideName,
        within: int | None,
        verdict: VerdictName,
        entries: Iterable[bytes],
        count: int | None = None,
    ) -> None:
        """Write a part from pieces of entry lines, wherever they are cut.

        Without a `count` they wait in a temporary file until they are counted.
        """
        self._field("question", question)
        self._field("prover", prover)
        self._field("within", "-" if within is None else within)
        self._field("verdict", verdict)
        if count is None:
            self._spool(entries)
        else:
            self._field("entries", count)
            self._counted(entries, count)

    def end(self) -> None:
        """Write the body's last line."""
        self.write(b"end\n")

    def _spool(self, entries: Iterable[bytes]) -> None:
        with tempfile.TemporaryFile(dir=self._path.parent) as spool:
            count = 0
            for piece in entries:
                spool.write(piece)
                count += piece.count(b"\n")
            spool.seek(0)
            self._field("entries", count)
            self._counted(iter(lambda: spool.read(_CHUNK), b""), count)

    def _counted(self, entries: Iterable[bytes], count: int) -> None:
        found, last = 0, b"\n"
        for piece in entries:
            self.write(piece)
            found += piece.count(b"\n")
            last = piece[-1:] or last
        if found != count or last != b"\n":
            raise CertificateError(f"{count} lines of entries were announced, {found} came")

    def _field(self, name: str, value: str | int) -> None:
        if "\n" in str(value):
            raise CertificateError(f"the {name} must not hold a line feed: {_quoted(str(value))}")
        self.write(f"{name} {value}\n".encode())

    def _put(self, content: bytes) -> None:
        self._digest.update(content)
        self._file.write(content)

    def _finish(self) -> None:
        if self._tail != b"\nend\n":
            raise CertificateError("the certificate was not written to its end")
        self._put(self._compressor.flush())
        self._file.write(b"\nsha256 " + self._digest.hexdigest().encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())
        os.replace(self._temporary, self._path)
        self._file.close()  # after the replacement: nobody may take the file for a leftover before

    def _discard(self) -> None:
        with suppress(OSError):  # what kept the content from being written, once more
            self._file.close()
        with suppress(OSError):  # the folder may have gone, or be read-only by now
            self._temporary.unlink()
