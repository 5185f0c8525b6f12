"""A file of JSON lines that a program appends to and that survives a kill.

Idea: what is known is appended a line at a time, and the next run reads it all. A kill can only cut
off the last line.
Invariant: whole lines are never changed. Only what a run that was killed left of its last line is
removed, and only if it begins as our lines do: a file that is not ours stays as it is.
Such a file is read up to its first line that is none of ours, or that is too long, and no further.
"""

from __future__ import annotations

import errno
import fcntl
import io
import json
import math
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
LONGEST_LINE = 64 << 20
"""In bytes: as long as the longest line of a certificate."""
_LONGEST_EXCERPT = 60
_DEEPEST = 32
"""How deep lists and objects are nested at most; ours are not half as deep."""


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

    def understood(self, line: bytes) -> Plain | None:
        """What a line says, if it is one of ours."""
        return self.parse(line) if len(line) <= LONGEST_LINE else None


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
        line = line_of(plain).encode()
        if len(line) > LONGEST_LINE:
            raise OutputError(f"{self._label}: a line would have more than {LONGEST_LINE:,} bytes")
        end = self._file.seek(0, os.SEEK_END)
        try:
            self._write(line + b"\n")
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
        found: list[Plain] = []
        rest = b""
        for number, line in enumerate(lines_of(self._file), start=1):
            if line.endswith(b"\n") or len(line) > LONGEST_LINE:
                found.append(self._parsed(line.removesuffix(b"\n"), number))
            else:
                rest = line
        return [*found, *self._repaired(rest, len(found) + 1)] if rest else found

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
        plain = self._form.understood(line)
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


def lines_of(file: io.FileIO) -> Iterator[bytes]:
    """The lines with their line feeds; of one that is too long, as much as shows that it is."""
    file.seek(0)
    reader = io.BufferedReader(file)
    try:
        yield from iter(lambda: reader.readline(LONGEST_LINE + 1), b"")
    finally:
        reader.detach()


def _may_begin(rest: bytes, beginning: bytes) -> bool:
    return rest.startswith(beginning) or beginning.startswith(rest)


def line_of(plain: Plain, encoding: str = "utf-8") -> str:
    r"""An object as a line of JSON; escapes stand for what the encoding has no characters for.

    >>> line_of({"a": "é"}), line_of({"a": "é"}, "ascii")
    ('{"a": "é"}', '{"a": "\\u00e9"}')
    """
    line = json.dumps(plain, ensure_ascii=False, allow_nan=False)
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
        plain = json.loads(line, parse_float=_finite, parse_constant=_finite)
    except (ValueError, RecursionError):  # neither JSON nor, perhaps, UTF-8
        return None
    return plain if isinstance(plain, dict) and _is_nested(plain, _DEEPEST) else None


def _finite(text: str) -> float:
    """A number that JSON has: it knows no infinity, and some texts stand for one."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text!r} is no finite number")
    return number


def _is_nested(plain: object, at_most: int) -> bool:
    """Whether it is nested at most so deep: who reads it may have less of the stack left."""
    if not isinstance(plain, dict | list):
        return True
    inner = plain.values() if isinstance(plain, dict) else plain
    return at_most > 0 and all(_is_nested(each, at_most - 1) for each in inner)


def has_keys(plain: Plain, keys: dict[str, Any]) -> bool:
    """Whether it has all these keys, with values of these types.

    >>> has_keys({"a": 1, "b": None}, {"a": int, "b": str | None}), has_keys({}, {"a": int})
    (True, False)
    """
    return all(name in plain and is_of(plain[name], kind) for name, kind in keys.items())


def is_of(value: object, kind: Any) -> bool:
    """Whether a value is of a type; true and false are no numbers here.

    >>> is_of(1, int), is_of(True, int), is_of(True, bool), is_of(True, object)
    (True, False, True, True)
    """
    return isinstance(value, kind) and (kind in (bool, object) or not isinstance(value, bool))
