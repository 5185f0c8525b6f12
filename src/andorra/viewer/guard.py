"""Who may ask at all: everything else is refused before a route sees it.

A page from elsewhere can make a browser send requests to this machine. It cannot know the token,
which is a cookie that a browser sends from our own page only; it names itself in `Origin` and
`Sec-Fetch-Site`; and a name of its own that leads to this machine (DNS rebinding) stands in `Host`.
All four are looked at. A connection whose request showed the token is let in (`connections`); a
refusal ends a connection.

Bodies are read to a limit and within a time; so is nothing else, because routes get whole bodies.
Few large bodies are in memory at a time: the others wait, and are not read. Responses forbid the
page to load anything from elsewhere.
"""

from __future__ import annotations

import asyncio
import hmac
import json
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from typing import Any
from urllib.parse import parse_qs

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

VISITOR = "andorra.visitor"
"""Under this name the state of a request has its connection, if that wants to be let in."""
LARGEST_BODY = 4 << 20
SMALL_BODY = 1 << 16
MOST_LARGE = 4
"""Requests with bodies that are not small, from the first byte that is read to the answer."""
BODY_SECONDS = 20.0
_MOST_DISCARDED = 4 * LARGEST_BODY
_METHODS = ("GET", "HEAD", "POST")

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = [
    (b"content-security-policy", _POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
]


class RefusedError(Exception):
    """A request that gets no further."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


class Guard:
    """Lets requests of our own page through."""

    def __init__(self, app: App, hosts: list[str] | None, token: str, cookie: str) -> None:
        """`hosts` are our own names with the port, if these are known; `cookie` has the token."""
        self._app = app
        self._hosts = None if hosts is None else {host.lower() for host in hosts}
        self._token = token
        self._cookie = cookie
        self._large = asyncio.Semaphore(MOST_LARGE)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # there are no web sockets here: the server closes it
        try:
            headers = _headers(scope)
            self._check_source(scope, headers)
            if self._has_token_in_url(scope):
                _let_in(scope)
                await self._welcome(send)
                return
            self._check_token(headers)
            _let_in(scope)
            async with self._room_for(scope, headers):
                body = await _body(headers, receive)
                await self._app(scope, _once(body, receive), _with_headers(send))
        except RefusedError as refused:
            await _answer(send, refused.status, str(refused), [(b"connection", b"close")])

    def _room_for(
        self, scope: Message, headers: dict[str, str]
    ) -> AbstractAsyncContextManager[Any]:
        """Holds one of a few places while a large body is in memory; others wait unread."""
        if _is_small(headers):
            return nullcontext()
        if scope["method"] != "POST":  # it may be answered for hours, with events
            raise RefusedError(413, f"a request to {scope['method']} has no large body")
        return self._large

    def _check_source(self, scope: Message, headers: dict[str, str]) -> None:
        if scope["method"] not in _METHODS:
            raise RefusedError(405, f"the method {scope['method'][:20]!r} is not served")
        host = headers.get("host", "").lower()
        if self._hosts is not None and host not in self._hosts:
            raise RefusedError(421, f"this server is not {host[:80]!r}")
        origin = headers.get("origin")
        if origin is not None and origin.lower() != f"http://{host}":
            raise RefusedError(403, f"requests of {origin[:80]!r} are not served")
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            raise RefusedError(403, "requests of other sites are not served")

    def _has_token_in_url(self, scope: Message) -> bool:
        """Whether somebody follows the link that was printed at the start."""
        if scope["method"] != "GET" or scope["path"] != "/":
            return False
        query = scope.get("query_string", b"")[:200].decode("ascii", "replace")
        return any(self._is_token(each) for each in parse_qs(query).get("token", []))

    def _is_token(self, found: str) -> bool:
        return hmac.compare_digest(found.encode("utf-8", "replace"), self._token.encode())

    async def _welcome(self, send: Send) -> None:
        cookie = f"{self._cookie}={self._token}; HttpOnly; SameSite=Strict; Path=/"
        more = [(b"set-cookie", cookie.encode()), (b"location", b"/")]
        await _answer(send, 303, "welcome", more)

    def _check_token(self, headers: dict[str, str]) -> None:
        name = f"{self._cookie}="
        cookies = (each.strip() for each in headers.get("cookie", "").split(";"))
        given = [each.removeprefix(name) for each in cookies if each.startswith(name)]
        scheme, _, said = headers.get("authorization", "").partition(" ")
        given += [said] if scheme.lower() == "bearer" else []
        if not any(map(self._is_token, given)):
            raise RefusedError(401, "open the link that 'andorra view' printed: it has the token")


def _headers(scope: Message) -> dict[str, str]:
    """The headers by name; of two of a name neither can be trusted, so both count as none."""
    found: dict[str, str] = {}
    for name, value in scope["headers"]:
        key = name.decode("latin-1").lower()
        if key in found and key in ("host", "origin", "content-length"):
            raise RefusedError(400, f"there are two headers {key!r}")
        found[key] = value.decode("latin-1")
    return found


def _let_in(scope: Message) -> None:
    """The token was shown: the connection is no stranger's."""
    visitor = scope.get("state", {}).get(VISITOR)
    if visitor is not None and not visitor.let_in():
        raise RefusedError(503, "too many connections; close a page")


def _is_small(headers: dict[str, str]) -> bool:
    """Whether a small body was announced; one of unknown length may be large."""
    announced = headers.get("content-length", "0")
    known = "transfer-encoding" not in headers and announced.isascii() and announced.isdigit()
    return known and len(announced) <= 12 and int(announced) <= SMALL_BODY


async def _body(headers: dict[str, str], receive: Receive) -> bytes:
    try:
        async with asyncio.timeout(BODY_SECONDS):
            return await _read(headers.get("content-length", "0"), receive)
    except TimeoutError:
        raise RefusedError(408, "the body did not come in time") from None


async def _read(announced: str, receive: Receive) -> bytes:
    if not announced.isascii() or not announced.isdigit() or len(announced) > 12:
        raise RefusedError(413, f"a body of {announced[:20]!r} bytes; at most {LARGEST_BODY}")
    body = bytearray()
    more = True
    while more:
        piece, more = await _piece(receive)
        body += piece
        if max(len(body), int(announced)) > LARGEST_BODY:
            await _discard(receive, more)
            raise RefusedError(413, f"a body of more than {LARGEST_BODY} bytes")
    return bytes(body)


async def _piece(receive: Receive) -> tuple[bytes, bool]:
    """What came of the body, and whether there is more."""
    message = await receive()
    if message["type"] == "http.disconnect":
        raise RefusedError(400, "the client went away")
    return message.get("body", b""), message.get("more_body", False)


async def _discard(receive: Receive, more: bool) -> None:
    """Let a client finish what it sends, within reason: else it never hears why it is refused."""
    discarded = 0
    with suppress(RefusedError):
        while more and discarded < _MOST_DISCARDED:
            piece, more = await _piece(receive)
            discarded += len(piece)


def _once(body: bytes, receive: Receive) -> Receive:
    """Gives the body, then whatever else there is to hear."""
    given = False

    async def next_message() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return next_message


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", []), *HEADERS]
        await send(message)

    return sending


async def _answer(
    send: Send, status: int, why: str, more: list[tuple[bytes, bytes]] | None = None
) -> None:
    body = json.dumps({"error": why}).encode()
    headers = [(b"content-type", b"application/json"), *HEADERS, *(more or [])]
    headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
