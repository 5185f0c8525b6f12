"""A maker of certificates with cover entries, for tests: the game is `toll`."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from andorra.certificate import Certificate, Entry, Part
from certificates import AnyGame, InvalidError, Lines, Node, certificate_of, holder_of, make_part


class CoverMaker:
    """Certificates of `toll` by cover entries: each for a weaker position than the one it serves.

    Play in `toll` never makes one position dominate another, so covers are worth something only
    if their entries are for positions that play does not reach. Some get a twin with another rank,
    so that the rank decides which of two covers serves.
    """

    def __init__(self, game: AnyGame, question: str, root: Any, rng: random.Random) -> None:
        self._game, self._rng = game, rng
        self._claim = make_part(game, root, question)
        self._holder = holder_of(self._claim)
        self._weaker: dict[Node, Node] = {}
        """By the holder's nodes: the node whose entry is meant to serve."""
        self._moves: dict[Node, str] = {}
        """By the nodes that have entries."""
        self._twins: set[Node] = set()
        self._root: Node = (root, self._claim.within)
        self._close()

    def certificate(self) -> Certificate | None:
        """The certificate, without entries that serve no line; None if twins spoilt it."""
        entries = tuple(map(self._entry, self._moves))
        part = replace(self._claim, entries=tuple(self._rng.sample(entries, len(entries))))
        root = self._root[0]
        try:
            lines = Lines(self._game, part, self._game.format(root)).after
        except InvalidError:
            return None
        needed = tuple(e for i, e in enumerate(part.entries) if ("by", i) in lines)
        return certificate_of(self._game, root, [replace(part, entries=needed)])

    def _close(self) -> None:
        """Follow all lines; where the holder moves, from a weaker position."""
        waiting, seen = [self._root], set()
        while waiting:
            node = waiting.pop()
            if node in seen:
                continue
            seen.add(node)
            if self._is_holders(node):
                self._weaker[node] = self._weakened(node)
                for entry in dict.fromkeys((self._weaker[node], self._twin(node))):
                    self._moves.setdefault(entry, self._part(entry).entries[0].move)
                    waiting += self._after(entry)
            else:
                waiting += self._after(node)

    def _twin(self, node: Node) -> Node:
        twin = self._weakened(node)
        if twin not in self._moves:
            self._twins.add(twin)
        return twin

    def _part(self, node: Node) -> Part:
        bound = "" if node[1] is None else f"<={node[1]}"
        return make_part(self._game, node[0], f"win:{self._claim.prover}{bound}")

    def _weakened(self, node: Node) -> Node:
        """Give up resources while the verdict stays, as far as chance will have it."""
        sign = 1 if self._holder == 0 else -1
        changes = [("coins", -sign), ("patience", -sign), ("budget", sign)] * 3
        for name, change in self._rng.sample(changes, self._rng.randint(0, len(changes))):
            amount = getattr(node[0], name) + change
            weaker = (node[0]._replace(**{name: max(0, amount)}), node[1])
            if self._is_holders(weaker) and self._part(weaker).verdict == self._claim.verdict:
                node = weaker
        return node

    def _is_holders(self, node: Node) -> bool:
        ended = self._game.outcome(node[0]) is not None or node[1] == 0
        return not ended and bool(self._game.to_move(node[0]) == self._holder)

    def _after(self, node: Node) -> list[Node]:
        if self._game.outcome(node[0]) is not None or node[1] == 0:
            return []
        moves = [self._moves[node]] if self._is_holders(node) else self._game.moves(node[0])
        plies = None if node[1] is None else node[1] - 1
        return [(self._game.play(node[0], move), plies) for move in moves]

    def _rank(self, node: Node) -> int:
        """The number of entries on the longest line from here."""
        if self._is_holders(node):
            node = node if node in self._moves else self._weaker[node]
        below = max(map(self._rank, self._after(node)), default=0)
        return below + self._is_holders(node)

    def _entry(self, node: Node) -> Entry:
        rank = 4 * self._rank(node) + self._rng.randint(0, 3)
        if node in self._twins:
            rank += self._rng.choice([0, 4, 8])
        proven = self._claim.verdict == "proven"
        text = self._game.format(node[0])
        return Entry("~", text, self._moves[node], rank if proven else None, node[1])
