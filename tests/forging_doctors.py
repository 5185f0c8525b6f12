"""What a checker could overlook, a class each.

Every class is the rules of checking (`forging_tables.Doctor`) with one thing left out. A table by
such rules is an attack on the checker that has this very hole, and on no other.
"""

from __future__ import annotations

import random

from forging_grounds import DRAW, Claim, Ground, plain
from forging_tables import Doctor, Node

HIGHEST = 10**18 - 1
"""A rank has at most 18 digits."""
WRAPS = (1 << 16, 1 << 31, 1 << 32, 1 << 53)


class Delay(Doctor):
    """Nothing is overlooked: the contradiction comes as late as possible."""


class EndlessLines(Doctor):
    """Ranks need not fall: lines that never end are won."""

    endless = "entries"

    @classmethod
    def applies(cls, ground: Ground, claim: Claim) -> bool:
        """Only proofs have ranks, and only cycles need none that fall."""
        return claim.proven and claim.ask.within is None and not ground.game.acyclic


class EqualRanks(EndlessLines):
    """Ranks may stay the same."""

    def ranked(self, ranks: dict[Node, int]) -> dict[Node, int]:
        most = self.rng.randint(1, 3)
        return {node: min(rank, most) for node, rank in ranks.items()}


class HugeRanks(EndlessLines):
    """The highest numbers that the grammar has, and one that does not fall."""

    def ranked(self, ranks: dict[Node, int]) -> dict[Node, int]:
        highest = max(ranks.values(), default=0)
        return {node: HIGHEST - highest + rank for node, rank in ranks.items()}


class WrappedRanks(EndlessLines):
    """Numbers that fall all around a cycle if only some of their bits are looked at."""

    def ranked(self, ranks: dict[Node, int]) -> dict[Node, int]:
        wrap, highest = self.rng.choice(WRAPS), max(ranks.values(), default=0)
        step, low = wrap // (highest + 1) + 1, self.rng.randint(0, 1)
        other = {node: 1 + rank * step + low for node, rank in ranks.items()}
        return {node: rank + wrap * (rank < wrap // 2) for node, rank in other.items()}


class EndlessRuns(Doctor):
    """The other side may play on for ever without a move of the holder."""

    endless = "runs"

    @classmethod
    def applies(cls, ground: Ground, claim: Claim) -> bool:
        """Runs have cycles only where a side moves twice."""
        sides, moves = ground.sides, ground.moves
        other = 1 - claim.holder
        twice = any(sides[i] == sides[j] == other for i in range(len(ground)) for _, j in moves[i])
        return claim.proven and not ground.game.acyclic and claim.ask.within is None and twice


class Holes(Doctor):
    """Some positions need no entry."""

    shares = (0.1, 0.3, 0.7)

    def judged(self, i: int, plies: int | None) -> bool | None:
        verdict = super().judged(i, plies)
        hidden = verdict is None and self.holds(i) and i != self.claim.root
        return True if hidden and self.chosen(i) else verdict


class DroppedReplies(Doctor):
    """Some moves of the other side are not followed, such as the last one everywhere."""

    shares = (0.0, 0.3, 0.6)

    def __init__(self, ground: Ground, claim: Claim, rng: random.Random, share: float = 1.0):
        super().__init__(ground, claim, rng, share)
        self.kept = rng.choice([slice(1, None), slice(0, -1)])

    def replies(self, i: int) -> list[int]:
        every = super().replies(i)
        some = [after for after in every if not self.chosen((i, after))]
        return (some if self.share else every[self.kept]) or every[:1]


class WrongEnds(Doctor):
    """Some ends count for the holder that do not; draws before all."""

    shares = (0.0, 0.2, 0.6)

    def judged(self, i: int, plies: int | None) -> bool | None:
        verdict = super().judged(i, plies)
        draw = self.ground.outcomes[i] == DRAW
        return True if verdict is False and (draw or self.chosen(i)) else verdict


class LastPly(Doctor):
    """What happens when no plies are left does not matter."""

    def judged(self, i: int, plies: int | None) -> bool | None:
        return True if plies == 0 else super().judged(i, plies)

    @classmethod
    def applies(cls, ground: Ground, claim: Claim) -> bool:
        """Only where plies are counted."""
        return claim.ask.within is not None


class OtherPlies(LastPly):
    """An entry serves also with another number of plies left."""

    shares = (0.2, 0.6, 1.0)

    def judged(self, i: int, plies: int | None) -> bool | None:
        return Doctor.judged(self, i, plies)

    def services(self, i: int, plies: int | None) -> list[Node]:
        own, left = super().services(i, plies), plies or 0
        others = [left + 1, left + 2, left - 1] if self.chosen((i, plies)) else []
        most = (self.claim.ask.within or 0) + 1
        return own + [Node(i, other, True) for other in others if 0 < other <= most]


class WrongWay(Doctor):
    """Covers serve whatever the resources are."""

    shares = (0.3, 1.0)

    @classmethod
    def applies(cls, ground: Ground, claim: Claim) -> bool:
        """Only where there are resources."""
        return bool(ground.resources[claim.root])

    def services(self, i: int, plies: int | None) -> list[Node]:
        others = self.ground.cousins(i) if self.chosen(i) else []
        return super().services(i, plies) + [Node(j, plies, True) for j in others]


class WrongBoard(Doctor):
    """A cover serves positions that look nearly like its own, with the same side to move."""

    shares = (0.1, 0.3, 1.0)

    def services(self, i: int, plies: int | None) -> list[Node]:
        others = self.ground.alike(i) if self.chosen(i) else []
        same = [j for j in others if self.ground.sides[j] == self.ground.sides[i]]
        return super().services(i, plies) + [Node(j, plies, True) for j in same[:4]]


class CoverRounds(WrongBoard):
    """Covers lead lines back to where they came from, round and round."""

    endless = "entries"

    @classmethod
    def applies(cls, ground: Ground, claim: Claim) -> bool:
        """Only where there are resources, and ranks without plies."""
        bare = claim.proven and claim.ask.within is None
        return bare and bool(ground.resources[claim.root])


class WrongSide(Doctor):
    """A cover serves a position where its own board's other side is to move."""

    shares = (0.1, 0.3, 1.0)

    def services(self, i: int, plies: int | None) -> list[Node]:
        others = self.ground.alike(i) if self.chosen(i) else []
        turned = [j for j in others if self.ground.sides[j] != self.ground.sides[i]]
        return super().services(i, plies) + [Node(j, plies, True) for j in turned[:4]]


class SameLooks(Doctor):
    """An entry serves every position whose text looks like its own."""

    shares = (0.3, 1.0)

    @classmethod
    def applies(cls, ground: Ground, claim: Claim) -> bool:
        """Where there are such names."""
        return ground.kind == "twins"

    def services(self, i: int, plies: int | None) -> list[Node]:
        texts = self.ground.texts
        others = range(len(texts)) if self.chosen(i) else ()
        same = [j for j in others if j != i and plain(texts[j]) == plain(texts[i])]
        return super().services(i, plies) + [Node(j, plies, True) for j in same]


class IllegalMoves(Doctor):
    """Moves that only another position has, above all one that differs in resources."""

    shares = (0.1, 0.3, 1.0)

    def moves(self, i: int) -> list[tuple[str, int]]:
        own = super().moves(i)
        if not self.chosen(i):
            return own
        legal = {text for text, _ in own}
        others = [*self.ground.cousins(i)[:8], *self.ground.alike(i)]
        foreign = [move for j in others for move in self.ground.moves[j] if move[0] not in legal]
        return own + self.rng.sample(foreign, min(8, len(foreign)))


class Usurpers(Doctor):
    """The holder has entries, and so a choice, where the other side is to move."""

    shares = (0.1, 0.3, 0.7)

    def holds(self, i: int) -> bool:
        return super().holds(i) or self.chosen(i)


class PastTheEnd(IllegalMoves):
    """Lines go on after an end, by an entry."""

    def judged(self, i: int, plies: int | None) -> bool | None:
        verdict = Doctor.judged(self, i, plies)
        return None if verdict is False and plies != 0 and self.chosen(i) else verdict

    def holds(self, i: int) -> bool:
        return super().holds(i) or self.ground.outcomes[i] is not None

    def moves(self, i: int) -> list[tuple[str, int]]:
        return super().moves(i) if self.ground.outcomes[i] else self.ground.moves[i]


class _Scored(Doctor):
    @classmethod
    def applies(cls, ground: Ground, claim: Claim) -> bool:
        """Only where scores are asked for."""
        return claim.ask.score is not None


class OpenScores(_Scored):
    """A line is over where the score may still be had, or may still be missed."""

    shares = (0.2, 0.6, 1.0)

    def scored(self, i: int) -> bool | None:
        known = super().scored(i)
        return self.claim.proven if known is None and self.chosen(i) else known


class EndlessScores(_Scored):
    """What all ends have in common is certain, also where lines need not end."""

    def scored(self, i: int) -> bool | None:
        least, most = self.ground.scores[i]
        score = self.claim.ask.score or 0
        sure = least >= score if self.claim.ask.prover == 0 else most <= score
        return True if sure else super().scored(i)

    @classmethod
    def applies(cls, ground: Ground, claim: Claim) -> bool:
        """Only where there are cycles."""
        return super().applies(ground, claim) and claim.proven and not ground.game.acyclic


PLAIN: tuple[type[Doctor], ...] = (
    *(Delay, EndlessLines, EqualRanks, HugeRanks, WrappedRanks, EndlessRuns, Holes),
    *(DroppedReplies, WrongEnds, LastPly, OtherPlies, WrongWay, WrongBoard, WrongSide, SameLooks),
    CoverRounds,
    *(IllegalMoves, Usurpers, PastTheEnd, OpenScores, EndlessScores),
)
