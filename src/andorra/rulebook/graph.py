"""graph: an explicit AND/OR graph, read from a text.

A line a node; `#` starts a comment; blank lines are skipped. `or` nodes are the first player's,
`and` nodes the second's; ends are `win`, `loss` or `draw` for the first player (`proven` is `win`,
`disproven` is `loss`), or `score N`, which is a win above 0, a loss below and a draw at 0; `win`
scores 1, `loss` -1 and `draw` 0. A line `root NAME` before any node says where the game starts;
without it the first node does. Cycles and shared nodes are fine, and a side may move twice.

Names are up to 64 characters other than white space, `:` and `#`. White space but spaces, tabs and
line ends (LF or CR LF) is rejected wherever it is: other readers might split names or lines there.
A position is the name of a node, and a move the name of the successor it leads to, in the file's
order. At an end the side to move, which does not matter there, is the first.

Lines `guess NAME PN DN`, `cost FROM TO PN DN` and `alike FROM TO TO ...` are hints: they steer the
order of a search (see `graph_hints`), and neither the rules nor certificates contain them.

>>> from andorra.rulebook import make
>>> game = make("graph", data='''
... A: or B C         # the first player moves
... B: and D E        # the second player moves
... C: and A D
... D: win
... E: disproven
... ''')
>>> game.format(game.initial()), list(game.moves("A")), game.outcome("E")
('A', ['B', 'C'], 'second')
>>> game.acyclic, game.can_draw
(False, True)
>>> print(game.data(), end="")
root A
A: or B C
B: and D E
C: and A D
D: win
E: loss
>>> make("graph", data="A: or A B")
Traceback (most recent call last):
andorra.errors.PositionError: line 1: node 'B' is not defined
  A: or A B
          ^
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from typing import NamedTuple

from andorra.errors import PositionError
from andorra.memory import note, require
from andorra.rulebook.base import FIRST, SECOND, Game, Outcome, Side
from andorra.rulebook.graph_hints import TOKEN, HintLine, HintReader
from andorra.rulebook.reading import WHOLE_NUMBER, bad_parameters, quoted, text_bytes

LONGEST_NAME = 64
MOST_SUCCESSORS = 65_535

SIDES: dict[str, Side] = {"or": FIRST, "and": SECOND}
ENDS: dict[str, Outcome] = {
    "win": "first",
    "loss": "second",
    "draw": "draw",
    "proven": "first",
    "disproven": "second",
}
SCORE = "score"
SCORES: dict[Outcome, int] = {"first": 1, "second": -1, "draw": 0}
WORDS: dict[int, str] = {1: "win", -1: "loss", 0: "draw"}

_KEPT_OF_A_LINE = 150
"""Bytes, at most, that a line takes in lists of lines, besides its characters."""
_TAKEN_OF_A_CHARACTER = 40
"""Bytes, about, that a graph takes for each character of its text."""
_TAKEN_OF_A_TOKEN = 250
"""Bytes, at most, that a name takes while its line is read."""
_LONG_LINE = 1 << 12

STRANGE_SPACE = re.compile(r"[^\S \t]")


class Node(NamedTuple):
    """One node: whose it is and where it leads, or how the game ended there."""

    side: Side
    successors: tuple[str, ...]
    end: Outcome | None
    score: int = 0
    """Of an end; its sign is that of the outcome."""


class Graph(Game[str, str]):
    """An explicit graph. The state is the name of a node, a move the name of its successor."""

    name = "graph"
    players = ("or", "and")

    def __init__(
        self, parameters: str = "", data: str | None = None, file: str | None = None
    ) -> None:
        """Read `data`; errors in it name `file`, if that is where it comes from."""
        if parameters:
            raise bad_parameters(self.name, parameters, "none: its rules are a text")
        if data is None:
            raise PositionError("graph takes its rules as data: the text of a graph file")
        reader = GraphReader(data, file)
        self._root = reader.root
        self._nodes = reader.nodes
        self.hints = reader.hints
        self.acyclic = _is_acyclic(self._nodes)
        has_draw = any(node.end == "draw" for node in self._nodes.values())
        self.can_draw = has_draw or not self.acyclic
        scores = [node.score for node in self._nodes.values() if node.end is not None] or [0]
        self._scores = (min(scores), max(scores))

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Graph:
        """The graph in a UTF-8 file."""
        try:
            text = text_bytes(path).decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise PositionError(f"{os.fspath(path)!r} is not UTF-8 text: {error}") from None
        return cls(data=text, file=os.fspath(path))

    def initial(self) -> str:
        """The root."""
        return self._root

    def to_move(self, state: str) -> Side:
        """The first player at `or` nodes and at ends, the second at `and` nodes."""
        return self._nodes[state].side

    def moves(self, state: str) -> Sequence[str]:
        """The successors."""
        return self._nodes[state].successors

    def play(self, state: str, move: str) -> str:
        """The successor itself."""
        return move

    def outcome(self, state: str) -> Outcome | None:
        """What the graph says of the node."""
        return self._nodes[state].end

    def scores(self, state: str) -> tuple[int, int]:
        """An end's own score; elsewhere the least and the most of all ends of the graph."""
        node = self._nodes[state]
        return self._scores if node.end is None else (node.score, node.score)

    def format(self, state: str) -> str:
        """The node's name."""
        return state

    def parse(self, text: str) -> str:
        """The node named `text`."""
        if text not in self._nodes:
            raise PositionError(f"the graph has no node {quoted(text)}")
        return text

    def draw(self, state: str) -> str:
        """The node's line."""
        node = self._nodes[state]
        if node.end is not None:
            return f"{state}: {WORDS.get(node.score, f'{SCORE} {node.score}')}"
        return " ".join([f"{state}: {'or' if node.side == FIRST else 'and'}", *node.successors])

    def data(self) -> str:
        """The canonical text of the whole graph; every line ends in a line feed."""
        lines = [f"root {self._root}", *map(self.draw, self._nodes)]
        return "".join(f"{line}\n" for line in lines)

    def hinted_data(self) -> str:
        """The same, and the hints behind it."""
        return self.data() + self.hints.text()


class GraphReader:
    """Reads the text of a graph; errors name the line, as compilers do if it is in a file."""

    def __init__(self, text: str, file: str | None = None) -> None:
        _check_encodable(text)
        require(sys.getsizeof(text) + _KEPT_OF_A_LINE * text.count("\n"))
        self._file = file
        self.nodes: dict[str, Node] = {}
        self._declared: str | None = None
        self._lines = [line.removesuffix("\r") for line in text.split("\n")]
        self._named_at: dict[str, tuple[int, int]] = {}
        self._number = 0
        self._hint_reader = HintReader()
        self._read_lines()
        self._check_complete()
        self.hints = self._hint_reader.link({name: n.successors for name, n in self.nodes.items()})
        self.root = self._declared if self._declared is not None else next(iter(self.nodes))

    def _read_lines(self) -> None:
        for line in self._lines:
            self._number += 1
            _expect(line)
            if strange := STRANGE_SPACE.search(line):
                raise self._error(strange, "expected no white space but spaces, tabs and line ends")
            if tokens := list(TOKEN.finditer(line.partition("#")[0])):
                self._read_line(tokens)

    def _read_line(self, tokens: list[re.Match[str]]) -> None:
        words = [token.group() for token in tokens]
        if ":" in words:
            self._read_node(tokens, words)
        elif words[0] == "root" and len(words) == 2:
            self._read_root(tokens[1])
        elif not self._hint_reader.read(HintLine(self._line(), self._place(), tokens)):
            raise self._error(tokens[0], "expected 'root NAME', 'NAME: ...' or a hint")

    def _read_root(self, token: re.Match[str]) -> None:
        if self._declared is not None:
            raise self._error(token, "the root is named twice")
        if self.nodes:
            raise self._error(token, "expected the root before any node")
        self._declared = self._name(token)

    def _read_node(self, tokens: list[re.Match[str]], words: list[str]) -> None:
        if words[0] == ":" or words[1] != ":":
            raise self._error(tokens[0], "expected one name before the colon")
        if ":" in words[2:]:
            raise self._error(tokens[words.index(":", 2)], "expected one colon in a line")
        if len(words) == 2:
            raise self._error(tokens[1], f"expected {_choices()} after the colon")
        name = tokens[0].group()
        if name in self.nodes:
            raise self._error(tokens[0], f"node {quoted(name)} is defined twice")
        self.nodes[self._name(tokens[0], used=False)] = self._node(tokens[2], tokens[3:])

    def _node(self, kind: re.Match[str], others: list[re.Match[str]]) -> Node:
        word = kind.group()
        if word == SCORE:
            return self._scored(kind, others)
        if word in ENDS and others:
            raise self._error(others[0], f"expected nothing after {word!r}")
        if word in ENDS:
            return Node(FIRST, (), ENDS[word], SCORES[ENDS[word]])
        if word not in SIDES:
            raise self._error(kind, f"expected {_choices()}")
        return Node(SIDES[word], self._successors(kind, others), None)

    def _scored(self, kind: re.Match[str], others: list[re.Match[str]]) -> Node:
        if not others or not WHOLE_NUMBER.fullmatch(others[0].group()):
            expected = "expected a score, a whole number of at most 9 digits"
            raise self._error(others[0] if others else kind, expected)
        if len(others) > 1:
            raise self._error(others[1], "expected nothing after the score")
        score = int(others[0].group())
        return Node(FIRST, (), "first" if score > 0 else "second" if score < 0 else "draw", score)

    def _successors(self, kind: re.Match[str], others: list[re.Match[str]]) -> tuple[str, ...]:
        if not others:
            raise self._error(kind, "expected at least one successor; an end is win, loss or draw")
        if len(others) > MOST_SUCCESSORS:
            raise self._error(kind, f"{len(others)} successors; at most {MOST_SUCCESSORS} are read")
        names: dict[str, None] = {}
        for token in others:
            if token.group() in names:
                raise self._error(token, f"successor {quoted(token.group())} is named twice")
            names[self._name(token)] = None
        return tuple(names)

    def _name(self, token: re.Match[str], used: bool = True) -> str:
        name = token.group()
        if len(name) > LONGEST_NAME:
            raise self._error(token, f"a name of {len(name)} characters; at most {LONGEST_NAME}")
        if used:
            self._named_at.setdefault(name, (self._number, token.start()))
        return name

    def _check_complete(self) -> None:
        if not self.nodes:
            where = "the graph" if self._file is None else f"the graph in {self._file!r}"
            raise PositionError(f"{where} has no nodes; expected a line a node, such as 'A: or B'")
        for name, (number, place) in self._named_at.items():
            if name not in self.nodes:
                self._number = number
                what = f"{self._place()}: node {quoted(name)} is not defined"
                raise PositionError.at(self._line(), place, what)

    def _error(self, token: re.Match[str], what: str) -> PositionError:
        return PositionError.at(self._line(), token.start(), f"{self._place()}: {what}")

    def _place(self) -> str:
        """The current line's number, after the file's name if there is one."""
        return f"line {self._number}" if self._file is None else f"{self._file}:{self._number}"

    def _line(self) -> str:
        return self._lines[self._number - 1]


def _expect(line: str) -> None:
    """See to it that there is memory for what the line is taken apart into."""
    note(_TAKEN_OF_A_CHARACTER * len(line))
    if len(line) > _LONG_LINE:
        tokens = line.count(" ") + line.count("\t") + 2 * line.count(":")
        require(_TAKEN_OF_A_TOKEN * tokens)


def _choices() -> str:
    return ", ".join(repr(word) for word in (*SIDES, *ENDS, f"{SCORE} N"))


def _check_encodable(text: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise PositionError.at(text, error.start, "expected text that UTF-8 can hold") from None


def _is_acyclic(nodes: dict[str, Node]) -> bool:
    """Kahn 1962: take away nodes that nothing leads to; on a cycle there are none."""
    entering = dict.fromkeys(nodes, 0)
    for node in nodes.values():
        for successor in node.successors:
            entering[successor] += 1
    free = [name for name, count in entering.items() if count == 0]
    taken = 0
    while free:
        taken += 1
        for successor in nodes[free.pop()].successors:
            entering[successor] -= 1
            if entering[successor] == 0:
                free.append(successor)
    return taken == len(nodes)
