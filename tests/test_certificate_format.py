"""The certificate's file: what is written is read, and nothing else is."""

from __future__ import annotations

import hashlib
import os
import random
import stat
import zlib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from andorra import certificate as format_
from andorra.certificate import Certificate, Entry, Part, Writer, entry_line, read, write
from andorra.errors import CertificateError
from andorra.rulebook import make
from certificates import body_of, make_certificate, make_draw, pack, parse_body
from mutants import subjects
from mutations import mutants

GRAPH = "root A\nA: or B C\nB: and A D\nC: and A C\nD: loss\n"
BODY = body_of(make_certificate(make("mnk:3,2,3"), root="xx./oo."))
LINES = BODY.split("\n")


def written(path: Path, certificate: Certificate) -> bytes:
    """The bytes that `write` writes."""
    write(path, certificate)
    return path.read_bytes()


def read_bytes(path: Path, content: bytes, **options: Any) -> Certificate:
    """What `read` makes of a file with this content."""
    path.write_bytes(content)
    return read(path, **options)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A path for a certificate, alone in its folder."""
    return tmp_path / "file.cert"


def some_certificates() -> Iterator[Certificate]:
    """Certificates of all kinds: with data, bounds, covers, two parts, no entries."""
    graph = make("graph", GRAPH)
    yield make_certificate(graph)
    yield make_certificate(graph, "win:second<=3")
    drawn = make_draw(make("mnk:2,2,3"))
    assert drawn is not None
    yield drawn
    yield make_certificate(make("mnk:3,2,3"), root="xxx/oo.")
    rng = random.Random(3)
    yield from islice(subjects(rng), 40)


@pytest.mark.parametrize("certificate", list(some_certificates()))
def test_what_is_written_is_read(file: Path, certificate: Certificate) -> None:
    content = written(file, certificate)
    assert read(file) == certificate
    assert zlib.decompress(content[len(format_.HEADER) : -73]).decode() == body_of(certificate)
    assert read_bytes(file, pack(body_of(certificate))) == certificate


def test_the_reader_agrees_with_a_simpler_one_on_mutants(file: Path) -> None:
    rng = random.Random(4)
    agreed = {True: 0, False: 0}
    for subject in islice(subjects(rng), 60):
        for mutant in mutants(subject, rng, 20):
            try:
                expected: Certificate | None = parse_body(mutant.body)
            except (ValueError, AssertionError):
                expected = None
            try:
                found: Certificate | None = read_bytes(file, pack(mutant.body))
            except CertificateError:
                found = None
            assert found == expected, mutant
            agreed[found is not None] += 1
    assert min(agreed.values()) > 200


def test_every_changed_byte_is_rejected(file: Path) -> None:
    content = pack(BODY)
    for place, byte in enumerate(content):
        for changed in {byte ^ 1, byte ^ 0x20, byte ^ 0x80, 0, 10, 255} - {byte}:
            with pytest.raises(CertificateError):
                read_bytes(file, content[:place] + bytes([changed]) + content[place + 1 :])
    assert read_bytes(file, content).value == "win"


def test_every_truncation_and_deletion_is_rejected(file: Path) -> None:
    content = pack(BODY)
    for place in range(len(content)):
        for damaged in (content[:place], content[:place] + content[place + 1 :]):
            with pytest.raises(CertificateError):
                read_bytes(file, damaged)


@pytest.mark.parametrize("extra", [b"\n", b" ", b"\0", b"x", pack(BODY), pack(BODY)[-73:]])
def test_appended_and_prepended_bytes_are_rejected(file: Path, extra: bytes) -> None:
    content = pack(BODY)
    for damaged in (content + extra, extra + content):
        with pytest.raises(CertificateError):
            read_bytes(file, damaged)


def sealed(payload: bytes, header: bytes = format_.HEADER) -> bytes:
    """A file with this payload and the right digest."""
    content = header + payload
    return content + b"\nsha256 " + hashlib.sha256(content).hexdigest().encode() + b"\n"


@pytest.mark.parametrize(
    ("payload", "message"),
    [
        (b"", "truncated"),
        (b"no zlib stream", "cannot be decompressed"),
        (zlib.compress(BODY.encode())[:-1], "truncated"),
        (zlib.compress(BODY.encode())[:-5], "truncated"),
        (zlib.compress(BODY.encode()) + b"x", "followed by other bytes"),
        (zlib.compress(BODY.encode()) + b"x" * (3 << 20), "followed by other bytes"),
        (zlib.compress(BODY.encode()) * 2, "followed by other bytes"),
        (zlib.compress(BODY.encode()[:-1]), "has no line feed: b'end'"),
        (zlib.compress(BODY.encode(), wbits=31), "cannot be decompressed"),
        (zlib.compress(BODY.encode(), wbits=-15), "cannot be decompressed"),
    ],
)
def test_a_bad_payload_is_rejected(file: Path, payload: bytes, message: str) -> None:
    with pytest.raises(CertificateError, match=message):
        read_bytes(file, sealed(payload))


def test_another_version_is_rejected(file: Path) -> None:
    with pytest.raises(CertificateError, match="must start with b'andorra certificate 1"):
        read_bytes(file, sealed(zlib.compress(BODY.encode()), b"andorra certificate 2\n"))


@pytest.mark.parametrize("level", [0, 1, 9])
def test_any_compression_level_is_read(file: Path, level: int) -> None:
    assert read_bytes(file, sealed(zlib.compress(BODY.encode(), level))) == parse_body(
        BODY.encode()
    )


def with_line(number: int, line: str) -> str:
    """The body with another line."""
    return "\n".join([*LINES[:number], line, *LINES[number + 1 :]])


@pytest.mark.parametrize(
    ("number", "line", "expected"),
    [
        (0, "gem mnk:3,2,3", "'game ' and then a game"),
        (0, "game ", "'game ' and then a game"),
        (1, "data 1", "'position ' and then a position"),
        (1, "position", "'position ' and then a position"),
        (2, "value won", "win, draw, loss or -"),
        (2, "value win ", "win, draw, loss or -"),
        (3, "parts 3", "1 or 2"),
        (3, "parts 01", "1 or 2"),
        (4, "question score=3", r"win\[:side\]\[<=count\]"),
        (4, "question win:third", r"win\[:side\]\[<=count\]"),
        (4, "question win<=007", r"win\[:side\]\[<=count\]"),
        (5, "prover x", "first or second"),
        (6, "within none", "- or a count"),
        (6, "within " + "1" * 19, "- or a count"),
        (6, "within \u0663", "- or a count"),
        (7, "verdict unknown", "proven or disproven"),
        (8, "entries 0", "'end' and then nothing"),
        (8, "entries 2", "an entry"),
        (8, "entries -1", "a count"),
        (8, "entries 1_0", "a count"),
        (9, "= xx./oo. c1 1", "an entry"),
        (9, "+\txx./oo.\tc1\t1", "an entry"),
        (9, "=\txx./oo.\tc1\t-", "an entry"),
        (9, "=\txx./oo.\tc1\t0", "an entry"),
        (9, "=\txx./oo.\tc1\t01", "an entry"),
        (9, "=\txx./oo.\tc1\t1\t3", "an entry"),
        (9, "=\txx./oo.\tc1\t1\r", "an entry"),
        (9, "=\txx./oo.\tc1", "an entry"),
        (10, "END", "'end' and then nothing"),
    ],
)
def test_errors_quote_the_line(file: Path, number: int, line: str, expected: str) -> None:
    body = with_line(number, line)
    with pytest.raises(CertificateError, match=rf"line \d+: expected .*{expected}.*, found '"):
        read_bytes(file, pack(body))


def test_an_error_names_its_line(file: Path) -> None:
    with pytest.raises(CertificateError, match=r"line 6: expected 'prover ' .* found 'prover x'"):
        read_bytes(file, pack(with_line(5, "prover x")))


def test_long_lines_are_quoted_in_part(file: Path) -> None:
    with pytest.raises(CertificateError) as caught:
        read_bytes(file, pack(with_line(2, "value " + "w" * 100_000)))
    assert len(str(caught.value)) < 300


def test_bad_utf8_and_text_after_the_end_are_rejected(file: Path) -> None:
    with pytest.raises(CertificateError, match="line 2: expected UTF-8"):
        read_bytes(file, pack(BODY.encode().replace(b"xx.", b"x\xff.", 1)))
    with pytest.raises(CertificateError, match="line 12: more follows after 'end'"):
        read_bytes(file, pack(BODY + "end\n"))


def test_a_count_alone_allocates_nothing(file: Path) -> None:
    for number, line in ((8, "entries " + "9" * 18), (1, "data " + "9" * 18)):
        with pytest.raises(CertificateError, match="expected"):
            read_bytes(file, pack(with_line(number, line)))


def test_bombs_are_refused_while_they_are_small(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    payload = zlib.compress(bytes(32 << 20))
    assert len(payload) < 1 << 16
    with pytest.raises(CertificateError, match="the body is larger than 1000000 bytes"):
        read_bytes(file, sealed(payload), largest_body=1_000_000)
    monkeypatch.setattr(format_, "LONGEST_LINE", 1 << 21)
    with pytest.raises(CertificateError, match="a line is longer than 2097152 bytes"):
        read_bytes(file, sealed(payload))


def test_a_line_may_be_longer_than_a_piece(file: Path) -> None:
    entry = Entry("=", "x" * (3 << 20), "m", 1, None)
    certificate = Certificate(
        "game", None, "", "-", (Part("win", "first", None, "proven", (entry,)),)
    )
    write(file, certificate)
    assert read(file) == certificate


def many_entries(count: int) -> list[Entry]:
    """Entries that fill several pieces of the streams."""
    return [Entry("=", f"{i:040d}" + "x" * 100, "m", count - i, None) for i in range(count)]


def test_a_large_file_is_streamed(file: Path) -> None:
    part = Part("win", "first", None, "proven", tuple(many_entries(30_000)))
    certificate = Certificate("game", None, "root", "-", (part,))
    write(file, certificate)
    assert read(file) == certificate


def pieces_of(text: bytes, size: int) -> Iterator[bytes]:
    """The text, cut without regard to lines."""
    return (text[start : start + size] for start in range(0, len(text), size))


@pytest.mark.parametrize("count", [500, None])
@pytest.mark.parametrize("size", [1, 7, 1000, 1 << 20])
def test_entries_arrive_in_pieces(file: Path, count: int | None, size: int) -> None:
    entries = many_entries(500)
    lines = b"".join(map(entry_line, entries))
    with Writer(file) as out:
        out.head("game", "a line\nanother", "root", "-", 1)
        out.part("win:first", "first", None, "proven", pieces_of(lines, size), count)
        out.end()
    found = read(file)
    assert found.parts[0].entries == tuple(entries)
    assert found.data == "a line\nanother\n"
    assert [path.name for path in file.parent.iterdir()] == ["file.cert"]


def test_a_ready_body_arrives_in_pieces(file: Path) -> None:
    with Writer(file) as out:
        for piece in pieces_of(BODY.encode(), 3):
            out.write(piece)
    assert read(file) == parse_body(BODY.encode())


@pytest.mark.parametrize("count", [0, 2, 4])
def test_a_wrong_count_writes_nothing(file: Path, count: int) -> None:
    lines = map(entry_line, many_entries(3))
    with pytest.raises(CertificateError, match=f"{count} lines of entries were announced, 3 came"):
        write_part(file, lines, count)
    assert list(file.parent.iterdir()) == []


@pytest.mark.parametrize("count", [None, 1])
def test_entries_without_their_last_line_feed_write_nothing(file: Path, count: int | None) -> None:
    with pytest.raises(CertificateError, match="announced"):
        write_part(file, iter([b"=\ta\tb\t1\n=\tc"]), count)
    assert list(file.parent.iterdir()) == []


def write_part(file: Path, lines: Iterator[bytes], count: int | None) -> None:
    """Write a certificate with one part."""
    with Writer(file) as out:
        out.head("game", None, "root", "-", 1)
        out.part("win", "first", None, "proven", lines, count)
        out.end()


def test_a_body_without_end_writes_nothing(file: Path) -> None:
    for body in (b"", b"end\n", BODY.encode()[:-1], BODY.encode() + b"x"):
        with pytest.raises(CertificateError, match="not written to its end"), Writer(file) as out:
            out.write(body)
    assert list(file.parent.iterdir()) == []


@pytest.mark.parametrize("count", [None, 1000])
@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_an_exception_leaves_the_old_file_alone(
    file: Path, error: type[BaseException], count: int | None
) -> None:
    def failing() -> Iterator[bytes]:
        yield from map(entry_line, many_entries(500))
        raise error

    file.write_bytes(b"old")
    with pytest.raises(error):
        write_part(file, failing(), count)
    assert [path.name for path in file.parent.iterdir()] == ["file.cert"]
    assert file.read_bytes() == b"old"


def test_a_failing_disk_leaves_nothing(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError("no space left")

    for function in ("fsync", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(os, function, fail)
            with pytest.raises(OSError, match="no space left"):
                write_part(file, map(entry_line, many_entries(3)), 3)
        assert list(file.parent.iterdir()) == []


def test_the_file_appears_only_when_it_is_whole(file: Path) -> None:
    with Writer(file) as out:
        out.write(BODY.encode())
        assert not file.exists()
    assert file.exists()


def test_the_file_can_be_read_by_others_as_the_mask_allows(file: Path, tmp_path: Path) -> None:
    write(file, parse_body(BODY.encode()))
    plain = tmp_path / "plain"
    plain.touch()
    assert stat.S_IMODE(file.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)


def test_fields_cannot_smuggle_lines(file: Path) -> None:
    for entry in (Entry("=", "a\tb", "m", 1, None), Entry("=", "a", "m\nend", 1, None)):
        with pytest.raises(CertificateError, match="tab or line feed"):
            write_part(file, map(entry_line, [entry]), None)
    with pytest.raises(CertificateError, match="line feed"), Writer(file) as out:
        out.head("game", None, "a\nvalue win", "-", 1)
    assert list(file.parent.iterdir()) == []


def test_a_missing_file_or_folder_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "nothing")
    with pytest.raises(FileNotFoundError):
        write(tmp_path / "no folder" / "file", parse_body(BODY.encode()))
