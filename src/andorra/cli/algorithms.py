"""`andorra algorithms [NAME]`: the algorithms there are, and the options of each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from andorra.cli.completions import AlgorithmName
from andorra.cli.searches import assignments

if TYPE_CHECKING:
    from andorra import AlgorithmInfo


@click.command("algorithms")
@click.argument("name", type=AlgorithmName(), metavar="[NAME]", required=False)
def command(name: str | None) -> int:
    """List the algorithms and options."""
    import andorra
    from andorra.options import check_algorithm

    known = andorra.algorithms()
    chosen = list(known.values()) if name is None else [known[check_algorithm(name)]]
    for index, info in enumerate(chosen):
        if index:
            click.echo()
        _describe(info)
    return 0


def _describe(info: AlgorithmInfo) -> None:
    from andorra.cli.tables import print_table

    click.echo(f"{click.style(info.name, bold=True)}: {info.summary}")
    if info.games:
        click.echo(f"  Only for {' and '.join(info.games)}.")
    rows = [(f"  {row.name}", row.default, row.range, row.help) for row in info.options]
    if rows:
        print_table(("  option", "default", "range", "what it does"), rows)
    for game, defaults in _defaults_of_games(info):
        click.echo(f"  On {game}, the defaults are {assignments(defaults)}.")


def _defaults_of_games(info: AlgorithmInfo) -> Iterator[tuple[str, dict[str, str]]]:
    """The defaults that games set for themselves, of the algorithm's options."""
    import andorra

    names = {row.name for row in info.options}
    for game in andorra.games().values():
        own = {name: value for name, value in game.defaults.items() if name in names}
        if own:
            yield game.name, own
