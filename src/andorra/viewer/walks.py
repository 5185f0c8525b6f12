"""Places of a strategy as the page wants them: one at a time, with the moves that lead on.

A place is named by its part, the position where the line starts (the root, if none is said) and the
moves from there, so that a link to it holds in another run, too. Places that were met lately are
kept, because the next one asked for is most often a move away; each under a digest of its line,
since the lines of all places on a long line would take the square of its length.

The longest line is the one by ranks, which count the holder's moves against the best defence. The
shortest is found by breadth first; where that takes too many places, the least rank is followed,
and the answer says that it is a short line and perhaps not the shortest.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict, deque
from collections.abc import Iterator, Sequence
from typing import Any

from andorra.checker import Rules
from andorra.errors import CertificateError, PositionError
from andorra.rulebook import SIDE_NAMES
from andorra.viewer.entries import StoredCertificate
from andorra.viewer.strategies import StoredStrategy
from andorra.viewer.subjects import blaming, extra, state_of
from andorra.walk import REPETITION, Place, Walk

MOST_CHILDREN = 1_000
MOST_STEPS = 60
"""Plies of a line that one answer has; the page asks for more."""
_KEPT = 5_000
_MOST_PLIES = 2_000
"""Of a bounded question that are tried for a position that is looked for."""
_BREADTH = 2_000
"""Places that the search for the shortest line looks at."""

Route = tuple[str | None, int | None, tuple[str, ...]]
"""Where a line starts, the plies left there, and its moves."""


class PartWalk:
    """Walks through one part; one thread at a time."""

    def __init__(self, stored: StoredCertificate, number: int, game: Rules) -> None:
        """Wait for the part, if the file has not been read so far."""
        self._entries = stored.part(number)
        self._game = game
        self._strategy = StoredStrategy(game, self._entries)
        part = self._entries.part
        self._walk = Walk(stored.head, part, game, self._strategy)
        self.part = part
        self.holder = SIDE_NAMES[self._strategy.holder]
        self._places: OrderedDict[bytes, Place] = OrderedDict()
        self._lock = threading.Lock()

    def node(self, route: Route) -> dict[str, Any]:
        """A place, what is played there, and what can follow."""
        with self._lock, blaming(self._game):
            return self._node(self._place(route))

    def line(self, route: Route, longest: bool) -> dict[str, Any]:
        """The next plies of the longest or a short line, and how it ends if that is among them."""
        with self._lock, blaming(self._game):
            place = self._place(route)
            found = None if longest else self._shortest(place)
            if found is not None:
                return {"moves": found[0], "ending": found[1], "exact": True}
            return self._follow(place, -1 if not longest else 0)

    def find(self, text: str) -> dict[str, Any]:
        """Whether the strategy knows a position, and with how many plies left, at most."""
        state = state_of(self._game, text)
        with self._lock, blaming(self._game):
            position = self._game.format(state)
            for plies in self._plies(state, position):
                try:
                    self._node(self._walk.at(state, plies))
                except CertificateError:
                    continue
                return {"position": position, "found": True, "plies": plies}
            return {"position": position, "found": False, "plies": None}

    def _plies(self, state: Any, position: str) -> Sequence[int | None]:
        """With how many plies left the position may be met."""
        if self.part.within is None:
            return [None]
        if SIDE_NAMES[self._game.to_move(state)] != self.holder:
            least = max(0, self.part.within - _MOST_PLIES)
            return range(self.part.within, least - 1, -1)
        rivals = self._strategy.rivals(position)
        return sorted({entry.plies for entry in rivals if entry.plies is not None}, reverse=True)

    def _place(self, route: Route) -> Place:
        """The place; its line is followed from the last place on it that is kept."""
        start, plies, moves = route
        names = _names(route)
        known = len(moves)
        while known and names[known] not in self._places:
            known -= 1
        place = self._places.get(names[known]) or self._start(start, plies)
        self._keep(names[known], place)
        for name, move in zip(names[known + 1 :], moves[known:], strict=True):
            place = self._move(place, move)
            self._keep(name, place)
        return place

    def _keep(self, name: bytes, place: Place) -> None:
        self._places[name] = place
        self._places.move_to_end(name)
        if len(self._places) > _KEPT:
            self._places.popitem(last=False)

    def _start(self, text: str | None, plies: int | None) -> Place:
        if text is None:
            return self._walk.root
        if (plies is None) != (self.part.within is None):
            bound = "no" if plies is None else str(plies)
            raise PositionError(f"{bound} plies are left: the question is {self.part.question!r}")
        return self._walk.at(state_of(self._game, text), plies)

    def _move(self, place: Place, text: str) -> Place:
        """The place after a move that the strategy knows."""
        if place.ending is not None:
            raise PositionError(f"move {text!r}: the line is over in {self._walk.text(place)!r}")
        if place.entry is not None and text != place.entry.move:
            raise PositionError(
                f"move {text!r}: the strategy plays {place.entry.move!r} in "
                f"{self._walk.text(place)!r}, and says nothing about other moves"
            )
        return self._walk.after(place, self._walk.parse_move(place, text))

    def _node(self, place: Place) -> dict[str, Any]:
        moves = self._walk.choices(place)
        return self._shown(place) | {
            "picture": self._game.draw(place.state),
            "extra": extra(self._game, place.state),
            "children": [self._child(place, move) for move in moves[:MOST_CHILDREN]],
            "omitted": max(0, len(moves) - MOST_CHILDREN),
        }

    def _child(self, place: Place, move: Any) -> dict[str, Any]:
        after = self._walk.after(place, move)
        return {"move": self._walk.move_text(place, move)} | self._shown(after)

    def _shown(self, place: Place) -> dict[str, Any]:
        entry = place.entry
        return {
            "position": self._walk.text(place),
            "side": self._walk.side(place),
            "plies": place.plies,
            "ending": place.ending,
            "answer": None if entry is None else entry.move,
            "cover": entry is not None and place.own != place.state,
            "rank": self._walk.resistance(place) if self.part.verdict == "proven" else None,
        }

    def _follow(self, place: Place, choice: int) -> dict[str, Any]:
        moves: list[str] = []
        seen: set[Place] = set()
        while place.ending is None and place not in seen and len(moves) < MOST_STEPS:
            seen.add(place)
            move = self._walk.choices(place)[choice]
            moves.append(self._walk.move_text(place, move))
            place = self._walk.after(place, move)
        ending = place.ending or (REPETITION if place in seen else None)
        return {"moves": moves, "ending": ending, "exact": choice == 0}

    def _shortest(self, start: Place) -> tuple[list[str], str] | None:
        """The moves to the nearest end, breadth first; None if it is too far away."""
        came: dict[Place, tuple[Place, str] | None] = {start: None}
        waiting = deque([start])
        while waiting and len(came) < _BREADTH:
            place = waiting.popleft()
            if place.ending is not None:
                return _way(came, place), place.ending
            for text, after in self._next(place):
                if after not in came:
                    came[after] = (place, text)
                    waiting.append(after)
        return None

    def _next(self, place: Place) -> Iterator[tuple[str, Place]]:
        for move in self._walk.choices(place):
            yield self._walk.move_text(place, move), self._walk.after(place, move)


def _names(route: Route) -> list[bytes]:
    """A name for each place on the line, the start first, as short for a long line as for none."""
    start, plies, moves = route
    digest = hashlib.blake2b(repr((start, plies)).encode(), digest_size=16)
    names = [digest.digest()]
    for move in moves:
        digest.update(f"{len(move)} {move}".encode())
        names.append(digest.digest())
    return names


def _way(came: dict[Place, tuple[Place, str] | None], place: Place) -> list[str]:
    moves = []
    while (step := came[place]) is not None:
        place, move = step
        moves.append(move)
    return moves[::-1]
