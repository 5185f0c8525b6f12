"""Games that run at native speed: compiled with Numba, or from a shared library.

Both offer the core an `andorra_rules_v1` (its `address`; see `core/abi.h` and `docs/abi.md`), and
are games like the reference rules by calling the same functions (`andorra.abi`), so a certificate
for them is checked on their own rules.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from andorra import abi
from andorra.errors import PositionError, RuleError
from andorra.numba_rules import (
    FaultError,
    PythonRules,
    Rule,
    Shape,
    compile_rules,
    import_numba,
)


class NativeLibrary(abi.AbiGame):
    """The game of a shared library that exports `andorra_rules` (docs/abi.md).

    Loading a library runs its code: load only what you trust.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        # An absolute path, so that the loader does not search for another library of this name.
        self.path = Path(path).resolve()
        try:
            self._library = ctypes.CDLL(str(self.path))
            entry = self._library.andorra_rules
        except OSError as error:
            raise RuleError(f"cannot load the game library {str(path)!r}: {error}") from error
        except AttributeError as error:
            expected = "const andorra_rules_v1* andorra_rules(void)"
            raise RuleError(f"the library {str(path)!r} does not export {expected!r}") from error
        entry.restype = ctypes.c_void_p
        super().__init__(abi.rules_at(entry()))


class NumbaGame(abi.AbiGame):
    """Rules over a flat array of integers, compiled with Numba (`pip install 'andorra[numba]'`).

    A state is an array with `length` integers of type `dtype`; it must be canonical: equal numbers
    exactly for equal positions. The rules, as plain functions or compiled ones (`numba.njit`):

    - `initial()` gives the state at which the game starts; it runs once, in Python;
    - `moves(state, out)` writes the codes of all legal moves to `out`, an array of `max_moves`
      uint32 numbers, and returns how many they are: none exactly at an end;
    - `play(state, move, child)` changes `child`, a copy of `state`, to the state after `move`;
    - `to_move(state)` returns 0 or 1;
    - `outcome(state)` returns 0 while the game goes on, 1 if the first side has won, 2 if the
      second has, 3 for a draw.

    Optional, in Python: `format(state) -> str` together with `parse(text) -> state`, and
    `format_move(state, move) -> str`. `parse` raises `PositionError` for a text that is no
    position. Without them positions are written as hexadecimal digits and moves as codes.

    Compiled code does not check indices: a write behind the end of an array corrupts memory. While
    you develop, give plain functions and `boundscheck=True`: then it is an error.
    """

    def __init__(
        self,
        name: str,
        parameters: str = "",
        *,
        dtype: Any,
        length: int,
        max_moves: int,
        initial: Rule,
        moves: Rule,
        play: Rule,
        to_move: Rule,
        outcome: Rule,
        format: Rule | None = None,
        parse: Rule | None = None,
        format_move: Rule | None = None,
        acyclic: bool = False,
        can_draw: bool = True,
        question: str = "win",
        boundscheck: bool = False,
    ) -> None:
        import_numba()
        self._numpy = importlib.import_module("numpy")
        self._shape = self._checked_shape(name, dtype, length, max_moves)
        rules = {"moves": moves, "play": play, "to_move": to_move, "outcome": outcome}
        self._python_rules = PythonRules(rules, self._shape)
        self._texts = {"format": format, "parse": parse, "format_move": format_move}
        self._faults = threading.local()
        self.question = question
        self._start = self._first_state(name, initial)
        flags = abi.ACYCLIC * bool(acyclic) + abi.NO_DRAWS * (not can_draw)
        struct = self._struct(name, parameters, flags)
        # Compiling takes seconds, so it comes after all that may be wrong without it.
        abi.check_form(struct)
        self._compiled = compile_rules(name, rules, self._shape, boundscheck)
        struct.describe = abi.Describe(self._compiled[0].address)
        struct.expand = abi.Expand(self._compiled[1].address)
        super().__init__(struct)

    def _checked_shape(self, name: str, dtype: Any, length: int, max_moves: int) -> Shape:
        kind = self._numpy.dtype(dtype)
        if kind.kind not in "iub" or not kind.isnative:
            raise RuleError(
                f"{name}: dtype is {dtype!r}, expected an integer type such as 'uint64'"
            )
        abi.check_range(name, "length", length, abi.MAX_STATE_BYTES // kind.itemsize)
        abi.check_range(name, "max_moves", max_moves, abi.MAX_MOVES)
        return Shape(kind, length, max_moves)

    def _first_state(self, name: str, initial: Rule) -> bytes:
        try:
            return self._bytes("initial", initial())
        except FaultError as fault:
            raise RuleError(f"{name}: the rule {fault}") from fault
        except Exception as error:
            raise RuleError(f"{name}: the rule 'initial' raised {_described(error)}") from error

    def _bytes(self, rule: str, state: Any) -> bytes:
        """Make the ABI's bytes of what a rule gave as a state, or say what is wrong with it."""
        given = self._numpy.asarray(state)
        if given.shape != (self._shape.length,):
            expected = f"expected ({self._shape.length},)"
            raise FaultError(f"{rule!r} gave an array of shape {given.shape}, {expected}")
        array = given.astype(self._shape.dtype)
        if not (array == given).all():
            raise FaultError(f"{rule!r} gave {state!r}, which does not fit {self._shape.dtype}")
        return bytes(array.tobytes())

    def _array(self, state: bytes) -> Any:
        return self._numpy.frombuffer(state, dtype=self._shape.dtype).copy()

    def _struct(self, name: str, parameters: str, flags: int) -> abi.RulesV1:
        struct = abi.RulesV1(
            abi_version=abi.VERSION,
            state_bytes=len(self._start),
            max_moves=self._shape.max_moves,
            flags=flags,
            initial=abi.Initial(self._c_initial),
            explain=abi.Explain(self._c_explain),
            name=name.encode(),
            parameters=parameters.encode(),
        )
        if self._texts["format"]:
            struct.format_state = abi.FormatState(self._c_format)
        if self._texts["parse"]:
            struct.parse_state = abi.ParseState(self._c_parse)
        if self._texts["format_move"]:
            struct.format_move = abi.FormatMove(self._c_format_move)
        return struct

    def _c_initial(self, state: int) -> int:
        ctypes.memmove(state, self._start, len(self._start))
        return 1

    def _c_format(self, state: int, text: int, capacity: int) -> int:
        array = self._array(ctypes.string_at(state, self._size))
        return self._guarded("format", lambda rule: _write(rule(array), text, capacity))

    def _c_format_move(self, state: int, move: int, text: int, capacity: int) -> int:
        array = self._array(ctypes.string_at(state, self._size))
        return self._guarded("format_move", lambda rule: _write(rule(array, move), text, capacity))

    def _c_parse(self, text: bytes, state: int) -> int:
        def read(rule: Rule) -> int:
            ctypes.memmove(state, self._bytes("parse", rule(text.decode())), self._size)
            return 1

        return self._guarded("parse", read)

    def _c_explain(self, state: int, text: int, capacity: int) -> int:
        why, _ = self._why(ctypes.string_at(state, self._size))
        return _write(why.removeprefix(": "), text, capacity)

    def _guarded(self, name: str, call: Callable[[Rule], int]) -> int:
        """Call an optional rule; what it raises is kept for `_why`, because C cannot pass it on."""
        rule = self._texts[name]
        assert rule is not None
        try:
            return call(rule)
        except Exception as error:
            self._faults.last = error
            return 0

    def _taken_fault(self) -> Exception | None:
        fault: Exception | None = getattr(self._faults, "last", None)
        self._faults.last = None
        return fault

    def _why(self, state: bytes) -> tuple[str, Exception | None]:
        error = self._taken_fault()
        if error is not None:
            return f": {_described(error)}", error
        fault = self._python_rules.find_fault(self._array(state))
        if fault is None:
            return ": the compiled rules fail here, the same rules in Python do not", None
        return f": {fault}", fault

    def _unreadable(self, text: str) -> PositionError:
        error = self._taken_fault()
        if isinstance(error, PositionError):
            return error
        why = "" if error is None else f": {_described(error)}"
        unreadable = PositionError(f"{text!r} is no position of {self.spec()}{why}")
        unreadable.__cause__ = error
        return unreadable


def _described(error: Exception) -> str:
    name = "" if isinstance(error, FaultError) else f"{type(error).__name__}: "
    return f"{name}{error}"


def _write(text: Any, address: int, capacity: int) -> int:
    """Write text as the ABI wants it: at most `capacity` bytes; 1 + the length of the whole."""
    if not isinstance(text, str):
        raise FaultError(f"gave {text!r}, expected text")
    content = text.encode(errors="replace")
    ctypes.memmove(address, content, min(len(content), capacity))
    return 1 + len(content)
