"""Where forgers work: graphs and small boards of which the whole truth is known.

Idea: a ground holds every position that play can reach from a few starts, as numbers, with the
moves between them; and for each goal, by retrograde analysis, in how many plies a side can force
it. So the truth of every claim about any of its positions is a look into a list. The starts are
relatives of each other where the game has resources: a little more or less of something.

Source: docs/certificate.md for what a claim means. Invariant: nothing of the solver, the checkers
or the tests' other oracles takes part; only the reference rules do.
"""

from __future__ import annotations

import random
import unicodedata
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

from andorra.certificate import Entry, Part, VerdictName
from andorra.rulebook import make
from certificates import SIDES, AnyGame
from random_graphs import KINDS, random_graph, with_scores

LARGEST = 420
"""Positions of a ground."""
DRAW = "draw"


class TooLargeError(Exception):
    """There are more positions than anybody wants to know all about."""


class Ask(NamedTuple):
    """What can be asked: whose success, within how many plies, and by what score."""

    prover: int
    within: int | None = None
    score: int | None = None

    @property
    def question(self) -> str:
        """In the grammar's words."""
        if self.score is not None:
            return f"score{('>=', '<=')[self.prover]}{self.score}"
        return f"win:{SIDES[self.prover]}" + ("" if self.within is None else f"<={self.within}")


@dataclass(frozen=True)
class Claim:
    """A question about a position, and the verdict that somebody claims."""

    root: int
    ask: Ask
    verdict: VerdictName

    @property
    def proven(self) -> bool:
        """Whether success is claimed."""
        return self.verdict == "proven"

    @property
    def holder(self) -> int:
        """Whose strategy a certificate of the claim holds."""
        return self.ask.prover if self.proven else 1 - self.ask.prover

    def part(self, entries: Iterable[Entry]) -> Part:
        """The claim with a strategy."""
        asked = (self.ask.question, SIDES[self.ask.prover], self.ask.within)
        return Part(*asked, self.verdict, tuple(entries))


class Ground:
    """A game, all positions that can be reached from the starts, and the truth about them."""

    def __init__(self, kind: str, game: AnyGame, starts: Iterable[Any], most: int = LARGEST):
        """Explore; the first start is number 0."""
        self.kind, self.game = kind, game
        self.states: list[Any] = list(dict.fromkeys(starts))
        self.number: dict[Any, int] = {state: i for i, state in enumerate(self.states)}
        self.moves: list[list[tuple[str, int]]] = []
        while len(self.moves) < len(self.states):
            self.moves.append(list(self._explored(self.states[len(self.moves)])))
            if len(self.states) > most:
                raise TooLargeError(kind)
        self.texts = [game.format(state) for state in self.states]
        self.sides = [game.to_move(state) for state in self.states]
        self.outcomes = [game.outcome(state) for state in self.states]
        self.scores = [game.scores(state) for state in self.states]
        self.boards = [game.board(state) for state in self.states]
        self.resources = [game.resources(state) for state in self.states]
        self.by_text = {text: i for i, text in enumerate(self.texts)}
        self._levels: dict[tuple[int, int | None], list[int | None]] = {}
        self._alike: dict[int, list[int]] = {}
        self._before: list[list[int]] = [[] for _ in self.states]
        for i, moves in enumerate(self.moves):
            for _, after in moves:
                self._before[after].append(i)

    def _explored(self, state: Any) -> Iterator[tuple[str, int]]:
        if self.game.outcome(state) is None:
            for move in self.game.moves(state):
                after = self.game.play(state, move)
                if self.number.setdefault(after, len(self.states)) == len(self.states):
                    self.states.append(after)
                yield self.game.format_move(state, move), self.number[after]

    def __len__(self) -> int:
        return len(self.states)

    def is_true(self, claim: Claim) -> bool:
        """Whether things are as claimed."""
        level = self.levels(claim.ask.prover, claim.ask.score)[claim.root]
        within = claim.ask.within
        holds = level is not None and (within is None or level <= within)
        return holds == claim.proven

    def value(self, root: int) -> str:
        """The value of a position for the first player."""
        first, second = (self.levels(prover, None)[root] is not None for prover in (0, 1))
        return "win" if first else "loss" if second else DRAW

    def levels(self, prover: int, score: int | None) -> list[int | None]:
        """By positions: in how many plies the prover can force it, at the latest."""
        key = (prover, score)
        if key not in self._levels:
            self._levels[key] = self._solved(prover, score)
        return self._levels[key]

    def _is_success(self, i: int, prover: int, score: int | None) -> bool:
        if self.outcomes[i] is None:
            return False
        if score is None:
            return self.outcomes[i] == SIDES[prover]
        return self.scores[i][0] >= score if prover == 0 else self.scores[i][0] <= score

    def _solved(self, prover: int, score: int | None) -> list[int | None]:
        """Breadth first, backwards: a side takes its first way, the other its last."""
        levels: list[int | None] = [None] * len(self)
        still_open = [len(moves) for moves in self.moves]
        waiting = deque(i for i in range(len(self)) if self._is_success(i, prover, score))
        for i in waiting:
            levels[i] = 0
        while waiting:
            after = waiting.popleft()
            for i in self._before[after]:
                still_open[i] -= 1
                if levels[i] is None and (self.sides[i] == prover or still_open[i] == 0):
                    levels[i] = (levels[after] or 0) + 1
                    waiting.append(i)
        return levels

    def cousins(self, i: int) -> list[int]:
        """Other positions with the same board: only the resources differ."""
        if not self.resources[i]:
            return []
        return [j for j in range(len(self)) if j != i and self.boards[j] == self.boards[i]]

    def alike(self, i: int) -> list[int]:
        """Other positions whose text is nearly the same, the nearest first."""
        if i not in self._alike:
            others = [j for j in range(len(self)) if j != i and not self.outcomes[j]]
            self._alike[i] = sorted(others, key=lambda j: (self._distance(i, j), j))[:12]
        return self._alike[i]

    def _distance(self, i: int, j: int) -> int:
        one, two = self.texts[i], self.texts[j]
        return sum(a != b for a, b in zip(one, two, strict=False)) + 9 * abs(len(one) - len(two))


def ground_of(kind: str, spec: str, text: str, data: str | None = None) -> Ground:
    """The ground around a position."""
    game = make(spec, data)
    return Ground(kind, game, [game.parse(text)])


# The kinds of grounds.


def graph(rng: random.Random) -> Ground:
    """A random graph of any kind, mostly with cycles, now and then with scores."""
    kind = rng.choice([*KINDS, "digraph", "back_edges", "corridor", "graph_history"])
    text = ""
    while not 4 < text.count("\n") <= 45:
        text = random_graph(rng.randrange(1 << 30), kind).text
    if rng.random() < 0.4:
        text = with_scores(text, rng.randrange(1 << 30), rng.choice([1, 4]))
    return _graph_ground("graph", text)


SPELLINGS = ("{}", "{}'", "{}\u200b", "{}\u0301", "{}\ufeff", "{}\0", "{}" * 64, "{}" * 63)
LETTERS = ("a", "A", "\uff41", "\u0430", "\u00e1", "\u1d43", "\U0001d44e")
"""All look like an a, or are one to a reader who means well."""


def plain(name: str) -> str:
    """What a reader who means well takes a name for."""
    letters = unicodedata.normalize("NFKD", name.replace("\u0430", "a")).casefold()
    return "".join(letter for letter in letters if letter.isalnum())[:8]


def runs(rng: random.Random) -> Ground:
    """A graph with cycles in which one side moves several times in succession."""
    return _dense(rng, "runs", [f"n{i}" for i in range(rng.randint(5, 25))])


def twins(rng: random.Random) -> Ground:
    """The same with names that look alike."""
    names = [spelling.format(*[letter] * 64) for spelling in SPELLINGS for letter in LETTERS]
    return _dense(rng, "twins", rng.sample(names, rng.randint(5, 20)))


def _dense(rng: random.Random, kind: str, names: list[str]) -> Ground:
    often = rng.choice([0.35, 0.65])
    ends = rng.choice([["win"], ["loss"], ["win", "loss"], ["score 3", "score 5"], ["win", "draw"]])
    lines = []
    for name in names:
        out = rng.sample(names, rng.randint(1, 3))
        words = [("or", "and")[rng.random() < often], *out]
        is_end = name != names[0] and rng.random() < 0.2
        lines.append(f"{name}: {rng.choice(ends) if is_end else ' '.join(words)}")
    return _graph_ground(kind, "\n".join(lines))


def _graph_ground(kind: str, text: str) -> Ground:
    game = make("graph", make("graph", text).data())
    return Ground(kind, game, [game.initial()])


def toll(rng: random.Random) -> Ground:
    """All positions with a little more or less of something."""
    gates = rng.choice([1, 2, 2, 3])
    game = make(f"toll:{gates}")
    held = [rng.randint(0, 2) for _ in range(3)]
    some = [
        sorted(range(low, low + rng.choice([2, 3])), key=lambda _: rng.random()) for low in held
    ]
    starts = ["0 - {} {} {} k".format(*amounts) for amounts in product(*some)]
    return Ground("toll", game, map(game.parse, starts), 1_000)


BOARDS: tuple[tuple[str, int], ...] = (
    ("mnk:3,3,3", 4),
    ("mnk:3,2,2", 1),
    ("connect4:4x4", 10),
    ("hex:3", 4),
    ("breakthrough:3x3x1", 1),
    ("breakthrough:4x2x1", 1),
    ("dots:2x2", 7),
    ("dots:2x1", 2),
    ("rolit:4x4,2,1", 8),
    ("rolit:3x3,3,2", 2),
    ("cops:1", 0),
    ("cops:2", 0),
)
"""Games, and how many moves are made before the ground starts."""


def board(rng: random.Random) -> Ground:
    """A late position of a small board game."""
    spec, plies = rng.choice(BOARDS)
    game = make(spec)
    state = game.parse(_few_vertices(rng)) if game.name == "cops" else game.initial()
    for _ in range(plies):
        if game.outcome(state) is None:
            state = game.play(state, rng.choice(game.moves(state)))
    return Ground(game.name, game, [state])


def _few_vertices(rng: random.Random) -> str:
    count = rng.randint(3, 5)
    ring = [f"{i}-{(i + 1) % count}" for i in range(count - rng.choice([0, 0, 1]))]
    return ",".join(ring)


PROBLEMS: tuple[str, ...] = (
    "k8/np7/9 b RPp",
    "8k/7pp/9 b Rs",
    "8k/7pp/9 b RP",
    "k8/lp7/9 b RS",
    "k8/pl7/9 b RP",
    "k8/nl7/9 b Rp",
    "k8/lnP6/9 b R",
    "k8/nlL6/9 b R",
    "k8/pn7/9 b Rs",
    "8k/8p/7SS b Ps",
    "7nk/9/7SS b Rp",
    "8k/8n/7GS b Pp",
    "7nk/7n1/6LGS b GPs",
    "6nG1/6p1k/6llp b Pp",
    "6nG1/6p1k/6llp b 2P2p",
    "3+B2lk1/6p2/6lpp b Pp",
    "5l3/5p2k/5lppp b Np",
    "6lG1/6n1k/6ppp b P",
    "5nk2/5p2S/5lllp b -",
    "3S1p2G/5n1k1/5lpll b -",
)
"""The upper three ranks and the hands.

In the first ones a piece more in hand decides; in the last ones checks go round in circles."""


def tsume(rng: random.Random) -> Ground:
    """A small problem of shogi, and the same with a piece in other hands."""
    game = make(rng.choice(["tsume", "tsume", "tsume:muda"]))
    ranks, side, hands = rng.choice(PROBLEMS).split()
    state = game.parse(f"{ranks}/9/9/9/9/9/9 {side} {hands} 1")
    return Ground("tsume", game, [state, *_other_hands(state)])


def _other_hands(state: Any) -> Iterator[Any]:
    """A piece goes from one hand to the other."""
    hands = state.position.hands
    for place, other in ((i, (i + 7) % 14) for i in range(14)):
        if hands[place]:
            moved = bytearray(hands)
            moved[place] -= 1
            moved[other] += 1
            yield state._replace(position=state.position._replace(hands=bytes(moved)))


GROUNDS: Sequence[Callable[[random.Random], Ground]] = (
    *[graph] * 4,
    *[runs] * 4,
    twins,
    twins,
    *[toll] * 4,
    *[board] * 4,
    tsume,
    tsume,
)


@lru_cache(maxsize=4)
def random_ground(seed: int) -> Ground:
    """The ground of a seed."""
    rng = random.Random(f"ground {seed}")
    while True:
        try:
            ground: Ground = GROUNDS[seed % len(GROUNDS)](rng)
        except TooLargeError:
            continue
        if len(ground) > 3:
            return ground
