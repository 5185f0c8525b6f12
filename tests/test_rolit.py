"""Rolit and the paranoid reduction, against rules and a minimax that share nothing with ours.

Here a board is a dictionary from (x, y) to a colour, and lines are found from the balls that close
them instead of from the cells that are played.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import andorra
from andorra.checker import check
from andorra.rulebook import make
from examiner import fast_check
from games_kit import DATA, perft

Cell = tuple[int, int]
Board = dict[Cell, int]
STEPS = [step for step in product((-1, 0, 1), repeat=2) if step != (0, 0)]


def captures(board: Board, colour: int) -> dict[Cell, set[Cell]]:
    """What each capturing move of a colour turns over, found from its own balls outwards."""
    found: dict[Cell, set[Cell]] = {}
    for (x, y), its in board.items():
        for dx, dy in STEPS if its == colour else []:
            run, place = set(), (x + dx, y + dy)
            while board.get(place, colour) != colour:
                run.add(place)
                place = (place[0] + dx, place[1] + dy)
            if run and place not in board:
                found.setdefault(place, set()).update(run)
    return found


def moves(board: Board, colour: int, width: int, height: int) -> dict[Cell, set[Cell]]:
    """All moves, each with what it turns over."""
    cells = set(product(range(width), range(height)))
    capturing = {cell: run for cell, run in captures(board, colour).items() if cell in cells}
    if capturing:
        return capturing
    near = {(x + dx, y + dy) for x, y in board for dx, dy in STEPS}
    return {cell: set() for cell in (near & cells) - board.keys()}


def after(board: Board, colour: int, cell: Cell, run: set[Cell]) -> Board:
    return board | dict.fromkeys(run | {cell}, colour)


def start(width: int, height: int) -> Board:
    x, y = (width - 2) // 2, (height - 2) // 2
    return {(x, y): 1, (x + 1, y): 2, (x + 1, y + 1): 3, (x, y + 1): 4}


def text_of(board: Board, mover: int, width: int, height: int) -> str:
    rows = ("".join(str(board.get((x, y), ".")) for x in range(width)) for y in range(height))
    return f"{'/'.join(rows)} {mover}"


def paranoid(width: int, height: int, players: int, asked: int) -> int:
    """The most balls that a player can force, by plain minimax over all lines."""
    known: dict[tuple[frozenset[tuple[Cell, int]], int], int] = {}

    def best(board: Board, mover: int) -> int:
        if len(board) == width * height:
            return sum(colour == asked for colour in board.values())
        key = (frozenset(board.items()), mover)
        if key not in known:
            choose = max if mover == asked else min
            known[key] = choose(
                best(after(board, mover, cell, run), mover % players + 1)
                for cell, run in moves(board, mover, width, height).items()
            )
        return known[key]

    return best(start(width, height), 1)


def lines(board: Board, mover: int, size: tuple[int, int, int], depth: int) -> int:
    if depth == 0:
        return 1
    width, height, players = size
    return sum(
        lines(after(board, mover, cell, run), mover % players + 1, size, depth - 1)
        for cell, run in moves(board, mover, width, height).items()
    )


def sizes() -> Iterator[Any]:
    for entry in DATA["rolit"]["games"]:
        if "position" not in entry:
            yield pytest.param(entry["spec"], entry["perft"], id=entry["spec"])


@pytest.mark.parametrize(("spec", "counts"), [*sizes()])
def test_counts_of_lines(spec: str, counts: list[int]) -> None:
    board, players, _ = spec.partition(":")[2].split(",")
    width, height = map(int, board.split("x"))
    for depth, count in enumerate(counts[:4], start=1):
        assert lines(start(width, height), 1, (width, height, int(players)), depth) == count
        assert perft(make(spec), make(spec).initial(), depth) == count


@pytest.mark.parametrize("spec", ["rolit:4x4,4,1", "rolit:5x3,3,2", "rolit:6x6,2,2"])
def test_random_games(spec: str) -> None:
    game, rng = make(spec), random.Random(5)
    size, players, _ = spec.partition(":")[2].split(",")
    width, height = map(int, size.split("x"))
    for _ in range(20):
        board, mover, state = start(width, height), 1, game.initial()
        while game.outcome(state) is None:
            assert game.format(state) == text_of(board, mover, width, height)
            legal = moves(board, mover, width, height)
            names = {f"{'abcdefgh'[x]}{y + 1}": (x, y) for x, y in legal}
            assert {game.format_move(state, move) for move in game.moves(state)} == names.keys()
            name = rng.choice(sorted(names))
            board = after(board, mover, names[name], legal[names[name]])
            mover = mover % int(players) + 1
            state = game.play(state, game.parse_move(state, name))
        assert len(board) == width * height


SMALL = [
    (width, height, players, asked)
    for width, height, players in ((3, 3, 2), (3, 3, 3), (3, 3, 4), (4, 3, 3))
    for asked in range(1, players + 1)
]


@pytest.mark.parametrize(("width", "height", "players", "asked"), SMALL)
def test_what_a_player_can_force(
    width: int, height: int, players: int, asked: int, tmp_path: Path
) -> None:
    file = tmp_path / "score"
    spec = f"rolit:{width}x{height},{players},{asked}"
    result = andorra.solve(spec, question="score", certificate=file)
    assert result.score == paranoid(width, height, players, asked)
    assert check(file).parts[0].score == result.score
    assert fast_check([file]) is None


def test_the_second_side_is_all_others() -> None:
    game = make("rolit:4x4,3,2")
    state = game.initial()
    sides = []
    for _ in range(6):
        sides.append(game.to_move(state))
        state = game.play(state, game.moves(state)[0])
    assert sides == [1, 0, 1, 1, 0, 1]


@pytest.mark.parametrize("asked", [1, 2, 3, 4])
def test_four_by_four_has_more_than_nothing_for_somebody(asked: int) -> None:
    """Saito and Winands 2010: on 4x4, players are able to score more than the minimum."""
    assert andorra.solve(f"rolit:4x4,4,{asked}", question="score>=1").verdict == "proven"
