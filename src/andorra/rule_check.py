"""`andorra.check_rules`: does a game keep what it promises?

Idea: play lines by chance and look, at each position and its children, at everything that a search
or a checker would take the rules' word for (promises.py).

Invariant: what is reported as broken is broken, at the position that is named. What is reported as
kept was kept where it was looked at: by chance, a promise can be refuted but not confirmed. That
more resources are never worse is not even looked at, as it would need the values of positions.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from andorra.errors import OptionError
from andorra.promises import WATCHERS, Answers, Place, Promise, Rules, Watcher
from andorra.rulebook import FIRST, SECOND, SIDE_NAMES, make
from andorra.rulebook.graph import Graph

_LONGEST_LINE = 500


@dataclass(frozen=True, slots=True)
class RulesReport:
    """What random play found out about a game's promises."""

    game: str
    seed: int
    positions: int
    lines: int
    promises: tuple[Promise, ...]

    @property
    def broken(self) -> tuple[Promise, ...]:
        """The promises that are not kept."""
        return tuple(promise for promise in self.promises if promise.state == "broken")


def check_rules(game: str | Rules, positions: int = 2000, seed: int = 0) -> RulesReport:
    """Look for broken promises of a game on random lines with so many positions, ends included.

    >>> report = check_rules("connect4:4x4", positions=100)
    >>> report.broken, [str(promise) for promise in report.promises if promise.name == "acyclic"]
    ((), ['kept at 100 positions'])
    """
    if positions < 1:
        raise OptionError(f"positions={positions!r}: expected at least 1")
    rules = _rules(game) if isinstance(game, str) else game
    watchers = [kind(rules) for kind in WATCHERS]
    sampler = _Sampler(rules, watchers, positions, random.Random(seed))
    sampler.run()
    promises = tuple(watcher.promise() for watcher in [sampler.answers, *watchers])
    return RulesReport(rules.spec(), seed, sampler.positions, sampler.lines, promises)


def _rules(spec: str) -> Rules:
    name, _, parameters = spec.partition(":")
    return Graph.from_file(parameters) if name == Graph.name and parameters else make(spec)


class Unanswered(Exception):  # noqa: N818 - a finding, not an error
    """A rule does not give what it should in a place."""

    def __init__(self, place: str, what: str) -> None:
        super().__init__(what)
        self.place = place


class _Sampler:
    """Plays lines by chance."""

    def __init__(
        self, game: Rules, watchers: list[Watcher], most: int, chance: random.Random
    ) -> None:
        self.answers = Answers(game)
        self.positions = 0
        self.lines = 0
        self._game = game
        self._watchers = watchers
        self._most = most
        self._chance = chance

    def run(self) -> None:
        while self.positions < self._most and self.lines < self._most:
            self.lines += 1
            try:
                self._line()
            except Unanswered as error:
                self.answers.found(error.place, str(error))

    def _line(self) -> None:
        state = self._asked("initial")
        for _ in range(min(_LONGEST_LINE, self._most - self.positions)):
            place = self._place(state)
            self.positions += 1
            self.answers.counted()
            for watcher in self._watchers:
                watcher.watch(place)
            if place.outcome is not None or not place.children:
                return
            state = self._chance.choice(place.children).state

    def _place(self, state: Any) -> Place:
        place = self._without_children(state)
        moves = self._asked("moves", state)
        if not isinstance(moves, Sequence):
            raise self._wrong("moves", moves, "a list or tuple", place.text)
        for move in moves:
            text = self._asked("format_move", state, move)
            if not (isinstance(text, str) and text and text.isprintable() and " " not in text):
                expected = "printable text without white space"
                raise self._wrong("format_move", text, expected, place.text)
            place.moves.append((move, text))
            place.children.append(self._without_children(self._asked("play", state, move)))
        return place

    def _without_children(self, state: Any) -> Place:
        text = self._asked("format", state)
        if not (isinstance(text, str) and text and text.isprintable()):
            raise self._wrong("format", text, "one line of printable text", repr(state))
        outcome, side = self._asked("outcome", state), self._asked("to_move", state)
        if outcome not in (None, "draw", *SIDE_NAMES):
            expected = "None, 'first', 'second' or 'draw'"
            raise self._wrong("outcome", outcome, expected, text)
        if side not in (FIRST, SECOND):
            raise self._wrong("to_move", side, "0 or 1", text)
        return Place(state, text, outcome, side, [], [])

    def _asked(self, rule: str, *arguments: Any) -> Any:
        try:
            return getattr(self._game, rule)(*arguments)
        except Exception as error:
            place = "" if rule == "initial" else self._shown(rule, arguments)
            what = f"the rule {rule!r} raised {type(error).__name__}: {error}"
            raise Unanswered(place, what) from error

    def _shown(self, rule: str, arguments: tuple[Any, ...]) -> str:
        try:
            return repr(arguments[0]) if rule == "format" else str(self._game.format(arguments[0]))
        except Exception:
            return repr(arguments[0])

    def _wrong(self, rule: str, gave: object, expected: str, place: str) -> Unanswered:
        return Unanswered(place, f"the rule {rule!r} gave {gave!r}, expected {expected}")
