"""SFEN: a position of shogi as `BOARD SIDE HANDS NUMBER`.

The board is read rank by rank from a, files from 9 to 1; capitals are black's pieces, `+` promotes
the next one, a digit counts the empty squares up to the next piece. Side is `b` or `w`. Hands are
pieces with a number before the letter where there are two or more, `-` for none. The number of the
move says nothing about the position: it may be left out, and 1 is written. Canonical hands have
black's pieces first, each side in the order R B G S N L P; others are read as well, but no letter
twice.

>>> position = read_sfen("4k4/9/4P4/9/9/9/9/9/9 b 2pG")
>>> write_sfen(position)
'4k4/9/4P4/9/9/9/9/9/9 b G2p 1'
>>> read_sfen("4k4/9/4P4/9/8/9/9/9/9 b G 1")
Traceback (most recent call last):
andorra.errors.PositionError: this rank has 8 squares, not 9
  4k4/9/4P4/9/8/9/9/9/9 b G 1
              ^
"""

from __future__ import annotations

import re

from andorra.errors import PositionError
from andorra.rulebook.reading import NUMBER, quoted
from andorra.rulebook.shogi import Position
from andorra.rulebook.shogi_pieces import COUNTS, HAND_KINDS, PIECES, SIDE_LETTERS, SYMBOLS, of_side

CELL = re.compile(r"\+?[A-Za-z]|[1-9](?![0-9])")
HELD = re.compile(r"([2-9]|1[0-9])?([A-Za-z])")
EXPECTED = "'BOARD SIDE HANDS NUMBER', for example '4k4/9/4P4/9/9/9/9/9/9 b G 1'"

HAND_LETTERS = {
    SYMBOLS[of_side(piece, side)]: 7 * side + piece - 1 for side in (0, 1) for piece in HAND_KINDS
}
"""Where a letter is counted in `Position.hands`."""


def read_sfen(text: str) -> Position:
    """The position `text`, whether or not it could arise in a game."""
    fields = text.split(" ")
    if len(fields) not in (3, 4) or not all(NUMBER.fullmatch(field) for field in fields[3:]):
        raise PositionError(f"cannot read {quoted(text)}; expected {EXPECTED}")
    board, side, hands = fields[:3]
    cells = _read_board(text, board)
    if side not in ("b", "w"):
        raise PositionError.at(text, len(board) + 1, "expected the side to move, 'b' or 'w'")
    held = _read_hands(text, len(board) + 3, hands)
    return Position(cells, held, SIDE_LETTERS.index(side))


def _read_board(text: str, board: str) -> bytes:
    """The pieces by square numbers."""
    ranks = board.split("/")
    if len(ranks) != 9:
        raise PositionError(
            f"expected 9 ranks separated by '/', not {len(ranks)}, in {quoted(text)}"
        )
    starts = [sum(len(rank) + 1 for rank in ranks[:i]) for i in range(9)]
    rows = [_read_rank(text, *pair) for pair in zip(starts, ranks, strict=True)]
    return bytes(rows[rank][8 - file] for file in range(9) for rank in range(9))


def _read_rank(text: str, start: int, rank: str) -> list[int]:
    """The pieces of one rank, which starts at a place of `text`, from file 9 to file 1."""
    row: list[int] = []
    place = 0
    while place < len(rank):
        match = CELL.match(rank, place)
        if match is None or not (match[0].isdigit() or match[0] in PIECES):
            raise PositionError.at(text, start + place, "expected a piece or 1 to 9 empty squares")
        row += [0] * int(match[0]) if match[0].isdigit() else [PIECES[match[0]]]
        place = match.end()
    if len(row) != 9:
        raise PositionError.at(text, start, f"this rank has {len(row)} squares, not 9")
    return row


def _read_hands(text: str, start: int, hands: str) -> bytes:
    """What both sides hold; `hands` starts at a place of `text`."""
    held = [0] * 14
    place = 0
    while place < len(hands) and hands != "-":
        match = HELD.match(hands, place)
        if match is None or match[2] not in HAND_LETTERS or held[HAND_LETTERS[match[2]]]:
            what = "expected a piece in hand, no kind twice, after a number only if 2 or more"
            raise PositionError.at(text, start + place, what)
        number, where = int(match[1] or 1), HAND_LETTERS[match[2]]
        if number > COUNTS[where % 7 + 1]:
            raise PositionError.at(text, start + place, "there are not so many of these in a set")
        held[where] = number
        place = match.end()
    if not hands:
        raise PositionError.at(text, start, "expected the pieces in hand, or '-'")
    return bytes(held)


def write_sfen(position: Position) -> str:
    """The position in its canonical spelling, as move 1."""
    board = "/".join(_write_rank(position.board[rank::9][::-1]) for rank in range(9))
    hands = write_hand(position, 0) + write_hand(position, 1)
    return f"{board} {SIDE_LETTERS[position.side]} {hands or '-'} 1"


def _write_rank(row: bytes) -> str:
    cells = "".join(SYMBOLS.get(piece, ".") for piece in row)
    return re.sub(r"\.+", lambda empty: str(len(empty[0])), cells)


def write_hand(position: Position, side: int) -> str:
    """What one side holds, without a `-` if that is nothing."""
    held = {piece: position.hands[7 * side + piece - 1] for piece in reversed(HAND_KINDS)}
    return "".join(
        f"{number if number > 1 else ''}{SYMBOLS[of_side(piece, side)]}"
        for piece, number in held.items()
        if number
    )
