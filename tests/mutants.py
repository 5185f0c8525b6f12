"""Semantic mutants of certificates: files with a right digest that say something else.

Half of them are certificates with something changed, half are made up: a strategy of random moves,
closed under all replies, with ranks as good as it allows, for a verdict that may be wrong.

A mutant may still be valid (a rank may grow, entries may change places): `valid` tells. So the test
of a checker, whichever it is, is that it accepts exactly the valid files of `mutant_files`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from andorra.certificate import Certificate, Entry, Part, VerdictName
from andorra.rulebook import make
from certificates import (
    SIDES,
    AnyGame,
    Node,
    body_is_valid,
    body_of,
    make_certificate,
    make_draw,
    make_length,
    make_score,
    pack,
)
from cover_certificates import CoverMaker
from mutations import Mutant, mutants
from random_graphs import random_graph, with_scores

LARGEST_SUBJECT = 60
"""Entries of a certificate that mutants are made of: validity is tested by brute force."""


WAYS = (">=", "<=")
VERDICTS: tuple[VerdictName, VerdictName] = ("proven", "disproven")
Moves = dict[Node, list[tuple[Any, Node]]]


@dataclass(frozen=True)
class MutantFile:
    """A file on disk that a checker must accept exactly if it is valid."""

    path: Path
    what: str
    valid: bool


def mutant_files(folder: Path, count: int, seed: int = 0, each: int = 25) -> Iterator[MutantFile]:
    """Write `count` files, `each` mutants of every subject; different ones for each seed."""
    made = islice(_all_mutants(random.Random(seed), each), count)
    for number, mutant in enumerate(made):
        path = folder / f"mutant-{seed}-{number}.cert"
        path.write_bytes(pack(mutant.body))
        yield MutantFile(path, mutant.what, body_is_valid(mutant.body))


def _all_mutants(rng: random.Random, each: int) -> Iterator[Mutant]:
    for subject in subjects(rng):
        yield Mutant("nothing", body_of(subject).encode())
        yield from mutants(subject, rng, each // 2)
        for _ in range(each // 2):
            lie = made_up(subject, rng)
            yield Mutant("made up", body_of(lie).encode())
            yield from mutants(lie, rng, rng.choice([0, 0, 1]))


def subjects(rng: random.Random) -> Iterator[Certificate]:
    """Valid certificates without end, most of them of random graphs, none of them large."""
    while True:
        make_one = rng.choice(
            [_graph_subject] * 4 + [_score_subject] * 2 + [_toll_subject] * 3 + [_board_subject]
        )
        certificate = make_one(rng)
        size = sum(len(part.entries) for part in certificate.parts) if certificate else 0
        if certificate and 0 < size <= LARGEST_SUBJECT:
            yield certificate


def _graph_subject(rng: random.Random) -> Certificate | None:
    text = random_graph(rng.randrange(1 << 30)).text
    if text.count("\n") > 80:
        return None
    game = make("graph", make("graph", text).data())
    if rng.random() < 0.4:
        return rng.choice([make_draw, make_length])(game, rng=rng)
    return make_certificate(game, _question(rng, 8), rng=rng)


def _score_subject(rng: random.Random) -> Certificate | None:
    if rng.random() < 0.2:
        return _dots_subject(rng)
    text = random_graph(rng.randrange(1 << 30)).text
    if text.count("\n") > 80:
        return None
    game = make("graph", make("graph", with_scores(text, rng.randrange(1 << 30))).data())
    if rng.random() < 0.5:
        return make_score(game, rng=rng)
    return make_certificate(game, f"score{rng.choice(WAYS)}{rng.randint(-5, 5)}", rng=rng)


def _dots_subject(rng: random.Random) -> Certificate | None:
    game = make(rng.choice(["dots:1x1", "dots:2x1", "dots:2x2"]))
    state = game.initial()
    for _ in range(6 if game.parameters == "2x2" else 2):
        state = game.play(state, rng.choice(game.moves(state)))
    return make_score(game, state, rng)


def _toll_subject(rng: random.Random) -> Certificate | None:
    game = make(f"toll:{rng.randint(1, 3)}")
    sizes = (rng.randint(0, 4), rng.randint(0, 2), rng.randint(0, 5))
    root = game.parse("0 - {} {} {} k".format(*sizes))
    if rng.random() < 0.2:
        return make_certificate(game, _question(rng, 8), root, rng)
    return CoverMaker(game, _question(rng, 8), root, rng).certificate()


def _board_subject(rng: random.Random) -> Certificate | None:
    game = make(rng.choice(["mnk:3,3,3", "connect4:4x4", "hex:3", "breakthrough:4x3x1"]))
    state = game.initial()
    for _ in range({"breakthrough": 1, "connect4": 9}.get(game.name, 3)):
        state = game.play(state, rng.choice(game.moves(state))) if game.moves(state) else state
    if rng.random() < 0.4:
        return rng.choice([make_draw, make_length])(game, state, rng)
    return make_certificate(game, _question(rng, 6), state, rng)


def _question(rng: random.Random, longest: int) -> str:
    side = rng.choice(["", ":first", ":second"])
    return f"win{side}" + (f"<={rng.randint(0, longest)}" if rng.random() < 0.3 else "")


def made_up(certificate: Certificate, rng: random.Random) -> Certificate:
    """A claim about the same root, by a strategy of random moves that looks well made."""
    game = make(certificate.game, certificate.data)
    prover, verdict = rng.choice(SIDES), rng.choice(VERDICTS)
    holder = SIDES.index(prover) ^ (verdict == "disproven")
    within = rng.choice([None, None, rng.randint(1, 6)])
    after = _random_strategy(game, (game.parse(certificate.position), within), holder, rng)
    ranks = _ranks(game, after, holder) if verdict == "proven" else {}
    entries = [
        Entry("=", game.format(s), game.format_move(s, moves[0][0]), ranks.get(node), node[1])
        for node, moves in after.items()
        if moves and game.to_move(s := node[0]) == holder
    ]
    question = f"win:{prover}" + ("" if within is None else f"<={within}")
    part = Part(question, prover, within, verdict, tuple(entries))
    return replace(certificate, value=rng.choice(["-", "-", certificate.value]), parts=(part,))


def _random_strategy(game: AnyGame, root: Node, holder: int, rng: random.Random) -> Moves:
    """All nodes that the holder's random choices leave reachable, with the moves made there."""
    after: Moves = {}
    waiting = [root]
    while waiting and len(after) < 4 * LARGEST_SUBJECT:
        node = waiting.pop()
        if node not in after:
            state, plies = node
            left = None if plies is None else plies - 1
            moves = list(game.moves(state)) if plies != 0 else []
            if game.to_move(state) == holder and moves:
                moves = [rng.choice(moves)]
            after[node] = [(move, (game.play(state, move), left)) for move in moves]
            waiting += [node for _, node in after[node]]
    return after


def _ranks(game: AnyGame, after: Moves, holder: int) -> dict[Node, int]:
    """Ranks that fall wherever they can: around cycles they cannot."""
    ranks = dict.fromkeys(after, 0)
    for _ in range(12):
        for node, moves in list(after.items())[::-1]:
            highest = max((ranks.get(next_node, 0) for _, next_node in moves), default=0)
            holders = bool(moves) and game.to_move(node[0]) == holder
            ranks[node] = min(highest + holders, 12)
    return ranks
