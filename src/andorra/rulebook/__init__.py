"""The reference rules: one file a game, slow and obvious, the specification of what the core does.

`GAMES` is the one list of games; `make` reads what the command line calls a game.

>>> make("connect4:5x4").spec()
'connect4:5x4'
>>> make("hex").spec()
'hex:5'
>>> make("conect4")
Traceback (most recent call last):
andorra.errors.PositionError: there is no game 'conect4'; did you mean 'connect4'?
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import Any, cast

from andorra.errors import PositionError
from andorra.rulebook.base import FIRST, SECOND, SIDE_NAMES, Game, Outcome, Side
from andorra.rulebook.breakthrough import Breakthrough
from andorra.rulebook.connect4 import Connect4
from andorra.rulebook.cops import Cops
from andorra.rulebook.dots import Dots
from andorra.rulebook.graph import Graph
from andorra.rulebook.hex import Hex
from andorra.rulebook.loa import Loa
from andorra.rulebook.mnk import Mnk
from andorra.rulebook.reading import quoted
from andorra.rulebook.rolit import Rolit
from andorra.rulebook.toll import Toll
from andorra.rulebook.tsume import Tsume

__all__ = [
    "FIRST",
    "GAMES",
    "SECOND",
    "SIDE_NAMES",
    "Game",
    "Outcome",
    "Side",
    "is_built_in",
    "make",
    "read",
]

GAMES: dict[str, type[Game[Any, Any]]] = {
    game.name: game
    for game in (Graph, Mnk, Connect4, Hex, Breakthrough, Toll, Cops, Loa, Dots, Rolit, Tsume)
}


_FIELDS = {"name", "parameters", "acyclic", "can_draw", "question", "players"}
"""What built-in games set for themselves when they are made."""


def is_built_in(game: Game[Any, Any]) -> bool:
    """Whether these are reference rules, whose promises are part of the specification.

    >>> is_built_in(make("hex")), is_built_in(type("MyHex", (Hex,), {})("3"))
    (True, False)
    """
    # By identity, and with nothing put before the class's own rules: a user's may say anything.
    known = any(type(game) is each for each in GAMES.values())
    return known and not any(hasattr(Game, name) for name in set(vars(game)) - _FIELDS)


def make(spec: str, data: str | None = None) -> Game[Any, Any]:
    """The game that `spec` names, "name" or "name:parameters"; `data` is the text of a graph."""
    name, colon, parameters = spec.partition(":")
    if name not in GAMES:
        raise PositionError(f"there is no game {quoted(name)}; did you mean {_nearest(name)!r}?")
    if colon and not parameters:
        raise PositionError(f"{quoted(spec)} has a colon but no parameters after it")
    # Every class listed above takes these two; the base class leaves users' games free.
    build = cast(Callable[[str, str | None], Game[Any, Any]], GAMES[name])
    return build(parameters, data)


def read(game: Game[Any, Any], text: str) -> Any:
    """The position that a user's text leads to: of a built-in game more than `parse` may take.

    >>> tsume = make("tsume:attacker=b")
    >>> tsume.format(read(tsume, "startpos moves 7g7f 3c3d"))
    'lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 1'
    """
    return game.read(text) if type(game) is Tsume else game.parse(text)


def _nearest(name: str) -> str:
    return max(GAMES, key=lambda game: difflib.SequenceMatcher(None, name[:40], game).ratio())
