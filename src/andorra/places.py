"""Which positions are the same, and what a checker takes a game's word for.

Part of the trusted checker. Idea: positions of the rulebook's games are told apart by Python's own
equality, and what these games promise is part of the specification. Of a user's rules nothing is
taken for granted: positions are told apart by their texts; each must read back as it was, part by
part, whatever `__eq__` says; and lines go on from what was read. What cannot be done without is
noted by name: the result is then relative to these promises.

Invariant: two positions with one name have the same parts, or "equality" is noted.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, cast

from andorra.rulebook import Game, is_built_in

State = Hashable
Rules = Game[Any, Any]

_PLAIN = (type(None), bool, int, float, complex, str, bytes)
"""Types whose equality is Python's own."""


class Misruling(Exception):  # noqa: N818 - it is no error of the program
    """The rules say what cannot be."""


class Places:
    """The positions of one game, by name: the text in a user's game, the state in another."""

    def __init__(self, game: Rules) -> None:
        self.own = not is_built_in(game)
        self.relied: set[str] = set()
        """Promises of a user's rules that something rests on."""
        self._game = game
        self._states: dict[str, State] = {}

    def name(self, state: State) -> Hashable:
        """What tells the position from others."""
        return self._game.format(state) if self.own else state

    def state(self, name: Hashable) -> State:
        """The position of a name that `settled` gave."""
        return self._states[name] if self.own and isinstance(name, str) else name

    def settled(self, state: State) -> tuple[Hashable, State]:
        """The position's name, and the state from which lines go on."""
        if not self.own:
            return state, state
        text = self._game.format(state)
        if text not in self._states:
            self._states[text] = self._read(text)
        known = self._states[text]
        if not is_alike(known, state):
            self._believe_equal(known, state, text)
        return text, known

    def rely(self, promise: str) -> None:
        """Note that a conclusion rests on the promise."""
        if self.own:
            self.relied.add(promise)

    def _read(self, text: str) -> State:
        state: State = self._game.parse(text)
        again = self._game.format(state)
        if again != text:
            raise Misruling(f"the rules read {text!r}, and write it as {again!r}")
        return state

    def _believe_equal(self, known: State, state: State, text: str) -> None:
        if known != state:
            raise Misruling(
                f"the rules write {text!r} for the state {state!r}, and read it as {known!r}"
            )
        self.rely("equality")


def is_alike(one: object, other: object) -> bool:
    """Whether two states have the same parts, without asking their own `__eq__`.

    >>> is_alike((1, "x", frozenset({2})), (1, "x", frozenset({2}))), is_alike((1, 2), [1, 2])
    (True, False)
    """
    todo, seen = [(one, other)], set[tuple[int, int]]()
    while todo:
        mine, its = todo.pop()
        if mine is its or (id(mine), id(its)) in seen:
            continue
        seen.add((id(mine), id(its)))
        if type(mine) is not type(its):
            return False
        if type(mine) in _PLAIN:
            if mine != its:
                return False
            continue
        parts, others = _parts(mine), _parts(its)
        if parts is None or others is None or len(parts) != len(others):
            return False
        todo += zip(parts, others, strict=True)
    return True


def _parts(value: object) -> list[Any] | None:
    """What a value is made of, in an order; None if that cannot be seen."""
    if type(value) in (tuple, list):
        return list(cast(Iterable[Any], value))
    if isinstance(value, (set, frozenset)):
        plain = all(type(each) in (int, str, bytes) for each in value)
        return sorted(value, key=repr) if plain else None
    if type(value) is dict:
        return [part for item in value.items() for part in item]
    return _attributes(value)


def _attributes(value: object) -> list[Any] | None:
    """Of an object whose class leaves it to Python how it is copied."""
    kind = type(value)
    if kind.__reduce_ex__ is not object.__reduce_ex__ or kind.__reduce__ is not object.__reduce__:
        return None
    try:
        _, arguments, _, *items = cast(tuple[Any, ...], value.__reduce_ex__(2))
    except Exception:  # it has parts that Python does not know
        return None
    listed = [list(each) for each in items if each is not None]
    return [*arguments, object.__getstate__(value), *listed]
