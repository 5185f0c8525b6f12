"""The game ABI of `core/abi.h` in Python: its struct, and reference rules that call its functions.

`AbiGame` makes a `Game` of rules that are C functions, so that the trusted checker can run on them
without the core. It can then only say that a certificate is right by the game's *own* rules, hence
`own_rules`. States are the ABI's bytes and moves its codes. Everything the functions return is
checked as in `core/games/abi_rules.hpp`, with the same words in the errors.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from ctypes import c_char_p, c_int32, c_uint8, c_uint32, c_void_p
from typing import Any, NoReturn, cast

from andorra.errors import PositionError, RuleError
from andorra.rulebook.base import Game, Outcome, Side

VERSION = 1
MAX_STATE_BYTES = 4096
MAX_MOVES = 65535
MAX_TEXT_BYTES = 1 << 20
ACYCLIC = 1
NO_DRAWS = 2
OUTCOMES: tuple[Outcome | None, ...] = (None, "first", "second", "draw")

Initial = ctypes.CFUNCTYPE(c_int32, c_void_p)
Describe = ctypes.CFUNCTYPE(c_int32, c_void_p, c_void_p)
Expand = ctypes.CFUNCTYPE(c_int32, c_void_p, c_void_p, c_void_p, c_void_p)
FormatState = ctypes.CFUNCTYPE(c_int32, c_void_p, c_void_p, c_uint32)
ParseState = ctypes.CFUNCTYPE(c_int32, c_char_p, c_void_p)
FormatMove = ctypes.CFUNCTYPE(c_int32, c_void_p, c_uint32, c_void_p, c_uint32)
Explain = FormatState


class RulesV1(ctypes.Structure):
    """`andorra_rules_v1`."""

    _fields_ = (
        ("abi_version", c_uint32),
        ("state_bytes", c_uint32),
        ("max_moves", c_uint32),
        ("flags", c_uint32),
        ("initial", Initial),
        ("describe", Describe),
        ("expand", Expand),
        ("format_state", FormatState),
        ("parse_state", ParseState),
        ("format_move", FormatMove),
        ("explain", Explain),
        ("name", c_char_p),
        ("parameters", c_char_p),
    )


class Buffer:
    """Zeroed memory that starts at a multiple of 16 bytes, as the ABI promises to rules.

    It is passed to C functions as it is, never as a bare address, so that it lives during the call.
    """

    def __init__(self, size: int, content: bytes = b"") -> None:
        self._memory = ctypes.create_string_buffer(size + 15)
        self._address = -(-ctypes.addressof(self._memory) // 16) * 16
        self._as_parameter_ = c_void_p(self._address)
        ctypes.memmove(self._address, content, len(content))

    def read(self, start: int, size: int) -> bytes:
        """Copy `size` bytes from `start` on."""
        return ctypes.string_at(self._address + start, size)


Writer = Callable[[Buffer, int], int]
"""Writes text, at most so many bytes; gives 1 + the length of the whole, or 0."""


class AbiGame(Game[bytes, int]):
    """Reference rules that call the functions of a game for the ABI."""

    own_rules = True
    """There are no independent rules to check certificates with."""

    def __init__(self, rules: RulesV1) -> None:
        check_rules(rules)
        self._rules = rules
        self._size: int = rules.state_bytes
        self._last: tuple[bytes, dict[int, bytes]] | None = None
        self.name = rules.name.decode()
        self.parameters = (rules.parameters or b"").decode()
        self.acyclic = bool(rules.flags & ACYCLIC)
        self.can_draw = not rules.flags & NO_DRAWS

    @property
    def address(self) -> int:
        """Where the `andorra_rules_v1` is; valid while this object lives."""
        return ctypes.addressof(self._rules)

    def initial(self) -> bytes:
        """Give the position at which the game starts."""
        state = Buffer(self._size)
        if self._rules.initial(state) <= 0:
            raise RuleError(f"{self.spec()}: the rule 'initial' failed")
        return state.read(0, self._size)

    def to_move(self, state: bytes) -> Side:
        """Say who moves."""
        return cast(Side, self._status(state) & 1)

    def outcome(self, state: bytes) -> Outcome | None:
        """Say who has won, "draw", or None while the game goes on."""
        return OUTCOMES[self._status(state) >> 1]

    def moves(self, state: bytes) -> list[int]:
        """List the codes of all legal moves; none exactly at an end."""
        return list(self._children(state))

    def play(self, state: bytes, move: int) -> bytes:
        """Give the position after a legal move."""
        children = self._children(state)
        if move not in children:
            raise PositionError(f"{move} is no legal move in {self._shown(state)}")
        return children[move]

    def format(self, state: bytes) -> str:
        """Write the position: by the game's own function, or as hexadecimal digits."""
        if not self._rules.format_state:
            return state.hex()
        memory = self._buffer(state)
        text = self._written(
            "format_state", state, lambda *to: self._rules.format_state(memory, *to)
        )
        if not _printable(text, 0x20):
            self._bad_text("format_state", state, text, "printable ASCII")
        return text.decode()

    def parse(self, text: str) -> bytes:
        """Read a position; `PositionError` if `text` describes none."""
        state = self._read(text)
        if self._rules.describe(self._buffer(state), Buffer(1)) <= 0:
            why, cause = self._why(state)
            raise PositionError(f"{text!r} is no position of {self.spec()}{why}") from cause
        return state

    def format_move(self, state: bytes, move: int) -> str:
        """Write the move: by the game's own function, or as its decimal code."""
        if not self._rules.format_move:
            return str(move)
        memory = self._buffer(state)
        text = self._written(
            "format_move", state, lambda *to: self._rules.format_move(memory, move, *to)
        )
        if not _printable(text, 0x21):
            self._bad_text("format_move", state, text, "printable ASCII without spaces")
        return text.decode()

    def parse_move(self, state: bytes, text: str) -> int:
        """Find the legal move that `text` names; `PositionError` if there is none."""
        names = [self.format_move(state, move) for move in self.moves(state)]
        if names.count(text) > 1:
            self._broken("format_move", f"wrote {text!r} for two moves", state)
        return super().parse_move(state, text)

    def _buffer(self, state: bytes) -> Buffer:
        if not isinstance(state, bytes) or len(state) != self._size:
            raise PositionError(
                f"{state!r} is no state of {self.spec()}, expected {self._size} bytes"
            )
        return Buffer(self._size, state)

    def _status(self, state: bytes) -> int:
        status = Buffer(1)
        if self._rules.describe(self._buffer(state), status) <= 0:
            self._failed("describe", state)
        return self._checked_status("describe", status.read(0, 1)[0], state)

    def _checked_status(self, rule: str, status: int, state: bytes) -> int:
        if status > 7:
            self._broken(rule, f"gave status {status}, expected 0 to 7,", state)
        return status

    def _children(self, state: bytes) -> dict[int, bytes]:
        """Expand `state`, or remember its expansion: rules ask for moves, then play each."""
        if self._last is None or self._last[0] != state:
            self._last = state, self._expand(state)
        return self._last[1]

    def check_statuses(self, state: bytes) -> None:
        """Raise `RuleError` unless 'describe' says of children what 'expand' says of them."""
        self._expand(state, compare=True)

    def _expand(self, state: bytes, compare: bool = False) -> dict[int, bytes]:
        most: int = self._rules.max_moves
        memory, children = self._buffer(state), Buffer(most * self._size)
        moves, status = (c_uint32 * most)(), (c_uint8 * most)()
        count = self._rules.expand(memory, children, moves, status) - 1
        self._check_count(count, memory, state)
        for each in status[:count]:
            self._checked_status("expand", each, state)
        if len(set(moves[:count])) < count:
            self._broken("expand", "gave a move code twice", state)
        size = self._size
        states = [children.read(i * size, size) for i in range(count)]
        for child, gave in zip(states, status[:count], strict=True):
            if compare and (described := self._status(child)) != gave:
                self._broken("describe", f"gave status {described}, 'expand' gave {gave},", child)
        return dict(zip(moves[:count], states, strict=True))

    def _check_count(self, count: int, memory: Buffer, state: bytes) -> None:
        if count < 0:
            self._failed("expand", state)
        most: int = self._rules.max_moves
        if count > most:
            expected = f"expected at most 1 + {most} (max_moves)"
            self._broken("expand", f"returned {count + 1}, {expected}", state)
        if memory.read(0, self._size) != state:
            self._broken("expand", "changed its input", state)

    def _read(self, text: str) -> bytes:
        if not self._rules.parse_state:
            return _from_hex(text, self._size)
        if not _printable(text.encode(errors="replace"), 0x20) or not text.isascii():
            raise PositionError(f"{text!r} is no position: expected one line of printable ASCII")
        state = Buffer(self._size)
        if self._rules.parse_state(text.encode(), state) <= 0:
            raise self._unreadable(text)
        return state.read(0, self._size)

    def _unreadable(self, text: str) -> PositionError:
        return PositionError(f"{text!r} is no position of {self.spec()}")

    def _written(self, rule: str, state: bytes, write: Writer) -> bytes:
        """Call a writer, again with more room if the first was not enough."""
        room = 256
        text = Buffer(room)
        length = write(text, room) - 1
        if room <= length < MAX_TEXT_BYTES:
            room = length + 1
            text = Buffer(room)
            length = write(text, room) - 1
        if not 0 <= length < room:
            self._text_failed(rule, state, "failed" if length < 0 else "wrote too much")
        return text.read(0, length)

    def _why(self, state: bytes) -> tuple[str, Exception | None]:
        """Ask the game why a function failed: text that starts with a colon or is empty."""
        if not self._rules.explain:
            return "", None
        text = Buffer(4096)
        length = self._rules.explain(self._buffer(state), text, 4096) - 1
        if length <= 0:
            return "", None
        return ": " + text.read(0, min(length, 4095)).decode(errors="replace"), None

    def _shown(self, state: bytes) -> str:
        try:
            return repr(self.format(state))
        except RuleError:
            return repr(state.hex())

    def _failed(self, rule: str, state: bytes) -> NoReturn:
        why, cause = self._why(state)
        place = f"in position {self._shown(state)}"
        raise RuleError(f"{self.spec()}: the rule {rule!r} failed {place}{why}") from cause

    def _broken(self, rule: str, what: str, state: bytes) -> NoReturn:
        place = f"in position {self._shown(state)}"
        raise RuleError(f"{self.spec()}: the rule {rule!r} {what} {place}")

    def _bad_text(self, rule: str, state: bytes, text: bytes, expected: str) -> NoReturn:
        shown = text.decode(errors="replace")
        self._text_failed(rule, state, f"wrote {shown!r}, expected {expected},")

    def _text_failed(self, rule: str, state: bytes, what: str) -> NoReturn:
        """Raise an error that shows the bytes, because the text may be what is wrong."""
        why, cause = self._why(state)
        place = f"in the position with the bytes {state.hex()}"
        raise RuleError(f"{self.spec()}: the rule {rule!r} {what} {place}{why}") from cause


def check_rules(rules: RulesV1) -> None:
    """Raise `RuleError` unless the struct is as the ABI wants it."""
    check_form(rules)
    if not (rules.initial and rules.describe and rules.expand):
        name = rules.name.decode()
        raise RuleError(f"{name}: 'initial', 'describe' and 'expand' are needed, one is null")


def check_form(rules: RulesV1) -> None:
    """Check all of the struct but the functions that every game needs."""
    name = _checked_name(rules)
    check_range(name, "state_bytes", rules.state_bytes, MAX_STATE_BYTES)
    check_range(name, "max_moves", rules.max_moves, MAX_MOVES)
    if rules.flags & ~(ACYCLIC | NO_DRAWS):
        expected = "expected a sum of ACYCLIC = 1 and NO_DRAWS = 2"
        raise RuleError(f"{name}: flags is {rules.flags}, {expected}")
    if bool(rules.format_state) != bool(rules.parse_state):
        raise RuleError(f"{name}: 'format_state' and 'parse_state' must both be given, or neither")


def check_range(name: str, what: str, number: Any, most: int) -> None:
    """Raise `RuleError` unless `number` is from 1 to `most`."""
    if not (isinstance(number, int) and 1 <= number <= most):
        raise RuleError(f"{name}: {what} is {number!r}, expected 1 to {most}")


def _checked_name(rules: RulesV1) -> str:
    name, parameters = rules.name, rules.parameters or b""
    if name is None:
        raise RuleError("the game has no name (a null pointer)")
    shown = name.decode(errors="replace")
    if not _printable(name, 0x21) or b":" in name:
        expected = "expected printable ASCII without spaces and colons"
        raise RuleError(f"the name of the game is {shown!r}, {expected}")
    if parameters and not _printable(parameters, 0x21):
        what = f"the parameters are {parameters.decode(errors='replace')!r}"
        raise RuleError(f"{shown}: {what}, expected printable ASCII without spaces")
    return cast(str, shown)


def _printable(text: bytes, lowest: int) -> bool:
    return len(text) > 0 and all(lowest <= each <= 0x7E for each in text)


def _from_hex(text: str, size: int) -> bytes:
    expected = f"expected {2 * size} hexadecimal digits"
    for place, digit in enumerate(text):
        if digit not in "0123456789abcdef":
            raise PositionError.at(text, place, f"{expected}, lower case")
    if len(text) != 2 * size:
        raise PositionError.at(text, min(len(text), 2 * size), f"{expected}, got {len(text)}")
    return bytes.fromhex(text)


def rules_at(address: Any) -> RulesV1:
    """Read the struct at an address, its version first: another version's may be shorter."""
    if not address:
        raise RuleError("the game library gave no rules (a null pointer)")
    version = c_uint32.from_address(address).value
    if version != VERSION:
        raise RuleError(f"the game is for version {version} of the game ABI, expected version 1")
    return RulesV1.from_address(address)
