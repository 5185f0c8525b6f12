"""Starting and ending: a socket on this machine, a token, the browser, and the server behind both.

uvicorn serves; who may keep a connection to it is decided in `connections`.
"""

from __future__ import annotations

import math
import secrets
import socket
import webbrowser
from collections.abc import Callable

import uvicorn

from andorra.viewer.app import Viewer
from andorra.viewer.connections import Limits, Lobby, connections_of
from andorra.viewer.guard import Guard

LOOPBACK = ("127.0.0.1", "::1", "localhost")
_BACKLOG = 1024
"""Connections that wait in the kernel until they are accepted."""


class _Listening(uvicorn.Server):
    """Accepts few connections at a time, and lets many wait: asyncio has one number for both."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for each in sockets or []:
            each.listen(_BACKLOG)


class Server:
    """A viewer with an address."""

    def __init__(
        self,
        viewer: Viewer,
        host: str = "127.0.0.1",
        port: int = 0,
        limits: Limits | None = None,
    ) -> None:
        """Take the port, any free one if 0; nothing is served yet."""
        self.viewer = viewer
        self.lobby = Lobby(limits or Limits())
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._socket = socket.socket(family)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self._socket.bind((host, port))
        except OSError:
            self._socket.close()
            viewer.close()
            raise
        self._socket.listen(_BACKLOG)  # so that a browser may come before the server runs
        self.port: int = self._socket.getsockname()[1]
        self.token = secrets.token_urlsafe(24)
        self._name = _in_links(host)
        # Elsewhere we cannot know by which names others reach this machine.
        hosts = [f"{_in_links(name)}:{self.port}" for name in LOOPBACK]
        known = hosts if host in LOOPBACK else None
        guard = Guard(viewer.app(), known, self.token, f"andorra_{self.port}")
        config = uvicorn.Config(
            guard,
            http=connections_of(self.lobby),
            loop="asyncio",
            ws="none",
            lifespan="off",
            log_level="critical",
            access_log=False,
            server_header=False,
            backlog=self.lobby.limits.accepted_at_once,
            timeout_keep_alive=math.ceil(self.lobby.limits.head_seconds),
            timeout_graceful_shutdown=1,
            h11_max_incomplete_event_size=1 << 16,
        )
        self._server = _Listening(config)

    @property
    def url(self) -> str:
        """The link that lets a browser in."""
        return f"http://{self._name}:{self.port}/?token={self.token}"

    def run(self, ready: Callable[[], None] | None = None) -> None:
        """Serve until Ctrl-C or `stop`."""
        try:
            if ready is not None:
                ready()
            self._server.run(sockets=[self._socket])
        finally:
            self._socket.close()
            self.viewer.close()

    def stop(self) -> None:
        """End soon; from any thread."""
        self._server.should_exit = True

    def open_browser(self) -> None:
        """Show the page, if there is a browser to show it with."""
        webbrowser.open(self.url)


def _in_links(host: str) -> str:
    return f"[{host}]" if ":" in host else host
