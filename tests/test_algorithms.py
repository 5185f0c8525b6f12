"""Every algorithm, on every small game, against the oracle; a new one gets all this for free.

Parametrised over `andorra.algorithms()`, its options table and `andorra.games()`. What cannot be
derived is listed here, and what is missing from a list fails: `SMALL` has instances of each game
that the oracle can enumerate, `settings.VALUES` some values of each option that is a number, and
`data/signatures.json` node counts of each algorithm. Runs with one thread and a given memory count
the same on every machine, so a changed count means a changed search. If that is intended, record
the new ones with

    python tests/test_algorithms.py --write
"""

from __future__ import annotations

import json
import random
import re
import sys
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import pytest

import andorra
from andorra import Result
from andorra.errors import OptionError
from andorra.rulebook import make
from examiner import fast_check
from games_kit import DATA, playout
from result_kit import AnyGame, assert_bounds, assert_consistent, assert_keeps_verdict, oracle
from settings import TEAM, VALUES, Setting, pairs, singles, team_settings

ALGORITHMS = list(andorra.algorithms())
SIGNATURES = Path(__file__).with_name("data") / "signatures.json"
COUNTED = ("nodes", "expansions", "moves")
MEMORY = "8MiB"
POSITIONS = 9
"""Of each instance; the initial one and ends are among them."""

SMALL: dict[str, dict[str, int]] = {
    "graph": dict.fromkeys(DATA["graph"]["data"], 0),
    "mnk": {"mnk:3,3,3": 0, "mnk:4,2,2": 0, "mnk:1,5,2": 0, "mnk:4,4,3": 8},
    "connect4": {"connect4:4x3": 0, "connect4:1x5": 0, "connect4:4x4": 8, "connect4:5x4": 12},
    "hex": {"hex:1": 0, "hex:2": 0, "hex:3": 0, "hex:4": 9},
    "breakthrough": {"breakthrough:4x3x1": 0, "breakthrough:3x3x1": 0, "breakthrough:4x2": 0},
    "toll": {"toll:1": 0, "toll:2": 0, "toll:4": 0},
    "cops": {"cops:1 A?": 0, "cops:1 Bw": 0, "cops:1 Cl": 0, "cops:1 Dhc": 0, "cops:2 Dhc": 0},
    "loa": {"loa:3": 0},
    "dots": {"dots:1x1": 0, "dots:2x1": 0, "dots:2x2": 5},
    "rolit": {"rolit:3x3,2,1": 0, "rolit:3x3,4,4": 0},
    "tsume": {
        "tsume 7nk/7np/9/9/9/9/9/9/9 b N 1": 0,
        "tsume 6p1k/6lgs/9/9/9/9/9/9/9 b N 1": 0,
        "tsume 6lnk/6lpp/6N2/9/9/9/9/9/9 b - 1": 0,
        "tsume 2p6/1k1K5/9/9/9/9/9/9/9 b Gs 1": 0,
    },
}
"""Instances by game (of graphs, the names of their rules in `data/games.json`), with a position
behind a space where they do not start at the initial one, and the number of plies after which the
oracle can enumerate what is left."""

GUESSING = ("graph", "mnk", "connect4", "hex", "breakthrough", "tsume")
SCARCE = {("table_entries", 64), ("tree_nodes", 64), ("tree_nodes", 1000), ("guard", 1000)}
"""With these a search may end without an answer."""

INSTEAD = {
    "connect4:4x4": "mnk:4,3,4",
    "connect4:5x5": "mnk:5,5,5",
    "connect4:7x6": "mnk:7,6,6",
    "hex:3": "mnk:3,4,3",
}
"""What takes the place of a game, and is like it, where an algorithm is not for that one."""

every_algorithm = pytest.mark.parametrize("algorithm", ALGORITHMS)


def is_for(algorithm: str, name: str) -> bool:
    """Whether the algorithm can search that game."""
    return name in (andorra.algorithms()[algorithm].games or SMALL)


def suited(spec: str, algorithm: str) -> str:
    """The game, or what takes its place."""
    return spec if is_for(algorithm, spec.partition(":")[0]) else INSTEAD[spec]


Case = tuple[AnyGame, str, str]
"""A game, a position and a question."""


def instance(name: str, entry: str) -> tuple[AnyGame, str]:
    """The reference rules of an entry in `SMALL`, and the position it starts at."""
    if name == "graph":
        game = make("graph", "\n".join(DATA["graph"]["data"][entry]))
        return game, game.format(game.initial())
    spec, _, start = entry.partition(" ")
    game = make(spec)
    return game, start or game.format(game.initial())


def positions(
    game: AnyGame, plies: int = 0, count: int = POSITIONS, start: str | None = None
) -> list[str]:
    """Early and late positions of random games, after at least so many plies.

    Most positions of random games are drawn, where the game can be; the last ones before somebody
    won are not, so few games that ended in a draw are taken.
    """
    rng = random.Random(1)
    first = start or game.format(game.initial())
    texts = [] if plies else [first]
    for attempt in range(20 * count):
        states = [state for state, _ in playout(game, rng, first)]
        if game.outcome(states[-1]) == "draw" and attempt % 10:
            continue
        chosen = {max(plies, len(states) // 2), len(states) - 1 - attempt % 4}
        texts += [game.format(states[ply]) for ply in chosen if plies <= ply < len(states)]
    return list(dict.fromkeys(texts))[:count]


def cases(name: str) -> Iterator[Case]:
    """Each position with the questions of both sides, once open and once with a bound."""
    for entry, plies in SMALL[name].items():
        game, start = instance(name, entry)
        for number, position in enumerate(positions(game, plies, start=start)):
            for side in ("first", "second"):
                yield game, position, f"win:{side}"
                yield game, position, f"win:{side}<={number}"


@cache
def combined(algorithm: str) -> tuple[Setting, ...]:
    """Every pair of options for a search alone, and every option with some team.

    Of algorithms that are other rules in the same step, every option by itself.
    """
    if algorithm not in ("dfpn", "pns", "fixpoint"):
        return tuple(singles(algorithm))
    return (*pairs(algorithm, TEAM), *team_settings(algorithm))


CHUNK = 40
CHUNKS = [
    pytest.param(algorithm, start, id=f"{algorithm}-{start}")
    for algorithm in ALGORITHMS
    for start in range(0, len(combined(algorithm)), CHUNK)
]
"""Combinations of options, so many at a time."""


class Certified:
    """Solves with certificates; the trusted checker looks at once, the fast one at all together."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.paths: list[Path] = []

    def solve(self, case: Case, algorithm: str, **settings: Any) -> Result:
        """The result, its certificate verified."""
        game, position, question = case
        path = self.folder / f"{len(self.paths)}.andorra"
        defaults: dict[str, Any] = {"memory": MEMORY, "certificate": path}
        result = andorra.solve(game, position, question, algorithm, **defaults | settings)
        if result.certificate is not None:
            self.paths.append(path)
            (part,) = andorra.check(path).parts
            assert (part.question, part.verdict) == (question, result.verdict)
        return result

    def finish(self) -> None:
        """The fast checker accepts all of them."""
        assert self.paths
        assert fast_check(self.paths) is None


@pytest.fixture
def certified(tmp_path: Path) -> Certified:
    """Solves with certificates."""
    return Certified(tmp_path)


# ---- the data of this file is complete ----


def test_every_game_has_small_instances() -> None:
    assert set(SMALL) == set(andorra.games())


def test_every_number_among_the_options_has_values() -> None:
    table = {o.name: o for info in andorra.algorithms().values() for o in info.options}
    assert set(VALUES) == {name for name, option in table.items() if ".." in option.range}


def test_the_small_instances_have_both_verdicts_and_both_sides_to_move() -> None:
    for name in SMALL:
        asked = list(cases(name))
        assert {oracle(*case) for case in asked} == {"proven", "disproven"}, name
        assert {game.to_move(game.parse(position)) for game, position, _ in asked} == {0, 1}, name


# ---- verdicts and certificates ----


@pytest.mark.parametrize(
    ("algorithm", "name"),
    [(algorithm, name) for algorithm in ALGORITHMS for name in SMALL if is_for(algorithm, name)],
)
def test_verdicts_are_the_oracles(algorithm: str, name: str, certified: Certified) -> None:
    for case in cases(name):
        result = certified.solve(case, algorithm)
        assert (case[1:], result.verdict) == (case[1:], oracle(*case))
        assert result.certificate is not None, (case[1:], result.certificate_limit)
        assert_consistent(case[0], result)
        assert_keeps_verdict(case[0], result)
    certified.finish()


@lru_cache(maxsize=len(ALGORITHMS))
def pair_cases(algorithm: str) -> tuple[Case, ...]:
    """A few cases of each game, for the many combinations of options."""
    names = [name for name in SMALL if is_for(algorithm, name)]
    return tuple(case for name in names for case in list(cases(name))[::9])


@pytest.mark.parametrize(("algorithm", "start"), CHUNKS)
def test_verdicts_are_the_oracles_for_every_pair_of_options(
    algorithm: str, start: int, certified: Certified
) -> None:
    for number, settings in enumerate(combined(algorithm)[start : start + CHUNK], start):
        scarce = bool(SCARCE & set(settings.items()))
        for case in pair_cases(algorithm)[number % 5 :: 5]:
            if not supported(case[0], settings):
                continue
            result = certified.solve(case, algorithm, nodes=100_000, **settings)
            expected = {oracle(*case)} | ({"unknown"} if scarce else set())
            assert result.verdict in expected, (settings, case[1:], result)
            assert scarce or result.certificate is not None, (settings, case[1:], result)
            assert_consistent(case[0], result)
    certified.finish()


HINTS = {"costs": ("graph", "tsume"), "groups": ("graph", "tsume"), "refine": GUESSING}
"""Which games have what these options ask for."""


def supported(game: AnyGame, settings: dict[str, object]) -> bool:
    """Whether the game has the hints that the settings ask for."""
    asked = [games for name, games in HINTS.items() if name in settings]
    if settings.get("initial") == "game" or settings.get("backup") == "weighted":
        asked.append(GUESSING)
    return all(game.name in games for games in asked)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"costs": True}, "costs=true: this game has no costs of moves"),
        ({"groups": "largest"}, "groups: this game has no groups of moves"),
        ({"initial": "game"}, "initial=game: this game makes no guesses"),
        ({"backup": "weighted"}, "backup=weighted: this game makes no guesses"),
        ({"refine": 2}, "refine: this game makes no guesses"),
        ({"loops": "off"}, "loops=off may be wrong or never end where positions repeat"),
        ({"ghi": "off"}, "ghi=off may be wrong or never end where positions repeat"),
        ({"double_count": "snda", "backup": "weak"}, "exclude each other"),
        ({"leaf_nodes": 7}, "leaf_nodes=7 does nothing without initial=dfpn"),
    ],
)
def test_what_a_game_cannot_do_is_an_error(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=re.escape(message)):
        andorra.solve("cops:1", "Cl", **settings)


def test_unsafe_settings_are_marked_and_write_no_certificate(tmp_path: Path) -> None:
    path = tmp_path / "file"
    asked: dict[str, Any] = {"ghi": "off", "unsafe": True, "certificate": path}
    result = andorra.solve("cops:1", "Cl", **asked)
    assert (result.unsound, result.certificate) == (True, None)
    assert result.certificate_limit == "unsound settings"
    assert not path.exists()
    assert not andorra.solve("cops:1", "Cl").unsound
    acyclic = andorra.solve("mnk:3,3,3", loops="off", ghi="off", certificate=path)
    assert (acyclic.unsound, acyclic.certificate) == (False, path)


def test_an_algorithm_that_is_not_for_a_game_says_for_which() -> None:
    for algorithm in ALGORITHMS:
        for name, entries in SMALL.items():
            if is_for(algorithm, name):
                continue
            game, _ = instance(name, next(iter(entries)))
            games = " ".join(andorra.algorithms()[algorithm].games)
            message = (
                rf"the algorithm {algorithm} needs a game with \w+, of which there are: {games}$"
            )
            with pytest.raises(OptionError, match=message):
                andorra.solve(game, algorithm=algorithm)


@every_algorithm
def test_values_name_the_winner(algorithm: str) -> None:
    names = {"first": "win", "second": "loss", "draw": "draw"}
    checked = set()
    names_of_games = {name for name in SMALL if is_for(algorithm, name)}
    for name in names_of_games:
        for row in DATA[name]["values"]:
            entry = row["data"] if name == "graph" else row["spec"]
            starting = f"{entry} {row.get('position')}"
            if 0 not in (SMALL[name].get(entry), SMALL[name].get(starting)):
                continue
            game, _ = instance(name, entry)
            result = andorra.solve(game, row.get("position"), "value", algorithm, memory=MEMORY)
            assert (row, result.value) == (row, names[row["winner"]])
            checked.add(name)
    assert checked == names_of_games


# ---- limits ----


@every_algorithm
@pytest.mark.parametrize("nodes", [1, 2, 100, 1023, 1024, 1025, 5000])
def test_the_limit_on_nodes_is_exact(algorithm: str, nodes: int) -> None:
    game = suited("connect4:5x5", algorithm)
    result = andorra.solve(game, algorithm=algorithm, memory="64MiB", nodes=nodes)
    assert (result.verdict, result.limit) == ("unknown", "nodes")
    assert result.statistics["nodes"] == nodes
    assert_bounds(result)


@every_algorithm
def test_more_nodes_until_there_are_enough(algorithm: str) -> None:
    def limited(nodes: int | None) -> Result:
        return andorra.solve("mnk:3,3,3", algorithm=algorithm, memory=MEMORY, nodes=nodes)

    whole = limited(None)
    enough = whole.statistics["nodes"]
    assert (whole.verdict, whole.statistics["searched_again"]) == ("disproven", 0)
    for nodes in (1, enough // 100, enough // 10, enough // 2, enough - 1):
        part = limited(nodes)
        assert (nodes, part.verdict, part.limit) == (nodes, "unknown", "nodes")
        assert part.statistics["nodes"] == nodes
        assert part.statistics["expansions"] <= whole.statistics["expansions"]
    for nodes in (enough, 2 * enough):
        assert counts(limited(nodes)) == counts(whole)


@every_algorithm
def test_the_limit_on_seconds_ends_a_search(algorithm: str) -> None:
    game = suited("connect4:7x6", algorithm)
    result = andorra.solve(game, algorithm=algorithm, memory="2GiB", seconds=0.05)
    assert (result.verdict, result.limit) == ("unknown", "seconds")
    assert result.statistics["nodes"] > 0
    assert_bounds(result)


@every_algorithm
def test_little_memory_ends_in_an_answer_or_in_unknown(algorithm: str) -> None:
    for question in ("win:first", "win:second"):
        game = suited("connect4:4x4", algorithm)
        result = andorra.solve(game, question=question, algorithm=algorithm, memory="1MiB")
        assert result.verdict in ("disproven", "unknown")
        assert result.limit == ("memory" if result.verdict == "unknown" else None)
        assert_bounds(result)
        assert result.statistics["peak_memory"] <= 1 << 20


@every_algorithm
def test_a_certificate_is_whole_or_missing_when_memory_is_little(
    algorithm: str, certified: Certified
) -> None:
    game = make("mnk:3,4,3")
    for position in positions(game, count=12):
        result = certified.solve((game, position, "win:first"), algorithm, memory="1MiB")
        assert (result.certificate is None) == (
            result.verdict == "unknown" or result.certificate_limit is not None
        )
    certified.finish()


@every_algorithm
def test_the_same_search_counts_the_same(algorithm: str) -> None:
    first, second = (
        andorra.solve(suited("hex:3", algorithm), algorithm=algorithm, memory=MEMORY, nodes=3000)
        for _ in range(2)
    )
    assert counts(first) == counts(second)


# ---- signatures ----


def counts(result: Result) -> dict[str, int]:
    """What a signature records."""
    return {name: result.statistics[name] for name in COUNTED}


def recorded() -> list[dict[str, Any]]:
    """The rows of the file: what was asked, and what was counted."""
    rows: list[dict[str, Any]] = json.loads(SIGNATURES.read_text(encoding="utf-8"))
    return rows


def count_again(row: dict[str, Any]) -> dict[str, Any]:
    """The row with new counts."""
    asked = {name: value for name, value in row.items() if name not in COUNTED}
    options = asked.get("options", {})
    plain = {name: value for name, value in asked.items() if name != "options"}
    return asked | counts(andorra.solve(**plain, **options))


def label(row: dict[str, Any]) -> str:
    """What tells rows apart in a test's name."""
    options = [f"{name}={value}" for name, value in row.get("options", {}).items()]
    return " ".join([row["algorithm"], row["game"], row["question"], row["memory"], *options])


@pytest.mark.parametrize("row", recorded(), ids=label)
def test_node_counts_are_the_recorded_ones(row: dict[str, Any]) -> None:
    again = count_again(row)
    assert again == row, (
        "the search has changed; if that is intended, run 'python tests/test_algorithms.py "
        "--write' and end the commit's message with 'Nodes: changed (why)'"
    )


def test_every_algorithm_has_signatures() -> None:
    assert {row["algorithm"] for row in recorded()} == set(ALGORITHMS)


def write_signatures() -> None:
    """Record what the searches count now."""
    rows = ",\n".join(f"  {json.dumps(count_again(row))}" for row in recorded())
    SIGNATURES.write_text(f"[\n{rows}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit(f"usage: python {sys.argv[0]} --write")
    write_signatures()
