"""Board diagrams and game records as composers and programs bring them."""

from __future__ import annotations

import random

import cshogi
import pytest

from andorra.errors import PositionError
from andorra.rulebook import make
from andorra.rulebook.kif import read_diagram, read_problem, write_diagram
from andorra.rulebook.kif_files import decode, has_board, split
from andorra.rulebook.sfen import read_sfen, write_sfen
from andorra.rulebook.shogi import legal_moves, move_text, play
from andorra.rulebook.shogi_pieces import BLACK, WHITE
from andorra.rulebook.shogi_record import START
from andorra.rulebook.tsume import Tsume

MATE = "4k4/9/4P4/9/9/9/9/9/9 b G2p 1"
DIAGRAM = write_diagram(read_sfen(MATE))
"""後手 holds 歩二, 先手 holds 金."""
OTHER = "8k/6Pnp/9/9/9/9/9/9/9 b N 1"
BOTH_KINGS = "4k4/9/4P4/9/9/9/4p4/9/4K4"


def replaced(*pairs: tuple[str, str]) -> str:
    text = DIAGRAM
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return text


# ---- hands ----


@pytest.mark.parametrize("attacker", ["攻方", "詰方"])
@pytest.mark.parametrize("defender", ["玉方", "受方"])
@pytest.mark.parametrize("hand", ["の持駒", "の持ち駒", "持駒", "持ち駒"])
def test_hands_of_attacker_and_defender(attacker: str, defender: str, hand: str) -> None:
    text = replaced(("先手の持駒", attacker + hand), ("後手の持駒", defender + hand))
    assert read_problem(text) == (read_sfen(MATE), BLACK)


def test_the_attacker_of_a_problem_may_be_white() -> None:
    text = replaced(("先手の持駒", "攻方の持駒"), ("後手の持駒", "玉方の持駒"))
    position, attacker = read_problem(f"{text}\n攻方：後手\n後手番\n")
    assert (write_sfen(position), attacker) == (MATE.replace("b G2p", "w 2Pg"), WHITE)
    for turn in ("攻方番", "手番：詰方"):
        assert read_problem(f"{text}\n攻方：後手\n{turn}\n").position == position


def test_words_of_problems_say_who_attacks_though_the_other_side_moves() -> None:
    text = replaced(("先手の持駒", "攻方の持駒"), ("後手の持駒", "玉方の持駒"))
    game = make("tsume")
    for turn in ("後手番", "玉方番"):
        assert game.format(game.parse(f"{text}\n{turn}")) == (
            MATE.replace(" b ", " w ") + " attacker=b"
        )
    assert read_problem(DIAGRAM + "\n後手番").attacker is None
    assert read_problem(DIAGRAM + "\n攻方：山田").attacker is None


@pytest.mark.parametrize(
    "line",
    [
        "攻め方の持駒：金",
        "持駒：金",
        "☗持駒：金",
        "先手の持駒 金",
        "先手持駒金",
        "玉方：残り全部",
        "玉方の残り全部",
        "先手の手持ち駒：金",
        "備考：持駒は金",
    ],
)
def test_a_line_about_hands_that_is_not_understood_is_refused(line: str) -> None:
    for text in (replaced(("先手の持駒：金", line)), f"{line}\n{DIAGRAM}"):
        with pytest.raises(PositionError) as caught:
            read_diagram(text)
        assert repr(line) in str(caught.value) and "先手の持駒：" in str(caught.value)


@pytest.mark.parametrize("line", ["# 持駒：金", "*持駒を使い切る", "  # 先手の持駒：飛", "&持駒"])
def test_comments_may_be_about_hands(line: str) -> None:
    assert read_diagram(f"{line}\n{DIAGRAM}\n{line}") == read_sfen(MATE)


@pytest.mark.parametrize("pieces", ["歩18", "歩１８", "飛x", "歩二十", "残り　歩"])
def test_pieces_that_cannot_be_read(pieces: str) -> None:
    line = f"玉方の持駒：{pieces}"
    with pytest.raises(PositionError) as caught:
        read_diagram(replaced(("後手の持駒：歩二", line)))
    assert repr(line) in str(caught.value)


@pytest.mark.parametrize("rest", ["残り全部", "残り", "残り全て", "残り駒全部", " 残り全部　"])
@pytest.mark.parametrize("side", ["後手", "玉方"])
def test_the_rest_of_the_pieces(rest: str, side: str) -> None:
    text = replaced(("後手の持駒：歩二", f"{side}の持駒：{rest}"))
    game = make("tsume:rest")
    assert write_sfen(read_diagram(text)) == game.format(game.parse(MATE))
    assert "2r2b3g4s4n4l17p" in write_sfen(read_diagram(text))


def test_both_sides_cannot_hold_the_rest() -> None:
    with pytest.raises(PositionError, match="the rest of the pieces"):
        read_diagram(replaced(("：歩二", "：残り"), ("：金", "：残り全部")))


def test_a_hand_is_said_once() -> None:
    for line in ("先手の持駒：飛", "攻方の持駒：金"):
        with pytest.raises(PositionError) as caught:
            read_diagram(f"{DIAGRAM}\n{line}")
        assert repr(line) in str(caught.value)


@pytest.mark.parametrize("lines", [("先手番", "後手番"), ("攻方：先手", "詰方：後手")])
def test_lines_that_contradict_each_other(lines: tuple[str, str]) -> None:
    with pytest.raises(PositionError) as caught:
        read_diagram("\n".join((DIAGRAM, *lines)))
    assert f"{lines[1]!r} contradicts {lines[0]!r}" in str(caught.value)


# ---- the attacker survives ----


@pytest.mark.parametrize("spec", ["tsume", "tsume:attacker=b", "tsume:attacker=w", "tsume:muda"])
@pytest.mark.parametrize("side", ["b", "w"])
@pytest.mark.parametrize("attacker", ["b", "w"])
@pytest.mark.parametrize("encoding", ["utf-8", "shift_jis"])
def test_written_diagrams_are_read(spec: str, side: str, attacker: str, encoding: str) -> None:
    game = make(spec)
    assert isinstance(game, Tsume)
    state = game.parse(f"{BOTH_KINGS} {side} Gs 1 attacker={attacker}")
    text = game.draw_japanese(state)
    assert game.parse(decode(text.encode(encoding))) == state
    if side == attacker:
        assert ("攻方" in text) == ("attacker=" in game.format(state))
    else:
        assert make("tsume").parse(text) == state


# ---- several diagrams ----


PARTS = {"後手": "w", "+-": "f", "先手": "b"}


def in_order(sfen: str, order: str) -> str:
    """The diagram with its parts in another order: w, b the hands, f the board."""
    first, *board, last = write_diagram(read_sfen(sfen)).splitlines()
    parts = {"w": [first], "f": board, "b": [last]}
    return "\n".join(line for part in order for line in parts[part])


@pytest.mark.parametrize("first", ["wfb", "wbf", "bwf", "bfw", "fwb", "fbw"])
@pytest.mark.parametrize("second", ["wfb", "wbf", "bwf", "bfw", "fwb", "fbw"])
def test_several_diagrams_are_told_apart(first: str, second: str) -> None:
    texts = ["# one", in_order(MATE, first), "後手番", "表題：二", in_order(OTHER, second)]
    whole = "\n".join(texts)
    found = split(whole)
    assert [read_diagram(text) for _, text in found] == [
        read_sfen(MATE.replace(" b ", " w ")),
        read_sfen(OTHER),
    ]
    firsts = [whole.splitlines()[line - 1] for line, _ in found]
    assert [PARTS[line[:2]] for line in firsts] == [first[0], second[0]]
    assert "\n".join(text for _, text in found) == whole
    with pytest.raises(PositionError, match="expected one board diagram, not 2"):
        read_diagram(whole)


def test_one_diagram_is_all_of_the_text() -> None:
    for text in (
        DIAGRAM,
        f"# title\n{DIAGRAM}\n1 ５二金打\n",
        DIAGRAM.replace("先手の持駒：金", ""),
    ):
        assert split(text) == [(1, text)]


@pytest.mark.parametrize("missing", ["wf", "fb", "f", "fw", "bf"])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_one_of_several_diagrams_without_a_hand(missing: str, place: int) -> None:
    orders = ["wfb", "wfb", "wfb"]
    orders[place] = missing
    with pytest.raises(PositionError, match=r"have both hands.* lacks the hand of"):
        split("\n\n".join(in_order(MATE, order) for order in orders))


@pytest.mark.parametrize("line", ["後手番", "攻方：後手"])
def test_who_moves_is_said_after_each_of_several_diagrams(line: str) -> None:
    with pytest.raises(PositionError, match="after its diagram") as caught:
        split(f"{line}\n{DIAGRAM}\n{DIAGRAM}")
    assert repr(line) in str(caught.value)


def test_a_broken_board_does_not_spoil_the_next_diagram() -> None:
    rank = "| ・ ・ ・ ・ ・ ・ ・ ・ ・|九\n"
    for broken in (replaced((rank, "")), replaced((rank, rank + rank))):
        (_, first), (_, second) = split(f"{broken}\n{DIAGRAM}")
        assert read_diagram(second) == read_sfen(MATE)
        assert first == broken
    with pytest.raises(PositionError, match="9 squares"):
        read_diagram(replaced((rank, "")))


def test_a_board_without_its_lower_frame() -> None:
    upper, lower = (i for i, line in enumerate(DIAGRAM.splitlines()) if line.startswith("+"))
    text = "\n".join(line for i, line in enumerate(DIAGRAM.splitlines()) if i != lower)
    assert upper < lower and read_diagram(text) == read_sfen(MATE)
    assert [read_diagram(each) for _, each in split(f"{text}\n{text}")] == [read_sfen(MATE)] * 2


def test_texts_without_a_board() -> None:
    assert has_board(DIAGRAM)
    assert not any(map(has_board, ("", MATE, "# +---+\n", "手合割：平手\n", "+--- what\n")))


# ---- game records ----


@pytest.mark.parametrize("spec", ["tsume", "tsume:attacker=b", "tsume:rest"])
def test_records_lead_to_the_position(spec: str) -> None:
    rng = random.Random(11)
    game = make(spec)
    assert isinstance(game, Tsume)
    for start in ("startpos", "position startpos", f"sfen {START}", f"position  sfen {START}"):
        position, moves = read_sfen(START), list[str]()
        board = cshogi.Board()
        for _ in range(rng.randrange(40)):
            move = rng.choice(sorted(legal_moves(position)))
            moves.append(move_text(move))
            board.push_usi(moves[-1])
            position = play(position, move)
        state = game.read(f"{start} moves {' '.join(moves)}")
        assert state.position == position
        assert write_sfen(position).split()[:3] == board.sfen().split()[:3]
        assert state.attacker == (BLACK if "attacker" in spec else position.side)
        if start != "startpos":
            said = game.read(f"{start} moves {' '.join(moves)} attacker=w")
            assert (said.position, said.attacker) == (position, WHITE)


def test_in_a_record_the_defender_may_drop_what_the_rest_has() -> None:
    record = "sfen 8k/9/9/9/9/9/9/9/9 b R 1 moves R*1i P*1b 1i1b+ 1a2a attacker=b"
    rest = make("tsume:rest")
    assert isinstance(rest, Tsume)
    with pytest.raises(PositionError, match=r"move 2, 'P\*1b'"):
        Tsume().read(record)
    with pytest.raises(PositionError, match="move 4, '1a2a', is not legal in '8k/8"):
        rest.read(record)
    reached = rest.read(record.replace(" 1a2a", ""))
    assert rest.format(reached).startswith("8k/8+R/9/9/9/9/9/9/9 w Pr2b4g4s4n4l17p 1 attacker=b")


def test_positions_are_no_records() -> None:
    game = Tsume()
    line = f"{MATE} moves G*5b"
    assert game.read(line) == game.parse(line) == game.parse(f"{MATE} moves G*5b attacker=b")
    assert game.read(f"sfen {MATE}") == game.read(MATE) == game.parse(MATE)
    assert game.read(DIAGRAM) == game.parse(MATE)


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ("startpos moves 7g7f 7g7f", f"move 2, '7g7f', is not legal in '{START[:16]}"),
        ("startpos moves 7g7f 五四", "move 2, '五四'"),
        (f"sfen {MATE} moves G*5b 5a4a", "move 2, '5a4a', is not legal in '4k4/4G4/4P4/9"),
        (f"sfen {MATE} moves G*5b 5a4a", "the game is over"),
        (f"sfen {MATE} moves 5c5d", "move 1, '5c5d'"),
        (f"sfen {MATE} moves G*5b", "the defender, black, has no king"),
        ("sfen 4k4/4P4/9/9/9/9/9/9/9 b G 1 moves G*5c", "white's king is in check"),
        ("startpos 1 moves 7g7f", "expected 'startpos' or 'sfen'"),
    ],
)
def test_records_that_cannot_be_replayed(record: str, expected: str) -> None:
    with pytest.raises(PositionError) as caught:
        Tsume().read(record)
    assert expected in str(caught.value)


def test_no_move_is_legal_after_the_end() -> None:
    for game, end, move in (
        (make("tsume"), f"{MATE} moves G*5b", "5a4a"),
        (make("mnk:3,3,3"), "xxx/oo./...", "c2"),
        (make("cops:1"), "Bw 0 0 r", "1"),
    ):
        with pytest.raises(PositionError, match=f"{move}.* legal: none, the game is over"):
            game.parse_move(game.parse(end), move)
