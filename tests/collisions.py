"""Finds two boards of shogi that a Zobrist key of 96 bits cannot tell apart.

Idea: such a key is a XOR of public random numbers, one a piece and square, so a pair of boards with
one key is a solution of 96 linear equations over single bits. In one board black mates at once; in
the other one the piece that protects the mating one is missing. Pieces far away, which have no part
in this, make up for the difference: the squares are divided into eight regions, and each way to
fill a region, once a board, is a candidate with a known XOR. Eight lists of some 2^24 candidates
are merged two by two; each merge keeps the pairs that agree in 24 more bits, the last one in 48.
Source: generalised birthday search (Wagner 2002), with eight lists.
Invariant: both boards have all pieces in play, the rest in white's hand, so in nothing but the
board do they differ.

Keys of today hide 56 bits (core/secret.hpp), so a pair found here still has one place in every
table. `python tests/collisions.py --seed 1` prints a pair after some minutes and 3 GB;
tests/data/collisions.json has some.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]
Numbers = NDArray[np.uint32]

_MASK = (1 << 64) - 1
_GAMMA = 0x9E3779B97F4A7C15
_SEED = 0x7365
_KINDS, _SQUARES = 16, 81
BLACK, WHITE = 0, 1
PAWN, LANCE, KNIGHT, SILVER, GOLD, KING, PROMOTED = 1, 2, 3, 4, 5, 8, 8
_LETTERS = " PLNSGBRK"
_MOST = {PAWN: 18, LANCE: 4, KNIGHT: 4, SILVER: 4, GOLD: 4, 6: 2, 7: 2}
_BITS = 24
_SIZE = 1 << _BITS
_CANDIDATES = 5 * _SIZE // 4
"""Candidates of a region; a pair is found the sooner the more there are, by the eighth power."""

Piece = tuple[int, int, int]
"""Colour, kind, square: file * 9 + rank, both from 0."""


def mix(x: int) -> int:
    """Scramble 64 bits (core/mix.hpp)."""
    x = (x + _GAMMA) & _MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
    return x ^ (x >> 31)


def random_of(piece: Piece) -> tuple[int, int]:
    """Give the 64 and the 32 public bits that stand for a piece on its square."""
    colour, kind, square = piece
    number = (colour * _KINDS + kind) * _SQUARES + square
    first = _SEED + (2 * number + 1) * _GAMMA
    return mix(first & _MASK), mix((first + _GAMMA) & _MASK) >> 32


def public_key(pieces: list[Piece]) -> tuple[int, int]:
    """XOR what stands for the pieces: the key of a board with black to move and all in play."""
    board = rest = 0
    for piece in pieces:
        its = random_of(piece)
        board, rest = board ^ its[0], rest ^ its[1]
    return board, rest


def square(name: str) -> int:
    """Read a square: '1a' is 0.

    >>> square("1c"), square("9i")
    (2, 80)
    """
    return (int(name[0]) - 1) * 9 + ord(name[1]) - ord("a")


# Gold to 1b is check; it is mate if the tokin stands on 2c, and else the king takes the gold.
COMMON: list[Piece] = [(WHITE, KING, square("1a")), (BLACK, GOLD, square("1c"))]
MATING: Piece = (BLACK, PAWN + PROMOTED, square("2c"))
MATE = "1c1b"


@dataclass(frozen=True)
class Region:
    """Squares that are filled together, and the pieces there are for them."""

    squares: tuple[int, ...]
    kinds: tuple[int, ...]

    def random_fillings(self, random: np.random.Generator, count: int) -> list[list[Piece]]:
        """Draw ways to fill the region; they may repeat."""
        return [self._filling(random) for _ in range(count)]

    def _filling(self, random: np.random.Generator) -> list[Piece]:
        places = random.permutation(len(self.squares))
        pieces: list[Piece] = []
        for kind, place in zip(self.kinds, places, strict=False):
            if random.random() < 0.15:
                continue
            where = self.squares[place]
            colour = BLACK if where >= 4 * 9 and random.random() < 0.5 else WHITE
            plain = kind == GOLD or (_may_be_plain(colour, kind, where) and random.random() < 0.5)
            pieces.append((colour, kind if plain else kind + PROMOTED, where))
        return pieces


def _may_be_plain(colour: int, kind: int, where: int) -> bool:
    """Whether the piece cannot give check from afar, is not one pawn too many, and can move."""
    rank = where % 9 if colour == BLACK else 8 - where % 9
    least = {SILVER: 0, LANCE: 1, KNIGHT: 2}
    return kind in least and rank >= least[kind]


def regions() -> list[Region]:
    """Divide files 3 to 9, two files away from the king, into eight; black uses files 5 to 9."""
    free = list(range(2 * 9, 9 * 9))
    fewer = free[::7] + free[3::7] + free[5::7]
    more = [square for square in free if square not in fewer]
    cuts = [fewer[i::4] for i in range(4)] + [more[i::4] for i in range(4)]
    third = [SILVER, SILVER, SILVER, SILVER, KNIGHT, KNIGHT, KNIGHT, KNIGHT]
    fourth = [LANCE, LANCE, LANCE, LANCE, GOLD, GOLD, GOLD, PAWN]
    return [
        Region(tuple(squares), (PAWN, PAWN, third[i], fourth[i])) for i, squares in enumerate(cuts)
    ]


@dataclass
class Merged:
    """Candidates: what is left of their XOR, and the two candidates that each is made of."""

    board: Words
    rest: Numbers
    left: Numbers
    right: Numbers


@dataclass
class Candidates:
    """A region's candidates: a filling of it in either board."""

    fillings: list[list[Piece]]
    board: Words
    rest: Numbers
    mating: Numbers
    other: Numbers


def candidates(region: Region, random: np.random.Generator) -> Candidates:
    """Pair fillings at random: as many as `_CANDIDATES`, of which no two have the same XOR.

    Many have, because a piece that stands on the same square in both boards has no part in it.
    """
    unique = {tuple(sorted(pieces)): pieces for pieces in region.random_fillings(random, 1 << 15)}
    fillings = list(unique.values())
    keys = [public_key(pieces) for pieces in fillings]
    board = np.array([key[0] for key in keys], dtype=np.uint64)
    rest = np.array([key[1] for key in keys], dtype=np.uint32)
    mating = random.integers(len(fillings), size=3 * _CANDIDATES, dtype=np.uint32)
    other = random.integers(len(fillings), size=3 * _CANDIDATES, dtype=np.uint32)
    _, first = np.unique(board[mating] ^ board[other], return_index=True)
    chosen = random.permutation(first)[:_CANDIDATES]
    mating, other = mating[chosen], other[chosen]
    return Candidates(
        fillings, board[mating] ^ board[other], rest[mating] ^ rest[other], mating, other
    )


def merge(a: Merged | Candidates, b: Merged | Candidates, shift: int, wanted: int) -> Merged:
    """Keep the pairs whose XOR has the wanted bits in `board`, 24 from `shift` on."""
    of_b = ((b.board >> np.uint64(shift)) & np.uint64(_SIZE - 1)).astype(np.uint32)
    of_a = ((a.board >> np.uint64(shift)) & np.uint64(_SIZE - 1)).astype(np.uint32)
    order = np.argsort(of_b, kind="stable").astype(np.uint32)
    starts = np.zeros(_SIZE + 1, dtype=np.uint32)
    np.cumsum(np.bincount(of_b, minlength=_SIZE), out=starts[1:])
    bucket = of_a ^ np.uint32(wanted)
    first = starts[bucket]
    count = starts[bucket + 1] - first
    left = np.repeat(np.arange(len(of_a), dtype=np.uint32), count)
    before = np.repeat((np.cumsum(count, dtype=np.int64) - count).astype(np.int64), count)
    within = np.arange(len(left), dtype=np.int64) - before
    right = order[np.repeat(first, count).astype(np.int64) + within]
    return Merged(a.board[left] ^ b.board[right], a.rest[left] ^ b.rest[right], left, right)


def shares(total: int, count: int, random: np.random.Generator) -> list[int]:
    """Draw numbers with a given XOR; not zero, which regions that are filled alike would meet."""
    drawn = [int(number) for number in random.integers(_SIZE, size=count - 1)]
    for number in drawn:
        total ^= number
    return [*drawn, total]


def pairs(seed: int) -> list[tuple[list[Piece], list[Piece]]]:
    """Find pairs of a board with a mate and one without, with one key."""
    random = np.random.default_rng(seed)
    lists = [candidates(region, random) for region in regions()]
    found: list[tuple[list[Piece], list[Piece]]] = []
    while not found:
        found = attempt(lists, random)
    return found


def attempt(
    lists: list[Candidates], random: np.random.Generator
) -> list[tuple[list[Piece], list[Piece]]]:
    """Merge the lists once; on average, about one pair is left."""
    board, rest = random_of(MATING)
    low = shares(board & (_SIZE - 1), 4, random)
    middle = shares(board >> _BITS & (_SIZE - 1), 2, random)
    twos = [merge(lists[2 * i], lists[2 * i + 1], 0, low[i]) for i in range(4)]
    fours = [merge(twos[2 * i], twos[2 * i + 1], _BITS, middle[i]) for i in range(2)]
    last = [(four.board >> np.uint64(2 * _BITS)) << np.uint64(32) | four.rest for four in fours]
    wanted = np.uint64((board >> (2 * _BITS)) << 32 | rest)
    _, in_first, in_second = np.intersect1d(last[0] ^ wanted, last[1], return_indices=True)
    return [_boards(lists, twos, fours, ends) for ends in zip(in_first, in_second, strict=True)]


def _boards(
    lists: list[Candidates], twos: list[Merged], fours: list[Merged], ends: tuple[int, int]
) -> tuple[list[Piece], list[Piece]]:
    mating, other = [*COMMON, MATING], list(COMMON)
    for half, four in enumerate(ends):
        for side, two in enumerate((fours[half].left[four], fours[half].right[four])):
            number = 2 * half + side
            for which, one in enumerate((twos[number].left[two], twos[number].right[two])):
                chosen = lists[2 * number + which]
                mating += chosen.fillings[chosen.mating[one]]
                other += chosen.fillings[chosen.other[one]]
    return mating, other


def sfen(pieces: list[Piece]) -> str:
    """Write the board, black to move, with all that is not on it in white's hand."""
    at = {piece[2]: piece for piece in pieces}
    rows = []
    for rank in range(9):
        row = "".join(_square_text(at.get(file * 9 + rank)) for file in reversed(range(9)))
        for length in range(9, 0, -1):
            row = row.replace("." * length, str(length))
        rows.append(row)
    hand = ""
    for kind in (7, 6, GOLD, SILVER, KNIGHT, LANCE, PAWN):
        left = _MOST[kind] - sum(
            piece[1] % PROMOTED == kind for piece in pieces if piece[1] != KING
        )
        hand += (str(left) if left > 1 else "") + _LETTERS[kind].lower() if left else ""
    return f"{'/'.join(rows)} b {hand or '-'} 1"


def read_sfen(text: str) -> list[Piece]:
    """Read the pieces on the board.

    >>> read_sfen("k8/9/9/9/9/9/9/9/8+P b - 1")
    [(1, 8, 72), (0, 9, 8)]
    """
    pieces: list[Piece] = []
    for rank, row in enumerate(text.split()[0].split("/")):
        file, promoted = 8, 0
        for sign in row:
            if sign.isdigit():
                file -= int(sign)
            elif sign == "+":
                promoted = PROMOTED
            else:
                kind = _LETTERS.index(sign.upper()) + promoted
                pieces.append((BLACK if sign.isupper() else WHITE, kind, file * 9 + rank))
                file, promoted = file - 1, 0
    return pieces


def _square_text(piece: Piece | None) -> str:
    if piece is None:
        return "."
    colour, kind, _ = piece
    promoted = "+" if kind > KING else ""
    letter = _LETTERS[kind if kind <= KING else kind - PROMOTED]
    return promoted + (letter if colour == BLACK else letter.lower())


def main() -> None:
    """Print pairs as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    found = [
        {"mate": sfen(mating), "move": MATE, "none": sfen(other)}
        for mating, other in pairs(parser.parse_args().seed)
    ]
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
