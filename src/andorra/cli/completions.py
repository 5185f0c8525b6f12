"""Parameters that a shell can complete: names of games, of algorithms and of their options."""

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


class Assignment(click.ParamType[str]):
    """`NAME=VALUE`, or `NAME=V1,V2`, for an option of an algorithm; `more` names are known, too."""

    name = "assignment"

    def __init__(self, more: tuple[str, ...] = ()) -> None:
        self.more = more

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Names until there is a `=`; then the values of an option that has a list of them."""
        start, comma, last = incomplete.rpartition(",")
        name, equals, value = last.partition("=")
        if not (comma or equals):
            known = {**dict.fromkeys(self.more, ""), **_option_helps()}
            return [
                CompletionItem(f"{each}=", help=text)
                for each, text in known.items()
                if each.startswith(name)
            ]
        name, value = (start.partition("=")[0], last) if comma else (name, value)
        done = incomplete.removesuffix(value)
        return [CompletionItem(done + each) for each in _values(name) if each.startswith(value)]


def _option_helps() -> dict[str, str]:
    import andorra

    rows = [row for info in andorra.algorithms().values() for row in info.options]
    return {row.name: row.help for row in rows}


def _values(name: str) -> list[str]:
    """The values that can be listed."""
    import andorra

    if name == "algorithm":
        return list(andorra.algorithms())
    rows = [row for info in andorra.algorithms().values() for row in info.options]
    ranges = {row.range for row in rows if row.name == name}
    return [value for each in ranges if "|" in each for value in each.split("|")]
