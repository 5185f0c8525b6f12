"""Who may keep a connection: whoever has shown the token; strangers stay short and few.

Idea: a connection starts as a stranger. The guard lets it in when a request shows the token, and
closes it after any request that it refuses. When strangers fill their places, the one that came
first has to go, so a newcomer always finds a place, and needs it only until its first request is
read. Whoever was let in has places of its own, which no stranger can take.

Invariant: of strangers there are never more than `Limits.strangers`, of those let in never more
than `Limits.guests`; and whoever holds a connection, a request's head is complete within
`Limits.head_seconds`, the first and every later one. To take apart what a stranger sends costs far
more than to send it. So only a first head that is complete, short and of few lines is taken apart,
and nothing behind it.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field
from typing import Any, Protocol

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from andorra.viewer.guard import VISITOR

LONGEST_HEAD = 1 << 14
"""Bytes of a stranger's head; browsers send far fewer, unless a neighbour has set long cookies."""
MOST_LINES = 100
"""Of a stranger's head; browsers send about twenty."""
_TOO_LONG = (
    f"The head of the first request is too long: expected at most {LONGEST_HEAD} bytes "
    f"in at most {MOST_LINES} lines"
)
_HEAD_END = re.compile(rb"\n\r?\n")
_FIRST_OF_A_METHOD = 0x21
"""Bytes below, such as the first of TLS, begin no request."""


@dataclass(frozen=True)
class Limits:
    """Of connections."""

    strangers: int = 128
    guests: int = 128
    head_seconds: float = 10.0
    accepted_at_once: int = 16
    """Far fewer than strangers, so that none of them goes before it has been read."""


class Visitor(Protocol):
    """What a lobby knows of a connection."""

    def is_idle(self) -> bool:
        """Whether no answer is being made for it."""

    def abort(self) -> None:
        """End it at once, whatever is still to be sent."""


@dataclass
class Lobby:
    """All connections of a server; used by its event loop only. Dicts keep the order of arrival."""

    limits: Limits = field(default_factory=Limits)
    strangers: dict[Visitor, None] = field(default_factory=dict)
    guests: dict[Visitor, None] = field(default_factory=dict)

    def enter(self, visitor: Visitor) -> None:
        """Somebody came; who has been a stranger for longest may have to go."""
        while len(self.strangers) >= self.limits.strangers:
            self._end(self.strangers, next(iter(self.strangers)))
        self.strangers[visitor] = None

    def let_in(self, visitor: Visitor) -> bool:
        """Whether there is a place for somebody who has the token; an idle guest may have to go."""
        if visitor in self.guests:
            return True
        if len(self.guests) >= self.limits.guests:
            idle = next((each for each in self.guests if each.is_idle()), None)
            if idle is None:
                return False
            self._end(self.guests, idle)
        self.strangers.pop(visitor, None)
        self.guests[visitor] = None
        return True

    def leave(self, visitor: Visitor) -> None:
        """A connection is lost."""
        self.strangers.pop(visitor, None)
        self.guests.pop(visitor, None)

    @staticmethod
    def _end(among: dict[Visitor, None], visitor: Visitor) -> None:
        del among[visitor]
        visitor.abort()


class Connection(H11Protocol):
    """A connection that says what it wants in time, and knows its place."""

    lobby: Lobby
    """Of the server; `connections_of` sets it."""

    def connection_made(self, transport: Any) -> None:
        """Somebody came: a stranger."""
        self.app_state = {**self.app_state, VISITOR: self}
        self._deadline: asyncio.TimerHandle | None = None
        self._held = b""
        super().connection_made(transport)
        self.lobby.enter(self)
        self._watch_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over, whoever ended it."""
        self.lobby.leave(self)
        self._forget_deadline()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on, as far as somebody still listens."""
        if self in self.lobby.strangers:
            self._read_head(data)
        elif not self.transport.is_closing():
            super().data_received(data)
        self._watch_head()

    def _read_head(self, data: bytes) -> None:
        """A stranger's head; the rest waits until the guard has seen it, and no more is read."""
        before, self._held = max(len(self._held) - 2, 0), self._held + data
        if self.conn.their_state is not h11.IDLE or self.transport.is_closing():
            return
        found = _HEAD_END.search(self._held, before, LONGEST_HEAD)
        size = len(self._held) if found is None else found.end()
        if size > LONGEST_HEAD or self._held.count(b"\n", 0, size) > MOST_LINES:
            self.send_400_response(_TOO_LONG)
        elif found is not None or self._held[0] < _FIRST_OF_A_METHOD:
            self._take_apart(size)

    def _take_apart(self, size: int) -> None:
        """So much is a head, or what cannot become one."""
        head, self._held = self._held[:size], self._held[size:]
        super().data_received(head)
        self.flow.pause_reading()

    def on_response_complete(self) -> None:
        """The next request may come."""
        super().on_response_complete()
        self._watch_head()

    def let_in(self) -> bool:
        """The token was shown: whether there is a place."""
        if self in self.lobby.guests or not self.lobby.let_in(self):
            return self in self.lobby.guests
        held, self._held = self._held, b""
        self.flow.resume_reading()
        if held:
            self.data_received(held)
        return True

    def is_idle(self) -> bool:
        """Whether no answer is being made for it."""
        return self.cycle is None or self.cycle.response_complete

    def abort(self) -> None:
        """End it at once, whatever is still to be sent."""
        self.transport.abort()

    def _watch_head(self) -> None:
        """From the moment when a request is awaited, there is so much time until it is known."""
        if self.conn.their_state is not h11.IDLE or self.transport.is_closing():
            self._forget_deadline()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(self.lobby.limits.head_seconds, self.abort)

    def _forget_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def connections_of(lobby: Lobby) -> type[Connection]:
    """The class of a server's connections."""
    return type("ConnectionOfLobby", (Connection,), {"lobby": lobby})
