"""Simple undirected graphs as text: graph6, or a list of edges.

graph6 (McKay) is n + 63 as one character, where n is the number of vertices, then a bit for each
pair of vertices, (0,1), (0,2), (1,2), (0,3), ..., 1 if there is an edge: six bits a character, the
first one the highest, plus 63; zeros fill up the last character. So all characters are `?` to `~`.
The header `>>graph6<<` may go before it.

A list of edges has vertex numbers and commas: `0-1,1-2,4`. A number alone names a vertex that may
have no edge. The vertices are 0 to the largest number in the list.

>>> read_graph("0-1,1-2,2-0"), read_graph(">>graph6<<Bw"), read_graph("1")
('Bw', 'Bw', 'A?')
>>> neighbours("Bw")
((1, 2), (0, 2), (0, 1))
>>> read_graph("Bww")
Traceback (most recent call last):
andorra.errors.PositionError: graph6 of 3 vertices has 2 characters, not 3
  Bww
    ^
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import combinations

from andorra.errors import PositionError
from andorra.rulebook.reading import NUMBER, quoted

HEADER = ">>graph6<<"
MOST_VERTICES = 62
"""As many as graph6 counts with one character."""

ITEM = re.compile(rf"({NUMBER.pattern})(?:-({NUMBER.pattern}))?")

Edge = tuple[int, int]
"""Two vertices, the smaller one first."""


def read_graph(text: str) -> str:
    """The graph that `text` describes, in graph6 without a header."""
    if text[:1].isdigit():
        return _read_edges(text)
    graph6 = text.removeprefix(HEADER)
    _check_graph6(graph6)
    return graph6


@lru_cache(maxsize=64)
def neighbours(graph6: str) -> tuple[tuple[int, ...], ...]:
    """For each vertex, those that an edge leads to, in increasing order."""
    bits = "".join(f"{ord(character) - 63:06b}" for character in graph6[1:])
    near: list[list[int]] = [[] for _ in range(_vertices(graph6))]
    for (low, high), bit in zip(_pairs(len(near)), bits, strict=False):
        if bit == "1":
            near[low].append(high)
            near[high].append(low)
    return tuple(tuple(sorted(vertices)) for vertices in near)


def _pairs(vertices: int) -> list[Edge]:
    """All pairs of vertices in the order of graph6."""
    return sorted(combinations(range(vertices), 2), key=lambda pair: (pair[1], pair[0]))


def _vertices(graph6: str) -> int:
    return ord(graph6[0]) - 63


def _check_graph6(text: str) -> None:
    for place, character in enumerate(text):
        if not "?" <= character <= "~":
            raise PositionError.at(text, place, "graph6 has characters from '?' to '~' only")
    if not text:
        raise PositionError.at(text, 0, "expected a graph: graph6, or edges such as 0-1,1-2")
    if not 1 <= _vertices(text) <= MOST_VERTICES:
        raise PositionError.at(text, 0, f"expected graph6 of 1 to {MOST_VERTICES} vertices")
    _check_length(text)


def _check_length(text: str) -> None:
    pairs = len(_pairs(_vertices(text)))
    length = 1 + (pairs + 5) // 6
    if len(text) != length:
        what = f"graph6 of {_vertices(text)} vertices has {length} characters, not {len(text)}"
        raise PositionError.at(text, min(length, len(text)), what)
    unused = 6 * (length - 1) - pairs
    if (ord(text[-1]) - 63) % (1 << unused) and length > 1:
        raise PositionError.at(
            text, length - 1, f"the last {unused} bits of this graph6 are no edges: expected zeros"
        )


def _read_edges(text: str) -> str:
    edges: set[Edge] = set()
    largest = place = 0
    for item in text.split(","):
        low, high = _read_item(text, place, item)
        if low < high and (low, high) in edges:
            raise PositionError.at(text, place, f"the edge {quoted(item)} is there twice")
        if "-" in item:
            edges.add((low, high))
        largest = max(largest, high)
        place += len(item) + 1
    return _write(largest + 1, edges)


def _read_item(text: str, place: int, item: str) -> Edge:
    """The edge in `item`; twice the vertex if it names only one."""
    match = ITEM.fullmatch(item)
    if match is None:
        raise PositionError.at(text, place, "expected an edge such as 0-1, or a vertex")
    ends = sorted(int(end) for end in match.groups() if end is not None)
    if ends[-1] >= MOST_VERTICES:
        raise PositionError.at(text, place, f"expected vertices from 0 to {MOST_VERTICES - 1}")
    if len(ends) == 2 and ends[0] == ends[1]:
        raise PositionError.at(text, place, f"{quoted(item)} joins a vertex to itself")
    return ends[0], ends[-1]


def _write(vertices: int, edges: set[Edge]) -> str:
    bits = "".join("1" if pair in edges else "0" for pair in _pairs(vertices))
    bits += "0" * (-len(bits) % 6)
    groups = [bits[start : start + 6] for start in range(0, len(bits), 6)]
    return chr(vertices + 63) + "".join(chr(int(group, 2) + 63) for group in groups)
