"""A second opinion on lines of shogi: legal in cshogi, checks all along, a mate at the end?

cshogi is there for the tests, and nothing that is installed uses it; where it is missing, the
section's table says that no line was replayed.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

from bench.section import Run

COLUMN = "replayed"
"""How many lines cshogi has confirmed."""


class Replay:
    """Replays the lines of a section; each that fails is an error."""

    def __init__(self, run: Run, section: str) -> None:
        """Find cshogi, if it is there."""
        self._run = run
        self._section = section
        self._cshogi = _find_cshogi()
        self._confirmed = 0

    @property
    def confirmed(self) -> int | None:
        """How many lines were replayed to a mate; None without cshogi."""
        return None if self._cshogi is None else self._confirmed

    @property
    def notes(self) -> list[str]:
        """What the table has to say of it."""
        missing = "  no line was replayed: cshogi is not installed (pip install --group dev)"
        return [missing] if self._cshogi is None else []

    def check(self, name: str, position: str, line: Sequence[str], line_end: str) -> None:
        """Replay the line of a proof; one that a limit cut short proves nothing and is no error."""
        if self._cshogi is None or line_end == "incomplete":
            return
        fault = _fault(self._cshogi, position, line)
        if fault is None:
            self._confirmed += 1
        else:
            self._run.report.error(f"{self._section}: the line of {name} in cshogi: {fault}")


def _find_cshogi() -> Any | None:
    try:
        return importlib.import_module("cshogi")
    except ImportError:
        return None


def _fault(cshogi: Any, position: str, line: Sequence[str]) -> str | None:
    """What is wrong with a line, if anything is; the attacker makes every other move of it."""
    board = cshogi.Board(position)
    for ply, text in enumerate(line, start=1):
        legal = {cshogi.move_to_usi(move): move for move in board.legal_moves}
        if text not in legal:
            return f"ply {ply}, {text!r}, is not legal in {board.sfen()!r}"
        board.push(legal[text])
        if ply % 2 == 1 and not board.is_check():
            return f"ply {ply}, {text!r}, is no check, in {board.sfen()!r}"
    if not board.is_check() or list(board.legal_moves):
        return f"it does not end in mate, but in {board.sfen()!r}"
    return None
