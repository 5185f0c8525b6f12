"""Scores on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from test_cli import Run, run

__all__ = ["run"]

CYCLE = "s: or a b\na: and s c\nb: and d s\nc: score 3\nd: score -2\n"
FORCED = "s: or a b\na: and c d\nb: and d s\nc: score 3\nd: score -2\n"


def test_printout_of_an_exact_score(run: Run, tmp_path: Path) -> None:
    file = str(tmp_path / "score")
    ran = run("solve", "dots:2x2", "--score", "--threads", "1", "--certificate", file)
    assert ran.code == 0
    assert "What is the highest score that the first player (x) can force?" in ran.out
    assert "score        2, and no more\n" in ran.out
    assert "verdict" not in ran.out
    checked = run("check", "--both", file)
    assert checked.code == 0
    assert checked.out.count("score>=2 proven") == 2
    assert checked.out.count("score>=3 disproven") == 2
    assert checked.out.count(", score 2") == 2
    shown = run("show", file)
    assert "Can the first player (x) force a score of at least 2?" in shown.out


def test_printout_of_one_question(run: Run) -> None:
    ran = run("solve", "dots:2x2", "--question", "score<=0")
    assert ran.code == 1
    assert "Can the second player (o) force a score of at most 0?" in ran.out
    assert "verdict    disproven\n" in ran.out


@pytest.mark.parametrize("steps", ["binary", "linear", "aspiration"])
def test_one_word(run: Run, steps: str) -> None:
    ran = run("solve", "dots:2x2", "--score", "--steps", steps, "--quiet")
    assert (ran.code, ran.out) == (0, "2\n")
    ran = run("solve", "dots:2x2", "--question", "score:second", "--steps", steps, "--quiet")
    assert (ran.code, ran.out) == (0, "2\n")


def test_no_score_can_be_forced(run: Run, tmp_path: Path) -> None:
    graph = tmp_path / "graph.txt"
    graph.write_text(CYCLE)
    ran = run("solve", "graph", str(graph), "--score")
    assert ran.code == 1
    assert "score     none: the other side can go on without end\n" in ran.out
    graph.write_text(FORCED)
    assert run("solve", "graph", str(graph), "--score", "--quiet").out == "-2\n"


def test_a_score_left_open(run: Run) -> None:
    ran = run("solve", "dots:3x3", "--score", "--nodes", "3000", "--threads", "1")
    assert ran.code == 4
    assert " (the limit on nodes was reached)" in ran.out
    assert "at least" in ran.out or "at most" in ran.out


def test_json(run: Run) -> None:
    answer = json.loads(run("solve", "dots:2x2", "--score", "--json").out)
    assert (answer["question"], answer["score"], answer["score_bounds"]) == (
        "score:first",
        2,
        [2, 2],
    )
    answer = json.loads(run("solve", "dots:2x2", "--json").out)
    assert (answer["score"], answer["score_bounds"]) == (None, None)


def test_many_positions(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "positions.txt"
    file.write_text("./../. 0 0 x\n-/|./- 0 0 x\n")
    ran = run("solve", "dots:1x1", str(file), "--score", "--quiet")
    assert (ran.code, ran.out) == (0, "-1\n1\n")


def test_compare(run: Run) -> None:
    ran = run("compare", "dots:2x1", "--question", "score", "--vary", "algorithm=pns")
    assert ran.code == 0
    assert "1 of 1" in ran.out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--score", "--value"], "--score asks its own questions; leave out --value"),
        (["--score", "--question", "win"], "leave out --question win"),
        (["--score", "--shortest"], "--score and --shortest ask different questions"),
        (["--steps", "linear"], "--steps linear is about the exact score; add --score"),
        (["--score", "--steps", "odd"], "steps='odd': expected 'binary', 'linear' or 'aspiration'"),
        (["--shortest", "--question", "score>=1"], "--shortest is about wins"),
        (["-o", "steps=linear"], "there is no option 'steps'"),
    ],
)
def test_mistakes(run: Run, options: list[str], message: str) -> None:
    ran = run("solve", "dots:2x1", *options)
    assert ran.code == 2
    assert message in ran.err
