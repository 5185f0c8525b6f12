"""Streams of events: never more than there are seats, and every seat is given back."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest

from andorra.viewer.app import MOST_WATCHERS
from andorra.viewer.searches import Search
from andorra.viewer.seats import FullError, Seats
from viewer_kit import Client, viewing

ENDLESS = {"game": "connect4:7x6", "memory": "64MiB", "threads": 1}
OPENINGS = 60


@pytest.fixture
def page() -> Iterator[Client]:
    with viewing() as client:
        yield client


class Watchers:
    """Many that open the same stream in one loop, and stay until they are told to go."""

    def __init__(self, page: Client, search: Search) -> None:
        self._app = page.viewer.app()
        self._path = f"/api/searches/{search.id}/events"
        self.codes: list[int] = []
        self.told = 0
        self.gone = asyncio.Event()
        self.tasks = [asyncio.create_task(self._watch()) for _ in range(OPENINGS)]

    async def _watch(self) -> None:
        scope = {"type": "http", "method": "GET", "path": self._path, "headers": []}
        await self._app(scope, self._receive(), self._send)

    def _receive(self) -> Callable[[], Awaitable[Any]]:
        messages = [{"type": "http.request", "body": b"", "more_body": False}]

        async def receive() -> Any:
            if messages:
                return messages.pop()
            await self.gone.wait()
            return {"type": "http.disconnect"}

        return receive

    async def _send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.codes.append(message["status"])
        else:
            self.told += 1

    async def answered(self) -> None:
        """All have been let in or refused, and those let in have been told something."""
        while len(self.codes) < OPENINGS or self.told < OPENINGS:
            await asyncio.sleep(0)


def search_of(page: Client) -> Search:
    found = page.viewer.searches.get(page.post("searches", **ENDLESS)["id"])
    assert found is not None
    return found


async def they_leave(watchers: Watchers) -> None:
    watchers.gone.set()
    await asyncio.gather(*watchers.tasks)


async def they_are_cancelled(watchers: Watchers) -> None:
    for task in watchers.tasks:
        task.cancel()
    await asyncio.gather(*watchers.tasks, return_exceptions=True)


@pytest.mark.parametrize("they_end", [they_leave, they_are_cancelled])
def test_of_many_openings_at_once_only_so_many_are_served(
    page: Client, they_end: Callable[[Watchers], Awaitable[None]]
) -> None:
    search = search_of(page)

    async def attack() -> None:
        watchers = Watchers(page, search)
        await watchers.answered()
        assert watchers.codes.count(200) == MOST_WATCHERS == search.watchers
        assert watchers.codes.count(503) == OPENINGS - MOST_WATCHERS
        await they_end(watchers)
        assert (page.viewer.watchers.taken, search.watchers) == (0, 0)

    asyncio.run(attack())


def test_a_seat_is_given_back_when_the_line_breaks(page: Client) -> None:
    search = search_of(page)
    scope = {"type": "http", "method": "GET", "path": f"/api/searches/{search.id}/events"}

    async def receive() -> Any:
        await asyncio.Event().wait()

    async def send(message: Any) -> None:
        assert (page.viewer.watchers.taken, search.watchers) == (1, 1)
        raise OSError("the line is broken")

    with pytest.raises(OSError, match="broken"):
        asyncio.run(page.viewer.app()({**scope, "headers": []}, receive, send))
    assert (page.viewer.watchers.taken, search.watchers) == (0, 0)


def test_seats_are_given_back_however_it_ends() -> None:
    seats = Seats(1)
    with pytest.raises(ZeroDivisionError), seats.one():
        raise ZeroDivisionError
    with seats.one(), pytest.raises(FullError), seats.one():
        raise AssertionError("there is but one")
    assert seats.taken == 0
