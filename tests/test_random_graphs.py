"""The generator of random graphs makes what it promises, and shrinking finds small graphs."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import pytest

from andorra.reference import fixpoint
from andorra.rulebook import make
from random_graphs import ACYCLIC, KINDS, Graph, random_graph, shrink

GRAPHS = [random_graph(seed) for seed in range(1000)]
PARSED = [Graph.parse(graph.text) for graph in GRAPHS]


def test_a_seed_gives_the_same_graph_everywhere() -> None:
    texts = "".join(random_graph(seed).text for seed in range(100))
    assert hashlib.sha256(texts.encode()).hexdigest()[:16] == "3a8c71be522969f4"


def test_every_text_is_a_graph() -> None:
    for graph, parsed in zip(GRAPHS, PARSED, strict=True):
        assert make("graph", graph.text).data() == parsed.text()


def test_about_a_third_is_cyclic() -> None:
    assert 0.30 < sum(graph.cyclic for graph in GRAPHS) / len(GRAPHS) < 0.37


@pytest.mark.parametrize("kind", KINDS)
def test_kinds_are_cyclic_or_not_as_they_say(kind: str) -> None:
    made = [random_graph(seed, kind) for seed in range(100)]
    assert {graph.kind for graph in made} == {kind}
    cyclic = sum(graph.cyclic for graph in made)
    acyclic = kind in [shape.__name__ for shape in ACYCLIC]
    assert cyclic == 0 if acyclic else cyclic > 50


FEATURES: dict[str, Callable[[Graph], bool]] = {
    "one node": lambda g: len(g.nodes) == 1,
    "more than 200 nodes": lambda g: len(g.nodes) > 200,
    "a draw": lambda g: ("draw",) in g.nodes.values(),
    "a self-loop": lambda g: any(name in g.successors(name) for name in g.nodes),
    "a side that moves twice": lambda g: any(
        g.nodes[s][0] == words[0] for words in g.nodes.values() for s in words[1:]
    ),
    "a node that cannot be reached": lambda g: len(g.reachable().nodes) < len(g.nodes),
    "a root that is not the first node": lambda g: next(iter(g.nodes)) != g.root,
    "a node named like a word": lambda g: "or" in g.nodes,
    "the second player to move": lambda g: g.nodes[g.root][0] == "and",
    "a tree that is far bigger than the graph": lambda g: (g.tree_size() or 0) > 10**9,
}


@pytest.mark.parametrize("feature", FEATURES)
def test_every_feature_occurs(feature: str) -> None:
    assert any(FEATURES[feature](graph) for graph in PARSED)


def test_neither_side_wins_nearly_always() -> None:
    games = [make("graph", graph.text) for graph in GRAPHS[:300]]
    wins = [
        sum(fixpoint.solve(game, None, question).verdict == "proven" for game in games)
        for question in ("win:first", "win:second")
    ]
    assert min(wins) > 60


def test_tree_size() -> None:
    shared = Graph.parse("A: or B C\nB: and D\nC: and D\nD: or E F\nE: win\nF: loss")
    assert shared.tree_size() == 9
    assert Graph.parse("A: or B\nB: and A C\nC: win").tree_size() is None
    assert Graph.parse("A: or B\nB: win\nC: or C").tree_size() == 2


# Shrinking.


def has_draw(text: str) -> bool:
    return ("draw",) in Graph.parse(text).reachable().nodes.values()


def has_cycle(text: str) -> bool:
    return Graph.parse(text).tree_size() is None


def needs_three_plies(text: str) -> bool:
    game = make("graph", text)
    return fixpoint.solve(game, None, "win:first").verdict == "proven" and (
        fixpoint.solve(game, None, "win:first<=2").verdict == "disproven"
    )


@pytest.mark.parametrize(
    ("fails", "smallest"),
    [
        (has_draw, "root A\nA: draw\n"),
        (has_cycle, "root A\nA: or A\n"),
        (needs_three_plies, "root A\nA: or B\nB: or C\nC: or D\nD: win\n"),
    ],
)
def test_shrinking_finds_the_core(fails: Callable[[str], bool], smallest: str) -> None:
    failing = [graph.text for graph in GRAPHS if fails(graph.text)][:20]
    assert len(failing) == 20
    for text in failing:
        small = shrink(text, fails)
        assert fails(small)
        assert small.replace("and ", "or ") == smallest


def test_shrinking_keeps_what_cannot_be_shrunk() -> None:
    text = GRAPHS[3].text
    assert shrink(text, lambda candidate: candidate == text) == text


def test_shrinking_keeps_names_that_matter() -> None:
    text = "root A\nA: or B magic\nB: win\nmagic: loss\n"
    assert shrink(text, lambda candidate: "magic" in candidate) == "root magic\nmagic: loss\n"


def test_shrinking_can_be_cut_short() -> None:
    left = iter([True] * 3)
    text = next(graph.text for graph in GRAPHS if len(Graph.parse(graph.text).nodes) > 100)
    assert len(shrink(text, lambda _: next(left, False))) < len(text)
    assert shrink(text, lambda _: False) == text
