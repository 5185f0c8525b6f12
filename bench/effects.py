"""What a change of settings does: ratios to the default, and what has no answer.

Idea: a ratio is taken where both the changed search and the default one have an answer, position by
position, and the mean is geometric. That alone would flatter a setting that fails where it is slow,
so there is a second mean over all positions, in which a failure is *charged*: a position that only
the default answers counts as a ratio of `CHARGE` at least, one that only the change answers as 1 at
most, and one that neither answers as 1.
Invariant: no failure makes a ratio smaller than it would be with an answer of the same cost.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, fsum, log

from andorra import Run
from andorra.setting import BASELINE

CHARGE = 10.0
LEAST_SECONDS = 0.002
"""What a ratio takes for shorter times, which are mostly noise."""

Runs = Mapping[str, Sequence[Run]]
"""By setting, a run a position; the baseline among them."""


@dataclass(frozen=True)
class Effect:
    """A setting on the positions of one family."""

    setting: str
    runs: int
    answered: int
    gained: int
    """Answered here, and not by the default."""
    lost: int
    """Answered by the default, and not here."""
    nodes: int
    """Of all runs, as the next."""
    cpu_seconds: float
    nodes_ratio: float | None
    """On the positions that both answered, as the next; None if there is none."""
    cpu_ratio: float | None
    nodes_charged: float
    """On all positions, failures charged, as the next."""
    cpu_charged: float


def effects(runs: Runs) -> list[Effect]:
    """One a setting, in their order."""
    return [_effect(name, own, runs[BASELINE]) for name, own in runs.items()]


def _effect(name: str, own: Sequence[Run], base: Sequence[Run]) -> Effect:
    pairs = list(zip(own, base, strict=True))
    both = [(run, other) for run, other in pairs if answered(run) and answered(other)]
    return Effect(
        setting=name,
        runs=len(own),
        answered=sum(map(answered, own)),
        gained=sum(answered(run) and not answered(other) for run, other in pairs),
        lost=sum(answered(other) and not answered(run) for run, other in pairs),
        nodes=sum(run.nodes for run in own),
        cpu_seconds=fsum(run.cpu_seconds for run in own),
        nodes_ratio=mean(nodes_quotient(*pair) for pair in both),
        cpu_ratio=mean(cpu_quotient(*pair) for pair in both),
        nodes_charged=mean(charged(*pair, nodes_quotient(*pair)) for pair in pairs) or 1.0,
        cpu_charged=mean(charged(*pair, cpu_quotient(*pair)) for pair in pairs) or 1.0,
    )


def answered(run: Run) -> bool:
    """Whether the run has a verdict."""
    return run.answer is not None


def nodes_quotient(run: Run, base: Run) -> float:
    """Visits against the default's."""
    return max(run.nodes, 1) / max(base.nodes, 1)


def cpu_quotient(run: Run, base: Run) -> float:
    """CPU seconds against the default's."""
    return max(run.cpu_seconds, LEAST_SECONDS) / max(base.cpu_seconds, LEAST_SECONDS)


def charged(run: Run, base: Run, quotient: float) -> float:
    """The quotient, unless one of the two has no answer."""
    if answered(run):
        return quotient if answered(base) else min(quotient, 1.0)
    return max(quotient, CHARGE) if answered(base) else 1.0


def mean(ratios: Iterable[float | None]) -> float | None:
    """The geometric mean of those that there are.

    >>> mean([2, 8, None]), mean([])
    (4.0, None)
    """
    logarithms = [log(ratio) for ratio in ratios if ratio is not None]
    return round(exp(fsum(logarithms) / len(logarithms)), 9) if logarithms else None
