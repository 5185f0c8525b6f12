"""A real server on a port of its own, and plain sockets that talk to it, for tests."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from andorra.viewer.app import Viewer
from andorra.viewer.connections import Limits
from andorra.viewer.library import Library
from andorra.viewer.server import Server
from andorra.viewer.subjects import Games

GIVE_UP = 60.0
"""Seconds after which a socket that hears nothing fails its test; no measurement, and generous."""
PATIENT = 3600.0
"""Seconds that no test takes: a limit of time that shall not be met."""


@contextmanager
def serving(limits: Limits | None = None, viewer: Viewer | None = None) -> Iterator[Server]:
    """A server that runs in a thread."""
    server = Server(viewer or Viewer(Library(), Games(), {}), limits=limits)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        thread.join(GIVE_UP)
        assert not thread.is_alive(), "the server ends when it is told to"


class Caller:
    """A connection that says what a test wants it to say."""

    def __init__(self, server: Server, stack: ExitStack) -> None:
        address = ("127.0.0.1", server.port)
        self.socket = stack.enter_context(socket.create_connection(address, GIVE_UP))
        self._host = f"127.0.0.1:{server.port}"
        self._token = server.token

    def say(self, text: str) -> None:
        """Send; that the server has hung up is no fault of the caller's."""
        try:
            self.socket.sendall(text.encode())
        except ConnectionError:
            return

    def ask(self, path: str = "/api/hello", token: bool = True, more: str = "") -> None:
        """Send the head of a request."""
        proof = f"Authorization: Bearer {self._token}\r\n" if token else ""
        self.say(f"GET {path} HTTP/1.1\r\nHost: {self._host}\r\n{proof}{more}\r\n")

    def hear(self, until: bytes | None = None) -> bytes:
        """What the server says, until the end or until it has said this."""
        heard = b""
        while until is None or until not in heard:
            try:
                piece = self.socket.recv(1 << 16)
            except ConnectionError:
                return heard
            if not piece:
                return heard
            heard += piece
        return heard

    def status(self) -> int:
        """The code of an answer that begins."""
        return int(self.hear(b"\r\n\r\n").split(b" ", 2)[1])


def callers(server: Server, stack: ExitStack, count: int) -> list[Caller]:
    """So many connections."""
    return [Caller(server, stack) for _ in range(count)]


def answer_of(server: Server, path: str = "/api/hello", **more: Any) -> bytes:
    """The whole answer that a newcomer with the token gets."""
    with ExitStack() as stack:
        caller = Caller(server, stack)
        caller.ask(path, more="Connection: close\r\n", **more)
        return caller.hear()
