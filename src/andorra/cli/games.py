"""`andorra games [NAME]`: the games there are, and how each is written."""

from __future__ import annotations

import difflib

import click

from andorra.cli.completions import GameName
from andorra.cli.searches import assignments
from andorra.errors import PositionError


@click.command("games")
@click.argument("name", type=GameName(), metavar="[NAME]", required=False)
def command(name: str | None) -> int:
    """List the games, or describe one."""
    if name is None:
        _list()
    else:
        _describe(name.partition(":")[0])
    return 0


def _list() -> None:
    import andorra
    from andorra.cli.tables import print_table

    rows = [
        (info.name, info.parameters, info.question, info.summary.removeprefix(f"{info.name}: "))
        for info in andorra.games().values()
    ]
    print_table(("game", "parameters", "question", "what it is"), rows)


def _describe(name: str) -> None:
    import andorra

    games = andorra.games()
    if name not in games:
        nearest = difflib.get_close_matches(name, games, n=1, cutoff=0)
        raise PositionError(f"there is no game {name!r}; did you mean {nearest[0]!r}?")
    click.echo(games[name].help.partition("\n>>>")[0].rstrip())
    click.echo(f"\nDefault question: {games[name].question}")
    if games[name].defaults:
        click.echo(f"Default options of its own: {assignments(games[name].defaults)}")
