"""Game records as the protocol USI has them: a start, `moves`, and any legal moves of shogi.

`[position] startpos|sfen SFEN [moves MOVE...]`. These are other moves than those that may follow a
position of `tsume`, which are checks and evasions: here the attacker is not known before the end.

>>> record = read_record("startpos moves 7g7f 3c3d 8h2b+")
>>> from andorra.rulebook.sfen import write_sfen
>>> write_sfen(replay(record.start, record.moves))
'lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w B 1'
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from andorra.errors import PositionError
from andorra.rulebook.reading import quoted
from andorra.rulebook.sfen import read_sfen, write_sfen
from andorra.rulebook.shogi import Position, legal_moves, move_text, play
from andorra.rulebook.shogi_setup import what_is_wrong

START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"


class Record(NamedTuple):
    """A position, not looked at yet, and the moves that are said to follow."""

    start: Position
    moves: list[str]

    @property
    def last_side(self) -> int:
        """Who is to move after all moves."""
        return self.start.side ^ len(self.moves) & 1


def is_record(text: str) -> bool:
    """Whether the text is meant as a record, and not only as a position.

    >>> [is_record(text) for text in ("startpos", "position sfen B b - moves", "sfen B b -")]
    [True, True, False]
    """
    words = _words(text)
    return words[:1] == ["startpos"] or (words[:1] == ["sfen"] and "moves" in words)


def read_record(text: str) -> Record:
    """The record `text`; its moves are not looked at."""
    words = _words(text)
    end = words.index("moves") if "moves" in words else len(words)
    return Record(_start(words[:end]), words[end + 1 :])


def _words(text: str) -> list[str]:
    words = text.split()
    return words[1:] if words[:1] == ["position"] else words


def _start(words: Sequence[str]) -> Position:
    if words == ["startpos"]:
        return read_sfen(START)
    if words[:1] != ["sfen"]:
        raise PositionError(
            f"cannot read {quoted(' '.join(words))}; expected 'startpos' or 'sfen' and an SFEN"
        )
    return read_sfen(" ".join(words[1:]))


def replay(position: Position, moves: Sequence[str]) -> Position:
    """The position after the moves, all of which must be legal, from one that may be set up."""
    fault = what_is_wrong(position)
    if fault is not None:
        raise PositionError(f"{fault}, in {write_sfen(position)!r}")
    for number, text in enumerate(moves, start=1):
        position = _played(position, text, number)
    return position


def _played(position: Position, text: str, number: int) -> Position:
    legal = {move_text(move): move for move in legal_moves(position)}
    if text not in legal:
        over = "" if legal else ": there is none, the game is over"
        where = f"is not legal in {write_sfen(position)!r}"
        raise PositionError(f"move {number}, {quoted(text)}, {where}{over}")
    return play(position, legal[text])
