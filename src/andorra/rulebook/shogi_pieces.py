"""Shogi's board and pieces: what a piece is called, how it steps and slides, where it promotes.

A square's number is (file - 1) * 9 + (rank - 1): 1a is 0, 1i is 8, 2a is 9, 9i is 80. Black moves
towards rank a. A piece is a number below 32: its kind in the lowest three bits (1 to 7: P L N S G B
R), 8 more if it is promoted, 16 more if it is white's; the king is 8, 0 is an empty square.

>>> square_name(0), square_name(80), SQUARES["5b"]
('1a', '9i', 37)
>>> [SYMBOLS[piece] for piece in (PAWN, promoted(PAWN), of_side(KING, WHITE))]
['P', '+P', 'k']
>>> [square_name(square) for square in STEPS[KNIGHT][SQUARES["5e"]]]
['4c', '6c']
>>> [[square_name(square) for square in ray] for ray in RAYS[LANCE][SQUARES["5d"]]]
[['5c', '5b', '5a']]
"""

from __future__ import annotations

BLACK, WHITE = 0, 1
"""The colours; black moves first in a game of shogi, in a problem either may."""

SIDE_LETTERS = "bw"
"""The colours in SFEN: `SIDE_LETTERS[side]`."""

PAWN, LANCE, KNIGHT, SILVER, GOLD, BISHOP, ROOK, KING = range(1, 9)

HAND_KINDS = (PAWN, LANCE, KNIGHT, SILVER, GOLD, BISHOP, ROOK)
"""The kinds that can be in hand, in the order of drops."""

COUNTS = {PAWN: 18, LANCE: 4, KNIGHT: 4, SILVER: 4, GOLD: 4, BISHOP: 2, ROOK: 2}
"""How many pieces of a kind there are, promoted ones included."""

PROMOTABLE = (PAWN, LANCE, KNIGHT, SILVER, BISHOP, ROOK)
PROMOTED_BIT, WHITE_BIT = 8, 16

ALL_SQUARES = frozenset(range(81))

Squares = tuple[int, ...]
Direction = tuple[int, int]
"""A step in files and in ranks."""


def of_side(piece: int, side: int) -> int:
    """Black's `piece` as a piece of `side`."""
    return piece + WHITE_BIT * side


def promoted(piece: int) -> int:
    """What a piece becomes."""
    return piece | PROMOTED_BIT


def kind(piece: int) -> int:
    """What a captured piece is in hand; 0 for a king."""
    return piece & 7


def square_name(square: int) -> str:
    """The square as USI writes it: file 1 to 9, rank a to i."""
    file, rank = divmod(square, 9)
    return f"{file + 1}{'abcdefghi'[rank]}"


SQUARES = {square_name(square): square for square in range(81)}

_BLACK_SYMBOLS = dict(enumerate("PLNSGBRK", start=1)) | {
    promoted(piece): f"+{'.PLNSGBR'[piece]}" for piece in PROMOTABLE
}
SYMBOLS = {
    of_side(piece, side): symbol.lower() if side else symbol
    for piece, symbol in _BLACK_SYMBOLS.items()
    for side in (BLACK, WHITE)
}
"""The letters of SFEN: capitals for black, `+` before promoted pieces."""

PIECES = {symbol: piece for piece, symbol in SYMBOLS.items()}

_ORTHOGONAL = ((0, -1), (-1, 0), (1, 0), (0, 1))
_DIAGONAL = ((-1, -1), (1, -1), (-1, 1), (1, 1))
DIRECTIONS: tuple[Direction, ...] = _ORTHOGONAL + _DIAGONAL
_GOLD_STEPS = (*_ORTHOGONAL, (-1, -1), (1, -1))

_STEP_DIRECTIONS: dict[int, tuple[Direction, ...]] = {
    PAWN: ((0, -1),),
    KNIGHT: ((-1, -2), (1, -2)),
    SILVER: ((0, -1), *_DIAGONAL),
    GOLD: _GOLD_STEPS,
    KING: DIRECTIONS,
    **{promoted(piece): _GOLD_STEPS for piece in (PAWN, LANCE, KNIGHT, SILVER)},
    promoted(BISHOP): _ORTHOGONAL,
    promoted(ROOK): _DIAGONAL,
}
_SLIDE_DIRECTIONS: dict[int, tuple[Direction, ...]] = {
    LANCE: ((0, -1),),
    BISHOP: _DIAGONAL,
    ROOK: _ORTHOGONAL,
    promoted(BISHOP): _DIAGONAL,
    promoted(ROOK): _ORTHOGONAL,
}


def _directions(table: dict[int, tuple[Direction, ...]], piece: int) -> list[Direction]:
    """How a piece of either side goes; the board is turned for white."""
    forward = -1 if piece & WHITE_BIT else 1
    found = table.get(piece & ~WHITE_BIT, ())
    return [(forward * files, forward * ranks) for files, ranks in found]


def _ray(square: int, direction: Direction) -> Squares:
    """The squares from `square` (without it) to the edge."""
    (file, rank), (files, ranks) = divmod(square, 9), direction
    places = [(file + i * files, rank + i * ranks) for i in range(1, 9)]
    return tuple(f * 9 + r for f, r in places if 0 <= f < 9 and 0 <= r < 9)


def _steps(piece: int, square: int) -> Squares:
    rays = (_ray(square, direction) for direction in _directions(_STEP_DIRECTIONS, piece))
    return tuple(ray[0] for ray in rays if ray)


def _rays(piece: int, square: int) -> tuple[Squares, ...]:
    rays = (_ray(square, direction) for direction in _directions(_SLIDE_DIRECTIONS, piece))
    return tuple(ray for ray in rays if ray)


STEPS = {piece: [_steps(piece, square) for square in range(81)] for piece in SYMBOLS}
"""Where a piece on a square can go in one step: `STEPS[piece][square]`."""

RAYS = {piece: [_rays(piece, square) for square in range(81)] for piece in SYMBOLS}
"""Along which squares a piece on a square can slide, as far as they are empty."""

ALIVE = {
    piece: frozenset(s for s in range(81) if STEPS[piece][s] or RAYS[piece][s]) for piece in SYMBOLS
}
"""The squares on which a piece may stand: those from which it could move on an empty board."""

ZONES = tuple(frozenset(s for s in range(81) if s % 9 in ranks) for ranks in ((0, 1, 2), (6, 7, 8)))
"""The squares of the three ranks in which a side's pieces promote: `ZONES[side]`."""


def _reaching(table: dict[int, tuple[Direction, ...]], side: int, to: Direction) -> frozenset[int]:
    """The pieces of `side` that go against the direction `to`."""
    back = (-to[0], -to[1])
    pieces = [piece for piece in SYMBOLS if piece // WHITE_BIT == side]
    return frozenset(piece for piece in pieces if back in _directions(table, piece))


_FAR = {
    (side, to): _reaching(_SLIDE_DIRECTIONS, side, to)
    for side in (BLACK, WHITE)
    for to in DIRECTIONS
}
_NEAR = {
    (side, to): far | _reaching(_STEP_DIRECTIONS, side, to) for (side, to), far in _FAR.items()
}

Line = tuple[Squares, frozenset[int], frozenset[int]]
"""A ray away from a square; which pieces attack the square from the ray's first square, and which
do from further off, if nothing is in between."""

LINES: tuple[list[tuple[Line, ...]], ...] = tuple(
    [
        tuple((ray, _NEAR[side, to], _FAR[side, to]) for to in DIRECTIONS if (ray := _ray(s, to)))
        for s in range(81)
    ]
    for side in (BLACK, WHITE)
)
"""The lines on which pieces of `side` attack a square: `LINES[side][square]`."""

KNIGHT_SOURCES = tuple(
    [STEPS[of_side(KNIGHT, 1 - side)][square] for square in range(81)] for side in (BLACK, WHITE)
)
"""Where a knight of `side` attacks a square from: `KNIGHT_SOURCES[side][square]`."""
