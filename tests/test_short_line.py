"""Lines with `line=short`: legal, won, never shorter than the shortest win, and how close to it."""

from __future__ import annotations

from typing import Any

import pytest

import andorra
from andorra.rulebook import FIRST, SECOND, SIDE_NAMES, make
from andorra.rulebook.base import Side
from conftest import FindProblemSet
from random_tsume import KINDS, random_problem
from settings import GENERAL, IN_TREES
from test_shortest import IMPOSSIBLE, TASKS, Lengths, Rules, cyclic_tasks
from test_tsume_search import assert_mates
from tsume_kit import GAME, problems

MEMORY = "8MiB"
ENDS = {FIRST: "win", SECOND: "loss"}


def short(game: Rules | str, position: str, prover: Side, **settings: Any) -> andorra.Result:
    asked = settings | {"line": "short", "memory": MEMORY}
    return andorra.solve(game, position, f"win:{SIDE_NAMES[prover]}", **asked)


def excess(lengths: Lengths, result: andorra.Result) -> int:
    """By how much the line, which must be won, is longer than the shortest win."""
    state = lengths.root
    for text in result.line:
        state = lengths.game.play(state, lengths.game.parse_move(state, text))
    assert lengths.of(state) == 0
    assert result.line_end == ENDS[lengths.prover]
    return len(result.line) - lengths.of(lengths.root)


@pytest.mark.parametrize("algorithm", sorted({*GENERAL} - IN_TREES))
@pytest.mark.parametrize("name", TASKS)
def test_short_lines_are_won_and_not_shorter_than_the_shortest_win(
    name: str, algorithm: str
) -> None:
    found = []
    for game, root in TASKS[name]():
        for prover in (FIRST, SECOND):
            lengths = Lengths(game, root, prover)
            result = short(game, game.format(root), prover, algorithm=algorithm)
            assert (result.verdict == "proven") == (lengths.of(root) < IMPOSSIBLE)
            if result.verdict == "proven":
                found.append(excess(lengths, result))
    assert found
    assert min(found) >= 0
    assert sum(found) <= len(found) // 20, found
    if algorithm == "fixpoint":  # knows all that is proven
        assert max(found) == 0


@pytest.mark.parametrize("settings", [{"line_nodes": 0}, {"table_entries": 64}])
def test_short_lines_of_what_little_is_known_are_won(settings: dict[str, Any]) -> None:
    """Where too much is forgotten, the line is the one by work, which may be shorter."""
    for game, position in cyclic_tasks():
        lengths = Lengths(game, game.parse(position), FIRST)
        result = short(game, position, FIRST, **settings)
        if result.verdict == "proven":
            longer = excess(lengths, result)
            assert longer >= 0 or "table_entries" in settings


def test_a_detour_is_left_out() -> None:
    """The search meets the long way first, and stops there."""
    detour = make("graph", "A: or B C\nB: or D\nD: or E\nE: win\nC: and F G\nF: win\nG: win\n")
    assert andorra.solve(detour).line == ["B", "D", "E"]
    known = andorra.solve(detour, line="short", line_nodes=0)
    assert known.line == ["B", "D", "E"]
    result = andorra.solve(detour, line="short")
    assert (len(result.line), result.best_move) == (2, "C")


def test_random_mates_have_short_lines() -> None:
    compared = 0
    for seed in range(60):
        text = random_problem(seed, KINDS[seed % 3])
        shortest = andorra.solve(GAME, text, "shortest", memory=MEMORY, nodes=20_000)
        if not shortest.length:
            continue
        result = short(GAME, text, FIRST, nodes=20_000)
        compared += 1
        assert (text, result.line_end) == (text, "win")
        assert (text, len(result.line)) >= (text, shortest.length)
    assert compared > 15


def test_mates_in_nine_have_lines_of_nine_plies_or_little_more(
    problem_set: FindProblemSet,
) -> None:
    lengths = []
    for sfen in problems(problem_set, "nshogi_mate9")[:50]:
        result = short(GAME, sfen, FIRST)
        assert_mates(sfen, result)
        lengths.append(len(result.line))
    assert min(lengths) >= 9
    assert sum(length == 9 for length in lengths) >= 40


def test_the_limit_on_nodes_is_for_the_verdict_alone() -> None:
    asked: dict[str, Any] = {"memory": MEMORY}
    visits = andorra.solve("mnk:3,3,3", "x../.../..o", **asked).statistics["nodes"]
    result = andorra.solve("mnk:3,3,3", "x../.../..o", nodes=visits, line="short", **asked)
    assert (result.verdict, result.limit, len(result.line)) == ("proven", None, 5)


def test_the_line_of_a_disproof_stays() -> None:
    asked: dict[str, Any] = {"position": "xo./.../...", "question": "win:second"}
    plain = andorra.solve("mnk:3,3,3", **asked)
    assert plain.verdict == "disproven"
    assert andorra.solve("mnk:3,3,3", **asked, line="short").line == plain.line
