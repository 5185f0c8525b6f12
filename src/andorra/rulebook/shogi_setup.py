"""What positions of shogi may be set up, as problems set them up: pieces may be missing.

A position is refused if it has more pieces than a set, two kings of a side, two unpromoted pawns of
a side on a file, a pawn, lance or knight that could never move, or a king that could be taken.

>>> from andorra.rulebook.sfen import read_sfen
>>> print(what_is_wrong(read_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1")))
None
>>> what_is_wrong(read_sfen("4k4/9/4P4/9/4P4/9/9/9/9 b G 1"))
'black has two pawns on file 5'
>>> what_is_wrong(read_sfen("4k4/4P4/9/9/9/9/9/9/9 b G 1"))
"black moves, but white's king is in check"
"""

from __future__ import annotations

from collections.abc import Iterator

from andorra.rulebook.shogi import Position, in_check
from andorra.rulebook.shogi_pieces import (
    ALIVE,
    COUNTS,
    KING,
    PAWN,
    SYMBOLS,
    kind,
    of_side,
    square_name,
)

COLOURS = ("black", "white")


def what_is_wrong(position: Position) -> str | None:
    """The first reason for which a position is refused, if there is one."""
    return next(_faults(position), None)


def _faults(position: Position) -> Iterator[str]:
    for piece, most in COUNTS.items():
        count = (
            number_on_board(position, piece) + held(position, 0, piece) + held(position, 1, piece)
        )
        if count > most:
            yield f"there are {count} pieces {SYMBOLS[piece]}, promoted ones included, not {most}"
    for side in (0, 1):
        yield from _faults_of_side(position, side)
    if in_check(position, 1 - position.side):
        mover, other = COLOURS[position.side], COLOURS[1 - position.side]
        yield f"{mover} moves, but {other}'s king is in check"


def _faults_of_side(position: Position, side: int) -> Iterator[str]:
    board, colour = position.board, COLOURS[side]
    if board.count(of_side(KING, side)) > 1:
        yield f"{colour} has two kings"
    for file in range(9):
        if board[9 * file : 9 * file + 9].count(of_side(PAWN, side)) > 1:
            yield f"{colour} has two pawns on file {file + 1}"
    for square, piece in enumerate(board):
        if piece and square not in ALIVE[piece]:
            yield f"the {SYMBOLS[piece]} on {square_name(square)} could never move"


def number_on_board(position: Position, piece: int) -> int:
    """How many pieces of a kind are on the board, of both sides, promoted ones included."""
    return sum(kind(there) == piece for there in position.board)


def held(position: Position, side: int, piece: int) -> int:
    """How many pieces of a kind `side` has in hand."""
    return position.hands[7 * side + piece - 1]


def give_rest(position: Position, side: int) -> Position:
    """The position in which `side` holds all that neither the board nor the other side has."""
    rest = [
        max(0, most - number_on_board(position, piece) - held(position, 1 - side, piece))
        for piece, most in COUNTS.items()
    ]
    other = list(position.hands[7 * (1 - side) : 7 * (1 - side) + 7])
    return position._replace(hands=bytes(rest + other if side == 0 else other + rest))
