"""The rules of shogi: positions, attacks, legal moves. Problems (`tsume`) are made of these.

A move is legal if the piece goes that way, the king of its side (if there is one) is not attacked
after it, a dropped or unpromoted piece can still move, no file gets a second unpromoted pawn of a
side, and no dropped pawn mates. Attacks are found outwards from the king: along each of the eight
lines the first piece gives check or screens the king from what is behind it. So a king in check is
answered by its own moves, or by moves to the squares from it to the only checker.

>>> from andorra.rulebook.sfen import read_sfen, write_sfen
>>> position = read_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1")
>>> [move_text(move) for move in sorted(checking_moves(position))]
['5c5b+', '5c5b', 'G*4a', 'G*4b', 'G*5b', 'G*6a', 'G*6b']
>>> write_sfen(play(position, sorted(checking_moves(position))[4]))
'4k4/4G4/4P4/9/9/9/9/9/9 w - 1'
>>> any(legal_moves(read_sfen("4k4/4G4/4P4/9/9/9/9/9/9 w - 1")))
False
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from andorra.rulebook.shogi_pieces import (
    ALIVE,
    ALL_SQUARES,
    HAND_KINDS,
    KING,
    KNIGHT,
    KNIGHT_SOURCES,
    LINES,
    PAWN,
    PROMOTABLE,
    RAYS,
    STEPS,
    SYMBOLS,
    WHITE_BIT,
    ZONES,
    Squares,
    kind,
    of_side,
    promoted,
    square_name,
)

DROP = 80
"""A drop starts at `DROP` plus the kind of piece, which is no square."""

CAN_PROMOTE = frozenset(of_side(piece, side) for piece in PROMOTABLE for side in (0, 1))


class Position(NamedTuple):
    """A board of 81 pieces, what both sides hold (7 numbers each, black's first), and who moves."""

    board: bytes
    hands: bytes
    side: int


class Move(NamedTuple):
    """A move; moves compare as they are listed: promotions before the same move without."""

    start: int
    goal: int
    plain: bool
    """The piece does not promote."""


def move_text(move: Move) -> str:
    """The move in USI: `7g7f`, `7g7f+`, `P*5e`.

    >>> move_text(Move(DROP + PAWN, 40, True)), move_text(Move(56, 47, False))
    ('P*5e', '7c6c+')
    """
    if move.start > DROP:
        return f"{SYMBOLS[move.start - DROP]}*{square_name(move.goal)}"
    return square_name(move.start) + square_name(move.goal) + "+" * (not move.plain)


def play(position: Position, move: Move) -> Position:
    """The position after a legal move."""
    board, hands, side = bytearray(position.board), bytearray(position.hands), position.side
    if move.start > DROP:
        piece = of_side(move.start - DROP, side)
        hands[_in_hand(piece)] -= 1
    else:
        piece = board[move.start] if move.plain else promoted(board[move.start])
        board[move.start] = 0
    if board[move.goal]:
        hands[_in_hand(of_side(kind(board[move.goal]), side))] += 1
    board[move.goal] = piece
    return Position(bytes(board), bytes(hands), 1 - side)


def _in_hand(piece: int) -> int:
    """Where a piece is counted in `Position.hands`."""
    return kind(piece) - 1 + (7 if piece & WHITE_BIT else 0)


# ---- attacks ----


def king_of(board: bytes, side: int) -> int:
    """The square of a king, or -1."""
    return board.find(of_side(KING, side))


def is_attacked(board: bytes, square: int, by: int) -> bool:
    """Whether a piece of the side `by` could take on `square`."""
    for ray, near, far in LINES[by][square]:
        attackers = near
        for there in ray:
            if board[there]:
                if board[there] in attackers:
                    return True
                break
            attackers = far
    return any(board[there] == of_side(KNIGHT, by) for there in KNIGHT_SOURCES[by][square])


def in_check(position: Position, side: int) -> bool:
    """Whether `side` has a king that is attacked."""
    king = king_of(position.board, side)
    return king >= 0 and is_attacked(position.board, king, 1 - side)


def threats(board: bytes, king: int, by: int) -> tuple[list[Squares], dict[int, Squares]]:
    """What the side `by` does to a king: its checks, and the pieces that screen the king.

    A check is the squares next to the king up to the checker. A screen, of either side, is alone
    between the king and a piece that would give check, and stands for the whole ray.
    """
    checks: list[Squares] = []
    screens: dict[int, Squares] = {}
    for ray, near, far in LINES[by][king]:
        occupied = [i for i, square in enumerate(ray) if board[square]][:2]
        if occupied:
            first = occupied[0]
            if board[ray[first]] in (far if first else near):
                checks.append(ray[: first + 1])
            elif len(occupied) == 2 and board[ray[occupied[1]]] in far:
                screens[ray[first]] = ray
    knight = of_side(KNIGHT, by)
    checks += [(there,) for there in KNIGHT_SOURCES[by][king] if board[there] == knight]
    return checks, screens


# ---- legal moves ----


def legal_moves(position: Position, drop_goals: Collection[int] = ALL_SQUARES) -> Iterator[Move]:
    """All legal moves in no order, of the drops only those to `drop_goals`."""
    board, _, side = position
    king = king_of(board, side)
    checks, screens = threats(board, king, 1 - side) if king >= 0 else ([], {})
    if king >= 0:
        yield from _king_moves(board, king, side)
    if len(checks) < 2:
        goals = frozenset(checks[0]) if checks else ALL_SQUARES
        yield from _board_moves(board, side, goals, screens)
        yield from _drops(position, goals.intersection(drop_goals) if checks else drop_goals)


def _king_moves(board: bytes, king: int, side: int) -> Iterator[Move]:
    """The king does not screen the squares behind it, so it is taken off the board first."""
    without = board[:king] + b"\0" + board[king + 1 :]
    for goal in STEPS[KING][king]:
        if not _belongs(board[goal], side) and not is_attacked(without, goal, 1 - side):
            yield Move(king, goal, True)


def _belongs(piece: int, side: int) -> bool:
    return piece != 0 and piece // WHITE_BIT == side


def _board_moves(
    board: bytes, side: int, goals: frozenset[int], screens: dict[int, Squares]
) -> Iterator[Move]:
    """The moves of all but the king to `goals`; who screens the king stays on its ray."""
    for start, piece in enumerate(board):
        if piece and piece // WHITE_BIT == side and piece != of_side(KING, side):
            allowed = goals.intersection(screens[start]) if start in screens else goals
            for goal in _reach(board, start, piece):
                if goal in allowed and not _belongs(board[goal], side):
                    yield from _ways(start, goal, piece, side)


def _reach(board: bytes, start: int, piece: int) -> Iterator[int]:
    """The squares that a piece attacks."""
    yield from STEPS[piece][start]
    for ray in RAYS[piece][start]:
        for goal in ray:
            yield goal
            if board[goal]:
                break


def _ways(start: int, goal: int, piece: int, side: int) -> Iterator[Move]:
    """With promotion, without it, or both."""
    if piece in CAN_PROMOTE and (start in ZONES[side] or goal in ZONES[side]):
        yield Move(start, goal, False)
    if goal in ALIVE[piece]:
        yield Move(start, goal, True)


def _drops(position: Position, goals: Collection[int]) -> Iterator[Move]:
    board, hands, side = position
    empty = [goal for goal in goals if not board[goal]]
    for piece in HAND_KINDS:
        own = of_side(piece, side)
        if hands[_in_hand(own)]:
            for goal in empty:
                if goal in ALIVE[own] and (piece != PAWN or _may_drop_pawn(position, goal)):
                    yield Move(DROP + piece, goal, True)


def _may_drop_pawn(position: Position, goal: int) -> bool:
    """Whether no other pawn of the side is on the file, and the drop is no mate."""
    board, _, side = position
    pawn, file = of_side(PAWN, side), goal - goal % 9
    if pawn in board[file : file + 9]:
        return False
    attacked = STEPS[pawn][goal][0]
    if board[attacked] != of_side(KING, 1 - side):
        return True
    return any(True for _ in legal_moves(play(position, Move(DROP + PAWN, goal, True))))


# ---- checks ----


def checking_moves(position: Position) -> Iterator[Move]:
    """The legal moves that attack the other side's king, which must exist; in no order."""
    board, _, side = position
    king = king_of(board, 1 - side)
    posts = _posts(board, king, side)
    _, screens = threats(board, king, side)
    for move in legal_moves(position, posts):
        piece = of_side(move.start - DROP, side) if move.start > DROP else board[move.start]
        after = piece if move.plain else promoted(piece)
        if after in posts.get(move.goal, ()) or (
            move.start in screens and move.goal not in screens[move.start]
        ):
            yield move


def _posts(board: bytes, king: int, by: int) -> dict[int, frozenset[int]]:
    """The squares from which pieces of the side `by` attack a king, with those that do.

    A post may be occupied, but nothing is between it and the king.
    """
    posts = {there: frozenset([of_side(KNIGHT, by)]) for there in KNIGHT_SOURCES[by][king]}
    for ray, near, far in LINES[by][king]:
        attackers = near
        for there in ray:
            posts[there] = attackers
            if board[there]:
                break
            attackers = far
    return posts
