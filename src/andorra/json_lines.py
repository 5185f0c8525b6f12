"""A file of JSON lines that a program appends to and that survives a kill.

Idea: what is known is appended a line at a time, and the next run reads it all. A kill can only cut
off the last line.
Invariant: whole lines are never changed. Only what a run that was killed left of its last line is
removed, and only if it begins as our lines do: a file that is not ours stays as it is.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from andorra.errors import AndorraError, OutputError

Plain = dict[str, Any]
Parse = Callable[[bytes], Plain | None]
"""What a line says, or None if it is not one of ours."""
_LONGEST_EXCERPT = 60


@dataclass(frozen=True)
class Form:
    """How to tell lines of ours from others."""

    what: str
    """What the file should be, in messages."""
    expected: str
    """What a line of it should be."""
    beginning: bytes
    """With which every line begins."""
    parse: Parse


class JsonLines:
    """The file, open for one run; `lines` is what it had."""

    def __init__(self, path: Path, label: str, form: Form) -> None:
        """Read what is there and repair the end; the file is made if there is none.

        `label` names the file in messages.
        """
        self._label = label
        self._form = form
        self._path = path
        _check_kind(path)
        self._file = path.open("a+b", buffering=0)
        try:
            self._lock()
            self.lines = self._read()
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def add(self, plain: Plain) -> None:
        """Append a line; it is with the system when this returns, or nothing of it is."""
        end = self._file.seek(0, os.SEEK_END)
        try:
            self._write(line_of(plain).encode() + b"\n")
        except OSError as error:
            with suppress(OSError):
                self._file.truncate(end)
            reason = error.strerror or str(error)
            raise OutputError(f"{self._label}: cannot write: {reason}") from None

    def _write(self, data: bytes) -> None:
        left = memoryview(data)
        while left:
            left = left[self._file.write(left) :]

    def _lock(self) -> None:
        """Two runs would cut off each other's last line."""
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise AndorraError(f"{self._label}: another run is using it") from None

    def _read(self) -> list[Plain]:
        self._file.seek(0)
        *lines, rest = self._file.read().split(b"\n")
        found = [self._parsed(line, number) for number, line in enumerate(lines, start=1)]
        if rest:
            found += self._repaired(rest, len(lines) + 1)
        return found

    def _repaired(self, rest: bytes, number: int) -> Iterator[Plain]:
        """The last line, if only its end is missing; else it is removed, if it is ours."""
        plain = self._form.parse(rest)
        if plain is not None:
            self._write(b"\n")
            yield plain
        elif _may_begin(rest, self._form.beginning):
            self._file.truncate(self._file.seek(0, 2) - len(rest))
        else:
            self._parsed(rest, number)

    def _parsed(self, line: bytes, number: int) -> Plain:
        plain = self._form.parse(line)
        if plain is None:
            text = line[:_LONGEST_EXCERPT].decode(errors="replace")
            more = "…" if len(line) > _LONGEST_EXCERPT else ""
            raise AndorraError(
                f"{self._label} is no {self._form.what}: line {number} is {text + more!r}, "
                f"expected {self._form.expected}"
            )
        return plain


def _check_kind(path: Path) -> None:
    """Refuse pipes and devices: they keep nothing, and some never end."""
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise OSError(errno.EINVAL, "it is no file", str(path))


def _may_begin(rest: bytes, beginning: bytes) -> bool:
    return rest.startswith(beginning) or beginning.startswith(rest)


def line_of(plain: Plain, encoding: str = "utf-8") -> str:
    r"""An object as a line of JSON; escapes stand for what the encoding has no characters for.

    >>> line_of({"a": "é"}), line_of({"a": "é"}, "ascii")
    ('{"a": "é"}', '{"a": "\\u00e9"}')
    """
    line = json.dumps(plain, ensure_ascii=False)
    try:
        line.encode(encoding)
    except UnicodeEncodeError:
        return json.dumps(plain)
    return line


def object_in(line: bytes) -> Plain | None:
    r"""The object in a line, if there is one.

    >>> object_in(b'{"a": 1}'), object_in(b'{"a": '), object_in(b"[1]"), object_in(b"\xff")
    ({'a': 1}, None, None, None)
    """
    try:
        plain = json.loads(line)
    except ValueError:  # neither JSON nor, perhaps, UTF-8
        return None
    return plain if isinstance(plain, dict) else None


def has_keys(plain: Plain, keys: dict[str, Any]) -> bool:
    """Whether it has all these keys, with values of these types.

    >>> has_keys({"a": 1, "b": None}, {"a": int, "b": str | None}), has_keys({}, {"a": int})
    (True, False)
    """
    return all(name in plain and isinstance(plain[name], kind) for name, kind in keys.items())
