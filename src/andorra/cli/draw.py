"""`andorra draw GAME [POSITION|FILE]`: positions as pictures, and so as board diagrams to keep."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from andorra.cli.boards import JAPANESE, WESTERN
from andorra.cli.completions import GameName
from andorra.cli.positions import game_and_texts, is_file, maybe_a_file
from andorra.cli.rules import Subject, rules_option, subject
from andorra.cli.sources import Source, is_diagram_name
from andorra.cli.streams import write_bytes, writing
from andorra.errors import OptionError, PositionError

UTF_8, SHIFT_JIS = "utf-8", "shift_jis"


@click.command("draw")
@click.argument("game", type=GameName(), metavar="GAME")
@click.argument("position_or_file", metavar="[POSITION|FILE]", required=False)
@click.option(
    "--board",
    type=click.Choice([WESTERN, JAPANESE]),
    help="How to draw boards of shogi [western; for a .kif, .kifu or .bod file: japanese].",
)
@click.option(
    "--output",
    metavar="PATH",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write to this file, in place of what it holds.",
)
@click.option(
    "--encoding",
    type=click.Choice([UTF_8, SHIFT_JIS]),
    help="Of the output [utf-8; for a .kif file: shift_jis].",
)
@rules_option("")
def command(
    game: str,
    position_or_file: str | None,
    board: str | None,
    output: Path | None,
    encoding: str | None,
    rules: str | None,
) -> int:
    """Draw a position of GAME, or all positions of a FILE.

    Boards of 'tsume' in Japanese style are board diagrams, which 'solve' and shogi programs read:

    \b
    andorra draw tsume '4k4/9/4P4/9/9/9/9/9/9 b G 1' --output problem.kif
    andorra draw tsume problem.kif
    """
    game, texts = game_and_texts(
        game, [] if position_or_file is None else [position_or_file], "draw"
    )
    chosen = subject(game, rules, board or _usual_board(output))
    text = "\n\n".join(_drawings(chosen, texts[0] if texts else None)) + "\n"
    _write(text, output, encoding)
    return 0


def _usual_board(output: Path | None) -> str:
    return JAPANESE if output is not None and is_diagram_name(str(output)) else WESTERN


def _drawings(chosen: Subject, text: str | None) -> Iterator[str]:
    if text is None or not is_file(text):
        with maybe_a_file(text):
            yield chosen.draw(text)
        return
    for problem in Source(text, chosen.rules).problems():
        try:
            yield chosen.draw(problem.readable())
        except PositionError as error:
            raise PositionError(f"{problem.place}: {error}") from None


def _write(text: str, output: Path | None, encoding: str | None) -> None:
    if output is None and encoding is None:
        click.echo(text, nl=False)
        return
    data = _encoded(text, encoding or _usual_encoding(output))
    if output is None:
        write_bytes(data)
        return
    file = output.open("wb")  # a name that cannot be opened is bad input, as everywhere
    with writing(output), file:
        file.write(data)


def _usual_encoding(output: Path | None) -> str:
    """As the author of KIF has it: `.kif` is Shift-JIS, `.kifu` UTF-8."""
    return SHIFT_JIS if output is not None and output.suffix.lower() == ".kif" else UTF_8


def _encoded(text: str, encoding: str) -> bytes:
    try:
        return text.encode(encoding)
    except UnicodeEncodeError as error:
        character = text[error.start]
        raise OptionError(f"--encoding {encoding}: it has no {character!r}; use utf-8") from None
