"""What is special about `alphabeta`: depths, the order of moves, and what ends it."""

from __future__ import annotations

from typing import Any

import pytest

import andorra
from andorra.rulebook import make


def solve(text: str, **settings: Any) -> andorra.Result:
    """The question of the first player on a graph."""
    game = make("graph", text)
    return andorra.solve(game, None, "win:first", "alphabeta", memory="64MiB", **settings)


def chain(plies: int, end: str) -> str:
    """A line without choices."""
    nodes = [f"{i}: {'and' if i % 2 else 'or'} {i + 1}" for i in range(plies)]
    return "\n".join([*nodes, f"{plies}: {end}"])


@pytest.mark.parametrize("end", ["win", "loss"])
def test_a_long_narrow_line_is_not_searched_once_a_ply(end: str) -> None:
    result = solve(chain(5_000, end))
    assert result.verdict == ("proven" if end == "win" else "disproven")
    assert result.statistics["nodes"] < 20_000


def test_the_nearest_win_is_found_first() -> None:
    """The first move wins too, but a search that is not deep enough does not see that."""
    text = chain(60, "win").replace("0: or 1\n", "0: or 1 a\n", 1) + "\na: and b\nb: win\n"
    result = solve(text, depth_step=1)
    assert (result.best_move, len(result.line)) == ("a", 2)


def test_nothing_is_cut_off_where_all_lines_end() -> None:
    """Then one search is enough, however many plies it had left."""
    result = solve("0: or 1 2\n1: and 3\n2: and 3\n3: loss\n", depth_step=1)
    assert (result.verdict, result.statistics["nodes"]) == ("disproven", 4)


@pytest.mark.parametrize("closure", [True, False])
def test_a_closed_set_is_disproven(closure: bool) -> None:
    """Lines that lead back on each other's line: no single line shows the disproof."""
    text = "a: or b c\nb: and c d\nc: and b d\nd: or b c\n"
    result = solve(text, closure=closure, guard=1_000)
    assert result.verdict == "disproven" or (not closure and result.limit == "no progress")


@pytest.mark.parametrize(
    ("option", "values"),
    [("ordering", ["off", "killers", "history", "both"]), ("depth_step", [1, 2, 5])],
)
def test_options_change_the_search_and_not_the_verdict(option: str, values: list[Any]) -> None:
    results = [
        andorra.solve("connect4:5x4", None, "win:first", "alphabeta", **{option: value})
        for value in values
    ]
    assert {result.verdict for result in results} == {"disproven"}
    assert len({result.statistics["nodes"] for result in results}) == len(values)
