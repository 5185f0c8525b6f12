"""What the figures of a study are, computed by hand: scores, agreement, the time left."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from andorra.study.agreement import KNOWN, agreement
from andorra.study.estimate import START_UP, Estimate
from andorra.study.results import VIRTUAL_BEST, Results
from andorra.study.scores import common_set, compared_solvers, par2, scores, unique
from andorra.study.scores import unsolved as left_open
from study_kit import a_plan, a_row, unsolved

# Scores, by hand

PLAN = a_plan(["one", "two", "three"], ["a", "b", "c", "d"])
ROWS = [
    a_row("one", "a", 1.0, 100), a_row("one", "b", 4.0, 900, verdict="disproven"),
    unsolved("one", "c"), a_row("one", "d", 2.0, 50),
    a_row("two", "a", 2.0, 50), a_row("two", "b", 1.0, 400, verdict="disproven"),
    unsolved("two", "c"), unsolved("two", "d", 3.0, limit="memory"),
    a_row("three", "a", 0.0, 0), a_row("three", "b", 9.0, 100, verdict="disproven"),
    a_row("three", "c", 8.0, 7), unsolved("three", "d", 0.0, limit="failed", error="it broke"),
]  # fmt: skip
RESULTS = Results(PLAN, ROWS)


def test_counts() -> None:
    one, two, three, best = scores(RESULTS, PLAN.problems)
    assert [each.solver for each in (one, two, three)] == ["one", "two", "three"]
    assert best.solver == VIRTUAL_BEST
    assert [each.solved for each in (one, two, three, best)] == [3, 2, 3, 4]
    assert (one.runs, one.proven, one.disproven, one.failed) == (4, 2, 1, 0)
    assert three.failed == 1
    assert [each.unique for each in (one, two, three, best)] == [1, 0, 1, 0]
    assert unique(RESULTS, PLAN.problems) == {"three": ["c"], "one": ["d"]}
    assert left_open(RESULTS) == []


def test_par2_counts_twice_the_limit_where_there_is_no_answer() -> None:
    one, two, three, best = scores(RESULTS, PLAN.problems)
    assert one.par2 == pytest.approx((1 + 4 + 20 + 2) / 4)
    assert two.par2 == pytest.approx((2 + 1 + 20 + 20) / 4)
    assert three.par2 == pytest.approx((0 + 9 + 8 + 20) / 4)
    assert best.par2 == pytest.approx((0 + 1 + 8 + 2) / 4)
    assert par2([a_row("one", "a", limits={"seconds": None, "nodes": 5, "memory": 1})]) is None


def test_means_are_geometric_and_on_the_common_set() -> None:
    assert common_set(RESULTS, PLAN.problems) == ["a", "b"]
    one, two, three, best = scores(RESULTS, PLAN.problems)
    assert [each.common for each in (one, two, three, best)] == [2, 2, 2, 2]
    assert one.nodes == pytest.approx(math.sqrt(100 * 900))
    assert one.cpu_seconds == pytest.approx(2.0)
    assert two.cpu_seconds == pytest.approx(math.sqrt(2))
    assert three.nodes == pytest.approx(math.sqrt(1 * 100))
    assert three.cpu_seconds == pytest.approx(math.sqrt(0.001 * 9))
    assert best.cpu_seconds == pytest.approx(math.sqrt(0.001 * 1))


def test_ratios_are_on_what_both_answered() -> None:
    one, two, three, _ = scores(RESULTS, PLAN.problems)
    assert (one.nodes_ratio, one.cpu_ratio, one.both) == (1.0, 1.0, 3)
    assert (two.both, three.both) == (2, 2)
    assert two.nodes_ratio == pytest.approx(math.sqrt(50 / 100 * 400 / 900))
    assert two.cpu_ratio == pytest.approx(math.sqrt(2 / 1 * 1 / 4))


def test_speed_is_over_all_runs() -> None:
    one = scores(RESULTS, PLAN.problems)[0]
    assert one.speed == pytest.approx((100 + 900 + 100 + 50) / (1 + 4 + 10 + 2))


def test_a_solver_that_is_not_asked_about_all_problems_does_not_shrink_the_common_set() -> None:
    problems = [replace(p, solvers=p.solvers[:2]) if p.name == "d" else p for p in PLAN.problems]
    plan = replace(PLAN, problems=tuple(problems))
    results = Results(plan, [row for row in ROWS if row.key != ("three", "d")])
    assert common_set(results, plan.problems) == ["a", "b"]
    without_b = [replace(r, verdict="unknown") if r.key == ("three", "b") else r for r in ROWS]
    results = Results(plan, [row for row in without_b if row.key != ("three", "d")])
    assert common_set(results, plan.problems) == ["a", "b"]
    _, _, three, _ = scores(results, plan.problems)
    assert (three.nodes, three.cpu_seconds, three.common) == (None, None, 0)
    assert three.both == 1


def test_a_solver_that_answers_little_does_not_shrink_the_common_set() -> None:
    weak = [
        unsolved("three", row.problem) if row.key in {("three", "b"), ("three", "c")} else row
        for row in ROWS
    ]
    results = Results(PLAN, weak)
    assert [row.answer is not None for row in results.best(PLAN.problems)].count(True) == 3
    assert compared_solvers(results, PLAN.problems) == ["one", "two"]
    assert common_set(results, PLAN.problems) == ["a", "b"]
    one, _, three, best = scores(results, PLAN.problems)
    assert (one.common, three.common, best.common) == (2, 0, 2)
    assert (three.nodes, three.both) == (None, 1)


def test_a_solver_without_runs_has_no_score() -> None:
    results = Results(PLAN, [row for row in ROWS if row.solver != "two"])
    found = [each.solver for each in scores(results, PLAN.problems)]
    assert found == ["one", "three", VIRTUAL_BEST]
    assert results.missing == 4
    assert scores(Results(PLAN, []), PLAN.problems) == []


# Agreement


def test_agreement() -> None:
    found = agreement(RESULTS)
    assert found.is_sound
    assert (found.answers, found.confirmed, len(found.failed)) == (8, 0, 1)


def test_disagreement_of_two_solvers() -> None:
    lying = replace(ROWS[4], verdict="disproven", unsound=True)
    found = agreement(Results(PLAN, [*ROWS[:4], lying, *ROWS[5:]]))
    (each,) = found.disagreements
    assert each.problem.name == "a"
    assert each.answers == {"proven": ["one", "three"], "disproven": ["two (unsound settings)"]}
    assert not found.is_sound


def test_what_is_known_is_a_voice() -> None:
    problems = [replace(each, known="disproven") for each in PLAN.problems[:2]]
    plan = replace(PLAN, problems=tuple(problems))
    rows = [replace(row, known="disproven") for row in ROWS]
    found = agreement(Results(plan, rows))
    (each,) = found.disagreements
    assert each.answers == {"disproven": [KNOWN], "proven": ["one", "two", "three"]}
    assert found.confirmed == 1


def test_a_rejected_certificate_speaks_against_an_answer() -> None:
    rows = [replace(ROWS[0], certificate="rejected: no"), replace(ROWS[1], certificate="verified")]
    found = agreement(Results(PLAN, rows))
    assert not found.is_sound
    assert (found.verified, [row.problem for row in found.rejected]) == (1, ["a"])


def test_answers_without_a_certificate_are_counted() -> None:
    said = ("none: memory", "verified", "none: memory", None)
    rows = [replace(row, certificate=each) for row, each in zip(ROWS, said, strict=False)]
    assert agreement(Results(PLAN, rows)).uncertified == {"none: memory": 1}
    rows[3] = replace(rows[3], certificate="not checked: it crashed")
    found = agreement(Results(PLAN, rows))
    assert found.uncertified == {"none: memory": 1, "not checked: it crashed": 1}
    assert found.is_sound


# The estimate


def test_the_estimate_begins_with_the_limits() -> None:
    left = Estimate([], jobs=2).left(list(PLAN.runs()), elapsed=0.0)
    assert left == pytest.approx(12 * (10 + START_UP) / 2)


def test_the_estimate_learns_from_solvers_and_problems() -> None:
    estimate = Estimate([], jobs=2)
    for row in (a_row("one", "a", 1 - START_UP), a_row("two", "a", 3 - START_UP)):
        estimate.add(row)
    runs = {(s.name, p.name): (s, p) for s, p in PLAN.runs()}
    # By the clock it took 4 seconds, which is one for a second of cost.
    assert estimate.left([runs["one", "b"]], elapsed=4.0) == pytest.approx(1)
    assert estimate.left([runs["two", "b"]], elapsed=2.0) == pytest.approx(1.5)
    assert estimate.left([runs["three", "b"]], elapsed=4.0) == pytest.approx(2)
    assert estimate.left([], elapsed=4.0) == 0
