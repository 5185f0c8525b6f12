"""Small graphs on which plain df-pn runs in circles, found at random and shrunk.

    python tests/find_loops.py --seconds 60 --seed 1 [--verdict proven] [--alternating]

Kishimoto 2010, figure 1, shows a graph with cycles where df-pn never expands a node that it needs;
the text alone does not say what the graph is, so `tests/papers/loop-*.graph` are our own, made by
this program. On such a graph

- plain df-pn (`loops=off`) ends as `no progress`, whatever it does with disproofs that rest on
  repetitions, so that graph-history interaction is not the reason;
- TCA and df-pn(r) have the oracle's verdict, without rising thresholds and without closure, and
  both expand more positions than plain df-pn did.

Prints each graph that is smaller than all before it. `--alternating` asks for graphs in which sides
move in turn. (Numbers are capped, so the core would leave such a loop after some 10^9 visits; the
papers' numbers are not, and their df-pn never does.)
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import andorra
from andorra import Result
from andorra.reference import fixpoint
from andorra.rulebook import make
from random_graphs import CYCLIC, SWAPPED, WON, Graph, random_graph, shrink

QUESTION = "win:first"
GUARD = 1_000_000
SCREEN = 5_000
"""Visits without an expansion that make a graph worth a closer look, also while it shrinks."""

PLAIN: tuple[dict[str, Any], ...] = tuple(
    {"loops": "off", "ghi": ghi, "unsafe": True} for ghi in ("discard", "paths", "base-twin")
)
CURES: tuple[dict[str, Any], ...] = ({"loops": "tca"}, {"loops": "df-pn(r)"})


def ask(text: str, guard: int, **options: Any) -> Result:
    """Solve with df-pn, where nothing helps against loops but the options given."""
    return andorra.solve(
        make("graph", text),
        question=QUESTION,
        algorithm="dfpn",
        memory="16MiB",
        closure=False,
        epsilon=0,
        rise=10**12,
        guard=guard,
        **options,
    )


def oracle(text: str) -> str:
    """Say what the fixpoint says."""
    return fixpoint.solve(make("graph", text), None, QUESTION).verdict


def runs_in_circles(text: str, guard: int) -> bool:
    """Tell whether the graph has the property described above."""
    plain = []
    for options in PLAIN:
        plain.append(ask(text, guard, **options))
        if plain[-1].limit != "no progress":
            return False
    cured = [ask(text, guard, **options) for options in CURES]
    most = max(result.statistics["expansions"] for result in plain)
    return {r.verdict for r in cured} == {oracle(text)} and all(
        result.statistics["expansions"] > most for result in cured
    )


def alternating(text: str) -> str:
    """Put a forced move of the other side between two moves of the same side."""
    graph = Graph.parse(text)
    nodes: dict[str, tuple[str, ...]] = {}
    for name, (mover, *out) in graph.nodes.items():
        same = {to: f"{name}-{to}" for to in out if graph.nodes[to][0] == mover}
        nodes[name] = (mover, *(same.get(to, to) for to in out))
        nodes |= {between: (SWAPPED[mover], to) for to, between in same.items()}
    return Graph(graph.root, nodes).text()


def find(seed: int, verdict: str, alternate: bool, seconds: float) -> Iterator[str]:
    """Shrink every graph that has the property, from this seed on, until time is up."""
    kinds, end = [build.__name__ for build in CYCLIC + WON], time.monotonic() + seconds

    def fails(text: str) -> bool:
        fits = not alternate or alternating(text) == Graph.parse(text).text()
        return fits and oracle(text) == verdict and runs_in_circles(text, SCREEN)

    while time.monotonic() < end:
        for kind in kinds:
            text = random_graph(seed, kind).text
            text = alternating(text) if alternate else text
            if fails(text):
                yield shrink(text, fails)
        seed += 1


def smallest(graphs: Iterable[str]) -> Iterator[str]:
    """Give each graph that is smaller than those before, and does not just look stuck."""
    best = None
    for text in graphs:
        size = Graph.parse(text).size()
        if (best is None or size < best) and runs_in_circles(text, GUARD):
            best = size
            yield text


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="graphs on which plain df-pn runs in circles")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first graph")
    parser.add_argument("--seconds", type=float, default=60, help="for how long")
    parser.add_argument("--verdict", choices=["proven", "disproven"], default="proven")
    parser.add_argument("--alternating", action="store_true", help="no side moves twice")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Search, and print what is found."""
    asked = arguments(argv)
    found = 0
    for text in smallest(find(asked.seed, asked.verdict, asked.alternating, asked.seconds)):
        print(f"# {len(Graph.parse(text).nodes)} nodes\n{text}", flush=True)
        found += 1
    return 0 if found else 1


if __name__ == "__main__":
    sys.exit(main())
