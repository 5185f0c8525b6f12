"""The graphs that pages send: each is read once, and all together have so much memory.

Idea: a page sends the whole text of its graph with every click. What was read is kept under a
digest of the text, and what was asked for least lately has to go. Reading takes the most memory and
time, so one thread reads, and others wait.

Invariant: all graphs that are alive, kept here or held by searches and certificates, are charged
with `MEMORY_OF_A_BYTE` for each byte of their texts, and the one that is read with
`READING_OF_A_BYTE`; all together with `most` at most. A graph that there is no room for is refused
before it is read, in a sentence.
"""

from __future__ import annotations

import hashlib
import threading
import weakref
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from andorra.checker import Rules
from andorra.errors import PositionError
from andorra.rulebook import make
from andorra.rulebook.graph import MOST_SUCCESSORS
from andorra.rulebook.graph_hints import TOKEN
from andorra.viewer.forms import RequestError

MOST_BYTES = 384 << 20
"""Room to read a graph as large as a request can be; and one of half that size beside such a one,
so that one is searched, another looked at."""
MEMORY_OF_A_BYTE = 48
"""Bytes in memory for a byte of text: 45 were measured where names are one Cyrillic letter and
moves are alike, and 20 to 28 in graphs of usual names."""
READING_OF_A_BYTE = 96
"""Bytes in memory for a byte of text while it is read: 76 were measured where `alike` names each
move of a complete graph of one-letter names, and 28 to 37 in graphs without hints."""
_MOST_WORDS = MOST_SUCCESSORS + 3
"""Of a line: what a node may have, its name, the colon and the side."""


class Graphs:
    """The graphs that were read."""

    def __init__(self, most: int = MOST_BYTES, read: Callable[[str, str], Rules] = make) -> None:
        """Charge all together with at most `most` bytes; `read` makes a game from its text."""
        self.most = most
        self.let_go: Callable[[], bool] = lambda: False
        """Asks somebody who holds graphs to give one up; whether there was one."""
        self._read = read
        self._kept: OrderedDict[bytes, Rules] = OrderedDict()
        self._charged = 0
        self._freed: deque[int] = deque()
        """Charges of graphs that are gone; a finalizer may come at any time and takes no lock."""
        self._lock = threading.Lock()
        self._reading = threading.Lock()

    @property
    def charged(self) -> int:
        """Bytes for all graphs that are alive."""
        with self._lock:
            while self._freed:
                self._charged -= self._freed.popleft()
            return self._charged

    def make(self, spec: str, data: str) -> Rules:
        """The game with this text."""
        text = data.encode()
        digest = hashlib.sha256(spec.encode() + b"\0" + text).digest()
        found = self._find(digest)
        if found is not None:
            return found
        with self._reading:
            return self._find(digest) or self._make(digest, spec, data, len(text))

    def _find(self, digest: bytes) -> Rules | None:
        with self._lock:
            if digest in self._kept:
                self._kept.move_to_end(digest)
            return self._kept.get(digest)

    def _make(self, digest: bytes, spec: str, data: str, size: int) -> Rules:
        self._make_room(READING_OF_A_BYTE * size, size)
        with self._charging(READING_OF_A_BYTE * size):
            _check_lines(data)
            game = self._read(spec, data)
        charge = MEMORY_OF_A_BYTE * size
        weakref.finalize(game, self._freed.append, charge).atexit = False
        with self._lock:
            self._charged += charge
            self._kept[digest] = game
        return game

    @contextmanager
    def _charging(self, charge: int) -> Iterator[None]:
        """Charge so much for a while."""
        with self._lock:
            self._charged += charge
        try:
            yield
        finally:
            self._freed.append(charge)

    def _make_room(self, charge: int, size: int) -> None:
        if charge > self.most:
            raise RequestError(_too_large(size, self.most))
        while self.charged + charge > self.most:
            if not self._drop_oldest() and not self.let_go():
                raise RequestError(
                    f"no memory is left for a graph of {size:,} bytes, while a search "
                    "has one that is large: wait for its end, or stop it"
                )

    def _drop_oldest(self) -> bool:
        """Keep no longer what was asked for least lately; whether there was anything."""
        with self._lock:
            return bool(self._kept) and self._kept.popitem(last=False) is not None


def _too_large(size: int, most: int) -> str:
    allowed = most // READING_OF_A_BYTE
    return (
        f"a graph of {size:,} bytes; expected at most {allowed:,}, for which there is "
        f"memory ({most >> 20} MiB: 'andorra view --memory' gives more)"
    )


def _check_lines(data: str) -> None:
    """A line of millions of words takes a hundred times its own length to read."""
    for number, line in enumerate(data.split("\n"), 1):
        if len(line) > _MOST_WORDS:
            words = sum(1 for _ in TOKEN.finditer(line.partition("#")[0]))
            if words > _MOST_WORDS:
                raise PositionError(
                    f"line {number}: {words:,} words; a node has at most {MOST_SUCCESSORS:,} "
                    f"successors: {line[:40]!r}…"
                )
