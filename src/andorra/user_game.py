"""A user's rules in Python, checked and batched for the core.

The core asks one question a node, `expand`: all children with move text, key, side and outcome.
This module answers it by calling the methods of a `Game`, and stops the first time a rule
misbehaves: what a rule raises becomes a `RuleError` that names the rule and the position, and what
it returns is checked. A key is a hash of the position's text, so equal texts mean equal positions;
that a text reads back as the position it was written for is checked at every root and for the first
1000 positions expanded. (That move lists do not change from call to call is checked by the core.)

>>> from andorra.rulebook.base import FIRST, SECOND, Game
>>> class Nim(Game[tuple[int, int], int]):
...     name = "nim"
...     def initial(self): return (2, 0)
...     def to_move(self, state): return SECOND if state[1] else FIRST
...     def moves(self, state): return [take for take in (1, 2) if take <= state[0]]
...     def play(self, state, move): return (state[0] - move, 1 - state[1])
...     def outcome(self, state): return None if state[0] else ("second", "first")[state[1]]
>>> [(state, move, side, end) for state, move, _, side, end in PythonBackend(Nim()).expand((2, 0))]
[((1, 1), '1', 1, 0), ((0, 1), '2', 1, 1)]
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Any

from andorra.errors import PositionError, RuleError
from andorra.judged import Judged
from andorra.rulebook.base import Game

Node = tuple[Any, str, bytes, int, int]
"""A position: state, text of the move that led to it, key of 16 bytes, side, outcome (0 to 3)."""

OUTCOMES = (None, "first", "second", "draw")
"""Outcomes in the order of their numbers."""

TEXTS_READ_BACK = 1000


class PythonBackend:
    """What `core/bind/python_backend.hpp` calls: the rules of `game`, batched and checked."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self.game = game
        self.spec = _checked_spec(game)
        self.acyclic = self._flag("acyclic")
        self.can_draw = self._flag("can_draw")
        self._read_back: dict[str, Any] = {}

    def initial(self) -> Node:
        """Give the game's initial position, as a node without a move."""
        return self._root(self._call("initial"))

    def parse(self, text: str) -> Node:
        """Read the position that `text` describes, as a node without a move."""
        return self._root(self._read(text))

    def expand(self, state: Any) -> list[Node]:
        """List the children of `state`, in the order of its moves."""
        moves = self._moves(state)
        self._check_end(state, moves)
        check = len(self._read_back) < TEXTS_READ_BACK
        text = self._check_text(state) if check else ""
        children = [self._child(state, move) for move in moves]
        self._check_unique(state, [child[1] for child in children])
        if check and self.format(state) != text:
            raise self._broken("play", f"changed its state, which was {text!r},", state)
        if isinstance(self.game, Judged):
            self._check_scores(self.game, state, ((child[1], child[0]) for child in children))
        return children

    def format(self, state: Any) -> str:
        """Write the position, and check the text."""
        text = self._call("format", state)
        if not (isinstance(text, str) and text and text.isprintable()):
            expected = "expected one line of printable text, without tabs"
            raise RuleError(
                f"{self.spec}: the rule 'format' gave {_shown(text)} for the state "
                f"{_shown(state)}, {expected}"
            )
        return text

    def parse_move(self, state: Any, text: str) -> int:
        """Find the number, from 0 in the order of the moves, of the move that `text` names."""
        try:
            move = self.game.parse_move(state, text)
        except PositionError:
            raise
        except Exception as error:
            raise self._raised("parse_move", error, f" for the text {text!r}") from error
        names = [self._move_text(state, each) for each in self._moves(state)]
        name = self._move_text(state, move)
        if name not in names:
            raise self._broken("parse_move", f"read {text!r} as {name!r}, an illegal move,", state)
        return names.index(name)

    def _flag(self, name: str) -> bool:
        value = getattr(self.game, name)
        if isinstance(value, bool):
            return value
        raise RuleError(f"{self.spec}: {name!r} is {_shown(value)}, expected True or False")

    def _read(self, text: str) -> Any:
        try:
            return self.game.parse(text)
        except PositionError:
            raise
        except Exception as error:
            raise self._raised("parse", error, f" for the text {text!r}") from error

    def _root(self, state: Any) -> Node:
        node = self._node(state, "")
        self._check_text(state)
        if isinstance(self.game, Judged):
            self._check_scores(self.game, state, self.game.children(state))
        return node

    def _child(self, state: Any, move: Any) -> Node:
        return self._node(self._call("play", state, move), self._move_text(state, move))

    def _node(self, state: Any, move: str) -> Node:
        self._check_hashable(state)
        text = self.format(state)
        return state, move, _key(text), self._side(state), self._outcome(state)

    def _side(self, state: Any) -> int:
        side = self._call("to_move", state)
        try:
            number = operator.index(side)
        except TypeError:
            number = -1
        if number in (0, 1):
            return number
        raise self._broken("to_move", f"gave {_shown(side)}, expected 0 or 1,", state)

    def _outcome(self, state: Any) -> int:
        outcome = self._call("outcome", state)
        if outcome is None:
            return 0
        if isinstance(outcome, str) and outcome in OUTCOMES:
            return OUTCOMES.index(outcome)
        expected = "expected None, 'first', 'second' or 'draw',"
        raise self._broken("outcome", f"gave {_shown(outcome)}, {expected}", state)

    def _moves(self, state: Any) -> Sequence[Any]:
        moves = self._call("moves", state)
        if isinstance(moves, Sequence):
            return moves
        raise self._broken("moves", f"gave {_shown(moves)}, expected a list or tuple,", state)

    def _move_text(self, state: Any, move: Any) -> str:
        text = self._call("format_move", state, move)
        if isinstance(text, str) and text and text.isprintable() and " " not in text:
            return text
        expected = "expected printable text without white space,"
        raise self._broken("format_move", f"gave {_shown(text)}, {expected}", state)

    def _check_hashable(self, state: Any) -> None:
        try:
            hash(state)
        except Exception as error:
            raise RuleError(
                f"{self.spec}: the state {_shown(state)} is unhashable ({error}); "
                "expected an immutable value, for example a tuple"
            ) from error

    def _check_end(self, state: Any, moves: Sequence[Any]) -> None:
        ended = self._outcome(state) != 0
        if ended and len(moves) > 0:
            raise self._broken("moves", "gave moves although the game has ended", state)
        if not ended and len(moves) == 0:
            raise self._broken("moves", "gave no move although the game goes on", state)

    def _check_text(self, state: Any) -> str:
        text = self.format(state)
        back = self._read_back[text] if text in self._read_back else self._call("parse", text)
        if back != state:
            read = f"read {text!r} as {_shown(back)}, expected the state {_shown(state)},"
            raise self._broken("parse", read, state)
        if len(self._read_back) < TEXTS_READ_BACK:
            self._read_back[text] = back
        return text

    def _check_scores(self, game: Judged, state: Any, children: Iterable[tuple[str, Any]]) -> None:
        """Where a question is about scores, they must fit together (see judged.py)."""
        try:
            game.check_scores(state, children)
        except RuleError:
            raise
        except Exception as error:
            raise self._raised("scores", error, self._place("scores", state)) from error

    def _check_unique(self, state: Any, names: list[str]) -> None:
        if len(set(names)) == len(names):
            return
        twice = next(name for name in names if names.count(name) > 1)
        raise self._broken("moves", f"gave the move {twice!r} twice", state)

    def _call(self, rule: str, *arguments: Any) -> Any:
        try:
            return getattr(self.game, rule)(*arguments)
        except Exception as error:
            raise self._raised(rule, error, self._place(rule, *arguments)) from error

    def _place(self, rule: str, *arguments: Any) -> str:
        if not arguments:
            return ""
        if rule == "parse":
            return f" for the text {arguments[0]!r}"
        move = f" for move {_shown_text(arguments[1])}" if len(arguments) > 1 else ""
        return f" in position {self._position(arguments[0])}{move}"

    def _position(self, state: Any) -> str:
        """Write the position for a message; `format` itself may be what is broken."""
        try:
            return repr(str(self.game.format(state)))
        except Exception:
            return _shown(state)

    def _raised(self, rule: str, error: Exception, place: str) -> RuleError:
        what = f"{type(error).__name__}: {error}"
        return RuleError(f"{self.spec}: the rule {rule!r} raised {what}{place}")

    def _broken(self, rule: str, what: str, state: Any) -> RuleError:
        place = f"in position {self._position(state)}"
        return RuleError(f"{self.spec}: the rule {rule!r} {what} {place}")


def _checked_spec(game: Game[Any, Any]) -> str:
    name = getattr(game, "name", None)
    if not (isinstance(name, str) and name and name.isprintable()) or set(name) & {" ", ":"}:
        raise RuleError(
            f"the game {type(game).__name__} has the name {_shown(name)}, "
            "expected text without white space and colons"
        )
    if not isinstance(game.parameters, str) or not f"_{game.parameters}".isprintable():
        raise RuleError(f"{name}: the parameters are {_shown(game.parameters)}, expected text")
    return game.spec()


def _key(text: str) -> bytes:
    return blake2b(text.encode(), digest_size=16).digest()


def _shown(value: Any) -> str:
    """Write `value` for a message, whatever its `repr` does."""
    try:
        text = repr(value)
    except Exception:
        text = f"<a {type(value).__name__} whose repr fails>"
    return text if len(text) <= 200 else text[:197] + "..."


def _shown_text(value: Any) -> str:
    return value if isinstance(value, str) else _shown(value)
