"""Hostile requests: all refused, none with a 500, and the server goes on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from andorra.viewer import guard as guard_module
from andorra.viewer.guard import LARGEST_BODY, MOST_LARGE, SMALL_BODY
from viewer_kit import HOST, TOKEN, Client, certificate, viewing


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with viewing(certificate(tmp_path_factory.mktemp("c"), "mnk:3,3,3", "xx./oo./...")) as client:
        yield client


def code(page: Client, path: str, method: str = "GET", **more: Any) -> int:
    return page.raw.request(method, path, **more).status_code


def test_nothing_is_answered_without_the_token(page: Client) -> None:
    stranger = Client(page.viewer)
    for path in ("/", "/api/hello", "/page/main.js", "/?token=", "/?token=wrong", "/nothing"):
        assert code(stranger, path) == 401
    assert code(stranger, "/api/hello", headers={"cookie": "andorra_8000=wrong"}) == 401
    assert code(stranger, "/api/hello", headers={"authorization": f"Bearer {TOKEN}"}) == 200
    assert (
        code(stranger, "/api/hello", headers={"authorization": "Bearer \xff".encode("latin-1")})
        == 401
    )


def test_the_token_is_in_a_cookie_that_scripts_and_other_sites_do_not_get(page: Client) -> None:
    stranger = Client(page.viewer)
    answer = stranger.raw.get(f"/?token={TOKEN}", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert "SameSite=Strict" in answer.headers["set-cookie"]


@pytest.mark.parametrize(
    "others", ["a=b; ", "a=b;" * 2_000, 'a[1]="x; ', ";;=; ", "andorra_8000=;"]
)
def test_the_token_is_found_among_other_cookies(page: Client, others: str) -> None:
    stranger = Client(page.viewer)
    mine = f"andorra_8000={TOKEN}"
    for cookies in (others + mine, f"{mine}; {others}"):
        assert code(stranger, "/api/hello", headers={"cookie": cookies}) == 200
    for wrong in (f"x{mine}", f"{mine}x", f"andorra_800={TOKEN}", f"a={mine}", others):
        assert code(stranger, "/api/hello", headers={"cookie": others + wrong}) == 401


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:80", "", f"{HOST}.evil"])
def test_other_names_for_this_machine_are_refused(page: Client, host: str) -> None:
    assert code(page, "/api/hello", headers={"host": host}) == 421


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", f"https://{HOST}", "http://127.0.0.1"]
)
def test_other_origins_are_refused(page: Client, origin: str) -> None:
    assert code(page, "/api/position", "POST", json={}, headers={"origin": origin}) == 403
    assert code(page, "/api/hello", headers={"origin": origin}) == 403


def test_our_own_origin_is_served(page: Client) -> None:
    assert code(page, "/api/hello", headers={"origin": f"http://{HOST}"}) == 200
    assert code(page, "/api/hello", headers={"sec-fetch-site": "same-origin"}) == 200
    assert code(page, "/api/hello", headers={"sec-fetch-site": "cross-site"}) == 403
    assert code(page, "/api/hello", headers={"sec-fetch-site": "same-site"}) == 403


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_other_methods_are_refused(page: Client, method: str) -> None:
    assert code(page, "/api/hello", method) == 405


@pytest.mark.parametrize(
    "path",
    [
        "/page/../app.py",
        "/page/%2e%2e/app.py",
        "/page/..%2fapp.py",
        "/page/%2e%2e%2f%2e%2e%2f__init__.py",
        "/page//etc/passwd",
        "/page/%2fetc%2fpasswd",
        "/page/boards/../../server.py",
        "/page/%00",
        "/api/certificates/..%2f..%2fx",
        "/api/certificates/x/file",
        "/api/results/%2e%2e",
        "/api/searches/x/events",
    ],
)
def test_no_path_leads_out(page: Client, path: str) -> None:
    answer = page.raw.get(path)
    assert answer.status_code in (404, 405)
    assert "import" not in answer.text and "root:" not in answer.text


def test_huge_bodies_are_refused(page: Client) -> None:
    assert code(page, "/api/position", "POST", content=b" " * (LARGEST_BODY + 1)) == 413
    pieces = (b" " * (1 << 20) for _ in range(6))  # without a length
    assert code(page, "/api/position", "POST", content=pieces) == 413
    lie = {"content-length": "-1"}
    assert code(page, "/api/position", "POST", content=b"", headers=lie) == 413


@pytest.mark.parametrize(
    "body",
    [
        b"{", b"[]", b"1", b'"x"', b"null", b"\xff", b'{"game": NaN}', b"[" * 100_000,
        b'{"a":' * 5_000, b'{"game": "\\ud800"}', b'{"nodes": ' + b"9" * 5_000 + b"}",
        b'{"game": "mnk", "position": "\\u0000"}',
    ],
)  # fmt: skip
def test_bodies_that_are_no_forms_are_refused(page: Client, body: bytes) -> None:
    for route in ("position", "searches"):
        assert code(page, f"/api/{route}", "POST", content=body) == 400


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        ({"nodes": -1}, "nodes=-1: expected a whole number from 1 to"),
        ({"nodes": 0}, "nodes=0: expected a whole number from 1 to"),
        ({"nodes": 1 << 63}, "nodes=9223372036854775808: expected a whole number from 1 to"),
        ({"seconds": -1}, "seconds=-1.0: expected a positive, finite number"),
        ({"seconds": 0}, "seconds=0.0: expected a positive, finite number"),
    ],
)
def test_limits_that_make_no_sense_start_no_search(
    page: Client, limit: dict[str, int], said: str
) -> None:
    status, error = page.refused("searches", game="mnk:3,3,3", **limit)
    assert status == 400 and error.startswith(said)
    assert page.viewer.searches.running() is None


def test_too_many_watchers_are_refused(page: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page.viewer.watchers, "most", 0)
    name = page.post("searches", game="mnk:3,3,3")["id"]
    assert code(page, f"/api/searches/{name}/events") == 503
    monkeypatch.undo()
    assert page.news(name)[-1]["state"] == "done"


def test_answers_forbid_what_the_page_does_not_need(page: Client) -> None:
    for path in ("/", "/api/hello", "/page/main.js", "/nothing"):
        headers = page.raw.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in headers


# ---- a fuzzer that knows the form of every request ----

GAMES = st.sampled_from(
    ["mnk:3,3,3", "mnk", "connect4:4x4", "hex:2", "breakthrough:4x3x1", "loa:3", "cops:1", "toll:2",
     "tsume", "graph", "graph:/etc/passwd", "mnk:", "x", ""]
)  # fmt: skip
POSITIONS = st.sampled_from(
    [".../.../...", "xx./oo./...", "0 0 3 1 4 t", "4k4/9/4P4/9/9/9/9/9/9 b G 1", "A", "Bw 0 1 c",
     "startpos moves 7g7f", "x" * 5_000]
)  # fmt: skip
WRONG = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=30),
    st.lists(st.integers(), max_size=3),
    st.dictionaries(st.text(max_size=5), st.none(), max_size=2),
)  # fmt: skip
MOVES = st.lists(st.sampled_from(["a1", "b2", "c1", "c3", "1", "pay", "G*5b", ""]), max_size=4)
SCHEMA: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "position": {
        "game": GAMES,
        "data": st.sampled_from(["A: or B\nB: win\n", "A: or A\n", "A:"]),
        "position": POSITIONS,
        "moves": MOVES,
    },
    "searches": {
        "game": GAMES,
        "position": POSITIONS,
        "problems": st.sampled_from(["", "xx./oo./...", ".../.../...\n?", "\x00"]),
        "question": st.sampled_from(["win", "win:first<=3", "mate<=1", "shortest", "value", "x"]),
        "value": st.booleans(),
        "shortest": st.booleans(),
        "others": st.booleans(),
        "algorithm": st.sampled_from(["dfpn", "pns", "fixpoint", "x"]),
        "options": st.dictionaries(
            st.sampled_from(["epsilon", "gc", "unsafe", "seed", "x", "game"]), st.text(max_size=4)
        ),
        "nodes": st.integers(-1, 500),
        "seconds": st.floats(0, 1),
        "memory": st.sampled_from(["1MiB", "2MiB", "x", "900TiB"]),
        "threads": st.integers(-1, 2),
        "certificate": st.booleans(),
    },
    "certificates/ID/node": {
        "part": st.integers(-2, 3),
        "start": POSITIONS,
        "plies": st.integers(-2, 5),
        "moves": MOVES,
    },
    "certificates/ID/line": {"part": st.integers(0, 1), "moves": MOVES, "shortest": st.booleans()},
    "certificates/ID/find": {"part": st.integers(0, 1), "position": POSITIONS},
    "certificates/ID/export": {
        "moves": MOVES,
        "form": st.sampled_from(["moves", "usi", "kif", "x"]),
    },
}


@st.composite
def requests(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """A request that is almost in order: fields are missing, wrong or made up."""
    route = draw(st.sampled_from(sorted(SCHEMA)))
    known = SCHEMA[route]
    names = draw(st.lists(st.sampled_from([*known, "made_up"]), unique=True))
    if draw(st.integers(0, 3)):
        names = sorted({*names, *list(known)[:1]})
    fields = {}
    for name in names:
        right = name in known and draw(st.integers(0, 5))
        fields[name] = draw(known[name] if right else WRONG)
    return route, fields


@settings(
    max_examples=400,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(request=requests())
def test_no_request_is_answered_with_500(page: Client, request: tuple[str, dict[str, Any]]) -> None:
    route, fields = request
    name = page.viewer.opened["certificate"]
    body = json.dumps(fields).encode()
    answer = page.raw.post(f"/api/{route.replace('ID', name)}", content=body)
    assert answer.status_code in (200, 400, 404, 409), (route, fields, answer.text)
    assert isinstance(answer.json(), dict)
    running = page.viewer.searches.running()
    if running is not None:
        running.stop()
        running.join()
        assert running.error is None or "Error:" not in running.error, running.error


def test_the_guard_waits_for_bodies_only_so_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard_module, "BODY_SECONDS", 0.01)
    sent: list[Any] = []

    async def receive() -> Any:
        await asyncio.sleep(3600)

    async def send(message: Any) -> None:
        sent.append(message)

    async def never(*_: Any) -> None:
        raise AssertionError("it was let through")

    guard = guard_module.Guard(never, [HOST], TOKEN, "c")
    headers = [(b"host", HOST.encode()), (b"authorization", f"Bearer {TOKEN}".encode())]
    scope = {"type": "http", "method": "POST", "path": "/api/position", "headers": headers}
    asyncio.run(guard(scope, receive, send))
    assert sent[0]["status"] == 408


class Busy:
    """An application that is at work on each request until it may end."""

    def __init__(self) -> None:
        self.may = asyncio.Event()
        self.came: list[str] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.came.append(scope["path"])
        await self.may.wait()


def test_few_large_bodies_are_read_at_a_time() -> None:
    read: list[str] = []

    async def ask(guard: Any, path: str, more: tuple[bytes, bytes]) -> None:
        async def receive() -> Any:
            read.append(path)
            return {"type": "http.request", "body": b"{}", "more_body": False}

        async def send(message: Any) -> None:
            raise AssertionError(message)

        proof = (b"authorization", f"Bearer {TOKEN}".encode())
        headers = [(b"host", HOST.encode()), proof, more]
        scope = {"type": "http", "method": "POST", "path": path, "headers": headers}
        await guard(scope, receive, send)

    async def attack() -> None:
        busy = Busy()
        guard = guard_module.Guard(busy, [HOST], TOKEN, "c")
        known = (b"content-length", str(SMALL_BODY + 1).encode())
        unknown = (b"transfer-encoding", b"chunked")
        tasks = [asyncio.create_task(ask(guard, "large", known)) for _ in range(5)]
        tasks += [asyncio.create_task(ask(guard, "large", unknown)) for _ in range(5)]
        tasks += [asyncio.create_task(ask(guard, "small", (b"content-length", b"2")))]
        while "small" not in busy.came:
            await asyncio.sleep(0)
        assert read.count("large") == busy.came.count("large") == MOST_LARGE
        busy.may.set()
        await asyncio.gather(*tasks)
        assert read.count("large") == 10

    asyncio.run(attack())


def test_requests_that_only_read_have_no_large_body(page: Client) -> None:
    assert code(page, "/api/hello", content=b"x" * (SMALL_BODY + 1)) == 413
    assert code(page, "/api/hello", content=iter([b"x"])) == 413


def test_files_are_only_those_that_were_opened(page: Client, tmp_path: Path) -> None:
    secret = tmp_path / "secret.andorra"
    secret.write_bytes(b"andorra certificate 1\n")
    for name in (str(secret), secret.name, f"../../..{secret}"):
        assert code(page, f"/api/certificates/{name}/file") in (404, 405)
