"""Walking through a certificate: the main line, the tree of lines, the reply to given moves.

Idea: the same lines that the checker follows, shown instead of judged. The holder of the strategy
plays its entry's move. Where a cover entry serves, the certificate goes on from the entry's own
position, which is no better for the holder than the one on the board; what is shown, and what the
other side may play, is always the board. So a place has both, and moves are made in both. The other
side is shown at its best: in a proof it plays what resists longest by rank.

Invariant: for the holder, the position on the board is no worse than the certificate's. What the
other side can play on the board it can play there, too, and the strategy has an answer.

A file that was not checked may be walked too; where it says nothing, `CertificateError` says so.
Nothing here recurses: lines may have any length.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from andorra.certificate import Certificate, Entry, Part, SideName, parse_question
from andorra.checker import Rules, Strategy, root_of, rules_of
from andorra.errors import CertificateError, PositionError
from andorra.rulebook.base import FIRST, SECOND, has_score

NO_PLIES_LEFT = "no plies left"
REPETITION = "repetition"
_MOST_RESISTANCES = 1 << 20
"""Kept, so that a walk of hours through a large certificate takes bounded memory."""
DECIDED = "score decided"


@dataclass(frozen=True, slots=True)
class Step:
    """One move of a line."""

    position: str
    side: SideName
    move: str
    entry: Entry | None
    """The holder's reason; None where the other side moves."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of play, and the position where it stops."""

    steps: tuple[Step, ...]
    position: str
    ending: str
    """Why it stops: "first", "second" or "draw" for the outcome, "no plies left", "score decided",
    "repetition"."""


@dataclass(slots=True)
class Tree:
    """A position with the moves that the strategy allows there."""

    move: str | None
    """The move that leads here; None at the root."""
    position: str
    side: SideName
    plies: int | None
    ending: str | None
    entry: Entry | None
    """What the holder plays here; None where the other side moves and at endings."""
    children: list[Tree] = field(default_factory=list)
    omitted: int = 0
    """How many moves are not among the children, for want of depth or width."""


@dataclass(frozen=True, slots=True)
class Defence:
    """A legal move of the other side and the position after it."""

    move: str
    position: str
    ending: str | None
    answer: Entry | None
    """What the holder plays then; None at endings and where the other side moves again."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The position that given moves reach, and what follows."""

    position: str
    side: SideName
    plies: int | None
    ending: str | None
    entry: Entry | None
    """What the holder plays here; None where the other side moves and at endings."""
    after: str
    """Where the defences are to be found: after the holder's move, or here if there is none."""
    ending_after: str | None
    defences: tuple[Defence, ...]
    """All legal moves of the other side; none at endings and where the holder moves again."""


def main_line(certificate: Certificate, part: Part, game: Rules | None = None) -> Line:
    """The strategy against the longest resistance; in a disproof, against first moves."""
    walk = Walk(certificate, part, game)
    place, steps, seen = walk.root, list[Step](), set[Place]()
    while place.ending is None and place not in seen:
        seen.add(place)
        move = walk.choices(place)[0]
        text = walk.move_text(place, move)
        steps.append(Step(walk.text(place), walk.side(place), text, place.entry))
        place = walk.after(place, move)
    return Line(tuple(steps), walk.text(place), place.ending or REPETITION)


def tree(
    certificate: Certificate, part: Part, depth: int, width: int, game: Rules | None = None
) -> Tree:
    """All lines up to `depth` plies, with at most `width` moves of the other side at a time.

    What resists longest comes first, so that the first children make the main line.
    """
    walk = Walk(certificate, part, game)
    root = _leaf(walk, walk.root, None)
    growing = [(root, walk.root, depth)]
    while growing:
        node, place, left = growing.pop()
        moves = walk.choices(place)
        shown = moves[:width] if left > 0 else []
        node.omitted = len(moves) - len(shown)
        for move in shown:
            after = walk.after(place, move)
            node.children.append(_leaf(walk, after, walk.move_text(place, move)))
            growing.append((node.children[-1], after, left - 1))
    return root


def _leaf(walk: Walk, place: Place, move: str | None) -> Tree:
    return Tree(move, walk.text(place), walk.side(place), place.plies, place.ending, place.entry)


def reply(
    certificate: Certificate, part: Part, moves: Sequence[str], game: Rules | None = None
) -> Reply:
    """What the certificate says after these moves, which are both sides' and start at the root."""
    walk = Walk(certificate, part, game)
    here = walk.root
    for number, text in enumerate(moves, 1):
        here = _played(walk, here, number, text)
    after = walk.after(here, walk.choices(here)[0]) if here.entry else here
    defences = () if after.entry else tuple(_defence(walk, after, m) for m in walk.choices(after))
    return Reply(
        walk.text(here),
        walk.side(here),
        here.plies,
        here.ending,
        here.entry,
        walk.text(after),
        after.ending,
        defences,
    )


def _played(walk: Walk, place: Place, number: int, text: str) -> Place:
    if place.ending is not None:
        raise PositionError(
            f"move {number}, {text!r}: the line is over in {walk.text(place)!r} ({place.ending})"
        )
    try:
        move = walk.parse_move(place, text)
    except PositionError as error:
        raise PositionError(f"move {number}: {error}") from None
    if place.entry is not None and walk.move_text(place, move) != place.entry.move:
        raise PositionError(
            f"move {number}, {text!r}: the strategy of {walk.side(place)} plays "
            f"{place.entry.move!r} here, and the certificate says nothing about other moves"
        )
    return walk.after(place, move)


def _defence(walk: Walk, place: Place, move: Any) -> Defence:
    after = walk.after(place, move)
    return Defence(walk.move_text(place, move), walk.text(after), after.ending, after.entry)


@dataclass(frozen=True, slots=True)
class Place:
    """A position on a line."""

    state: Any
    """The one on the board."""
    plies: int | None
    ending: str | None
    entry: Entry | None
    own: Any
    """The state from which the certificate goes on: the entry's own, if one serves."""


class Serving(Protocol):
    """A strategy, wherever its entries are kept."""

    holder: int

    def serve(self, state: Any, plies: int | None) -> tuple[Entry, Any] | None:
        """The entry that serves a position, and the entry's own state."""


class _AllEntries:
    """A strategy whose entries are all in memory, as the checker reads them."""

    def __init__(self, game: Rules, part: Part) -> None:
        self._strategy = Strategy(game, part)
        self.holder = self._strategy.holder

    def serve(self, state: Any, plies: int | None) -> tuple[Entry, Any] | None:
        number = self._strategy.serving(state, plies)
        if number is None:
            return None
        return self._strategy.entries[number], self._strategy.states[number]


class Walk:
    """The lines of one part, place by place."""

    def __init__(
        self,
        certificate: Certificate,
        part: Part,
        game: Rules | None = None,
        strategy: Serving | None = None,
    ) -> None:
        """Read the game, the root and, unless a `strategy` knows them, all entries."""
        self._game = rules_of(certificate, game)
        self._strategy = _AllEntries(self._game, part) if strategy is None else strategy
        self._proof = part.verdict == "proven"
        self._prover = FIRST if part.prover == "first" else SECOND
        self._score = parse_question(part.question).score
        self._resistances: dict[Place, int] = {}
        self.root = self.at(root_of(certificate, self._game), part.within)

    def at(self, state: Any, plies: int | None) -> Place:
        """The place of a position, whatever line leads there."""
        return self._place(state, state, plies)

    def text(self, place: Place) -> str:
        """The position's text."""
        return self._game.format(place.state)

    def side(self, place: Place) -> SideName:
        """Who moves."""
        return "first" if self._game.to_move(place.state) == FIRST else "second"

    def move_text(self, place: Place, move: Any) -> str:
        """The move's text."""
        return self._game.format_move(place.state, move)

    def parse_move(self, place: Place, text: str) -> Any:
        """The legal move that the text names."""
        return self._game.parse_move(place.state, text)

    def choices(self, place: Place) -> Sequence[Any]:
        """The moves that lines take: the entry's, or all, in a proof the most resistant first."""
        if place.ending is not None:
            return []
        if place.entry is not None:
            return [self._move(place.state, place.entry.move)]
        moves = self._game.moves(place.state)
        if not self._proof:
            return moves
        return sorted(moves, key=lambda move: -self.resistance(self.after(place, move)))

    def after(self, place: Place, move: Any) -> Place:
        """The place that a move on the board leads to."""
        plies = None if place.plies is None else place.plies - 1
        state = self._game.play(place.state, move)
        if place.own == place.state:
            return self._place(state, state, plies)
        own_move = self._move(place.own, self.move_text(place, move))
        return self._place(state, self._game.play(place.own, own_move), plies)

    def _place(self, state: Any, own: Any, plies: int | None) -> Place:
        """`own` is where the certificate is, before an entry serves it."""
        ending = self._ending(state, own, plies)
        if ending is not None or self._game.to_move(state) != self._strategy.holder:
            return Place(state, plies, ending, None, own)
        served = self._strategy.serve(own, plies)
        if served is None:
            raise CertificateError(
                f"no entry serves {self._game.format(own)!r}: the certificate does not hold"
            )
        return Place(state, plies, None, *served)

    def _ending(self, state: Any, own: Any, plies: int | None) -> str | None:
        """The board's; a user's game may go on where the certificate has reached its goal."""
        if self._score is not None:
            return self._score_ending(state, self._score)
        ending: str | None = self._game.outcome(state)
        if ending is None and own != state:
            ending = self._game.outcome(own)
        return NO_PLIES_LEFT if ending is None and plies == 0 else ending

    def _score_ending(self, state: Any, score: int) -> str | None:
        """Lines stop where the score is decided; games with scores have no cover entries."""
        decided = has_score(self._game, state, self._prover, score)
        return None if decided is None else self._game.outcome(state) or DECIDED

    def _move(self, state: Any, text: str) -> Any:
        for move in self._game.moves(state):
            if self._game.format_move(state, move) == text:
                return move
        raise CertificateError(f"{text!r} is no legal move in {self._game.format(state)!r}")

    def resistance(self, start: Place) -> int:
        """The highest rank met next on the lines from here; 0 if all of them end."""
        if len(self._resistances) > _MOST_RESISTANCES:
            self._resistances.clear()
        stack = [] if start in self._resistances else [start]
        while stack:
            current = stack[-1]
            after = self._other_sides_next(current)
            if current not in self._resistances:
                # Until it is known it counts as 0: it comes back only in a file that does not hold.
                self._resistances[current] = 0
                stack.extend(place for place in after if place not in self._resistances)
            else:
                self._resistances[stack.pop()] = self._rank(current, after)
        return self._resistances[start]

    def _other_sides_next(self, place: Place) -> list[Place]:
        if place.ending is not None or place.entry is not None:
            return []
        return [self.after(place, move) for move in self._game.moves(place.state)]

    def _rank(self, place: Place, after: list[Place]) -> int:
        if place.entry is not None:
            return place.entry.rank or 0
        return max((self._resistances[next_place] for next_place in after), default=0)
