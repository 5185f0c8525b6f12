"""Tables of text whose last column is folded to the terminal's width."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Sequence

import click

_GAP = "  "
_NARROWEST = 30


def print_table(titles: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print `rows` under `titles`."""
    texts = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(titles, *texts, strict=True)][:-1]
    indent = sum(widths) + len(_GAP) * len(widths)
    room = max(shutil.get_terminal_size().columns - indent, _NARROWEST)
    click.echo(click.style(_row(titles, widths), dim=True))
    for text in texts:
        first, *more = textwrap.wrap(text[-1], room) or [""]
        click.echo(_row([*text[:-1], first], widths))
        for line in more:
            click.echo(" " * indent + line)


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = [cell.ljust(width) for cell, width in zip(cells, widths, strict=False)]
    return _GAP.join([*padded, cells[-1]])
