"""The oracle: the proven set of a question, as a least fixpoint on the whole graph.

Idea: the prover's wins are proven. A node of the prover is proven once some child is, a node of
the refuter once all children are. Repeat until nothing changes; what is left is disproven, for
there the refuter can avoid the wins for ever. This *is* the meaning of a verdict; every search is
tested against it.
Invariant: the rank of a proven node, the round in which it was proven, is the number of plies
within which the prover can force the win. Ranks fall along every line of a proof, so no cycle can
cheat.
Cost: all nodes that can be reached are enumerated and kept.
"""

from __future__ import annotations

from itertools import count

from andorra.question import Question
from andorra.reference.numbers import DISPROVEN, PROVEN, UNKNOWN
from andorra.reference.problem import Move, Node, Problem, State
from andorra.reference.result import Result, result
from andorra.rulebook.base import Game

Graph = dict[Node[State], list[tuple[Move, Node[State]]]]
Ranks = dict[Node[State], int]


def solve(
    game: Game[State, Move],
    position: State | None = None,
    question: str | Question = "win",
    nodes: int = 1_000_000,
) -> Result[Move]:
    """The verdict, unless more than `nodes` nodes can be reached; `Result.nodes` counts them."""
    problem = Problem.ask(game, position, question)
    graph = enumerate_graph(problem, nodes)
    if graph is None:
        return result(UNKNOWN, nodes, None, "nodes")
    proven = ranks(problem, graph)
    bounds = PROVEN if problem.root in proven else DISPROVEN
    return result(bounds, len(graph), _move(problem, graph, proven), None)


def enumerate_graph(problem: Problem[State, Move], limit: int) -> Graph[State, Move] | None:
    """All nodes that can be reached, with their children; None if they are more than `limit`."""
    graph: Graph[State, Move] = {}
    waiting = [problem.root]
    while waiting:
        node = waiting.pop()
        if node in graph:
            continue
        if len(graph) == limit:
            return None
        graph[node] = [] if problem.status(node) is not None else problem.children(node)
        waiting += [child for _, child in graph[node]]
    return graph


def ranks(problem: Problem[State, Move], graph: Graph[State, Move]) -> Ranks[State]:
    """The rank of every proven node; a node without a rank is disproven."""
    rank = {node: 0 for node in graph if problem.status(node) is True}
    pending = [node for node in graph if problem.status(node) is None]
    for plies in count(1):
        proven = [node for node in pending if _follows(problem, graph, rank, node)]
        if not proven:
            break
        rank |= dict.fromkeys(proven, plies)
        pending = [node for node in pending if node not in rank]
    return rank


def _follows(
    problem: Problem[State, Move],
    graph: Graph[State, Move],
    rank: Ranks[State],
    node: Node[State],
) -> bool:
    """Whether an inner node is proven by the children that have a rank already."""
    proven = (child in rank for _, child in graph[node])
    return any(proven) if problem.is_or(node) else all(proven)


def _move(
    problem: Problem[State, Move], graph: Graph[State, Move], rank: Ranks[State]
) -> Move | None:
    """A shortest win for the prover at the root, or a move of the refuter that avoids all wins."""
    children, proven = graph[problem.root], problem.root in rank
    if not children or problem.is_or(problem.root) != proven:
        return None
    if not proven:
        return next(move for move, child in children if child not in rank)
    winning = [(move, rank[child]) for move, child in children if child in rank]
    return min(winning, key=lambda choice: choice[1])[0]
