"""The problem sets outside the repository are those that the tests were written for."""

from __future__ import annotations

import pytest

from conftest import FindProblemSet


@pytest.mark.parametrize(
    ("relative", "lines"),
    [
        ("graphs/connected-1-8.g6", 1 + 1 + 2 + 6 + 21 + 112 + 853 + 11117),
        ("tsume/classic_long_hard.sfen", 48),
        ("tsume/nshogi_mate3.sfen", 1000),
        ("tsume/nshogi_mate5.sfen", 1000),
        ("tsume/nshogi_mate9.sfen", 1000),
        ("tsume/nshogi_nomate1.sfen", 1574),
        ("tsume/zuko100.sfen", 100),
    ],
)
def test_problem_set_is_complete(problem_set: FindProblemSet, relative: str, lines: int) -> None:
    text = problem_set(relative).read_text(encoding="utf-8")
    problems = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert len(problems) == lines
