"""Mate where wasted interpositions (muda-ai) do not count, by one definition of what is wasted.

A side in check is mated if all its evasions are wasted drops; without evasions it is mated anyway.
A drop between king and checker is wasted if that checker can take the dropped piece by a legal
move, with or without promotion, and the side is mated again, in this same sense. Each time the
checker comes nearer, so this ends. A move of a piece on the board is never wasted; if one evasion
is not wasted, none is.

>>> from andorra.rulebook.sfen import read_sfen
>>> is_mate(read_sfen("R7k/7pp/8N/9/9/9/9/9/9 w gp 1"))  # the knight protects the rook on 2a
True
>>> is_mate(read_sfen("R7k/7pp/9/9/9/9/9/9/9 w gp 1"))  # G*2a, and the king takes the rook
False
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from andorra.rulebook.shogi import (
    DROP,
    Move,
    Position,
    in_check,
    king_of,
    legal_moves,
    play,
    threats,
)


def is_mate(position: Position) -> bool:
    """Whether the side to move is in check and has no evasion that is not a wasted drop."""
    if not in_check(position, position.side):
        return False
    evasions = list(legal_moves(position))
    if any(move.start <= DROP for move in evasions):
        return False
    path = _path_of_check(position)
    drops = sorted(evasions, key=lambda move: path.index(move.goal))
    return all(
        _are_wasted(position, list(here), path[-1])
        for _, here in groupby(drops, key=lambda move: move.goal)
    )


def _path_of_check(position: Position) -> Sequence[int]:
    """The squares from the king, which is not among them, to a checker."""
    board, _, side = position
    checks, _ = threats(board, king_of(board, side), 1 - side)
    return checks[0]


def _are_wasted(position: Position, drops: Sequence[Move], checker: int) -> bool:
    """Whether all of these drops on one square are wasted.

    Who holds more has no fewer evasions. So if one of them is wasted although the dropped piece
    goes back to where it was, all are, and there is no need to try what follows each of them.
    """
    return _is_wasted(position, drops[0], checker, goes_back=True) or all(
        _is_wasted(position, drop, checker) for drop in drops
    )


def _is_wasted(position: Position, drop: Move, checker: int, goes_back: bool = False) -> bool:
    dropped = play(position, drop)
    for move in legal_moves(dropped, drop_goals=()):
        if (move.start, move.goal) == (checker, drop.goal):
            taken = play(dropped, move)
            if is_mate(taken._replace(hands=position.hands) if goes_back else taken):
                return True
    return False
