"""Depth-first proof-number search: the same leaves as proof-number search, with a table for a tree.

Idea: stay below a node as long as the most-proving node must be there. Two thresholds tell: leave
as soon as the proof number reaches `pt`, or the disproof number `dt`.
Source: survey figure 5, whose line numbers the comments give, and section 6.2.
Invariant: the table says "solved" only of positions that are so on every path.
Deviations:
- numbers are kept in the prover's view and read by the mover of the *parent*, since a side may move
  twice: `phi` is what the mover at a node makes small, `delta` what the opponent does; of a child,
  `delta` is the number that the parent's mover makes small, whoever moves at the child;
- line 6 concludes a proof from an infinite number; here a zero does;
- cycles: a position that is on the path already counts as disproven for this visit. A disproof
  that rests upon a repetition *above* its node holds on this path only: it is tainted. It is not
  stored; the parent, whose path is the same, remembers it as long as it is open. If all
  repetitions lie inside, at the node's own depth or below, the disproof is a closed set and holds
  on every path;
- line 28 adds 1, but twice as much with every PATIENCE visits that find nothing new: where lines
  transpose, numbers are counted twice and again, and steps of one would make the search wander
  among what it knows;
- a guard: df-pn may run in circles where positions can repeat; there, more than `guard` visits
  without a new position end the search with `unknown: no progress`. Without cycles there is no
  guard: steps that grow find something new in the end.
`nodes` counts calls of MID. Recursion is as deep as the longest line looked at.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Generic

from andorra.question import Question
from andorra.reference.numbers import DISPROVEN, INFINITE, LARGEST, UNKNOWN, Bounds, leaf
from andorra.reference.problem import Move, Node, Problem, State
from andorra.reference.result import Result, result
from andorra.rulebook.base import Game

NO_REPETITION = sys.maxsize
"""The depth on which a disproof without repetitions rests: below everything."""

PATIENCE = 256


class LimitReachedError(Exception):
    """Ends the search from any depth; the text names the limit."""


def solve(
    game: Game[State, Move],
    position: State | None = None,
    question: str | Question = "win",
    nodes: int = 1_000_000,
    guard: int = 10_000,
) -> Result[Move]:
    """The verdict, unless more than `nodes` visits are needed or the guard ends the search."""
    problem = Problem.ask(game, position, question)
    search = DfPn(problem, nodes, guard if problem.may_repeat else nodes)
    root = OpenNode(search, problem.root)
    try:
        with deep_recursion():
            search.mid(root, INFINITE, INFINITE)  # 3-5
    except LimitReachedError as limit:
        search.path.clear()
        return result(root.bounds(), search.nodes, None, str(limit))
    return result(search.table[root.node], search.nodes, root.solving_move(), None)  # 6-9


@contextmanager
def deep_recursion(limit: int = 1_000_000) -> Iterator[None]:
    """Allow Python calls to nest this deeply; they take no room on the C stack."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, limit))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


class DfPn(Generic[State, Move]):
    """One search: its table, the path to the node being searched, and the limits."""

    def __init__(self, problem: Problem[State, Move], nodes: int, guard: int) -> None:
        self.problem = problem
        self.table: dict[Node[State], Bounds] = {}
        self.path: dict[Node[State], int] = {}
        self.seen: set[Node[State]] = set()
        self.nodes = 0
        self.idle_visits = 0
        self.doublings = 0
        self.node_limit = nodes
        self.guard = guard

    def mid(self, n: OpenNode[State, Move], pt: int, dt: int) -> None:
        """Lines 11 to 34: search below `n` until a threshold is reached."""
        self.count_visit(n.node)
        status = self.problem.status(n.node)
        if status is not None:  # 13-19
            self.table[n.node] = leaf(status)
            return
        n.open()  # 20
        phi, delta = (pt, dt) if n.is_or else (dt, pt)
        while phi > n.delta_min() and delta > n.phi_sum():  # 23, 24
            best, phi_c, delta_2 = n.select_child()  # 25
            phi_best = delta + phi_c - n.phi_sum()  # 27
            delta_best = min(phi, delta_2 + (1 << self.doublings))  # 28
            child = OpenNode(self, best)
            if n.is_or:
                self.mid(child, delta_best, phi_best)  # 29
            else:
                self.mid(child, phi_best, delta_best)
            n.remember(child)
        n.close()  # 31-33

    def count_visit(self, node: Node[State]) -> None:
        """Count, and raise `LimitReachedError` if this visit is one too many."""
        if node not in self.seen:
            self.seen.add(node)
            self.idle_visits = 0
            self.doublings = max(self.doublings - 1, 0)
        else:
            self.idle_visits += 1
            self.doublings += self.idle_visits % PATIENCE == 0 and self.doublings < 60
        if self.nodes == self.node_limit:
            raise LimitReachedError("nodes")
        if self.idle_visits > self.guard:
            raise LimitReachedError("no progress")
        self.nodes += 1


class OpenNode(Generic[State, Move]):
    """A node on the path, with what is known of its children there (N in the figure).

    After `close`, `rests_upon` is the smallest depth of a path position that a disproof of this
    node rests upon, and None unless that lies above the node.
    """

    def __init__(self, search: DfPn[State, Move], node: Node[State]) -> None:
        self.search = search
        self.node = node
        self.is_or = search.problem.is_or(node)
        self.children: list[tuple[Move, Node[State]]] = []
        self.tainted: dict[Node[State], int] = {}
        self.rests_upon: int | None = None

    def open(self) -> None:
        """Line 20: generate the moves; the node is on the path from now on."""
        self.children = self.search.problem.children(self.node)
        self.search.path[self.node] = len(self.search.path)

    def close(self) -> None:
        """Lines 31 to 33: leave the path and store the numbers, unless they are tainted."""
        bounds = self.bounds()
        rests_upon = self.disproof_rests_upon() if bounds == DISPROVEN else NO_REPETITION
        if rests_upon < self.search.path.pop(self.node):
            self.rests_upon = rests_upon
        else:
            self.search.table[self.node] = bounds

    def remember(self, child: OpenNode[State, Move]) -> None:
        """Keep a child's tainted disproof: the path to the child is the path to this node."""
        if child.rests_upon is not None:
            self.tainted[child.node] = child.rests_upon

    def look_up(self, child: Node[State]) -> Bounds:
        """What is known of a child on this path. A stored solution holds on every path."""
        stored = self.search.table.get(child, UNKNOWN)
        if not stored.solved and (child in self.search.path or child in self.tainted):
            return DISPROVEN
        return stored

    def retrieve(self, child: Node[State]) -> tuple[int, int]:
        """RetrieveProofandDisproofNumbers: a child's phi and delta."""
        pn, dn = self.look_up(child)
        return (dn, pn) if self.is_or else (pn, dn)

    def select_child(self) -> tuple[Node[State], int, int]:
        """Lines 35 to 53: the first child of least delta, its phi, and the second least delta."""
        best = self.children[0][1]
        phi_c = delta_c = delta_2 = INFINITE  # 38
        for _, child in self.children:  # 39
            phi, delta = self.retrieve(child)  # 40
            if delta < delta_c:  # 43
                best, delta_2, phi_c, delta_c = child, delta_c, phi, delta  # 44, 45
            elif delta < delta_2:  # 47
                delta_2 = delta  # 48 (49, 50: a solved N has left the loop already)
        return best, phi_c, delta_2  # 52

    def delta_min(self) -> int:
        """Lines 54 to 62."""
        return min(self.retrieve(child)[1] for _, child in self.children)

    def phi_sum(self) -> int:
        """Lines 63 to 71, capped as the table's numbers are, or thresholds would not fit them."""
        phi = sum(self.retrieve(child)[0] for _, child in self.children)
        return phi if phi >= INFINITE else min(phi, LARGEST)

    def bounds(self) -> Bounds:
        """The node's numbers, from its children's (line 32)."""
        if not self.children:
            return UNKNOWN
        phi, delta = self.delta_min(), self.phi_sum()
        return Bounds.of(phi, delta) if self.is_or else Bounds.of(delta, phi)

    def disproof_rests_upon(self) -> int:
        """The smallest depth of a path position that the disproof of this node rests upon.

        The prover's node rests on all its children, the refuter's on any disproven one: the best.
        """
        depths = [self.child_rests_upon(c) for _, c in self.children if self.look_up(c).dn == 0]
        return min(depths) if self.is_or else max(depths)

    def child_rests_upon(self, child: Node[State]) -> int:
        """The same for a disproven child, as seen on this path."""
        if self.search.table.get(child) == DISPROVEN:
            return NO_REPETITION
        return self.search.path[child] if child in self.search.path else self.tainted[child]

    def solving_move(self) -> Move | None:
        """A move of a solved node that keeps its verdict, if it is the winning side's turn."""
        bounds = self.bounds()
        if not bounds.solved or self.is_or != (bounds.pn == 0):
            return None
        return next(move for move, child in self.children if self.look_up(child) == bounds)
