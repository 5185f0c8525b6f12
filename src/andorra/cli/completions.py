"""Parameters that a shell can complete: names of games and of algorithms."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem


class GameName(click.ParamType[str]):
    """A game: a name, and parameters after a colon."""

    name = "game"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The games whose names start with what was typed."""
        import andorra

        games = andorra.games().values()
        return [
            CompletionItem(game.name, help=game.summary)
            for game in games
            if game.name.startswith(incomplete)
        ]


class AlgorithmName(click.ParamType[str]):
    """An algorithm. An unknown one is the API's error, which names the nearest."""

    name = "name"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The algorithms whose names start with what was typed."""
        import andorra

        algorithms = andorra.algorithms().values()
        return [
            CompletionItem(algorithm.name, help=algorithm.summary)
            for algorithm in algorithms
            if algorithm.name.startswith(incomplete)
        ]
