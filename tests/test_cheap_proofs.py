"""Certificates with `proof=small` and `proof=short`: how cheap they are, against brute force.

The brute force is Bellman's iteration over all positions of the reference rules, with no order in
it; what a certificate costs is counted along the strategy that it has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from math import inf
from pathlib import Path
from typing import Any

import pytest

import andorra
from andorra.certificate import read
from andorra.rulebook import SIDE_NAMES, make
from examiner import fast_check
from random_graphs import random_graph
from result_kit import AnyGame

MEMORY = "8MiB"
EVERY = ("dfpn", "pns", "fixpoint")
Combine = Callable[[list[float], bool], float]


def size(below: list[float], one: bool) -> float:
    """Positions of a tree, ends included."""
    return 1 + (min(below) if one else sum(below))


def length(below: list[float], one: bool) -> float:
    """Plies of the longest line, whose end counts 1 here, too."""
    return 1 + (min(below) if one else max(below))


COSTS: dict[str, Combine] = {"small": size, "short": length}


def least(game: AnyGame, prover: int, combine: Combine) -> float:
    """What the cheapest proof costs from the initial position; infinite if there is none."""
    states, costs = reachable(game), {}
    for state in states:
        outcome = game.outcome(state)
        costs[state] = 1 if outcome == SIDE_NAMES[prover] else inf
    changed = True
    while changed:
        changed = False
        for state in states:
            if game.outcome(state) is not None:
                continue
            below = [costs[game.play(state, move)] for move in game.moves(state)]
            cost = combine(below, game.to_move(state) == prover)
            changed |= cost < costs[state]
            costs[state] = min(cost, costs[state])
    return costs[game.initial()]


def reachable(game: AnyGame) -> list[Any]:
    """All positions, the initial one first."""
    found = {game.initial(): None}
    queue = [game.initial()]
    for state in queue:
        if game.outcome(state) is None:
            for after in (game.play(state, move) for move in game.moves(state)):
                if after not in found:
                    found[after] = None
                    queue.append(after)
    return queue


def cost_of(path: Path, game: AnyGame, prover: int, combine: Combine) -> float:
    """What the strategy of a certificate costs."""
    moves = {entry.position: entry.move for entry in read(path).parts[0].entries}

    @cache
    def cost(state: Any) -> float:
        if game.outcome(state) is not None:
            return 1
        mine = game.to_move(state) == prover
        chosen = [game.parse_move(state, moves[game.format(state)])] if mine else game.moves(state)
        return combine([cost(game.play(state, move)) for move in chosen], mine)

    return cost(game.initial())


def tasks(count: int) -> Iterator[tuple[AnyGame, int]]:
    """Random graphs, with and without cycles, in which some side can win."""
    for seed in range(count):
        game = make("graph", random_graph(seed).text)
        for prover in (0, 1):
            if least(game, prover, size) < inf and game.outcome(game.initial()) is None:
                yield game, prover


def certified_cost(
    game: AnyGame, prover: int, path: Path, combine: Combine, **settings: Any
) -> float:
    question = f"win:{SIDE_NAMES[prover]}"
    asked: dict[str, Any] = {"memory": MEMORY, "certificate": path} | settings
    result = andorra.solve(game, None, question, **asked)
    assert result.certificate == path
    assert andorra.check(path).parts[0].verdict == "proven"
    return cost_of(path, game, prover, combine)


@pytest.mark.parametrize("algorithm", EVERY)
@pytest.mark.parametrize("proof", COSTS)
def test_the_cheapest_among_what_is_known(proof: str, algorithm: str, tmp_path: Path) -> None:
    """With `fixpoint` all is known, so it is the cheapest that there is."""
    paths, excess, saved = [], [], []
    for number, (game, prover) in enumerate(tasks(60)):
        path, combine = tmp_path / str(number), COSTS[proof]
        plain = certified_cost(game, prover, path, combine, algorithm=algorithm)
        asked: dict[str, Any] = {"algorithm": algorithm, "proof": proof}
        cost = certified_cost(game, prover, path, combine, **asked)
        excess.append(cost - least(game, prover, combine))
        saved.append(plain - cost)
        paths.append(path)
    assert min(excess) == 0
    assert min(saved) >= 0
    assert algorithm != "fixpoint" or max(excess) == 0
    assert algorithm == "fixpoint" or sum(saved) > 0
    assert sum(e == 0 for e in excess) > 0.9 * len(excess)
    assert fast_check(paths) is None


def test_a_detour_is_left_out(tmp_path: Path) -> None:
    """The search meets the long way first, and stops there."""
    detour = make(
        "graph", "A: or B C\nB: or D\nD: or H\nH: or E\nE: win\nC: and F G\nF: win\nG: win\n"
    )
    path = tmp_path / "file"

    def first_move(**settings: Any) -> str:
        andorra.solve(detour, certificate=path, **settings)
        return next(e.move for e in read(path).parts[0].entries if e.position == "A")

    assert first_move() == "B"
    assert first_move(proof="short") == first_move(proof="small") == "C"
    assert first_move(proof="short", proof_nodes=0) == "B"


def test_a_shared_position_counts_once_for_each_line(tmp_path: Path) -> None:
    """By S there are 7 different positions, which are 11 as a tree; by T there are 8."""
    graph = make(
        "graph",
        "R: or S T\nS: and A B C\nA: or X\nB: or X\nC: or X\nX: or Y\nY: win\n"
        "T: and D E F G H I\n" + "".join(f"{name}: win\n" for name in "DEFGHI"),
    )
    path = tmp_path / "file"
    asked: dict[str, Any] = {"algorithm": "fixpoint", "proof": "small"}
    assert certified_cost(graph, 0, path, size, **asked) == least(graph, 0, size) == 8


@pytest.mark.parametrize("proof", COSTS)
def test_games_with_resources_have_certificates(proof: str, tmp_path: Path) -> None:
    paths = []
    for number, (spec, position) in enumerate(
        [
            ("toll:4", None),
            ("toll:9", "0 - 20 3 30 k"),
            ("tsume", "6snk/9/7P1/9/9/9/9/9/9 b RG 1"),
            ("cops:3", None),
        ]
    ):
        for algorithm in ("dfpn", "pns"):
            path = tmp_path / f"{number}-{algorithm}"
            result = andorra.solve(
                spec,
                position,
                "win:first",
                algorithm,
                proof=proof,
                memory="64MiB",
                certificate=path,
            )
            if result.verdict == "proven":
                assert andorra.check(path).parts[0].verdict == "proven"
                paths.append(path)
    assert len(paths) >= 4
    assert fast_check(paths) is None


def test_a_disproof_stays(tmp_path: Path) -> None:
    plain, other = tmp_path / "plain", tmp_path / "other"
    andorra.solve("mnk:3,3,3", question="win:first", certificate=plain)
    andorra.solve("mnk:3,3,3", question="win:first", certificate=other, proof="small")
    assert plain.read_bytes() == other.read_bytes()


@pytest.mark.parametrize("algorithm", ["lambda", "threat"])
def test_proofs_by_threats_can_be_made_smaller(algorithm: str, tmp_path: Path) -> None:
    game, position, path = make("mnk:4,4,3"), "x.../..../...o/....", tmp_path / "file"
    costs = []
    for proof in ("found", "small"):
        asked: dict[str, Any] = {"algorithm": algorithm, "proof": proof, "memory": "64MiB"}
        andorra.solve(game, position, "win:first", certificate=path, **asked)
        assert andorra.check(path).parts[0].verdict == "proven"
        costs.append(len(read(path).parts[0].entries))
    assert costs[1] <= costs[0]
