"""Forged certificates: a false claim, a strategy of forging, and the text of the file.

Each entry of `STRATEGIES` is a way to forge, by name: one for each of `DOCTORS`, whose tables
overlook one thing, and some whose tables hold, but for something else than is claimed. A strategy
gives None where the ground offers nothing to it. `honest` makes certificates that hold, by the same
means, so that a checker that rejects everything is found out.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from andorra.certificate import Certificate, Part, Value, VerdictName
from certificates import SIDES, body_of, value_follows
from forging_doctors import Delay
from forging_extras import DOCTORS, both
from forging_grounds import Ask, Claim, Ground, TooLargeError
from forging_tables import Doctor, Table, table_for

A_GROUND = 20
"""Forgeries on one ground."""
TRIES = 12
ENOUGH = 3
"""Claims that are granted: the one with the largest table is made."""
VALUES: tuple[Value, ...] = ("win", "draw", "loss")
VERDICTS: tuple[VerdictName, VerdictName] = ("disproven", "proven")


@dataclass(frozen=True)
class Forgery:
    """A certificate that nobody may accept, unless it is `true`."""

    strategy: str
    kind: str
    """Of the ground."""
    body: str
    complete: bool = True
    """Nothing but what the strategy is about is wrong."""
    true: bool = False


Strategy = Callable[[Ground, random.Random], Forgery | None]


# Claims.


def some_claim(ground: Ground, rng: random.Random, true: bool, root: int | None = None) -> Claim:
    """A claim that is true, or one that is not, mostly by little."""
    starts = [i for i in range(len(ground)) if ground.outcomes[i] is None]
    root = rng.choice([*starts, *starts[:1] * (len(starts) // 2)]) if root is None else root
    ask = _some_ask(ground, rng, root)
    claim = Claim(root, ask, "proven")
    return claim if ground.is_true(claim) == true else replace(claim, verdict="disproven")


def _some_ask(ground: Ground, rng: random.Random, root: int) -> Ask:
    prover, way = rng.randrange(2), rng.random()
    least, most = ground.scores[root]
    if way < 0.2 and (most - least > 2 or ground.kind == "runs"):
        return Ask(prover, score=rng.randint(least - 1, most + 1))
    if way < 0.6:
        return Ask(prover)
    level = ground.levels(prover, None)[root]
    near = [1, 2, 3, 4, 5] if level is None else [level - 2, level - 1, level - 1, level, level + 1]
    return Ask(prover, min(12, max(0, rng.choice(near))))


def honest_part(ground: Ground, claim: Claim, rng: random.Random) -> Part:
    """The part that shows a true claim."""
    table = table_for(Delay, ground, claim, rng)
    if not table.complete:
        raise TooLargeError(claim)
    return claim.part(table.entries())


# Certificates.


def certificate_of(
    ground: Ground, root: int, parts: Sequence[Part], rng: random.Random
) -> Certificate:
    """Parts for one position, put together, with a value that follows from them, or none."""
    game = ground.game
    parts = tuple(_disguised(part, ground, root, rng) for part in parts)
    value = rng.choice([*[v for v in VALUES if value_follows(v, parts, game)] * 3, "-"])
    return Certificate(game.spec(), game.data(), ground.texts[root], value, parts)


def _disguised(part: Part, ground: Ground, root: int, rng: random.Random) -> Part:
    """The same in another order, with another spelling of the question where there is one."""
    bare = part.question.replace(f"win:{SIDES[ground.sides[root]]}", "win")
    question = bare if rng.random() < 0.3 else part.question
    return replace(
        part, question=question, entries=tuple(rng.sample(part.entries, len(part.entries)))
    )


def _with_partner(ground: Ground, claim: Claim, part: Part, rng: random.Random) -> list[Part]:
    """Another part, which is true, so that the two say something together."""
    found = list(_partners(ground, claim, rng))
    if not found or rng.random() < 0.7:
        return [part]
    first, other = rng.choice(found)
    whole = honest_part(ground, other, rng)
    return [whole, part] if first else [part, whole]


def _partners(ground: Ground, claim: Claim, rng: random.Random) -> Iterator[tuple[bool, Claim]]:
    """True claims that go with this one, and whether they come first."""
    ask, by = claim.ask, rng.choice([1, 1, 2])
    others: list[tuple[bool, Ask]] = []
    if ask.score is not None:
        better = 1 if ask.prover == 0 else -1
        sign = better if claim.proven else -better
        others = [(not claim.proven, ask._replace(score=ask.score + sign * by))]
    elif claim.proven:
        fewer = (ask.within or 6) - by
        others = [(False, ask._replace(within=fewer))] if fewer >= 0 else []
    elif ask.within is not None:
        others = [(True, ask._replace(within=None)), (True, ask._replace(within=ask.within + by))]
    else:
        others = [(ask.prover == 1, Ask(1 - ask.prover))]
    alike = claim.ask.within is None and claim.ask.score is None and not claim.proven
    for first, other in others:
        verdict = claim.verdict if alike else VERDICTS[not claim.proven]
        partner = Claim(claim.root, other, verdict)
        if ground.is_true(partner):
            yield first, partner


def forged(
    strategy: str, ground: Ground, certificate: Certificate, complete: bool = True
) -> Forgery:
    """The forgery that this certificate is."""
    return Forgery(strategy, ground.kind, body_of(certificate), complete)


# Strategies.


def by_doctor(doctor: type[Doctor], ground: Ground, rng: random.Random) -> Forgery | None:
    """A false claim that the doctored rules grant, if one is found soon, with many lines."""
    tables: list[Table] = []
    for _ in range(TRIES):
        claim = some_claim(ground, rng, true=False)
        if doctor.applies(ground, claim):
            tables.append(table_for(doctor, ground, claim, rng))
            if sum(table.complete or doctor is Delay for table in tables) == ENOUGH:
                break
    if not tables:
        return None
    best = max(tables, key=lambda table: (table.complete, len(table.reached)))
    part = best.claim.part(best.entries())
    parts = _with_partner(ground, best.claim, part, rng)
    certificate = certificate_of(ground, best.claim.root, parts, rng)
    return forged(doctor.__name__, ground, certificate, best.complete)


def mixed(ground: Ground, rng: random.Random) -> Forgery | None:
    """Two things are overlooked."""
    doctor = both(*rng.sample(list(DOCTORS.values()), 2))
    return None if doctor is None else by_doctor(doctor, ground, rng)


def honest(ground: Ground, rng: random.Random) -> Forgery:
    """A certificate that holds."""
    claim = some_claim(ground, rng, true=True)
    parts = _with_partner(ground, claim, honest_part(ground, claim, rng), rng)
    made = certificate_of(ground, claim.root, parts, rng)
    return Forgery("honest", ground.kind, body_of(made), true=True)


def false_value(ground: Ground, rng: random.Random) -> Forgery | None:
    """Every part holds; the value is another."""
    claim = some_claim(ground, rng, true=True)
    parts = _with_partner(ground, claim, honest_part(ground, claim, rng), rng)
    made = certificate_of(ground, claim.root, parts, rng)
    value = rng.choice(_wrong_values(ground, claim.root))
    return forged("false_value", ground, replace(made, value=value))


def _wrong_values(ground: Ground, root: int) -> list[Value]:
    return [value for value in VALUES if value != ground.value(root)]


def misfit(ground: Ground, rng: random.Random) -> Forgery | None:
    """Every part holds; together they show nothing, or not this value."""
    claim = some_claim(ground, rng, true=True)
    other = some_claim(ground, rng, true=True, root=claim.root)
    parts = [honest_part(ground, one, rng) for one in (claim, other)]
    pairs = [*_partners(ground, claim, rng)] + [
        (not first, partner) for first, partner in _partners(ground, other, rng)
    ]
    if _may_fit(claim, other) or any(partner in (claim, other) for _, partner in pairs):
        return None
    made = certificate_of(ground, claim.root, parts, rng)
    value: Value = rng.choice(["-", *_wrong_values(ground, claim.root)])
    return forged("misfit", ground, replace(made, value=value))


def _may_fit(one: Claim, two: Claim) -> bool:
    """Whether two claims could say something together, whatever their numbers are."""
    same = one.ask.prover == two.ask.prover
    if (one.ask.score is None) != (two.ask.score is None):
        return False
    return (one.proven and not two.proven and same) or not (one.proven or two.proven or same)


def other_root(ground: Ground, rng: random.Random) -> Forgery | None:
    """The strategy holds, from another position."""
    claim = some_claim(ground, rng, true=True)
    part = honest_part(ground, claim, rng)
    roots = [
        i for i in [*ground.alike(claim.root), 0] if not ground.is_true(replace(claim, root=i))
    ]
    if not roots:
        return None
    if rng.random() < 0.5:
        part = replace(part, entries=tuple(replace(e, kind="~") for e in part.entries))
    return forged("other_root", ground, certificate_of(ground, rng.choice(roots), [part], rng))


def two_roots(ground: Ground, rng: random.Random) -> Forgery | None:
    """A pair of which each part holds, but each from a root of its own."""
    claim = some_claim(ground, rng, true=False)
    elsewhere = [i for i in range(len(ground)) if ground.is_true(replace(claim, root=i))]
    elsewhere = [i for i in elsewhere if ground.moves[i]]
    partners = list(_partners(ground, claim, rng))
    if not elsewhere or not partners:
        return None
    part = honest_part(ground, replace(claim, root=rng.choice(elsewhere)), rng)
    first, other = rng.choice(partners)
    parts = [part, honest_part(ground, other, rng)]
    made = certificate_of(ground, claim.root, parts[::-1] if first else parts, rng)
    return forged("two_roots", ground, made)


def other_prover(ground: Ground, rng: random.Random) -> Forgery | None:
    """The strategy holds, but the question is whether the other side wins."""
    claim = some_claim(ground, rng, true=True)
    if claim.ask.score is not None:
        return None
    part = honest_part(ground, claim, rng)
    sides = [SIDES[1 - claim.ask.prover]]
    mover = ground.sides[claim.root] != claim.ask.prover
    bound = "" if claim.ask.within is None else f"<={claim.ask.within}"
    words = [f"win:{side}{bound}" for side in sides] + [f"win{bound}"] * 2 * mover
    made = certificate_of(ground, claim.root, [part], rng)
    part = replace(made.parts[0], question=rng.choice(words))
    return forged("other_prover", ground, replace(made, parts=(part,)))


def other_bound(ground: Ground, rng: random.Random) -> Forgery | None:
    """The strategy holds within a number of plies that is not the question's."""
    claim = some_claim(ground, rng, true=True)
    within = claim.ask.within
    asks = [claim.ask._replace(within=other) for other in (None, *range(8)) if other != within]
    asks = [ask for ask in asks if not ground.is_true(replace(claim, ask=ask))]
    if within is None or not asks:
        return None
    part = honest_part(ground, claim, rng)
    ask = rng.choice(asks)
    if rng.random() < 0.5:
        return forged("other_bound", ground, _asking(ground, claim, part, ask.question, rng))
    if ask.within is None:
        entries = tuple(replace(e, plies=None) for e in part.entries)
    else:
        by = ask.within - within
        entries = tuple(replace(e, plies=max(0, (e.plies or 0) + by)) for e in part.entries)
    part = replace(part, within=ask.within, entries=entries)
    return forged("other_bound", ground, _asking(ground, claim, part, ask.question, rng))


def _asking(
    ground: Ground, claim: Claim, part: Part, question: str, rng: random.Random
) -> Certificate:
    return certificate_of(ground, claim.root, [replace(part, question=question)], rng)


def turned(ground: Ground, rng: random.Random) -> Forgery | None:
    """The same strategy of the same holder, as if it showed the contrary or more."""
    claim = some_claim(ground, rng, true=True)
    ask = claim.ask
    flipped = replace(claim, verdict=VERDICTS[not claim.proven])
    lies = [flipped, replace(flipped, ask=ask._replace(prover=1 - ask.prover))]
    lies = [lie for lie in lies if not ground.is_true(lie)]
    if not lies:
        return None
    lie, part = rng.choice(lies), honest_part(ground, claim, rng)
    ranks = [1 + rng.randrange(9) if lie.proven else None for _ in part.entries]
    entries = [replace(e, rank=rank) for e, rank in zip(part.entries, ranks, strict=True)]
    return forged("turned", ground, certificate_of(ground, claim.root, [lie.part(entries)], rng))


STRATEGIES: dict[str, Strategy] = {
    **{name: partial(by_doctor, doctor) for name, doctor in DOCTORS.items()},
    **{
        strategy.__name__: strategy
        for strategy in (
            *(mixed, false_value, misfit, other_root, two_roots, other_prover, other_bound, turned),
        )
    },
}
