"""How boards are drawn: as every game can, or as Japanese programs write them, where a game can."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from andorra.errors import OptionError

if TYPE_CHECKING:
    from andorra.cli.rules import Rules

WESTERN, JAPANESE = "western", "japanese"

board_option = click.option(
    "--board",
    type=click.Choice([WESTERN, JAPANESE]),
    default=WESTERN,
    show_default=True,
    help="How to draw boards of shogi.",
)


def drawer(rules: Rules, style: str) -> Callable[[Any], str]:
    """The function that draws a state in this style.

    >>> from andorra.rulebook import make
    >>> drawer(make("hex:4"), JAPANESE)
    Traceback (most recent call last):
    andorra.errors.OptionError: --board japanese: hex:4 is not drawn in this style; leave it out
    """
    if style == WESTERN:
        return rules.draw
    draw: Callable[[Any], str] | None = getattr(rules, "draw_japanese", None)
    if draw is None:
        raise OptionError(
            f"--board {style}: {rules.spec()} is not drawn in this style; leave it out"
        )
    return draw
