"""Random explicit graphs for the `graph` game, and the shrinking of those that fail.

Everything about a graph follows from its seed: its kind (tree, transpositions, cycles, ...), size,
who moves where, which ends there are, and how the text is written. `shrink` is delta debugging: it
takes away as much as it can while the graph still fails.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

Edges = list[set[int]]
Words = list[tuple[str, list[int]]]
Shape = Callable[[random.Random, int], Edges]


@dataclass(frozen=True)
class Graph:
    """A graph as the text describes it.

    `nodes["A"]` is `("or", "B", "C")`, `("win",)` or `("score 3",)`.
    """

    root: str
    nodes: dict[str, tuple[str, ...]]

    @classmethod
    def parse(cls, text: str) -> Graph:
        """Read a text that is known to be valid; the reference rules are the real parser."""
        root, nodes = "", {}
        for line in filter(None, (line.split("#")[0].strip() for line in text.splitlines())):
            if ":" in line:
                name, words = line.split(":")
                scored = words.split()[0] == "score"
                nodes[name.strip()] = (words.strip(),) if scored else tuple(words.split())
            else:
                root = line.split()[1]
        return cls(root or next(iter(nodes)), nodes)

    def text(self) -> str:
        """Write the canonical text."""
        lines = [f"{name}: {' '.join(words)}\n" for name, words in self.nodes.items()]
        return f"root {self.root}\n" + "".join(lines)

    def successors(self, name: str) -> tuple[str, ...]:
        """List the successors of a node; none at an end."""
        return self.nodes[name][1:]

    def reachable(self) -> Graph:
        """Keep only the nodes that can be reached from the root, in breadth-first order."""
        found = [self.root]
        seen = {self.root}
        for name in found:
            fresh = [s for s in self.successors(name) if s not in seen]
            found += fresh
            seen.update(fresh)
        return Graph(self.root, {name: self.nodes[name] for name in found})

    def tree_size(self) -> int | None:
        """Count the nodes of the tree of all lines from the root; None if some line is endless."""
        sizes: dict[str, int] = {}
        pending = list(self.reachable().nodes)
        while pending:
            ready = [n for n in pending if all(s in sizes for s in self.successors(n))]
            if not ready:
                return None
            sizes |= {n: 1 + sum(sizes[s] for s in self.successors(n)) for n in ready}
            pending = [n for n in pending if n not in sizes]
        return sizes[self.root]

    def size(self) -> tuple[int, int, int]:
        """Measure what shrinking makes small: nodes, edges, draws."""
        words = self.nodes.values()
        return (len(words), sum(len(w) - 1 for w in words), sum(w == ("draw",) for w in words))


# Shapes: the successors of each of n nodes. A node without successors will be an end.


def tree(rng: random.Random, n: int) -> Edges:
    """Give each node one parent, among the last few before it."""
    edges: Edges = [set() for _ in range(n)]
    window = rng.choice([1, 2, 4, n])
    for node in range(1, n):
        edges[rng.randrange(max(0, node - window), node)].add(node)
    return edges


def layers(rng: random.Random, n: int) -> Edges:
    """Transpositions: each node leads to some of the next layer; the root is the first layer."""
    width, degree = rng.randint(1, 6), rng.randint(2, 4)
    first_below = [1 + (node + width - 1) // width * width for node in range(n)]
    return [_sample(rng, range(first, min(n, first + width)), degree) for first in first_below]


def unequal(rng: random.Random, n: int) -> Edges:
    """Transpositions by lines of different lengths: edges to any later node."""
    degree, window = rng.randint(2, 4), rng.choice([3, 8, n])
    return [_sample(rng, range(node + 1, min(n, node + 1 + window)), degree) for node in range(n)]


def chain(rng: random.Random, n: int) -> Edges:
    """Long lines, with a few edges that leave them."""
    edges: Edges = [{node + 1} if node + 1 < n else set() for node in range(n)]
    for node in range(n - 1):
        if rng.random() < 0.2:
            edges[node].add(rng.choice([n - 1, rng.randrange(node + 1, n)]))
    return _with_ends(rng, edges, 0.02)


def digraph(rng: random.Random, n: int) -> Edges:
    """Cycles everywhere: edges to any node."""
    degree = rng.randint(2, 4)
    return _with_ends(rng, [_sample(rng, range(n), degree) for _ in range(n)])


def back_edges(rng: random.Random, n: int) -> Edges:
    """Transpositions with some edges back: where graph-history problems live."""
    edges = rng.choice([layers, unequal, tree])(rng, n)
    for _ in range(rng.randint(1, 1 + n // 4)):
        node = rng.randrange(n)
        edges[node].add(rng.randrange(node + 1))
    return edges


def self_loops(rng: random.Random, n: int) -> Edges:
    """Pass moves: the only cycles are from a node to itself."""
    edges = rng.choice([layers, unequal, tree])(rng, n)
    for node in rng.sample(range(n), rng.randint(1, 1 + n // 3)):
        edges[node].add(node)
    return edges


def corridor(rng: random.Random, n: int) -> Edges:
    """Steps back and forth, as in a pursuit."""
    edges: Edges = [{x for x in (node - 1, node + 1) if 0 <= x < n} for node in range(n)]
    for _ in range(rng.randint(0, n // 4)):
        edges[rng.randrange(n)].add(rng.randrange(n))
    return _with_ends(rng, edges, rng.choice([0.05, 0.15]))


def lassos(rng: random.Random, n: int) -> Edges:
    """Long lines that lead back to where they came from."""
    edges = chain(rng, n)
    for node in range(n):
        if edges[node] and rng.random() < 0.15:
            edges[node].add(rng.randrange(node + 1))
    return edges


def _sample(rng: random.Random, among: range, degree: int) -> set[int]:
    return set(rng.sample(among, min(len(among), rng.randint(1, degree))))


def _with_ends(rng: random.Random, edges: Edges, share: float | None = None) -> Edges:
    """Make some nodes ends, but not the root."""
    share = rng.choice([0.05, 0.1, 0.25]) if share is None else share
    return [out if node == 0 or rng.random() >= share else set() for node, out in enumerate(edges)]


def _random_words(shape: Shape, rng: random.Random, n: int) -> Words:
    """Say of each node of a shape who moves, or how the game ends there."""
    edges = shape(rng, n)
    movers = _movers(rng, edges)
    win, draw = rng.choice([0.05, 0.2, 0.5, 0.5, 0.8, 0.95]), rng.choice([0.0, 0.0, 0.1, 0.4])
    ends = rng.choices(["win", "loss", "draw"], [win, 1 - win, draw], k=len(edges))
    outs = [rng.sample(sorted(out), len(out)) for out in edges]
    return [(movers[i] if out else ends[i], out) for i, out in enumerate(outs)]


def _movers(rng: random.Random, edges: Edges) -> list[str]:
    """Let sides alternate along the edges, but for a share of nodes where a side moves twice."""
    twice, favoured = rng.choice([0.0, 0.0, 0.2, 0.5]), rng.choice(["or", "and"])
    movers = [""] * len(edges)
    for node, out in enumerate(edges):
        movers[node] = movers[node] or rng.choice(["or", "and"])
        for child in sorted(out):
            next_mover = favoured if rng.random() < twice else _other(movers[node])
            movers[child] = movers[child] or next_mover
    return movers


def _other(mover: str) -> str:
    return "and" if mover == "or" else "or"


# Graphs in which somebody wins in spite of cycles: random cycles alone are nearly always draws.


def hidden_win(rng: random.Random, n: int) -> Words:
    """A win by construction: node 0 is won, and every node leads to earlier ones.

    The winner's nodes have other moves besides: back and forth, and to node n, a loss.
    """
    words: Words = [("win", [])]
    for node in range(1, n):
        earlier, near = range(max(0, node - 4), node), range(max(0, node - 4), min(n, node + 5))
        if rng.random() < 0.6:
            out = {rng.choice(earlier), rng.choice([n, *near]), *_sample(rng, near, 1)}
            words.append(("or", rng.sample(sorted(out), len(out))))
        else:
            words.append(("and", sorted(_sample(rng, earlier, 3))))
    return _with_root_first([*words, ("loss", [])], n - 1)


def graph_history(rng: random.Random, n: int) -> Words:
    """Figure 9 of the survey, widened and stretched at random, with up to n // 5 edges more.

    A search that takes a repetition for a loss on every path gets about one in five wrong.
    """
    words: Words = []

    def node(word: str, *out: int) -> int:
        words.append((word, list(out)))
        return len(words) - 1

    def wide(word: str, end: str) -> int:
        return node(word, *(node(end) for _ in range(rng.randint(1, 4))))

    def line(to: int) -> int:
        for _ in range(rng.choice([0, 0, 0, 1, 2])):
            to = node(rng.choice(["or", "and"]), to)
            if words[to][0] == "or" and rng.random() < 0.4:
                words[to][1].insert(rng.randrange(2), to)
        return to

    a, e = node("or"), node("or")
    h = node("and", line(e))
    f = node("or", line(h))
    words[e][1].extend([line(h), line(wide("and", "win"))])
    b = node("and", line(e), line(wide("or", "loss")))
    c = node("and", line(f), *(node("win") for _ in range(rng.randint(0, 3))))
    words[a][1].extend([line(b), line(c)])
    return _with_noise(rng, words, rng.randint(0, n // 5))


def _with_noise(rng: random.Random, words: Words, edges: int) -> Words:
    """Add edges between any nodes that are no ends, and forget, now and then, the order."""
    for _ in range(edges):
        out, to = rng.choice(words)[1], rng.randrange(len(words))
        if out and to not in out:
            out.append(to)
    if rng.random() < 0.5:
        words = [(word, rng.sample(out, len(out))) for word, out in words]
    return words


def _with_root_first(words: Words, root: int) -> Words:
    """Exchange the numbers of node 0 and the root."""
    number = {0: root, root: 0}
    new = [(word, [number.get(s, s) for s in out]) for word, out in words]
    new[0], new[root] = new[root], new[0]
    return new


SWAPPED = {"or": "and", "and": "or", "win": "loss", "loss": "win", "draw": "draw"}


def _either_side(rng: random.Random, words: Words) -> Words:
    """Exchange, every other time, the two sides."""
    return words if rng.random() < 0.5 else [(SWAPPED[word], out) for word, out in words]


ACYCLIC: tuple[Shape, ...] = (tree, layers, unequal, chain)
CYCLIC: tuple[Shape, ...] = (digraph, back_edges, self_loops, corridor, lassos)
WON: tuple[Callable[[random.Random, int], Words], ...] = (hidden_win, graph_history)
KINDS: dict[str, Callable[[random.Random, int], Words]] = {
    **{shape.__name__: partial(_random_words, shape) for shape in ACYCLIC + CYCLIC},
    **{build.__name__: build for build in WON},
}
CYCLIC_SHARE = 0.38
"""Somewhat more than a third: now and then a cycle cannot be reached."""


@dataclass(frozen=True)
class RandomGraph:
    """A graph's text, the kind it was made as, and whether a cycle can be reached in it."""

    text: str
    kind: str
    cyclic: bool


def random_graph(seed: int, kind: str | None = None) -> RandomGraph:
    """Make the graph of a seed: the same on every machine."""
    rng = random.Random(seed)
    drawn = rng.choice(CYCLIC + WON if rng.random() < CYCLIC_SHARE else ACYCLIC).__name__
    kind = drawn if kind is None else kind
    words = _either_side(rng, KINDS[kind](rng, _size(rng)))
    graph = _named(rng, _with_unreachable(rng, words))
    return RandomGraph(_text(rng, graph), kind, graph.tree_size() is None)


def with_scores(text: str, seed: int, largest: int = 4) -> str:
    """The same graph with scores at most of its ends."""
    rng, graph = random.Random(seed), Graph.parse(text)
    scored = {
        name: (f"score {rng.randint(-largest, largest)}",)
        for name, words in graph.nodes.items()
        if len(words) == 1 and rng.random() < 0.9
    }
    return Graph(graph.root, graph.nodes | scored).text()


def random_cyclic_graph(seed: int) -> RandomGraph:
    """Make the graph of a seed with cycles, of all kinds in turn; now and then none is reached."""
    kinds = CYCLIC + WON
    return random_graph(seed, kinds[seed % len(kinds)].__name__)


def _size(rng: random.Random) -> int:
    largest = rng.choices([3, 12, 24, 40, 120, 300], [3, 25, 28, 33, 8, 3])[0]
    return rng.randint(1, largest)


def _with_unreachable(rng: random.Random, words: Words) -> Words:
    """Add, now and then, nodes that nothing leads to."""
    extra = rng.randint(1, 4) if rng.random() < 0.15 else 0
    return words + [("or", sorted(_sample(rng, range(len(words)), 3))) for _ in range(extra)]


NAMES: tuple[Callable[[int], str], ...] = (
    lambda i: f"n{i}",
    lambda i: "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i % 26] + "'" * (i // 26),
    lambda i: ("root", "or", "and", "win", "loss", "draw")[i % 6] + (str(i // 6) if i > 5 else ""),
)


def _named(rng: random.Random, words: Words) -> Graph:
    name = rng.choice(NAMES)
    order = list(range(len(words)))
    if rng.random() < 0.3:
        rng.shuffle(order)
    nodes = {name(i): (words[i][0], *map(name, words[i][1])) for i in order}
    return Graph(name(0), nodes)


def _text(rng: random.Random, graph: Graph) -> str:
    """Write the text; the line `root` may be left out where the root comes first."""
    text = graph.text()
    if next(iter(graph.nodes)) == graph.root and rng.random() < 0.5:
        text = text.partition("\n")[2]
    return text


def shrink(text: str, fails: Callable[[str], bool]) -> str:
    """Find a small graph that still fails: no single step makes it smaller and keeps it failing."""
    best, tried = text, {text}
    while (smaller := _first_failing(Graph.parse(best), fails, tried)) is not None:
        best = smaller
    renamed = _renamed(Graph.parse(best)).text()
    return renamed if fails(renamed) else best


def _first_failing(graph: Graph, fails: Callable[[str], bool], tried: set[str]) -> str | None:
    for candidate in _candidates(graph):
        smaller = candidate.reachable()
        text = smaller.text()
        if smaller.size() < graph.size() and text not in tried:
            tried.add(text)
            if fails(text):
                return text
    return None


def _candidates(graph: Graph) -> Iterator[Graph]:
    """Try the big steps first."""
    yield graph
    for name in graph.nodes:
        yield Graph(name, graph.nodes)
    yield from _without_chunks(graph)
    for name, words in graph.nodes.items():
        yield from _simpler_nodes(graph, name, words)


def _without_chunks(graph: Graph) -> Iterator[Graph]:
    """Drop halves of the nodes, quarters, and so on down to single ones."""
    names = [name for name in graph.nodes if name != graph.root]
    chunk = len(names)
    while chunk > 0:
        for start in range(0, len(names), chunk):
            yield _without(graph, set(names[start : start + chunk]))
        chunk //= 2


def _without(graph: Graph, dropped: set[str]) -> Graph:
    """Drop nodes with the edges to them; what has no moves left becomes a loss."""
    nodes = {}
    for name, words in graph.nodes.items():
        if name not in dropped:
            kept = tuple(w for w in words[1:] if w not in dropped)
            nodes[name] = (words[0], *kept) if kept or len(words) == 1 else ("loss",)
    return Graph(graph.root, nodes)


def _simpler_nodes(graph: Graph, name: str, words: tuple[str, ...]) -> Iterator[Graph]:
    """Make a node an end, drop one of its edges, or go past it."""
    for end in ("loss", "win", "draw"):
        yield Graph(graph.root, graph.nodes | {name: (end,)})
    for i in range(1, len(words) if len(words) > 2 else 0):
        yield Graph(graph.root, graph.nodes | {name: words[:i] + words[i + 1 :]})
    for successor in words[1:]:
        yield _bypassed(graph, name, successor)


def _bypassed(graph: Graph, name: str, successor: str) -> Graph:
    """Lead every edge to `name` on to `successor`."""
    nodes = {}
    for node, words in graph.nodes.items():
        targets = dict.fromkeys(successor if w == name else w for w in words[1:])
        nodes[node] = (words[0], *targets)
    return Graph(successor if graph.root == name else graph.root, nodes)


def _renamed(graph: Graph) -> Graph:
    """Name the nodes A, B, ... in breadth-first order."""
    nodes = graph.reachable().nodes
    new = {name: NAMES[1](i) for i, name in enumerate(nodes)}
    named = {new[n]: (words[0], *(new[w] for w in words[1:])) for n, words in nodes.items()}
    return Graph(new[graph.root], named)
