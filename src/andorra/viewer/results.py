"""Files of `andorra compare --json` and journals of studies, as rows that the page can plot.

Both are JSON lines. What a run is called differs a little; a run here is who solved what, with
which verdict and at what cost. A line that is neither a run nor known to be something else is
counted, so that nothing disappears in silence. However large the file, what is kept of it and what
is in memory while it is read is bounded.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from andorra.comparison import answer_to
from andorra.errors import AndorraError

MOST_RUNS = 50_000
MOST_TEXT = 16 << 20
"""Characters of the texts of all runs together."""
LONGEST_LINE = 1 << 20
_OTHER_KINDS = ("setting", "header", "plan", "study")


class ResultsError(AndorraError):
    """A file that holds no results."""


def is_results(path: Path) -> bool:
    """Whether the file's first line is a JSON object."""
    with path.open("rb") as file:
        first = file.readline(1 << 20)
    try:
        return isinstance(json.loads(first), dict)
    except (ValueError, RecursionError):
        return False


def read_results(path: Path) -> dict[str, Any]:
    """The runs in the file, in order."""
    runs: list[dict[str, Any]] = []
    skipped = left_out = text = 0
    for plain in _objects(path):
        run = _run(plain)
        text += 0 if run is None else _length(run)
        if run is None:
            skipped += plain.get("kind") not in _OTHER_KINDS
        elif len(runs) < MOST_RUNS and text <= MOST_TEXT:
            runs.append(run)
        else:
            left_out += 1
    if not runs:
        expected = "expected lines as 'andorra compare --json' or a study's journal has them"
        raise ResultsError(f"there is no run in {path.name!r}: {expected}")
    return {"name": path.name, "runs": runs, "skipped": skipped, "left_out": left_out}


def _objects(path: Path) -> Iterator[dict[str, Any]]:
    with path.open("rb") as file:
        for line in _lines(file):
            try:
                plain = json.loads(line)
            except (ValueError, RecursionError):
                plain = {}  # a line that was being written when the machine stopped
            if line.strip():
                yield plain if isinstance(plain, dict) else {}


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """The lines; of one that is too long only the end, which is no JSON object, or none at all."""
    while line := file.readline(LONGEST_LINE):
        while len(line) == LONGEST_LINE and not line.endswith(b"\n"):
            line = b"?" + file.readline(LONGEST_LINE - 1)
        yield line


def _run(plain: dict[str, Any]) -> dict[str, Any] | None:
    setting = _first(plain, "setting", "solver", "label", "name")
    verdict = plain.get("verdict")
    told = [plain.get(key) for key in ("game", "position", "question")]
    if plain.get("kind", "run") != "run" or setting is None or verdict is None:
        return None
    if any(isinstance(each, list | dict) for each in (setting, verdict, *told)):
        return None  # such a thing is no name, and may be too deep to be shown
    return {
        "setting": str(setting),
        "problem": " ".join(str(each) for each in told if each),
        "game": str(plain.get("game", "")),
        "verdict": str(verdict),
        "answer": _answer(plain),
        "nodes": _number(_first(plain, "nodes")),
        "seconds": _number(_first(plain, "cpu_seconds", "cpu", "seconds")),
        "memory": _number(_first(plain, "peak_memory", "resident_memory")),
    }


def _length(run: dict[str, Any]) -> int:
    return sum(len(value) for value in run.values() if isinstance(value, str))


def _answer(plain: dict[str, Any]) -> str | None:
    """What the run said, to whatever was asked; None if it is unknown."""
    score = plain.get("score")
    said = answer_to(
        str(plain.get("question")),
        plain["verdict"],
        plain.get("value"),
        score if isinstance(score, int) else None,
    )
    return said if isinstance(said, str) else None


def _first(plain: dict[str, Any], *names: str) -> Any:
    return next((plain[name] for name in names if plain.get(name) is not None), None)


def _number(found: Any) -> float | None:
    good = isinstance(found, int | float) and not isinstance(found, bool)
    return float(found) if good and 0 <= found < 1e300 else None
