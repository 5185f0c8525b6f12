"""Starting and ending: a socket on this machine, a token, the browser, and the server behind both.

uvicorn serves; connections that do not finish their request's head in time are closed, so that
many half-open ones cannot keep others out for long.
"""

from __future__ import annotations

import secrets
import socket
import webbrowser
from collections.abc import Callable
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from andorra.viewer.app import Viewer
from andorra.viewer.guard import Guard

LOOPBACK = ("127.0.0.1", "::1", "localhost")
MOST_CONNECTIONS = 128
HEAD_SECONDS = 10.0


class _Hasty(H11Protocol):
    """A connection that must say what it wants in time."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.loop.call_later(HEAD_SECONDS, self._close_if_silent)

    def _close_if_silent(self) -> None:
        if self.scope is None and not self.transport.is_closing():
            self.transport.close()


class Server:
    """A viewer with an address."""

    def __init__(self, viewer: Viewer, host: str = "127.0.0.1", port: int = 0) -> None:
        """Take the port, any free one if 0; nothing is served yet."""
        self.viewer = viewer
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._socket = socket.socket(family)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self._socket.bind((host, port))
        except OSError:
            self._socket.close()
            viewer.close()
            raise
        self._socket.listen(MOST_CONNECTIONS)  # so that a browser may come before the server runs
        self.port: int = self._socket.getsockname()[1]
        self.token = secrets.token_urlsafe(24)
        self._name = _in_links(host)
        # Elsewhere we cannot know by which names others reach this machine.
        hosts = [f"{_in_links(name)}:{self.port}" for name in LOOPBACK]
        known = hosts if host in LOOPBACK else None
        guard = Guard(viewer.app(), known, self.token, f"andorra_{self.port}")
        config = uvicorn.Config(
            guard,
            http=_Hasty,
            ws="none",
            lifespan="off",
            log_level="critical",
            access_log=False,
            server_header=False,
            limit_concurrency=MOST_CONNECTIONS,
            timeout_keep_alive=10,
            timeout_graceful_shutdown=1,
            h11_max_incomplete_event_size=1 << 16,
        )
        self._server = uvicorn.Server(config)

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
