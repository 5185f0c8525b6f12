"""Limits on memory: sizes as people write them, and a limit on what a block of code takes.

Idea: inside `limited`, whatever grows because of a file says with `note` about how many bytes more
it keeps, and with `require` what it is about to take at once. Estimates only say when to look; what
counts is by how much the resident memory of the process has grown, as the system tells it. So no
object need be measured, and what rules of users' games keep counts as well.

Deviation: a quarter of the limit is left free at every look, because tables take up to so much more
while they are copied to a larger place. What other threads take meanwhile counts, too.

>>> with limited("1MiB"):
...     require(1 << 30)
Traceback (most recent call last):
andorra.errors.TooLargeError: too large for 1 MiB
"""

from __future__ import annotations

import os
import re
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from andorra.errors import OptionError, TooLargeError

SMALLEST_MEMORY = 1 << 20

_UNITS = {"": 0, "k": 10, "m": 20, "g": 30, "t": 40}
_SIZE = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*([kmgt]?)(?:i?b)?", re.IGNORECASE)
_STRIDE = 1 << 20
"""Bytes, as estimated, from one look to the next."""
_SLACK = 32 << 20
"""What the system grants beyond a limit, for the answer that it was met."""


def memory_bytes(memory: str | int | None) -> int:
    """The memory limit in bytes; None asks for a share of the machine's memory.

    >>> memory_bytes("64MiB") == memory_bytes(64 << 20) == 67108864
    True
    """
    if memory is None:
        return _default_memory()
    if isinstance(memory, str):
        match = _SIZE.fullmatch(memory.strip())
        if match is None:
            raise OptionError(f"cannot read the memory {memory!r}: expected '512MiB', '2GiB', …")
        memory = int(min(float(match[1]), 1e18) * (1 << _UNITS[match[2].lower()]))
    if not isinstance(memory, int):
        raise OptionError(f"memory={memory!r}: expected '512MiB', '2GiB', … or a number of bytes")
    if not SMALLEST_MEMORY <= memory < 1 << 50:
        raise OptionError(f"memory of {memory} bytes: expected at least 1MiB and less than 1PiB")
    return memory


def shown(size: int) -> str:
    """A size for a message.

    >>> shown(2 << 30), shown(1536 << 20), shown(64 << 20)
    ('2 GiB', '1.5 GiB', '64 MiB')
    """
    large = size >= 1 << 30
    return f"{size / (1 << (30 if large else 20)):.1f} {'GiB' if large else 'MiB'}".replace(
        ".0 ", " "
    )


@contextmanager
def limited(memory: str | int | None) -> Iterator[None]:
    """Let the block, in this thread, take so much memory, or raise `TooLargeError`."""
    limit = _Limit(memory_bytes(memory))
    token = _current.set(limit)
    try:
        yield
    except MemoryError:
        raise limit.passed() from None
    finally:
        _current.reset(token)


@contextmanager
def limited_anyhow() -> Iterator[None]:
    """Let the limit in force hold for the block, or if there is none, the default one."""
    if _current.get() is not None:
        yield
        return
    with limited(None):
        yield


def note(size: int) -> None:
    """Say that about `size` bytes more are kept; at times, see how much there is."""
    limit = _current.get()
    if limit is not None:
        limit.note(size)


def require(size: int) -> None:
    """Raise unless `size` bytes more can be taken at once."""
    limit = _current.get()
    if limit is not None:
        limit.require(size)


@contextmanager
def backstop(memory: str | int | None) -> Iterator[None]:
    """Have the system refuse what this whole process asks for beyond the limit, in the block.

    The refusal is a MemoryError, wherever it happens. For the command line, whose process it is.
    """
    before = resource.getrlimit(resource.RLIMIT_DATA)
    most = _pages(5) + memory_bytes(memory) + _SLACK
    bounds = [bound for bound in (most, *before) if bound != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_DATA, (min(bounds), before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)


class _Limit:
    """A limit, and how far the process was when it began."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._before = _resident()
        self._unseen = 0

    def note(self, size: int) -> None:
        self._unseen += size
        if self._unseen >= _STRIDE:
            self.require(0)

    def require(self, size: int) -> None:
        self._unseen = 0
        if _resident() - self._before + size > self._limit - self._limit // 4:
            raise self.passed()

    def passed(self) -> TooLargeError:
        return TooLargeError(f"too large for {shown(self._limit)}")


_current: ContextVar[_Limit | None] = ContextVar("limit", default=None)


def _resident() -> int:
    """The resident memory of this process in bytes."""
    return _pages(1)


def _pages(field: int) -> int:
    """A field of the system's account of this process, in bytes."""
    with open("/proc/self/statm", "rb") as account:
        return int(account.read().split()[field]) * os.sysconf("SC_PAGE_SIZE")


def _default_memory() -> int:
    """A quarter of what this process may have, and no more than 2 GiB."""
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    most = resource.getrlimit(resource.RLIMIT_AS)[0]
    total = total if most == resource.RLIM_INFINITY else min(total, most)
    return max(SMALLEST_MEMORY, min(2 << 30, total // 4))
