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
from typing import Any

from andorra.json_lines import Form, JsonLines, Plain, has_keys, is_of, object_in

ASKED = "asked"
"""The key of what was asked for beyond the algorithm's options: limits, and what is like them."""
LIMITS = ("memory", "nodes", "seconds")
_LIMIT_KEYS = dict.fromkeys(LIMITS, int | float | None)
_RAISED_BY = {
    "nodes": "nodes",
    "seconds": "seconds",
    "memory": "memory",
    "no progress": "memory",
    "unsound settings": None,
}
"""For what ended a search or kept a certificate away, the limit that helps if it is larger."""
_SAME = ("game", "position", "question", "algorithm", "options")
_VERDICTS = ("proven", "disproven", "unknown")
_VALUES = ("win", "draw", "loss", None)
_KEYS = {
    **dict.fromkeys(("game", "position", "question", "algorithm", "verdict"), str),
    **dict.fromkeys(("options", ASKED), dict),
    **dict.fromkeys(("limit", "certificate", "certificate_limit", "value"), str | None),
    "line": list,
    "nodes": int,
    "cpu_seconds": int | float,
}
"""What every line has; the sums and the choice of answers rest on these."""
_FURTHER: dict[str, Any] = {
    **dict.fromkeys(("prover", "line_end", "source"), str),
    **dict.fromkeys(("best_move", "left"), str | None),
    **dict.fromkeys(("pn", "dn", "length", "score"), int | None),
    **dict.fromkeys(("length_bounds", "score_bounds", "others"), list | None),
    "wall_seconds": int | float,
    "unsound": bool,
    "agents": list,
    "overheads": dict,
}
"""What a line may have beside these, and is told again as it is."""


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
    return plain if _is_told_as_ours(plain) and _is_said_as_ours(plain) else None


def _is_told_as_ours(plain: Plain) -> bool:
    """Whether the fields beside those that every line has are of their types."""
    further = {name: kind for name, kind in _FURTHER.items() if name in plain}
    return has_keys(plain, further) and has_keys(plain[ASKED], _LIMIT_KEYS)


def _is_said_as_ours(plain: Plain) -> bool:
    """Whether the verdict, the value, the moves and the bounds are among those that there are."""
    return (
        plain["verdict"] in _VERDICTS
        and plain["value"] in _VALUES
        and all(isinstance(each, str) for each in (*plain["line"], *plain["options"].values()))
        and _is_pair(plain.get("length_bounds"), (int, int | None))
        and _is_pair(plain.get("score_bounds"), (int | None, int | None))
    )


def _is_pair(bounds: list[Any] | None, kinds: tuple[Any, Any]) -> bool:
    """Whether these are two bounds, or none at all."""
    return bounds is None or (len(bounds) == 2 and all(map(is_of, bounds, kinds)))


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
