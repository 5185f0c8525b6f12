"""What a reference search answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from andorra.reference.numbers import Bounds

Verdict = Literal["proven", "disproven", "unknown"]
Move = TypeVar("Move")


@dataclass(frozen=True)
class Result(Generic[Move]):
    """A verdict, with the bounds of the root and the work done.

    `limit` names the limit that ended an `unknown` search ("nodes" or "no progress") and is None
    otherwise. `nodes` is counted as each search says. `move` is a move that keeps the verdict,
    where the side that has the strategy is to move at the root; None otherwise.
    """

    verdict: Verdict
    pn: int
    dn: int
    nodes: int
    move: Move | None = None
    limit: str | None = None


def result(bounds: Bounds, nodes: int, move: Move | None, limit: str | None) -> Result[Move]:
    """The result that the bounds of the root stand for."""
    if not bounds.solved:
        return Result("unknown", *bounds, nodes, None, limit)
    return Result("proven" if bounds.pn == 0 else "disproven", *bounds, nodes, move)
