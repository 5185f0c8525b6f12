"""What tests of the viewer share: a viewer with something open, and a client that is let in."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

import andorra
from andorra.viewer.app import Viewer
from andorra.viewer.guard import Guard
from andorra.viewer.library import Library
from andorra.viewer.subjects import Games
from certificates import FORK

__all__ = ["COVERED", "FORK", "HOST", "MATE", "TOKEN", "Client", "certificate", "until", "viewing"]

HOST = "127.0.0.1:8000"
TOKEN = "a-token-for-tests"
COOKIE = "andorra_8000"

MATE = "7nk/9/6G2/9/9/9/9/9/9 b 2G 1"
COVERED = "6snk/9/7P1/9/9/9/9/9/9 b RG 1"
"""A problem whose certificate has entries that serve positions with more in hand."""


class Client:
    """A page that knows the token."""

    def __init__(self, viewer: Viewer) -> None:
        guard = Guard(viewer.app(), [HOST], TOKEN, COOKIE)
        self.raw = TestClient(guard, base_url=f"http://{HOST}", raise_server_exceptions=False)
        self.viewer = viewer

    def let_in(self) -> Client:
        """Follow the link with the token."""
        answer = self.raw.get(f"/?token={TOKEN}")
        assert answer.status_code == 200, answer.text
        return self

    def get(self, path: str) -> Any:
        """What a route answers, in JSON."""
        answer = self.raw.get(f"/api/{path}")
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, **fields: Any) -> Any:
        """What a route answers, in JSON."""
        answer = self.raw.post(f"/api/{path}", json=fields)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def refused(self, path: str, **fields: Any) -> tuple[int, str]:
        """The code and the reason with which a request is refused."""
        answer = self.raw.post(f"/api/{path}", json=fields)
        assert answer.status_code >= 400, answer.text
        return answer.status_code, answer.json()["error"]

    def news(self, search: str) -> list[dict[str, Any]]:
        """All that a search tells until it ends."""
        with self.raw.stream("GET", f"/api/searches/{search}/events") as answer:
            assert answer.status_code == 200
            lines = [line for line in answer.iter_lines() if line.startswith("data: ")]
        return [json.loads(line.removeprefix("data: ")) for line in lines]

    def solved(self, **fields: Any) -> dict[str, Any]:
        """The answer of a search."""
        last = self.news(self.post("searches", **fields)["id"])[-1]
        assert last["state"] == "done", last
        rows: list[dict[str, Any]] = last["rows"]
        return rows[-1]


@contextmanager
def viewing(*certificates: Path, games: Games | None = None) -> Iterator[Client]:
    """A client of a viewer that has these open."""
    library = Library()
    names = [library.open_certificate(path) for path in certificates]
    viewer = Viewer(library, games or Games(), {"certificate": names[0]} if names else {})
    try:
        yield Client(viewer).let_in()
    finally:
        viewer.close()


def certificate(folder: Path, game: str, position: str | None = None, **search: Any) -> Path:
    """The certificate of a solved position."""
    path = folder / "test.andorra"
    result = andorra.solve(game, position, certificate=path, **search)
    assert result.certificate == path, result
    return path


def until(true: Any, seconds: float = 60.0) -> None:
    """Wait until something is so; this is no measurement, and generous."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)
