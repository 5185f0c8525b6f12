"""Proof and disproof numbers, always in the prover's view.

Idea: pn (dn) is the number of leaves still to be proven (disproven) to prove (disprove) a node.
Source: survey sections 3.1 and 3.2.
Invariant: a solved node has one zero and one INFINITE; an open node has both numbers in
[1, LARGEST]. Solved is tested by a zero, never by a large number, so a capped sum is no proof.
LARGEST is far below INFINITE, so that thresholds "infinity - x" stay distinct and above every
number of an open node.
"""

from __future__ import annotations

from typing import NamedTuple

INFINITE = 1 << 62
LARGEST = 1 << 32


class Bounds(NamedTuple):
    """Proof number and disproof number."""

    pn: int
    dn: int

    @property
    def solved(self) -> bool:
        """Proven or disproven."""
        return self.pn == 0 or self.dn == 0

    @classmethod
    def of(cls, pn: int, dn: int) -> Bounds:
        """The bounds of an inner node: infinite where solved, capped where not."""
        if pn == 0:
            return PROVEN
        if dn == 0:
            return DISPROVEN
        return cls(min(pn, LARGEST), min(dn, LARGEST))


PROVEN = Bounds(0, INFINITE)
DISPROVEN = Bounds(INFINITE, 0)
UNKNOWN = Bounds(1, 1)


def leaf(status: bool | None) -> Bounds:
    """The bounds of a node without children in the tree (figure 3, lines 34 to 45)."""
    if status is None:
        return UNKNOWN
    return PROVEN if status else DISPROVEN
