"""Shogi problems: the reference rules against cshogi, a move generator of other authors.

cshogi's `legal_moves` are all legal moves, those without promotion included that other generators
leave out because they are never better; so the comparisons below allow for no difference. It reads
positions in which a side has no king, as problems have them, though it promises nothing for them.
"""

from __future__ import annotations

import functools
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import cshogi
import pytest

from andorra.errors import PositionError
from andorra.rulebook import FIRST, SECOND, make
from andorra.rulebook.kif import read_diagram, write_diagram
from andorra.rulebook.kif_files import decode
from andorra.rulebook.sfen import read_sfen, write_sfen
from andorra.rulebook.shogi import (
    DROP,
    Move,
    Position,
    checking_moves,
    king_of,
    legal_moves,
    move_text,
    play,
    threats,
)
from andorra.rulebook.shogi_pieces import COUNTS, PROMOTED_BIT, SYMBOLS, WHITE_BIT, ZONES, kind
from andorra.rulebook.shogi_setup import what_is_wrong
from andorra.rulebook.tsume import Tsume, TsumeState
from conftest import FindProblemSet
from games_kit import DATA, entries, game_of, sample
from random_tsume import turned
from tsume_kit import mates_within, problems

START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
SETS = ("zuko100", "classic_long_hard", "nshogi_mate3", "nshogi_mate5", "nshogi_mate9")
GAME = Tsume()


# ---- a second opinion ----


def their_moves(sfen: str) -> dict[str, bool]:
    """The legal moves that cshogi finds, and whether they give check."""
    board = cshogi.Board(sfen)
    found = {}
    for move in list(board.legal_moves):
        board.push(move)
        found[cshogi.move_to_usi(move)] = bool(board.is_check())
        board.pop()
    return found


def assert_same_moves(position: Position) -> None:
    theirs = their_moves(write_sfen(position))
    ours = [move_text(move) for move in legal_moves(position)]
    assert (write_sfen(position), sorted(ours)) == (write_sfen(position), sorted(theirs))
    if king_of(position.board, 1 - position.side) >= 0:
        checks = sorted(move_text(move) for move in checking_moves(position))
        assert checks == sorted(move for move, check in theirs.items() if check)


def assert_same_problem(state: TsumeState) -> None:
    """What the game adds to shogi: whose moves must be checks."""
    theirs = their_moves(write_sfen(state.position))
    attacks = GAME.to_move(state) == FIRST
    expected = {move for move, check in theirs.items() if check or not attacks}
    assert {GAME.format_move(state, move) for move in GAME.moves(state)} == expected
    winner = None if expected else "second" if attacks else "first"
    assert GAME.outcome(state) == winner


def random_line(position: Position, rng: random.Random, plies: int) -> Iterator[Position]:
    """Positions along random moves of shogi."""
    for _ in range(plies):
        yield position
        moves = sorted(legal_moves(position))
        if not moves:
            return
        position = play(position, rng.choice(moves))


def features(position: Position) -> Iterator[str]:
    """What makes the moves of a position hard to list."""
    board, hands, side = position
    checks, screens = threats(board, king_of(board, side), 1 - side)
    if checks:
        yield "check" if len(checks) == 1 else "double check"
    if any(board[square] // WHITE_BIT == side for square in screens):
        yield "pin"
    if any(piece & PROMOTED_BIT and kind(piece) for piece in board):
        yield "promoted piece"
    if sum(hands) > 4:
        yield "pieces in hand"
    for move in legal_moves(position):
        if move.start <= DROP and move.plain and move.goal in ZONES[side]:
            yield f"{SYMBOLS[board[move.start]].upper()} moves into the zone as it is"


def test_a_move_from_the_last_square_is_no_drop() -> None:
    assert [*features(read_sfen("4k4/9/9/9/9/9/9/9/L3K4 b - 1"))] == [
        "L moves into the zone as it is"
    ] * 2


def test_shogi_against_cshogi() -> None:
    rng, seen = random.Random(1), Counter[str]()
    for _ in range(40):
        for position in random_line(read_sfen(START), rng, 150):
            assert_same_moves(position)
            seen.update(features(position))
    plain = {f"{piece} moves into the zone as it is" for piece in "PLNSBR"}
    rare = {"check", "double check", "pin", "promoted piece", "pieces in hand"}
    assert plain | rare <= seen.keys()


@pytest.mark.parametrize("name", SETS)
def test_lines_from_problems_against_cshogi(problem_set: FindProblemSet, name: str) -> None:
    rng, kingless = random.Random(2), 0
    for sfen in problems(problem_set, name)[:100]:
        for position in random_line(read_sfen(sfen), rng, 12):
            assert_same_moves(position)
            kingless += king_of(position.board, position.side) < 0
    assert (kingless > 0) == (name in ("zuko100", "classic_long_hard"))


@pytest.mark.parametrize("name", SETS)
def test_problems_against_cshogi(problem_set: FindProblemSet, name: str) -> None:
    rng, ends = random.Random(3), Counter[str | None]()
    for sfen in problems(problem_set, name)[:100]:
        state = GAME.parse(sfen)
        for _ in range(12):
            assert_same_problem(state)
            ends[GAME.outcome(state)] += 1
            if GAME.outcome(state):
                break
            state = GAME.play(state, rng.choice(GAME.moves(state)))
    assert ends["second"] > 0 < ends[None]


def shogi_entries(section: str) -> list[Any]:
    """Entries of the data file in which a mate is what cshogi takes for one."""
    cases = [case for case in entries(section) if case.values[0] == "tsume"]
    return [case for case in cases if not case.values[1]["spec"].endswith("muda")]


@pytest.mark.parametrize(("name", "entry"), shogi_entries("positions"))
def test_positions_of_the_data_file_against_cshogi(name: str, entry: dict[str, Any]) -> None:
    assert_same_problem(game_of(name, entry).parse(entry["text"]))


@pytest.mark.parametrize(("name", "entry"), shogi_entries("games"))
def test_perft_against_cshogi(name: str, entry: dict[str, Any]) -> None:
    game = game_of(name, entry)
    state = game.parse(entry["position"]) if "position" in entry else game.initial()

    @functools.cache
    def count(sfen: str, attacks: bool, depth: int) -> int:
        if depth == 0:
            return 1
        moves = [move for move, check in their_moves(sfen).items() if check or not attacks]
        return sum(count(after(sfen, move), not attacks, depth - 1) for move in moves)

    attacks = game.to_move(state) == FIRST
    for depth, expected in enumerate(entry["perft"], start=1):
        assert count(write_sfen(state.position), attacks, depth) == expected


def after(sfen: str, move: str) -> str:
    """The position after a move as cshogi plays it, as move 1."""
    board = cshogi.Board(sfen)
    board.push_usi(move)
    return f"{board.sfen().rpartition(' ')[0]} 1"


# ---- no mate by a dropped pawn ----


PAWN_DROPS = [
    ("7nk/9/7G1/9/9/9/9/9/9 b P 1", "P*1b", False),
    ("8k/9/7G1/9/9/9/9/9/9 b P 1", "P*1b", True),  # the king goes to 2a
    ("7gk/9/7G1/9/9/9/9/9/9 b P 1", "P*1b", True),  # the gold takes
    ("4R2gk/9/7G1/9/9/9/9/9/9 b P 1", "P*1b", False),  # the gold is pinned
    ("7nk/9/7GP/9/9/9/9/9/9 b - 1", "1c1b", True),  # the pawn is moved, not dropped
    ("9/9/9/9/9/9/1g7/9/KN7 w p 1", "P*9h", False),
    ("8k/8p/9/9/9/9/1g7/9/KN7 w p 1 attacker=b", "P*9h", False),  # by the defender
    ("8k/8p/9/9/9/9/1g7/9/K8 w p 1 attacker=b", "P*9h", True),
    # The attacker's king takes the pawn, which is no check: a reply, though no move of a problem.
    ("8k/8p/9/9/9/9/9/9/KN7 w p 1 attacker=b", "P*9h", True),
]


@pytest.mark.parametrize(("text", "move", "legal"), PAWN_DROPS)
def test_no_mate_by_a_dropped_pawn(text: str, move: str, legal: bool) -> None:
    state = GAME.parse(text)
    assert (move in [GAME.format_move(state, each) for each in GAME.moves(state)]) == legal
    assert_same_problem(state)


# ---- known lengths ----


def test_no_mate_in_one_where_there_is_none(problem_set: FindProblemSet) -> None:
    for sfen in problems(problem_set, "nshogi_nomate1"):
        assert not mates_within(GAME.parse(sfen), 1), sfen


def test_mates_in_three(problem_set: FindProblemSet) -> None:
    for sfen in problems(problem_set, "nshogi_mate3"):
        state = GAME.parse(sfen)
        assert mates_within(state, 3) and not mates_within(state, 1), sfen


# ---- symmetry: nothing in the rules mentions it ----


def mirrored(position: Position) -> Position:
    """Left and right exchanged."""
    board = b"".join(position.board[9 * file : 9 * file + 9] for file in range(8, -1, -1))
    return position._replace(board=board)


def test_turned_and_mirrored_positions_play_alike() -> None:
    rng = random.Random(4)
    for position in random_line(read_sfen(START), rng, 300):
        children = {play(position, move) for move in legal_moves(position)}
        for image in (turned, mirrored):
            seen = image(position)
            expected = {play(seen, move) for move in legal_moves(seen)}
            assert {image(child) for child in children} == expected


# ---- resources ----


def richer(state: TsumeState, rng: random.Random) -> TsumeState:
    """The same board; a piece of the defender's hand is the attacker's."""
    hands, attacker = bytearray(state.position.hands), state.attacker
    held = [i for i in range(7) if hands[7 * (1 - attacker) + i]]
    if held:
        kind = rng.choice(held)
        hands[7 * (1 - attacker) + kind] -= 1
        hands[7 * attacker + kind] += 1
    return state._replace(position=state.position._replace(hands=bytes(hands)))


def test_more_resources_are_never_worse_for_the_attacker() -> None:
    rng, decided = random.Random(5), Counter[tuple[bool, bool]]()
    texts = [entry["text"] for entry in DATA["tsume"]["positions"] if entry["spec"] == "tsume"]
    for text in texts * 6:
        worse = GAME.parse(text)
        better = richer(worse, rng)
        if what_is_wrong(better.position) is None:
            assert GAME.board(worse) == GAME.board(better)
            assert all(map(int.__le__, GAME.resources(worse), GAME.resources(better)))
            decided[mates_within(worse, 3), mates_within(better, 3)] += 1
    assert decided[True, False] == 0 < min(decided[False, True], decided[True, True])


def test_pieces_are_never_lost() -> None:
    game = make("tsume:rest")
    for state in sample(game, 200):
        pieces = Counter(kind(piece) for piece in state.position.board if kind(piece))
        for number, in_hand in enumerate(state.position.hands):
            pieces[number % 7 + 1] += in_hand
        assert pieces == COUNTS


# ---- diagrams ----


KIF = """\
# 詰将棋
手合割：詰将棋
後手の持駒：飛二　角二　金　銀三　桂四　香四　歩十七
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
| ・ ・ ・ ・v王 ・ ・ ・ ・|一
| ・ ・ ・ ・ ・ ・ ・ ・ ・|二
| ・ ・ ・ ・ 歩 ・ ・ ・ ・|三
| ・ ・ ・ ・ ・ ・ ・ ・ ・|四
| ・ ・ ・ ・ ・ ・ ・ ・ ・|五
| ・ ・ ・ ・ ・ ・ ・ ・v竜|六
| ・ ・ ・ ・ ・ ・ ・ ・ ・|七
| ・ ・ ・ ・ ・ ・ ・ ・ ・|八
| ・ ・ ・ ・ ・ ・ ・ ・ ・|九
+---------------------------+
先手の持駒：金二銀
先手：
後手：
手数----指手---------消費時間--
   1 ５二金打     ( 0:00/00:00:00)
   2 中断         ( 0:00/00:00:00)
""".replace("歩十七", "歩十七　")  # programs leave a wide space at the end of a hand
SFEN = "4k4/9/4P4/9/9/8+r/9/9/9 b 2GS2r2bg3s4n4l17p 1"


def test_kif_file_is_the_position_before_its_moves() -> None:
    assert write_sfen(read_diagram(KIF)) == SFEN
    # In this diagram there are three rooks, which reading leaves to the game.
    with pytest.raises(PositionError, match="3 pieces R"):
        GAME.parse(KIF)
    assert GAME.format(GAME.parse(KIF.replace("飛二", "飛"))) == SFEN.replace("2r", "r")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932", "shift_jis"])
def test_kif_files_in_their_encodings(encoding: str) -> None:
    text = KIF.replace("\n", "\r\n")
    assert read_diagram(decode(text.encode(encoding))) == read_diagram(KIF)


def test_other_bytes_are_an_error() -> None:
    with pytest.raises(PositionError, match="UTF-8 or Shift-JIS"):
        decode("駒".encode("cp932")[:1])


@pytest.mark.parametrize(
    ("line", "side"),
    [
        ("後手番", 1),
        ("上手番", 1),
        ("先手番", 0),
        ("下手番", 0),
        ("手番：後手", 1),
        ("手番：先手", 0),
        ("後手：", 0),
        ("手数＝10  ▲５二金  まで", 0),
    ],
)
def test_who_moves_in_a_diagram(line: str, side: int) -> None:
    assert read_diagram(KIF + line + "\n").side == side


def test_players_of_handicap_games() -> None:
    named = KIF.replace("後手の", "上手の").replace("先手の持駒", "下手の持ち駒")
    assert read_diagram(named) == read_diagram(KIF)


@pytest.mark.parametrize(
    ("old", "new", "quoted"),
    [
        ("v竜", "v虎", "v虎"),
        ("v竜", "x竜", "x竜"),
        ("v竜", "", "・ ・|六"),
        ("v竜", "v竜 ・", "v竜 ・|六"),
        ("金二銀", "金二王", "金二王"),
        ("金二銀", "金二十", "金二十"),
        ("歩十七", "歩十七　歩九", "歩九"),
        ("後手の持駒：飛二", "後手の持駒：残り", "残り"),
    ],
)
def test_mistakes_in_diagrams_are_quoted(old: str, new: str, quoted: str) -> None:
    with pytest.raises(PositionError) as caught:
        read_diagram(KIF.replace(old, new))
    assert quoted in str(caught.value)


def test_a_diagram_that_ends_too_early() -> None:
    with pytest.raises(PositionError, match="9 ranks"):
        GAME.parse("\n".join(KIF.splitlines()[:9]))


def test_diagrams_against_cshogi() -> None:
    rng = random.Random(6)
    for position in random_line(read_sfen(START), rng, 300):
        theirs = cshogi.Board(write_sfen(position)).to_bod()
        assert read_diagram(theirs) == position
        assert read_diagram(write_diagram(position)) == position


def test_pictures_can_be_read() -> None:
    for text in ("8k/6Pnp/9/9/9/9/9/9/9 b N 1", "9/9/9/9/9/9/4p4/9/4K4 w g2p 1"):
        assert GAME.parse(GAME.draw_japanese(GAME.parse(text))) == GAME.parse(text)


# ---- notation ----


def test_the_attacker_is_who_moves_before_the_moves() -> None:
    sfen, moves = "4k4/9/4P4/9/9/9/9/9/9 b G 1", "moves G*4b 5a6a"
    for said in ("", " attacker=b"):
        state = GAME.parse(f"{sfen} {moves.rpartition(' ')[0]}{said}")
        assert (state.attacker, GAME.to_move(state)) == (0, SECOND)
    assert GAME.parse(f"position sfen {sfen} {moves}").attacker == 0


def test_moves_are_listed_in_the_order_of_squares() -> None:
    state = GAME.parse("9/9/9/9/9/2n6/1K7/4+b4/1s1r5 w RBGSNL3Pgsnlp 1")
    moves = GAME.moves(state)
    assert moves == sorted(moves, key=order)
    assert {move.start > DROP for move in moves} == {False, True}


def order(move: Move) -> tuple[bool, int, int, bool]:
    return (move.start > DROP, move.start, move.goal, move.plain)


def test_perft_of_shogi_from_the_start() -> None:
    """The counts that generators of legal moves are known by."""

    def count(position: Position, depth: int) -> int:
        if depth == 0:
            return 1
        return sum(count(play(position, move), depth - 1) for move in legal_moves(position))

    assert [count(read_sfen(START), depth) for depth in (1, 2, 3)] == [30, 900, 25470]
