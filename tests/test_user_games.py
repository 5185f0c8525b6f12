"""Users' games, solved: all forms give what the built-in games give, and broken rules are named.

The rules by themselves, native ones included, are tested in `test_user_games_rules.py`.
"""

from __future__ import annotations

import importlib.util
import signal
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import andorra
from andorra import FIRST, SECOND, Game, NativeLibrary, Result, RuleError
from andorra.rulebook import GAMES, Outcome, Side, make
from games_kit import DATA, winner
from random_graphs import random_graph
from result_kit import assert_consistent, assert_keeps_verdict, oracle
from settings import GENERAL

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "docs" / "examples"
COUNTED = ("nodes", "expansions", "moves", "repetitions")
CYCLIC_GRAPHS = 60

every_algorithm = pytest.mark.parametrize("algorithm", GENERAL)


def load(name: str) -> ModuleType:
    """An example of the documentation, as a module."""
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def counts(result: Result) -> dict[str, int]:
    """What two searches that are the same have in common."""
    return {name: result.statistics[name] for name in COUNTED}


def as_users(game: Game[Any, Any]) -> Game[Any, Any]:
    """The same rules in a class of one's own, which the core does not know."""
    kind = type(game)
    mine: Game[Any, Any] = object.__new__(type(f"My{kind.__name__}", (kind,), {}))
    mine.__dict__.update(game.__dict__)
    return mine


# ---- Python classes ----


def test_nim_in_less_than_forty_lines(tmp_path: Path) -> None:
    assert len((EXAMPLES / "nim.py").read_text().splitlines()) < 40
    nim = load("nim").Nim()
    path = tmp_path / "nim.andorra"
    result = andorra.solve(nim, question="value", certificate=path)
    assert (result.game, result.value) == ("nim", "loss")
    verified = andorra.check(path, game=load("nim").Nim())
    assert (verified.value, verified.own_rules) == ("loss", False)
    with pytest.raises(andorra.CertificateError, match="'nim'"):
        andorra.check(path)


@every_algorithm
def test_nim_by_its_theory(algorithm: str) -> None:
    nim = load("nim").Nim()
    for heaps in [(0, 0, 1), (1, 1, 0), (1, 2, 3), (2, 2, 1), (1, 3, 2), (2, 0, 3), (3, 3, 0)]:
        result = andorra.solve(nim, repr((heaps, 1)), algorithm=algorithm, memory="8MiB")
        first_wins = heaps[0] ^ heaps[1] ^ heaps[2] == 0
        assert result.prover == "second"
        assert (heaps, result.value) == (heaps, "win" if first_wins else "loss")
        assert_consistent(nim, result)


@pytest.mark.parametrize("algorithm", ["dfpn", "pns", "fixpoint"])
@pytest.mark.parametrize(
    ("spec", "position"),
    [
        ("mnk:3,3,3", None),
        ("mnk:3,3,3", "x../.../..."),
        ("connect4:4x3", None),
        ("hex:3", None),
        ("breakthrough:4x2", None),
        ("toll:3", None),
    ],
)
def test_a_class_gives_what_the_built_in_game_gives(
    algorithm: str, spec: str, position: str | None, tmp_path: Path
) -> None:
    # A class declares no resources and guesses to the core, and has no defaults of its own.
    plain: dict[str, Any] = {"dominance": False, "backup": "sum", "initial": "unit"}
    alike = plain if algorithm == "dfpn" else {}
    results = [
        andorra.solve(
            game,
            position,
            "win:first",
            algorithm,
            memory="8MiB",
            certificate=tmp_path / name,
            **alike,
        )
        for name, game in (("built-in", make(spec)), ("class", as_users(make(spec))))
    ]
    built_in, users = results
    assert (users.verdict, users.line, users.line_end) == (
        built_in.verdict,
        built_in.line,
        built_in.line_end,
    )
    assert counts(users) == counts(built_in)
    assert andorra.check(tmp_path / "class", game=as_users(make(spec))).game == spec


class Exchange(Game[tuple[int, int], str]):
    """Both may pass for ever; who takes first loses two pieces, and with none left the game."""

    name = "exchange"

    def initial(self) -> tuple[int, int]:
        return (3, 0)

    def to_move(self, state: tuple[int, int]) -> Side:
        return SECOND if state[1] else FIRST

    def moves(self, state: tuple[int, int]) -> list[str]:
        return [] if self.outcome(state) else ["pass", "take"]

    def play(self, state: tuple[int, int], move: str) -> tuple[int, int]:
        return (state[0] - (move == "take"), 1 - state[1])

    def outcome(self, state: tuple[int, int]) -> Outcome | None:
        ends: tuple[Outcome, Outcome] = ("second", "first")
        return None if state[0] else ends[1 - state[1]]


@every_algorithm
def test_play_without_end_is_a_draw(algorithm: str, tmp_path: Path) -> None:
    game, path = Exchange(), tmp_path / "file"
    result = andorra.solve(
        game, question="value", algorithm=algorithm, memory="8MiB", certificate=path
    )
    assert (result.value, result.line_end) == ("draw", "repetition")
    assert winner(game, game.initial()) == "draw"
    assert andorra.check(path, game).value == "draw"


@every_algorithm
@pytest.mark.parametrize("name", DATA["graph"]["data"])
def test_cyclic_classes_against_the_oracle(algorithm: str, name: str) -> None:
    graph = make("graph", "\n".join(DATA["graph"]["data"][name]))
    for question in ("win:first", "win:second", "win:first<=3"):
        result = andorra.solve(as_users(graph), None, question, algorithm, memory="8MiB")
        assert result.verdict == oracle(graph, result.position, question)
        assert_consistent(graph, result)
        assert_keeps_verdict(graph, result)


@every_algorithm
def test_random_cyclic_classes_do_what_built_in_graphs_do(algorithm: str) -> None:
    limits: dict[str, Any] = {"memory": "8MiB", "nodes": 5_000}
    if any(option.name == "form" for option in andorra.algorithms()[algorithm].options):
        limits["form"] = "tree"  # a class does not say which moves are conversions
    cyclic = 0
    for seed in range(CYCLIC_GRAPHS):
        graph = make("graph", random_graph(seed).text)
        built_in = andorra.solve(graph, None, "win:first", algorithm, **limits)
        users = andorra.solve(as_users(graph), None, "win:first", algorithm, **limits)
        assert (seed, users.verdict, counts(users)) == (seed, built_in.verdict, counts(built_in))
        assert users.verdict in ("unknown", oracle(graph, users.position, "win:first"))
        cyclic += built_in.statistics.get("repetitions", 0) > 0
    assert cyclic or algorithm == "fixpoint"


def test_the_question_of_a_class_is_the_default() -> None:
    mine = as_users(make("hex:2"))
    mine.question = "win:second"
    assert andorra.solve(mine).question == "win:second"


# ---- compiled rules ----


@pytest.mark.parametrize("size", ["4x4", "3x5"])
def test_numba_rules_give_what_the_built_in_game_gives(size: str, tmp_path: Path) -> None:
    game, path = load("connect4_numba").connect4(size), tmp_path / "file"
    for question in ("win:first", "win:second"):
        built_in = andorra.solve(f"connect4:{size}", question=question, memory="32MiB")
        compiled = andorra.solve(game, question=question, memory="32MiB", certificate=path)
        assert (compiled.game, compiled.verdict) == (f"connect4:{size}", built_in.verdict)
        assert counts(compiled) == counts(built_in)
        assert (compiled.line, compiled.line_end) == (built_in.line, built_in.line_end)
        assert andorra.check(path).own_rules is False
        assert andorra.check(path, game).own_rules is True


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example in C, compiled by the system's compiler."""
    path = tmp_path_factory.mktemp("library") / "nim.so"
    source, include = EXAMPLES / "nim.c", ROOT / "core"
    options = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-O2", "-shared", "-fPIC"]
    subprocess.run(["cc", *options, f"-I{include}", str(source), "-o", str(path)], check=True)
    return path


@every_algorithm
def test_a_library_gives_what_the_class_gives(
    algorithm: str, library: Path, tmp_path: Path
) -> None:
    native, path = NativeLibrary(library), tmp_path / "file"
    settings: dict[str, Any] = {"question": "value", "algorithm": algorithm, "memory": "8MiB"}
    compiled = andorra.solve(native, certificate=path, **settings)
    python = andorra.solve(load("nim").Nim(), **settings)
    assert (compiled.game, compiled.position) == ("nim:1,2,3", "1,2,3 x")
    assert (compiled.value, compiled.line) == (python.value, python.line)
    assert counts(compiled) == counts(python)
    verified = andorra.check(path, game=NativeLibrary(library))
    assert (verified.value, verified.own_rules) == ("loss", True)


def test_a_file_that_is_no_library() -> None:
    with pytest.raises(RuleError, match=r"nim\.c"):
        NativeLibrary(EXAMPLES / "nim.c")
    with pytest.raises(RuleError, match="missing"):
        NativeLibrary("missing.so")


# ---- broken rules ----

State = tuple[int, int]


class Race(Game[Any, Any]):
    """Sound: take one or two of what is left; who takes the last wins."""

    name = "race"
    acyclic = True
    can_draw = False

    def initial(self) -> Any:
        return (8, 0)

    def to_move(self, state: State) -> Any:
        return state[1]

    def moves(self, state: State) -> Any:
        return [take for take in (1, 2) if take <= state[0]]

    def play(self, state: State, move: int) -> Any:
        return (state[0] - move, 1 - state[1])

    def outcome(self, state: State) -> Any:
        return None if state[0] else ("second", "first")[state[1]]


def broken(**rules: Callable[..., Any]) -> Race:
    """`Race` with other rules, each called with the sound game in front of its arguments."""
    sound = Race()

    def replaced(rule: Callable[..., Any]) -> Callable[..., Any]:
        return lambda self, *arguments: rule(sound, *arguments)

    game: Race = type("Broken", (Race,), {name: replaced(rule) for name, rule in rules.items()})()
    return game


def raising(rule: str) -> Race:
    """`Race` with a rule that raises below the first moves."""

    def bad(sound: Race, *arguments: Any) -> Any:
        if rule in ("initial", "parse") or arguments[0][0] < 7:
            raise LookupError("on purpose")
        return getattr(sound, rule)(*arguments)

    return broken(**{rule: bad})


def forgetful() -> Race:
    """`Race` with a rule that gives the moves in another order when asked again."""
    asked: set[State] = set()

    def moves(sound: Race, state: State) -> Any:
        again = state in asked
        asked.add(state)
        return sound.moves(state)[:: -1 if again else 1]

    return broken(moves=moves)


def circular() -> Race:
    """`Race` with a move that only passes, though the game says that nothing comes again."""
    return broken(
        moves=lambda sound, state: [0, *sound.moves(state)] if state[0] else [],
        play=lambda sound, state, move: sound.play(state, move),
    )


RULES = ("to_move", "moves", "play", "outcome", "format", "format_move")
BROKEN: dict[str, tuple[Callable[[], Race], str, str]] = {
    **{f"{rule} raises": (partial(raising, rule), rule, "(6, ") for rule in RULES},
    "initial raises": (lambda: raising("initial"), "initial", "on purpose"),
    "parse raises": (lambda: raising("parse"), "parse", "(8, 0)"),
    "unhashable root": (lambda: broken(initial=lambda _: [8, 0]), "unhashable", "[8, 0]"),
    "unhashable state": (
        lambda: broken(play=lambda sound, *move: list(sound.play(*move))),
        "unhashable",
        "[7, 1]",
    ),
    "unknown outcome": (
        lambda: broken(outcome=lambda sound, state: None if state[0] else "white"),
        "outcome",
        "'white'",
    ),
    "a draw denied": (
        lambda: broken(outcome=lambda sound, state: None if state[0] else "draw"),
        "outcome",
        "draw",
    ),
    "wrong side": (lambda: broken(to_move=lambda sound, state: 2), "to_move", "(8, 0)"),
    "wrong side later": (lambda: broken(to_move=lambda _, s: s[1] * 5), "to_move", "(7, 1)"),
    "moves that change": (forgetful, "moves", "asked again"),
    "no moves": (
        lambda: broken(moves=lambda sound, s: sound.moves(s) if s[0] > 6 else []),
        "moves",
        "(6, ",
    ),
    "moves are no list": (lambda: broken(moves=lambda _, s: iter([1])), "moves", "(8, 0)"),
    "moves are nothing": (lambda: broken(moves=lambda _, s: None), "moves", "(8, 0)"),
    "same move texts": (lambda: broken(format_move=lambda *_: "x"), "moves", "'x' twice"),
    "white space": (lambda: broken(format_move=lambda _, s, m: f" {m}"), "format_move", "(8, 0)"),
    "no move text": (lambda: broken(format_move=lambda *_: ""), "format_move", "(8, 0)"),
    "move is no text": (lambda: broken(format_move=lambda _, s, m: m), "format_move", "(8, 0)"),
    "position is no text": (lambda: broken(format=lambda _, s: s), "format", "(8, 0)"),
    "two lines": (lambda: broken(format=lambda _, s: f"{s[0]}\n{s[1]}"), "format", "(8, 0)"),
    "read as another": (lambda: broken(parse=lambda _, text: (8, 1)), "parse", "(8, 0)"),
    "not acyclic": (circular, "play", "came back"),
}
"""What makes the game, and what the error must name: the rule, and the position or the fault."""


@every_algorithm
@pytest.mark.parametrize("case", BROKEN)
def test_broken_rules_are_named(algorithm: str, case: str, tmp_path: Path) -> None:
    make_broken, rule, place = BROKEN[case]
    with pytest.raises(RuleError) as caught:
        andorra.solve(
            make_broken(), algorithm=algorithm, memory="8MiB", certificate=tmp_path / "file"
        )
    assert "race" in str(caught.value)
    assert rule in str(caught.value)
    assert place in str(caught.value)
    assert list(tmp_path.iterdir()) == []
    assert andorra.solve(Race(), algorithm=algorithm, memory="8MiB").value == "win"


@every_algorithm
def test_moves_at_an_end_are_never_played(algorithm: str) -> None:
    """No search asks an end for its moves, so this fault is not seen; nor can it do any harm."""
    game = broken(moves=lambda sound, state: sound.moves(state) or [1])
    result = andorra.solve(game, algorithm=algorithm, memory="8MiB")
    assert result.value == "win"
    assert_consistent(Race(), result)


@every_algorithm
def test_a_rule_that_fails_once_at_any_time(algorithm: str, tmp_path: Path) -> None:
    """Also while the line and the certificate are extracted: no file, no verdict, no trace."""
    calls = failing_at(None, algorithm, tmp_path)
    (tmp_path / "file").unlink()
    assert calls > 20
    for number in range(1, calls + 1, 3):
        with pytest.raises(RuleError, match="'play' raised LookupError: on purpose"):
            failing_at(number, algorithm, tmp_path)
        assert list(tmp_path.iterdir()) == []


def failing_at(number: int | None, algorithm: str, folder: Path) -> int:
    """Solve with a rule whose call of that number fails; how often it was called."""
    calls = 0

    def play(sound: Race, state: State, move: int) -> Any:
        nonlocal calls
        calls += 1
        if calls == number:
            raise LookupError("on purpose")
        return sound.play(state, move)

    game = broken(play=play)
    settings: dict[str, Any] = {"memory": "8MiB", "certificate": folder / "file"}
    andorra.solve(game, question="value", algorithm=algorithm, **settings)
    return calls


@every_algorithm
def test_ctrl_c_in_a_rule_ends_a_search(algorithm: str) -> None:
    calls = 0

    def play(sound: Race, state: State, move: int) -> Any:
        nonlocal calls
        calls += 1
        if calls == 10:
            signal.raise_signal(signal.SIGINT)
        return sound.play(state, move)

    result = andorra.solve(broken(play=play), algorithm=algorithm, memory="8MiB")
    assert (result.verdict, result.limit) == ("unknown", "interrupted")
    assert andorra.solve(Race(), algorithm=algorithm, memory="8MiB").value == "win"


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        ("name", ""),
        ("name", "a b"),
        ("name", "a:b"),
        ("name", None),
        ("parameters", 3),
        ("parameters", "a\nb"),
        ("acyclic", "yes"),
        ("can_draw", None),
    ],
)
def test_a_class_with_wrong_attributes(attribute: str, value: object) -> None:
    game = Race()
    setattr(game, attribute, value)
    with pytest.raises(RuleError):
        andorra.solve(game)


def test_every_game_of_the_rulebook_works_as_a_class() -> None:
    for name in set(GAMES) - {"graph"}:
        mine = as_users(make(DATA[name]["games"][0]["spec"]))
        assert andorra.solve(mine, nodes=50, memory="8MiB").statistics["nodes"] > 0
