"""Do all solvers give the same answers?

Every answer is a voice, and so is one that the plan knows from elsewhere. If two voices on one
problem differ, at least one of them is wrong, whoever has the majority. `unknown` is no voice.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from andorra.study.plan import Problem
from andorra.study.results import Results
from andorra.study.row import Row

KNOWN = "known beforehand"


@dataclass(frozen=True)
class Disagreement:
    """A problem with different answers."""

    problem: Problem
    answers: dict[str, list[str]]
    """By answer, who gives it."""


@dataclass(frozen=True)
class Agreement:
    """What the voices add up to."""

    disagreements: list[Disagreement]
    rejected: list[Row]
    """Runs whose certificate the fast checker rejected."""
    failed: list[Row]
    answers: int
    verified: int
    """Answers whose certificate the fast checker accepted."""
    uncertified: dict[str, int]
    """Why other answers have no certificate that was checked, and how many; if it was asked for."""
    unsound: int
    """Answers of settings that are known to be unsound on their game."""
    confirmed: int
    """Problems with an answer that was known beforehand, and a solver that gives it."""

    @property
    def is_sound(self) -> bool:
        """Whether nothing speaks against any answer."""
        return not (self.disagreements or self.rejected)


def agreement(results: Results) -> Agreement:
    """Hear all voices."""
    answered = [row for row in results.rows if row.answer is not None]
    found = (_disagreement(results, problem) for problem in results.plan.problems)
    return Agreement(
        disagreements=[each for each in found if each is not None],
        rejected=[row for row in results.rows if row.rejected],
        failed=[row for row in results.rows if row.failed],
        answers=len(answered),
        verified=sum(row.verified for row in answered),
        uncertified=Counter(
            row.certificate
            for row in answered
            if row.certificate is not None and not (row.verified or row.rejected)
        ),
        unsound=sum(row.unsound for row in answered),
        confirmed=len({row.problem for row in answered if row.answer == row.known}),
    )


def _disagreement(results: Results, problem: Problem) -> Disagreement | None:
    answers: dict[str, list[str]] = {}
    if problem.known is not None:
        answers[problem.known] = [KNOWN]
    for row in results.on(problem):
        if row.answer is not None:
            who = f"{row.solver} (unsound settings)" if row.unsound else row.solver
            answers.setdefault(row.answer, []).append(who)
    return Disagreement(problem, answers) if len(answers) > 1 else None
