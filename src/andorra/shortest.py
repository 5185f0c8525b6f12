"""The shortest win: is there one, and in how many plies?

Idea: first the question without a bound, because a search that need not count plies is the fastest
way to find out that there is no win at all. Then bounded questions, each two plies longer than the
one before, until one is proven; then the one a ply below it, unless that is refuted already or a
built-in game says that it cannot be won either, because sides alternate and win by their own moves
(of a user's game this is not believed: asking is a way to do without). So in
the end a win within N plies is proven, and one within N - 1 or, in such games, N - 2 is refuted.

Invariant: a win within `_refuted` plies is impossible; one within `_proof`'s plies, and one within
the plies of the unbounded proof's longest line, is certain. Where these bounds meet, the length is
known; what is still asked is for the line and the certificate. Limits are for all questions
together.
"""

from __future__ import annotations

from contextlib import ExitStack

from andorra.asking import Answer, Findings, Search
from andorra.errors import OptionError
from andorra.inquiry import Inquiry
from andorra.others import find_others
from andorra.question import Question
from andorra.result import Other
from andorra.rulebook import is_built_in
from andorra.rulebook.base import FIRST, SECOND, SIDE_NAMES, Side

_WORD = "shortest"
_PROVERS: dict[str, Side] = {"shortest:first": FIRST, "shortest:second": SECOND}


def is_shortest(question: str | None) -> bool:
    """Whether the question is about the shortest win, well written or not.

    >>> is_shortest("shortest:first"), is_shortest("win:first"), is_shortest(None)
    (True, False, False)
    """
    return question is not None and question.startswith(_WORD)


def shortest_prover(question: str, default: str, to_move: Side) -> Side:
    """Whose shortest win the question is about; `default` is the game's own question.

    >>> shortest_prover("shortest", "win", SECOND), shortest_prover("shortest:first", "win", SECOND)
    (1, 0)
    """
    if question == _WORD:
        return Question.parse(default, to_move).prover
    if question in _PROVERS:
        return _PROVERS[question]
    expected = "expected 'shortest', 'shortest:first' or 'shortest:second'"
    raise OptionError(f"cannot read the question {question!r}: {expected}")


def find_shortest(
    search: Search, text: str, spools: ExitStack | None, others_nodes: int | None
) -> Findings:
    """Answer the question `text`; with `others_nodes`, look for other moves that win, too."""
    prover = shortest_prover(text, search.rules.question, search.to_move)
    finder = _Finder(Inquiry(search), prover, spools)
    finder.run()
    others = None if others_nodes is None else finder.others(others_nodes)
    return finder.findings(others, others_missing=others_nodes is not None and others is None)


class _Finder:
    """Closes in on the length of the shortest win."""

    def __init__(self, inquiry: Inquiry, prover: Side, spools: ExitStack | None) -> None:
        self._inquiry = inquiry
        self._prover = prover
        self._spools = spools
        search = inquiry.search
        self._over = search.native.outcome(search.position) is not None
        self._first_bound = 1 if search.to_move == prover else 2
        alternates = search.rules.wins_by_own_move and is_built_in(search.rules)
        self._step = 2 if alternates else 1
        """The least by which the lengths of two wins can differ."""
        self._limit: str | None = None
        self._win: Answer | None = None
        """The answer to the question without a bound."""
        self._proof: Answer | None = None
        self._refutation: Answer | None = None

    def run(self) -> None:
        """Ask until the length is known and can be shown, or a limit is reached."""
        try:
            if self._is_won():
                while self._limit is None and not self._is_shown:
                    self._ask_within(self._next_bound())
        except KeyboardInterrupt:  # between two questions: during one, the core answers it
            if self._win is None:
                raise
            self._inquiry.interrupt()
            self._limit = "interrupted"

    @property
    def length(self) -> int | None:
        """The exact length, if it is known."""
        at_least, at_most = self._length_bounds
        return at_most if at_least == at_most else None

    @property
    def _is_shown(self) -> bool:
        """Whether the length has a line and both parts of a certificate."""
        at_most = _bound(self._proof)
        return at_most == 0 or (self._refutation is not None and self._at_least == at_most)

    @property
    def _at_least(self) -> int:
        """No win is shorter."""
        if self._over:
            return 0
        plies = max(self._refuted + 1, 1)
        return plies + (plies - self._first_bound) % self._step

    @property
    def _refuted(self) -> int:
        """A win within so many plies is impossible."""
        within = _bound(self._refutation)
        return -1 if within is None else within

    def _is_won(self) -> bool:
        win = self._win = self._ask(Question(self._prover))
        if win is not None and win.report.unsound:
            raise OptionError(
                "the shortest win needs settings that are sound on this game; leave out unsafe=true"
            )
        return win is not None and win.verdict == "proven"

    def _next_bound(self) -> int:
        """The next number of plies to ask about."""
        proven = _bound(self._proof)
        if proven is not None:
            return proven - 1
        if self._refutation is not None:
            return min(self._refuted + 2, self._longest or self._refuted + 2)
        return 0 if self._over else self._first_bound

    @property
    def _longest(self) -> int | None:
        """The plies of the unbounded proof's longest line, if they were counted."""
        return self._win.report.longest or None if self._win else None

    def _ask_within(self, plies: int) -> None:
        answer = self._ask(Question(self._prover, plies))
        if answer is None:
            self._limit = self._inquiry.limit
        elif answer.verdict == "proven":
            self._proof = answer.instead_of(self._proof)
        elif answer.verdict == "disproven":
            self._refutation = answer.instead_of(self._refutation)
        else:
            self._limit = answer.report.limit

    def _ask(self, question: Question) -> Answer | None:
        return self._inquiry.ask(question, spools=self._spools, length_step=self._step)

    def others(self, nodes: int) -> list[Other] | None:
        """The other moves that win; None if the line that they stand beside is not known."""
        if self._proof is None or self.length is None:
            return None
        line = self._proof.report.line
        return find_others(self._inquiry, line, self._prover, self.length, nodes)

    def findings(self, others: list[Other] | None, others_missing: bool) -> Findings:
        """All that is known."""
        win = self._win
        assert win is not None
        shown = self._proof or win
        return Findings(
            question=f"{_WORD}:{SIDE_NAMES[self._prover]}",
            verdict=win.verdict,
            value=self._inquiry.search.value([win]),
            main=win,
            shown=shown,
            limit=self._open_limit(win, others_missing),
            answers=self._inquiry.answers,
            parts=[] if win.verdict == "unknown" else [shown, *self._refutation_shown()],
            parts_limit=None if self.length is None or self._is_shown else self._limit,
            length=self.length,
            length_bounds=self._length_bounds if win.verdict == "proven" else None,
            others=others,
        )

    def _open_limit(self, win: Answer, others_missing: bool) -> str | None:
        """What ended the search before all was known that was asked for; Ctrl-C is always told."""
        if win.verdict == "unknown":
            return win.report.limit
        is_open = self.length is None or others_missing or self._limit == "interrupted"
        return self._limit if is_open else None

    def _refutation_shown(self) -> list[Answer]:
        """The refutation, but not one that a limit left incomplete where it is no necessity."""
        refutation = self._refutation
        if refutation is None or (self.length is None and refutation.entries_limit):
            return []
        return [refutation]

    @property
    def _length_bounds(self) -> tuple[int, int | None]:
        at_most = _bound(self._proof)
        return (self._at_least, self._longest if at_most is None else at_most)


def _bound(answer: Answer | None) -> int | None:
    return None if answer is None else answer.question.within
