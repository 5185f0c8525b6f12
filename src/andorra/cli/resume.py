"""Answers to a file of problems, kept in a file of their own, so that nothing is solved twice.

Idea: an answer is a line of JSON, the object that `--json` prints, appended when it is there. The
next run takes from the file whatever answers the same question: game, position, question, algorithm
and options are the same. A verdict holds whatever the limits were. An unknown serves as long as the
limit that ended it has not been raised; one that was interrupted is none and is never kept.
Invariant: whole lines are never changed. Only what a run that was killed left of its last line is
removed, and only if it begins as our lines do: a file that is not ours stays as it is.
"""

from __future__ import annotations

import fcntl
import json
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

from andorra.errors import AndorraError

Plain = dict[str, Any]
"""An answer as `--json` prints it."""

ASKED = "asked"
"""The key of what was asked for beyond the algorithm's options: limits, and what is like them."""
LIMITS = ("memory", "nodes", "seconds")
_RAISED_BY = {
    "nodes": "nodes",
    "seconds": "seconds",
    "memory": "memory",
    "no progress": "memory",
    "unsound settings": None,
}
"""For what ended a search or kept a certificate away, the limit that helps if it is larger."""
_SAME = ("game", "position", "question", "algorithm", "options")
_KEYS = {
    **dict.fromkeys(("game", "position", "question", "algorithm", "verdict"), str),
    **dict.fromkeys(("options", ASKED), dict),
    **dict.fromkeys(("limit", "certificate", "certificate_limit", "value"), str | None),
    "line": list,
    "nodes": int,
    "cpu_seconds": int | float,
}
"""What every line has; the sums and the choice of answers rest on these."""
_BEGINNING = b'{"game": "'
_LONGEST_EXCERPT = 60


class Answers:
    """The file of answers, open for one run."""

    def __init__(self, path: Path) -> None:
        """Read what is there and repair the end; the file is made if there is none."""
        self._path = path
        self._file = path.open("a+b")
        try:
            self._lock()
            self._known = _by_question(self._read())
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Answers:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def find(self, wanted: Plain, certificate: Path | None, retry: bool) -> Plain | None:
        """An answer that serves; `retry`: an unknown never does."""
        attempts = self._known.get(_question(wanted), [])
        answered = [each for each in attempts if each["limit"] is None]
        for each in answered or attempts:
            if _serves(each, wanted[ASKED], certificate, retry):
                return each
        return None

    def add(self, plain: Plain) -> None:
        """Append an answer; it is with the system when this returns."""
        self._file.write(line_of(plain).encode() + b"\n")
        self._file.flush()

    def _lock(self) -> None:
        """Two runs would cut off each other's last line."""
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise AndorraError(f"--resume {str(self._path)!r}: another run is using it") from None

    def _read(self) -> list[Plain]:
        self._file.seek(0)
        *lines, rest = self._file.read().split(b"\n")
        found = [self._parsed(line, number) for number, line in enumerate(lines, start=1)]
        if rest:
            found += self._repaired(rest, len(lines) + 1)
        return found

    def _repaired(self, rest: bytes, number: int) -> Iterator[Plain]:
        """The last line, if only its end is missing; else it is removed, if it is ours."""
        plain = _answer(rest)
        if plain is not None:
            self._file.write(b"\n")
            self._file.flush()
            yield plain
        elif rest.startswith(_BEGINNING) or _BEGINNING.startswith(rest):
            self._file.truncate(self._file.seek(0, 2) - len(rest))
        else:
            self._parsed(rest, number)

    def _parsed(self, line: bytes, number: int) -> Plain:
        plain = _answer(line)
        if plain is None:
            text = line[:_LONGEST_EXCERPT].decode(errors="replace")
            more = "…" if len(line) > _LONGEST_EXCERPT else ""
            raise AndorraError(
                f"--resume {str(self._path)!r} is no file of answers: line {number} is "
                f"{text + more!r}, expected an object as 'andorra solve GAME FILE --json' prints it"
            )
        return plain


def line_of(plain: Plain) -> str:
    """An answer as a line of JSON."""
    return json.dumps(plain, ensure_ascii=False)


def _answer(line: bytes) -> Plain | None:
    """The answer in a line, if there is one."""
    try:
        plain = json.loads(line)
    except ValueError:  # neither JSON nor, perhaps, UTF-8
        return None
    if not isinstance(plain, dict) or not all(
        name in plain and isinstance(plain[name], kind) for name, kind in _KEYS.items()
    ):
        return None
    return plain if all(name in plain[ASKED] for name in LIMITS) else None


def _by_question(found: list[Plain]) -> dict[str, list[Plain]]:
    known: dict[str, list[Plain]] = {}
    for plain in found:
        known.setdefault(_question(plain), []).append(plain)
    return known


def _question(plain: Plain) -> str:
    """What two answers have in common that answer the same, as a text that can be looked up."""
    further = {name: value for name, value in plain[ASKED].items() if name not in LIMITS and value}
    return json.dumps([*(plain[name] for name in _SAME), further], sort_keys=True)


def _serves(attempt: Plain, asked: Plain, certificate: Path | None, retry: bool) -> bool:
    ended = attempt["limit"] or (certificate and attempt["certificate_limit"])
    if ended:
        return not (retry or _outgrown(str(ended), attempt[ASKED], asked))
    if certificate is None:
        return True
    return attempt["certificate"] == str(certificate) and certificate.exists()


def _outgrown(ended: str, then: Plain, now: Plain) -> bool:
    """Whether the limit is larger now; of an ending that we do not know, nobody can tell."""
    if ended not in _RAISED_BY:
        return True
    name = _RAISED_BY[ended]
    if name is None or then[name] is None:
        return False
    return now[name] is None or bool(now[name] > then[name])
