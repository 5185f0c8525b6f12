"""Tables: of text, whose last column is folded to the terminal's width, and of figures."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

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


@dataclass(frozen=True)
class Figures:
    """Columns that belong together: what they are about, their names and rows of cells."""

    title: str
    names: Sequence[str]
    rows: Sequence[Sequence[str]]

    def lines(self) -> list[str]:
        """Title, names and rows, all of the same width, figures to the right."""
        widths = [max(map(len, column)) for column in zip(self.names, *self.rows, strict=True)]
        drawn = [_to_the_right(row, widths) for row in (self.names, *self.rows)]
        width = max(len(self.title), len(drawn[0]))
        return [line.ljust(width) for line in (self.title, *drawn)]


def print_figures(name: str, labels: Sequence[str], groups: Sequence[Figures]) -> None:
    """Print groups of columns beside each other after `labels`, or below if there is no room."""
    width = max(map(len, (name, *labels)))
    margin = [label.ljust(width) for label in ("", name, *labels)]
    blocks = [group.lines() for group in groups]
    beside = [_GAP.join(cells) for cells in zip(margin, *blocks, strict=True)]
    if len(beside[0]) <= shutil.get_terminal_size().columns:
        return _print_lines(beside)
    for index, block in enumerate(blocks):
        if index:
            click.echo()
        _print_lines([_GAP.join(cells) for cells in zip(margin, block, strict=True)])


def _to_the_right(cells: Sequence[str], widths: Sequence[int]) -> str:
    return _GAP.join(cell.rjust(width) for cell, width in zip(cells, widths, strict=True))


def _print_lines(lines: Sequence[str]) -> None:
    """The first two lines are titles; a first one with nothing in it is left out."""
    for index, line in enumerate(lines):
        if index > 0 or line.strip():
            click.echo(click.style(line.rstrip(), dim=True if index < 2 else None))
