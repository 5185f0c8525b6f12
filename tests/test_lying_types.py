"""Own rules whose objects say other things of themselves than what they are.

The game is R, where the first player moves to M, and M, where the second one moves to X and wins,
or to Y and loses. So the first player does not win, and a proof that says so must not pass
unconditionally, whatever the rules' objects say.
"""

from __future__ import annotations

from abc import ABCMeta
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any, ClassVar

import pytest

import andorra
from andorra import FIRST, SECOND, CertificateError, Game
from andorra.certificate import Certificate, Entry, Part, VerdictName, write
from andorra.cli import exits
from andorra.cli.main import main
from andorra.places import is_alike
from andorra.rulebook import is_built_in, make

NODES = {"R": ["M"], "M": ["X", "Y"], "X": [], "Y": []}


class Honest(Game[Any, Any]):
    """The game as it is; its states are texts."""

    name = "mine"
    acyclic = True
    can_draw = False

    def initial(self) -> Any:
        return "R"

    def to_move(self, state: Any) -> Any:
        return SECOND if state == "M" else FIRST

    def moves(self, state: Any) -> Any:
        return NODES[state]

    def play(self, state: Any, move: Any) -> Any:
        return move

    def outcome(self, state: Any) -> Any:
        return {"X": "second", "Y": "first"}.get(state)

    def format(self, state: Any) -> Any:
        return state

    def parse(self, text: str) -> Any:
        return text


class AnyNumber(int):
    """Equal to every number."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = int.__hash__


class AnyText(str):
    """Equal to every text, and never different from one."""

    def __eq__(self, other: object) -> bool:
        return True

    def __ne__(self, other: object) -> bool:
        return False

    __hash__ = str.__hash__


class AnySide(Honest):
    """The side to move is every side."""

    def to_move(self, state: Any) -> Any:
        return AnyNumber(super().to_move(state))


class AnyOutcome(Honest):
    """An end is every end."""

    def outcome(self, state: Any) -> Any:
        outcome = super().outcome(state)
        return None if outcome is None else AnyText(outcome)


class AnyPosition(Honest):
    """Its board is one, so that a cover entry for Y's like would serve M."""

    def format(self, state: Any) -> Any:
        return AnyText(state)


class AnyMove(Honest):
    """A move has every text."""

    def format_move(self, state: Any, move: Any) -> Any:
        return AnyText(move)


class Box:
    """A mutable position."""

    def __init__(self, node: str) -> None:
        self.node = node
        self.touched = False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Box) and self.node == other.node

    def __hash__(self) -> int:
        return hash(self.node)


class Touching(Honest):
    """Moves are made in the order of Y and X, and after Y, X leads to Y as well."""

    def initial(self) -> Any:
        return Box("R")

    def to_move(self, state: Any) -> Any:
        return super().to_move(state.node)

    def moves(self, state: Any) -> Any:
        return NODES[state.node][::-1]

    def play(self, state: Any, move: Any) -> Any:
        touched, state.touched = state.touched, True
        return Box("Y" if touched and move == "X" else move)

    def outcome(self, state: Any) -> Any:
        return super().outcome(state.node)

    def format(self, state: Any) -> Any:
        return state.node

    def parse(self, text: str) -> Any:
        return Box(text)


def claim(path: Path, game: Game[Any, Any]) -> Path:
    """Write that the first player wins by moving to M, and that both answers lose."""
    entry = Entry("=", "R", "M", 1, None)
    part = Part("win:first", "first", None, "proven", (entry,))
    write(path, Certificate(game.spec(), None, "R", "win", (part,)))
    return path


@pytest.mark.parametrize("rules", [Honest, AnySide, AnyOutcome, AnyPosition, AnyMove, Touching])
def test_a_false_proof_is_rejected(rules: type[Honest], tmp_path: Path) -> None:
    game = rules()
    with pytest.raises(CertificateError):
        andorra.check(claim(tmp_path / "file", game), game=game)


class EqualToAll(ABCMeta):
    """Classes that are equal to every class."""

    def __eq__(cls, other: object) -> bool:
        return True

    __hash__ = ABCMeta.__hash__


class Drawn(Honest, metaclass=EqualToAll):
    """From R, the only line ends in a draw."""

    def outcome(self, state: Any) -> Any:
        return None if state == "R" else "draw"


def test_no_class_is_built_in_by_its_own_word(tmp_path: Path) -> None:
    game, path = Drawn(), tmp_path / "file"
    verdict: VerdictName = "disproven"
    part = Part("win:first", "first", None, verdict, (Entry("=", "M", "X", None, None),))
    write(path, Certificate("mine", None, "R", "loss", (part,)))
    assert not is_built_in(game)
    with pytest.raises(CertificateError):
        andorra.check(path, game=game)
    patched: Any = make("mnk:3,3,3")
    assert is_built_in(patched)
    patched.outcome = lambda state: "first"
    assert not is_built_in(patched)


class Slotted:
    """A slot that copying does not see."""

    __slots__ = ("part",)
    __slotnames__: ClassVar[list[str]] = []

    def __init__(self, part: object) -> None:
        self.part = part


class OfTuple(tuple[int, ...]):
    """A tuple that says it is empty."""

    def __getnewargs__(self) -> tuple[tuple[int, ...]]:
        return ((),)


class OfSet(frozenset[int]):
    """A set with an attribute."""

    part = 0


@dataclass(frozen=True)
class Cached:
    """A part that equality leaves out."""

    node: str
    part: int = field(compare=False, default=0)


def of_set(part: int) -> OfSet:
    made = OfSet()
    made.part = part
    return made


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (0.0, -0.0),
        (complex(0, 0.0), complex(0, -0.0)),
        (Slotted(1), Slotted(2)),
        (OfTuple([1]), OfTuple([2])),
        (of_set(1), of_set(2)),
        (StringIO("a"), StringIO("b")),
        (Cached("a", 1), Cached("a", 2)),
        ((Cached("a", 1),), (Cached("a", 2),)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_no_part_is_overlooked(one: object, other: object) -> None:
    assert not is_alike(one, other)


def test_equal_states_of_common_kinds_are_alike() -> None:
    @dataclass(frozen=True, slots=True)
    class Both:
        cells: tuple[int, ...]
        names: frozenset[str]

    assert is_alike(Both((1, 2), frozenset("ab")), Both((1, 2), frozenset("ba")))
    assert not is_alike(Both((1, 2), frozenset("ab")), Both((1, 2), frozenset("a")))
    assert is_alike(OfTuple([1]), OfTuple([1]))


def test_moves_that_touch_their_position_are_found() -> None:
    report = andorra.check_rules(Touching())
    assert "play" in [promise.name for promise in report.broken]


class EndingTheProgram(Honest):
    """A rule that ends the program as if all were well."""

    def outcome(self, state: Any) -> Any:
        raise SystemExit(0)


@pytest.mark.parametrize("command", ["solve", "check", "games"])
def test_rules_cannot_end_the_program_with_an_answer(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = claim(tmp_path / "file.andorra", Honest())
    rules = f"{__file__}:EndingTheProgram"
    arguments = {
        "solve": ["solve", "mine", "--rules", rules],
        "check": ["check", str(file), "--rules", rules],
        "games": ["games", "--check", rules],
    }[command]
    assert main(arguments) == exits.BAD_INPUT
    assert "tried to end the program" in capsys.readouterr().err
