"""Board diagrams as Japanese programs write them: in KIF files, and alone as BOD.

A diagram is a frame of `+---` with nine ranks between, two characters a square: a space for black
or `v` for white, then the piece, or ` ・`. Lines around it say what both sides hold
(`先手の持駒：金二`; `残り全部`: the rest of the set) and who moves (`後手番`; black if nothing
is said). Black is 先手 or 下手, white 後手 or 上手. In problems there are also 攻方 or 詰方, the
attacker, who is black unless a line `攻方：後手` says otherwise, and 玉方 or 受方, the defender.
Other lines, such as names and the moves of a solution, are skipped; so are comments, which start
with `#`, `*` or `&`.

Source: the description of KIF by its author, Kakinoki, which allows lines `KEYWORD：VALUE` of
one's own: `攻方：先手` is such a line, ours. Invariant: a line that is about hands is understood
or refused, never skipped, since a hand that is lost makes another problem.

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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

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
from andorra.rulebook.shogi_setup import give_rest

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
ATTACKERS = ("攻方", "詰方")
DEFENDERS = ("玉方", "受方")

_COLOUR = "|".join(PLAYERS)
_SIDE = "|".join((*PLAYERS, *ATTACKERS, *DEFENDERS))
FRAME = re.compile(r"\s*\+-{3,}\+?\s*")
HAND = re.compile(rf"\s*({_SIDE})の?(?:持駒|持ち駒)\s*[:：](.*)")
TURN = re.compile(rf"\s*(?:手番\s*[:：]\s*)?({_SIDE})番?\s*")
ATTACKER = re.compile(rf"\s*(?:{'|'.join(ATTACKERS)})\s*[:：]\s*({_COLOUR})\s*")
COMMENT = re.compile(r"\s*[#*&]")
ABOUT_HANDS = re.compile("持駒|持ち駒|残り全部")
REST = re.compile(r"\s*残り?駒?(?:全部|全て|すべて)?\s*")
HELD = re.compile(r"([歩香桂銀金角飛])(十?[一二三四五六七八九]|十)?")


class Diagram(NamedTuple):
    """A position, and the colour that attacks, if the text says so."""

    position: Position
    attacker: int | None


def is_diagram(text: str) -> bool:
    """Whether the text is meant as a diagram: it has several lines and a frame."""
    return "\n" in text and "+---" in text


def read_diagram(text: str) -> Position:
    """The position of the diagram in `text`, whether or not it could arise in a game."""
    return read_problem(text).position


def read_problem(text: str) -> Diagram:
    """The diagram in `text`, and what its words for the sides say of the attacker.

    >>> attacked = write_diagram(Position(bytes(81), bytes(14), BLACK)).replace("後手の", "玉方の")
    >>> read_problem(attacked).attacker == BLACK
    True
    """
    lines = text.splitlines()
    board = _read_board(text, lines)
    said = [line for line in lines if not COMMENT.match(line)]
    attacker = _read_attacker(said)
    sides = sides_of(BLACK if attacker is None else attacker)
    side = _agreed((line, sides[match[1]]) for line, match in _matches(TURN, said))
    position = _with_hands(Position(board, bytes(14), side or BLACK), _read_hands(said, sides))
    return Diagram(position, attacker)


def sides_of(attacker: int) -> dict[str, int]:
    """The colour that each word for a side means."""
    other = BLACK + WHITE - attacker
    return PLAYERS | dict.fromkeys(ATTACKERS, attacker) | dict.fromkeys(DEFENDERS, other)


def _read_attacker(lines: Sequence[str]) -> int | None:
    """The colour that is said to attack; black, if only the words of problems are used."""
    stated = _agreed((line, PLAYERS[match[1]]) for line, match in _matches(ATTACKER, lines))
    if stated is not None:
        return stated
    words = {match[1] for pattern in (HAND, TURN) for _, match in _matches(pattern, lines)}
    return None if words.issubset(PLAYERS) else BLACK


def _matches(pattern: re.Pattern[str], lines: Iterable[str]) -> Iterator[tuple[str, re.Match[str]]]:
    return ((line, match) for line in lines if (match := pattern.fullmatch(line)))


def _agreed(meanings: Iterable[tuple[str, int]]) -> int | None:
    """What all the lines mean, if there are any; one that means something else is an error."""
    first: tuple[str, int] | None = None
    for line, meaning in meanings:
        first = first or (line, meaning)
        if meaning != first[1]:
            raise PositionError(
                f"{quoted(line)} contradicts {quoted(first[0])} of the same diagram"
            )
    return None if first is None else first[1]


def boards_in(lines: Sequence[str]) -> list[tuple[int, int]]:
    """Where boards start, at their frames, and what comes after them: indices of `lines`."""
    boards: list[tuple[int, int]] = []
    for index, line in enumerate(lines):
        if FRAME.fullmatch(line) and not (boards and index < boards[-1][1]):
            boards.append((index, _end_of_board(lines, index)))
    return boards


def _end_of_board(lines: Sequence[str], start: int) -> int:
    """After the lower frame, also where a rank is missing or too many; it may not be there."""
    below = range(start + 1, min(start + 12, len(lines)))
    return next((index + 1 for index in below if FRAME.fullmatch(lines[index])), start + 10)


def _read_board(text: str, lines: Sequence[str]) -> bytes:
    boards = boards_in(lines)
    if len(boards) > 1:
        raise PositionError(f"expected one board diagram, not {len(boards)}, in {quoted(text)}")
    frame = boards[0][0] if boards else len(lines)
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


def _read_hands(lines: Sequence[str], sides: Mapping[str, int]) -> dict[int, bytes | None]:
    """What each side holds, as far as that is said; None is the rest of the set."""
    hands: dict[int, bytes | None] = {}
    for line in lines:
        match = HAND.fullmatch(line)
        if match is None and ABOUT_HANDS.search(line):
            expected = "'先手の持駒：', '後手の持駒：', '攻方の持駒：' or '玉方の持駒：' and pieces"
            raise PositionError(f"expected {expected}, or a comment after '#', not {quoted(line)}")
        if match is not None and sides[match[1]] in hands:
            raise PositionError(
                f"expected one hand of a side in a diagram, not also {quoted(line)}"
            )
        if match is not None:
            rest = REST.fullmatch(match[2])
            hands[sides[match[1]]] = None if rest else _read_hand(line, match[2])
    return hands


def _with_hands(position: Position, hands: Mapping[int, bytes | None]) -> Position:
    """The position in which each side holds what is said; nothing, if nothing is."""
    if list(hands.values()) == [None, None]:
        raise PositionError("expected one side that holds the rest of the pieces, not both")
    held = b"".join(hands.get(side) or bytes(7) for side in (BLACK, WHITE))
    position = position._replace(hands=held)
    for side, said in hands.items():
        position = give_rest(position, side) if said is None else position
    return position


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
        expected = "pieces such as '金' or '歩十二', 'なし' or '残り全部'"
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


def write_diagram(position: Position, attacker: int | None = None) -> str:
    """The position as BOD, with a line that says who attacks if `attacker` does."""
    frame = f"+{'-' * 27}+"
    ranks = [_write_rank(position.board, rank) for rank in range(9)]
    turn = ["後手番"] if position.side == WHITE else []
    turn += [] if attacker is None else [f"攻方：{_player(attacker)}"]
    above = [_write_hand(position, WHITE), "  ９ ８ ７ ６ ５ ４ ３ ２ １", frame]
    return "\n".join([*above, *ranks, frame, _write_hand(position, BLACK), *turn])


def _write_rank(board: bytes, rank: int) -> str:
    cells = "".join(map(_write_cell, board[rank::9][::-1]))
    return f"|{cells}|{DIGITS[rank]}"


def _write_cell(piece: int) -> str:
    owner = "v" if piece & WHITE_BIT else " "
    return owner + (NAMES[piece & ~WHITE_BIT] if piece else EMPTY)


def _write_hand(position: Position, side: int) -> str:
    numbers = {piece: position.hands[7 * side + piece - 1] for piece in reversed(HAND_KINDS)}
    held = [
        NAMES[piece] + (write_number(number) if number > 1 else "")
        for piece, number in numbers.items()
        if number
    ]
    return f"{_player(side)}の持駒：{'　'.join(held) or 'なし'}"


def _player(side: int) -> str:
    return "後手" if side == WHITE else "先手"
