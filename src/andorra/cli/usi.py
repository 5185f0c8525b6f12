"""`andorra usi`: an engine for shogi programs, on standard input and output."""

from __future__ import annotations

import sys
from functools import partial

import click


@click.command("usi")
def command() -> int:
    """Be a USI engine that finds mates, for shogi programs.

    Commands come from standard input, lines of the protocol USI go to standard output. After
    'position' with a problem or a game record, 'go mate' (milliseconds, 'infinite' or 'nodes N')
    asks for a mate by checks for the side to move: 'checkmate' and the moves, 'nomate' or
    'timeout'. It plays no games: any other 'go' gets 'bestmove resign'.

    \b
    Most programs want an engine to be one file; then make a script of two lines:
      #!/bin/sh
      exec andorra usi
    """
    from andorra.cli.positions import LONGEST_LINE
    from andorra.cli.streams import standard_input
    from andorra.usi import Engine

    pieces = iter(partial(standard_input().readline, LONGEST_LINE), b"")
    lines = (piece.decode("utf-8", "replace") for piece in pieces)
    Engine(_print).run(lines)
    return 0


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
