"""What tests of certificates share: a maker and a validity test.

Both are brute force on the reference rules and share nothing with the checkers:

- `make_certificate` solves a small game by the least fixpoint over its reachable positions;
- `valid` builds the graph of all lines and asks of it what docs/certificate.md says, word by word;
- `pack` gives any body, also a wrong one, a file with the right digest.
"""

from __future__ import annotations

import hashlib
import random
import re
import zlib
from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any, cast

from andorra.certificate import Certificate, Entry, Kind, Part, SideName, Value, VerdictName
from andorra.errors import AndorraError
from andorra.rulebook import Game, make

AnyGame = Game[Any, Any]
SIDES: tuple[SideName, SideName] = ("first", "second")
FORK = """
A: or B L
B: and W C D
C: or W
D: or E
E: and F
F: or W
W: win
L: loss
"""
"""A graph with a proof in which the second player's third reply holds out longest."""

# Scores.

NUMBER = "(?:0|-?[1-9][0-9]{0,8})"


def score_of(question: str) -> int | None:
    """The score that a question asks for, if it does."""
    found = re.fullmatch(f"score[<>]=({NUMBER})", question)
    return None if found is None else int(found[1])


def score_decides(game: AnyGame, state: Any, prover: str, score: int) -> bool | None:
    """Whether every score that the rules allow is good enough for the prover, or none is."""
    good = {s >= score if prover == "first" else s <= score for s in game.scores(state)}
    if good == {False}:
        return False
    ends = game.acyclic or game.outcome(state) is not None
    return True if good == {True} and ends else None


# The maker.

Node = tuple[Any, int | None]
"""A state and the plies left."""


class Solution:
    """All positions that can be reached, and how far the prover is from a forced win in each."""

    def __init__(
        self,
        game: AnyGame,
        root: Any,
        prover: SideName,
        within: int | None = None,
        score: int | None = None,
    ) -> None:
        self.game = game
        self.prover = SIDES.index(prover)
        self.root: Node = (root, within)
        self.score = score
        self.after: dict[Node, list[tuple[Any, Node]]] = {}
        self._explore()
        self.level: dict[Node, int] = {}
        """Moves to the win under best play, for proven nodes only."""
        self._solve()

    def _explore(self) -> None:
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            if node not in self.after:
                self.after[node] = list(self._moves(node))
                waiting += [after for _, after in self.after[node]]

    def _moves(self, node: Node) -> Iterator[tuple[Any, Node]]:
        state, plies = node
        if plies != 0 and self._won(state) is None:
            for move in self.game.moves(state):
                yield move, (self.game.play(state, move), None if plies is None else plies - 1)

    def _won(self, state: Any) -> bool | None:
        if self.score is not None:
            return score_decides(self.game, state, SIDES[self.prover], self.score)
        outcome = self.game.outcome(state)
        return None if outcome is None else outcome == SIDES[self.prover]

    def _solve(self) -> None:
        """Breadth first, backwards from the prover's wins."""
        parents: dict[Node, list[Node]] = {node: [] for node in self.after}
        for node, moves in self.after.items():
            for _, after in moves:
                parents[after].append(node)
        still_open = {node: len(moves) for node, moves in self.after.items()}
        won = [node for node in self.after if self._won(node[0])]
        self.level = dict.fromkeys(won, 0)
        waiting = deque(won)
        while waiting:
            proven = waiting.popleft()
            for node in parents[proven]:
                still_open[node] -= 1
                provers = self.game.to_move(node[0]) == self.prover
                if node not in self.level and (provers or still_open[node] == 0):
                    self.level[node] = self.level[proven] + 1
                    waiting.append(node)

    def part(self, question: str, rng: random.Random | None) -> Part:
        """The part with the root's verdict."""
        proven = self.root in self.level
        verdict: VerdictName = "proven" if proven else "disproven"
        holder = self.prover if proven else 1 - self.prover
        entries = self._strategy(holder, self._advance if proven else self._stay, rng)
        return Part(question, SIDES[self.prover], self.root[1], verdict, tuple(entries))

    def _strategy(
        self,
        holder: int,
        options: Callable[[Node], list[tuple[Any, Node]]],
        rng: random.Random | None,
    ) -> Iterator[Entry]:
        """An entry for every node of the holder that its own choices leave reachable."""
        waiting, seen = deque([self.root]), {self.root}
        while waiting:
            node = waiting.popleft()
            chosen = self.after[node]
            if chosen and self.game.to_move(node[0]) == holder:
                chosen = [rng.choice(options(node)) if rng else options(node)[0]]
                text, move = self.game.format(node[0]), self.game.format_move(node[0], chosen[0][0])
                yield Entry("=", text, move, self.level.get(node), node[1])
            fresh = [after for _, after in chosen if after not in seen]
            seen.update(fresh)
            waiting += fresh

    def _advance(self, node: Node) -> list[tuple[Any, Node]]:
        level = self.level
        return [
            (move, after)
            for move, after in self.after[node]
            if after in level and level[after] < level[node]
        ]

    def _stay(self, node: Node) -> list[tuple[Any, Node]]:
        return [(move, after) for move, after in self.after[node] if after not in self.level]


def make_part(
    game: AnyGame, root: Any, question: str = "win", rng: random.Random | None = None
) -> Part:
    """The part that answers the question; with `rng`, any of the right strategies."""
    if (score := score_of(question)) is not None:
        return Solution(game, root, SIDES["<=" in question], score=score).part(question, rng)
    side, bound = re.fullmatch(r"win(?::(\w+))?(?:<=(\d+))?", question).groups()  # type: ignore[union-attr]
    prover = cast(SideName, side or SIDES[game.to_move(root)])
    return Solution(game, root, prover, int(bound) if bound else None).part(question, rng)


def make_certificate(
    game: AnyGame, question: str = "win", root: Any = None, rng: random.Random | None = None
) -> Certificate:
    """The certificate that answers the question, with all the value that it shows."""
    root = game.initial() if root is None else root
    return certificate_of(game, root, [make_part(game, root, question, rng)])


def make_draw(
    game: AnyGame, root: Any = None, rng: random.Random | None = None
) -> Certificate | None:
    """The pair of disproofs of a draw; None if the position is not drawn."""
    root = game.initial() if root is None else root
    parts = [make_part(game, root, f"win:{side}", rng) for side in SIDES]
    if any(part.verdict == "proven" for part in parts):
        return None
    return certificate_of(game, root, parts)


def make_length(
    game: AnyGame, root: Any = None, rng: random.Random | None = None, longest: int = 12
) -> Certificate | None:
    """A win and no win sooner: by how much, chance decides; None if no win is short enough."""
    root = game.initial() if root is None else root
    side = rng.choice(SIDES) if rng else SIDES[game.to_move(root)]
    for plies in range(1, longest + 1):
        win = make_part(game, root, f"win:{side}<={plies}", rng)
        if win.verdict == "proven":
            break
    else:
        return None
    if rng and rng.random() < 0.3:
        win = make_part(game, root, f"win:{side}", rng)
    fewer = rng.randrange(plies) if rng and rng.random() < 0.3 else plies - 1
    sooner = make_part(game, root, f"win:{side}<={fewer}", rng)
    if sooner.verdict == "proven":  # the game is over at the root
        return None
    return certificate_of(game, root, [win, sooner])


def make_score(
    game: AnyGame, root: Any = None, rng: random.Random | None = None
) -> Certificate | None:
    """The best score that a side can force, and a better one; None if it can force none.

    By how much it is better, chance decides.
    """
    root = game.initial() if root is None else root
    side = rng.choice(SIDES) if rng else "first"
    way, sign = (">=", 1) if side == "first" else ("<=", -1)
    least, most = sorted(sign * score for score in game.scores(root))
    forced = [
        make_part(game, root, f"score{way}{sign * score}", rng) for score in range(least, most + 1)
    ]
    proven = [part for part in forced if part.verdict == "proven"]
    if not proven:
        return None
    more = rng.choice([0, 0, 0, 1, 3]) if rng else 0
    better = make_part(game, root, f"score{way}{sign * (least + len(proven) + more)}", rng)
    return certificate_of(game, root, [proven[-1], better])


def certificate_of(game: AnyGame, root: Any, parts: Sequence[Part]) -> Certificate:
    """Parts for one position, put together."""
    values = [value for value in ("win", "draw", "loss") if value_follows(value, parts, game)]
    text = game.format(root)
    value = cast(Value, (values or ["-"])[0])
    return Certificate(game.spec(), game.data(), text, value, tuple(parts))


# The validity test.


def holder_of(part: Part) -> int:
    """Whose strategy the part holds."""
    return SIDES.index(part.prover) ^ (part.verdict == "disproven")


def dominates(game: AnyGame, part: Part, position: str, entry: str) -> bool:
    """Whether a position with equal board is at least as good for the holder as the entry's."""
    here, there = game.parse(position), game.parse(entry)
    sign = 1 if holder_of(part) == 0 else -1
    gains = zip(game.resources(here), game.resources(there), strict=True)
    return game.board(here) == game.board(there) and all(sign * (a - b) >= 0 for a, b in gains)


class InvalidError(Exception):
    """A line goes where the certificate does not hold."""


class Lines:
    """The graph of all lines of a part.

    Its nodes are ("at", position, plies left, rank of the entry before) and ("by", entry's number).
    """

    def __init__(self, game: AnyGame, part: Part, root: str) -> None:
        self.game, self.part = game, part
        self.after: dict[tuple[Hashable, ...], list[tuple[Any, ...]]] = {}
        waiting: list[tuple[Any, ...]] = [("at", root, part.within, None)]
        while waiting:
            node = waiting.pop()
            if node not in self.after:
                self.after[node] = self._by(node) if node[0] == "by" else self._at(*node[1:])
                waiting += self.after[node]

    def _at(self, text: str, plies: int | None, rank: int | None) -> list[tuple[Any, ...]]:
        state = self.game.parse(text)
        won = self._won(state, plies)
        if won is not None:
            if won != (self.part.verdict == "proven"):
                raise InvalidError(f"wrong end at {text}")
            return []
        if self.game.to_move(state) == holder_of(self.part):
            return [("by", self._serving(text, plies, rank))]
        return [self._played(text, move, plies, rank) for move in self._texts(text)]

    def _won(self, state: Any, plies: int | None) -> bool | None:
        score, outcome = score_of(self.part.question), self.game.outcome(state)
        if score is not None:
            return score_decides(self.game, state, self.part.prover, score)
        return outcome == self.part.prover if outcome is not None or plies == 0 else None

    def _by(self, node: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        entry = self.part.entries[node[1]]
        self._demand_legal(entry.position, entry.move)
        return [self._played(entry.position, entry.move, entry.plies, entry.rank)]

    def _texts(self, text: str) -> list[str]:
        state = self.game.parse(text)
        return [self.game.format_move(state, move) for move in self.game.moves(state)]

    def _demand_legal(self, text: str, move: str) -> None:
        if move not in self._texts(text):
            raise InvalidError(f"{move} at {text}")

    def _played(self, text: str, move: str, plies: int | None, rank: int | None) -> tuple[Any, ...]:
        state = self.game.parse(text)
        moves = dict(zip(self._texts(text), self.game.moves(state), strict=True))
        after = self.game.format(self.game.play(state, moves[move]))
        return ("at", after, None if plies is None else plies - 1, rank)

    def _serving(self, text: str, plies: int | None, rank: int | None) -> int:
        rivals = [(i, entry) for i, entry in enumerate(self.part.entries) if entry.plies == plies]
        exact = [(i, entry) for i, entry in rivals if entry.position == text]
        covers = [(i, e) for i, e in rivals if e.kind == "~" and self._covers(e, text)]
        if not exact and not covers:
            raise InvalidError(f"nothing serves {text}")
        i, entry = min(exact or covers, key=lambda rival: self._precedence(rival[1]))
        if rank is not None and cast(int, entry.rank) >= rank:
            raise InvalidError(f"the rank does not fall at {text}")
        self._demand_legal(text, entry.move)
        return i

    def _precedence(self, entry: Entry) -> tuple[Any, ...]:
        return (entry.rank or 0, *self.game.resources(self.game.parse(entry.position)))

    def _covers(self, entry: Entry, text: str) -> bool:
        return dominates(self.game, self.part, text, entry.position)


def part_is_valid(game: AnyGame, part: Part, root: str, ends: bool = False) -> bool:
    """Whether the part shows its verdict and holds nothing else; `ends`: all its lines must end."""
    if any(game.format(game.parse(entry.position)) != entry.position for entry in part.entries):
        return False
    if any(n > 1 for n in Counter((e.position, e.plies) for e in part.entries).values()):
        return False
    try:
        after = Lines(game, part, root).after
        if ends or part.verdict == "proven":
            TopologicalSorter(after).prepare()
    except (InvalidError, CycleError):
        return False
    return all(("by", number) in after for number in range(len(part.entries)))


def question_fits(part: Part, to_move: SideName) -> bool:
    """Whether prover and bound repeat the question."""
    if score_of(part.question) is not None:
        way = ">=" if part.prover == "first" else "<="
        return part.question.startswith(f"score{way}") and part.within is None
    bound = "" if part.within is None else f"<={part.within}"
    spellings = {f"win:{part.prover}{bound}"} | (
        {f"win{bound}"} if part.prover == to_move else set()
    )
    return part.question in spellings


def value_follows(value: str, parts: Sequence[Part], game: AnyGame) -> bool:
    """Whether the parts show the value."""
    if any(score_of(part.question) is not None for part in parts):
        return value == "-"
    shown = {(part.prover, part.verdict) for part in parts if part.within is None}
    shown |= {(part.prover, "proven") for part in parts if part.verdict == "proven"}
    decided = game.acyclic and not game.can_draw
    one = decided and len(parts) == 1
    reasons = {
        "win": ("first", "proven") in shown or (one and ("second", "disproven") in shown),
        "loss": ("second", "proven") in shown or (one and ("first", "disproven") in shown),
        "draw": shown == {("first", "disproven"), ("second", "disproven")},
        "-": True,
    }
    return reasons[value]


def valid(certificate: Certificate, game: AnyGame | None = None) -> bool:
    """Whether every checker must accept the certificate: nothing but the definitions."""
    try:
        rules = game or make(certificate.game, certificate.data)
        root = rules.parse(certificate.position)
        texts = (rules.spec(), rules.data(), rules.format(root))
        if texts != (certificate.game, certificate.data, certificate.position):
            return False
        return _claims_are_valid(certificate, rules, SIDES[rules.to_move(root)])
    except AndorraError:
        return False


def _claims_are_valid(certificate: Certificate, game: AnyGame, to_move: SideName) -> bool:
    parts = certificate.parts
    ends = len(parts) == 1 and certificate.value in ("win", "loss")
    return (
        (len(parts) == 1 or (len(parts) == 2 and _fit_together(*parts)))
        and value_follows(certificate.value, parts, game)
        and all(question_fits(part, to_move) for part in parts)
        and all(part_is_valid(game, part, certificate.position, ends) for part in parts)
    )


def _fit_together(one: Part, two: Part) -> bool:
    scores = score_of(one.question), score_of(two.question)
    if scores == (None, None):
        return _is_draw(one, two) or _is_length(one, two)
    if None in scores or one.prover != two.prover:
        return False
    low, high = cast(tuple[int, int], scores if one.prover == "first" else scores[::-1])
    return low < high and (one.verdict, two.verdict) == ("proven", "disproven")


def _is_draw(first: Part, second: Part) -> bool:
    claims = (first.prover, first.verdict, second.prover, second.verdict)
    return claims == ("first", "disproven", "second", "disproven")


def _is_length(win: Part, sooner: Part) -> bool:
    if win.prover != sooner.prover or sooner.within is None:
        return False
    fewer = win.within is None or sooner.within < win.within
    return fewer and (win.verdict, sooner.verdict) == ("proven", "disproven")


def body_is_valid(body: bytes, game: AnyGame | None = None) -> bool:
    """Whether a body is in the grammar, and its certificate valid."""
    try:
        certificate = parse_body(body)
    except (ValueError, AssertionError):
        return False
    return valid(certificate, game)


# Bodies and files, by simpler means than the package has.

COUNT = "(?:0|[1-9][0-9]{0,17})"


def body_of(certificate: Certificate) -> str:
    """The body's text, whatever the certificate says."""
    lines = [f"game {certificate.game}"]
    if certificate.data is not None:
        lines += [f"data {certificate.data.count(chr(10))}", *certificate.data.split("\n")[:-1]]
    lines += [f"position {certificate.position}", f"value {certificate.value}"]
    lines += [f"parts {len(certificate.parts)}"]
    for part in certificate.parts:
        lines += [f"question {part.question}", f"prover {part.prover}"]
        lines += [f"within {_dash(part.within)}", f"verdict {part.verdict}"]
        lines += [f"entries {len(part.entries)}", *map(line_of, part.entries)]
    return "\n".join([*lines, "end", ""])


def line_of(entry: Entry) -> str:
    """An entry's line, without the line feed."""
    plies = "" if entry.plies is None else f"\t{entry.plies}"
    return f"{entry.kind}\t{entry.position}\t{entry.move}\t{_dash(entry.rank)}{plies}"


def _dash(number: int | None) -> str:
    return "-" if number is None else str(number)


def pack(body: bytes | str) -> bytes:
    """The file with this body, and the digest that belongs to it."""
    text = body.encode() if isinstance(body, str) else body
    content = b"andorra certificate 1\n" + zlib.compress(text)
    return content + b"\nsha256 " + hashlib.sha256(content).hexdigest().encode() + b"\n"


def parse_body(body: bytes) -> Certificate:
    """What a body says; `ValueError` or `AssertionError` if it is not in the grammar."""
    lines = body.decode().split("\n")[::-1]
    assert lines[0] == "" and len(lines) > 1
    take = iter(lambda: lines.pop() if len(lines) > 1 else "\n", None)
    data = None
    game = _after("game ", next(take), ".+")
    line = next(take)
    if line.startswith("data "):
        size = int(_after("data ", line, COUNT))
        assert size < len(lines)
        data = "".join(f"{next(take)}\n" for _ in range(size))
        line = next(take)
    position = _after("position ", line, ".*")
    value = cast(Value, _after("value ", next(take), "win|draw|loss|-"))
    count = int(_after("parts ", next(take), "1|2"))
    parts = tuple(_parse_part(take, len(lines)) for _ in range(count))
    assert next(take) == "end" and len(lines) == 1
    return Certificate(game, data, position, value, parts)


def _after(name: str, line: str, grammar: str) -> str:
    assert line.startswith(name) and re.fullmatch(grammar, line[len(name) :])
    return line[len(name) :]


def _parse_part(take: Iterator[str], most: int) -> Part:
    grammar = f"win(:first|:second)?(<={COUNT})?|score[<>]={NUMBER}"
    question = _after("question ", next(take), grammar)
    prover = cast(SideName, _after("prover ", next(take), "first|second"))
    within = _after("within ", next(take), f"-|{COUNT}")
    verdict = cast(VerdictName, _after("verdict ", next(take), "proven|disproven"))
    count = int(_after("entries ", next(take), COUNT))
    assert count < most
    entries = tuple(_parse_entry(next(take), verdict, within) for _ in range(count))
    return Part(question, prover, None if within == "-" else int(within), verdict, entries)


def _parse_entry(line: str, verdict: str, within: str) -> Entry:
    kind, position, move, rank, *plies = line.split("\t")
    assert kind in "=~" and len(kind) == 1
    assert len(plies) == (within != "-") and all(re.fullmatch(COUNT, p) for p in plies)
    assert re.fullmatch("[1-9][0-9]{0,17}", rank) if verdict == "proven" else rank == "-"
    numbers = (None if rank == "-" else int(rank), int(plies[0]) if plies else None)
    return Entry(cast(Kind, kind), position, move, *numbers)
