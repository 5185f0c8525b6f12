"""Checkers with a hole: what the forger must be able to fool.

Each takes one check out of the trusted checker, by pytest's `monkeypatch`, and is named after the
strategy of forging that is an attack on it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from andorra import checker
from andorra.referee import Referee
from andorra.rulebook.base import has_score
from forging_grounds import plain

Patch = pytest.MonkeyPatch
PART: Any = checker._PartCheck
STRATEGY: Any = checker.Strategy
REFEREE: Any = Referee
ENDS: Any = checker._ENDS_ONLY


def _forgiving(patch: Patch, *words: str) -> None:
    """Some rejections are not made."""
    reject = PART._reject

    def forgiven(self: Any, what: str, step: Any) -> None:
        if not any(word in what for word in words):
            reject(self, what, step)

    patch.setattr(PART, "_reject", forgiven)


def ranks_need_not_fall(patch: Patch) -> None:
    _forgiving(patch, "must fall")


def runs_may_repeat(patch: Patch) -> None:
    _forgiving(patch, "comes back to a position")


def draws_are_won(patch: Patch) -> None:
    _forgiving(patch, "ends with 'draw'")


def plies_may_run_out(patch: Patch) -> None:
    _forgiving(patch, "runs out of plies")


def entries_may_be_missing(patch: Patch) -> None:
    serve = PART._serve

    def served(self: Any, name: Any, state: Any, plies: Any, origin: Any) -> Any:
        if self._strategy.serving(state, plies) is None:
            return ENDS
        return serve(self, name, state, plies, origin)

    patch.setattr(PART, "_serve", served)


def the_last_reply_is_forgotten(patch: Patch) -> None:
    moves, legal = REFEREE.moves, REFEREE.legal

    def fewer(self: Any, state: Any) -> Any:
        every = moves(self, state)
        return every[:-1] or every

    def with_all(self: Any, state: Any, text: str) -> Any:
        with patch.context() as inner:
            inner.setattr(REFEREE, "moves", moves)
            return legal(self, state, text)

    patch.setattr(REFEREE, "moves", fewer)
    patch.setattr(REFEREE, "legal", with_all)


def other_plies_serve(patch: Patch) -> None:
    serving = STRATEGY.serving

    def served(self: Any, state: Any, plies: int) -> int | None:
        near = (serving(self, state, plies + by) for by in (0, 1, 2, -1))
        return next((number for number in near if number is not None), None)

    patch.setattr(STRATEGY, "serving", served)


def resources_are_not_compared(patch: Patch) -> None:
    patch.setattr(STRATEGY, "_covers_with", lambda *_: True)


def covers_go_first(patch: Patch) -> None:
    resources_are_not_compared(patch)
    serving = STRATEGY.serving

    def served(self: Any, state: Any, plies: int | None) -> int | None:
        exact = self._exact.pop((state, plies), None)
        others = [n for n in range(len(self.entries)) if n != exact and self.entries[n].kind == "~"]
        board = self._game.board(state)
        fits = [n for n in others if self._game.board(self.states[n]) == board]
        fits = [n for n in fits if self.entries[n].plies == plies]
        if exact is not None:
            self._exact[state, plies] = exact
        return fits[0] if fits else serving(self, state, plies)

    patch.setattr(STRATEGY, "serving", served)
    _all_serve(patch)


def _all_serve(patch: Patch) -> None:
    """Entries that serve no line are let pass."""
    fail = PART._fail

    def forgiven(self: Any, what: str) -> None:
        if "serves no line" not in what:
            fail(self, what)

    patch.setattr(PART, "_fail", forgiven)


def boards_are_not_compared(patch: Patch) -> None:
    """Any cover serves; its move need not be legal there."""
    serving = STRATEGY.serving

    def served(self: Any, state: Any, plies: int | None) -> int | None:
        covers = (n for n, e in enumerate(self.entries) if e.kind == "~" and e.plies == plies)
        number = serving(self, state, plies)
        return next(covers, None) if number is None else number

    patch.setattr(STRATEGY, "serving", served)
    _moves_are_legal_where_they_are_written(patch)


def _moves_are_legal_where_they_are_written(patch: Patch) -> None:
    """Not where the entry serves."""
    serve = PART._serve

    def served(self: Any, *arguments: Any) -> Any:
        with patch.context() as inner:
            moves_need_not_be_legal(inner)
            return serve(self, *arguments)

    patch.setattr(PART, "_serve", served)


def moves_need_not_be_legal(patch: Patch) -> None:
    """In a graph, whose moves are the names of nodes."""
    patch.setattr(REFEREE, "legal", lambda self, state, text: text)


def entries_serve_anywhere(patch: Patch) -> None:
    """Also where the other side is to move."""
    arrive = PART._arrive

    def arrived(self: Any, state: Any, plies: int | None, origin: Any, *others: Any) -> Any:
        known = (state, plies) in self._strategy._exact
        if known and self._game.outcome(state) is None and plies != 0:
            return self._serve(state, state, plies, origin)
        return arrive(self, state, plies, origin, *others)

    patch.setattr(PART, "_arrive", arrived)


def entries_serve_at_ends(patch: Patch) -> None:
    moves_need_not_be_legal(patch)
    arrive = PART._arrive

    def arrived(self: Any, state: Any, plies: int | None, origin: Any, *others: Any) -> Any:
        if (state, plies) in self._strategy._exact:
            return self._serve(state, state, plies, origin)
        return arrive(self, state, plies, origin, *others)

    patch.setattr(PART, "_arrive", arrived)


def texts_are_read_kindly(patch: Patch) -> None:
    serving = STRATEGY.serving

    def served(self: Any, state: Any, plies: int | None) -> int | None:
        number = serving(self, state, plies)
        looks = plain(self._game.format(state))
        same = (n for n, e in enumerate(self.entries) if plain(e.position) == looks)
        return next(same, None) if number is None else number

    patch.setattr(STRATEGY, "serving", served)
    _moves_are_legal_where_they_are_written(patch)


def open_scores_are_closed(patch: Patch) -> None:
    def judged(game: Any, state: Any, side: Any, score: int) -> bool | None:
        known = has_score(game, state, side, score)
        return True if known is None else known

    patch.setattr(checker, "has_score", judged)


def endless_lines_have_scores(patch: Patch) -> None:
    def judged(game: Any, state: Any, side: Any, score: int) -> bool | None:
        least, most = game.scores(state)
        sure = least >= score if side == 0 else most <= score
        return True if sure else has_score(game, state, side, score)

    patch.setattr(checker, "has_score", judged)


def values_are_believed(patch: Patch) -> None:
    patch.setattr(checker, "check_claim", lambda *_: None)


def questions_are_not_compared(patch: Patch) -> None:
    patch.setattr(checker, "_check_question", lambda *_: None)


def data_need_not_be_canonical(patch: Patch) -> None:
    patch.setattr(checker, "rules_of", lambda it, game=None: checker._from_rulebook(it))


WEAKNESSES: dict[str, Callable[[Patch], None]] = {
    "EndlessLines": ranks_need_not_fall,
    "EqualRanks": ranks_need_not_fall,
    "HugeRanks": ranks_need_not_fall,
    "WrappedRanks": ranks_need_not_fall,
    "EndlessRuns": runs_may_repeat,
    "Holes": entries_may_be_missing,
    "DroppedReplies": the_last_reply_is_forgotten,
    "WrongEnds": draws_are_won,
    "LastPly": plies_may_run_out,
    "OtherPlies": other_plies_serve,
    "WrongWay": resources_are_not_compared,
    "Overruled": covers_go_first,
    "WrongBoard": boards_are_not_compared,
    "WrongSide": boards_are_not_compared,
    "IllegalMoves": moves_need_not_be_legal,
    "Usurpers": entries_serve_anywhere,
    "PastTheEnd": entries_serve_at_ends,
    "SameLooks": texts_are_read_kindly,
    "OpenScores": open_scores_are_closed,
    "EndlessScores": endless_lines_have_scores,
    "false_value": values_are_believed,
    "misfit": values_are_believed,
    "other_prover": questions_are_not_compared,
    "other_bound": questions_are_not_compared,
    "two_readings": data_need_not_be_canonical,
}
"""By the strategy of forging that is made for the hole."""
