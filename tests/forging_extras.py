"""What a checker could overlook if entries are added to those of a table, a class each.

Twins of entries, entries that only look like those that are missing, entries beside the one that
serves. `DOCTORS` are all that there are, those of `forging_doctors.py` among them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from andorra.certificate import Entry
from forging_doctors import PLAIN, EndlessLines, Holes, WrongWay
from forging_tables import Doctor, Node, Table


class Twins(EndlessLines):
    """Two entries for a position: one has the rank to be reached, the other that to go on."""

    def extra(self, table: Table) -> Iterator[Entry]:
        ranks = table.ranks()
        for _, node in table.backwards:
            yield from self.twins(table, node, ranks)

    def twins(self, table: Table, node: Node, ranks: dict[Node, int]) -> Iterator[Entry]:
        """What goes with the entry that serves a node to which a line comes back."""
        entry = table.play.get(node, node)
        if entry.by and entry in table.play:
            one = table.entry(entry, self.rng.choice([1, ranks.get(entry, 1) + 9]))
            yield replace(one, kind=self.rng.choice(["=", "~"]))


class Respelled(Twins):
    """The same, and the second is spelled as the game does not write it."""

    def twins(self, table: Table, node: Node, ranks: dict[Node, int]) -> Iterator[Entry]:
        for twin in super().twins(table, node, ranks):
            yield replace(twin, position=respelled(self, twin.position))


class Disguised(Holes):
    """Where an entry would be needed there is one whose text only looks like the position."""

    def extra(self, table: Table) -> Iterator[Entry]:
        ranks = table.ranks()
        for node in table.reached:
            moves = self.ground.moves[node.position]
            if table.verdicts.get(node) and moves and self.holds(node.position):
                move = self.rng.choice(moves)[0]
                text = respelled(self, self.ground.texts[node.position])
                if self.rng.random() < 0.3:
                    text, move = self.ground.texts[node.position], respelled(self, move)
                rank = ranks.get(node, 0) + 1 if self.claim.proven else None
                yield Entry(self.rng.choice(["=", "~"]), text, move, rank, node.plies)


class Overruled(WrongWay):
    """Exact entries, or better covers, stand beside the cover that is to serve in their place."""

    def extra(self, table: Table) -> Iterator[Entry]:
        ranks = table.ranks()
        for node, entry in table.play.items():
            if not node.by and entry.position != node.position and entry.plies == node.plies:
                others = {node.position, *self.ground.cousins(node.position)} - {entry.position}
                i = self.rng.choice([node.position, *sorted(others)])
                rank = max(1, ranks[entry] + self.rng.randint(-2, 1)) if self.claim.proven else None
                if self.ground.moves[i]:
                    text, move = self.ground.texts[i], self.rng.choice(self.ground.moves[i])[0]
                    yield Entry(self.rng.choice(["=", "~"]), text, move, rank, node.plies)


class Islands(Holes):
    """Where an entry is missing, others that no line reaches are to make up for it."""

    def extra(self, table: Table) -> Iterator[Entry]:
        reached = {node.position for node in table.reached}
        for i in range(len(self.ground)):
            fits = self.ground.moves[i] and self.ground.sides[i] == self.claim.holder
            if fits and i not in reached and self.rng.random() < 0.3:
                move = self.rng.choice(self.ground.moves[i])[0]
                rank = self.rng.randint(1, 9) if self.claim.proven else None
                within = self.claim.ask.within
                yield Entry("=", self.ground.texts[i], move, rank, within)


LOOKALIKES = dict(
    zip(
        "xocABCnk./ -'0123456789",
        "\u0445\u043e\u0441\u0410\u0392\u0421\u0578\u043a\u2024\u2215\u00a0\u2010\u2019"
        "\uff10\uff11\uff12\uff13\uff14\uff15\uff16\uff17\uff18\uff19",
        strict=True,
    )
)


def respelled(doctor: Doctor, text: str) -> str:
    """A text that looks the same, or that a kind reader takes for the same."""
    rng, game = doctor.rng, doctor.ground.game.name
    ways = [f"{text} ", f" {text}", f"{text}\r", f"{text}\0", f"{text}\u200b", f"\ufeff{text}"]
    ways += [text.replace(old, new, 1) for old, new in LOOKALIKES.items() if old in text]
    ways += [text.upper(), text.lower(), text.swapcase(), f"{text}#", text.replace(" ", "  ", 1)]
    if game == "toll":
        ways += [text.replace(" ", " 0", 1), text.replace(" 0", " 00", 1), f"+{text}"] * 2
    readable = {
        "tsume": [f"sfen {text}", f"position sfen {text}", text.replace(" 1", " 2")],
        "cops": [f">>graph6<<{text}"],
    }
    ways = readable.get(game, ways) if rng.random() < 0.9 else ways
    return rng.choice([way for way in ways if way != text])


STRICTNESS = ("no", "runs", "entries", "all")


def both(one: type[Doctor], two: type[Doctor]) -> type[Doctor] | None:
    """A doctor who overlooks two things; None where one is a kind of the other."""
    if issubclass(one, two) or issubclass(two, one):
        return None
    applies = classmethod(lambda _, *about: one.applies(*about) or two.applies(*about))
    endless = max(one.endless, two.endless, key=STRICTNESS.index)
    shares = max(one.shares, two.shares, key=len)
    return type("mixed", (one, two), {"applies": applies, "endless": endless, "shares": shares})


EXTRAS: tuple[type[Doctor], ...] = (Twins, Respelled, Disguised, Overruled, Islands)
DOCTORS: dict[str, type[Doctor]] = {doctor.__name__: doctor for doctor in (*PLAIN, *EXTRAS)}
