"""dots: Dots and Boxes; draw an edge; who closes a box owns it and moves again.

Parameters `WxH`, by default `2x2`: W columns and H rows of boxes, with at most 60 edges together
(5x5 has 60). The game ends when all edges are drawn; who has more boxes wins, and the score is the
first player's boxes less the second's.

A position is the rows of edges from the top, horizontal ones (`-` or `.`) and vertical ones (`|` or
`.`) in turn, then how many boxes x and o have, then the side to move. An edge, and so a move, is
named by its column and its row in this text: `a1`, `b1`, ..., `a2`, ...; moves come in this order.

>>> from andorra.rulebook import make
>>> game = make("dots:2x1")
>>> game.format(game.initial())
'../.../.. 0 0 x'
>>> state = game.parse("--/|.|/-. 0 0 o")
>>> [game.format_move(state, move) for move in game.moves(state)]
['b2', 'b3']
>>> state = game.play(state, game.parse_move(state, "b2"))
>>> print(game.draw(state))
1 +--+--+
2 |  |  |
3 +--+  +
x 0, o 1; o to move
>>> game.scores(state), game.outcome(state)
((-2, 0), None)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from andorra.errors import PositionError
from andorra.rulebook.base import FIRST, SECOND, Game, Outcome, Side
from andorra.rulebook.boards import STONES, caption, column_name, put
from andorra.rulebook.reading import bad_parameters, numbers, refuse_data

MOST_EDGES = 60
EXPECTED = f"WxH, for example 3x2: W columns and H rows of boxes with at most {MOST_EDGES} edges"


class DotsState(NamedTuple):
    """The rows of edges, the boxes that each side owns, and who moves."""

    edges: str
    boxes: tuple[int, int]
    side: Side


class Dots(Game[DotsState, int]):
    """A move is the place of the edge in the text."""

    name = "dots"
    acyclic = True
    players = STONES[0], STONES[1]

    def __init__(self, parameters: str = "", data: str | None = None) -> None:
        refuse_data(self.name, data)
        sizes = numbers(parameters or "2x2", "x")
        if len(sizes) != 2 or min(sizes) < 1 or _edges(*sizes) > MOST_EDGES:
            raise bad_parameters(self.name, parameters, EXPECTED)
        self._width, self._height = sizes
        self.parameters = f"{self._width}x{self._height}"
        self.can_draw = self._width * self._height % 2 == 0
        across, down = "." * self._width, "." * (self._width + 1)
        self._empty = "/".join([across, *[down, across] * self._height])
        self._boxes = [
            self._edges_of(row, column)
            for row in range(self._height)
            for column in range(self._width)
        ]

    def _edges_of(self, row: int, column: int) -> tuple[int, int, int, int]:
        """Where the four edges of a box are in the text: top, left, right and bottom."""
        two_rows = self._width + 1 + self._width + 2
        top = row * two_rows + column
        left = row * two_rows + self._width + 1 + column
        return top, left, left + 1, top + two_rows

    def initial(self) -> DotsState:
        """No edge is drawn."""
        return DotsState(self._empty, (0, 0), FIRST)

    def to_move(self, state: DotsState) -> Side:
        """Who did not move last, or who has just closed a box."""
        return state.side

    def moves(self, state: DotsState) -> Sequence[int]:
        """The edges that are not drawn, row by row."""
        return [place for place, mark in enumerate(state.edges) if mark == "."]

    def play(self, state: DotsState, move: int) -> DotsState:
        """Draw the edge; whoever closes boxes by it moves again."""
        row = state.edges[:move].count("/")
        edges = put(state.edges, move, "|" if row % 2 else "-")
        closed = self._closed(edges) - self._closed(state.edges)
        first, second = state.boxes
        if closed == 0:
            return DotsState(edges, state.boxes, SECOND if state.side == FIRST else FIRST)
        boxes = (first + closed, second) if state.side == FIRST else (first, second + closed)
        return DotsState(edges, boxes, state.side)

    def _closed(self, edges: str) -> int:
        return sum(all(edges[place] != "." for place in box) for box in self._boxes)

    def outcome(self, state: DotsState) -> Outcome | None:
        """Who has more boxes, once all edges are drawn."""
        if "." in state.edges:
            return None
        first, second = state.boxes
        return "draw" if first == second else "first" if first > second else "second"

    def scores(self, state: DotsState) -> tuple[int, int]:
        """The lead of the first player, if the other one or if it gets all boxes that are open."""
        first, second = state.boxes
        still_open = len(self._boxes) - first - second
        return first - second - still_open, first - second + still_open

    def format(self, state: DotsState) -> str:
        """Edges, boxes and side."""
        first, second = state.boxes
        return f"{state.edges} {first} {second} {STONES[state.side]}"

    def parse(self, text: str) -> DotsState:
        """The position `text`, if its boxes are as many as are closed."""
        edges, *rest = text.split(" ")
        self._check_edges(text, edges)
        boxes = numbers(" ".join(rest[:2]), " ")
        place = len(edges) + 1
        if len(rest) != 3 or len(boxes) != 2:
            raise PositionError.at(text, place, "expected the boxes of x, those of o and the side")
        if sum(boxes) != self._closed(edges):
            expected = f"expected the boxes of x and of o, together {self._closed(edges)}"
            raise PositionError.at(text, place, expected)
        if rest[2] not in tuple(STONES):
            raise PositionError.at(text, len(text) - len(rest[2]), "expected the side, 'x' or 'o'")
        return DotsState(edges, (boxes[0], boxes[1]), FIRST if rest[2] == STONES[0] else SECOND)

    def _check_edges(self, text: str, edges: str) -> None:
        size = f"for {self._width} columns and {self._height} rows of boxes"
        row = 0
        for place, (found, wanted) in enumerate(zip(edges, self._empty, strict=False)):
            allowed = "/" if wanted == "/" else "|." if row % 2 else "-."
            row += wanted == "/"
            if found not in allowed:
                expected = " or ".join(repr(mark) for mark in allowed)
                raise PositionError.at(text, place, f"expected {expected} here, {size}")
        if len(edges) != len(self._empty):
            place = min(len(edges), len(self._empty))
            raise PositionError.at(text, place, f"expected {len(self._empty)} characters {size}")

    def format_move(self, state: DotsState, move: int) -> str:
        """The edge's column and row in the text."""
        above, _, before = f"/{state.edges[:move]}".rpartition("/")
        return f"{column_name(len(before))}{above.count('/') + 1}"

    def draw(self, state: DotsState) -> str:
        """Dots as plus signs, with the rows' numbers, and who owns how many boxes."""
        rows = state.edges.replace(".", " ").split("/")
        margin = len(str(len(rows)))
        lines = []
        for row, marks in enumerate(rows):
            across = "+" + "".join(f"{mark * 2}+" for mark in marks)
            lines.append(f"{row + 1:>{margin}} {'  '.join(marks) if row % 2 else across}")
        first, second = state.boxes
        lines.append(f"x {first}, o {second}; {caption(state.side, self.outcome(state))}")
        return "\n".join(line.rstrip() for line in lines)


def _edges(width: int, height: int) -> int:
    return width * (height + 1) + height * (width + 1)
