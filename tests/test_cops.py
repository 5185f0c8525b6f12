"""Cops and Robber: known cop numbers, and all small connected graphs against a second opinion.

`data/cops.json` has graphs by name with the number of cops that catches the robber there (one fewer
does not), and the array that tells a distance-regular graph from all others.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import andorra
from andorra import _core
from andorra.cli.main import main
from andorra.errors import PositionError
from andorra.rulebook import make
from andorra.rulebook.cops import MOST_VERTICES
from andorra.rulebook.graph6 import neighbours, read_graph
from conftest import FindProblemSet
from examiner import fast_check
from games_kit import playout

DATA = json.loads(Path(__file__).with_name("data").joinpath("cops.json").read_text("utf-8"))
NAMED: dict[str, dict[str, Any]] = DATA["named"]
ALGORITHMS = ("dfpn", "fixpoint")
MEMORY = "64MiB"

COP_WIN = {1: 1, 2: 1, 3: 2, 4: 5, 5: 16, 6: 68, 7: 403, 8: 3791}
"""By the number of vertices, on how many connected graphs one cop wins."""

every_algorithm = pytest.mark.parametrize("algorithm", ALGORITHMS)
every_named_graph = pytest.mark.parametrize("name", NAMED)


@pytest.fixture(scope="module")
def connected(problem_set: FindProblemSet) -> list[str]:
    """All connected graphs of 1 to 8 vertices, in graph6."""
    return problem_set("graphs/connected-1-8.g6").read_text(encoding="ascii").split()


def size(graph: str) -> int:
    """The number of vertices."""
    return len(neighbours(graph))


# ---- the second opinion ----


def corner(near: dict[int, set[int]]) -> int | None:
    """A vertex whose neighbours, itself included, are all near one other vertex."""
    for vertex, others in near.items():
        if any(others <= near[other] for other in near if other != vertex):
            return vertex
    return None


def dismantlable(graph: str) -> bool:
    """Whether one cop wins (Nowakowski and Winkler 1983): corners go until one vertex is left.

    Which corner goes first makes no difference.
    """
    near = {vertex: {vertex, *others} for vertex, others in enumerate(neighbours(graph))}
    while (gone := corner(near)) is not None:
        del near[gone]
        for others in near.values():
            others.discard(gone)
    return len(near) == 1


# ---- all small connected graphs ----


@every_algorithm
def test_one_cop_on_all_connected_graphs(connected: list[str], algorithm: str) -> None:
    won: Counter[int] = Counter()
    for graph in connected:
        result = andorra.solve("cops:1", graph, algorithm=algorithm, memory=MEMORY)
        expected = "proven" if dismantlable(graph) else "disproven"
        assert (graph, result.question, result.verdict) == (graph, "win:first", expected)
        won[size(graph)] += result.verdict == "proven"
    assert won == COP_WIN


@every_algorithm
def test_certificates_for_small_connected_graphs(
    connected: list[str], algorithm: str, tmp_path: Path
) -> None:
    graphs = [graph for graph in connected if size(graph) <= 6]
    paths = [tmp_path / f"{number}.andorra" for number in range(len(graphs))]
    for graph, path in zip(graphs, paths, strict=True):
        andorra.solve("cops:1", graph, algorithm=algorithm, memory=MEMORY, certificate=path)
        expected = "proven" if dismantlable(graph) else "disproven"
        assert [part.verdict for part in andorra.check(path).parts] == [expected]
    assert fast_check(paths) is None


def test_two_cops_win_on_all_connected_graphs_of_seven_vertices(connected: list[str]) -> None:
    # The smallest connected graph that needs a third cop is Petersen's (Baird and others 2014).
    for graph in (graph for graph in connected if size(graph) <= 7):
        result = andorra.solve("cops:2", graph, memory=MEMORY)
        assert (graph, result.verdict) == (graph, "proven")


# ---- graphs with names ----


def distances(graph: str, start: int) -> dict[int, int]:
    """From `start` to every vertex that can be reached."""
    found = {start: 0}
    reached = [start]
    for vertex in reached:
        for other in neighbours(graph)[vertex]:
            if other not in found:
                found[other] = found[vertex] + 1
                reached.append(other)
    return found


def intersection_arrays(graph: str) -> set[tuple[int, int, int]]:
    """All (d, how many neighbours are further from a vertex at distance d, how many nearer)."""
    counts = set()
    for start in range(size(graph)):
        away = distances(graph, start)
        for vertex, distance in away.items():
            steps = [away[other] - distance for other in neighbours(graph)[vertex]]
            counts.add((distance, steps.count(1), steps.count(-1)))
    return counts


@every_named_graph
def test_a_named_graph_is_the_one_of_that_name(name: str) -> None:
    graph = read_graph(NAMED[name]["edges"])
    if name == "4x4 grid":
        pairs = {(v, w) for v in range(16) for w in (v + 1, v + 4) if w < 16}
        wanted = {(v, w) for v, w in pairs if w == v + 4 or w % 4 > 0}
        assert {(v, w) for v in range(16) for w in neighbours(graph)[v] if v < w} == wanted
        return
    further, nearer = NAMED[name]["intersection_array"]
    assert intersection_arrays(graph) == set(
        zip(range(len(further) + 1), [*further, 0], [0, *nearer], strict=True)
    )


@every_algorithm
@every_named_graph
def test_cop_numbers(name: str, algorithm: str, tmp_path: Path) -> None:
    entry = NAMED[name]
    for cops, expected in ((entry["cops"] - 1, "disproven"), (entry["cops"], "proven")):
        path = tmp_path / f"{cops}.andorra"
        asked = (f"cops:{cops}", entry["edges"], None, algorithm)
        result = andorra.solve(*asked, memory=MEMORY, certificate=path)
        assert result.verdict == expected
        (part,) = andorra.check(path).parts
        assert (part.question, part.verdict) == ("win:first", expected)
        assert fast_check([path]) is None


# ---- the value, and the default question ----


@every_algorithm
def test_an_escape_is_a_draw(algorithm: str, tmp_path: Path) -> None:
    square = NAMED["C4"]["edges"]
    for cops, value, parts in (
        (1, "draw", [("win:first", "disproven"), ("win:second", "disproven")]),
        (2, "win", [("win:first", "proven")]),
    ):
        path = tmp_path / f"{cops}.andorra"
        spec = f"cops:{cops}"
        result = andorra.solve(spec, square, "value", algorithm, memory=MEMORY, certificate=path)
        verified = andorra.check(path)
        assert result.value == verified.value == value
        assert [(part.question, part.verdict) for part in verified.parts] == parts
        assert fast_check([path]) is None


def test_the_cops_prove_whoever_moves() -> None:
    for position, verdict in (("Cl 0 1 c", "proven"), ("Cl 0 2 r", "disproven")):
        result = andorra.solve("cops:1", position, memory=MEMORY)
        assert (result.question, result.prover, result.verdict) == ("win:first", "first", verdict)


# ---- the core against the reference rules, on many graphs ----


def random_graph(rng: random.Random, vertices: int) -> str:
    """Edges with a random density; not always connected."""
    density = rng.random() ** 2
    pairs = [(v, w) for w in range(vertices) for v in range(w)]
    edges = [f"{v}-{w}" for v, w in pairs if rng.random() < density]
    return ",".join([*edges, str(vertices - 1)])


@pytest.mark.parametrize("cops", MOST_VERTICES)
def test_same_rules_on_random_graphs(cops: int) -> None:
    rng = random.Random(cops)
    reference, fast = make(f"cops:{cops}"), _core.make_game(f"cops:{cops}", None)
    most = {1: 62, 2: 30, 3: 12, 4: 9}[cops]  # where listing all moves in Python takes no time
    for _ in range(60):
        graph = random_graph(rng, rng.randint(1, most))
        assert fast.canonical(graph) == read_graph(graph)
        for state, _ in list(playout(reference, rng, graph))[:12]:
            text = reference.format(state)
            moves = [reference.format_move(state, move) for move in reference.moves(state)]
            assert (text, fast.canonical(text)) == (text, text)
            assert (text, fast.moves(text)) == (text, moves)
            assert (text, fast.outcome(text)) == (text, reference.outcome(state))


@pytest.mark.parametrize(("cops", "vertices"), MOST_VERTICES.items())
def test_the_largest_graphs(cops: int, vertices: int) -> None:
    reference, fast = make(f"cops:{cops}"), _core.make_game(f"cops:{cops}", None)
    path = ",".join(f"{v}-{v + 1}" for v in range(vertices - 1))
    moves = reference.moves(reference.parse(path))
    assert fast.moves(path) == [",".join(map(str, move)) for move in moves]
    assert len(moves) <= 65_535
    for rules in (reference.parse, fast.canonical):
        with pytest.raises(PositionError):
            rules(f"{path},{vertices}")


def test_equal_places_on_different_graphs_have_different_keys() -> None:
    fast, rng = _core.make_game("cops:1", None), random.Random(1)
    graphs = {read_graph(random_graph(rng, rng.randint(2, 9))) for _ in range(2_000)}
    texts = [text for graph in graphs for text in (graph, f"{graph} 0 -", f"{graph} 0 1 r")]
    assert len(graphs) > 500
    assert len({fast.key(text) for text in texts}) == len(texts)


# ---- texts ----


@pytest.mark.parametrize(
    ("cops", "text", "said"),
    [
        (1, "Cl?", "graph6 of 4 vertices has 2 characters"),
        (1, "C 0 -", "graph6 of 4 vertices has 2 characters"),
        (1, "A\u00e9", "graph6 has characters from '?' to '~' only"),
        (1, ":An", "graph6 has characters from '?' to '~' only"),
        (1, "~?@?", "graph6 of 1 to 62 vertices"),
        (1, "Ao", "expected zeros"),
        (1, "", "expected a graph: graph6, or edges such as 0-1,1-2"),
        (1, "0-1,2-2", "itself"),
        (1, "0-1,1-0", "twice"),
        (1, "0-62", "0 to 61"),
        (1, "Cl 4 -", "0 to 3"),
        (1, "Cl 0 4 c", "0 to 3"),
        (1, "Cl 0,1 2 c", "1 cop"),
        (2, "Cl 0 2 c", "2 cops"),
        (2, "Cl 0,1,2 2 c", "2 cops"),
        (4, "0-33", "a graph of 34 vertices; with 4 cops, at most 33"),
    ],
)
def test_errors_say_what_is_wrong_and_quote_the_text(cops: int, text: str, said: str) -> None:
    for read in (make(f"cops:{cops}").parse, _core.make_game(f"cops:{cops}", None).canonical):
        with pytest.raises(PositionError, match=re.escape(said)) as caught:
            read(text)
        assert text.partition(" ")[0] in str(caught.value)


def test_a_file_of_graphs_is_a_file_of_positions(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "graphs.g6"
    file.write_text(">>graph6<<Bw\n\n# a square\nCl\nCl 0 1 c  # caught at once\n0-1,1-2\n")
    assert main(["solve", "cops:1", str(file), "--quiet"]) == 0
    assert capfd.readouterr().out.split() == ["proven", "disproven", "proven", "proven"]
