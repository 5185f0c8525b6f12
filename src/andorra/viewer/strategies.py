"""Which entry of a stored certificate serves a position.

Idea: an entry is looked up by what it must share with every position that it serves. Where a game
has no resources, that is the whole text. Otherwise it is the part of the text before the resources,
or the board, if only a user's rules know that part. The entries found are few, and the checker's
own `Strategy` chooses among them, so that the page follows the same lines as the checker.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace
from typing import Any

from andorra.certificate import Certificate, Entry
from andorra.checker import Rules, Strategy, rules_of
from andorra.rulebook import Game
from andorra.rulebook.toll import Toll
from andorra.rulebook.tsume import Tsume
from andorra.viewer.entries import Entries, FirstFields, KeyOf, Room, StoredCertificate

_FIELDS_BEFORE_RESOURCES: dict[type[Rules], int] = {Tsume: 2, Toll: 2}


def key_of(game: Rules) -> KeyOf:
    """What positions are looked up by.

    >>> from andorra.rulebook import make
    >>> key_of(make("toll"))(b"1 2 0 1 2 t")
    b'1 2'
    """
    if type(game).resources is Game.resources:
        return FirstFields(0)
    fields = _FIELDS_BEFORE_RESOURCES.get(type(game))
    if fields is not None:
        return FirstFields(fields)
    return lambda text: _board(game, text)


def _board(game: Rules, text: bytes) -> Hashable:
    board: Hashable = game.board(game.parse(text.decode()))
    return board


def open_certificate(
    path: str, game: Rules | None = None, room: Room | None = None
) -> tuple[StoredCertificate, Rules]:
    """The certificate in the file and its rules: the rulebook's, or the user's."""
    found: list[Rules] = []

    def keys(head: Certificate) -> KeyOf:
        found.append(rules_of(head, game))
        return key_of(found[0])

    stored = StoredCertificate(path, keys, room)
    return stored, found[0]


class StoredStrategy:
    """One part's strategy, as `andorra.walk` wants it."""

    def __init__(self, game: Rules, entries: Entries) -> None:
        """Read nothing yet."""
        self._game = game
        self._entries = entries
        self._key_of = key_of(game)
        self._may_stop = type(game).resources is Game.resources
        self._empty = replace(entries.part, entries=())
        self.holder = Strategy(game, self._empty).holder

    def serve(self, state: Any, plies: int | None) -> tuple[Entry, Any] | None:
        """The entry that serves a position, and the entry's own state."""
        text = self._game.format(state)
        rivals = self.rivals(text)
        few = self._exact(rivals, text, plies) if self._may_stop else tuple(rivals)
        strategy = Strategy(self._game, replace(self._empty, entries=few))
        number = strategy.serving(state, plies)
        return None if number is None else (few[number], strategy.states[number])

    def rivals(self, text: str) -> Iterator[Entry]:
        """Entries that may serve the position, as they are found."""
        key = self._key_of(text.encode())
        for entry in self._entries.find(key):
            if self._key_of(entry.position.encode()) == key:
                yield entry

    @staticmethod
    def _exact(rivals: Iterator[Entry], text: str, plies: int | None) -> tuple[Entry, ...]:
        """The first that is for this very position: no other can serve, so none is waited for."""
        for entry in rivals:
            if entry.position == text and entry.plies == plies:
                return (entry,)
        return ()
