"""The core's fast games against the reference rules: the same texts, sides, ends, moves and counts.

The reference rules are the specification. Keys have no counterpart there; they must be the same
whether a position was reached by moves or read from text, come back with undo, and tell positions
apart. Everything is parametrised over `tests/data/games.json` (see `games_kit`).
"""

from __future__ import annotations

import importlib
import random
from typing import Any

import pytest

from andorra.errors import PositionError
from andorra.rulebook import GAMES, make
from games_kit import (
    DATA,
    AnyGame,
    accepts,
    divide,
    entries,
    game_of,
    mutate,
    playout,
    rules_of,
    sample,
)

PLAYOUTS = 30
MUTATIONS = 1_500

every_game = pytest.mark.parametrize(("name", "entry"), entries("games"))


@pytest.fixture(scope="module")
def core() -> Any:
    """The native module."""
    return importlib.import_module("andorra._core")


def fast_game(core: Any, name: str, entry: dict[str, Any]) -> Any:
    """The core's game for an entry of the data file."""
    return core.make_game(entry["spec"], rules_of(name, entry))


def assert_same(fast: Any, reference: AnyGame, state: Any) -> None:
    """Both say the same of a position."""
    text = reference.format(state)
    moves = [reference.format_move(state, move) for move in reference.moves(state)]
    assert fast.canonical(text) == text
    assert (text, fast.to_move(text)) == (text, reference.to_move(state))
    assert (text, fast.outcome(text)) == (text, reference.outcome(state))
    assert (text, list(fast.moves(text))) == (text, moves)
    assert (text, fast.scores(text)) == (text, reference.scores(state))


def encodable(text: str) -> bool:
    """Whether UTF-8, which the core reads, can hold the text at all."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


# ---- the same rules ----


@every_game
def test_same_description(core: Any, name: str, entry: dict[str, Any]) -> None:
    fast, reference = fast_game(core, name, entry), game_of(name, entry)
    assert fast.spec == reference.spec()
    assert fast.acyclic == reference.acyclic
    assert fast.can_draw == reference.can_draw
    assert fast.initial() == reference.format(reference.initial())


@every_game
def test_same_positions_in_random_playouts(core: Any, name: str, entry: dict[str, Any]) -> None:
    fast, reference = fast_game(core, name, entry), game_of(name, entry)
    rng = random.Random(1)
    for _ in range(PLAYOUTS):
        for state, move in playout(reference, rng):
            assert_same(fast, reference, state)
            if move is not None:
                text, step = reference.format(state), reference.format_move(state, move)
                after = reference.format(reference.play(state, move))
                assert (text, step, fast.play(text, step)) == (text, step, after)


@pytest.mark.parametrize(("name", "entry"), entries("positions"))
def test_same_example_positions(core: Any, name: str, entry: dict[str, Any]) -> None:
    fast, reference = fast_game(core, name, entry), game_of(name, entry)
    assert fast.canonical(entry["text"]) == entry.get("canonical", entry["text"])
    assert_same(fast, reference, reference.parse(entry["text"]))


@every_game
def test_perft(core: Any, name: str, entry: dict[str, Any]) -> None:
    fast, reference = fast_game(core, name, entry), game_of(name, entry)
    text = entry.get("position", fast.initial())
    for depth, expected in enumerate(entry["perft"], start=1):
        found = fast.perft(text, depth)
        if found != expected:
            both = compared(
                fast.divide(text, depth), divide(reference, reference.parse(text), depth)
            )
            pytest.fail(f"depth {depth}: {found}, expected {expected}; move by move:\n{both}")


def compared(found: dict[str, int], expected: dict[str, int]) -> str:
    """Two divisions of a perft count side by side, the lines that differ marked."""
    moves = sorted(found.keys() | expected.keys())
    counts = [(move, found.get(move, 0), expected.get(move, 0)) for move in moves]
    return "\n".join(f"{m}: {f}, expected {e}{'' if f == e else '  <--'}" for m, f, e in counts)


@every_game
def test_divide(core: Any, name: str, entry: dict[str, Any]) -> None:
    fast, reference = fast_game(core, name, entry), game_of(name, entry)
    state = reference.initial()
    found = fast.divide(reference.format(state), 2)
    assert list(found.items()) == list(divide(reference, state, 2).items())


@every_game
def test_same_resources(core: Any, name: str, entry: dict[str, Any]) -> None:
    fast, reference = fast_game(core, name, entry), game_of(name, entry)
    for state in sample(reference, 200):
        assert tuple(fast.resources(reference.format(state))) == reference.resources(state)


# ---- keys ----


@every_game
def test_keys_by_moves_equal_fresh_keys_and_undo_restores(
    core: Any, name: str, entry: dict[str, Any]
) -> None:
    fast, reference = fast_game(core, name, entry), game_of(name, entry)
    rng = random.Random(2)
    for _ in range(PLAYOUTS):
        line = list(playout(reference, rng))
        texts = [reference.format(state) for state, _ in line]
        steps = [reference.format_move(state, move) for state, move in line[:-1]]
        fresh = [(text, fast.key(text)) for text in texts]
        assert fast.replay(texts[0], steps) == fresh[1:] + fresh[-2::-1]


@every_game
def test_distinct_positions_have_distinct_keys(core: Any, name: str, entry: dict[str, Any]) -> None:
    fast, reference = fast_game(core, name, entry), game_of(name, entry)
    texts = {reference.format(state) for state in sample(reference, 3_000)}
    keys = {text: fast.key(text) for text in texts}
    assert len(set(keys.values())) == len(texts)


@every_game
def test_board_keys_are_equal_exactly_for_equal_boards(
    core: Any, name: str, entry: dict[str, Any]
) -> None:
    fast, reference = fast_game(core, name, entry), game_of(name, entry)
    states = set(sample(reference, 500))
    if not reference.resources(reference.initial()):
        assert all(fast.board_key(reference.format(state)) is None for state in states)
        return
    pairs = {(reference.board(state), fast.board_key(reference.format(state))) for state in states}
    assert len(pairs) == len({board for board, _ in pairs}) == len({key for _, key in pairs})


# ---- the same input accepted and rejected ----


@every_game
def test_same_texts_are_accepted(core: Any, name: str, entry: dict[str, Any]) -> None:
    fast, reference = fast_game(core, name, entry), game_of(name, entry)
    rng = random.Random(3)
    texts = [reference.format(state) for state in sample(reference, 200)]
    texts += [position["text"] for position in DATA[name]["positions"]]
    for _ in range(MUTATIONS):
        text = mutate(rng.choice(texts), rng)
        if accepts(reference, text):
            state = reference.parse(text)
            assert (text, fast.canonical(text)) == (text, reference.format(state))
            assert_same(fast, reference, state)
        else:
            assert_rejected(fast, text)


def assert_rejected(fast: Any, text: str) -> None:
    """The core does not read `text` either."""
    try:
        found = fast.canonical(text)
    except PositionError:
        return
    pytest.fail(f"the core reads {text!r} as {found!r}, the reference rules reject it")


@pytest.mark.parametrize(("name", "entry"), entries("rejected"))
def test_rejected_positions(core: Any, name: str, entry: dict[str, Any]) -> None:
    if encodable(entry["text"]):
        assert_rejected(fast_game(core, name, entry), entry["text"])


@every_game
def test_illegal_moves_are_rejected(core: Any, name: str, entry: dict[str, Any]) -> None:
    fast, reference = fast_game(core, name, entry), game_of(name, entry)
    rng = random.Random(4)
    states = sample(reference, 100)
    seen = sorted({reference.format_move(s, move) for s in states for move in reference.moves(s)})
    for state in states:
        legal = {reference.format_move(state, move) for move in reference.moves(state)}
        tried = {mutate(rng.choice(seen), rng), rng.choice(seen), ""}
        for step in tried - legal:
            with pytest.raises(PositionError):
                fast.play(reference.format(state), step)


@pytest.mark.parametrize("name", GAMES)
def test_same_specs_are_accepted(core: Any, name: str) -> None:
    rng = random.Random(5)
    for _ in range(MUTATIONS):
        entry = rng.choice(DATA[name]["games"])
        assert_same_game(core, mutate(entry["spec"], rng), rules_of(name, entry))
    for spec in [*DATA[name]["bad_specs"], *DATA[name].get("spellings", ())]:
        assert_same_game(core, spec, None)


@pytest.mark.parametrize("label", DATA["graph"]["data"])
def test_same_graphs_are_accepted(core: Any, label: str) -> None:
    rng, text = random.Random(6), "\n".join(DATA["graph"]["data"][label])
    for _ in range(MUTATIONS):
        assert_same_game(core, "graph", mutate(text, rng))


def test_same_hints_are_accepted(core: Any) -> None:
    """Words exchanged, dropped, doubled and replaced, so that many mutants are nearly right."""
    rng, lines = random.Random(7), DATA["graph"]["data"]["hints"]
    accepted = 0
    for _ in range(2 * MUTATIONS):
        mutant = "\n".join(with_other_words(lines, rng))
        assert_same_game(core, "graph", mutant)
        accepted += makes(core, "graph", mutant)
    assert MUTATIONS // 10 < accepted < 2 * MUTATIONS - MUTATIONS // 10


def with_other_words(lines: list[str], rng: random.Random) -> list[str]:
    """The lines with one word of one line, in front or behind, replaced by others of the text."""
    line = rng.randrange(len(lines))
    words, others = lines[line].split(), " ".join(lines).replace(":", "").split()
    place = rng.randrange(len(words) + 1)
    words[place : place + rng.randint(0, 2)] = rng.sample([*others, "0", "00"], rng.randint(0, 2))
    return [*lines[:line], " ".join(words), *lines[line + 1 :]]


@pytest.mark.parametrize(
    "case", DATA["graph"]["bad_data"], ids=lambda case: "|".join(case["lines"])[:40]
)
def test_bad_graphs_are_rejected_with_the_line(core: Any, case: dict[str, Any]) -> None:
    with pytest.raises(PositionError) as caught:
        core.make_game("graph", "\n".join(case["lines"]))
    line = case.get("core_line", case["line"])
    assert line is None or f"line {line} of the graph:" in str(caught.value)


@pytest.mark.parametrize("name", [name for name in GAMES if "data" not in DATA[name]])
def test_data_for_a_game_that_takes_none_is_rejected(core: Any, name: str) -> None:
    assert_same_game(core, name, "A: win")


def assert_same_game(core: Any, spec: str, data: str | None) -> None:
    """The core makes a game of this, with the same description, exactly if the reference does."""
    try:
        reference = make(spec, data)
    except PositionError:
        assert not makes(core, spec, data), f"the core accepts {spec!r} with data {data!r}"
        return
    fast = core.make_game(spec, data)
    described = (reference.spec(), reference.acyclic, reference.can_draw)
    assert (spec, data, fast.spec, fast.acyclic, fast.can_draw) == (spec, data, *described)
    assert (spec, data, fast.initial()) == (spec, data, reference.format(reference.initial()))
    again = core.make_game(reference.spec(), reference.hinted_data())
    assert (spec, data, again.initial()) == (spec, data, fast.initial())


def makes(core: Any, spec: str, data: str | None) -> bool:
    """Whether the core makes a game of this; any error but `PositionError` goes through."""
    try:
        core.make_game(spec, data)
    except PositionError:
        return False
    return True
