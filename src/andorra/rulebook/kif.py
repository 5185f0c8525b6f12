"""Board diagrams as Japanese programs write them: in KIF files, and alone as BOD.

A diagram is a frame of `+---` with nine ranks between, two characters a square: a space for black
or `v` for white, then the piece, or ` ・`. Lines around it say what both sides hold
(`先手の持駒：金二`) and who moves (`後手番`; black if nothing is said). Black is 先手 or 下手,
white 後手 or 上手. Other lines, such as names and the moves of a solution, are skipped.

>>> from andorra.rulebook.sfen import read_sfen, write_sfen
>>> text = write_diagram(read_sfen("4k4/9/4P4/9/9/9/9/9/9 w Gb12p 1"))
>>> print(text)
後手の持駒：角　歩十二
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
| ・ ・ ・ ・v玉 ・ ・ ・ ・|一
| ・ ・ ・ ・ ・ ・ ・ ・ ・|二
| ・ ・ ・ ・ 歩 ・ ・ ・ ・|三
| ・ ・ ・ ・ ・ ・ ・ ・ ・|四
| ・ ・ ・ ・ ・ ・ ・ ・ ・|五
| ・ ・ ・ ・ ・ ・ ・ ・ ・|六
| ・ ・ ・ ・ ・ ・ ・ ・ ・|七
| ・ ・ ・ ・ ・ ・ ・ ・ ・|八
| ・ ・ ・ ・ ・ ・ ・ ・ ・|九
+---------------------------+
先手の持駒：金
後手番
>>> write_sfen(read_diagram(text))
'4k4/9/4P4/9/9/9/9/9/9 w Gb12p 1'
"""

from __future__ import annotations

import re

from andorra.errors import PositionError
from andorra.rulebook.reading import quoted
from andorra.rulebook.shogi import Position
from andorra.rulebook.shogi_pieces import (
    BISHOP,
    BLACK,
    GOLD,
    HAND_KINDS,
    KING,
    KNIGHT,
    LANCE,
    PAWN,
    ROOK,
    SILVER,
    WHITE,
    WHITE_BIT,
    of_side,
    promoted,
)

EMPTY = "・"
DIGITS = "一二三四五六七八九"

NAMES = {
    PAWN: "歩",
    LANCE: "香",
    KNIGHT: "桂",
    SILVER: "銀",
    GOLD: "金",
    BISHOP: "角",
    ROOK: "飛",
    KING: "玉",
    promoted(PAWN): "と",
    promoted(LANCE): "杏",
    promoted(KNIGHT): "圭",
    promoted(SILVER): "全",
    promoted(BISHOP): "馬",
    promoted(ROOK): "龍",
}
PIECES = {name: piece for piece, name in NAMES.items()} | {"王": KING, "竜": promoted(ROOK)}
PLAYERS = {"先手": BLACK, "下手": BLACK, "後手": WHITE, "上手": WHITE}

FRAME = re.compile(r"\s*\+-{3,}\+?\s*")
HAND = re.compile(r"\s*(先手|下手|後手|上手)の?(?:持駒|持ち駒)\s*[:：](.*)")
TURN = re.compile(r"\s*(?:手番\s*[:：]\s*)?(先手|下手|後手|上手)番?\s*")
HELD = re.compile(r"([歩香桂銀金角飛])(十?[一二三四五六七八九]|十)?")


def decode(data: bytes) -> str:
    """The text of a file in UTF-8, or else in Shift-JIS, as older programs write it.

    >>> decode("後手番".encode()) == decode("後手番".encode("cp932")) == "後手番"
    True
    """
    for encoding in ("utf-8-sig", "cp932"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise PositionError(f"expected a text in UTF-8 or Shift-JIS, not {data[:20]!r}")


def is_diagram(text: str) -> bool:
    """Whether the text is meant as a diagram: it has several lines and a frame."""
    return "\n" in text and "+---" in text


def read_diagram(text: str) -> Position:
    """The position of the first diagram in `text`, whether or not it could arise in a game."""
    lines = text.splitlines()
    board = _read_board(text, lines)
    hands = {BLACK: bytes(7), WHITE: bytes(7)}
    side = BLACK
    for line in lines:
        if match := HAND.fullmatch(line):
            hands[PLAYERS[match[1]]] = _read_hand(line, match[2])
        elif match := TURN.fullmatch(line):
            side = PLAYERS[match[1]]
    return Position(board, hands[BLACK] + hands[WHITE], side)


def _read_board(text: str, lines: list[str]) -> bytes:
    frame = next((i for i, line in enumerate(lines) if FRAME.fullmatch(line)), len(lines))
    ranks = [_read_rank(line) for line in lines[frame + 1 : frame + 10]]
    if len(ranks) != 9:
        raise PositionError(f"expected a frame '+---' and 9 ranks after it, in {quoted(text)}")
    return bytes(ranks[rank][8 - file] for file in range(9) for rank in range(9))


def _read_rank(line: str) -> list[int]:
    """The pieces between two bars, from file 9 to file 1."""
    cells = line.strip().removeprefix("|").partition("|")[0]
    pairs = [cells[i : i + 2] for i in range(0, len(cells), 2)]
    if len(pairs) != 9:
        raise PositionError(f"expected 9 squares of 2 characters between bars, in {quoted(line)}")
    return [_read_cell(line, pair) for pair in pairs]


def _read_cell(line: str, pair: str) -> int:
    owner, name = pair[0], pair[1:]
    if name == EMPTY and owner == " ":
        return 0
    if name not in PIECES or owner not in (" ", "^", "v", "V"):
        expected = f"a piece after ' ' or 'v', or ' {EMPTY}'"
        raise PositionError(f"expected {expected}, not {quoted(pair)}, in {quoted(line)}")
    return of_side(PIECES[name], WHITE if owner in "vV" else BLACK)


def _read_hand(line: str, text: str) -> bytes:
    """The numbers of what one side holds: `なし`, nothing, or pieces with their numbers."""
    held = [0] * 7
    for field in [] if text.strip() in ("", "なし") else text.split():
        for name in _pieces_in(line, field):
            held[PIECES[name[1]] - 1] += read_number(name[2] or DIGITS[0])
    if max(held) > 18:
        raise PositionError(f"expected at most 18 of a kind, in {quoted(line)}")
    return bytes(held)


def _pieces_in(line: str, field: str) -> list[re.Match[str]]:
    """The pieces that stand in `field` one after the other, and nothing else."""
    found = list(HELD.finditer(field))
    if "".join(match[0] for match in found) != field:
        expected = "pieces such as '金' or '歩十二', or 'なし'"
        raise PositionError(f"expected {expected}, not {quoted(field)}, in {quoted(line)}")
    return found


def read_number(text: str) -> int:
    """A Japanese number from 1 to 19.

    >>> [read_number(text) for text in ("一", "九", "十", "十八")]
    [1, 9, 10, 18]
    """
    tens, units = text.count("十"), text.removeprefix("十")
    return 10 * tens + (DIGITS.index(units) + 1 if units else 0)


def write_number(number: int) -> str:
    """A number from 1 to 19 in Japanese."""
    tens, units = divmod(number, 10)
    return "十" * tens + (DIGITS[units - 1] if units else "")


def write_diagram(position: Position) -> str:
    """The position as BOD."""
    frame = f"+{'-' * 27}+"
    ranks = [_write_rank(position.board, rank) for rank in range(9)]
    turn = ["後手番"] if position.side == WHITE else []
    above = [_write_hand(position, WHITE), "  ９ ８ ７ ６ ５ ４ ３ ２ １", frame]
    return "\n".join([*above, *ranks, frame, _write_hand(position, BLACK), *turn])


def _write_rank(board: bytes, rank: int) -> str:
    cells = "".join(map(_write_cell, board[rank::9][::-1]))
    return f"|{cells}|{DIGITS[rank]}"


def _write_cell(piece: int) -> str:
    owner = "v" if piece & WHITE_BIT else " "
    return owner + (NAMES[piece & ~WHITE_BIT] if piece else EMPTY)


def _write_hand(position: Position, side: int) -> str:
    player = "後手" if side == WHITE else "先手"
    numbers = {piece: position.hands[7 * side + piece - 1] for piece in reversed(HAND_KINDS)}
    held = [
        NAMES[piece] + (write_number(number) if number > 1 else "")
        for piece, number in numbers.items()
        if number
    ]
    return f"{player}の持駒：{'　'.join(held) or 'なし'}"
