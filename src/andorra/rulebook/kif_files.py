"""Files with board diagrams: their encodings, and which lines belong to which diagram.

A diagram has a board and two hands, in any order. In a file of several, a diagram begins at the
first of these three that the one before has already; so each must have all three, since with one
missing nobody could tell whose the next hand is. Who moves and who attacks is said after them, as
BOD has it, and what else stands between two diagrams belongs to the one before.

Invariant: every line is in exactly one of the texts that `split` returns, in its order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from andorra.errors import PositionError
from andorra.rulebook.kif import ATTACKER, COMMENT, HAND, TURN, boards_in, sides_of
from andorra.rulebook.reading import quoted
from andorra.rulebook.shogi_pieces import BLACK, WHITE

BOARD = -1
NAMES = {BOARD: "the board", BLACK: "the hand of 先手", WHITE: "the hand of 後手"}
"""The parts of a diagram: the board, and for each colour its hand."""


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


def has_board(text: str) -> bool:
    """Whether there is a board in the text, known by its frame."""
    return bool(boards_in(text.splitlines()))


def split(text: str) -> list[tuple[int, str]]:
    """The diagrams in `text`, each with the number of its first line; one that is alone has all."""
    lines = text.splitlines()
    if len(boards_in(lines)) <= 1:
        return [(1, text)]
    starts = list(_starts(lines))
    _refuse_what_comes_early(lines[: starts[0]])
    ends = [*starts[1:], len(lines)]
    begins = [0, *starts[1:]]
    texts = ["\n".join(lines[begin:end]) for begin, end in zip(begins, ends, strict=True)]
    return [(start + 1, each) for start, each in zip(starts, texts, strict=True)]


def _starts(lines: Sequence[str]) -> Iterator[int]:
    """Where each diagram begins, if all are complete."""
    seen: dict[int, int] = {}
    for index, part in _parts(lines):
        if part in seen:
            yield _start_of_whole(seen)
            seen = {}
        seen[part] = index
    yield _start_of_whole(seen)


def _start_of_whole(seen: dict[int, int]) -> int:
    start = min(seen.values())
    missing = [name for part, name in NAMES.items() if part not in seen]
    if missing:
        raise PositionError(
            "expected each of several board diagrams to have both hands, 'なし' for none: "
            f"the one that begins at line {start + 1} lacks {' and '.join(missing)}"
        )
    return start


def _parts(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where the parts of diagrams stand, in order.

    Whoever attacks, the words for attacker and defender are two sides, and no more matters here.
    """
    boards = {start for start, _ in boards_in(lines)}
    sides = sides_of(BLACK)
    for index, line in enumerate(lines):
        if index in boards:
            yield index, BOARD
        elif (match := HAND.fullmatch(line)) and not COMMENT.match(line):
            yield index, sides[match[1]]


def _refuse_what_comes_early(lines: Sequence[str]) -> None:
    for line in lines:
        if TURN.fullmatch(line) or ATTACKER.fullmatch(line):
            where = "after its diagram, where there are several"
            raise PositionError(f"expected {quoted(line)} {where}")
