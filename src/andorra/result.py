"""What `andorra.solve` answers, and what it reports on the way."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

Verdict = Literal["proven", "disproven", "unknown"]
Value = Literal["win", "draw", "loss"]
When = Literal["as soon", "later", "not known"]


class Bounds(NamedTuple):
    """Proof number and disproof number, in the prover's view; None is infinite."""

    pn: int | None
    dn: int | None


@dataclass(frozen=True)
class Other:
    """A move beside the line of the shortest win, which wins too, or may do so."""

    ply: int
    """Which move of the line it stands for, from 1."""
    move: str
    length: int | None
    """The plies of the whole line, if the win takes no longer; None if it does, or may do so."""
    verdict: Verdict
    """Whether it wins: `proven` or `unknown`."""
    when: When
    """How soon, compared with the line; `later`: surely not as soon, whether it wins or not."""


@dataclass(frozen=True)
class Result:
    """The answer to a question, with what it rests on and what it cost."""

    game: str
    """Name and parameters."""
    position: str
    """The position asked about, in canonical text."""
    question: str
    """What was asked, the prover spelled out: `win:first`, `score>=3`, `shortest:first`,
    `score:first`; or `value`."""
    prover: str
    """`first` or `second`; of a value, the first question's."""
    verdict: Verdict
    """The answer; of a value, the one to the question whether the first player can force a win."""
    value: Value | None
    """For the player who moves first in the initial position; None if the answer leaves it open."""
    pn: int | None
    """The proof number reached; None is infinite."""
    dn: int | None
    """The disproof number reached; None is infinite."""
    best_move: str | None
    """The solving move, if the side to move has one."""
    line: list[str]
    """The main line: the winner's strategy against a stubborn opponent.

    Of a shortest win it has `length` moves, or fewer if a limit kept the longest defence away."""
    line_end: str
    """How it ends: win, loss, draw (for the first player), limit, repetition or incomplete.

    Where a score is asked for, also decided: it is certain, or out of reach, though the game goes
    on."""
    limit: str | None
    """What ended a search without an answer: nodes, seconds, memory, interrupted, no progress.

    Of a shortest win, also what ended the search for its length, though there is a win, or for
    other moves."""
    certificate: Path | None
    """The certificate's file, if one was asked for and could be written."""
    certificate_limit: str | None
    """What kept a certificate that was asked for from being written, though there is a verdict: a
    limit, `unsound settings`, or a sentence that begins with `cannot write`.

    Of a shortest win, also what ended the search before all its parts were found."""
    algorithm: str
    options: dict[str, str] = field(default_factory=dict)
    statistics: dict[str, Any] = field(default_factory=dict)
    """nodes, expansions, moves, cpu_seconds and more; sums, where several questions were asked."""
    unsound: bool = False
    """Settings were used that are known to be unsound on this game."""
    length: int | None = None
    """The plies of the shortest win, if that was asked for and is known."""
    length_bounds: tuple[int, int | None] | None = None
    """At least and at most so many plies; None stands for no bound, and where there is no win."""
    score: int | None = None
    """What the prover can force, and no more, in the first player's view, if that was asked for and
    is known. None with the verdict `disproven`: it can force no score at all."""
    score_bounds: tuple[int | None, int | None] | None = None
    """At least and at most; None stands for no bound, and for no score at all."""
    others: list[Other] | None = None
    """Other moves of the prover's along the line that win or may do so; None: not asked for."""
    left: str | None = None
    """What the prover has left at the end of a line that wins, in games where that is something."""

    @property
    def bounds(self) -> Bounds:
        """The proof and disproof number reached, `pn` and `dn`, as a pair."""
        return Bounds(self.pn, self.dn)

    def to_json(self) -> dict[str, Any]:
        """The result as plain data, the statistics side by side with the rest."""
        plain = {name: getattr(self, name) for name in self.__dataclass_fields__}
        plain["certificate"] = None if self.certificate is None else str(self.certificate)
        plain["others"] = None if self.others is None else [asdict(other) for other in self.others]
        del plain["statistics"]
        return plain | self.statistics


@dataclass(frozen=True)
class Child:
    """A move at the root of a running search, and what is known of it."""

    move: str
    pn: int | None
    dn: int | None


@dataclass(frozen=True)
class Progress:
    """A moment of a running search."""

    event: str
    """`search`, or `extract` while the certificate is collected."""
    question: str
    pn: int | None
    dn: int | None
    nodes: int
    expansions: int
    moves: int
    depth: int
    table_fill: float
    """From 0 to 1."""
    seconds: float
    nodes_per_second: float
    collections: int = 0
    """How often a full table has forgotten entries."""
    line: tuple[str, ...] = ()
    """The most promising line, which the search is on: at most 100 moves, and none where the
    algorithm does not tell."""
    children: tuple[Child, ...] = ()
    """The root's, where the algorithm tells them."""
