"""The trusted checker: does a certificate show what it claims?

Idea: follow every line of play that the strategy in the file allows, on the reference rules, each
position once. In a proof, a rank that falls from entry to entry keeps lines from running for ever;
in a disproof, a set of positions that no line leaves is enough. Source: docs/certificate.md.
Of a user's rules no promise is believed that can be checked or done without; what a result still
rests on, it names (`Verified.relative_to`).

Invariant: `check` returns only if every part holds and every entry serves it. Anything else, a
failure of the rules included, raises `CertificateError` with the reason and the line of play where
it breaks. This file imports the rules, the format and nothing of the solver, and never loads code
because a file names it. Nothing here recurses: lines may have any length.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, NoReturn, cast

from andorra import rulebook
from andorra.certificate import (
    Certificate,
    Part,
    SideName,
    Value,
    VerdictName,
    parse_question,
    read,
)
from andorra.claims import Ends, check_claim
from andorra.errors import (
    AndorraError,
    CertificateError,
    RuleError,
    TooLargeError,
    UnknownGameError,
)
from andorra.memory import limited, note, require
from andorra.places import Misruling, Places, State, exact_text
from andorra.referee import Referee, Scores, check_within
from andorra.rulebook.base import FIRST, SECOND, SIDE_NAMES, Game, Outcome, has_score

Rules = Game[Any, Any]
Node = Hashable
"""A place in the lines: the number of an entry, or (position's name, plies left) where the other
side is to move."""
Step = tuple[Node, Any]
"""Where a line came from, and the move it made there."""
Top = tuple[int, int]
"""The highest rank met next on the lines from a position, and the number of the entry there."""

_HERE = object()
"""Stands for a move where a line ends at the node itself."""
_START: Step = (None, _HERE)
_ENDS_ONLY: Top = (0, -1)
_LONGEST_SHOWN = 400
_LONGEST_MESSAGE = 20_000
_POSITION = 1024
"""Bytes, about, that a position takes with all that is noted of it."""
_READ_OF_A_CHARACTER = 400
"""Bytes, at most, that reading a position takes for each character of its text."""
_LONG_TEXT = 1 << 12


@dataclass(frozen=True, slots=True)
class VerifiedPart:
    """A question whose verdict was verified."""

    question: str
    prover: SideName
    verdict: VerdictName
    within: int | None
    entries: int

    @property
    def score(self) -> int | None:
        """The score asked for: at least, or at most if the second player proves."""
        return parse_question(self.question).score


@dataclass(frozen=True, slots=True)
class Verified:
    """What an accepted certificate shows."""

    game: str
    position: str
    parts: tuple[VerifiedPart, ...]
    value: Value
    entries: int
    own_rules: bool
    """The game brought no reference rules: it was checked on the rules it was solved with."""
    relative_to: tuple[str, ...] = ()
    """Promises of a user's rules that the result rests on: it holds if they are kept."""


def check(
    path: str | os.PathLike[str], game: Rules | None = None, memory: str | int | None = None
) -> Verified:
    """Verify the file, or raise `CertificateError`.

    `game` is needed for games that are not in the rulebook, and must be the file's. With `memory`
    ("512MiB", "2GiB", bytes; by default a quarter of the machine's, at most 2 GiB) too little to
    decide, `TooLargeError` is raised.
    """
    try:
        with limited(memory):
            return _check(path, game)
    except CertificateError as error:
        if len(said := str(error)) > _LONGEST_MESSAGE:
            raise CertificateError(f"{said[:_LONGEST_MESSAGE]}…") from None
        raise


def _check(path: str | os.PathLike[str], game: Rules | None) -> Verified:
    certificate = read(path)
    try:
        rules = rules_of(certificate, game)
        relied = _check_all(certificate, rules)
    except (CertificateError, TooLargeError, MemoryError):
        raise
    except RuleError as error:
        raise CertificateError(str(error)) from error
    except Exception as error:
        raise CertificateError(f"the rules of {certificate.game!r} failed: {error!r}") from error
    parts = tuple(
        VerifiedPart(part.question, part.prover, part.verdict, part.within, len(part.entries))
        for part in certificate.parts
    )
    entries, own_rules = sum(part.entries for part in parts), getattr(rules, "own_rules", False)
    claim = (certificate.game, certificate.position, parts, certificate.value)
    return Verified(*claim, entries, bool(own_rules), relied)


def _check_all(certificate: Certificate, game: Rules) -> tuple[str, ...]:
    """The promises that the result rests on."""
    root, places = root_of(certificate, game), Places(game)
    check_claim(certificate, game)
    concluded = "-" if len(certificate.parts) > 1 else certificate.value
    for part in certificate.parts:
        _check_question(part, SIDE_NAMES[game.to_move(root)])
        _PartCheck(game, part, places, concluded).run(root)
    return tuple(sorted(places.relied))


def rules_of(certificate: Certificate, game: Rules | None = None) -> Rules:
    """The rules by which the certificate is to be read: the rulebook's, or those of the caller."""
    game = _from_rulebook(certificate) if game is None else game
    if game.spec() != certificate.game:
        raise CertificateError(f"the game is {certificate.game!r}, expected {game.spec()!r}")
    data = game.data()
    if data is not None and not data.endswith("\n"):
        data += "\n"
    if data != certificate.data:
        raise CertificateError("the data in the certificate is not the game's, in canonical form")
    return game


def _from_rulebook(certificate: Certificate) -> Rules:
    if certificate.game.partition(":")[0] not in rulebook.GAMES:
        raise UnknownGameError(
            f"the game {certificate.game!r} is not in the rulebook; if you trust its code, name "
            "its rules: --rules MODULE:CLASS, path/to/file.py:CLASS or path/to/library.so, in "
            "Python game=…"
        )
    try:
        return rulebook.make(certificate.game, certificate.data)
    except TooLargeError:
        raise
    except AndorraError as error:
        raise CertificateError(f"bad game {certificate.game!r}: {error}") from None


def root_of(certificate: Certificate, game: Rules) -> State:
    """The certificate's root position."""
    root = _parsed(game, certificate.position)
    if exact_text(game.format(root)) != certificate.position:
        raise CertificateError(f"root {certificate.position!r}, expected {game.format(root)!r}")
    return root


def _parsed(game: Rules, text: str) -> State:
    note(_POSITION)
    if len(text) > _LONG_TEXT:
        require(_READ_OF_A_CHARACTER * len(text))
    try:
        state: State = game.parse(text)
        hash(state)
    except MemoryError:
        raise
    except Exception as error:
        raise CertificateError(f"{text!r} is no position of {game.spec()!r}: {error}") from None
    return state


def _check_question(part: Part, to_move: str) -> None:
    side, within, _ = parse_question(part.question)
    if part.prover != (side or to_move) or part.within != within:
        raise CertificateError(
            f"prover {part.prover!r} and within {part.within!r} do not repeat the question "
            f"{part.question!r}, where {to_move!r} is to move"
        )


class Strategy:
    """A part's entries, and which of them serves a position."""

    def __init__(self, game: Rules, part: Part, places: Places | None = None) -> None:
        """Read all positions; two entries for one position are rejected."""
        self.places = Places(game) if places is None else places
        self.entries = part.entries
        prover = SIDE_NAMES.index(part.prover)
        self.holder = prover if part.verdict == "proven" else FIRST + SECOND - prover
        self.states = [_parsed(game, entry.position) for entry in part.entries]
        self.names = [self.places.name(state) for state in self.states]
        self._game = game
        self._exact: dict[tuple[Hashable, int | None], int] = {}
        self._covers: dict[tuple[Any, int | None], list[int]] = {}
        for number in range(len(part.entries)):
            self._add(number)

    def _add(self, number: int) -> None:
        entry, state = self.entries[number], self.states[number]
        if self._exact.setdefault((self.names[number], entry.plies), number) != number:
            raise CertificateError(f"two entries for {entry.position!r}")
        if entry.kind == "~":
            self._covers.setdefault((self._game.board(state), entry.plies), []).append(number)

    def serving(self, state: State, plies: int | None) -> int | None:
        """The number of the entry that serves the position, of covers the one of least rank."""
        number = self._exact.get((self.places.name(state), plies))
        if number is not None or not self._covers:
            return number
        rivals = self._covers.get((self._game.board(state), plies), ())
        covers = (number for number in rivals if self._covers_with(self.states[number], state))
        return min(covers, key=self._precedence, default=None)

    def _precedence(self, number: int) -> tuple[int, tuple[int, ...]]:
        return (self.entries[number].rank or 0, self._game.resources(self.states[number]))

    def _covers_with(self, entry: State, position: State) -> bool:
        """Whether the entry's resources are no better for the holder than the position's."""
        pair = self._game.resources(entry), self._game.resources(position)
        fewer, more = pair if self.holder == FIRST else pair[::-1]
        return all(a <= b for a, b in zip(fewer, more, strict=True))


@dataclass(slots=True)
class _Frame:
    """A position of the other side whose moves are being followed."""

    node: Node
    state: State
    plies_after: int | None
    moves: Iterator[Any]
    scores: Scores | None
    top: Top = _ENDS_ONLY


class _PartCheck:
    """Follows all lines of one part."""

    def __init__(self, game: Rules, part: Part, places: Places, value: Value) -> None:
        self._game = game
        self._places = places
        self._referee = Referee(game, places)
        self._at: Step = _START
        """The step in hand."""
        follows = places.own and part.verdict == "disproven" and value in ("win", "loss")
        self._ends = Ends(value) if follows else None
        self._part = part
        self._score = parse_question(part.question).score
        self._prover = FIRST if part.prover == "first" else SECOND
        self._strategy = Strategy(game, part, places)
        self._came_from: dict[Node, Step] = {}
        self._tops: dict[Node, Top | None] = {}
        """By nodes of the other side; None while a node's lines are being followed."""
        self._waiting: deque[int] = deque()

    def run(self, root: State) -> None:
        try:
            self._next(root, self._part.within, _START)
            while self._waiting:
                self._follow(self._waiting.popleft())
        except Misruling as error:
            self._reject(str(error), self._at)
        if self._ends is not None and (fault := self._ends.fault()) is not None:
            self._reject(*fault)
        for number, entry in enumerate(self._part.entries):
            if number not in self._came_from:
                self._fail(f"the entry for {entry.position!r} serves no line")

    def _follow(self, number: int) -> None:
        """Follow the lines from an entry to the next ones, whose ranks must be lower."""
        entry = self._part.entries[number]
        _, state = self._places.settled(self._strategy.states[number])
        if exact_text(self._game.format(state)) != entry.position:
            self._reject(f"position {entry.position!r} is not canonical", (number, _HERE))
        self._at = (number, _HERE)
        move = self._referee.legal(state, entry.move)
        self._at = (number, move)
        after, scores = self._referee.played(state, move), self._scores(state)
        rank, reached = self._next(after, _less(entry.plies), (number, move), scores)
        if entry.rank is not None and rank >= entry.rank:
            text = self._part.entries[reached].position
            what = f"rank {entry.rank} must fall, but a line goes on to {text!r} with rank {rank}"
            self._reject(what, (number, move))

    def _next(
        self, state: State, plies: int | None, origin: Step, before: Scores | None = None
    ) -> Top:
        """Follow the other side's moves to ends and entries; `before` are the scores left there."""
        stack: list[_Frame] = []
        found = self._arrive(state, plies, origin, before, stack)
        while stack:
            frame = stack[-1]
            frame.top = max(frame.top, found or _ENDS_ONLY)
            move = next(frame.moves, _HERE)
            if move is _HERE:
                stack.pop()
                found = self._tops[frame.node] = frame.top
            else:
                step = self._at = (frame.node, move)
                after = self._referee.played(frame.state, move)
                found = self._arrive(after, frame.plies_after, step, frame.scores, stack)
        return found or _ENDS_ONLY

    def _arrive(
        self,
        state: State,
        plies: int | None,
        origin: Step,
        before: Scores | None,
        stack: list[_Frame],
    ) -> Top | None:
        """Judge a position; one of the other side that is new goes on the stack instead."""
        self._at = origin
        name, state = self._places.settled(state)
        outcome = self._referee.outcome(state)
        if self._score is not None:
            check_within(before, self._referee.scores(state, outcome))
            enough = has_score(self._game, state, self._prover, self._score)
            if enough is not None:
                return self._decided(enough, outcome, origin)
        elif outcome is not None or plies == 0:
            return self._end(outcome, origin)
        if self._referee.to_move(state) == self._strategy.holder:
            return self._serve(name, state, plies, origin)
        node = (name, plies)
        self._note(origin, node)
        if node not in self._tops:
            self._came_from[node] = origin
            self._tops[node] = None
            moves = iter(self._referee.moves(state))
            stack.append(_Frame(node, state, _less(plies), moves, self._scores(state)))
            return None
        known = self._tops[node]
        if known is None and self._part.verdict == "proven":
            self._reject("the line comes back to a position, which proves nothing", origin)
        return known or _ENDS_ONLY

    def _decided(self, enough: bool, outcome: Outcome | None, origin: Step) -> Top:
        if enough != (self._part.verdict == "proven"):
            how = "is enough" if enough else "is out of reach"
            self._reject(f"the line comes to where the score {how}", origin)
        if outcome is None:
            self._places.rely("scores")
        if outcome is None and enough:
            self._places.rely("acyclic")
        return _ENDS_ONLY

    def _end(self, outcome: Outcome | None, origin: Step) -> Top:
        won = outcome == self._part.prover
        if won != (self._part.verdict == "proven"):
            how = f"ends with {outcome!r}" if outcome else "runs out of plies"
            self._reject(f"the line {how}", origin)
        if self._ends is not None and outcome != SIDE_NAMES[self._strategy.holder]:
            self._ends.not_won(outcome, origin)
        return _ENDS_ONLY

    def _serve(self, name: Hashable, state: State, plies: int | None, origin: Step) -> Top:
        number = self._strategy.serving(state, plies)
        if number is None:
            left = "" if plies is None else f" with {plies} plies left"
            self._reject(f"no entry serves {self._game.format(state)!r}{left}", origin)
        entry = self._part.entries[number]
        if self._strategy.names[number] != name:
            self._referee.legal(state, entry.move)
            self._places.rely("resources")
        self._note(origin, number)
        if number not in self._came_from:
            self._came_from[number] = origin
            self._waiting.append(number)
        return (entry.rank or 0, number)

    def _note(self, step: Step, node: Node) -> None:
        if self._ends is not None:
            self._ends.note(step, node)

    def _scores(self, state: State) -> Scores | None:
        """The scores left where the game goes on, if a score is asked for."""
        return None if self._score is None else self._referee.scores(state, None)

    def _reject(self, what: str, step: Step) -> NoReturn:
        line = self._line(step)
        self._fail(f"{what}, {'after ' + ' '.join(line) if line else 'at the root'}")

    def _fail(self, what: str) -> NoReturn:
        raise CertificateError(f"{self._part.question} {self._part.verdict}: {what}")

    def _line(self, step: Step) -> list[str]:
        """The moves from the root; of a long line, the middle is only counted."""
        back = self._back(step)
        last = list(islice(back, _LONGEST_SHOWN // 2))
        first: deque[str] = deque(maxlen=_LONGEST_SHOWN // 2)
        more = -_LONGEST_SHOWN // 2
        for text in back:
            first.append(text)
            more += 1
        middle = [f"[{more} more]"] if more > 0 else []
        return [*reversed(first), *middle, *reversed(last)]

    def _back(self, step: Step) -> Iterator[str]:
        """The moves back to the root; where a cover entry took over, its position in brackets."""
        node, move = step
        while node is not None:
            if move is not _HERE:
                yield self._game.format_move(self._state(node), move)
            if isinstance(node, int) and self._part.entries[node].kind == "~":
                yield f"[{self._part.entries[node].position}]"
            node, move = self._came_from[node]

    def _state(self, node: Node) -> State:
        if isinstance(node, int):
            return self._strategy.states[node]
        return self._places.state(cast(tuple[Hashable, int | None], node)[0])


def _less(plies: int | None) -> int | None:
    return None if plies is None else plies - 1
