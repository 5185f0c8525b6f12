"""`lambda` and `threat` beside `dfpn`: positions of random games, larger than the oracle can take.

What they find by themselves, and that nothing of it has to be believed, is tested in the core
(`tests/core/test_selective.cpp`); the suite of all algorithms has them, too.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import andorra
from andorra.rulebook import make
from examiner import fast_check
from test_algorithms import positions

MEMORY = "32MiB"
TASKS = [
    ("lambda", "mnk:5,5,4", 10),
    ("lambda", "mnk:6,4,4", 10),
    ("lambda", "hex:4", 3),
    ("threat", "mnk:5,5,4", 10),
    ("threat", "mnk:6,4,4", 10),
]
TWO = "....../.xx.../....../....../.o..o./......"
"""Two stones with room on both sides: the third wins."""


@pytest.mark.parametrize(("algorithm", "spec", "plies"), TASKS)
def test_verdicts_are_those_of_dfpn_and_have_certificates(
    algorithm: str, spec: str, plies: int, tmp_path: Path
) -> None:
    paths, verdicts = [], set()
    for number, position in enumerate(positions(make(spec), plies, count=12)):
        for question in ("win:first", "win:second", "win:first<=7"):
            asked: dict[str, Any] = {"question": question, "memory": MEMORY}
            path = tmp_path / f"{number}-{question.translate({ord(c): '-' for c in ':<='})}"
            result = andorra.solve(spec, position, algorithm=algorithm, certificate=path, **asked)
            expected = andorra.solve(spec, position, **asked)
            assert (position, question, result.verdict) == (position, question, expected.verdict)
            assert result.certificate == path
            assert andorra.check(path).parts[0].verdict == result.verdict
            paths.append(path)
            verdicts.add(result.verdict)
    assert verdicts == {"proven", "disproven"}
    assert fast_check(paths) is None


@pytest.mark.parametrize("algorithm", ["lambda", "threat"])
def test_a_win_by_threats_takes_few_visits(algorithm: str, tmp_path: Path) -> None:
    path = tmp_path / "three.andorra"
    asked: dict[str, Any] = {"memory": MEMORY, "nodes": 20_000}
    result = andorra.solve("mnk:6,6,4", TWO, algorithm=algorithm, certificate=path, **asked)
    assert result.verdict == "proven"
    assert result.statistics["searched_again"] == 0  # all of the proof is in the table
    assert andorra.check(path).parts[0].verdict == "proven"
    assert andorra.solve("mnk:6,6,4", TWO, "win:second", algorithm, **asked).verdict == "disproven"


@pytest.mark.parametrize("algorithm", ["lambda", "threat"])
def test_without_visits_it_is_dfpn(algorithm: str) -> None:
    asked: dict[str, Any] = {"memory": "64MiB", "question": "win:first"}
    plain = andorra.solve("mnk:3,4,3", **asked)
    result = andorra.solve("mnk:3,4,3", algorithm=algorithm, selective_nodes=0, **asked)
    for count in ("nodes", "expansions", "moves"):
        assert result.statistics[count] == plain.statistics[count]


@pytest.mark.parametrize("algorithm", ["lambda", "threat"])
def test_a_selective_search_that_is_cut_short_does_no_harm(algorithm: str) -> None:
    for visits in (1, 2, 5, 17, 100):
        result = andorra.solve("mnk:3,4,3", algorithm=algorithm, selective_nodes=visits)
        assert (visits, result.verdict) == (visits, "proven")


@pytest.mark.parametrize("algorithm", ["lambda", "threat"])
def test_little_room_does_no_harm(algorithm: str) -> None:
    for position in positions(make("mnk:4,4,3"), 4, count=6):
        expected = andorra.solve("mnk:4,4,3", position, "win:first", memory=MEMORY)
        result = andorra.solve(
            "mnk:4,4,3", position, "win:first", algorithm, memory="1MiB", table_entries=64
        )
        assert result.verdict in (expected.verdict, "unknown")


def test_a_table_for_several_searches_learns_from_it() -> None:
    table = andorra.Table("mnk:6,6,4", memory="16MiB")
    asked: dict[str, Any] = {"table": table, "question": "win:first"}
    assert andorra.solve("mnk:6,6,4", TWO, algorithm="threat", **asked).verdict == "proven"
    assert andorra.solve("mnk:6,6,4", TWO, **asked).statistics["nodes"] == 1
