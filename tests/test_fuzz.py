"""Saved failures, 5,000 random graphs through everything, and proof that the harness finds bugs."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import fuzz
from andorra.reference import dfpn
from andorra.reference.numbers import DISPROVEN, INFINITE, PROVEN
from andorra.reference.result import Result
from examiner import Facts, Row, examine_text, judge, trusted_check
from random_graphs import Graph, random_cyclic_graph
from settings import TEAM, conflict, singles

SAVED = sorted(fuzz.REGRESSIONS.glob("*.graph"))
TREE = Facts(cyclic=False, tree_size=10)
CYCLES = Facts(cyclic=True, tree_size=None)
WIDE = Facts(cyclic=False, tree_size=10**30)


@pytest.mark.parametrize("path", SAVED, ids=lambda path: path.stem)
def test_saved_failures_stay_mended(path: Path) -> None:
    assert fuzz.replay(path) == []


@pytest.mark.parametrize("start", range(0, 4000, 250))
def test_random_graphs(start: int) -> None:
    tally = fuzz.examine_seeds(range(start, start + 250), fuzz.ROWS)
    assert [failure.report() for failure in tally.failures] == []
    assert tally.graphs == 250
    assert tally.certificates > 80


@pytest.mark.parametrize("start", range(0, 15_000, 500))
def test_every_pair_of_options_on_graphs_with_cycles(start: int) -> None:
    tally = fuzz.examine_family(range(start, start + 500), "pairs")
    assert [failure.report() for failure in tally.failures] == []
    assert tally.graphs == 500
    assert tally.certificates > 80


@pytest.mark.parametrize("start", range(0, 2_000, 250))
def test_teams_on_graphs_with_cycles(start: int) -> None:
    tally = fuzz.examine_family(range(start, start + 250), "teams")
    assert [failure.report() for failure in tally.failures] == []
    assert tally.graphs == 250
    assert tally.certificates > 40


@pytest.mark.parametrize("start", range(0, 2_000, 250))
def test_other_algorithms_on_graphs_with_cycles(start: int) -> None:
    tally = fuzz.examine_family(range(start, start + 250), "relatives")
    assert [failure.report() for failure in tally.failures] == []
    assert tally.graphs == 250
    assert tally.certificates > 40


# The harness itself.


@pytest.mark.parametrize("family", fuzz.FAMILIES)
def test_every_row_has_its_turn_with_both_questions_and_certificates(family: str) -> None:
    every = fuzz.FAMILIES[family]()
    asked: set[tuple[str, str]] = set()
    certified: set[tuple[str, str]] = set()
    for seed in range(20_000):
        question, rows, certificate = fuzz.rows_of(seed, every)
        asked |= {(row.name, question) for row in rows}
        certified |= {(certificate, question)} if certificate else set()
    assert asked == certified
    assert len(asked) == 2 * len(every)


@pytest.mark.parametrize("kind", fuzz.KINDS)
def test_every_option_meets_threads_and_agents_of_every_scheduler(kind: str) -> None:
    shown = [row.name.split() for row in fuzz.team_rows()]
    teams = [{*row} for row in shown if any(word.startswith(f"{kind}=") for word in row)]
    settings: list[dict[str, Any]] = [*singles("dfpn", ("table_entries", "guard", *TEAM))]
    for setting, scheduler in product(settings, fuzz.SCHEDULERS):
        if not conflict(setting | scheduler):
            words = {f"{name}={value}" for name, value in (setting | scheduler).items()}
            assert any(words <= team for team in teams), words


def test_all_teams_see_large_graphs() -> None:
    every = fuzz.team_rows()
    seeds = range(0, 20_000, fuzz.LARGE_EVERY)
    assert fuzz.graph_of(seeds[1], "teams").count("\n") > 600
    seen = {row.name for seed in seeds for row in fuzz.rows_of(seed, every)[1]}
    assert seen == {row.name for row in every}


def test_ignoring_graph_history_is_found_out() -> None:
    """The fuzzer can find wrong verdicts: with ghi=off there are some."""
    row = fuzz.core("dfpn", ghi="off", closure=False, unsafe=True, guard=10_000)
    failures = [
        failure
        for seed in range(2_000)
        for failure in examine_text(
            random_cyclic_graph(seed).text, ["win:first", "win:second"], [row], ""
        ).failures
    ]
    wrong = [failure for failure in failures if "unknown" not in failure.happened]
    assert wrong
    assert {(f.expected, f.happened) for f in wrong} == {("proven", "disproven")}


def test_a_bug_is_found_shrunk_saved_and_replayed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The bug: df-pn stores disproofs that hold on one path only."""
    asked = ["--algorithm", "reference", "--graphs", "3000", "--save", str(tmp_path)]
    with monkeypatch.context() as patch:
        patch.setattr(dfpn.OpenNode, "disproof_rests_upon", lambda _: dfpn.NO_REPETITION)
        assert fuzz.main(asked) == 1
        (path,) = tmp_path.glob("*.graph")
        failures = fuzz.replay(path, fuzz.REFERENCE)
        assert {failure.row for failure in failures} == {"reference dfpn"}
    assert fuzz.replay(path, fuzz.REFERENCE) == []
    assert_saved(path, capsys.readouterr().out)


def assert_saved(path: Path, printed: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text in printed
    assert str(path) in printed
    header = [line for line in text.splitlines() if line.startswith("#")]
    assert header[0] == "# row:      reference dfpn"
    assert header[1].startswith("# question: win:")
    assert header[2:] == ["# expected: proven", "# happened: disproven"]
    assert len(Graph.parse(text).nodes) <= 15


def test_without_a_bug_nothing_is_saved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--algorithm", "reference", "--graphs", "60", "--save", str(tmp_path), "--jobs", "2"]
    assert fuzz.main(asked) == 0
    assert list(tmp_path.iterdir()) == []
    assert "60 graphs" in capsys.readouterr().out


def test_a_search_without_end_is_named() -> None:
    code = (
        "import sys, time; sys.path.insert(0, sys.argv[1]); import fuzz; fuzz.HANG_SECONDS = 0.1\n"
        "with fuzz.watched(7): time.sleep(300)"
    )
    command = [sys.executable, "-c", code, str(Path(__file__).parent)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert ran.stderr.startswith("seed 7: no end after 0.1 s")
    assert "line 2 in <module>" in ran.stderr


def test_an_unknown_algorithm_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ending:
        fuzz.main(["--algorithm", "dfpm"])
    assert ending.value.code == 2
    assert "no row 'dfpm'" in capsys.readouterr().err


def test_rows_have_different_names_and_can_be_picked() -> None:
    names = [row.name for row in fuzz.ROWS]
    assert len(set(names)) == len(names)
    assert fuzz.select("all") == list(fuzz.ROWS)
    assert fuzz.select("reference") == list(fuzz.REFERENCE)
    assert fuzz.select("core") == list(fuzz.CORE)
    assert fuzz.select(names[-1]) == [fuzz.ROWS[-1]]
    assert {row.name.split()[0] for row in fuzz.select("pns")} == {"pns"}


def test_an_exception_is_a_failure() -> None:
    def broken(*_: object) -> Result[str]:
        raise ZeroDivisionError("oh")

    (failure,) = examine_text("A: win", ["win:first"], [Row("broken", broken)], "").failures
    assert failure.happened == "raised ZeroDivisionError: oh"
    assert failure.expected == "proven"


def test_a_missing_certificate_is_a_failure() -> None:
    row = Row("silent", lambda *_: Result("proven", *PROVEN, 1), certificates=True)
    (failure,) = examine_text("A: win", ["win:first"], [row], "silent").failures
    assert failure.happened == "proven, but no certificate was written"


def test_a_rejected_certificate_is_a_failure(tmp_path: Path) -> None:
    path = tmp_path / "broken"
    path.write_bytes(b"andorra certificate 1\n")
    wrong = trusted_check(path, "win:first", "proven")
    assert wrong is not None
    assert wrong.startswith("the trusted checker rejects the certificate")


@pytest.mark.parametrize(
    ("answer", "fails"),
    [
        (Result("proven", *PROVEN, 1), False),
        (Result("disproven", *DISPROVEN, 1), True),
        (Result("proven", *DISPROVEN, 1), True),
        (Result("proven", 1, 1, 1), True),
        (Result("unknown", 0, INFINITE, 1, None, "nodes"), True),
        (Result("unknown", 2, 3, 1, None, "nodes"), True),
    ],
)
def test_answers_are_judged(answer: Result[str], fails: bool) -> None:
    row = Row("any", lambda *_: answer)
    assert (judge(row, answer, "proven", TREE) is not None) == fails


@pytest.mark.parametrize(
    ("row", "facts", "limit", "allowed"),
    [
        ({}, TREE, "no progress", False),
        ({}, CYCLES, "no progress", True),
        ({}, CYCLES, "nodes", False),
        ({}, WIDE, "nodes", False),
        ({"small": True}, TREE, "nodes", True),
        ({"tree": 9}, TREE, "memory", True),
        ({"tree": 10}, TREE, "memory", False),
        ({"tree": 10}, CYCLES, "memory", True),
        ({"lines": True}, CYCLES, "memory", True),
        ({"lines": True}, WIDE, "memory", False),
    ],
)
def test_giving_up_is_allowed_only_for_a_reason(
    row: dict[str, Any], facts: Facts, limit: str, allowed: bool
) -> None:
    base = Row("any", lambda *_: Result("unknown", 1, 1, 1, None, limit))
    assert replace(base, **row).may_give_up(facts, limit) == allowed


def test_a_bounded_question_has_no_cycles() -> None:
    text = "A: or A B\nB: win"
    assert Facts.of(text, "win:first") == Facts(cyclic=True, tree_size=None)
    assert Facts.of(text, "win:first<=3") == Facts(cyclic=False, tree_size=None)
