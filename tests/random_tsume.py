"""Random problems of shogi, and the shrinking of those that fail.

Everything about a problem follows from its seed. On an open board even two or three pieces give
millions of positions, because the king walks. So in most problems the king stands in a pocket at
its own edge of the board, behind a wall of own pieces that look the other way; the wall may have
holes. In the pocket and around it are a few pieces of both sides, sliding pieces further off, so
that there is something to put in between. Both hold pieces, pawns among them. Sometimes the
attacker has a king, sometimes the defender moves first. `rich` problems have many pieces in hand,
`open` ones no wall; in `line` problems a line from the king is empty and the attacker holds what
gives check along it, so that there is much to put in between and little use in it. `shrink` takes
pieces away while a problem still fails.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import product

from andorra.errors import PositionError
from andorra.rulebook.sfen import write_sfen
from andorra.rulebook.shogi import Position
from andorra.rulebook.shogi_pieces import (
    BISHOP,
    BLACK,
    COUNTS,
    GOLD,
    KING,
    KNIGHT,
    LANCE,
    PAWN,
    PROMOTABLE,
    ROOK,
    SIDE_LETTERS,
    SILVER,
    WHITE,
    WHITE_BIT,
    of_side,
    promoted,
)
from andorra.rulebook.tsume import Tsume

GAME = Tsume()
SLIDING = (LANCE, BISHOP, ROOK)
ATTACKERS = (PAWN, LANCE, KNIGHT, SILVER, SILVER, GOLD, GOLD, BISHOP, ROOK)
DEFENDERS = (PAWN, LANCE, KNIGHT, SILVER, GOLD, BISHOP, ROOK)
WALL = (PAWN, PAWN, PAWN, LANCE, LANCE, KNIGHT, KNIGHT, SILVER)
HELD = (PAWN, PAWN, LANCE, KNIGHT, SILVER, SILVER, GOLD, GOLD, BISHOP, ROOK)
SHAPES = ((1, 1), (2, 1), (1, 2), (2, 2), (2, 2), (3, 1), (3, 2), (2, 3))
KINDS = ("pocket", "rich", "open", "line")
HOLDS = {"pocket": (2, 4), "rich": (2, 7), "open": (2, 4), "line": (0, 1)}
"""How few and how many pieces black holds, but for one that gives check along a line."""
DIRECTIONS = tuple(way for way in product((-1, 0, 1), repeat=2) if way != (0, 0))

Place = tuple[int, int]
"""A file and a rank, from 0."""


class Draft:
    """A problem in the making, black attacking; pieces that do not fit are left out."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.board = bytearray(81)
        self.hands = [0] * 14
        self.left = COUNTS | {KING: 2}
        self.kept_empty: set[Place] = set()

    def place(self, piece: int, side: int, at: Place, promotes: float = 0.0) -> None:
        """Put a piece on the board, promoted at times."""
        file, rank = at
        inside = 0 <= file < 9 and 0 <= rank < 9
        if not inside or self.board[9 * file + rank] or self.left[piece] == 0:
            return
        if at in self.kept_empty:
            return
        self.left[piece] -= 1
        turned = piece in PROMOTABLE and self.rng.random() < promotes
        self.board[9 * file + rank] = of_side(promoted(piece) if turned else piece, side)

    def near(self, at: Place, distance: int) -> Place:
        """A place at most so many files and ranks away."""
        file, rank = (number + self.rng.randint(-distance, distance) for number in at)
        return file, rank

    def hold(self, side: int, number: int) -> None:
        """Put some pieces into a hand."""
        for piece in self.rng.choices(HELD, k=number):
            self.hold_piece(side, piece)

    def hold_piece(self, side: int, piece: int) -> None:
        """Put a piece into a hand, if one is left."""
        if self.left[piece]:
            self.left[piece] -= 1
            self.hands[7 * side + piece - 1] += 1

    def open_line(self, king: Place) -> None:
        """Keep a line from a king empty, along which black can give check.

        What does so is in hand, or stands at the end of the line behind a piece that may leave. A
        knight protects whoever stands next to the king there.
        """
        files, ranks = self.rng.choice(DIRECTIONS)
        file, rank = king
        line = [(file + i * files, rank + i * ranks) for i in range(1, 9)]
        line = [(f, r) for f, r in line if 0 <= f < 9 and 0 <= r < 9]
        straight = (ROOK, LANCE) if (files, ranks) == (0, 1) else (ROOK,)
        slider = self.rng.choice((BISHOP,) if files and ranks else straight)
        if len(line) > 2 and self.rng.random() < 0.5:
            self.place(slider, BLACK, line[-1])
            self.place(self.rng.choice(ATTACKERS), BLACK, self.rng.choice(line[1:-1]))
        else:
            self.hold_piece(BLACK, slider)
        self.kept_empty = set(line)
        self.hold_piece(WHITE, self.rng.choice(HELD))
        self.place(KNIGHT, BLACK, (file + files + self.rng.choice((-1, 1)), rank + ranks + 2))


def pocket(
    rng: random.Random, shapes: Sequence[tuple[int, int]]
) -> tuple[list[Place], list[Place]]:
    """The squares of a pocket, and those of its wall."""
    files, ranks = rng.choice(shapes)
    left = rng.choice((0, 0, 9 - files, 9 - files, rng.randint(0, 9 - files)))
    inside = list(product(range(left, left + files), range(ranks)))
    around = product(range(left - 1, left + files + 1), range(ranks + 1))
    return inside, [at for at in around if at not in inside]


def draft(rng: random.Random, kind: str) -> Position:
    """A position that may break rules of setting up."""
    made, (inside, wall) = Draft(rng), pocket(rng, SHAPES[:1] if kind == "line" else SHAPES)
    king = rng.choice(inside)
    made.place(KING, WHITE, king)
    if kind == "line":
        made.open_line(king)
    for _ in range(rng.randint(1, 3) if kind == "line" else rng.randint(3, 6)):
        piece = rng.choice(ATTACKERS)
        made.place(piece, BLACK, made.near(king, 4 if piece in SLIDING else 2), promotes=0.5)
    for _ in range(rng.randint(0, 2)):
        made.place(rng.choice(DEFENDERS), WHITE, made.near(king, 2), promotes=0.1)
    if rng.random() < 0.3:
        made.place(KING, BLACK, made.near(king, rng.choice((3, 8))))
    for at in wall if kind != "open" else ():
        if rng.random() < 0.95:
            made.place(rng.choice(WALL), WHITE, at)
    made.hold(BLACK, rng.randint(*HOLDS[kind]))
    made.hold(WHITE, rng.randint(0, 7 if kind == "rich" else 2))
    side = WHITE if rng.random() < 0.1 else BLACK
    return Position(bytes(made.board), bytes(made.hands), side)


def turned(position: Position) -> Position:
    """The board turned by half, colours exchanged."""
    board = bytes(piece ^ WHITE_BIT if piece else 0 for piece in reversed(position.board))
    return Position(board, position.hands[7:] + position.hands[:7], 1 - position.side)


def random_problem(seed: int, kind: str = "pocket") -> str:
    """The canonical text of the problem of a seed."""
    rng = random.Random(f"{seed} {kind}")
    while True:
        position, attacker = draft(rng, kind), BLACK
        if rng.random() < 0.5:
            position, attacker = turned(position), WHITE
        text = f"{write_sfen(position)} attacker={SIDE_LETTERS[attacker]}"
        with suppress(PositionError):
            state = GAME.parse(text)
            if GAME.outcome(state) is None:
                return GAME.format(state)


def game_and_position(problem: str) -> tuple[Tsume, str]:
    """The rules of a problem, plain ones if it does not start with others, and its position."""
    spec, _, position = problem.partition(" ")
    if not spec.startswith("tsume:"):
        return GAME, problem
    return Tsume(spec.partition(":")[2]), position


def with_rules(game: Tsume, position: str) -> str:
    """The problem that `game_and_position` reads."""
    return f"tsume:{game.parameters} {position}" if game.parameters else position


def shrink(text: str, fails: Callable[[str], bool]) -> str:
    """Take pieces away as long as the problem still fails."""
    for smaller in _smaller(text):
        if fails(smaller):
            return shrink(smaller, fails)
    return text


def _smaller(text: str) -> Iterator[str]:
    """The problems with one piece less that may be set up."""
    game, position = game_and_position(text)
    state = game.parse(position)
    for fewer in _with_one_piece_less(state.position):
        smaller = f"{write_sfen(fewer)} attacker={SIDE_LETTERS[state.attacker]}"
        with suppress(PositionError):
            yield with_rules(game, game.format(game.parse(smaller)))


def _with_one_piece_less(position: Position) -> Iterator[Position]:
    for square in filter(position.board.__getitem__, range(81)):
        board = bytearray(position.board)
        board[square] = 0
        yield position._replace(board=bytes(board))
    for place in filter(position.hands.__getitem__, range(14)):
        hands = bytearray(position.hands)
        hands[place] -= 1
        yield position._replace(hands=bytes(hands))
