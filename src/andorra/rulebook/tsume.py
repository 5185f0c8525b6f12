"""tsume: problems of shogi, in which an attacker mates by giving check at every move.

The attacker is the first player, the defender the second, whichever is black. The attacker's moves
are the legal moves that give check; without one the defender has won. The defender's moves are all
legal moves; without one the attacker has won. All rules of shogi hold, for both sides: promotion is
free where the piece can still move, no second unpromoted pawn on a file, no mate by dropping a
pawn. The attacker need not have a king. Positions can come again; play without end is no mate.

Parameters, separated by commas, all optional, in this order: `attacker=b` or `attacker=w`, who
attacks (without it: the side to move of a position); `rest`, the defender holds all that is left of
the 40 pieces, whatever a position says; `muda`, a defender in check is mated also where all
evasions are wasted interpositions (muda-ai): drops between king and checker that the same checker
can take, by a legal move, so that the defender is mated again, in this same sense. If one evasion
is anything else, all are moves. No mate by dropping a pawn means mate without evasions.

A position is an SFEN, `BOARD SIDE HANDS NUMBER`, perhaps after `sfen` or `position sfen`, perhaps
with `moves` and moves after it, perhaps with `attacker=b` or `attacker=w` at the end. Where nothing
says who attacks, the side to move before the moves does. Users may also bring a board diagram as
KIF and BOD files have it, or a game record, `startpos` or `sfen SFEN` with `moves` and any legal
moves of shogi, after which the side to move attacks.

A move is in USI: `7g7f`, `7g7f+`, `P*5e`. Moves on the board are ordered by squares (1a, 1b, ...,
then file 2) from and to, promotions first; then drops by piece (P L N S G B R) and square.

>>> from andorra.rulebook import make
>>> game = make("tsume")
>>> state = game.initial()
>>> print(game.draw(state))
white (defender) holds nothing
  9  8  7  6  5  4  3  2  1
  .  .  .  .  k  .  .  .  .  a
  .  .  .  .  .  .  .  .  .  b
  .  .  .  .  P  .  .  .  .  c
  .  .  .  .  .  .  .  .  .  d
  .  .  .  .  .  .  .  .  .  e
  .  .  .  .  .  .  .  .  .  f
  .  .  .  .  .  .  .  .  .  g
  .  .  .  .  .  .  .  .  .  h
  .  .  .  .  .  .  .  .  .  i
black (attacker) holds G
black to move
>>> [game.format_move(state, move) for move in game.moves(state)]
['5c5b+', '5c5b', 'G*4a', 'G*4b', 'G*5b', 'G*6a', 'G*6b']
>>> state = game.play(state, game.parse_move(state, "G*5b"))
>>> game.format(state), game.outcome(state)
('4k4/4G4/4P4/9/9/9/9/9/9 w - 1 attacker=b', 'first')
>>> game.resources(game.parse("4k4/9/4P4/9/9/9/9/9/9 b G2p 1"))
(0, 0, 0, 0, 1, 0, 0)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from andorra.errors import PositionError
from andorra.rulebook.base import FIRST, SECOND, Game, Outcome, Side
from andorra.rulebook.kif import is_diagram, read_problem, write_diagram
from andorra.rulebook.reading import bad_parameters, quoted, refuse_data
from andorra.rulebook.sfen import read_sfen, write_hand, write_sfen
from andorra.rulebook.shogi import Move, Position, checking_moves, king_of, legal_moves, move_text
from andorra.rulebook.shogi import play as play_shogi
from andorra.rulebook.shogi_muda import is_mate
from andorra.rulebook.shogi_pieces import BLACK, SIDE_LETTERS, SYMBOLS, WHITE
from andorra.rulebook.shogi_record import is_record, read_record, replay
from andorra.rulebook.shogi_setup import COLOURS, give_rest, what_is_wrong

INITIAL = ("4k4/9/4P4/9/9/9/9/9/9 b G 1", "9/9/9/9/9/9/4p4/9/4K4 w g 1")
"""Mates in one, for a black and for a white attacker."""

PARAMETERS: dict[str, tuple[int | None, bool, bool]] = {
    ",".join(filter(None, (said, rest, muda))): (attacker, bool(rest), bool(muda))
    for said, attacker in (("", None), ("attacker=b", BLACK), ("attacker=w", WHITE))
    for rest in ("", "rest")
    for muda in ("", "muda")
}
"""What each spelling of the parameters says: who attacks, whether `rest` and `muda` are given."""

POSITION = re.compile(r"(?:(?:position )?sfen )?(.*?)(?: moves (.*?))?(?: attacker=([bw]))?", re.S)
MARK = re.compile(r"\s+attacker=([bw])\s*\Z")


class TsumeState(NamedTuple):
    """A position of shogi and the colour that attacks."""

    position: Position
    attacker: int


class Tsume(Game[TsumeState, Move]):
    """An attacker (first) who must give check against a defender (second)."""

    name = "tsume"
    players = ("attacker", "defender")
    question = "win:first"
    acyclic = False
    can_draw = False
    wins_by_own_move = True

    def __init__(self, parameters: str = "", data: str | None = None) -> None:
        refuse_data(self.name, data)
        if parameters not in PARAMETERS:
            said = "'attacker=b' or 'attacker=w', 'rest', 'muda'"
            expected = f"{said}, in this order, separated by commas, each optional"
            raise bad_parameters(self.name, parameters, expected)
        self.parameters = parameters
        self._attacker, self._rest, self._muda = PARAMETERS[parameters]

    def initial(self) -> TsumeState:
        """A mate in one by dropping a gold."""
        return self.parse(INITIAL[self._attacker or BLACK])

    def to_move(self, state: TsumeState) -> Side:
        """Who has the colour that moves."""
        return FIRST if state.position.side == state.attacker else SECOND

    def moves(self, state: TsumeState) -> Sequence[Move]:
        """The attacker's checks, or all moves of the defender, none of which counts in a mate."""
        return sorted(self._unsorted_moves(state))

    def _unsorted_moves(self, state: TsumeState) -> Iterator[Move]:
        if state.position.side == state.attacker:
            return checking_moves(state.position)
        if self._muda and is_mate(state.position):
            return iter(())
        return legal_moves(state.position)

    def play(self, state: TsumeState, move: Move) -> TsumeState:
        """The position after a move of shogi; the attacker is always the same."""
        return TsumeState(play_shogi(state.position, move), state.attacker)

    def outcome(self, state: TsumeState) -> Outcome | None:
        """A win for the side that is not to move, where there is no move."""
        if any(True for _ in self._unsorted_moves(state)):
            return None
        return "second" if self.to_move(state) == FIRST else "first"

    # ---- text ----

    def format(self, state: TsumeState) -> str:
        """The SFEN, and who attacks if one could not tell."""
        assumed = state.position.side if self._attacker is None else self._attacker
        mark = "" if state.attacker == assumed else f" attacker={SIDE_LETTERS[state.attacker]}"
        return write_sfen(state.position) + mark

    def parse(self, text: str) -> TsumeState:
        """The position `text`: SFEN, moves after it and the attacker, or a board diagram."""
        if is_diagram(text):
            return self._set_up(text, *read_problem(text))
        match = POSITION.fullmatch(text)
        if match is None:
            raise PositionError(f"cannot read {quoted(text)}; expected an SFEN")
        sfen, moves, mark = match.groups()
        said = None if mark is None else SIDE_LETTERS.index(mark)
        state = self._set_up(text, read_sfen(sfen), said)
        for move in () if moves is None else moves.split(" "):
            state = self.play(state, self.parse_move(state, move))
        return state

    def read(self, text: str) -> TsumeState:
        """The position of `parse`, or the one that a game record leads to.

        >>> game = Tsume()
        >>> game.format(game.read("startpos moves 7g7f 3c3d 8h2b+"))
        'lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w B 1'
        """
        if not is_record(text):
            return self.parse(text)
        mark = MARK.search(text)
        record = read_record(text[: mark.start()] if mark else text)
        assumed = record.last_side if self._attacker is None else self._attacker
        attacker = SIDE_LETTERS.index(mark[1]) if mark else assumed
        start = give_rest(record.start, 1 - attacker) if self._rest else record.start
        return self._set_up(text, replay(start, record.moves), attacker)

    def _set_up(self, text: str, position: Position, said: int | None) -> TsumeState:
        """The position with its attacker, the one that is said if any, if it may be set up."""
        assumed = position.side if self._attacker is None else self._attacker
        attacker = assumed if said is None else said
        if self._rest:
            position = give_rest(position, 1 - attacker)
        fault = what_is_wrong(position)
        if king_of(position.board, 1 - attacker) < 0:
            fault = f"the defender, {COLOURS[1 - attacker]}, has no king"
            if king_of(position.board, attacker) >= 0:
                fault += f"; expected 'attacker={SIDE_LETTERS[1 - attacker]}' if that side attacks"
        if fault is not None:
            raise PositionError(f"{fault}, in {quoted(text)}")
        return TsumeState(position, attacker)

    def format_move(self, state: TsumeState, move: Move) -> str:
        """The move in USI."""
        return move_text(move)

    # ---- pictures ----

    def draw(self, state: TsumeState) -> str:
        """The board with the letters of SFEN, what both sides hold, and who moves."""
        files = "".join(f"{file:>3}" for file in range(9, 0, -1))
        ranks = [_draw_rank(state.position.board, rank) for rank in range(9)]
        lines = [_holding(state, WHITE), files, *ranks, _holding(state, BLACK)]
        return "\n".join([*lines, self._caption(state)])

    def draw_japanese(self, state: TsumeState) -> str:
        """The board as Japanese programs write it, which `parse` reads.

        Who attacks is said where that is not the side to move, for other parameters of the game,
        too, and where the parameters would say otherwise.
        """
        known = {state.position.side, state.attacker if self._attacker is None else self._attacker}
        return write_diagram(state.position, None if known == {state.attacker} else state.attacker)

    def _caption(self, state: TsumeState) -> str:
        outcome = self.outcome(state)
        if outcome is None:
            return f"{COLOURS[state.position.side]} to move"
        return "the defender has no move" if outcome == "first" else "the attacker has no check"

    # ---- resources ----

    def board(self, state: TsumeState) -> tuple[bytes, int, int, bytes]:
        """The board, who moves and who attacks, and what both sides hold together."""
        hands = state.position.hands
        both = bytes(map(sum, zip(hands[:7], hands[7:], strict=True)))
        return (state.position.board, state.position.side, state.attacker, both)

    def resources(self, state: TsumeState) -> tuple[int, ...]:
        """What the attacker holds (P L N S G B R); the defender has the rest of both hands."""
        start = 7 * state.attacker
        return tuple(state.position.hands[start : start + 7])

    def left(self, state: TsumeState, side: Side) -> str:
        """What the attacker or the defender holds, in the letters of SFEN; "nothing" if nothing."""
        colour = state.attacker if side == FIRST else 1 - state.attacker
        return write_hand(state.position, colour).upper() or "nothing"


def _draw_rank(board: bytes, rank: int) -> str:
    cells = board[rank::9][::-1]
    return "".join(f"{SYMBOLS.get(piece, '.'):>3}" for piece in cells) + f"  {'abcdefghi'[rank]}"


def _holding(state: TsumeState, side: int) -> str:
    role = "attacker" if side == state.attacker else "defender"
    return f"{COLOURS[side]} ({role}) holds {write_hand(state.position, side) or 'nothing'}"
