"""What is special about searches that play games by chance: `mcts-solver` and `mcpns`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import andorra
from andorra.rulebook import make
from examiner import fast_check

PLAYING = [
    name
    for name, info in andorra.algorithms().items()
    if any(option.name == "playout_seed" for option in info.options)
]
ENDLESS = "A: and B\nB: and A C\nC: and B D\nD: win\n"
"""The second player never has to go to D; games by chance come there in the end."""

every_playing = pytest.mark.parametrize("algorithm", PLAYING)


def counts(game: str, algorithm: str, **settings: Any) -> tuple[int, ...]:
    """What a search of the first player's win counts."""
    result = andorra.solve(game, None, "win:first", algorithm, memory="64MiB", **settings)
    return tuple(result.statistics[name] for name in ("nodes", "expansions", "moves"))


def test_which_algorithms_play() -> None:
    assert PLAYING == ["mcts-solver", "mcpns"]


@every_playing
@pytest.mark.parametrize("game", ["mnk:3,3,3", "connect4:4x4"])
def test_draws_are_two_disproofs(algorithm: str, game: str, tmp_path: Path) -> None:
    path = tmp_path / "draw.andorra"
    result = andorra.solve(game, None, "value", algorithm, memory="64MiB", certificate=path)
    assert result.value == "draw"
    verified = andorra.check(path)
    assert [part.verdict for part in verified.parts] == ["disproven", "disproven"]
    assert fast_check([path]) is None


@every_playing
def test_the_seed_decides(algorithm: str) -> None:
    once, again, other = (counts("hex:4", algorithm, playout_seed=seed) for seed in (5, 5, 6))
    assert once == again
    assert once != other


@every_playing
def test_games_by_chance_are_bounded(algorithm: str) -> None:
    """With more plies there are more moves; without an end to them there would be no answer."""
    game = make("graph", ENDLESS)
    results = [
        andorra.solve(game, None, "win:first", algorithm, playout_plies=plies)
        for plies in (1, 1_000)
    ]
    assert {result.verdict for result in results} == {"disproven"}
    short, long = (result.statistics["moves"] for result in results)
    assert short < long < 100_000


@every_playing
def test_a_limit_of_time_ends_games_by_chance(algorithm: str) -> None:
    """One game may take longer than all that is left; nodes are not what ends it."""
    line = "\n".join(f"{i}: {'or' if i % 2 else 'and'} {i + 1} {max(i - 1, 0)}" for i in range(99))
    game = make("graph", f"{line}\n99: or 98 98x\n98x: loss\n")
    result = andorra.solve(
        game, None, "win:first", algorithm, playout_plies=1_000_000, seconds=0.2, memory="64MiB"
    )
    assert result.limit == "seconds" or result.verdict == "disproven"


def test_exploration_decides() -> None:
    assert counts("hex:4", "mcts-solver", exploration=0) != counts(
        "hex:4", "mcts-solver", exploration=3
    )


@pytest.mark.parametrize("game", ["mnk:3,3,3", "hex:3", "breakthrough:4x3x1"])
def test_without_a_scale_mcpns_is_pns(game: str) -> None:
    """All leaves then start with the numbers that they have in pns."""
    plain = counts(game, "pns")
    played = counts(game, "mcpns", playout_scale=0)
    assert played[:2] == plain[:2]
    assert played[2] > plain[2]
    assert counts(game, "mcpns") != played


def test_numbers_share_out_the_scale() -> None:
    """With one game a leaf, that is the whole scale for one number, and nothing for the other."""
    game = make("graph", "A: or B\nB: or C\nC: win\n")
    result = andorra.solve(game, None, "win:first", "mcpns", nodes=1, playouts=1, playout_scale=100)
    assert (result.verdict, result.pn, result.dn) == ("unknown", 1, 101)
