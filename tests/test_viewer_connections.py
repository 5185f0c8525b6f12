"""Connections that have not shown the token keep nobody out, whatever they say and do not say."""

from __future__ import annotations

from contextlib import ExitStack

import h11
import pytest

from andorra.viewer.connections import LONGEST_HEAD, MOST_LINES, Connection, Limits, Lobby
from andorra.viewer.server import Server
from viewer_kit import until
from viewer_server_kit import PATIENT, Caller, answer_of, callers, serving

PATIENCE = Limits(head_seconds=PATIENT)
"""No head is ever late, so whatever ends a connection is no clock."""
OPENINGS = {
    "silence": "",
    "half a head": "GET / HTTP/1.1\r\nHost: ",
    "half a body": "POST /api/position HTTP/1.1\r\nHost: x\r\nContent-Length: 4000000\r\n\r\n{",
    "a web socket": "GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n",
}


def test_300_that_were_refused_and_trickle_keep_nobody_out() -> None:
    with serving(PATIENCE) as server, ExitStack() as stack:
        attackers = [refused(Caller(server, stack)) for _ in range(300)]
        for attacker in attackers:
            attacker.say("1")
        assert b" 200 OK" in answer_of(server)


def refused(attacker: Caller) -> Caller:
    """After its first request, and in the middle of the next."""
    attacker.ask(token=False)
    assert attacker.status() == 401
    attacker.say("GET / HTTP/1.1\r\nHost: ")
    return attacker


@pytest.mark.parametrize("opening", OPENINGS.values(), ids=OPENINGS.keys())
def test_300_that_never_finish_keep_nobody_out(opening: str) -> None:
    with serving(PATIENCE) as server, ExitStack() as stack:
        for attacker in callers(server, stack, 300):
            attacker.say(opening)
        assert b" 200 OK" in answer_of(server)
        assert len(server.lobby.strangers) <= PATIENCE.strangers


@pytest.mark.parametrize("rest", ["", "GET / HTTP/1.1\r\nHost: ", "x" * 1000])
def test_a_refusal_ends_the_connection(rest: str) -> None:
    with serving(PATIENCE) as server, ExitStack() as stack:
        caller = Caller(server, stack)
        caller.ask(token=False)
        caller.say(rest)
        heard = caller.hear()  # to the end
        assert heard.startswith(b"HTTP/1.1 401 ") and b"\r\nconnection: close\r\n" in heard
        until(lambda: not server.lobby.strangers and not server.lobby.guests)


def test_the_first_head_must_come_in_time() -> None:
    with serving(Limits(head_seconds=0.01)) as server, ExitStack() as stack:
        for opening in ("", "GET / HTTP/1.1\r\nHost: "):
            caller = Caller(server, stack)
            caller.say(opening)
            assert caller.hear() == b""
        until(lambda: not server.lobby.strangers)


def test_every_later_head_must_come_in_time_too() -> None:
    with serving(PATIENCE) as server, ExitStack() as stack:
        caller = Caller(server, stack)
        caller.ask("/api/nothing")
        assert caller.status() == 404
        server.lobby.limits = Limits(head_seconds=0.01)  # from the next answer on
        caller.ask("/api/searches/x", more="")
        caller.say("GET / HTTP/1.1\r\nHost: ")
        assert caller.hear().endswith(b'"there is no such search"}')  # to the end
        until(lambda: not server.lobby.guests)


@pytest.fixture
def sizes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Of all pieces that are taken apart."""
    found: list[int] = []
    read = h11.Connection.receive_data

    def counting(this: h11.Connection, data: bytes) -> None:
        found.append(len(data))
        read(this, data)

    monkeypatch.setattr(h11.Connection, "receive_data", counting)
    return found


LONG_HEADS = {
    "16,200 headers": "a:\r\n" * 16_200 + "\r\n",
    "16,200 headers without an end": "a:\r\n" * 16_200,
    "a line too many": "a:\r\n" * (MOST_LINES - 2) + "\r\n",
    "short line ends": "a:\n" * MOST_LINES + "\n",
    "a long cookie": f"Cookie: {'a=b;' * (LONGEST_HEAD // 4)}\r\n\r\n",
    "a long line without an end": "x" * LONGEST_HEAD,
}


@pytest.mark.parametrize("lines", LONG_HEADS.values(), ids=LONG_HEADS.keys())
def test_a_strangers_long_head_is_not_taken_apart(lines: str, sizes: list[int]) -> None:
    with serving(PATIENCE) as server, ExitStack() as stack:
        attacker = Caller(server, stack)
        attacker.say(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n{lines}")
        attacker.hear()  # to the end
        until(lambda: not server.lobby.strangers)
        assert sizes == []


def test_a_long_head_is_told_what_was_expected() -> None:
    with serving(PATIENCE) as server, ExitStack() as stack:
        caller = Caller(server, stack)
        caller.say("GET / HTTP/1.1\n" + "a:\n" * MOST_LINES)
        heard = caller.hear()  # to the end
        assert heard.startswith(b"HTTP/1.1 400 ")
        assert heard.endswith(b"expected at most 16384 bytes in at most 100 lines")


def test_a_head_within_its_limits_may_come_in_pieces(sizes: list[int]) -> None:
    """The lines of a body that comes with it are none of the head's."""
    with serving(PATIENCE) as server, ExitStack() as stack:
        caller = Caller(server, stack)
        head = f"POST /api/position HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        head += f"Authorization: Bearer {server.token}\r\nConnection: close\r\n"
        head += "Content-Length: 202\r\n" + "a:\r\n" * (MOST_LINES - 6)
        caller.say(head)
        until(lambda: held(server) == [head])
        caller.say("\r")
        until(lambda: held(server) == [f"{head}\r"])
        assert sizes == []
        caller.say("\n" + "\n" * 200 + "{}")
        assert b"the field 'game' is missing" in caller.hear()
        assert sizes[0] == len(head) + 2


def held(server: Server) -> list[str]:
    """What strangers have said so far."""
    found = list(server.lobby.strangers)
    return [each._held.decode() for each in found if isinstance(each, Connection)]


def test_bytes_that_begin_no_request_are_refused_at_once() -> None:
    with serving(PATIENCE) as server, ExitStack() as stack:
        caller = Caller(server, stack)
        caller.say("\x16\x03\x01")  # as TLS begins
        assert caller.hear().startswith(b"HTTP/1.1 400 ")


def test_behind_a_strangers_head_nothing_is_taken_apart(sizes: list[int]) -> None:
    """Each of these pieces would cost more to read than to send."""
    with serving(PATIENCE) as server, ExitStack() as stack:
        attacker, guest = callers(server, stack, 2)
        attacker.ask(token=False, more="Transfer-Encoding: chunked\r\n")
        attacker.say("1\r\nx\r\n" * 20_000)
        attacker.hear()  # to the end
        assert sum(sizes) <= 2_000
        body = "1\r\n{\r\n" + "1\r\n \r\n" * 20_000 + "1\r\n}\r\n0\r\n\r\n"
        head = f"POST /api/position HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        head += f"Authorization: Bearer {server.token}\r\nTransfer-Encoding: chunked\r\n"
        guest.say(f"{head}Connection: close\r\n\r\n{body}")
        assert b"the field 'game' is missing" in guest.hear()


def test_who_was_let_in_is_not_put_out_by_strangers() -> None:
    with serving(PATIENCE) as server, ExitStack() as stack:
        guest = Caller(server, stack)
        guest.ask("/api/nothing")
        assert guest.status() == 404
        for attacker in callers(server, stack, 300):
            attacker.ask(token=False)
        guest.ask("/api/searches/x")
        assert b" 404 " in guest.hear(b"no such search")


def test_an_idle_page_makes_place_and_a_busy_one_does_not() -> None:
    limits = Limits(guests=2, head_seconds=PATIENT)
    with serving(limits) as server, ExitStack() as stack:
        idle, busy = callers(server, stack, 2)
        for caller in (idle, busy):
            caller.ask("/api/nothing")
            assert caller.status() == 404
        busy.say(f"POST /api/position HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n")
        busy.say(f"Authorization: Bearer {server.token}\r\nContent-Length: 2\r\n\r\n{{")
        until(lambda: not list(server.lobby.guests)[1].is_idle())
        other = Caller(server, stack)
        other.say(f"POST /api/position HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n")
        other.say(f"Authorization: Bearer {server.token}\r\nContent-Length: 2\r\n\r\n{{")
        idle.hear()  # to the end: it had to go
        until(lambda: [each.is_idle() for each in list(server.lobby.guests)] == [False, False])
        late = Caller(server, stack)
        late.ask()
        assert b" 503 " in late.hear() and len(server.lobby.guests) == 2


class Somebody:
    """A connection that only knows whether it was ended."""

    def __init__(self, idle: bool = True) -> None:
        self.idle, self.ended = idle, False

    def is_idle(self) -> bool:
        return self.idle

    def abort(self) -> None:
        self.ended = True


def test_the_stranger_who_came_first_has_to_go() -> None:
    lobby = Lobby(Limits(strangers=2))
    came = [Somebody() for _ in range(4)]
    for each in came:
        lobby.enter(each)
    assert [each.ended for each in came] == [True, True, False, False]
    assert lobby.let_in(came[2]) and list(lobby.strangers) == [came[3]]
    lobby.leave(came[2])
    lobby.leave(came[3])
    assert not lobby.strangers and not lobby.guests
