"""Strategy tables for claims that are false, by rules that are doctored.

Idea: a forger knows that no table can hold, and asks what a checker would have to overlook so that
one does. A `Doctor` is the rules of checking with one thing overlooked; its methods say what they
are by docs/certificate.md, and subclasses (`forging_doctors.py`) replace one. `Table` solves the
claim by the doctored rules, as an honest maker would by the true ones. If the doctored rules grant
the claim, the table is `complete`: everything in it is right but for what is overlooked. If not,
the holder delays the contradiction as long as possible.

Invariant: with a plain `Doctor` and a true claim the table is complete, and holds.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from andorra.certificate import Entry, Kind
from forging_grounds import Claim, Ground

MOST_NODES = 6_000
Endless = Literal["no", "runs", "entries", "all"]
"""Which endless lines of a proof are taken for won: none, those of one run of the other side, those
that come to entries for ever, or all."""
Key = tuple[float, float]


class Node(NamedTuple):
    """A position on a line, or, `by` an entry that serves there, the entry's own."""

    position: int
    plies: int | None
    by: bool = False


class Doctor:
    """What lines there are, and how they end."""

    endless: Endless = "no"
    shares: tuple[float, ...] = (1.0,)
    """How much is overlooked: the least with which the claim is granted."""

    def __init__(self, ground: Ground, claim: Claim, rng: random.Random, share: float = 1.0):
        self.ground, self.claim, self.rng, self.share = ground, claim, rng, share
        self.honest_covers = rng.random() < 0.3
        self._chosen: dict[object, bool] = {}
        self._covers: dict[object, int] = {}
        """The one cover of each board, so that no other goes before it."""

    @classmethod
    def applies(cls, ground: Ground, claim: Claim) -> bool:
        """Whether there is anything to overlook."""
        return True

    def chosen(self, what: object) -> bool:
        """Whether this one is among those that are overlooked."""
        if what not in self._chosen:
            self._chosen[what] = self.rng.random() < self.share
        return self._chosen[what]

    def judged(self, i: int, plies: int | None) -> bool | None:
        """Whether the line is good for the holder, if it is over."""
        if self.claim.ask.score is not None:
            sure = self.scored(i)
        elif self.ground.outcomes[i] is None and plies != 0:
            return None
        else:
            sure = self.ground.outcomes[i] == ("first", "second")[self.claim.ask.prover]
        return None if sure is None else sure == self.claim.proven

    def scored(self, i: int) -> bool | None:
        """Whether the prover has the score for certain, or cannot have it."""
        least, most = self.ground.scores[i]
        score = self.claim.ask.score or 0
        if self.claim.ask.prover == 1:
            least, most, score = -most, -least, -score
        if most < score:
            return False
        ends = self.ground.game.acyclic or self.ground.outcomes[i] is not None
        return True if least >= score and ends else None

    def holds(self, i: int) -> bool:
        """Whether an entry must serve here."""
        return self.ground.sides[i] == self.claim.holder

    def services(self, i: int, plies: int | None) -> list[Node]:
        """The entries that could serve."""
        own = [Node(i, plies, True)]
        if not self.honest_covers:
            return own
        board = self.ground.boards[i]
        entry = self._covers.setdefault(board, self.rng.choice([i, *self.ground.cousins(i)]))
        return own + [Node(entry, plies, True)] * (entry != i and self.covers(entry, i))

    def covers(self, entry: int, i: int) -> bool:
        """Whether the entry's resources are no better for the holder."""
        pair = self.ground.resources[entry], self.ground.resources[i]
        less, more = pair if self.claim.holder == 0 else pair[::-1]
        return all(a <= b for a, b in zip(less, more, strict=True))

    def moves(self, i: int) -> list[tuple[str, int]]:
        """What an entry can say, and where it leads."""
        return self.ground.moves[i]

    def replies(self, i: int) -> list[int]:
        """Where the other side can go."""
        return [after for _, after in self.ground.moves[i]]

    def extra(self, table: Table) -> Iterator[Entry]:
        """Entries to be added to those of the table."""
        yield from ()

    def ranked(self, ranks: dict[Node, int]) -> dict[Node, int]:
        """What is written for ranks that fall where they can."""
        return ranks


class Table:
    """The claim, solved by doctored rules."""

    def __init__(self, doctor: Doctor) -> None:
        """Explore and solve; `complete` says whether the claim is granted."""
        self.doctor, self.claim = doctor, doctor.claim
        self.root = Node(self.claim.root, self.claim.ask.within)
        self.verdicts: dict[Node, bool] = {}
        self.after: dict[Node, list[Node]] = {}
        self.texts: dict[tuple[Node, Node], str] = {}
        self._explore()
        self._before: dict[Node, list[Node]] = {node: [] for node in self.after}
        for node, others in self.after.items():
            for other in others:
                self._before[other].append(node)
        self.bad = self._attracted(False)
        self.good = self._granted()
        self.complete = self.root in self.good
        self.play: dict[Node, Node] = {}
        """What the holder chooses, at each node that the choices leave reachable."""
        self.backwards: list[tuple[Node, Node]] = []
        """Steps that lead back, where ranks cannot fall."""
        self.reached = self._choose()

    @property
    def _endless(self) -> Endless:
        return self.doctor.endless if self.claim.proven else "all"

    def _explore(self) -> None:
        waiting = [self.root]
        while waiting and len(self.after) < MOST_NODES:
            node = waiting.pop()
            if node not in self.after:
                self.after[node] = self._successors(node)
                waiting += [after for after in self.after[node] if after not in self.after]
        for node in waiting:
            if node not in self.after:
                self.after[node], self.verdicts[node] = [], False

    def _successors(self, node: Node) -> list[Node]:
        i, plies, by = node
        less = None if plies is None else plies - 1
        if by:
            found = {Node(after, less): text for text, after in self.doctor.moves(i)}
            self.texts |= {(node, after): text for after, text in found.items()}
            return list(found)
        verdict = self.doctor.judged(i, plies)
        if verdict is not None:
            self.verdicts[node] = verdict
            return []
        if self.doctor.holds(i):
            return list(dict.fromkeys(self.doctor.services(i, plies)))
        return [Node(after, less) for after in dict.fromkeys(self.doctor.replies(i))]

    def is_holders(self, node: Node) -> bool:
        """Whether the holder chooses what comes next."""
        return node.by or self.doctor.holds(node.position)

    def _granted(self) -> dict[Node, int]:
        """Where the doctored rules grant the claim, and in how many steps, as far as they end."""
        if self._endless == "runs":
            return self._granted_runs()
        if self._endless == "entries":
            return self._granted_entries()
        good = self._attracted(True)
        if self._endless == "all":
            good = dict.fromkeys(set(self.after) - set(self.bad), len(self.after)) | good
        return good

    def _granted_entries(self) -> dict[Node, int]:
        """Entries that vouch for each other, without end, as long as every run ends."""
        least = self._attracted(True)
        trusted = {node for node in self.after if node.by and node not in self.bad}
        while True:
            good = self._attracted(True, trusted)
            kept = {node for node in trusted if any(after in good for after in self.after[node])}
            if kept == trusted:
                return {node: level + len(self.after) for node, level in good.items()} | least
            trusted = kept

    def _attracted(self, verdict: bool, targets: Iterable[Node] = ()) -> dict[Node, int]:
        """In how many steps lines can be made to end well, or badly, for the holder."""
        levels = {node: 0 for node in self.after if self._ended(node) is verdict}
        levels |= dict.fromkeys(targets, 0)
        still_open = {node: len(after) for node, after in self.after.items()}
        waiting = deque(levels)
        while waiting:
            after = waiting.popleft()
            for node in self._before[after]:
                still_open[node] -= 1
                if node not in levels and (
                    self.is_holders(node) == verdict or still_open[node] == 0
                ):
                    levels[node] = levels[after] + 1
                    waiting.append(node)
        return levels

    def _ended(self, node: Node) -> bool | None:
        return (
            False if not self.after[node] and node not in self.verdicts else self.verdicts.get(node)
        )

    def _granted_runs(self) -> dict[Node, int]:
        """The same, where a run of the other side that never ends does no harm."""
        levels = {node: 0 for node in self.after if self._ended(node)}
        others = [node for node in self.after if self.after[node] and not self.is_holders(node)]
        holders = [node for node in self.after if self.after[node] and self.is_holders(node)]
        for level in range(1, len(self.after) + 1):
            safe = set(others)
            while leaving := [
                n for n in safe if not all(a in levels or a in safe for a in self.after[n])
            ]:
                safe.difference_update(leaving)
            able = [n for n in holders if not levels.keys().isdisjoint(self.after[n])]
            new = [n for n in (*safe, *able) if n not in levels]
            if not new:
                break
            levels |= dict.fromkeys(new, level)
        return levels

    def _choose(self) -> list[Node]:
        """The best for the holder everywhere; what is reached then, in breadth-first order."""
        order, seen = [self.root], {self.root}
        for node in order:
            after = self.after[node]
            if after and self.is_holders(node):
                best = max(map(self._promise, after))
                after = [self.doctor.rng.choice([a for a in after if self._promise(a) == best])]
                self.play[node] = after[0]
            fresh = [a for a in after if a not in seen]
            seen.update(fresh)
            order += fresh
        return order

    def _promise(self, node: Node) -> Key:
        if node in self.good:
            return (2, -self.good[node] if self.claim.proven else 0)
        return (1, 0) if node not in self.bad else (0, self.bad[node])

    # What is written.

    def entries(self) -> list[Entry]:
        """The table's entries and those that the doctor adds."""
        ranks = self.ranks()
        ranks = self.doctor.ranked(ranks) if self.claim.proven else {}
        table = [
            self.entry(node, ranks.get(node))
            for node in self.reached
            if node in self.play and node.by
        ]
        return [*table, *self.doctor.extra(self)]

    def entry(self, node: Node, rank: int | None) -> Entry:
        """What a node of an entry says."""
        move = self.texts[node, self.play[node]]
        return Entry(
            self.kind(node), self.doctor.ground.texts[node.position], move, rank, node.plies
        )

    def kind(self, node: Node) -> Kind:
        """Cover where another position is served, or now and then for nothing."""
        idle = not self.doctor.honest_covers and self.doctor.rng.random() < 0.1
        others = any(
            n.position != node.position for n in self._before[node] if self.play.get(n) == node
        )
        return "~" if others or idle else "="

    def ranks(self) -> dict[Node, int]:
        """The number of entries on the longest line from here; around cycles it cannot be right."""
        ranks: dict[Node, int] = {}
        self.backwards.clear()
        for node in self._last_first():
            after = list(self.chosen(node))
            ranks[node] = node.by + max((ranks.get(a, 0) for a in after), default=0)
            self.backwards += [(node, a) for a in after if a not in ranks or a == node]
        return ranks

    def _last_first(self) -> Iterator[Node]:
        """What is reached, each node after all that follow it and do not lead back to it."""
        stack, seen = [(self.root, iter(self.chosen(self.root)))], {self.root}
        while stack:
            node, rest = stack[-1]
            after = next((a for a in rest if a not in seen), None)
            if after is None:
                yield node
                stack.pop()
            else:
                seen.add(after)
                stack.append((after, iter(self.chosen(after))))

    def chosen(self, node: Node) -> Iterable[Node]:
        """What follows a node by the table."""
        return (self.play[node],) if node in self.play else self.after[node]


def table_for(make: type[Doctor], ground: Ground, claim: Claim, rng: random.Random) -> Table:
    """The table in which the least is overlooked, if that is enough; else one that delays."""
    table = None
    for share in make.shares:
        table = Table(make(ground, claim, rng, share))
        if table.complete:
            break
    assert table is not None
    return table
