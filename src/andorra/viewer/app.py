"""The routes: what the page can ask, each answered in JSON.

Errors that input can cause are answers like any other: 400 with the message that the command line
would print. Routes that compute run in threads, so that a slow one holds up nobody else. What comes
with a large body takes long and much memory: one at a time, and those that wait take no thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

import andorra
from andorra.errors import AndorraError
from andorra.viewer import walks
from andorra.viewer.answers import encoded
from andorra.viewer.forms import Form, read_json
from andorra.viewer.guard import SMALL_BODY
from andorra.viewer.library import Library, OpenCertificate
from andorra.viewer.searches import Search, Searches, read_request
from andorra.viewer.seats import FullError, Seats
from andorra.viewer.subjects import GAME_FIELDS, Games, describe, played, state_of

PAGE = Path(__file__).parent / "page"
MOST_WATCHERS = 24
_TICK = 0.1
"""Seconds between two looks for something new; also the most that a watcher waits."""
_BEAT = 100
"""Ticks after which a silent stream says that it is alive."""
_PIECE = 1 << 18
"""Bytes of a file that are in memory while it is sent."""

_PLACE_FIELDS = ("part", "start", "plies", "moves")

_JSON = "application/json"

Answer = Callable[[Request, dict[str, Any]], Any]


class Viewer:
    """What is open and what runs, with a route for each question about it."""

    def __init__(self, library: Library, games: Games, opened: dict[str, Any]) -> None:
        """`opened` tells the page what to show first."""
        self.library = library
        self.games = games
        games.graphs.let_go = library.forget_oldest
        self.searches = Searches()
        self.opened = opened
        self.watchers = Seats(MOST_WATCHERS)
        self._slow = asyncio.Semaphore(1)

    def app(self) -> Starlette:
        """The application."""
        routes = [
            Route("/", _index),
            Route("/api/hello", self._answering(self.hello)),
            Route("/api/position", self._answering(self.position), methods=["POST"]),
            Route("/api/searches", self._answering(self.search), methods=["POST"]),
            Route("/api/searches/{id}", self._answering(self.search_state)),
            Route("/api/searches/{id}/stop", self._answering(self.stop), methods=["POST"]),
            Route("/api/searches/{id}/events", self.events),
            Route("/api/certificates/{id}", self._answering(self.certificate)),
            Route("/api/certificates/{id}/file", self.file),
            Route("/api/certificates/{id}/node", self._answering(self.node), methods=["POST"]),
            Route("/api/certificates/{id}/line", self._answering(self.line), methods=["POST"]),
            Route("/api/certificates/{id}/find", self._answering(self.find), methods=["POST"]),
            Route("/api/certificates/{id}/export", self._answering(self.export), methods=["POST"]),
            Route("/api/results/{id}", self._answering(self.results)),
            Mount("/page", StaticFiles(directory=PAGE)),
        ]
        return Starlette(routes=routes, exception_handlers={HTTPException: _refusal})

    def _answering(self, answer: Answer) -> Callable[[Request], Awaitable[Response]]:
        """A route that reads a form and answers in JSON."""

        async def route(request: Request) -> Response:
            body = await request.body()

            def work() -> bytes:
                return encoded(answer(request, read_json(body)))

            try:
                async with self._slow if len(body) > SMALL_BODY else nullcontext():
                    found = await run_in_threadpool(work)
            except AndorraError as error:
                return _json({"error": str(error)}, 400)
            return Response(found, media_type=_JSON)

        return route

    # ---- games and positions ----

    def hello(self, request: Request, fields: dict[str, Any]) -> dict[str, Any]:
        """All that the page must know at the start."""
        own = self.games.own
        running = self.searches.running()
        return {
            "version": andorra.__version__,
            "games": [asdict(info) for info in andorra.games().values()],
            "own": None if own is None else {"name": own.spec(), "question": own.question},
            "algorithms": [asdict(info) for info in andorra.algorithms().values()],
            "opened": self.opened,
            "running": None if running is None else running.id,
        }

    def position(self, request: Request, fields: dict[str, Any]) -> dict[str, Any]:
        """A position, after moves if there are any, in canonical text and with its legal moves."""
        form = Form(fields, (*GAME_FIELDS, "position", "moves"))
        game = self.games.make(form.text("game"), form.text_or_none("data"))
        state = state_of(game, form.text_or_none("position"))
        return describe(game, played(game, state, form.texts("moves")))

    # ---- searches ----

    def search(self, request: Request, fields: dict[str, Any]) -> dict[str, Any]:
        """Start a search."""
        search = self.searches.start(read_request(fields, self.games), self.library)
        if search is None:
            raise HTTPException(409, "a search is running; stop it first")
        return {"id": search.id}

    def search_state(self, request: Request, fields: dict[str, Any]) -> dict[str, Any]:
        """What was asked for."""
        search = self._search(request)
        return {"id": search.id, "state": search.state} | search.about

    def stop(self, request: Request, fields: dict[str, Any]) -> dict[str, Any]:
        """End a search soon."""
        self._search(request).stop()
        return {}

    async def events(self, request: Request) -> Response:
        """What a search tells, as server-sent events."""
        return _Watching(self._search(request), self.watchers)

    def _search(self, request: Request) -> Search:
        search = self.searches.get(request.path_params["id"])
        if search is None:
            raise HTTPException(404, "there is no such search")
        return search

    # ---- certificates ----

    def certificate(self, request: Request, fields: dict[str, Any]) -> dict[str, Any]:
        """What a certificate says of itself."""
        return self._certificate(request).to_json()

    async def file(self, request: Request) -> Response:
        """The certificate itself, to be saved."""
        try:
            file = await run_in_threadpool(self._certificate(request).path.open, "rb")
        except OSError:
            raise HTTPException(404, "the file is no longer there") from None
        named = {"content-disposition": 'attachment; filename="certificate.andorra"'}
        return StreamingResponse(_pieces(file), 200, named, "application/octet-stream")

    def node(self, request: Request, fields: dict[str, Any]) -> dict[str, Any]:
        """A place of the strategy."""
        walk, route = self._place(request, Form(fields, _PLACE_FIELDS))
        return walk.node(route)

    def line(self, request: Request, fields: dict[str, Any]) -> dict[str, Any]:
        """The next moves of the longest or the shortest line from a place."""
        form = Form(fields, (*_PLACE_FIELDS, "shortest"))
        walk, route = self._place(request, form)
        return walk.line(route, not form.flag("shortest"))

    def find(self, request: Request, fields: dict[str, Any]) -> dict[str, Any]:
        """Whether the strategy knows a position."""
        form = Form(fields, ("part", "position"))
        return self._part(request, form).find(form.text("position"))

    def export(self, request: Request, fields: dict[str, Any]) -> dict[str, Any]:
        """The line to a place as text."""
        form = Form(fields, (*_PLACE_FIELDS, "form"))
        _, route = self._place(request, form)
        return {"text": self._certificate(request).export(route, form.text("form"))}

    def _certificate(self, request: Request) -> OpenCertificate:
        found = self.library.certificates.get(request.path_params["id"])
        if found is None:
            raise HTTPException(404, "there is no such certificate")
        return found

    def _part(self, request: Request, form: Form) -> walks.PartWalk:
        number = form.whole("part") or 0
        if number not in (0, 1):
            raise HTTPException(404, f"there is no part {number}")
        return self._certificate(request).walk(number)

    def _place(self, request: Request, form: Form) -> tuple[walks.PartWalk, walks.Route]:
        route = (form.text_or_none("start"), form.whole("plies"), tuple(form.texts("moves")))
        return self._part(request, form), route

    # ---- results ----

    def results(self, request: Request, fields: dict[str, Any]) -> dict[str, Any]:
        """The runs of a file."""
        found = self.library.results.get(request.path_params["id"])
        if found is None:
            raise HTTPException(404, "there are no such results")
        return found

    def close(self) -> None:
        """End searches and give temporary files back."""
        self.searches.close()
        self.library.close()


class _Watching(Response):
    """Tells what a search tells, for as long as somebody listens, if there is a seat."""

    def __init__(self, search: Search, seats: Seats) -> None:
        self._search = search
        self._seats = seats

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            with self._seats.one(), _seen(self._search):
                stream = StreamingResponse(_news(self._search), media_type="text/event-stream")
                await stream(scope, receive, send)
        except FullError:
            raise HTTPException(503, "too many pages watch; close one") from None


@contextmanager
def _seen(search: Search) -> Iterator[None]:
    search.watch(1)
    try:
        yield
    finally:
        search.watch(-1)


async def _news(search: Search) -> AsyncIterator[bytes]:
    known, rows, silent = -1, 0, 0
    while True:
        if search.version != known:
            news = search.snapshot(known < 0, rows)
            known, rows, silent = news["version"], rows + len(news["rows"]), 0
            yield b"data: " + encoded(news) + b"\n\n"
            if news["state"] != "running":
                return
        silent += 1
        if silent % _BEAT == 0:
            yield b": still here\n\n"
        await asyncio.sleep(_TICK)


def _pieces(file: BinaryIO) -> Iterator[bytes]:
    with file:
        while piece := file.read(_PIECE):
            yield piece


def _json(content: Any, code: int) -> Response:
    return Response(encoded(content), code, media_type=_JSON)


async def _index(request: Request) -> Response:
    return Response((PAGE / "index.html").read_bytes(), media_type="text/html")


async def _refusal(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _json({"error": error.detail}, error.status_code)
