"""The exact score: how much can a side force, and no more?

Idea: a series of questions, each about one score, that close in on the answer. With `binary` steps
each halves what is left between the score that is known to be forced and the one that is known not
to be; with `linear` steps the next one is always the least that is not known; with `aspiration`
the first is the even score, or the nearest to it that there is, and the next ones go away from it
in steps of 1, 2, 4 and so on until the score is passed: few questions, and none about scores far
off, where the guess is good. All questions have one table, in which what was found for one stays
where it holds for the next (core/rules/carry_over.hpp).

Scores are in the first player's view. `score:first` is the most that the first player can force,
`score:second` the least that the second can; where every line ends, the two are the same. Play
without end has no score, and is what the other side would rather have: so where positions repeat, a
side may be able to force no score at all.

Invariant: the prover can force `_proof`'s score and cannot force `_refutation`'s. With nothing
between them the score is known, and these two answers are its certificate. Limits are for all
questions together.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import Literal, cast, get_args

from andorra import _core
from andorra.asking import Answer, Findings, Search
from andorra.errors import OptionError
from andorra.inquiry import Inquiry
from andorra.question import Question
from andorra.result import Verdict
from andorra.rulebook.base import FIRST, SECOND, SIDE_NAMES, Side, score_bounds

Steps = Literal["binary", "linear", "aspiration"]

_WORD = "score"
_PROVERS: dict[str, Side] = {_WORD: FIRST, "score:first": FIRST, "score:second": SECOND}


def is_score(question: str | None) -> bool:
    """Whether the question is about the exact score, well written or not.

    >>> is_score("score"), is_score("score:second"), is_score("score>=3"), is_score(None)
    (True, True, False, False)
    """
    return question is not None and (question == _WORD or question.startswith(f"{_WORD}:"))


def checked_steps(steps: str, question: str | None) -> Steps:
    """The steps, if there are such and the question takes any."""
    if steps not in get_args(Steps):
        raise OptionError(f"steps={steps!r}: expected 'binary', 'linear' or 'aspiration'")
    if steps != "binary" and not is_score(question):
        asked = "the default question" if question is None else f"question={question!r}"
        raise OptionError(f"steps={steps!r} goes with question='score', not with {asked}")
    return cast(Steps, steps)


def find_score(search: Search, text: str, spools: ExitStack | None, steps: Steps) -> Findings:
    """Answer the question `text`."""
    if text not in _PROVERS:
        expected = "expected 'score', 'score:first' or 'score:second'"
        raise OptionError(f"cannot read the question {text!r}: {expected}")
    finder = _Finder(Inquiry(search), _PROVERS[text], spools, steps)
    finder.run()
    return finder.findings()


class _Finder:
    """Closes in on the score; counts it as the prover does, so that more is better."""

    def __init__(
        self, inquiry: Inquiry, prover: Side, spools: ExitStack | None, steps: Steps
    ) -> None:
        self._inquiry = inquiry
        self._prover = prover
        self._spools = spools
        self._steps = steps
        self._series = _core.Series()
        self._sign = 1 if prover == FIRST else -1
        search = inquiry.search
        scores = score_bounds(search.rules, search.rules.parse(search.position))
        self._least, self._most = sorted(self._sign * score for score in scores)
        self._limit: str | None = None
        self._stride = 1
        self._last: Answer | None = None
        self._proof: Answer | None = None
        self._refutation: Answer | None = None

    def run(self) -> None:
        """Ask until the score is known and can be shown, or a limit is reached."""
        try:
            while self._limit is None and not self._is_shown:
                self._ask(self._next())
        except KeyboardInterrupt:  # between two questions: during one, the core answers it
            if self._last is None:
                raise
            self._inquiry.interrupt()
            self._limit = "interrupted"

    @property
    def _reached(self) -> int:
        """The most that is known to be forced; less than the rules allow if nothing is."""
        return self._least - 1 if self._proof is None else self._demand(self._proof)

    @property
    def _missed(self) -> int:
        """The least that is known not to be forced; more than the rules allow if nothing is."""
        return self._most + 1 if self._refutation is None else self._demand(self._refutation)

    @property
    def _is_shown(self) -> bool:
        """Whether nothing is left between the two, and the certificate has its parts."""
        closed = self._missed - self._reached == 1 and self._refutation is not None
        return closed and (self._proof is not None or self._missed == self._least)

    def _next(self) -> int:
        """What to ask for next; with nothing left in between, what the rules rule out."""
        if self._missed - self._reached == 1:
            return self._missed
        if self._steps == "linear":
            return self._reached + 1
        one_sided = self._proof is None or self._refutation is None
        if self._steps == "aspiration" and one_sided:
            return min(max(self._away_from_guess(), self._reached + 1), self._missed - 1)
        return (self._reached + self._missed) // 2

    def _away_from_guess(self) -> int:
        """Further where all answers were the same; the even score as long as there is none."""
        if self._proof is None and self._refutation is None:
            return 0
        stride, self._stride = self._stride, 2 * self._stride
        return self._missed - stride if self._proof is None else self._reached + stride

    def _demand(self, answer: Answer) -> int:
        assert answer.question.score is not None
        return self._sign * answer.question.score

    def _ask(self, demand: int) -> None:
        question = Question(self._prover, score=self._sign * demand)
        answer = self._inquiry.ask(question, spools=self._spools, series=self._series)
        if answer is None:
            self._limit = self._inquiry.limit
            return
        self._last = answer
        if answer.verdict == "proven":
            self._proof = answer.instead_of(self._proof)
        elif answer.verdict == "disproven":
            self._refutation = answer.instead_of(self._refutation)
        else:
            self._limit = answer.report.limit

    def findings(self) -> Findings:
        """All that is known."""
        main = self._proof or self._refutation or self._last
        assert main is not None
        return Findings(
            question=f"{_WORD}:{SIDE_NAMES[self._prover]}",
            verdict=self._verdict,
            value=None,
            main=main,
            shown=main,
            limit=self._limit,
            answers=self._inquiry.answers,
            parts=self._parts,
            score=self._sign * self._reached if self._is_shown and self._proof else None,
            score_bounds=self._score_bounds,
        )

    @property
    def _verdict(self) -> Verdict:
        """Whether a score can be forced at all."""
        if self._proof is not None:
            return "proven"
        return "disproven" if self._is_shown else "unknown"

    @property
    def _parts(self) -> list[Answer]:
        known = [answer for answer in (self._proof, self._refutation) if answer is not None]
        if self._is_shown:
            return known
        whole = [answer for answer in known if answer.entries_limit is None]
        return whole if self._proof is not None else []

    @property
    def _score_bounds(self) -> tuple[int | None, int | None]:
        """At least and at most; None where it is not known that there is a score."""
        sure = self._proof is not None or self._inquiry.search.native.acyclic
        reached = max(self._reached, self._least) if sure else None
        most = self._missed - 1 if self._missed > self._least else None
        if self._prover == FIRST:
            return reached, most
        return (None if most is None else -most), (None if reached is None else -reached)
