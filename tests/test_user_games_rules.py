"""Users' games at the level of rules: sound ones give what they should, broken ones are named."""

from __future__ import annotations

import ctypes
import importlib.util
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from andorra import abi
from andorra.errors import PositionError, RuleError
from andorra.native import NativeLibrary, NumbaGame
from andorra.rulebook import make
from andorra.rulebook.base import Game
from andorra.user_game import TEXTS_READ_BACK, PythonBackend

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "docs" / "examples"
DOCUMENT = ROOT / "docs" / "abi.md"
HEADER = ROOT / "core" / "abi.h"

State = tuple[int, int]
Rule = Callable[..., Any]


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def fence(title: str) -> str:
    """The code of the fence in docs/abi.md that has this title."""
    found = re.findall(rf"^```{title}\n(.*?)^```$", DOCUMENT.read_text(), re.MULTILINE | re.DOTALL)
    assert len(found) == 1
    return str(found[0])


def positions(game: Game[Any, Any], state: Any) -> Iterator[Any]:
    """The whole tree below `state`, depth first."""
    yield state
    for move in game.moves(state):
        yield from positions(game, game.play(state, move))


def raised(action: Callable[[], Any], *words: str) -> RuleError:
    with pytest.raises(RuleError) as caught:
        action()
    for word in words:
        assert word in str(caught.value)
    return caught.value


# Python classes


class Nim(Game[Any, Any]):
    """One heap of five, take one to three; with rules replaced by what a test gives."""

    name = "nim"
    acyclic = True
    can_draw = False

    def __init__(self, **broken: Rule) -> None:
        for rule, function in broken.items():
            setattr(self, rule, function)

    def initial(self) -> Any:
        return (5, 0)

    def to_move(self, state: Any) -> Any:
        return state[1]

    def moves(self, state: Any) -> Any:
        return [take for take in (1, 2, 3) if take <= state[0]]

    def play(self, state: Any, move: Any) -> Any:
        return (state[0] - move, 1 - state[1])

    def outcome(self, state: Any) -> Any:
        return None if state[0] else ("second", "first")[state[1]]


def walk(backend: PythonBackend) -> int:
    """Expand everything from the initial position on; give the number of positions."""
    states, count = [backend.initial()[0]], 0
    while states:
        count += 1
        states += [child[0] for child in backend.expand(states.pop())]
    return count


def test_python_game_is_batched() -> None:
    backend = PythonBackend(Nim())
    root = backend.initial()
    assert root == ((5, 0), "", backend.parse("(5, 0)")[2], 0, 0)
    children = backend.expand((2, 1))
    assert [(c[0], c[1], c[3], c[4]) for c in children] == [
        ((1, 0), "1", 0, 0),
        ((0, 0), "2", 0, 2),
    ]
    assert all(child[2] == backend.parse(repr(child[0]))[2] for child in children)
    assert len({len(child[2]) for child in [root, *children]} | {16}) == 1
    assert len({child[2] for child in [root, *children]}) == 3
    assert backend.expand((0, 0)) == []
    assert (backend.spec, backend.acyclic, backend.can_draw) == ("nim", True, False)
    assert walk(backend) == sum(1 for _ in positions(Nim(), (5, 0)))


def test_python_game_reads_moves_by_number() -> None:
    backend = PythonBackend(Nim())
    assert [backend.parse_move((5, 0), text) for text in "123"] == [0, 1, 2]
    with pytest.raises(PositionError, match="'4' is no legal move"):
        backend.parse_move((5, 0), "4")
    with pytest.raises(PositionError, match="cannot read"):
        backend.parse("(5")
    wrong = PythonBackend(Nim(parse_move=lambda state, text: 9))
    raised(lambda: wrong.parse_move((5, 0), "1"), "'parse_move' read '1' as '9'", "'(5, 0)'")


def division(*_: Any) -> Any:
    return 1 // 0


def only_at(state: State, value: Any, otherwise: Rule) -> Rule:
    """A rule that gives something else at one state."""
    return lambda at, *more: value if at == state else otherwise(at, *more)


SOUND = Nim()


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ({"initial": division}, ("'initial' raised ZeroDivisionError",)),
        ({"to_move": division}, ("'to_move' raised ZeroDivisionError", "'(5, 0)'")),
        ({"moves": division}, ("'moves' raised ZeroDivisionError", "'(5, 0)'")),
        (
            {"play": lambda state, move: SOUND.play(state, move) if move != 2 else 1 // 0},
            ("nim: the rule 'play' raised ZeroDivisionError: ", "in position '(5, 0)' for move 2"),
        ),
        ({"outcome": division}, ("'outcome' raised ZeroDivisionError", "'(5, 0)'")),
        ({"format": division}, ("'format' raised ZeroDivisionError", "(5, 0)")),
        ({"parse": division}, ("'parse' raised ZeroDivisionError", "the text '(5, 0)'")),
        ({"format_move": division}, ("'format_move' raised ZeroDivisionError", "for move 1")),
        ({"initial": lambda: [5, 0]}, ("the state [5, 0] is unhashable",)),
        ({"play": lambda state, move: [0, 0]}, ("the state [0, 0] is unhashable",)),
        ({"to_move": lambda state: 2}, ("'to_move' gave 2", "0 or 1", "'(5, 0)'")),
        ({"to_move": lambda state: "first"}, ("'to_move' gave 'first'",)),
        ({"to_move": lambda state: 0.0}, ("'to_move' gave 0.0",)),
        ({"outcome": lambda state: "win"}, ("'outcome' gave 'win'", "'second'", "'(5, 0)'")),
        ({"outcome": lambda state: 1}, ("'outcome' gave 1",)),
        ({"outcome": lambda state: []}, ("'outcome' gave []",)),
        ({"moves": lambda state: {1, 2}}, ("'moves' gave {1, 2}", "list or tuple")),
        ({"moves": lambda state: iter([1])}, ("'moves' gave <list_iterator",)),
        ({"moves": lambda state: None}, ("'moves' gave None",)),
        ({"moves": lambda state: [1, 2, 1]}, ("'moves' gave the move '1' twice", "'(5, 0)'")),
        ({"moves": only_at((1, 1), [], SOUND.moves)}, ("no move although", "'(1, 1)'")),
        ({"moves": lambda state: [1]}, ("gave moves although the game has ended", "'(0, ")),
        ({"format": lambda state: 5}, ("'format' gave 5",)),
        ({"format": lambda state: ""}, ("'format' gave ''",)),
        ({"format": lambda state: "5\t0"}, ("'format' gave '5\\t0'", "without tabs")),
        ({"format": lambda state: "5\n0"}, ("'format' gave '5\\n0'",)),
        ({"format": lambda state: "\ud800"}, ("'format' gave '\\ud800'",)),
        ({"format_move": lambda state, move: "a b"}, ("'format_move' gave 'a b'", "'(5, 0)'")),
        ({"format_move": lambda state, move: ""}, ("'format_move' gave ''",)),
        ({"format_move": lambda state, move: move}, ("'format_move' gave 1",)),
        ({"format_move": lambda state, move: "m"}, ("the move 'm' twice",)),
        ({"parse": lambda text: (5, 1)}, ("'parse' read '(5, 0)' as (5, 1)",)),
        (
            {"format": lambda state: f"({state[0]}, 0)"},
            ("'parse' read '(2, 0)' as (2, 0)", "the state (2, 1)"),
        ),
    ],
)
def test_broken_python_game(rules: dict[str, Rule], words: tuple[str, ...]) -> None:
    error = raised(lambda: walk(PythonBackend(Nim(**rules))), "nim: ", *words)
    if " raised " in str(error):
        assert isinstance(error.__cause__, ZeroDivisionError)


class Mutable:
    """A state that `play` changes in place: hashable, and equal to what its text says."""

    def __init__(self, heap: int) -> None:
        self.heap = heap

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mutable) and self.heap == other.heap

    def __hash__(self) -> int:
        return 0

    def __repr__(self) -> str:
        return str(self.heap)


def test_python_game_that_changes_its_state() -> None:
    def play(state: Mutable, move: int) -> Mutable:
        state.heap -= move
        return state

    game = Nim(
        initial=lambda: Mutable(5),
        parse=lambda text: Mutable(int(text)),
        to_move=lambda state: 0,
        moves=lambda state: [1] if state.heap else [],
        outcome=lambda state: None if state.heap else "first",
        play=play,
    )
    raised(lambda: walk(PythonBackend(game)), "'play' changed its state, which was '5'")


@pytest.mark.parametrize(
    ("attributes", "word"),
    [
        ({"name": ""}, "the name ''"),
        ({"name": "a b"}, "the name 'a b'"),
        ({"name": "a:b"}, "the name 'a:b'"),
        ({"name": None}, "the name None"),
        ({"parameters": 5}, "the parameters are 5"),
        ({"parameters": "a\n"}, "the parameters are 'a\\n'"),
        ({"acyclic": 1}, "'acyclic' is 1"),
        ({"can_draw": "no"}, "'can_draw' is 'no'"),
    ],
)
def test_bad_attributes_of_a_python_game(attributes: dict[str, Any], word: str) -> None:
    raised(lambda: PythonBackend(Nim(**attributes)), word)


def test_interrupts_and_position_errors_pass() -> None:
    def interrupted(state: Any) -> Any:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        PythonBackend(Nim(moves=interrupted)).expand((5, 0))
    with pytest.raises(PositionError, match="'no'"):
        PythonBackend(Nim()).parse("no")


def test_positions_with_the_same_text() -> None:
    backend = PythonBackend(
        Nim(format=lambda state: str(state[0]), parse=lambda text: (int(text), 0))
    )
    backend.expand((5, 0))
    raised(lambda: backend.expand((5, 1)), "'parse' read '5' as (5, 0), expected the state (5, 1)")


def test_texts_are_read_back_for_the_first_positions() -> None:
    read: list[str] = []

    def parse(text: str) -> Any:
        read.append(text)
        return Nim.parse(SOUND, text)

    backend = PythonBackend(Nim(parse=parse))
    for heap in range(1, TEXTS_READ_BACK + 50):
        backend.expand((heap, 0))
        backend.expand((heap, 0))
    assert len(read) == TEXTS_READ_BACK
    assert len(set(read)) == TEXTS_READ_BACK


# Rules as C functions


def compiled(source: Path, folder: Path, *flags: str) -> Path:
    library = folder / f"{source.stem}.so"
    command = ["cc", "-std=c11", "-Wall", "-Werror", "-shared", "-fPIC", *flags]
    subprocess.run([*command, f"-I{HEADER.parent}", source, "-o", library], check=True)
    return library


def compiled_text(code: str, folder: Path) -> Path:
    source = folder / "game.c"
    source.write_text(code)
    return compiled(source, folder)


@pytest.fixture(scope="module")
def nim_library(tmp_path_factory: pytest.TempPathFactory) -> NativeLibrary:
    return NativeLibrary(compiled(EXAMPLES / "nim.c", tmp_path_factory.mktemp("nim")))


def test_library_equals_python_class(nim_library: NativeLibrary) -> None:
    python, native = load(EXAMPLES / "nim.py").Nim(), nim_library
    pairs = [(python.initial(), native.initial())]
    while pairs:
        state, same = pairs.pop()
        assert native.parse(native.format(same)) == same
        assert native.to_move(same) == python.to_move(state)
        assert native.outcome(same) == python.outcome(state)
        names = [native.format_move(same, move) for move in native.moves(same)]
        assert names == python.moves(state)
        for name in names:
            move = native.parse_move(same, name)
            pairs.append((python.play(state, name), native.play(same, move)))


def test_library_describes_itself(nim_library: NativeLibrary) -> None:
    assert nim_library.spec() == "nim:1,2,3"
    assert nim_library.own_rules
    assert (nim_library.acyclic, nim_library.can_draw) == (True, False)
    assert nim_library.format(nim_library.initial()) == "1,2,3 x"
    assert ctypes.c_uint32.from_address(nim_library.address).value == 1


@pytest.mark.parametrize("text", ["", "1,2,3", "1,2,3 y", "1,2,3\tx", "1,2,3 x ", "é,2,3 x", "\0"])
def test_library_rejects_text(nim_library: NativeLibrary, text: str) -> None:
    with pytest.raises(PositionError, match=re.escape(repr(text))):
        nim_library.parse(text)


def test_library_rejects_moves_and_states(nim_library: NativeLibrary) -> None:
    with pytest.raises(PositionError, match="'d1' is no legal move in '1,2,3 x'; legal: a1 b1"):
        nim_library.parse_move(nim_library.initial(), "d1")
    with pytest.raises(PositionError, match="99 is no legal move"):
        nim_library.play(nim_library.initial(), 99)
    with pytest.raises(PositionError, match="expected 4 bytes"):
        nim_library.moves(b"\0")
    raised(lambda: nim_library.to_move(b"\x0a\0\0\0"), "'describe' failed", "'10,0,0 x'")


def test_library_that_cannot_be_loaded(tmp_path: Path) -> None:
    raised(lambda: NativeLibrary(tmp_path / "missing.so"), "cannot load", "missing.so")
    (tmp_path / "text.so").write_text("no library")
    raised(lambda: NativeLibrary(tmp_path / "text.so"), "cannot load", "text.so")


@pytest.mark.parametrize(
    ("code", "word"),
    [
        ("int other;", "does not export 'const andorra_rules_v1* andorra_rules(void)'"),
        ("void* andorra_rules(void) { return 0; }", "null pointer"),
        ("unsigned r = 7; void* andorra_rules(void) { return &r; }", "version 7"),
    ],
)
def test_library_without_rules(code: str, word: str, tmp_path: Path) -> None:
    raised(lambda: NativeLibrary(compiled_text(code, tmp_path)), word)


def test_header_and_mirror_agree(tmp_path: Path) -> None:
    constants = dict(re.findall(r"#define ANDORRA_(\w+) (\d+)u", HEADER.read_text()))
    mirrored = {
        "ABI_VERSION": abi.VERSION,
        "MAX_STATE_BYTES": abi.MAX_STATE_BYTES,
        "MAX_MOVES": abi.MAX_MOVES,
        "MAX_TEXT_BYTES": abi.MAX_TEXT_BYTES,
        "ACYCLIC": abi.ACYCLIC,
        "NO_DRAWS": abi.NO_DRAWS,
        "ONGOING": abi.OUTCOMES.index(None),
        "FIRST_WINS": abi.OUTCOMES.index("first"),
        "SECOND_WINS": abi.OUTCOMES.index("second"),
        "DRAW": abi.OUTCOMES.index("draw"),
    }
    assert {name: int(value) for name, value in constants.items()} == mirrored
    fields = [field[0] for field in abi.RulesV1._fields_]
    offsets = ", ".join(f"offsetof(andorra_rules_v1, {field})" for field in fields)
    code = f'#include <stddef.h>\n#include "abi.h"\nsize_t offsets[] = {{{offsets}}};\n'
    library = ctypes.CDLL(str(compiled_text(code, tmp_path)))
    found = (ctypes.c_size_t * len(fields)).in_dll(library, "offsets")
    assert list(found) == [getattr(abi.RulesV1, field).offset for field in fields]


def c_nim(**changes: Any) -> abi.AbiGame:
    """Nim with one heap as C functions, which are Python functions here; some replaced."""

    def initial(state: int) -> int:
        ctypes.memmove(state, b"\x05\0", 2)
        return 1

    def describe(state: int, status: int) -> int:
        heap, side = ctypes.string_at(state, 2)
        ctypes.memset(status, side | (0 if heap else 2 - side) << 1, 1)
        return 1

    def expand(state: int, children: int, moves: int, status: int) -> int:
        heap, side = ctypes.string_at(state, 2)
        count = min(heap, 3)
        for i in range(count):
            ctypes.memmove(children + 2 * i, bytes([heap - i - 1, 1 - side]), 2)
            ctypes.c_uint32.from_address(moves + 4 * i).value = i + 1
            describe(children + 2 * i, status + i)
        return 1 + count

    fields: dict[str, Any] = {
        "abi_version": 1,
        "state_bytes": 2,
        "max_moves": 3,
        "flags": 3,
        "initial": initial,
        "describe": describe,
        "expand": expand,
        "name": b"nim",
    }
    fields.update(changes)
    types: dict[str, Any] = dict(abi.RulesV1._fields_)
    null = {name: types[name]() for name, value in fields.items() if value is None}
    functions = {name: types[name](value) for name, value in fields.items() if callable(value)}
    return abi.AbiGame(abi.RulesV1(**(fields | functions | null)))


def writes(text: bytes) -> Rule:
    """A text function that always writes `text`."""

    def write(*arguments: Any) -> int:
        address, capacity = arguments[-2:]
        ctypes.memmove(address, text, min(len(text), capacity))
        return 1 + len(text)

    return write


def test_default_texts_of_c_functions() -> None:
    game = c_nim()
    assert game.format(game.initial()) == "0500"
    assert game.parse("0301") == b"\x03\x01"
    assert game.moves(b"\x02\0") == [1, 2]
    assert game.parse_move(b"\x02\0", "2") == 2
    assert sum(1 for _ in positions(game, game.initial())) == 28
    for text in ("", "05", "050001", "0G00", "0A00"):
        with pytest.raises(PositionError, match="expected 4 hexadecimal digits"):
            game.parse(text)


@pytest.mark.parametrize("length", [1, 254, 255, 256, 257, 5000])
def test_texts_of_any_length(length: int) -> None:
    game = c_nim(format_state=writes(b"x" * length), parse_state=lambda text, state: 1)
    assert game.format(game.initial()) == "x" * length


def use_all(game: abi.AbiGame) -> None:
    for state in positions(game, game.initial()):
        game.format(state)
        game.to_move(state)
        game.outcome(state)
        for move in game.moves(state):
            assert game.parse_move(state, game.format_move(state, move)) == move


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"state_bytes": 0}, ("state_bytes is 0", "1 to 4096")),
        ({"state_bytes": 4097}, ("state_bytes is 4097",)),
        ({"max_moves": 0}, ("max_moves is 0", "1 to 65535")),
        ({"max_moves": 65536}, ("max_moves is 65536",)),
        ({"flags": 4}, ("flags is 4",)),
        ({"name": None}, ("no name",)),
        ({"name": b"a b"}, ("'a b'",)),
        ({"name": b"a:b"}, ("'a:b'",)),
        ({"parameters": b"\xff"}, ("parameters",)),
        ({"expand": None}, ("one is null",)),
        ({"format_state": writes(b"x")}, ("must both be given",)),
        ({"initial": lambda state: 0}, ("'initial' failed",)),
        ({"describe": lambda state, status: 0}, ("'describe' failed", "'0500'")),
        ({"expand": lambda *arguments: 0}, ("'expand' failed", "'0500'")),
        ({"expand": lambda *arguments: -1}, ("'expand' failed", "'0500'")),
        ({"expand": lambda *arguments: 5}, ("'expand' returned 5", "1 + 3", "'0500'")),
        ({"expand": lambda *arguments: 3}, ("a move code twice", "'0500'")),
        (
            {"expand": lambda *arguments: ctypes.memset(arguments[3], 8, 1) and 2},
            ("'expand' gave status 8", "'0500'"),
        ),
        (
            {"expand": lambda *arguments: ctypes.memset(arguments[0], 8, 1) and 2},
            ("'expand' changed its input", "'0500'"),
        ),
        (
            {"describe": lambda state, status: ctypes.memset(status, 8, 1) and 1},
            ("'describe' gave status 8", "'0500'"),
        ),
        (
            {"expand": lambda *arguments: 0, "explain": writes(b"it is raining")},
            ("'expand' failed", "'0500': it is raining"),
        ),
        ({"format_move": lambda *arguments: 0}, ("'format_move' failed", "bytes 0500")),
        ({"format_move": writes(b"a b")}, ("'format_move' wrote 'a b'", "bytes 0500")),
        ({"format_move": writes(b"")}, ("'format_move' wrote ''",)),
        ({"format_move": writes(b"m")}, ("'format_move' wrote 'm' for two moves", "'0500'")),
    ],
)
def test_broken_c_functions(changes: dict[str, Any], words: tuple[str, ...]) -> None:
    raised(lambda: use_all(c_nim(**changes)), *words)


@pytest.mark.parametrize("text", [b"", b"\t", b"\n", b"\xff", b"x" * abi.MAX_TEXT_BYTES])
def test_broken_text_of_c_functions(text: bytes) -> None:
    game = c_nim(format_state=writes(text), parse_state=lambda text, state: 1)
    raised(lambda: use_all(game), "'format_state' wrote", "bytes 0500")


# Numba


def numba_nim(**changes: Any) -> NumbaGame:
    """The game of docs/abi.md with some of its arguments replaced."""
    from_document: dict[str, Any] = {}
    exec(fence("python nim_numba.py"), from_document)
    arguments: dict[str, Any] = {
        "name": "nim",
        "dtype": "int64",
        "length": 2,
        "max_moves": 3,
        "initial": lambda: [5, 0],
        **{rule: from_document[rule] for rule in ("moves", "play", "to_move", "outcome")},
    }
    return NumbaGame(**(arguments | changes))


@pytest.fixture(scope="module")
def plain_nim() -> NumbaGame:
    return numba_nim()


def test_documented_examples() -> None:
    assert fence("c nim.c") == (EXAMPLES / "nim.c").read_text()
    assert len((EXAMPLES / "nim.py").read_text().splitlines()) < 40
    module: dict[str, Any] = {}
    exec(fence("python nim_numba.py"), module)
    game = module["nim"]()
    assert (game.spec(), game.format(game.initial())) == ("nim:5", "5 x")
    same = Nim()
    texts = [f"{heap} {'xo'[side]}" for heap, side in positions(same, same.initial())]
    assert [game.format(state) for state in positions(game, game.initial())] == texts
    for text in ("", "5", "5 y", "five x"):
        with pytest.raises(PositionError, match=re.escape(repr(text))):
            game.parse(text)


@pytest.mark.parametrize("size", ["5x4", "3x20", "8x7"])
def test_numba_connect4_equals_reference(size: str) -> None:
    game, reference = load(EXAMPLES / "connect4_numba.py").connect4(size), make(f"connect4:{size}")
    rng = random.Random(size)
    ends = set()
    for _ in range(30):
        state, same = game.initial(), reference.initial()
        while True:
            text = reference.format(same)
            assert game.format(state) == text
            assert game.parse(text) == state
            assert game.to_move(state) == reference.to_move(same)
            assert game.outcome(state) == reference.outcome(same)
            names = [reference.format_move(same, move) for move in reference.moves(same)]
            assert [game.format_move(state, move) for move in game.moves(state)] == names
            if not names:
                break
            name = rng.choice(names)
            state = game.play(state, game.parse_move(state, name))
            same = reference.play(same, reference.parse_move(same, name))
        ends.add(game.outcome(state))
    assert {"first", "second"} <= ends


def test_numba_connect4_rejects_text() -> None:
    module = load(EXAMPLES / "connect4_numba.py")
    game = module.connect4("4x4")
    for text in (
        "",
        "..../..../....",
        "..../..../..../...z",
        "..../..../x.../....",
        "..../..../..../xx..",
        "..../..../ooo./xxxx/",
        "..../..../xxxx/oooo",
        "..../x.../oooo/xxxo",
    ):
        with pytest.raises(PositionError):
            game.parse(text)
    for size in ("", "7", "7x", "0x6", "8x8", "axb"):
        with pytest.raises(PositionError, match="size"):
            module.connect4(size)


def test_numba_game_in_hexadecimal(plain_nim: NumbaGame) -> None:
    text = "05000000000000000000000000000000"
    assert plain_nim.format(plain_nim.initial()) == text
    assert plain_nim.parse(text) == plain_nim.initial()
    assert plain_nim.own_rules
    assert sum(1 for _ in positions(plain_nim, plain_nim.initial())) == 28


def divides(state: Any, move: Any, child: Any) -> None:
    child[0] = state[0] // (2 - move)


def gives_two(state: Any) -> int:
    return 2


def gives_four(state: Any) -> int:
    return 4


def gives_many(state: Any, out: Any) -> int:
    return 4


def writes_far(state: Any, out: Any) -> int:
    for i in range(state[0]):
        out[i] = i
    return 3


@pytest.mark.parametrize(
    ("changes", "words", "cause"),
    [
        ({"play": divides}, ("'play' raised FloatingPoint", "for move 2"), FloatingPointError),
        ({"to_move": gives_two}, ("'to_move' returned 2", "expected 0 to 1"), None),
        ({"outcome": gives_four}, ("'outcome' returned 4", "expected 0 to 3"), None),
        ({"moves": gives_many}, ("'moves' returned 4", "expected 0 to 3"), None),
        ({"moves": writes_far, "boundscheck": True}, ("'moves' raised IndexError",), IndexError),
    ],
)
def test_broken_numba_game(
    changes: dict[str, Any], words: tuple[str, ...], cause: type | None, capfd: Any
) -> None:
    error = raised(lambda: use_all(numba_nim(**changes)), "nim: the rule '", "' failed", *words)
    assert error.__cause__ is not None
    assert isinstance(error.__cause__.__cause__, cause or type(None))
    assert capfd.readouterr().err == ""


def test_core_can_ask_a_numba_game_for_the_reason() -> None:
    game = numba_nim(play=divides)
    rules, text = abi.rules_at(game.address), abi.Buffer(4096)
    state = abi.Buffer(16, game.initial())
    length = rules.explain(state, text, 4096) - 1
    assert text.read(0, length).startswith(b"'play' raised FloatingPointError: divide by zero")


def no_format(state: Any) -> str:
    raise LookupError("no words")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"format": no_format}, ("'format_state' failed", "LookupError: no words")),
        ({"format": lambda state: 5}, ("'format_state' failed", "gave 5, expected text")),
        ({"format": lambda state: "é"}, ("'format_state' wrote 'é'",)),
        ({"format_move": lambda state, move: "a b"}, ("'format_move' wrote 'a b'",)),
    ],
)
def test_broken_texts_of_a_numba_game(changes: dict[str, Any], words: tuple[str, ...]) -> None:
    game = numba_nim(**({"format": str, "parse": eval} | changes))
    raised(lambda: use_all(game), *words)


def test_position_errors_of_a_numba_game_pass() -> None:
    def parse(text: str) -> Any:
        if text == "tea":
            raise PositionError("no tea")
        return {"long": [1, 2, 3], "large": [2**70, 0]}.get(text) or int(text)

    game = numba_nim(format=str, parse=parse)
    with pytest.raises(PositionError, match=r"^no tea$"):
        game.parse("tea")
    with pytest.raises(PositionError, match="'x' is no position of nim: ValueError: invalid"):
        game.parse("x")
    with pytest.raises(PositionError, match=r"shape \(3,\), expected \(2,\)"):
        game.parse("long")
    with pytest.raises(PositionError, match="'large' is no position"):
        game.parse("large")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"dtype": "float64"}, ("dtype is 'float64'", "integer")),
        ({"dtype": ">u4"}, ("dtype is '>u4'",)),
        ({"length": 0}, ("length is 0", "1 to 512")),
        ({"length": 513}, ("length is 513",)),
        ({"length": "2"}, ("length is '2'",)),
        ({"max_moves": 65536}, ("max_moves is 65536",)),
        ({"initial": lambda: [5]}, ("'initial' gave an array of shape (1,)",)),
        ({"initial": lambda: [0.5, 0]}, ("'initial' gave [0.5, 0]", "does not fit int64")),
        ({"initial": division}, ("'initial' raised ZeroDivisionError",)),
        ({"name": "a b"}, ("'a b'",)),
        ({"format": str}, ("must both be given",)),
        ({"moves": lambda state, out: out.missing}, ("Numba cannot compile the rule 'moves'",)),
        ({"play": lambda state, move: None}, ("Numba cannot compile the rule 'play'",)),
    ],
)
def test_numba_game_that_cannot_be_made(changes: dict[str, Any], words: tuple[str, ...]) -> None:
    raised(lambda: numba_nim(**changes), *words)


def test_without_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(ImportError, match=r"pip install 'andorra\[numba\]'"):
        numba_nim()
