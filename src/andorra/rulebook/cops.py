"""cops: cops chase a robber on a graph; can they catch it?

Parameter `K`, the number of cops, 1 to 4, by default 1. The cops are the first player, the robber
is the second. First the cops choose a vertex each, then the robber chooses one; then the cops move
all at once and the robber moves, in turn, where to move is to stay or to go along an edge. The cops
win when the robber stands where a cop does, whoever went there. The robber has no win of its own:
it escapes by play without end, which is no win for the cops. So the question is by default
`win:first`, whether the cops can catch the robber; the value is `win` if they can, and otherwise
`draw`, because play without end is a win for nobody.

A position starts with the graph, simple and undirected, of at most 62 vertices (33 with 4 cops, so
that no position has more than 65,535 moves): graph6, or a list of edges such as `0-1,1-2,2-0`, in
which a number alone names a vertex that may have no edge. The vertices are numbered from 0. Fields
follow after single spaces, cops in any order, and two may share a vertex:

    GRAPH             nobody is placed; the cops choose
    GRAPH 0,3 -       the cops are at 0 and 3; the robber chooses
    GRAPH 0,3 5 c     the robber is at 5; the cops move (`r`: the robber moves)

So a file of graph6 lines is a file of positions. graph6 needs quotes in a shell; single ones will
always do. The game starts with the Petersen graph and nobody placed. Canonical text has graph6
without its header `>>graph6<<`, and the cops sorted.

A move of the cops is their new vertices, sorted: `0,3`. As cops are alike, what leads to the same
vertices is one move. Moves are ordered as lists of numbers are. A move of the robber is its new
vertex, in increasing order.

>>> from andorra.rulebook import make
>>> game = make("cops:2")
>>> state = game.parse("0-1,1-2,2-3,3-0 2,0 1 c")
>>> game.format(state)
'Cl 0,2 1 c'
>>> [game.format_move(state, move) for move in game.moves(state)]
['0,1', '0,2', '0,3', '1,1', '1,2', '1,3', '2,3', '3,3']
>>> game.outcome(game.play(state, game.parse_move(state, "1,3")))
'first'
>>> print(game.draw(state))
0 cop: 1 3
1 robber: 0 2
2 cop: 1 3
3: 0 2
the cops are to move
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement, permutations, product
from operator import contains
from typing import NamedTuple

from andorra.errors import PositionError
from andorra.rulebook.base import FIRST, SECOND, Game, Outcome, Side
from andorra.rulebook.graph6 import neighbours, read_graph
from andorra.rulebook.reading import bad_parameters, numbers, quoted, refuse_data

MOST_VERTICES = {1: 62, 2: 62, 3: 62, 4: 33}
"""By the number of cops: what graph6 counts with one character, and at most 65,535 moves."""
PETERSEN = "0-1,1-2,2-3,3-4,4-0,0-5,1-6,2-7,3-8,4-9,5-7,7-9,9-6,6-8,8-5"

SIDES: dict[str, Side] = {"c": FIRST, "r": SECOND}
SHOWN_MOVES = 9
"""How many legal moves the error for an illegal one names."""
EXPECTED = "GRAPH, 'GRAPH COPS -' or 'GRAPH COPS ROBBER c', or r if the robber moves"

Places = tuple[int, ...]
"""Vertices in increasing order: of all cops, or the robber's one."""


class CopsState(NamedTuple):
    """A graph in graph6, where everybody stands (no cops, None: not yet placed), and who moves."""

    graph: str
    cops: Places
    robber: int | None
    side: Side


class Cops(Game[CopsState, Places]):
    """Cops (first) against a robber (second). A move is the places that its side goes to."""

    name = "cops"
    players = ("cops", "robber")
    question = "win:first"
    acyclic = False
    can_draw = True  # by play without end

    def __init__(self, parameters: str = "", data: str | None = None) -> None:
        refuse_data(self.name, data)
        sizes = numbers(parameters or "1", ",")
        if len(sizes) != 1 or sizes[0] not in MOST_VERTICES:
            raise bad_parameters(self.name, parameters, "the number of cops, from 1 to 4")
        self._count = sizes[0]
        self.parameters = str(self._count)

    def initial(self) -> CopsState:
        """The Petersen graph, nobody placed."""
        return CopsState(read_graph(PETERSEN), (), None, FIRST)

    def to_move(self, state: CopsState) -> Side:
        """The side that is part of the position."""
        return state.side

    def moves(self, state: CopsState) -> Sequence[Places]:
        """Where the cops, or the robber, can go."""
        if self.outcome(state):
            return []
        goals = self._goals(state)
        if state.side == FIRST and not state.cops:  # all alike, so there is a faster way
            return list(combinations_with_replacement(goals[0], self._count))
        return sorted({tuple(sorted(places)) for places in product(*goals)})

    def _goals(self, state: CopsState) -> list[Sequence[int]]:
        """For each piece of the side to move, the vertices that it can go to or stay on."""
        near = neighbours(state.graph)
        robbers = () if state.robber is None else (state.robber,)
        pieces, count = (state.cops, self._count) if state.side == FIRST else (robbers, 1)
        if not pieces:
            return [range(len(near))] * count
        return [(piece, *near[piece]) for piece in pieces]

    def play(self, state: CopsState, move: Places) -> CopsState:
        """The position in which the side to move stands at its new places."""
        if state.side == FIRST:
            return state._replace(cops=move, side=SECOND)
        return state._replace(robber=move[0], side=FIRST)

    def outcome(self, state: CopsState) -> Outcome | None:
        """The cops' win where one of them stands on the robber's vertex."""
        return "first" if state.robber in state.cops else None

    def format(self, state: CopsState) -> str:
        """The graph, and as many fields as there are places chosen."""
        if not state.cops:
            return state.graph
        cops = ",".join(map(str, state.cops))
        if state.robber is None:
            return f"{state.graph} {cops} -"
        return f"{state.graph} {cops} {state.robber} {'cr'[state.side]}"

    def parse(self, text: str) -> CopsState:
        """The position `text`, if its graph can be read and its vertices are in it."""
        graph_text, *fields = text.split(" ")
        graph = read_graph(graph_text)
        size = len(neighbours(graph))
        self._check_size(text, size)
        match fields:
            case []:
                return CopsState(graph, (), None, FIRST)
            case [cops, "-"]:
                return CopsState(graph, self._read_cops(text, cops, size), None, SECOND)
            case [cops, robber, ("c" | "r") as side]:
                places = self._read_cops(text, cops, size)
                return CopsState(graph, places, _read_robber(text, robber, size), SIDES[side])
        raise PositionError(f"cannot read {quoted(text)}; expected {EXPECTED}")

    def _check_size(self, text: str, size: int) -> None:
        most = MOST_VERTICES[self._count]
        if size > most:
            what = f"a graph of {size} vertices; with {self._count} cops, at most {most}"
            raise PositionError.at(text, 0, what)

    def _read_cops(self, text: str, field: str, size: int) -> Places:
        places = tuple(sorted(numbers(field, ",")))
        if len(places) != self._count or places[-1] >= size:
            cops = f"{self._count} cop{'s' * (self._count > 1)}, not {quoted(field)}"
            expected = f"vertices from 0 to {size - 1} of {cops}"
            raise PositionError(f"expected {expected}, in {quoted(text)}")
        return places

    def format_move(self, state: CopsState, move: Places) -> str:
        """The new places, separated by commas."""
        return ",".join(map(str, move))

    def parse_move(self, state: CopsState, text: str) -> Places:
        """The legal move `text`, found without listing all the others."""
        move = tuple(numbers(text, ","))
        if self.outcome(state) is None and _can_go(move, self._goals(state)):
            return move
        moves = self.moves(state)
        legal = [self.format_move(state, each) for each in moves[:SHOWN_MOVES]]
        more = ["..."] if len(moves) > SHOWN_MOVES else []
        listed = " ".join(legal + more) or "none, the game is over"
        raise PositionError(
            f"{quoted(text)} is no legal move in {quoted(self.format(state))}; expected the new "
            f"places of the {self.players[state.side]}, sorted; legal: {listed}"
        )

    def draw(self, state: CopsState) -> str:
        """A line a vertex: who is there, and where edges lead; then who moves."""
        near = neighbours(state.graph)
        return "\n".join([*(_line(state, vertex) for vertex in range(len(near))), _caption(state)])


def _read_robber(text: str, field: str, size: int) -> int:
    places = numbers(field, ",")
    if len(places) != 1 or places[0] >= size:
        raise PositionError(
            f"expected the robber's vertex, from 0 to {size - 1}, or '-', not {quoted(field)}, "
            f"in {quoted(text)}"
        )
    return places[0]


def _can_go(move: Places, goals: list[Sequence[int]]) -> bool:
    """Whether the pieces can share out the places of `move` among them."""
    if len(move) != len(goals) or list(move) != sorted(move):
        return False
    return any(all(map(contains, goals, share)) for share in permutations(move))


def _line(state: CopsState, vertex: int) -> str:
    here = ["cop"] * state.cops.count(vertex) + ["robber"] * (state.robber == vertex)
    named = " ".join([str(vertex), *here])
    return " ".join([f"{named}:", *map(str, neighbours(state.graph)[vertex])])


def _caption(state: CopsState) -> str:
    if state.robber in state.cops:
        return "the robber is caught"
    if state.side == FIRST:
        return f"the cops are to {'move' if state.cops else 'choose their vertices'}"
    return f"the robber is to {'choose its vertex' if state.robber is None else 'move'}"
