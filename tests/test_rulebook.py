"""The reference rules, each game against the same properties and its own data.

Everything here is parametrised over `GAMES` and `tests/data/games.json` (see `games_kit`): a game
added to the list gets the whole suite, and fails it until it has data.
"""

from __future__ import annotations

import doctest
import functools
import importlib
import itertools
import pkgutil
import random
from pathlib import Path
from typing import Any

import pytest

from andorra import rulebook
from andorra.errors import PositionError
from andorra.rulebook import FIRST, GAMES, SECOND, SIDE_NAMES, make
from andorra.rulebook.boards import Shape
from andorra.rulebook.graph import Graph
from andorra.rulebook.stones import Runs
from games_kit import (
    DATA,
    ODD,
    AnyGame,
    accepts,
    divide,
    entries,
    game_of,
    mutate,
    perft,
    playout,
    reachable,
    rules_of,
    sample,
    winner,
)

PLAYOUTS = 30
MUTATIONS = 2_000
SURROGATES = "\ud800\udfff"

every_game = pytest.mark.parametrize(("name", "entry"), entries("games"))
MODULES = [module.name for module in pkgutil.iter_modules(rulebook.__path__, "andorra.rulebook.")]


def test_every_game_has_data() -> None:
    assert list(DATA) == list(GAMES)
    for name, sections in DATA.items():
        for section in ("games", "positions", "rejected", "bad_specs", "values"):
            assert sections.get(section), f"{name} has no {section} in tests/data/games.json"


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_listed_under_its_own_name(name: str) -> None:
    assert GAMES[name].name == name


# ---- along random playouts ----


@every_game
def test_text_round_trip(name: str, entry: dict[str, Any]) -> None:
    game = game_of(name, entry)
    for state in sample(game, 500):
        text = game.format(state)
        assert game.parse(text) == state
        assert hash(game.parse(text)) == hash(state)
        assert "\t" not in text and "\n" not in text


@every_game
def test_equal_texts_exactly_for_equal_states(name: str, entry: dict[str, Any]) -> None:
    game = game_of(name, entry)
    states = set(sample(game, 500))
    assert len({game.format(state) for state in states}) == len(states)


def check_moves(game: AnyGame, state: Any) -> None:
    """What holds for the moves of every position."""
    moves = game.moves(state)
    texts = [game.format_move(state, move) for move in moves]
    assert (not moves) == (game.outcome(state) is not None)
    assert len(set(texts)) == len(texts)
    assert list(game.moves(state)) == list(moves)
    assert [game.parse_move(state, text) for text in texts] == list(moves)
    assert not any(character.isspace() for text in texts for character in text)
    assert game.to_move(state) in (FIRST, SECOND)
    assert game.outcome(state) in (None, "first", "second", "draw")


@every_game
def test_moves_are_unique_and_none_exactly_at_ends(name: str, entry: dict[str, Any]) -> None:
    game = game_of(name, entry)
    for state in sample(game, 300):
        check_moves(game, state)


@every_game
def test_playing_leaves_the_old_state_alone(name: str, entry: dict[str, Any]) -> None:
    game = game_of(name, entry)
    for state in sample(game, 100):
        before = game.format(state)
        for move in game.moves(state):
            assert game.play(state, move) == game.play(state, move)
        assert game.format(state) == before


@every_game
def test_declared_properties_hold_in_playouts(name: str, entry: dict[str, Any]) -> None:
    game, rng = game_of(name, entry), random.Random(7)
    for _ in range(PLAYOUTS):
        states = [state for state, _ in playout(game, rng)]
        assert len(set(states)) == len(states) or not game.acyclic
        assert game.outcome(states[-1]) != "draw" or game.can_draw
        assert wins_by_own_moves(game, states) or not game.wins_by_own_move


def wins_by_own_moves(game: AnyGame, states: list[Any]) -> bool:
    """Whether sides alternate in this game, and who wins has moved last."""
    movers = [game.to_move(state) for state in states]
    alternate = all(before != after for before, after in itertools.pairwise(movers))
    outcome = game.outcome(states[-1])
    return alternate and (
        len(states) == 1 or outcome in (None, "draw", SIDE_NAMES[FIRST + SECOND - movers[-1]])
    )


@every_game
def test_scores_never_part_further_along_a_line(name: str, entry: dict[str, Any]) -> None:
    game, rng = game_of(name, entry), random.Random(7)
    for _ in range(PLAYOUTS):
        scores = [game.scores(state) for state, _ in playout(game, rng, entry.get("position"))]
        for (low, high), (least, most) in itertools.pairwise(scores):
            assert low <= least <= most <= high
        *_, (end, _) = playout(game, random.Random(7), entry.get("position"))
        assert game.outcome(end) is None or len(set(game.scores(end))) == 1


def test_that_a_side_wins_by_its_own_move_is_no_matter_of_course() -> None:
    kinds = {name: game.wins_by_own_move for name, game in GAMES.items()}
    assert {name for name, own in kinds.items() if not own} == {
        "graph",
        "cops",
        "loa",
        "toll",
        "dots",
        "rolit",
    }


@every_game
def test_pictures_are_plain_text(name: str, entry: dict[str, Any]) -> None:
    game = game_of(name, entry)
    for state in sample(game, 50):
        lines = game.draw(state).split("\n")
        assert all(lines)
        assert name == "graph" or all(line.isprintable() for line in lines)


@pytest.mark.parametrize(
    ("name", "entry"),
    [case for case in entries("games") if "own_resource_test" not in DATA[case.values[0]]],
)
def test_more_resources_are_never_worse_for_the_first_player(
    name: str, entry: dict[str, Any]
) -> None:
    game = game_of(name, entry)
    if not game.resources(game.initial()):
        assert all(game.board(state) == state for state in sample(game, 20))
        return
    best = functools.cache(functools.partial(winner, game))
    decided = set()
    for worse, better in itertools.permutations(mutated_states(game, 150), 2):
        pairs = zip(game.resources(worse), game.resources(better), strict=True)
        if game.board(worse) == game.board(better) and all(low <= high for low, high in pairs):
            assert best(worse) != "first" or best(better) == "first"
            assert best(better) != "second" or best(worse) == "second"
            decided.add((best(worse), best(better)))
    assert ("second", "first") in decided


def mutated_states(game: AnyGame, count: int) -> set[Any]:
    """Positions that play need not reach: mutated texts of others that the rules accept."""
    rng = random.Random(23)
    texts = [game.format(state) for state in sample(game, 100)]
    states: set[Any] = set()
    while len(states) < count:
        text = mutate(rng.choice(texts), rng, "0123456789")
        if accepts(game, text):
            states.add(game.parse(text))
    return states


# ---- bad input ----


@every_game
def test_mutated_text_raises_only_position_error(name: str, entry: dict[str, Any]) -> None:
    game, rng = game_of(name, entry), random.Random(11)
    texts = [game.format(state) for state in sample(game, 200)]
    texts += [position["text"] for position in DATA[name]["positions"]]
    for _ in range(MUTATIONS):
        text = mutate(rng.choice(texts), rng, ODD + SURROGATES)
        try:
            state = game.parse(text)
        except PositionError:
            continue
        assert game.parse(game.format(state)) == state
        check_moves(game, state)


@every_game
def test_huge_text_is_rejected_briefly(name: str, entry: dict[str, Any]) -> None:
    game = game_of(name, entry)
    for piece in (".", "x", "/", "1", "9", " ", "-", "\0", "\U0001f600", SURROGATES):
        with pytest.raises(PositionError) as caught:
            game.parse(piece * 200_000)
        assert len(str(caught.value)) < 1_000


@every_game
def test_illegal_moves_raise_position_error(name: str, entry: dict[str, Any]) -> None:
    game, rng = game_of(name, entry), random.Random(13)
    states = sample(game, 100)
    seen = {game.format_move(state, move) for state in states for move in game.moves(state)}
    for state in states:
        legal = {game.format_move(state, move) for move in game.moves(state)}
        tried = [mutate(rng.choice([*seen, "x"]), rng, ODD + SURROGATES) for _ in range(10)]
        for text in {*tried, *rng.sample(sorted(seen), min(10, len(seen))), ""} - legal:
            with pytest.raises(PositionError):
                game.parse_move(state, text)


@pytest.mark.parametrize(("name", "entry"), entries("rejected"))
def test_rejected_positions(name: str, entry: dict[str, Any]) -> None:
    with pytest.raises(PositionError):
        game_of(name, entry).parse(entry["text"])


@pytest.mark.parametrize("spec", [spec for name in GAMES for spec in DATA[name]["bad_specs"]])
def test_bad_specs_are_quoted(spec: str) -> None:
    name, _, parameters = spec.partition(":")
    with pytest.raises(PositionError) as caught:
        make(spec)
    assert repr(parameters if name in GAMES and parameters else name)[1:-1] in str(caught.value)


@pytest.mark.parametrize("name", GAMES)
def test_a_misspelt_game_names_the_nearest(name: str) -> None:
    for wrong in (name[:-1], name + "s", name.upper()[0] + name[1:]):
        with pytest.raises(PositionError, match=f"did you mean '{name}'"):
            make(wrong)


@pytest.mark.parametrize("name", GAMES)
def test_mutated_specs_raise_only_position_error(name: str) -> None:
    rng = random.Random(17)
    for _ in range(MUTATIONS):
        entry = rng.choice(DATA[name]["games"])
        spec = mutate(entry["spec"], rng, ODD + SURROGATES)
        try:
            game = make(spec, rules_of(name, entry))
        except PositionError:
            continue
        assert make(game.spec(), game.data()).spec() == game.spec()


@pytest.mark.parametrize("spec", ["x" * 200_000, "mnk:" + "9" * 200_000, "hex:" + "1," * 100_000])
def test_huge_specs_are_rejected_briefly(spec: str) -> None:
    with pytest.raises(PositionError) as caught:
        make(spec)
    assert len(str(caught.value)) < 1_000


@pytest.mark.parametrize("name", [name for name in GAMES if "data" not in DATA[name]])
def test_data_for_a_game_that_takes_none_is_an_error(name: str) -> None:
    with pytest.raises(PositionError, match="takes no data"):
        make(name, "A: win")


# ---- facts from the data file ----


@pytest.mark.parametrize(("name", "entry"), entries("positions"))
def test_positions(name: str, entry: dict[str, Any]) -> None:
    game = game_of(name, entry)
    state = game.parse(entry["text"])
    assert game.format(state) == entry.get("canonical", entry["text"])
    assert SIDE_NAMES[game.to_move(state)] == entry["to_move"]
    assert game.outcome(state) == entry["outcome"]
    assert " ".join(game.format_move(state, move) for move in game.moves(state)) == entry["moves"]


@pytest.mark.parametrize(
    ("spec", "canonical"),
    [pair for name in GAMES for pair in DATA[name].get("spellings", {}).items()],
)
def test_canonical_parameters(spec: str, canonical: str) -> None:
    assert make(spec).spec() == canonical


@every_game
def test_perft(name: str, entry: dict[str, Any]) -> None:
    game = game_of(name, entry)
    state = game.parse(entry["position"]) if "position" in entry else game.initial()
    for depth, expected in enumerate(entry["perft"], start=1):
        found = perft(game, state, depth)
        assert found == expected, f"depth {depth}, move by move: {divide(game, state, depth)}"


@pytest.mark.parametrize(
    ("name", "entry"), [case for case in entries("games") if "reachable" in case.values[1]]
)
def test_number_of_reachable_positions(name: str, entry: dict[str, Any]) -> None:
    game = game_of(name, entry)
    assert len(reachable(game, game.initial())) == entry["reachable"]


@pytest.mark.parametrize(("name", "entry"), entries("values"))
def test_known_values(name: str, entry: dict[str, Any]) -> None:
    game = game_of(name, entry)
    state = game.parse(entry["position"]) if "position" in entry else game.initial()
    assert winner(game, state) == entry["winner"]


@pytest.mark.parametrize("module", ["andorra.errors", "andorra.rulebook", *MODULES])
def test_examples_in_docstrings(module: str) -> None:
    assert doctest.testmod(importlib.import_module(module)).failed == 0


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_documented_by_an_example(name: str) -> None:
    module = importlib.import_module(GAMES[name].__module__)
    assert doctest.DocTestParser().get_examples(module.__doc__ or "")


# ---- single games ----


def stands_in_row(rows: list[str], stone: str, length: int) -> bool:
    """Runs of stones found by coordinates, cell by cell: a second opinion on `Runs`."""
    cells = {(r, c) for r, row in enumerate(rows) for c, what in enumerate(row) if what == stone}
    return any(
        all((r + i * down, c + i * right) in cells for i in range(length))
        for r, c in cells
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    )


@pytest.mark.parametrize("length", [1, 2, 3, 4, 5])
def test_runs_against_coordinates(length: int) -> None:
    rng = random.Random(length)
    found = 0
    for _ in range(1_500):
        width, height = rng.randint(1, 8), rng.randint(1, 8)
        rows = ["".join(rng.choices("xo.", (6, 1, 2), k=width)) for _ in range(height)]
        expected = stands_in_row(rows, "x", length)
        assert Runs(Shape(width, height), length).has_run("/".join(rows), "x") == expected
        found += expected
    assert 0 < found < 1_500


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_a_full_hex_board_has_exactly_one_winner(size: int) -> None:
    game, rng = make(f"hex:{size}"), random.Random(size)
    stones = ["x"] * ((size * size + 1) // 2) + ["o"] * (size * size // 2)
    for _ in range(200):
        rng.shuffle(stones)
        rows = ["".join(stones[i : i + size]) for i in range(0, size * size, size)]
        board = "/".join(rows)
        winners = [stone for stone in "xo" if game.has_won(board, stone)]  # type: ignore[attr-defined]
        assert len(winners) == 1


@pytest.mark.parametrize(
    "case", DATA["graph"]["bad_data"], ids=lambda case: "|".join(case["lines"])[:40]
)
def test_bad_graphs_are_rejected_with_the_line(case: dict[str, Any]) -> None:
    with pytest.raises(PositionError) as caught:
        make("graph", "\n".join(case["lines"]))
    assert case["line"] is None or f"line {case['line']}:" in str(caught.value)


@pytest.mark.parametrize("label", DATA["graph"]["data"])
def test_canonical_graph_text_is_stable(label: str) -> None:
    text = make("graph", "\n".join(DATA["graph"]["data"][label])).data()
    assert text is not None and text.endswith("\n")
    assert make("graph", text).data() == text


@pytest.mark.parametrize("label", DATA["graph"]["data"])
def test_mutated_graphs_raise_only_position_error(label: str) -> None:
    rng, text = random.Random(19), "\n".join(DATA["graph"]["data"][label])
    for _ in range(MUTATIONS):
        try:
            game = make("graph", mutate(text, rng, ODD + SURROGATES))
        except PositionError:
            continue
        assert make("graph", game.data()).data() == game.data()


def test_hints_are_read_and_are_no_rules() -> None:
    lines = DATA["graph"]["data"]["hints"]
    game = Graph(data="\n".join(lines))
    assert game.hints.guesses == {"s": (3, 1_000_000), "cost": (1, 2)}
    assert game.hints.costs == {("s", "guess"): (0, 7), ("alike", "l"): (1_000_000, 0)}
    assert list(game.hints.groups.items()) == [
        *((("guess", to), 1) for to in ("l", "s")),
        *((("s", to), 2) for to in ("cost", "alike", "guess")),
        *((("alike", to), 3) for to in ("cost", "l")),
    ]
    nodes = "\n".join(line for line in lines if ":" in line or line == "root s")
    assert game.data() == Graph(data=nodes).data() == Graph(data=nodes).hinted_data()


@pytest.mark.parametrize("label", DATA["graph"]["data"])
def test_hints_survive_being_written(label: str) -> None:
    game = Graph(data="\n".join(DATA["graph"]["data"][label]))
    again = Graph(data=game.hinted_data())
    assert (again.data(), again.hints) == (game.data(), game.hints)
    assert again.hinted_data() == game.hinted_data()


def test_mistakes_in_hints_are_marked() -> None:
    with pytest.raises(PositionError) as caught:
        make("graph", "A: or B\nB: win\ncost A B 1 x  # y")
    expected = "line 3: expected a number from 0 to 1000000\n  cost A B 1 x  # y\n             ^"
    assert str(caught.value) == expected
    with pytest.raises(PositionError) as caught:
        make("graph", "A: or B\nB: win\nguess A 1  # y")
    expected = "line 3: expected 'guess NAME PN DN'\n  guess A 1  # y\n           ^"
    assert str(caught.value) == expected


def test_a_graph_without_text_is_an_error() -> None:
    with pytest.raises(PositionError, match="takes its rules as data"):
        make("graph")


def test_deep_and_wide_graphs() -> None:
    deep = "\n".join(f"{i}: or {i + 1}" for i in range(20_000))
    assert make("graph", f"{deep}\n20000: win").acyclic
    assert not make("graph", f"{deep}\n20000: or 0").acyclic
    leaves = [f"n{i}" for i in range(65_536)]
    ends = "\n".join(f"{leaf}: win" for leaf in leaves)
    assert len(make("graph", f"A: or {' '.join(leaves[1:])}\n{ends}").moves("A")) == 65_535
    alike = f"alike A {' '.join(leaves[1:])}"
    wide = Graph(data=f"A: or {' '.join(leaves[1:])}\n{alike}\n{ends}")
    assert len(wide.hints.groups) == 65_535
    with pytest.raises(PositionError, match="65535 are read"):
        make("graph", f"A: or {' '.join(leaves)}\n{ends}")


@pytest.mark.parametrize(
    ("text", "acyclic", "can_draw"),
    [
        ("A: or B\nB: win", True, False),
        ("A: or B\nB: draw", True, True),
        ("A: or A", False, True),
        ("A: win\nB: or C\nC: and B", False, True),
        ("A: or B C\nB: and D\nC: and D\nD: win", True, False),
    ],
)
def test_what_a_graph_says_of_itself(text: str, acyclic: bool, can_draw: bool) -> None:
    game = make("graph", text)
    assert (game.acyclic, game.can_draw) == (acyclic, can_draw)


def test_graphs_from_files(tmp_path: Path) -> None:
    path = tmp_path / "graph.txt"
    path.write_bytes("\ufeffA: or é\r\né: win\r\n".encode())
    assert Graph.from_file(path).data() == "root A\nA: or é\né: win\n"
    path.write_bytes(b"A: or \xff\n")
    with pytest.raises(PositionError, match=r"graph\.txt.*not UTF-8"):
        Graph.from_file(str(path))
