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
POSITIONS = Path(__file__).parents[1] / "bench" / "positions"

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


# ---- the positions for benchmarks ----


def listed(size: int) -> list[tuple[str, str]]:
    """Positions and what the file says of them: `proven`, or `disproven, a draw` and the like."""
    lines = (POSITIONS / f"loa-{size}.txt").read_text(encoding="utf-8").splitlines()
    pairs = [line.partition("#")[::2] for line in lines if not line.startswith("#")]
    return [(position.strip(), said.strip()) for position, said in pairs]


@pytest.mark.parametrize("size", [5, 6])
def test_benchmark_positions_are_open_games(size: int) -> None:
    game = make(f"loa:{size}")
    for position, said in listed(size):
        assert game.outcome(game.parse(position)) is None
        assert said in ("proven", "disproven, a loss", "disproven, a draw")


def test_benchmark_positions_have_the_verdicts_that_their_file_says() -> None:
    values = {"proven": 1, "disproven, a draw": 0, "disproven, a loss": -1}
    for position, said in listed(5):
        result = andorra.solve("loa:5", position, "value", memory=MEMORY)
        mover = 1 if position.endswith("x") else -1
        value = {"win": 1, "draw": 0, "loss": -1, None: None}[result.value]
        assert (position, value) == (position, mover * values[said])


# ---- symmetry: nothing in the rules mentions it ----


def test_pds_does_not_go_round_in_circles() -> None:
    """With both thresholds raised at old children it was a thousand plies deep, and no end near."""
    position = ".xxx./o.o../x.o../o...o/...xx x"
    found = andorra.solve("loa:5", position, "win", algorithm="pds", nodes=200_000)
    assert found.verdict == "proven"


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
