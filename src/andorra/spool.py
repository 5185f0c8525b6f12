"""A certificate's entries on their way: in a temporary file, until the certificate is put together.

Invariant: no trouble with the file reaches the search. What cannot be written is remembered as
`failure`, and the rest of the entries is dropped: a verdict is worth more than its certificate.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from typing import IO, Any

CANNOT_WRITE = "cannot write"
"""How the reason begins why a certificate is not there although it was found."""
_CHUNK = 1 << 16


def not_written(what: str, error: OSError) -> str:
    """Why there is no certificate, in words.

    >>> not_written("to '/tmp'", OSError(28, "No space left on device"))
    "cannot write to '/tmp': no space left on device"
    """
    reason = error.strerror or str(error)
    return f"{CANNOT_WRITE} {what}: {reason[:1].lower()}{reason[1:]}"


class Spool:
    """The entries of one part, in a file that has no name."""

    def __init__(self) -> None:
        """Make the file, if there is a place for it."""
        self.failure: str | None = None
        self._file: IO[Any] | None = None
        try:
            # Unbuffered: nothing is left that would fail once more when the file is closed.
            self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115, `close` closes it
        except OSError as error:
            self._fail(error)

    def write(self, lines: bytes) -> None:
        """Take the next entries, wherever they are cut."""
        if self._file is None:
            return
        try:
            left = memoryview(lines)
            while left:
                left = left[self._file.write(left) :]
        except OSError as error:
            self._fail(error)

    def pieces(self) -> Iterator[bytes]:
        """All that was written."""
        file = self._file
        assert file is not None, "entries that failed are not read"
        file.seek(0)
        yield from iter(lambda: file.read(_CHUNK), b"")

    def close(self) -> None:
        """Give the file back."""
        if self._file is not None:
            with suppress(OSError):
                self._file.close()

    def _fail(self, error: OSError) -> None:
        self.close()
        self._file = None
        self.failure = not_written(f"to {_folder()}", error)


def _folder() -> str:
    try:
        return repr(os.fspath(tempfile.gettempdir()))
    except OSError:
        return "any temporary folder"
