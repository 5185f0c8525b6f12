"""Forgeries by what the text says of the rules, and by how it is spelled.

A strategy for other rules than the certificate names holds by those; data that one reader may read
otherwise than another is a lie to one of them; numbers and lines that are spelled as the grammar
does not allow may mean something to a lenient reader.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from andorra.errors import AndorraError
from andorra.rulebook import make
from forging_claims import (
    Forgery,
    Strategy,
    by_doctor,
    certificate_of,
    forged,
    honest_part,
    some_claim,
)
from forging_extras import DOCTORS
from forging_grounds import Claim, Ground
from random_graphs import SWAPPED, Graph

RELATED = {
    "mnk:3,3,3": ["mnk:3,3,2", "mnk:3,3,4"],
    "mnk:3,2,2": ["mnk:3,2,3", "mnk:3,2,1"],
    "toll:1": ["toll:2"],
    "toll:2": ["toll:1", "toll:3"],
    "toll:3": ["toll:2", "toll:4"],
    "tsume": ["tsume:muda"],
    "tsume:muda": ["tsume"],
    "rolit:4x4,2,1": ["rolit:4x4,2,2", "rolit:4x4,3,1"],
    "rolit:3x3,3,2": ["rolit:3x3,3,1", "rolit:3x3,2,2"],
}
"""Games that write positions in the same way."""
ATTEMPTS = 30
SEPARATORS = ("\n", "\r", "\r\n", "\u2028", "\x85", "\x0b", "\x0c", "\x1c", "\u2029", " # ", "\0")
BLANKS = (" ", "\t", "\r", "\u00a0", "\u3000", " #", "  ")


def _similar(ground: Ground, rng: random.Random) -> tuple[Ground, tuple[str, str] | None] | None:
    """A ground with the same positions and other rules; in a graph, also the line that differs."""
    data = ground.game.data()
    if data is None:
        specs = RELATED.get(ground.game.spec())
        return None if specs is None else (_elsewhere(ground, make(rng.choice(specs))), None)
    graph = Graph.parse(data)
    name = rng.choice(list(graph.nodes))
    words = graph.nodes[name]
    new = rng.choice([(SWAPPED.get(words[0], "draw"), *words[1:]), ("win",), ("loss",)])
    changed = Graph(graph.root, graph.nodes | {name: new})
    other = _elsewhere(ground, make("graph", make("graph", changed.text()).data()))
    return other, (f"{name}: {' '.join(words)}", f"{name}: {' '.join(new)}")


def _elsewhere(ground: Ground, game: object) -> Ground:
    starts = []
    for text in ground.texts[:40]:
        try:
            starts.append(game.parse(text))  # type: ignore[attr-defined]
        except AndorraError:
            continue
    return Ground(ground.kind, game, starts, 1_500)  # type: ignore[arg-type]


def _false_here(ground: Ground, there: Ground, rng: random.Random) -> tuple[Claim, Claim] | None:
    """A claim that is false here, and true there."""
    for _ in range(ATTEMPTS):
        claim = some_claim(ground, rng, true=False)
        root = there.by_text.get(ground.texts[claim.root])
        if root is not None and there.is_true(replace(claim, root=root)):
            return claim, replace(claim, root=root)
    return None


def other_rules(ground: Ground, rng: random.Random) -> Forgery | None:
    """The strategy holds, by other rules."""
    made = _by_other_rules(ground, rng)
    return None if made is None else made[0]


def _by_other_rules(
    ground: Ground, rng: random.Random
) -> tuple[Forgery, tuple[str, str] | None] | None:
    found = _similar(ground, rng)
    claims = None if found is None else _false_here(ground, found[0], rng)
    if found is None or claims is None:
        return None
    here, there = claims
    part = honest_part(found[0], there, rng)
    certificate = certificate_of(ground, here.root, [part], rng)
    return forged("other_rules", ground, certificate), found[1]


def two_readings(ground: Ground, rng: random.Random) -> Forgery | None:
    """The graph's text says one thing to one reader, and to another what the strategy needs."""
    made = _by_other_rules(ground, rng)
    if made is None or made[1] is None:
        return None
    forgery, (old, new) = made[0], made[1]
    lines = rng.choice([list(_with_both(old, new, rng)), list(_misspelt(new, rng))])
    body = forgery.body.replace(f"\n{old}\n", f"\n{rng.choice(lines)}\n", 1)
    head, _, rest = body.partition("\nposition ")
    spec, count, *data = head.split("\n")
    if rng.random() < 0.9:
        count = f"data {len(data)}"
    return replace(
        forgery,
        strategy="two_readings",
        body="\n".join([spec, count, *data]) + f"\nposition {rest}",
    )


def _with_both(old: str, new: str, rng: random.Random) -> Iterator[str]:
    separator = rng.choice(SEPARATORS)
    yield f"{old}{separator}{new}"
    yield f"{new}{separator}{old}"
    yield f"#{separator}{new}\n{old}"
    yield f"{old}\nguess {old.partition(':')[0]} 1 1"
    yield f"{old}\nroot {old.partition(':')[0]}"


def _misspelt(new: str, rng: random.Random) -> Iterator[str]:
    blank = rng.choice(BLANKS)
    yield f"{new}{blank}"
    yield f"{blank}{new}"
    yield new.replace(" ", f" {blank}", 1)
    yield new.replace(":", f"{blank}:", 1)
    yield new.replace(": win", ": proven").replace(": loss", ": disproven") + "#"


def misspelt(ground: Ground, rng: random.Random) -> Forgery | None:
    """A forgery by a doctor, with a line, a number or the game spelled in some other way."""
    forgery = by_doctor(DOCTORS[rng.choice(list(DOCTORS))], ground, rng)
    if forgery is None:
        return None
    lines = forgery.body.split("\n")
    number = rng.choice([0, rng.randrange(len(lines) - 1)])
    line = rng.choice(list(_spellings(lines[number], rng)))
    body = "\n".join([*lines[:number], line, *lines[number + 1 :]])
    return replace(forgery, strategy="misspelt", body=body, complete=False)


def _spellings(line: str, rng: random.Random) -> Iterator[str]:
    digits = [i for i, letter in enumerate(line) if letter.isdigit()]
    if digits:
        i = rng.choice(digits)
        for digit in ("0" + line[i], "+" + line[i], "-" + line[i], line[i] + "_0", line[i] + ".0"):
            yield line[:i] + digit + line[i + 1 :]
        yield line[:i] + chr(0x0660 + int(line[i])) + line[i + 1 :]
        yield line[:i] + line[i] * 19 + line[i + 1 :]
    yield line + rng.choice(BLANKS)
    yield line.replace("\t", " ", 1)
    yield line.replace("\t", "\t\t", 1) + " "
    yield line.swapcase()
    yield f"{line}{rng.choice(SEPARATORS)}{line}"
    yield f"{line}:"


TEXTS: dict[str, Strategy] = {
    strategy.__name__: strategy for strategy in (other_rules, two_readings, misspelt)
}
