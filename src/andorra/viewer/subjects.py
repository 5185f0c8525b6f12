"""The game and the position that a request names, and what the page shows of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from andorra.checker import Rules
from andorra.errors import AndorraError, PositionError, RuleError
from andorra.rulebook import FIRST, GAMES, make, read
from andorra.rulebook.graph6 import neighbours
from andorra.viewer.forms import RequestError
from andorra.viewer.graphs import Graphs

MOST_MOVES = 2_000
"""Moves that are listed at most: `cops` can have 65,535."""
MOST_NODES = 120
"""Nodes of an explicit graph that are drawn at most."""

GAME_FIELDS = ("game", "data")


class Games:
    """The games that a page may name: those of the rulebook, and one that the user loaded."""

    def __init__(self, own: Rules | None = None, graphs: Graphs | None = None) -> None:
        """`own` are the rules that the command line names, if any."""
        self.own = own
        self.graphs = graphs or Graphs()

    def make(self, spec: str, data: str | None) -> Rules:
        """The game; `data` is the text of a graph. Never a file, whatever the spec says."""
        if self.own is not None and spec in (self.own.spec(), self.own.name):
            return self.own
        if len(spec) > 200:
            raise RequestError(f"a game of {len(spec)} characters; expected a name such as 'hex:5'")
        return make(spec) if data is None else self.graphs.make(spec, data)


@contextmanager
def blaming(game: Rules) -> Iterator[None]:
    """Calls a failure of a user's rules by its name; one of ours stays the bug that it is."""
    try:
        yield
    except AndorraError:
        raise
    except Exception as error:
        if type(game) in GAMES.values():
            raise
        raise RuleError(f"the rules of {game.spec()} failed: {error!r}") from error


def state_of(game: Rules, position: str | None) -> Any:
    """The position, or the initial one."""
    with blaming(game):
        if position is None:
            return game.initial()
        return read(game, position) if type(game) in GAMES.values() else game.parse(position)


def played(game: Rules, state: Any, moves: list[str]) -> Any:
    """The state after the moves."""
    for number, text in enumerate(moves, 1):
        try:
            with blaming(game):
                state = game.play(state, game.parse_move(state, text))
        except PositionError as error:
            raise PositionError(f"move {number}: {error}") from None
    return state


def describe(game: Rules, state: Any) -> dict[str, Any]:
    """A position as the page wants it."""
    with blaming(game):
        return _described(game, state)


def _described(game: Rules, state: Any) -> dict[str, Any]:
    outcome = game.outcome(state)
    moves = [game.format_move(state, move) for move in game.moves(state)] if not outcome else []
    return {
        "game": game.spec(),
        "position": game.format(state),
        "side": "first" if game.to_move(state) == FIRST else "second",
        "outcome": outcome,
        "moves": moves[:MOST_MOVES],
        "omitted": max(0, len(moves) - MOST_MOVES),
        "picture": game.draw(state),
        "players": list(game.players),
        "extra": extra(game, state),
    }


def extra(game: Rules, state: Any) -> dict[str, Any] | None:
    """What a drawing needs and the text of a position does not say: the edges of a graph."""
    if game.name == "cops" and type(game) in GAMES.values():
        return {"near": [list(near) for near in neighbours(state.graph)]}
    if game.name == "graph" and type(game) in GAMES.values():
        return {"nodes": _around(game, state)}
    return None


def _around(game: Rules, start: str) -> list[dict[str, Any]]:
    """The nodes nearest to `start` along the arrows, at most `MOST_NODES`."""
    seen, nodes = [start], []
    known = {start}
    for name in seen:
        successors = list(game.moves(name))
        nodes.append(
            {
                "name": name,
                "side": "first" if game.to_move(name) == FIRST else "second",
                "end": game.outcome(name),
                "to": successors[:MOST_NODES],
            }
        )
        new = [each for each in successors if each not in known]
        new = new[: MOST_NODES - len(seen)]
        seen += new
        known.update(new)
    return nodes
