"""The oracle and the reference searches, against facts known otherwise and against each other."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from andorra.errors import RuleError
from andorra.reference import dfpn, fixpoint, pns
from andorra.reference.numbers import DISPROVEN, INFINITE, LARGEST, PROVEN, Bounds
from andorra.reference.problem import Node, Problem
from andorra.reference.result import Result
from andorra.rulebook import FIRST, Game, Outcome, Side, make
from random_graphs import random_graph

Solve = Callable[..., Result[Any]]
SOLVERS = pytest.mark.parametrize("solve", [fixpoint.solve, pns.solve, dfpn.solve])
SEARCHES = pytest.mark.parametrize("solve", [pns.solve, dfpn.solve])
QUESTIONS = ("win:first", "win:second")


def graph(text: str) -> Game[Any, Any]:
    return make("graph", text)


def verdicts(solve: Solve, text: str) -> list[str]:
    return [solve(graph(text), None, question).verdict for question in QUESTIONS]


def ranks_of(game: Game[Any, Any], question: str) -> dict[Any, int]:
    """The rank of every proven position that can be reached."""
    problem = Problem.ask(game, None, question)
    positions = fixpoint.enumerate_graph(problem, 100_000)
    assert positions is not None
    return {state: rank for (state, _), rank in fixpoint.ranks(problem, positions).items()}


# Tic-tac-toe.


def test_the_oracle_enumerates_tic_tac_toe() -> None:
    result = fixpoint.solve(make("mnk:3,3,3"), None, "win:first")
    assert (result.verdict, result.nodes) == ("disproven", 5478)


@SOLVERS
@pytest.mark.parametrize("question", QUESTIONS)
def test_tic_tac_toe_is_a_draw(solve: Solve, question: str) -> None:
    assert solve(make("mnk:3,3,3"), None, question).verdict == "disproven"


@SOLVERS
@pytest.mark.parametrize(
    ("board", "winner"),
    [
        ("xo./.../...", "first"),
        ("x../..o/...", "first"),
        ("x../.o./...", None),
        ("xx./o../...", "first"),
        ("x../xo./..o", "first"),
        ("xo./xo./..x", "second"),
        ("xox/.o./.x.", None),
        ("xxx/oo./...", "first"),
        ("oox/xxo/oxx", None),
    ],
)
def test_positions_of_tic_tac_toe(solve: Solve, board: str, winner: str | None) -> None:
    game = make("mnk:3,3,3")
    for question in QUESTIONS:
        expected = "proven" if question == f"win:{winner}" else "disproven"
        assert solve(game, game.parse(board), question).verdict == expected


@SOLVERS
def test_the_winning_move_is_named(solve: Solve) -> None:
    game = make("mnk:3,3,3")
    result = solve(game, game.parse("xx./oo./..."), "win")
    assert game.format_move(game.parse("xx./oo./..."), result.move) == "c1"


# Graphs by hand: what the first and what the second player can force.

BY_HAND = {
    "an end that is won": ("A: win", ["proven", "disproven"]),
    "an end that is lost": ("A: loss", ["disproven", "proven"]),
    "an end that is drawn": ("A: draw", ["disproven", "disproven"]),
    "a pass for ever": ("A: or A", ["disproven", "disproven"]),
    "a draw by repetition": ("A: or B\nB: and A", ["disproven", "disproven"]),
    "a repetition that one side need not allow": (
        "A: or B\nB: and A C\nC: loss",
        ["disproven", "proven"],
    ),
    "a repetition that both need": (
        "A: or B L\nB: and A W\nL: loss\nW: win",
        ["disproven", "disproven"],
    ),
    "the first player moves twice": (
        "A: or B C\nB: or D E\nC: loss\nD: loss\nE: win",
        ["proven", "disproven"],
    ),
    "the second player moves twice": (
        "A: and B C\nB: and D E\nC: win\nD: win\nE: loss",
        ["disproven", "proven"],
    ),
    "a draw is no win for either": ("A: or B C\nB: draw\nC: loss", ["disproven", "disproven"]),
    "a shared node": ("A: and B C\nB: or D\nC: or D\nD: and E\nE: win", ["proven", "disproven"]),
}


@SOLVERS
@pytest.mark.parametrize("name", BY_HAND)
def test_graphs_by_hand(solve: Solve, name: str) -> None:
    text, expected = BY_HAND[name]
    assert verdicts(solve, text) == expected


FIGURE_9 = Path(__file__).with_name("papers").joinpath("survey-9.graph").read_text("utf-8")


@SOLVERS
def test_graph_history(solve: Solve) -> None:
    assert verdicts(solve, FIGURE_9) == ["proven", "disproven"]


# Ranks and bounded questions.


def test_the_rank_is_the_number_of_plies() -> None:
    text = "A: or B C\nB: and D\nC: or E\nD: or F\nE: and G\nF: win\nG: or F H\nH: and A"
    ranks = ranks_of(graph(text), "win:first")
    assert "".join(f"{name}{ranks[name]}" for name in sorted(ranks)) == "A3B2C3D1E2F0G1H4"


@SEARCHES
@pytest.mark.parametrize("start", range(0, 200, 50))
def test_bounded_questions_ask_for_the_rank(solve: Solve, start: int) -> None:
    for seed in range(start, start + 50):
        game = graph(random_graph(seed).text)
        rank = ranks_of(game, "win:second").get(game.initial(), 99)
        for plies in range(min(rank + 2, 8)):
            result = solve(game, None, f"win:second<={plies}", nodes=5_000)
            expected = "proven" if plies >= rank else "disproven"
            assert result.verdict in (expected, "unknown"), f"seed {seed}, {plies} plies"


def test_ranks_fall_along_every_line_of_a_proof() -> None:
    for seed in range(200):
        game = graph(random_graph(seed, "digraph").text)
        rank = ranks_of(game, "win:first")
        for state in (s for s in rank if rank[s] > 0):
            below = [rank.get(game.play(state, move), INFINITE) for move in game.moves(state)]
            best = min(below) if game.to_move(state) == FIRST else max(below)
            assert rank[state] == best + 1, f"seed {seed}, {state}"


# Random graphs. The reference searches may give up where the tree is big; they must not be wrong.


def answers(seeds: range, solve: Solve, **limits: int) -> Iterator[tuple[str, Result[Any]]]:
    for seed in seeds:
        game = graph(random_graph(seed).text)
        for question in QUESTIONS:
            expected = fixpoint.solve(game, None, question).verdict
            result = solve(game, None, question, **limits)
            if result.verdict != "unknown":
                assert result.verdict == expected, f"seed {seed}, {question}"
                assert bounds_fit(result), f"seed {seed}, {question}: {result}"
                assert move_fits(game, question, result), f"seed {seed}, {question}: {result}"
            yield question, result


def bounds_fit(result: Result[Any]) -> bool:
    return (result.pn, result.dn) == (PROVEN if result.verdict == "proven" else DISPROVEN)


def move_fits(game: Game[Any, Any], question: str, result: Result[Any]) -> bool:
    """Whether a move is named exactly where one is due, and keeps the verdict."""
    root = game.initial()
    prover_moves = question == f"win:{('first', 'second')[game.to_move(root)]}"
    if game.outcome(root) is not None or prover_moves != (result.verdict == "proven"):
        return result.move is None
    after = game.play(root, result.move)
    return fixpoint.solve(game, after, question).verdict == result.verdict


@pytest.mark.parametrize("start", range(0, 2000, 500))
@pytest.mark.parametrize(
    ("solve", "limits"),
    [(pns.solve, {"nodes": 1000}), (dfpn.solve, {"nodes": 10_000, "guard": 1000})],
)
def test_random_graphs(start: int, solve: Solve, limits: dict[str, int]) -> None:
    results = [result for _, result in answers(range(start, start + 500), solve, **limits)]
    unknown = sum(result.verdict == "unknown" for result in results)
    assert len(results) == 1000
    assert unknown < 50


def test_the_oracle_names_fitting_moves() -> None:
    assert len(list(answers(range(300), fixpoint.solve))) == 600


# Limits.


@SOLVERS
def test_the_node_limit_ends_the_search(solve: Solve) -> None:
    result = solve(make("mnk:3,3,3"), None, "win", nodes=100)
    assert (result.verdict, result.limit, result.nodes, result.move) == (
        "unknown",
        "nodes",
        100,
        None,
    )
    assert 0 < result.pn <= LARGEST
    assert 0 < result.dn <= LARGEST


def test_the_guard_ends_a_search_without_progress() -> None:
    result = dfpn.solve(graph(FIGURE_9), None, "win:first", guard=0)
    assert (result.verdict, result.limit) == ("unknown", "no progress")


def test_the_guard_is_off_where_nothing_can_repeat() -> None:
    assert dfpn.solve(make("mnk:3,3,3"), None, "win", guard=0).verdict == "disproven"


def chain(length: int, end: str) -> Game[Any, Any]:
    lines = [f"n{i}: {('or', 'and')[i % 2]} n{i + 1}\n" for i in range(length)]
    return graph("".join(lines) + f"n{length}: {end}\n")


def test_deep_lines_need_no_setting() -> None:
    before = sys.getrecursionlimit()
    assert dfpn.solve(chain(20_000, "win"), None, "win:first").verdict == "proven"
    assert pns.solve(chain(2_000, "loss"), None, "win:first").verdict == "disproven"
    assert sys.getrecursionlimit() == before


class Stuck(Game[int, int]):
    """Rules with a position that has no moves and no outcome."""

    name = "stuck"

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> Side:
        return FIRST

    def moves(self, state: int) -> list[int]:
        return [1] if state == 0 else []

    def play(self, state: int, move: int) -> int:
        return move

    def outcome(self, state: int) -> Outcome | None:
        return None


@SOLVERS
def test_a_position_without_moves_and_outcome_proves_nothing(solve: Solve) -> None:
    with pytest.raises(RuleError, match="no moves and no outcome in '1'"):
        solve(Stuck(), None, "win:second")


def test_numbers_that_are_capped_are_no_solution() -> None:
    assert Bounds.of(INFINITE, INFINITE) == (LARGEST, LARGEST)
    assert not Bounds.of(INFINITE, INFINITE).solved
    assert Bounds.of(0, 5) == PROVEN
    assert Bounds.of(5, 0) == DISPROVEN


def test_nodes_of_a_bounded_question_count_plies() -> None:
    game = graph("A: or A B\nB: win")
    problem = Problem.ask(game, None, "win:first<=2")
    node: Node[Any] = problem.root
    assert problem.children(node) == [("A", ("A", 1)), ("B", ("B", 1))]
    assert (problem.status(("A", 0)), problem.status(("B", 0))) == (False, True)
