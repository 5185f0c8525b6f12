"""Lines of Action: a game with cycles, in which a draw is a line that never ends.

A draw is two disproofs. Where both sides follow theirs, play never ends, so their positions come
again: the two closed sets that the checkers accept hold cycles.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import andorra
from andorra.rulebook import make
from andorra.rulebook.pieces import PieceState, other
from examiner import fast_check
from games_kit import sample

MEMORY = "64MiB"

VALUES = {"loa:3": "loss", "loa:4": "win", "loa:5": "win"}
"""For the first player, from the start. The algorithm `fixpoint` says the same of 3x3 and 4x4;
Winands (2008) gives 6x6 as a win for the first player, too, which is out of reach of a test."""

DRAWS = {
    "loa:3": ["oxo/o.o/oxo x", "xxo/o.o/oxx o"],
    "loa:4": [".o../x.x./xoo./..xo x", "..xo/ooxx/xoo./.... x", "oxox/.xxo/..oo/.xox x"],
    "loa:5": ["....x/...../...../..o.x/ox.o. x"],
}
"""On 3x3 nobody can do anything but pass; on larger boards all have other moves."""

PARTS = {
    "win": [("win:first", "proven")],
    "loss": [("win:second", "proven")],
    "draw": [("win:first", "disproven"), ("win:second", "disproven")],
}
"""What the certificate of a value shows."""


def assert_value(game: str, position: str | None, value: str, path: Path) -> None:
    """The search finds the value, and both checkers accept what it shows."""
    result = andorra.solve(game, position, "value", memory=MEMORY, certificate=path)
    assert (result.value, result.certificate) == (value, path)
    verified = andorra.check(path)
    assert verified.value == value
    assert [(part.question, part.verdict) for part in verified.parts] == PARTS[value]
    assert fast_check([path]) is None


@pytest.mark.parametrize(("game", "value"), VALUES.items())
def test_values(game: str, value: str, tmp_path: Path) -> None:
    assert_value(game, None, value, tmp_path / "value.andorra")


@pytest.mark.parametrize(("game", "position"), [(g, p) for g, ps in DRAWS.items() for p in ps])
def test_draws_are_shown_by_disproofs_with_cycles(game: str, position: str, tmp_path: Path) -> None:
    assert_value(game, position, "draw", tmp_path / "draw.andorra")


def test_who_can_only_pass_may_pass_for_ever() -> None:
    result = andorra.solve("loa:3", "oxo/o.o/oxo x", "win:first")
    assert (result.verdict, result.line) == ("disproven", ["pass", "pass"])
    assert result.line_end == "repetition"


# ---- symmetry: nothing in the rules mentions it ----


def turned(state: PieceState) -> PieceState:
    """The board turned a quarter to the right and its colours exchanged, as the start allows."""
    upwards = state.board.split("/")[::-1]
    rows = ("".join(column) for column in zip(*upwards, strict=True))
    board = "/".join(rows).translate(str.maketrans("xo", "ox"))
    return PieceState(board, other(state.side))


def mirrored(state: PieceState) -> PieceState:
    """The board with left and right exchanged."""
    return PieceState("/".join(row[::-1] for row in state.board.split("/")), state.side)


@pytest.mark.parametrize("size", range(3, 9))
def test_turned_and_mirrored_positions_play_alike(size: int) -> None:
    game = make(f"loa:{size}")
    exchanged = {"first": "second", "second": "first", None: None}
    assert turned(game.initial())._replace(side=0) == mirrored(game.initial()) == game.initial()
    for state in sample(game, 200):
        after = [game.play(state, move) for move in game.moves(state)]
        for image in (turned, mirrored):
            seen = image(state)
            expected = {game.play(seen, move) for move in game.moves(seen)}
            assert {image(each) for each in after} == expected
        assert game.outcome(mirrored(state)) == game.outcome(state)
        assert game.outcome(turned(state)) == exchanged[game.outcome(state)]
