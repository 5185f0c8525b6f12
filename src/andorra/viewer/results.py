"""Files of `andorra compare --json` and journals of studies, as rows that the page can plot.

Both are JSON lines. What a run is called differs a little; a run here is who solved what, with
which verdict and at what cost. A line that is neither a run nor known to be something else is
counted, so that nothing disappears in silence.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from andorra.comparison import answer_to
from andorra.errors import AndorraError

MOST_RUNS = 50_000
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
    skipped = left_out = 0
    for plain in _objects(path):
        run = _run(plain)
        if run is None:
            skipped += plain.get("kind") not in _OTHER_KINDS
        elif len(runs) < MOST_RUNS:
            runs.append(run)
        else:
            left_out += 1
    if not runs:
        expected = "expected lines as 'andorra compare --json' or a study's journal has them"
        raise ResultsError(f"there is no run in {path.name!r}: {expected}")
    return {"name": path.name, "runs": runs, "skipped": skipped, "left_out": left_out}


def _objects(path: Path) -> Iterator[dict[str, Any]]:
    with path.open("rb") as file:
        for line in file:
            try:
                plain = json.loads(line)
            except (ValueError, RecursionError):
                plain = {}  # a line that was being written when the machine stopped
            if line.strip():
                yield plain if isinstance(plain, dict) else {}


def _run(plain: dict[str, Any]) -> dict[str, Any] | None:
    setting = _first(plain, "setting", "solver", "label", "name")
    verdict = plain.get("verdict")
    if plain.get("kind", "run") != "run" or setting is None or verdict is None:
        return None
    named = [str(plain[key]) for key in ("game", "position", "question") if plain.get(key)]
    return {
        "setting": str(setting),
        "problem": " ".join(named),
        "game": str(plain.get("game", "")),
        "verdict": str(verdict),
        "answer": _answer(plain),
        "nodes": _number(_first(plain, "nodes")),
        "seconds": _number(_first(plain, "cpu_seconds", "cpu", "seconds")),
        "memory": _number(_first(plain, "peak_memory", "resident_memory")),
    }


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
