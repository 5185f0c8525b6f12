"""Graphs that pages send: all together within their memory, and others are served meanwhile."""

from __future__ import annotations

import gc
import json
import threading
import tracemalloc
import weakref
from contextlib import ExitStack
from typing import Any

import pytest

from andorra.checker import Rules
from andorra.errors import PositionError
from andorra.rulebook import make
from andorra.viewer.app import Viewer
from andorra.viewer.connections import Limits
from andorra.viewer.forms import RequestError
from andorra.viewer.graphs import MEMORY_OF_A_BYTE, READING_OF_A_BYTE, Graphs
from andorra.viewer.guard import SMALL_BODY
from andorra.viewer.library import Library
from andorra.viewer.subjects import Games
from viewer_kit import until, viewing
from viewer_server_kit import PATIENT, Caller, answer_of, callers, serving


def graph(number: int, characters: int = 1_000) -> str:
    """A graph of so many characters, at least, that is no other's."""
    lines = [f"n{number}: or a", "a: win"]
    return "\n".join([*lines, "#" * (characters - len("\n".join(lines)) - 1)])


CHARGE = MEMORY_OF_A_BYTE * len(graph(10))
READING = READING_OF_A_BYTE * len(graph(10))


class Reader:
    """Reads graphs, and counts."""

    def __init__(self) -> None:
        self.read = 0

    def __call__(self, spec: str, data: str) -> Rules:
        self.read += 1
        return make(spec, data)


# ---- memory ----


def test_a_graph_is_read_once_while_it_is_kept() -> None:
    reader = Reader()
    graphs = Graphs(3 * CHARGE, reader)
    first = graphs.make("graph", graph(10))
    assert graphs.make("graph", graph(10)) is first
    assert reader.read == 1


def test_what_was_asked_for_least_lately_goes() -> None:
    reader = Reader()
    graphs = Graphs(2 * CHARGE + READING, reader)
    for number in (10, 11, 12, 10, 13):  # 11 has to go
        graphs.make("graph", graph(number))
        assert graphs.charged <= graphs.most
    assert reader.read == 4
    for number in (10, 12, 13):
        graphs.make("graph", graph(number))
    assert reader.read == 4
    graphs.make("graph", graph(11))
    assert reader.read == 5


def test_a_graph_that_is_too_large_is_not_even_read() -> None:
    reader = Reader()
    graphs = Graphs(READING - 1, reader)
    with pytest.raises(RequestError, match=r"a graph of 1,000 bytes; expected at most 999"):
        graphs.make("graph", graph(10))
    assert (reader.read, graphs.charged) == (0, 0)


def test_graphs_that_others_hold_count_until_they_let_go() -> None:
    graphs = Graphs(CHARGE + READING)
    held = [graphs.make("graph", graph(number)) for number in (10, 11)]
    assert graphs.charged == 2 * CHARGE
    with pytest.raises(RequestError, match="no memory is left for a graph of 1,000 bytes"):
        graphs.make("graph", graph(12))
    graphs.let_go = lambda: bool(held) and held.pop() is not None
    graphs.make("graph", graph(12))
    assert len(held) == 1 and graphs.charged == 2 * CHARGE


def test_a_graph_that_cannot_be_read_costs_nothing() -> None:
    graphs = Graphs(2 * READING)
    for _ in range(5):
        with pytest.raises(PositionError, match="node 'B' is not defined"):
            graphs.make("graph", "A: or A B")
    assert graphs.charged == 0


def test_while_it_is_read_a_graph_is_charged_for_more() -> None:
    charged: list[int] = []

    def reading(spec: str, data: str) -> Rules:
        charged.append(graphs.charged)
        return make(spec, data)

    graphs = Graphs(CHARGE + READING, reading)
    kept = [graphs.make("graph", graph(number)) for number in (10, 11)]
    assert charged == [READING, CHARGE + READING]
    assert (len(kept), graphs.charged) == (2, 2 * CHARGE)


@pytest.mark.parametrize("line", ["A: or " + "B " * 70_000, "A: " + ":" * 70_000])
def test_a_line_of_too_many_words_is_refused_before_they_are_taken_apart(line: str) -> None:
    reader = Reader()
    with pytest.raises(PositionError, match=r"line 2: 70,00\d words; a node has at most 65,535"):
        Graphs(read=reader).make("graph", f"# one\n{line}")
    assert reader.read == 0
    assert Graphs().make("graph", f"A: win # {'B ' * 70_000}").initial() == "A"


LETTERS = [chr(0x430 + i) for i in range(32)]
ASCII = [chr(0x21 + i) for i in range(76) if chr(0x21 + i) not in ":#"]


def complete(names: list[str]) -> list[str]:
    """Every node leads to every node."""
    return [f"{name}:or {' '.join(names)}" for name in names]


SHAPES = {
    "chain": [f"{i:x}:or {i + 1:x}" for i in range(3_000)] + ["bb8:win"],
    "ends": [f"{i:x}:win" for i in range(3_000)],
    "costs": ["a:win", *(f"b{i}:or a\ncost b{i} a 1 1" for i in range(3_000))],
    "guesses": ["a:win", *(f"b{i}:or a\nguess b{i} 1 1" for i in range(3_000))],
    "alike": [
        *(f"{i}:or {' '.join(LETTERS)}\nalike {i} {' '.join(LETTERS)}" for i in range(200)),
        *(f"{letter}:win" for letter in LETTERS),
    ],
    "all costs": [*complete(ASCII), *(f"cost {a} {b} 1 1" for a in ASCII for b in ASCII)],
    "all alike": [*complete(ASCII), *(f"alike {name} {' '.join(ASCII)}" for name in ASCII)],
}


@pytest.mark.parametrize("lines", SHAPES.values(), ids=SHAPES.keys())
def test_no_graph_takes_more_than_it_is_charged(lines: list[str]) -> None:
    data = "\n".join(lines)
    gc.collect()
    tracemalloc.start()
    try:
        game = make("graph", data)
        taken, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    size = len(data.encode())
    assert game.data() and taken <= MEMORY_OF_A_BYTE * size and most <= READING_OF_A_BYTE * size


def test_20_large_graphs_take_no_more_than_there_is() -> None:
    """Searched with certificates, one after the other, as a page would."""
    graphs = Graphs(3 * CHARGE)
    with viewing(games=Games(graphs=graphs)) as page:
        for number in range(10, 30):
            row = page.solved(game="graph", data=graph(number), certificate=True)
            assert row["verdict"] == "proven"
            assert page.post("position", game="graph", data=graph(number))["moves"] == ["a"]
            assert graphs.charged <= graphs.most
        assert page.post(f"certificates/{row['certificate']}/node")["answer"] == "a"


def test_a_search_that_has_ended_holds_no_graph() -> None:
    graphs = Graphs()
    with viewing(games=Games(graphs=graphs)) as page:
        name = page.post("searches", game="graph", data=graph(10))["id"]
        page.news(name)
        search = page.viewer.searches.get(name)
        assert search is not None
        search.join()
        game = weakref.ref(graphs.make("graph", graph(10)))
        graphs._kept.clear()
        until(lambda: game() is None)
        assert graphs.charged == 0
        assert page.get(f"searches/{name}")["start"]["position"] == "n10"


# ---- others are served meanwhile ----


class Held(Games):
    """Makes no game until it may, and counts how many are at it."""

    def __init__(self) -> None:
        super().__init__()
        self.reading = threading.Event()
        self.may = threading.Event()
        self.at_once = self.most_at_once = 0

    def make(self, spec: str, data: str | None) -> Rules:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        self.reading.set()
        assert self.may.wait(PATIENT)
        self.at_once -= 1
        return super().make(spec, data)


def large_request(caller: Caller, server: Any, number: int) -> None:
    fields = {"game": "graph", "data": graph(number, SMALL_BODY)}
    body = json.dumps(fields)
    caller.say(f"POST /api/position HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n")
    caller.say(f"Authorization: Bearer {server.token}\r\nContent-Length: {len(body)}\r\n")
    caller.say(f"Connection: close\r\n\r\n{body}")


def test_while_large_graphs_are_read_others_are_served() -> None:
    """More large ones than there are threads: they wait without one, and are answered at last."""
    held = Held()
    viewer = Viewer(Library(), held, {})
    with serving(Limits(head_seconds=PATIENT), viewer) as server, ExitStack() as stack:
        stack.callback(held.may.set)
        waiting = callers(server, stack, 45)
        for number, caller in enumerate(waiting):
            large_request(caller, server, number)
        assert held.reading.wait(PATIENT)
        assert b" 200 OK" in answer_of(server)
        held.may.set()
        assert all(b" 200 OK" in caller.hear() for caller in waiting)
        assert held.most_at_once == 1


def test_whoever_sends_too_much_hears_why() -> None:
    with serving() as server, ExitStack() as stack:
        caller = Caller(server, stack)
        caller.say(f"POST /api/position HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n")
        caller.say(f"Authorization: Bearer {server.token}\r\nContent-Length: 6000000\r\n\r\n")
        caller.say("x" * 6_000_000)
        heard = caller.hear()  # to the end
        assert heard.startswith(b"HTTP/1.1 413 ") and b"a body of more than" in heard
