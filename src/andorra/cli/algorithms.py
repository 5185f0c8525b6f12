"""`andorra algorithms [NAME]`: the algorithms there are, and the options of each."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

import click

from andorra.cli.completions import AlgorithmName
from andorra.errors import OptionError

if TYPE_CHECKING:
    from andorra import AlgorithmInfo


@click.command("algorithms")
@click.argument("name", type=AlgorithmName(), metavar="[NAME]", required=False)
def command(name: str | None) -> int:
    """List the algorithms and options."""
    import andorra

    known = andorra.algorithms()
    if name is not None and name not in known:
        nearest = difflib.get_close_matches(name, known, n=1, cutoff=0)
        raise OptionError(f"there is no algorithm {name!r}; did you mean {nearest[0]!r}?")
    chosen = list(known.values()) if name is None else [known[name]]
    for index, info in enumerate(chosen):
        if index:
            click.echo()
        _describe(info)
    return 0


def _describe(info: AlgorithmInfo) -> None:
    from andorra.cli.tables import print_table

    click.echo(f"{click.style(info.name, bold=True)}: {info.summary}")
    rows = [(f"  {row.name}", row.default, row.range, row.help) for row in info.options]
    if rows:
        print_table(("  option", "default", "range", "what it does"), rows)
