"""Hints in graph files: lines that steer the order of a search and are no part of the rules.

`guess NAME PN DN` says what proof and disproof number a node, which is no end, starts with.
`cost FROM TO PN DN` says what a move adds to the numbers of the node that it leads to.
`alike FROM TO TO ...` says that these moves, two or more, most likely end alike.

Numbers are as the first player sees them as the prover; the second sees them swapped. The lines
may be anywhere in the file; a node has one guess, a move one cost and one group at most.

>>> from andorra.rulebook import make
>>> game = make("graph", data='''
... A: or B C D
... B: and D
... C: and A D
... D: win
... guess B 3 1
... alike A B C         # D is on its own
... cost A D 0 2
... ''')
>>> game.hints.guesses, game.hints.costs
({'B': (3, 1)}, {('A', 'D'): (0, 2)})
>>> game.hints.groups
{('A', 'B'): 1, ('A', 'C'): 1}
>>> print(game.hints.text(), end="")
guess B 3 1
cost A D 0 2
alike A B C
>>> make("graph", data='''guess D 1 1
... D: win''')
Traceback (most recent call last):
andorra.errors.PositionError: line 1: 'D' is an end; expected a node that is none
  guess D 1 1
        ^
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from andorra.errors import PositionError
from andorra.memory import require
from andorra.rulebook.reading import NUMBER, quoted

TOKEN = re.compile(r":|[^\s:]+")

LEAST_GUESS = 1
LEAST_COST = 0
MOST = 1_000_000
_EDGE = 160
"""Bytes, about, that an edge takes in the set of all of them."""
"""Guesses and costs are numbers between these."""

Numbers = tuple[int, int]
Edge = tuple[str, str]


@dataclass
class Hints:
    """What the hints of a file say, by node and by move; groups are numbered from 1."""

    guesses: dict[str, Numbers] = field(default_factory=dict)
    costs: dict[Edge, Numbers] = field(default_factory=dict)
    groups: dict[Edge, int] = field(default_factory=dict)

    def text(self) -> str:
        """The same hints as lines, each of which ends in a line feed."""
        lines = [f"guess {name} {pn} {dn}" for name, (pn, dn) in self.guesses.items()]
        lines += [f"cost {a} {b} {pn} {dn}" for (a, b), (pn, dn) in self.costs.items()]
        alike: dict[int, list[str]] = {}
        for (source, target), group in self.groups.items():
            alike.setdefault(group, ["alike", source]).append(target)
        lines += [" ".join(words) for words in alike.values()]
        return "".join(f"{line}\n" for line in lines)


class HintLine(NamedTuple):
    """A line of hints, taken apart."""

    text: str
    place: str
    """Where it stands: `line 3`, or `FILE:3`."""
    tokens: Sequence[re.Match[str]]

    def error(self, column: int, what: str) -> PositionError:
        """The error at a column of this line."""
        return PositionError.at(self.text, column, f"{self.place}: {what}")

    def word(self, index: int) -> str:
        """The word with this index; 0 is the kind of hint."""
        return self.tokens[index].group()


class HintReader:
    """Reads hints: `read` checks a line by itself, `link` what it says of the nodes."""

    def __init__(self) -> None:
        self._lines: list[HintLine] = []
        """Without tokens, which take several times what the line takes: `link` finds them again."""

    def read(self, line: HintLine) -> bool:
        """Whether the line is one of hints."""
        match line.word(0):
            case "guess":
                _check_length(line, 4, "guess NAME PN DN")
                _numbers(line, LEAST_GUESS)
            case "cost":
                _check_length(line, 5, "cost FROM TO PN DN")
                _numbers(line, LEAST_COST)
            case "alike":
                if len(line.tokens) < 4:
                    place = line.tokens[-1].end()
                    raise line.error(place, "expected 'alike FROM TO TO ...', at least two moves")
            case _:
                return False
        self._lines.append(line._replace(tokens=()))
        return True

    def link(self, successors: Mapping[str, Sequence[str]]) -> Hints:
        """The hints for a graph, given the successors of each node; ends have none."""
        hints = Hints()
        if not self._lines:
            return hints
        require(_EDGE * sum(map(len, successors.values())))
        edges = {(source, target) for source, targets in successors.items() for target in targets}
        for kept in self._lines:
            line = kept._replace(tokens=list(TOKEN.finditer(kept.text.partition("#")[0])))
            match line.word(0):
                case "guess":
                    _add_guess(hints, line, successors)
                case "cost":
                    _add_cost(hints, line, _edges(line, 2, successors, edges)[0])
                case _:
                    last = len(line.tokens) - 1
                    _add_group(hints, line, _edges(line, last, successors, edges))
        return hints


def _check_length(line: HintLine, words: int, shape: str) -> None:
    tokens = line.tokens
    if len(tokens) != words:
        place = tokens[-1].end() if len(tokens) < words else tokens[words].start()
        raise line.error(place, f"expected {shape!r}")


def _numbers(line: HintLine, least: int = 0) -> Numbers:
    """The last two words of the line."""
    pn, dn = (_number(line, token, least) for token in line.tokens[-2:])
    return pn, dn


def _number(line: HintLine, token: re.Match[str], least: int) -> int:
    text = token.group()
    if NUMBER.fullmatch(text) is None or not least <= int(text) <= MOST:
        raise line.error(token.start(), f"expected a number from {least} to {MOST}")
    return int(text)


def _name(line: HintLine, index: int, successors: Mapping[str, Sequence[str]]) -> str:
    name = line.word(index)
    if name not in successors:
        raise line.error(line.tokens[index].start(), f"node {quoted(name)} is not defined")
    return name


def _edges(
    line: HintLine, last: int, successors: Mapping[str, Sequence[str]], edges: set[Edge]
) -> list[Edge]:
    """The moves from the node at index 1 to those at 2 up to `last`."""
    source = _name(line, 1, successors)
    found = [(source, _name(line, index, successors)) for index in range(2, last + 1)]
    for index, edge in enumerate(found, 2):
        if edge not in edges:
            what = f"{quoted(edge[1])} is no successor of {quoted(source)}"
            raise line.error(line.tokens[index].start(), what)
    return found


def _add_guess(hints: Hints, line: HintLine, successors: Mapping[str, Sequence[str]]) -> None:
    name = _name(line, 1, successors)
    place = line.tokens[1].start()
    if not successors[name]:
        raise line.error(place, f"{quoted(name)} is an end; expected a node that is none")
    if name in hints.guesses:
        raise line.error(place, f"node {quoted(name)} has a guess already")
    hints.guesses[name] = _numbers(line)


def _add_cost(hints: Hints, line: HintLine, edge: Edge) -> None:
    if edge in hints.costs:
        what = f"the move to {quoted(edge[1])} has a cost already"
        raise line.error(line.tokens[2].start(), what)
    hints.costs[edge] = _numbers(line)


def _add_group(hints: Hints, line: HintLine, edges: list[Edge]) -> None:
    group = 1 + next(reversed(hints.groups.values()), 0)
    for index, edge in enumerate(edges, 2):
        if edge in hints.groups:
            what = f"the move to {quoted(edge[1])} is in a group already"
            raise line.error(line.tokens[index].start(), what)
        hints.groups[edge] = group
