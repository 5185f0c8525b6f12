"""Wasted interpositions (`tsume:muda`): the reference rules against the definition, spelt out.

The definition is here once more, word by word, on top of cshogi's moves; the reference rules take
a short cut and the core another one. Positions made by hand say what is meant.
"""

from __future__ import annotations

import importlib
import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cshogi
import pytest

import andorra
from andorra import certificate
from andorra.rulebook import FIRST, SECOND, make
from andorra.rulebook.sfen import write_sfen
from andorra.rulebook.shogi import legal_moves
from andorra.rulebook.shogi_muda import is_mate
from andorra.rulebook.tsume import Tsume, TsumeState
from conftest import FindProblemSet
from examiner import fast_check, trusted_check
from games_kit import DATA
from random_tsume import KINDS, random_problem, turned
from tsume_kit import problems

PLAIN, MUDA = Tsume(), Tsume("muda")
SEEDS = 150


# ---- by hand ----

PINNED = "3B5/4r4/9/7pp/4R2kl/5Nlnn/7N1/{}/9 w g 1"
MATES = {
    "a knight protects the rook next to the king": "R7k/7pp/8N/9/9/9/9/9/9 w gp 1",
    "the defender holds all there is": "R7k/7pp/8N/9/9/9/9/9/9 w r2b4g4s3n4l16p 1",
    "a lance from afar, up to seven drops": "3lkl3/3p1p3/9/5N3/9/9/9/9/4L4 w r2b4g4s2nl16p 1",
    "a lance that a rook behind it protects": "3lkl3/3p1p3/9/9/9/9/9/4L4/4R4 w r2b4g4s4nl16p 1",
    "a bishop": "8k/8p/8N/8N/9/9/9/9/B8 w g 1",
    "three squares and three golds": "4R3k/7pp/8N/9/9/9/9/9/9 w 3g 1",
    "one square between": "6R1k/7pp/8N/9/9/9/9/9/9 w g 1",
    "nothing to put in between": "R7k/7pp/9/9/9/9/9/9/9 w - 1",
    "no pawn may be put next to the king": "R7k/7pp/9/9/9/9/9/9/9 w p 1",
    "two sliders give check": "R7k/7p1/9/9/9/9/9/9/8L w g 1",
    "G*5a gives check and is taken": "R7k/4K2pp/8N/9/9/9/9/9/9 w g 1",
    "a rook that nothing pins": PINNED.format("9"),
}
NO_MATES = {
    "the king takes the rook": "R7k/7pp/9/9/9/9/9/9/9 w g 1",
    "the king takes the rook, one square between": "6R1k/7pp/9/9/9/9/9/9/9 w g 1",
    "one drop next to the king is enough": "R7k/7pp/9/9/9/9/9/9/9 w lp 1",
    "a gold on the board goes in between, however useless": "R7k/5g1pp/8N/9/9/9/9/9/9 w g 1",
    "a gold on the board takes the rook": "R7k/1g5pp/8N/9/9/9/9/9/9 w g 1",
    "a knight on the board goes in between": "3lkl3/3p2p2/9/5N3/9/3n5/9/9/4L4 w g 1",
    "the king goes away": "R7k/7p1/8N/9/9/9/9/9/9 w g 1",
    "a rook that may not leave its file": PINNED.format("4K4"),
    "no check": "8k/7pp/8N/9/9/9/9/9/R8 w g 1",
}
BY_HAND = [(why, sfen, True) for why, sfen in MATES.items()]
BY_HAND += [(why, sfen, False) for why, sfen in NO_MATES.items()]


@pytest.mark.parametrize(("why", "sfen", "mate"), BY_HAND)
def test_positions_made_by_hand(why: str, sfen: str, mate: bool) -> None:
    state = MUDA.parse(f"{sfen} attacker=b")
    plain = len(PLAIN.moves(state))
    assert is_mate(state.position) == mate, why
    assert MUDA.outcome(state) == ("first" if mate else None), why
    assert len(MUDA.moves(state)) == (0 if mate else plain), why
    assert is_mate(turned(state.position)) == mate, why
    assert by_definition(cshogi.Board(fewer_held(sfen))) == mate, why


def test_only_the_parameter_ends_a_line() -> None:
    line = "8k/7pp/8N/9/9/9/9/9/R8 b g 1 moves 9i9a G*5a"
    assert PLAIN.outcome(PLAIN.parse(line)) is None
    with pytest.raises(andorra.PositionError, match=r"G\*5a"):
        MUDA.parse(line)


# ---- the definition ----


def by_definition(board: cshogi.Board) -> bool:
    """Whether the side to move is mated if wasted drops do not count, by cshogi's moves."""
    return bool(board.is_check()) and all(
        is_wasted(board, cshogi.move_to_usi(move)) for move in list(board.legal_moves)
    )


def is_wasted(board: cshogi.Board, drop: str) -> bool:
    if drop[1] != "*":
        return False
    captures = {the_checker(board, drop) + drop[2:] + promotes for promotes in ("", "+")}
    board.push_usi(drop)
    found = any(mates_after(board, m) for m in list(board.legal_moves) if usi(m) in captures)
    board.pop()
    return found


def mates_after(board: cshogi.Board, move: int) -> bool:
    board.push(move)
    found = by_definition(board)
    board.pop()
    return found


def the_checker(board: cshogi.Board, drop: str) -> str:
    """The square behind a drop from which a slider gives check."""
    king, goal = board.king_square(board.turn), cshogi.SQUARE_NAMES.index(drop[2:])
    files, ranks = (b - a for a, b in zip(divmod(king, 9), divmod(goal, 9), strict=True))
    steps = max(abs(files), abs(ranks))
    square = goal
    while board.piece(square) == 0:
        square += (9 * files + ranks) // steps
    return str(cshogi.SQUARE_NAMES[square])


def usi(move: int) -> str:
    return str(cshogi.move_to_usi(move))


def fewer_held(sfen: str) -> str:
    """The position with three kinds in white's hand, where the definition would take long."""
    board, side, hand, number = sfen.split(" ")
    held = hand if len(hand) < 4 else re.sub(r"(\d*[a-z])+", "gsp", hand)
    return " ".join([board, side, held, number])


def lines(board: cshogi.Board, attacks: bool, depth: int) -> int:
    """How many lines of so many plies there are, by the definition."""
    if depth == 0:
        return 1
    if not attacks and by_definition(board):
        return 0
    count = 0
    for move in list(board.legal_moves):
        board.push(move)
        if board.is_check() or not attacks:
            count += lines(board, not attacks, depth - 1)
        board.pop()
    return count


@pytest.mark.parametrize(
    "entry", [each for each in DATA["tsume"]["games"] if each["spec"].endswith("muda")]
)
def test_perft_of_the_data_file(entry: dict[str, Any]) -> None:
    """With three kinds in hand instead of all, which in these positions makes no difference."""
    game = make(entry["spec"])
    state = game.parse(entry["position"]) if "position" in entry else game.initial()
    board = cshogi.Board(fewer_held(write_sfen(state.position)))
    for depth, expected in enumerate(entry["perft"], start=1):
        assert lines(board, game.to_move(state) == FIRST, depth) == expected


# ---- random positions ----


def defences(kind: str) -> Iterator[TsumeState]:
    """Positions of random problems after a check, along random lines."""
    rng = random.Random(kind)
    for seed in range(SEEDS):
        state = PLAIN.parse(random_problem(seed, kind))
        for _ in range(6):
            children = [PLAIN.play(state, move) for move in PLAIN.moves(state)]
            if PLAIN.to_move(state) != SECOND:
                yield from children
            if not children:
                break
            state = rng.choice(children)


def feature(state: TsumeState) -> str:
    if not is_mate(state.position):
        return "no mate"
    return "wasted" if any(legal_moves(state.position)) else "mate"


@pytest.mark.parametrize("kind", KINDS)
def test_reference_rules_follow_the_definition(kind: str) -> None:
    seen = Counter[str]()
    for state in defences(kind):
        sfen = write_sfen(state.position)
        assert (sfen, is_mate(state.position)) == (sfen, by_definition(cshogi.Board(sfen)))
        seen[feature(state)] += 1
    assert seen["mate"] > 50
    assert seen["wasted"] > (150 if kind == "line" else 0)


@pytest.mark.parametrize("spec", ["tsume:muda", "tsume:rest,muda"])
def test_the_core_follows_the_reference_rules(spec: str) -> None:
    core: Any = importlib.import_module("andorra._core")
    fast, game, wasted = core.make_game(spec), Tsume(spec.partition(":")[2]), 0
    for state in defences("line"):
        text = PLAIN.format(state)
        reference = game.parse(text)
        assert (text, fast.outcome(text)) == (text, game.outcome(reference))
        moves = [game.format_move(reference, move) for move in game.moves(reference)]
        assert (text, list(fast.moves(text))) == (text, moves)
        wasted += feature(reference) == "wasted"
    assert wasted > 150


def test_more_for_the_attacker_leaves_a_mate_a_mate() -> None:
    richer = 0
    for state in defences("line"):
        if feature(state) != "wasted":
            continue
        hands, defender = state.position.hands, 7 * (1 - state.attacker)
        for place in filter(hands.__getitem__, range(defender, defender + 7)):
            less = bytearray(hands)
            less[place] -= 1
            assert is_mate(state.position._replace(hands=bytes(less)))
            richer += 1
    assert richer > 200


def test_the_attacker_has_the_same_moves() -> None:
    """Also those that drop a pawn: it gives check from next to the king."""
    for kind in KINDS:
        for seed in range(SEEDS):
            state = PLAIN.parse(random_problem(seed, kind))
            if PLAIN.to_move(state) != SECOND:
                assert PLAIN.moves(state) == MUDA.moves(state)


@pytest.mark.parametrize(
    ("text", "legal"),
    [("7nk/9/7G1/9/9/9/9/9/9 b P2g 1", False), ("8k/9/7G1/9/9/9/9/9/9 b P2g 1", True)],
)
def test_no_mate_by_a_dropped_pawn(text: str, legal: bool) -> None:
    state = MUDA.parse(text)
    assert ("P*1b" in [MUDA.format_move(state, move) for move in MUDA.moves(state)]) == legal


# ---- searches ----


@pytest.mark.parametrize("spec", ["tsume:muda", "tsume:attacker=b,rest,muda"])
@pytest.mark.parametrize("options", [{}, {"dominance": False}, {"initial": "unit"}])
def test_a_mate_in_one_from_afar(tmp_path: Path, spec: str, options: dict[str, Any]) -> None:
    position, path = "8k/7pp/8N/9/9/9/9/9/R8 b 2gp 1", tmp_path / "mate.andorra"
    for question in ("win:first<=1", "win:first"):
        result = andorra.solve(spec, position, question, certificate=path, **options)
        assert (result.verdict, len(result.line), result.line_end) == ("proven", 1, "win")
        assert trusted_check(path, question, "proven") is None
        assert fast_check([path]) is None
    assert andorra.solve("tsume", position, "win:first<=1").verdict == "disproven"


def test_a_certificate_holds_for_its_rules_alone(tmp_path: Path) -> None:
    position, path = "8k/7pp/8N/9/9/9/9/9/R8 b 2gp 1", tmp_path / "mate.andorra"
    andorra.solve("tsume:muda", position, certificate=path)
    certificate.write(path, replace(certificate.read(path), game="tsume"))
    assert trusted_check(path, "win:first", "proven") is not None
    assert fast_check([path]) is not None


def test_who_mates_is_the_same_and_never_later() -> None:
    """What is wasted is taken, up to a mate without evasions, so only lengths differ."""
    shorter = 0
    limits: dict[str, Any] = {"memory": "16MiB", "nodes": 5_000}
    for seed in range(SEEDS):
        text = random_problem(seed, "line")
        verdicts = {andorra.solve(game, text, **limits).verdict for game in (PLAIN, MUDA)}
        assert (text, len(verdicts - {"unknown"}) < 2) == (text, True)
        bounded = f"win:first<={(1, 3)[seed % 2]}"
        one, other = (
            andorra.solve(game, text, bounded, **limits).verdict for game in (PLAIN, MUDA)
        )
        assert (text, one, other) != (text, "proven", "disproven")
        shorter += (one, other) == ("disproven", "proven")
    assert shorter > 5


@pytest.mark.parametrize("plies", [3, 5, 9])
def test_known_mates_are_never_longer(problem_set: FindProblemSet, plies: int) -> None:
    for sfen in problems(problem_set, f"nshogi_mate{plies}")[:10]:
        result = andorra.solve(MUDA, sfen, f"win:first<={plies}", memory="64MiB", nodes=400_000)
        assert (sfen, result.verdict) == (sfen, "proven")


def test_some_known_mates_are_shorter(problem_set: FindProblemSet) -> None:
    """Drops between a rook and a king that can neither move nor take, for example."""
    sfens = problems(problem_set, "nshogi_mate3")[:200]
    verdicts = [andorra.solve(MUDA, sfen, "win:first<=1").verdict for sfen in sfens]
    assert verdicts.count("proven") == 6
