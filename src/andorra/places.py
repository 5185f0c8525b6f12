"""Which positions are the same, and what a checker takes a game's word for.

Part of the trusted checker. Idea: positions of the rulebook's games are told apart by Python's own
equality, and what these games promise is part of the specification. Of a user's rules nothing is
taken for granted: positions are told apart by their texts; each must read back as it was, part by
part, whatever `__eq__` says; and lines go on from what was read. What cannot be done without is
noted by name: the result is then relative to these promises.

Invariant: two positions with one name have the same parts, or "equality" is noted.
"""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Hashable, Iterable, Mapping
from enum import EnumMeta
from types import GetSetDescriptorType
from typing import Any, cast

from andorra.rulebook import Game, is_built_in

State = Hashable
Rules = Game[Any, Any]

_PLAIN = (type(None), bool, int, float, complex, str, bytes)
"""Types whose values say all of themselves."""
_USUAL_DICT = GetSetDescriptorType
"""Of the member by which Python itself gives an object's attributes."""
_METACLASSES = (type, ABCMeta, EnumMeta)
_HEAP_TYPE = 1 << 9
"""Python's mark of classes that were written in Python, or at least made while it ran."""
_NO_PARTS = ("__dict__", "__weakref__")
_EMPTY = "nothing in this slot"


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
        return exact_text(self._game.format(state)) if self.own else state

    def fresh(self, state: State) -> State:
        """The state to play a move from: of a user's game, one that no earlier move has touched."""
        return self._read(exact_text(self._game.format(state))) if self.own else state

    def state(self, name: Hashable) -> State:
        """The position of a name that `settled` gave."""
        return self._states[name] if self.own and isinstance(name, str) else name

    def settled(self, state: State) -> tuple[Hashable, State]:
        """The position's name, and the state from which lines go on."""
        if not self.own:
            return state, state
        text = exact_text(self._game.format(state))
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
        again = exact_text(self._game.format(state))
        if again != text:
            raise Misruling(f"the rules read {text!r}, and write it as {again!r}")
        return state

    def _believe_equal(self, known: State, state: State, text: str) -> None:
        if known != state:
            raise Misruling(
                f"the rules write {text!r} for the state {state!r}, and read it as {known!r}"
            )
        self.rely("equality")


def exact_text(text: object) -> str:
    """The text, if it is one and not of a class that may say anything of itself."""
    if type(text) is not str:
        raise Misruling(f"the rules gave an object of {type(text)!r} for a text")
    return text


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
        if any(type(mine) is plain for plain in _PLAIN):
            if repr(mine) != repr(its):  # 0.0 and -0.0 are equal
                return False
            continue
        parts, others = _parts(mine), _parts(its)
        if parts is None or others is None or len(parts) != len(others):
            return False
        todo += zip(parts, others, strict=True)
    return True


def _parts(value: object) -> list[Any] | None:
    """What a value is made of, in an order; None if that cannot be seen."""
    kind = type(value)
    if kind is tuple or kind is list:
        return list(cast(Iterable[Any], value))
    if kind is set or kind is frozenset:
        parts = list(cast(Iterable[Any], value))
        plain = all(type(each) in (int, str, bytes) for each in parts)
        return sorted(parts, key=repr) if plain else None
    if kind is dict:
        return [part for item in cast(dict[Any, Any], value).items() for part in item]
    return _attributes(value) if _keeps_to_python(kind) else None


def _keeps_to_python(kind: type) -> bool:
    """Whether an object of the class has attributes only, beside what it is as a tuple or a str."""
    layers = [each for each in kind.__mro__ if each is not object]
    written = [each for each in layers if each.__flags__ & _HEAP_TYPE]
    bases = [each for each in layers if each not in written]
    meddled = any(_hides(vars(each)) for each in written)
    return type(kind) in _METACLASSES and not meddled and bases in ([], [tuple], [int], [str])


def _hides(members: Mapping[str, Any]) -> bool:
    """Whether a class with these members could hide what its objects have."""
    own = members.get("__dict__")
    return "__getattribute__" in members or (own is not None and type(own) is not _USUAL_DICT)


def _attributes(value: object) -> list[Any]:
    """What an object is as a tuple, an int or a str, and its attributes and slots."""
    parts: list[Any] = []
    if isinstance(value, tuple):
        parts += tuple.__iter__(value)
    elif isinstance(value, int):
        parts.append(int.__index__(value))
    elif isinstance(value, str):
        parts.append(str.__str__(value))
    own = _own_dict(value)
    parts += [item for name in sorted(own) for item in (name, own[name])]
    for kind in type(value).__mro__:
        slots = vars(kind).get("__slots__", ())
        names = [slots] if isinstance(slots, str) else slots
        parts += [_slot(value, kind, name) for name in names if name not in _NO_PARTS]
    return parts


def _own_dict(value: object) -> dict[str, Any]:
    try:
        return cast(dict[str, Any], object.__getattribute__(value, "__dict__"))
    except AttributeError:
        return {}


def _slot(value: object, kind: type, name: str) -> object:
    """What stands in a slot; a private name is spelled with its class's."""
    hidden = name.startswith("__") and not name.endswith("__")
    spelled = f"_{kind.__name__.lstrip('_')}{name}" if hidden else name
    try:
        return object.__getattribute__(value, spelled)
    except AttributeError:
        return _EMPTY
