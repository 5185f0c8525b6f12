"""`andorra.games`: what can be solved without writing any rules."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class GameInfo:
    """A built-in game."""

    name: str
    summary: str
    """One line."""
    parameters: str
    """The default parameters, as an example of how they are written."""
    question: str
    """The default question."""
    help: str
    """Rules, notation and an example."""


def games() -> dict[str, GameInfo]:
    """All built-in games by name.

    >>> games()["connect4"].parameters
    '7x6'
    """
    import inspect
    import sys

    from andorra.rulebook import GAMES

    infos = {}
    for name, game in GAMES.items():
        text = inspect.cleandoc(sys.modules[game.__module__].__doc__ or "")
        parameters = "" if name == "graph" else game().parameters
        infos[name] = GameInfo(name, text.splitlines()[0], parameters, game.question, text)
    return infos
