"""Compose the functions of the game ABI from a user's small rules, with Numba.

Idea: `expand` of the ABI is one loop over the user's functions; compiled together, they become one
function without calls. An exception must not leave it (Numba would print it and go on), so it is
caught and 0, the error code, returned. Which rule raised what is then found by running the rules
once more in Python (`PythonRules`), where exceptions are as usual.

Invariant: the arrays that rules see are views of the core's memory, never copies.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from andorra.errors import RuleError

Rule = Callable[..., Any]


class FaultError(Exception):
    """What went wrong in which rule, for an error message; chained from what the rule raised."""


@dataclass(frozen=True)
class Shape:
    """The layout of states and move lists."""

    dtype: Any
    length: int
    max_moves: int


def import_numba() -> Any:
    """Import Numba, or say how to install it."""
    try:
        return importlib.import_module("numba")
    except ImportError as error:
        raise ImportError(
            f"NumbaGame needs Numba, which cannot be imported ({error}); "
            "install it with: pip install 'andorra[numba]'"
        ) from error


def compile_rules(
    name: str, rules: Mapping[str, Rule], shape: Shape, boundscheck: bool
) -> tuple[Any, Any]:
    """Compile `describe` and `expand` of the ABI; both are Numba cfuncs with an `address`."""
    numba = import_numba()
    item = numba.from_dtype(shape.dtype)
    jitted = {
        rule: _compiled_rule(name, rule, function, boundscheck, _signature(numba, item, rule))
        for rule, function in rules.items()
    }
    status = _status_function(numba, jitted)
    return (
        _describe_function(numba, item, shape, status),
        _expand_function(numba, item, shape, jitted, status),
    )


def _signature(numba: Any, item: Any, rule: str) -> tuple[Any, ...]:
    state = numba.types.Array(item, 1, "C")
    move = numba.types.uint32
    if rule == "moves":
        return state, numba.types.Array(move, 1, "C")
    return (state, move, state) if rule == "play" else (state,)


def _compiled_rule(
    name: str, rule: str, function: Rule, boundscheck: bool, signature: tuple[Any, ...]
) -> Any:
    numba = import_numba()
    if not hasattr(function, "py_func"):
        function = numba.njit(function, boundscheck=boundscheck)
    try:
        function.compile(signature)  # type: ignore[attr-defined]
    except Exception as error:
        raise RuleError(f"{name}: Numba cannot compile the rule {rule!r}: {error}") from error
    return function


def _status_function(numba: Any, rules: Mapping[str, Any]) -> Any:
    """Pack side and outcome into a status byte; -1 if one of them is out of range."""
    to_move, outcome = rules["to_move"], rules["outcome"]
    int64 = importlib.import_module("numpy").int64

    def status(state: Any) -> Any:
        side, end = int64(to_move(state)), int64(outcome(state))
        if side < 0 or side > 1 or end < 0 or end > 3:
            return int64(-1)
        return side | end << 1

    return numba.njit(status)


def _describe_function(numba: Any, item: Any, shape: Shape, status: Any) -> Any:
    types, carray, length = numba.types, numba.carray, shape.length

    def describe(state: Any, out: Any) -> int:
        try:
            packed = status(carray(state, (length,)))
            if packed < 0:
                return 0
            out[0] = packed
            return 1
        except Exception:
            return 0

    bytes_ = types.CPointer(types.uint8)
    return numba.cfunc(types.int32(types.CPointer(item), bytes_))(describe)


def _expand_function(
    numba: Any, item: Any, shape: Shape, rules: Mapping[str, Any], status: Any
) -> Any:
    types, carray = numba.types, numba.carray
    length, max_moves = shape.length, shape.max_moves
    moves, play = rules["moves"], rules["play"]
    int64 = importlib.import_module("numpy").int64

    def expanded(state: Any, children: Any, codes: Any, statuses: Any) -> Any:
        count = int64(moves(state, codes))
        if count < 0 or count > max_moves:
            return int64(0)
        for i in range(count):
            child = children[i]
            for j in range(length):
                child[j] = state[j]
            play(state, codes[i], child)
            packed = status(child)
            if packed < 0:
                return int64(0)
            statuses[i] = packed
        return count + 1

    compiled = numba.njit(expanded)

    def expand(state: Any, children: Any, codes: Any, statuses: Any) -> int:
        try:
            return compiled(  # type: ignore[no-any-return]
                carray(state, (length,)),
                carray(children, (max_moves, length)),
                carray(codes, (max_moves,)),
                carray(statuses, (max_moves,)),
            )
        except Exception:
            return 0

    states, bytes_ = types.CPointer(item), types.CPointer(types.uint8)
    return numba.cfunc(types.int32(states, states, types.CPointer(types.uint32), bytes_))(expand)


class PythonRules:
    """The same rules in Python, to find out what failed in their compiled form."""

    def __init__(self, rules: Mapping[str, Rule], shape: Shape) -> None:
        self._rules = {rule: getattr(each, "py_func", each) for rule, each in rules.items()}
        self._shape = shape
        self._numpy = importlib.import_module("numpy")

    def find_fault(self, state: Any) -> FaultError | None:
        """Run all rules on `state`; give the first fault, or None if all is well."""
        try:
            # As Numba does it: a division by zero is an error, an overflow wraps.
            with self._numpy.errstate(all="ignore", divide="raise"):
                self._run(state)
        except FaultError as fault:
            return fault
        return None

    def _run(self, state: Any) -> None:
        self._check_status(state, "")
        for move in self._moves(state):
            child = state.copy()
            self._call("play", state.copy(), move, child, where=f" for move {move}")
            self._check_status(child, f" after move {move}")

    def _moves(self, state: Any) -> Any:
        most = self._shape.max_moves
        codes = self._numpy.zeros(most, dtype=self._numpy.uint32)
        count = self._call("moves", state.copy(), codes, where="")
        if not 0 <= count <= most:
            raise FaultError(f"'moves' returned {count}, expected 0 to {most} (max_moves)")
        return codes[: int(count)]

    def _check_status(self, state: Any, where: str) -> None:
        for rule, most in (("to_move", 1), ("outcome", 3)):
            number = self._call(rule, state.copy(), where=where)
            if not 0 <= number <= most:
                raise FaultError(f"{rule!r} returned {number}, expected 0 to {most}{where}")

    def _call(self, rule: str, *arguments: Any, where: str) -> Any:
        try:
            return self._rules[rule](*arguments)
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
            raise FaultError(f"{rule!r} raised {what}{where}") from error
