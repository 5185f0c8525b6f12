"""Files of comparisons and studies, as the viewer reads them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from andorra.viewer.results import ResultsError, is_results, read_results


def runs(path: Path, *lines: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_results_of_compare_and_of_studies(tmp_path: Path) -> None:
    compared = {"kind": "run", "setting": "baseline", "game": "hex:3", "verdict": "proven"}
    journal = {"solver": "dfpn", "game": "hex:3", "position": "x", "verdict": "unknown"}
    found = read_results(
        runs(
            tmp_path / "r.jsonl",
            {"kind": "plan", "title": "a study"},
            compared | {"nodes": 12, "cpu_seconds": 0.5},
            journal | {"nodes": 3, "cpu_seconds": float(1)},
            {"kind": "setting", "setting": "baseline"},
            {"something": "else"},
        )
    )
    shown = [(run["setting"], run["verdict"], run["nodes"]) for run in found["runs"]]
    assert shown == [("baseline", "proven", 12.0), ("dfpn", "unknown", 3.0)]
    assert [run["answer"] for run in found["runs"]] == ["proven", None]
    assert found["skipped"] == 1


def test_of_a_value_the_value_is_the_answer(tmp_path: Path) -> None:
    asked = {"solver": "a", "game": "mnk", "question": "value"}
    lines = (asked | {"verdict": "disproven", "value": "draw"}, asked | {"verdict": "unknown"})
    found = read_results(runs(tmp_path / "r.jsonl", *lines))
    assert [run["answer"] for run in found["runs"]] == ["draw", None]


def test_files_that_hold_no_results(tmp_path: Path) -> None:
    empty = runs(tmp_path / "a.jsonl", {"kind": "setting"})
    with pytest.raises(ResultsError, match=r"no run in 'a\.jsonl'"):
        read_results(empty)
    assert is_results(empty)
    other = tmp_path / "b"
    other.write_bytes(b"andorra certificate 1\n\xff")
    assert not is_results(other)
