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
    defaults: dict[str, str]
    """Options that the game sets for itself, where you say nothing else."""


def games() -> dict[str, GameInfo]:
    """All built-in games by name.

    >>> games()["connect4"].parameters, games()["tsume"].defaults["initial"]
    ('7x6', 'game')
    """
    import inspect
    import sys

    from andorra.asking import defaults_of
    from andorra.rulebook import GAMES

    infos = {}
    for name, game in GAMES.items():
        text = inspect.cleandoc(sys.modules[game.__module__].__doc__ or "")
        made = None if name == "graph" else game()  # there is no graph without a file
        parameters, defaults = (made.parameters, defaults_of(made)({})) if made else ("", {})
        summary = text.splitlines()[0]
        infos[name] = GameInfo(name, summary, parameters, game.question, text, defaults)
    return infos
