"""The standard streams as they may be: closed, full, without a reader, or of few letters.

Idea: what is told on standard output is the answer, so that a failure there is an `OutputError`
(without a reader, Python's own `BrokenPipeError`), which becomes an exit code of its own. What goes
to standard error only helps to understand; a failure there changes nothing. Characters that a
stream's encoding lacks are shown as '?'.
Invariant: after a failure of standard output every further write fails, too, whoever has caught the
first one, and nothing is left in a buffer that would fail once more when the program ends. Numbers
0 to 2 belong to the standard streams: where one is closed, /dev/null takes its place, so that no
file of ours is written to as if it were one.
"""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, BinaryIO, TextIO, cast

from andorra.errors import AndorraError, OutputError
from andorra.json_lines import Plain, line_of

_STANDARD = "standard output"


class _Guarded:
    """A stream of text; all but writing is the stream's own affair."""

    def __init__(self, stream: TextIO, quiet: bool) -> None:
        self._stream = stream
        self._quiet = quiet
        self.failure: Exception | None = None

    def __getattr__(self, name: str) -> Any:
        if name == "buffer" and self._is_ascii():  # by which click would write UTF-8 all the same
            raise AttributeError(name)
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write as much of the text as the encoding has."""
        if not isinstance(text, str):
            raise TypeError(f"expected str, not {type(text).__name__}")
        if text:
            with self._watched():
                self._stream.write(self._writable(text))
        return len(text)

    def write_bytes(self, data: bytes) -> None:
        """Write what has an encoding of its own."""
        with self._watched():
            self._stream.flush()
            self._stream.buffer.write(data)
            self._stream.buffer.flush()

    def flush(self) -> None:
        """Send what was written; of a stream that has failed, nothing is left to be sent."""
        if self.failure is None:
            with self._watched():
                self._stream.flush()

    def check(self) -> None:
        """Raise what has failed, if anything has."""
        if self.failure is not None:
            raise self.failure

    def _is_ascii(self) -> bool:
        return codecs.lookup(self._stream.encoding or "utf-8").name == "ascii"

    def _writable(self, text: str) -> str:
        encoding = self._stream.encoding or "utf-8"
        errors = self._stream.errors or "strict"
        try:
            text.encode(encoding, errors)
        except UnicodeEncodeError:
            return text.encode(encoding, "replace").decode(encoding)
        return text

    @contextmanager
    def _watched(self) -> Iterator[None]:
        self.check()
        try:
            yield
        except OSError as error:
            self._give_up()
            if not self._quiet:
                self.failure = _failure(error)
                raise self.failure from None

    def _give_up(self) -> None:
        """Let go of what the stream still holds."""
        with suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._stream.fileno())
            os.close(nowhere)


def _failure(error: OSError) -> Exception:
    if isinstance(error, BrokenPipeError):
        return error
    reason = error.strerror or str(error)
    return OutputError(f"cannot write to {_STANDARD}: {reason[:1].lower()}{reason[1:]}")


@contextmanager
def guarded() -> Iterator[_Guarded]:
    """Guard standard output and standard error until the end of the block; this is the output."""
    _fill_gaps()
    before = sys.stdout, sys.stderr
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        output = _Guarded(before[0] or nowhere, quiet=False)
        if before[0] is None:
            output.failure = OutputError(f"cannot write to {_STANDARD}: it is closed")
        sys.stdout = cast(TextIO, output)
        sys.stderr = cast(TextIO, _Guarded(before[1] or nowhere, quiet=True))
        try:
            yield output
        finally:
            sys.stdout, sys.stderr = before


def _fill_gaps() -> None:
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            nowhere = os.open(os.devnull, os.O_RDWR)  # the lowest number that is free: this one
            os.set_inheritable(nowhere, True)


def standard_input() -> BinaryIO:
    """What standard input brings."""
    if sys.stdin is None:
        raise AndorraError("cannot read standard input: it is closed")
    return sys.stdin.buffer


def write_bytes(data: bytes) -> None:
    """Write to standard output what has an encoding of its own."""
    cast(_Guarded, sys.stdout).write_bytes(data)


def json_line(plain: Plain) -> str:
    """An object as a line of JSON that standard output has the characters for."""
    return line_of(plain, sys.stdout.encoding or "utf-8")


@contextmanager
def writing(path: object) -> Iterator[None]:
    """What fails in the block is the writing of this file."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        said = f"cannot write {str(path)!r}: {reason[:1].lower()}{reason[1:]}"
        raise OutputError(said) from None
