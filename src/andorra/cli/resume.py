"""Answers to a file of problems, kept in a file of their own, so that nothing is solved twice.

Idea: an answer is a line of JSON, the object that `--json` prints, appended when it is there. The
next run takes from the file whatever answers the same question: game, position, question, algorithm
and options are the same. A verdict holds whatever the limits were. An unknown serves as long as the
limit that ended it has not been raised; one that was interrupted is none and is never kept.
The file is one of JSON lines that survives a kill (`json_lines.py`).
"""

from __future__ import annotations

import json
from pathlib import Path

from andorra.json_lines import Form, JsonLines, Plain, has_keys, object_in

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


class Answers(JsonLines):
    """The file of answers, open for one run: each as `--json` prints it."""

    def __init__(self, path: Path) -> None:
        """Read what is there and repair the end; the file is made if there is none."""
        super().__init__(path, f"--resume {str(path)!r}", _FORM)
        self._known = _by_question(self.lines)

    def find(self, wanted: Plain, certificate: Path | None, retry: bool) -> Plain | None:
        """An answer that serves; `retry`: an unknown never does."""
        attempts = self._known.get(_question(wanted), [])
        answered = [each for each in attempts if each["limit"] is None]
        for each in answered or attempts:
            if _serves(each, wanted[ASKED], certificate, retry):
                return each
        return None


def _answer(line: bytes) -> Plain | None:
    """The answer in a line, if there is one."""
    plain = object_in(line)
    if plain is None or not has_keys(plain, _KEYS):
        return None
    return plain if all(name in plain[ASKED] for name in LIMITS) else None


_FORM = Form(
    what="file of answers",
    expected="an object as 'andorra solve GAME FILE --json' prints it",
    beginning=b'{"game": "',
    parse=_answer,
)


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
