"""What several settings made of the same positions: runs, sums, ratios, disagreements.

Idea: sums over different sets of solved positions mislead, because the setting that solves more
hard ones looks worse. So there are two kinds of sums: over all runs of a setting, and over the
positions that every setting answered. Ratios are taken position by position on the latter, and
their geometric mean does not depend on which of two settings is called the baseline.
Invariant: `unknown` disagrees with nothing; two different answers to one question disagree always.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from math import exp, fsum, log
from typing import Any

from andorra.result import Value, Verdict
from andorra.setting import BASELINE, Setting

_LEAST_NODES = 1
_LEAST_SECONDS = 1e-6
"""What a ratio takes for zero: seconds are measured in whole microseconds."""


@dataclass(frozen=True)
class Run:
    """One search: a setting on a position."""

    setting: str
    """Its name."""
    number: int
    """The position's, from 1, in the order given."""
    position: str
    question: str
    verdict: Verdict
    value: Value | None
    limit: str | None
    """What ended an unknown, as in a `Result`; `failed` if there is an `error`."""
    nodes: int
    expansions: int
    reexpansions: int
    moves: int
    cpu_seconds: float
    """Of the search, its start-up excluded; of all its threads together."""
    wall_seconds: float
    """By the clock, of the search, too."""
    resident_memory: int
    """The largest resident memory of the run's own process, in bytes, Python included."""
    algorithm: str = "dfpn"
    memory: int = 0
    """The limit, in bytes."""
    options: dict[str, str] = field(default_factory=dict)
    unsound: bool = False
    score: int | None = None
    """If the question was for it."""
    error: str | None = None
    """Why there is no result at all; figures are then zeros."""

    @property
    def answer(self) -> str | None:
        """The verdict, or to the question for the value or the score, that; None if unknown."""
        return answer_to(self.question, self.verdict, self.value, self.score)

    def to_json(self) -> dict[str, Any]:
        """The run as plain data."""
        return asdict(self)


@dataclass(frozen=True)
class Disagreement:
    """A position to which settings give different answers: at least one of them is wrong."""

    number: int
    position: str
    question: str
    answers: dict[str, str]
    """By setting; those that do not know are left out."""


@dataclass(frozen=True)
class Summary:
    """What a setting cost."""

    setting: str
    runs: int
    answered: int
    nodes: int
    """Of all runs, as the next four."""
    expansions: int
    reexpansions: int
    cpu_seconds: float
    wall_seconds: float
    resident_memory: int
    """The largest of all runs, in bytes."""
    common_positions: int
    """How many positions all settings answered; what follows is about these."""
    common_nodes: int
    common_cpu_seconds: float
    common_wall_seconds: float
    nodes_ratio: float | None
    """Geometric mean of the ratios to the baseline's, position by position; None if there is no
    position. Of several threads to one, the search overhead."""
    cpu_ratio: float | None
    wall_ratio: float | None
    """Of several threads to one, 1 by the speed-up."""
    disagreements: int
    """On how many positions another setting gives a different answer."""
    unsound: bool
    """Whether a run used settings that are known to be unsound on this game."""

    def to_json(self) -> dict[str, Any]:
        """The summary as plain data."""
        return asdict(self)


@dataclass(frozen=True)
class Comparison:
    """All that was measured."""

    settings: dict[str, Setting]
    """By name, the baseline first."""
    runs: list[Run]
    interrupted: bool = False
    """Whether Ctrl-C ended it before all runs were done."""

    def runs_of(self, setting: str) -> list[Run]:
        """The runs of one setting, by position."""
        own = (run for run in self.runs if run.setting == setting)
        return sorted(own, key=lambda run: run.number)

    def runs_on(self, number: int) -> list[Run]:
        """The runs on one position, in the order of the settings."""
        order = list(self.settings)
        own = (run for run in self.runs if run.number == number)
        return sorted(own, key=lambda run: order.index(run.setting))

    @property
    def numbers(self) -> list[int]:
        """The numbers of all positions with a run."""
        return sorted({run.number for run in self.runs})

    @property
    def common(self) -> set[int]:
        """The positions that every setting answered."""
        answered = [
            {run.number for run in self.runs_of(name) if run.answer is not None}
            for name in self.settings
        ]
        return set.intersection(*answered) if answered else set()

    @property
    def disagreements(self) -> list[Disagreement]:
        """All positions to which settings give different answers."""
        found = (_disagreement(self.runs_on(number)) for number in self.numbers)
        return [each for each in found if each is not None]

    @property
    def summaries(self) -> list[Summary]:
        """One a setting, the baseline first."""
        common, disagreements = self.common, self.disagreements
        baseline = _on(self.runs_of(BASELINE), common)
        return [
            _summary(name, self.runs_of(name), common, baseline, disagreements)
            for name in self.settings
        ]

    @property
    def baseline_answered_all(self) -> bool:
        """Whether no run of the baseline ended as unknown."""
        return all(run.answer is not None for run in self.runs_of(BASELINE))


def answer_to(
    question: str, verdict: Verdict, value: Value | None, score: int | None = None
) -> str | None:
    """The verdict, or to the question for the value or the score, that; None if it is unknown.

    >>> answer_to("win:first", "proven", "win"), answer_to("value", "disproven", "draw")
    ('proven', 'draw')
    >>> answer_to("win:first", "unknown", None) is None
    True
    """
    if score is not None:
        return str(score)
    if question == "value":
        return value
    return None if verdict == "unknown" else verdict


def _disagreement(runs: Sequence[Run]) -> Disagreement | None:
    answers = {run.setting: run.answer for run in runs if run.answer is not None}
    if len(set(answers.values())) < 2:
        return None
    return Disagreement(runs[0].number, runs[0].position, runs[0].question, answers)


def _summary(
    name: str,
    runs: Sequence[Run],
    common: set[int],
    baseline: Sequence[Run],
    disagreements: Iterable[Disagreement],
) -> Summary:
    shared = _on(runs, common)
    return Summary(
        setting=name,
        runs=len(runs),
        answered=sum(run.answer is not None for run in runs),
        nodes=sum(run.nodes for run in runs),
        expansions=sum(run.expansions for run in runs),
        reexpansions=sum(run.reexpansions for run in runs),
        cpu_seconds=_sum(_cpu(runs)),
        wall_seconds=_sum(_wall(runs)),
        resident_memory=max((run.resident_memory for run in runs), default=0),
        common_positions=len(common),
        common_nodes=sum(run.nodes for run in shared),
        common_cpu_seconds=_sum(_cpu(shared)),
        common_wall_seconds=_sum(_wall(shared)),
        nodes_ratio=_mean_ratio(_nodes(shared), _nodes(baseline), _LEAST_NODES),
        cpu_ratio=_mean_ratio(_cpu(shared), _cpu(baseline), _LEAST_SECONDS),
        wall_ratio=_mean_ratio(_wall(shared), _wall(baseline), _LEAST_SECONDS),
        disagreements=sum(name in each.answers for each in disagreements),
        unsound=any(run.unsound for run in runs),
    )


def _on(runs: Iterable[Run], numbers: set[int]) -> list[Run]:
    return [run for run in runs if run.number in numbers]


def _nodes(runs: Iterable[Run]) -> list[float]:
    return [run.nodes for run in runs]


def _cpu(runs: Iterable[Run]) -> list[float]:
    return [run.cpu_seconds for run in runs]


def _wall(runs: Iterable[Run]) -> list[float]:
    return [run.wall_seconds for run in runs]


def _sum(seconds: Iterable[float]) -> float:
    return round(fsum(seconds), 6)


def _mean_ratio(figures: Sequence[float], base: Sequence[float], least: float) -> float | None:
    """The geometric mean of the quotients, in which no figure counts as less than `least`.

    >>> round(_mean_ratio([2, 8], [1, 0], 1), 6), round(_mean_ratio([1, 1], [2, 8], 1), 6)
    (4.0, 0.25)
    """
    if not figures:
        return None
    pairs = zip(figures, base, strict=True)
    return geometric_mean([max(mine, least) / max(other, least) for mine, other in pairs])


def geometric_mean(figures: Sequence[float]) -> float:
    """The geometric mean of positive figures, one at least.

    >>> round(geometric_mean([1, 100]), 6)
    10.0
    """
    return exp(fsum(map(log, figures)) / len(figures))
