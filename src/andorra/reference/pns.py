"""Proof-number search: always expand the leaf that helps most, whoever turns out to be right.

Idea: keep a tree with a proof and a disproof number at every node. Going down to the smallest proof
number where the prover moves, and to the smallest disproof number where the refuter moves, ends at
the *most-proving node*: proving it helps to prove the root, disproving it to disprove the root.
Source: survey figure 3, whose line numbers the comments give, and section 6.1 (Schijf).
Invariant: every node's numbers follow from its children's.
Deviations:
- line 49 sets `value` once; it must be infinite again at every node on the way down;
- where no position can repeat, equal positions are one node with several parents, and an update
  goes to all of them; so the next descent starts at the root;
- where positions can repeat, every path has nodes of its own, and a position that is on its own
  path already counts as disproven. So the tree is finite, and this is exact: whoever can force a
  win can force it without a repetition, and a refuter who can avoid the win for ever avoids it in
  every repetition too.
`nodes` counts expansions.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic

from andorra.question import Question
from andorra.reference.numbers import UNKNOWN, Bounds, leaf
from andorra.reference.problem import Move, Node, Problem, State
from andorra.reference.result import Result, result
from andorra.rulebook.base import Game


@dataclass(eq=False, slots=True)
class TreeNode(Generic[State, Move]):
    """A node of the tree: one position on one path, or one position where none can repeat."""

    node: Node[State]
    is_or: bool
    parents: list[TreeNode[State, Move]] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    children: list[TreeNode[State, Move]] = field(default_factory=list)
    bounds: Bounds = UNKNOWN

    def is_repetition(self) -> bool:
        """Whether this position is on the path from the root to here already."""
        above = self.parents
        while above and above[0].node != self.node:
            above = above[0].parents
        return bool(above)


Known = dict[Node[State], TreeNode[State, Move]]


def solve(
    game: Game[State, Move],
    position: State | None = None,
    question: str | Question = "win",
    nodes: int = 1_000_000,
) -> Result[Move]:
    """The verdict, unless more than `nodes` expansions are needed."""
    problem = Problem.ask(game, position, question)
    root: TreeNode[State, Move] = TreeNode(problem.root, problem.is_or(problem.root))
    known: Known[State, Move] = {}
    evaluate(problem, root)  # 3, 4
    expansions = 0
    while not root.bounds.solved:  # 7
        if expansions == nodes:
            return result(root.bounds, expansions, None, "nodes")
        most_proving = select_most_proving_node(root)  # 8
        expand(problem, most_proving, known)  # 9
        update_ancestors(most_proving)  # 10
        expansions += 1
    return result(root.bounds, expansions, _move(root), None)


def evaluate(problem: Problem[State, Move], n: TreeNode[State, Move]) -> None:
    """Lines 34 to 45: the numbers of a new leaf."""
    repeats = problem.may_repeat and n.is_repetition()
    n.bounds = leaf(False if repeats else problem.status(n.node))


def set_proof_and_disproof_numbers(n: TreeNode[State, Move]) -> None:
    """Lines 13 to 33: the numbers of an inner node."""
    proofs = [c.bounds.pn for c in n.children]
    disproofs = [c.bounds.dn for c in n.children]
    if n.is_or:
        n.bounds = Bounds.of(min(proofs), sum(disproofs))  # 26-32
    else:
        n.bounds = Bounds.of(sum(proofs), min(disproofs))  # 17-23


def select_most_proving_node(n: TreeNode[State, Move]) -> TreeNode[State, Move]:
    """Lines 47 to 67: the first of the best children, down to a leaf."""
    while n.children:  # 51
        if n.is_or:
            n = min(n.children, key=lambda c: c.bounds.pn)  # 52-57
        else:
            n = min(n.children, key=lambda c: c.bounds.dn)  # 58-63
    return n


def expand(
    problem: Problem[State, Move], n: TreeNode[State, Move], known: Known[State, Move]
) -> None:
    """Lines 68 to 80: add the children, up to the first that decides the node."""
    for move, node in problem.children(n.node):
        child = known.get(node)
        if child is None:
            child = TreeNode(node, problem.is_or(node), [n])
            evaluate(problem, child)  # 72, 73
        else:
            child.parents.append(n)
        if not problem.may_repeat:
            known[node] = child
        n.moves.append(move)
        n.children.append(child)
        if (child.bounds.pn if n.is_or else child.bounds.dn) == 0:  # 75-77
            break


def update_ancestors(n: TreeNode[State, Move]) -> None:
    """Lines 81 to 95, for all parents, each way up to the first node that does not change."""
    waiting = {n: None}  # a set in order of coming
    while waiting:
        n = next(iter(waiting))
        del waiting[n]
        old = n.bounds  # 84, 85
        set_proof_and_disproof_numbers(n)  # 86
        if n.bounds != old:  # 88-92
            waiting |= dict.fromkeys(n.parents)  # 93


def _move(root: TreeNode[State, Move]) -> Move | None:
    """The move that decided a solved root, if the side that has the strategy is to move there."""
    if not root.children or root.is_or != (root.bounds.pn == 0):
        return None
    return next(
        m for m, c in zip(root.moves, root.children, strict=True) if c.bounds == root.bounds
    )
