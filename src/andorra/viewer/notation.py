"""A line of play as text: the game's own moves, or what shogi programs read, USI and KIF.

Source of KIF: the description of the format by its author, Kakinoki: a board diagram (`rulebook.
kif`), then a numbered line a move, `１二金打` or `２二角成(88)`, where 同 stands for the square of
the move before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from andorra.checker import Rules
from andorra.rulebook import GAMES
from andorra.rulebook.kif import DIGITS, NAMES
from andorra.rulebook.shogi_pieces import PIECES, SQUARES, WHITE_BIT
from andorra.rulebook.tsume import Tsume, TsumeState
from andorra.viewer.forms import RequestError
from andorra.viewer.subjects import played

_WIDE = "０１２３４５６７８９"
_IN_MOVES = {"杏": "成香", "圭": "成桂", "全": "成銀"}
"""Diagrams have one character a piece; moves spell these out."""
_RULE = "手数----指手---------消費時間--"


def forms_of(game: Rules) -> list[str]:
    """The forms in which lines of the game can be written."""
    return ["moves", "usi", "kif"] if type(game) is Tsume else ["moves"]


def written(game: Rules, state: Any, moves: list[str], form: str) -> str:
    """The line from `state` in one of the forms."""
    played(game, state, moves)
    if form not in forms_of(game):
        raise RequestError(f"{form!r} is no form of {game.spec()}: expected {forms_of(game)}")
    writers: dict[str, Callable[[Any, Any, list[str]], str]]
    writers = {"moves": _moves, "usi": _usi, "kif": _kif}
    return writers[form](game, state, moves)


def _moves(game: Rules, state: Any, moves: list[str]) -> str:
    data = game.data() if type(game) in GAMES.values() else None
    rules = "" if data is None else "".join(f"# {line}\n" for line in data.splitlines())
    return f"{rules}game {game.spec()}\nposition {game.format(state)}\nmoves {' '.join(moves)}\n"


def _usi(game: Tsume, state: TsumeState, moves: list[str]) -> str:
    sfen = game.format(state).partition(" attacker=")[0]
    return f"position sfen {sfen} moves {' '.join(moves)}\n"


def _kif(game: Tsume, state: TsumeState, moves: list[str]) -> str:
    lines = [game.draw_japanese(state), _RULE, *_kif_moves(game, state, moves)]
    return "\n".join(lines) + "\n"


def _kif_moves(game: Tsume, state: TsumeState, moves: list[str]) -> Iterator[str]:
    before = ""
    for number, text in enumerate(moves, 1):
        yield f"{number:>4} {_kif_move(state, text, before)}"
        before = text.rstrip("+")[-2:]
        state = game.play(state, game.parse_move(state, text))
    if game.outcome(state) == "first":
        yield f"{len(moves) + 1:>4} 詰み"


def _kif_move(state: TsumeState, text: str, before: str) -> str:
    goal = text.rstrip("+")[-2:]
    place = "同　" if goal == before else _WIDE[int(goal[0])] + DIGITS[_rank(goal[1])]
    if "*" in text:
        return f"{place}{NAMES[PIECES[text[0]]]}打"
    name = NAMES[state.position.board[SQUARES[text[:2]]] & ~WHITE_BIT]
    promotes = "成" if text.endswith("+") else ""
    start = f"{text[0]}{_rank(text[1]) + 1}"
    return f"{place}{_IN_MOVES.get(name, name)}{promotes}({start})"


def _rank(letter: str) -> int:
    return "abcdefghi".index(letter)
