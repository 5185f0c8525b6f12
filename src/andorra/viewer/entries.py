"""A certificate's entries on disk, found through an index: a file of millions opens at once.

Idea: the body is decompressed into a temporary file that nobody else can open, while a thread notes
where each entry starts. What is noted of an entry is a hash of its position and its place in the
file, 8 bytes in all, in sorted runs; a look-up bisects each run and reads the few lines with the
right hash. Python's hash of bytes has a secret seed, so no file can be made to collide.

Invariant: the digest is verified before anything is believed. A count, a head or a last line that
breaks the grammar is found when the index comes to it, and every look-up from then on says so; an
entry that breaks it, when it is read. A look-up that finds nothing has waited for the whole index.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
from array import array
from bisect import bisect_left
from collections.abc import Callable, Generator, Hashable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import accumulate

from andorra._core import pack_entries
from andorra.certificate import Body, Certificate, Entry, EntryReader, Part, body_of
from andorra.errors import CertificateError
from andorra.memory import limited, note

KeyOf = Callable[[bytes], Hashable]
"""From the text of a position to what it is looked up by."""
KeyMaker = Callable[[Certificate], KeyOf]
"""From what the file says of itself to the keys of its entries."""

_LOW = (1 << 32) - 1
_HASHED = 32
_READ = 1 << 12
_LONGEST = 1 << 26


@dataclass(frozen=True)
class FirstFields:
    """The key that is so many fields of the text, or with none all of it: the core reads it fast.

    >>> FirstFields(2)(b"1 2 0 1 2 t"), FirstFields(0)(b"x o")
    (b'1 2', b'x o')
    """

    fields: int

    def __call__(self, text: bytes) -> bytes:
        """Of a text."""
        return b" ".join(text.split(b" ", self.fields)[: self.fields]) if self.fields else text


@dataclass(frozen=True)
class Room:
    """How much an open certificate may take."""

    memory: int = 384 << 20
    """Bytes of its index."""
    disk: int = 1 << 62
    """Bytes of its decompressed body."""

    @classmethod
    def usual(cls) -> Room:
        """Half of the temporary folder is left to others."""
        return cls(disk=shutil.disk_usage(tempfile.gettempdir()).free // 2)


class _Body:
    """The decompressed body, in a temporary file that nobody else can open."""

    def __init__(self, most: int) -> None:
        self.size = 0
        self._most = most
        self._file = tempfile.TemporaryFile()  # noqa: SIM115, it lives as long as this object
        self._lock = threading.Lock()

    def add(self, chunk: bytes) -> None:
        """Write on at the end."""
        if self.size + len(chunk) > self._most:
            raise CertificateError(_too_large("decompressed, it is", "disk", self._most))
        written = 0
        while written < len(chunk):
            written += os.write(self._file.fileno(), chunk[written:])
        self.size += len(chunk)

    def read(self, size: int, place: int) -> bytes:
        """What is there; once it is closed its number may be another file's, so none is read."""
        with self._lock:
            if self._file.closed:
                raise CertificateError("the certificate was closed")
            return os.pread(self._file.fileno(), size, place)

    def close(self) -> None:
        """Give the file back."""
        with self._lock:
            self._file.close()


def _too_large(what: str, option: str, most: int) -> str:
    return (
        f"the certificate is too large to be opened: {what} larger than {most >> 20} MiB; "
        f"'andorra view --{option}' gives more"
    )


class Entries:
    """The entries of one part; look-ups may come from any thread, also while it is filled."""

    def __init__(self, part: Part, count: int, body: _Body, news: threading.Condition) -> None:
        """`body` has the lines; `news` is told when there is more, or no more."""
        self.part = part
        self.count = count
        self.complete = False
        self.fault: CertificateError | None = None
        self._runs: list[tuple[int, array[int]]] = []
        self._body = body
        self._news = news
        self._reader = EntryReader(part)

    def add(self, start: int, packed: array[int]) -> None:
        """A run: hashes and places after `start`, both of 32 bits, side by side and sorted."""
        with self._news:
            self._runs.append((start, packed))
            self._news.notify_all()

    def find(self, key: Hashable) -> Iterator[Entry]:
        """Entries whose key has the same hash, in time all of them; few have another key."""
        wanted = (hash(key) & _LOW) << _HASHED
        number = 0
        while (run := self._run(number)) is not None:
            start, packed = run
            place = bisect_left(packed, wanted)
            while place < len(packed) and packed[place] - wanted <= _LOW:
                yield self._read(start + (packed[place] & _LOW))
                place += 1
            number += 1

    def _run(self, number: int) -> tuple[int, array[int]] | None:
        """A run, as soon as it is there; None if there are no more."""
        with self._news:
            self._news.wait_for(lambda: len(self._runs) > number or self.complete or self.fault)
            if self.fault is not None:
                raise self.fault
            return self._runs[number] if len(self._runs) > number else None

    def _read(self, place: int) -> Entry:
        size, line = _READ, b""
        while not line and size <= _LONGEST:
            line, feed, _ = self._body.read(size, place).partition(b"\n")
            line, size = (line if feed else b""), size * 8
        try:
            entry = self._reader.entry(line.decode())
        except UnicodeDecodeError:
            entry = None
        if entry is None:
            raise CertificateError(f"expected {self._reader.expected}, found {line[:120]!r}")
        return entry


class StoredCertificate:
    """An open certificate: what it says of itself, and the entries of its parts."""

    def __init__(
        self, path: str | os.PathLike[str], keys: KeyMaker, room: Room | None = None
    ) -> None:
        """Verify the digest, read up to the first part and go on in a thread."""
        self.room = room or Room()
        self.indexed = 0
        """Bytes of the index, so far."""
        self._body = _Body(self.room.disk)
        self._news = threading.Condition()
        self._closed = False
        self.parts: list[Entries] = []
        self._feed = _Feed(body_of(path), self._body)
        self._reader = Body(self._feed)
        try:
            with limited(None):
                self.head, self._announced = self._reader.head()
                self._key_of = keys(self.head)
                self._next_part()
        except BaseException:
            self._feed.close()
            self._body.close()
            raise
        self._thread = threading.Thread(target=self._index, daemon=True)
        self._thread.start()

    def part(self, number: int) -> Entries:
        """A part, counted from 0, as soon as the file has been read so far."""
        if not 0 <= number < self._announced:
            raise CertificateError(f"there is no part {number + 1}")
        with self._news:
            self._news.wait_for(lambda: len(self.parts) > number or self.parts[0].fault)
            if self.parts[0].fault is not None:
                raise self.parts[0].fault
            return self.parts[number]

    @property
    def certificate(self) -> Certificate:
        """The head with its parts, without entries; this waits until the file is known."""
        parts = (self.part(number).part for number in range(self._announced))
        return replace(self.head, parts=tuple(parts))

    @property
    def on_disk(self) -> int:
        """Bytes of the temporary file, so far."""
        return self._body.size

    def close(self) -> None:
        """End the thread and give the temporary file back."""
        self._closed = True
        self._thread.join()
        self._body.close()

    def _index(self) -> None:
        try:
            with limited(None):
                for number in range(self._announced):
                    if number:
                        self._next_part()
                    self._fill(self.parts[-1])
                self._reader.end()
        except CertificateError as error:
            self._fail(error)
        except Exception as error:
            self._fail(CertificateError(f"the file cannot be read: {error}"))
        finally:
            self._feed.close()

    def _next_part(self) -> None:
        part, count = self._reader.part_head()
        entries = Entries(part, count, self._body, self._news)
        with self._news:
            self.parts.append(entries)
            self._news.notify_all()

    def _fail(self, fault: CertificateError) -> None:
        with self._news:
            for entries in self.parts:
                entries.fault = fault
            self._news.notify_all()

    def _fill(self, entries: Entries) -> None:
        left = entries.count
        while left:
            if self._closed:
                raise CertificateError("the certificate was closed")
            start, packed = self._feed.pack(left, self._key_of)
            if not packed:
                raise CertificateError(f"{left:,} entries are missing at the body's end")
            self.indexed += packed.itemsize * len(packed)
            if self.indexed > self.room.memory:
                raise CertificateError(_too_large("its index is", "memory", self.room.memory))
            note(packed.itemsize * len(packed))
            entries.add(start, packed)
            left -= len(packed)
        with self._news:
            entries.complete = True
            self._news.notify_all()


def _packed(body: bytes, start: int, most: int, key_of: KeyOf) -> tuple[array[int], int]:
    """Of whole lines from `start` on: hashes and places, sorted, and where the next line starts."""
    if isinstance(key_of, FirstFields):
        try:
            words, end = pack_entries(body, start, most, key_of.fields)
        except ValueError as error:
            raise CertificateError(str(error)) from None
        return array("Q", words), end
    lines = body[start : body.rfind(b"\n") + 1].split(b"\n", most)[:-1]
    *places, size = accumulate((len(line) + 1 for line in lines), initial=0)
    try:
        keys = [key_of(line.split(b"\t", 2)[1]) for line in lines]
    except IndexError:
        raise CertificateError("expected entries of fields separated by tabs") from None
    hashes = (hash(key) & _LOW for key in keys)
    packed = sorted(each << _HASHED | place for each, place in zip(hashes, places, strict=True))
    return array("Q", packed), start + size


class _Feed:
    """The body's lines, while they are written to the temporary file."""

    def __init__(self, chunks: Generator[bytes, None, None], body: _Body) -> None:
        self._chunks = chunks
        self._body = body
        self._held = b""
        self._used = 0
        """Of what is held."""
        self._start = 0
        """Where in the file that starts."""

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        while (end := self._held.find(b"\n", self._used)) < 0:
            if not self._more():
                raise StopIteration
        line = self._held[self._used : end]
        self._used = end + 1
        return line

    def pack(self, most: int, key_of: KeyOf) -> tuple[int, array[int]]:
        """Entries, at most `most`, as a run and where in the file it starts; none at the end."""
        while self._held.find(b"\n", self._used) < 0 and self._more():
            pass
        start = self._used
        packed, self._used = _packed(self._held, start, most, key_of)
        return self._start + start, packed

    def _more(self) -> bool:
        chunk = next(self._chunks, None)
        rest = self._held[self._used :]
        if chunk is None:
            if rest:
                raise CertificateError(f"the last line has no line feed: {rest[:120]!r}")
            return False
        if len(rest) >= _LONGEST:
            raise CertificateError(f"a line is longer than {_LONGEST} bytes")
        self._body.add(chunk)
        self._start += self._used
        self._held, self._used = rest + chunk, 0
        return True

    def close(self) -> None:
        with suppress(Exception):
            self._chunks.close()
