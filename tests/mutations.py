"""Changes of what a certificate says, one function a change.

Each takes a certificate and gives another, which may be wrong in any way that its text can express,
or the same where the change does not apply. `CHANGES` lists them; `change_text` works on a body.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from andorra.certificate import Certificate, Entry, Kind, Part, Value
from andorra.rulebook import make
from certificates import SIDES, AnyGame, body_of, score_of

KINDS: tuple[Kind, Kind] = ("=", "~")
VALUES: tuple[Value, ...] = ("win", "draw", "loss", "-")
GARBAGE = ("", "?", "-", "=", "xx/xx", "99999999999999999999", "\u00e9")


@dataclass(frozen=True)
class Mutant:
    """A changed certificate's body, and what was changed."""

    what: str
    body: bytes


def mutants(certificate: Certificate, rng: random.Random, count: int) -> Iterator[Mutant]:
    """Mutants with one change, now and then two."""
    for _ in range(count):
        changed, whats = certificate, list[str]()
        for _ in range(rng.choice([1, 1, 1, 2])):
            change = rng.choice(CHANGES)
            changed = change(changed, rng)
            whats.append(change.__name__)
        if rng.random() < 0.3:
            changed = replace(changed, value="-")
        body = body_of(changed)
        if rng.random() < 0.15:
            body = change_text(body, rng)
            whats.append("text")
        yield Mutant(" and ".join(whats), body.encode())


def _reachable(certificate: Certificate, rng: random.Random) -> tuple[AnyGame, Any]:
    """A state of the game, by a random line from the root."""
    game = make(certificate.game, certificate.data)
    state = game.parse(certificate.position)
    for _ in range(rng.randint(0, 8)):
        moves = game.moves(state)
        state = game.play(state, rng.choice(moves)) if moves else state
    return game, state


def _in_a_part(
    change: Callable[[Certificate, Part, random.Random], Part],
) -> Callable[[Certificate, random.Random], Certificate]:
    def changed(certificate: Certificate, rng: random.Random) -> Certificate:
        if not certificate.parts:
            return certificate
        number = rng.randrange(len(certificate.parts))
        parts = list(certificate.parts)
        parts[number] = change(certificate, parts[number], rng)
        return replace(certificate, parts=tuple(parts))

    changed.__name__ = change.__name__
    return changed


def _in_an_entry(
    change: Callable[[Certificate, Entry, random.Random], Entry],
) -> Callable[[Certificate, random.Random], Certificate]:
    def changed(certificate: Certificate, part: Part, rng: random.Random) -> Part:
        if not part.entries:
            return part
        number = rng.randrange(len(part.entries))
        entries = list(part.entries)
        entries[number] = change(certificate, entries[number], rng)
        return replace(part, entries=tuple(entries))

    changed.__name__ = change.__name__
    return _in_a_part(changed)


def _insert(part: Part, rng: random.Random, *entries: Entry) -> Part:
    place = rng.randint(0, len(part.entries))
    return replace(part, entries=part.entries[:place] + entries + part.entries[place:])


@_in_a_part
def drop_entry(certificate: Certificate, part: Part, rng: random.Random) -> Part:
    """Drop an entry."""
    gone = rng.randrange(len(part.entries)) if part.entries else 0
    return replace(part, entries=part.entries[:gone] + part.entries[gone + 1 :])


@_in_a_part
def duplicate_entry(certificate: Certificate, part: Part, rng: random.Random) -> Part:
    """Repeat an entry, with another kind now and then."""
    if not part.entries:
        return part
    entry = rng.choice(part.entries)
    return _insert(part, rng, replace(entry, kind=rng.choice(KINDS)))


@_in_a_part
def add_entry(certificate: Certificate, part: Part, rng: random.Random) -> Part:
    """Add an entry with a legal move in some position."""
    return _insert(part, rng, *_legal_entry(certificate, part, rng))


@_in_a_part
def add_island(certificate: Certificate, part: Part, rng: random.Random) -> Part:
    """Add several entries, some of which may refer to each other only."""
    new = [entry for _ in range(4) for entry in _legal_entry(certificate, part, rng)]
    return _insert(part, rng, *dict.fromkeys(new))


def _legal_entry(certificate: Certificate, part: Part, rng: random.Random) -> list[Entry]:
    try:
        game, state = _reachable(certificate, rng)
    except ValueError:
        return []
    if not game.moves(state):
        return []
    move = game.format_move(state, rng.choice(game.moves(state)))
    rank = rng.randint(1, 6) if part.verdict == "proven" else None
    plies = None if part.within is None else rng.randint(0, part.within)
    return [Entry(rng.choice(KINDS), game.format(state), move, rank, plies)]


@_in_a_part
def permute_entries(certificate: Certificate, part: Part, rng: random.Random) -> Part:
    """Shuffle the entries."""
    return replace(part, entries=tuple(rng.sample(part.entries, len(part.entries))))


@_in_a_part
def swap_ranks(certificate: Certificate, part: Part, rng: random.Random) -> Part:
    """Exchange the ranks of two entries."""
    if len(part.entries) < 2:
        return part
    a, b = rng.sample(range(len(part.entries)), 2)
    entries = list(part.entries)
    entries[a] = replace(part.entries[a], rank=part.entries[b].rank)
    entries[b] = replace(part.entries[b], rank=part.entries[a].rank)
    return replace(part, entries=tuple(entries))


@_in_a_part
def spread_ranks(certificate: Certificate, part: Part, rng: random.Random) -> Part:
    """Change all ranks, in a way that mostly keeps their order."""
    factor, shift = rng.randint(1, 3), rng.randint(-1, 2)
    entries = tuple(
        replace(entry, rank=entry.rank and max(0, entry.rank * factor + shift))
        for entry in part.entries
    )
    return replace(part, entries=entries)


@_in_an_entry
def change_move(certificate: Certificate, entry: Entry, rng: random.Random) -> Entry:
    """Play another legal move, or none."""
    try:
        game = make(certificate.game, certificate.data)
        state = game.parse(entry.position)
    except ValueError:
        return entry
    texts = [game.format_move(state, move) for move in game.moves(state)]
    others = [text for text in texts if text != entry.move]
    if others and rng.random() < 0.85:
        return replace(entry, move=rng.choice(others))
    return replace(entry, move=rng.choice(GARBAGE))


@_in_an_entry
def change_rank(certificate: Certificate, entry: Entry, rng: random.Random) -> Entry:
    """Raise or lower a rank; in a disproof, add one now and then."""
    if entry.rank is None and rng.random() < 0.8:
        return entry
    old = entry.rank or 0
    return replace(entry, rank=rng.choice([old - 1, old + 1, old + 2, 1, 1, 10**17, 10**18]))


@_in_an_entry
def change_kind(certificate: Certificate, entry: Entry, rng: random.Random) -> Entry:
    """Turn plain into cover, and back."""
    return replace(entry, kind="~" if entry.kind == "=" else "=")


@_in_an_entry
def change_plies(certificate: Certificate, entry: Entry, rng: random.Random) -> Entry:
    """Change the plies left; where there are none, add them now and then."""
    if entry.plies is None and rng.random() < 0.9:
        return entry
    old = entry.plies or 0
    return replace(entry, plies=rng.choice([old + 1, max(0, old - 1), old + 2, 0, None]))


@_in_an_entry
def change_position(certificate: Certificate, entry: Entry, rng: random.Random) -> Entry:
    """Let the entry be for another position."""
    try:
        game, state = _reachable(certificate, rng)
    except ValueError:
        return entry
    texts = [game.format(state)] * 5 + list(GARBAGE) + _other_spelling(game, rng)
    return replace(entry, position=rng.choice(texts))


@_in_an_entry
def change_resources(certificate: Certificate, entry: Entry, rng: random.Random) -> Entry:
    """In `toll`, let the entry be for a position with more or less of something."""
    fields = entry.position.split(" ")
    if not certificate.game.startswith("toll") or len(fields) != 6:
        return entry
    place = rng.randint(2, 4)
    fields[place] = str(max(0, int(fields[place]) + rng.choice([-1, 1])))
    return replace(entry, kind=rng.choice(KINDS), position=" ".join(fields))


@_in_a_part
def duplicate_resources(certificate: Certificate, part: Part, rng: random.Random) -> Part:
    """In `toll`, add entries for positions with more or less than others, of other ranks."""
    several = certificate
    for _ in range(3):
        several = change_rank(change_resources(replace(several, parts=(part,)), rng), rng)
    new = [entry for entry in several.parts[0].entries if entry not in part.entries]
    return _insert(part, rng, *new)


@_in_a_part
def flip_verdict(certificate: Certificate, part: Part, rng: random.Random) -> Part:
    """Claim the contrary, with ranks to match now and then."""
    proven = part.verdict == "proven"
    entries = part.entries
    if rng.random() < 0.7:
        entries = tuple(
            replace(e, rank=None if proven else len(entries) - i) for i, e in enumerate(entries)
        )
    return replace(part, verdict="disproven" if proven else "proven", entries=entries)


@_in_a_part
def flip_prover(certificate: Certificate, part: Part, rng: random.Random) -> Part:
    """Name the other prover, also in the question now and then."""
    prover = SIDES[1 - SIDES.index(part.prover)]
    bound = "" if part.within is None else f"<={part.within}"
    question = f"win:{prover}{bound}" if rng.random() < 0.6 else part.question
    return replace(part, prover=prover, question=question)


@_in_a_part
def flip_claim(certificate: Certificate, part: Part, rng: random.Random) -> Part:
    """Name the other prover and claim the contrary: the holder stays."""
    other = flip_prover(replace(certificate, parts=(part,)), rng)
    return flip_verdict(other, rng).parts[0]


@_in_a_part
def change_question(certificate: Certificate, part: Part, rng: random.Random) -> Part:
    """Ask another question, or the same in another spelling."""
    sides = ["", ":first", ":second", f":{part.prover}"]
    bounds = ["", "<=0", f"<={(part.within or 0) + 1}", f"<={part.within or 0}"]
    odd = ["win:", "win <=3", "mate<=3", "win<=03", "WIN", f"win:{part.prover}<="]
    odd += ["score", "score>=", "score>=03", "score>=-0", "score=3", "score>=+1"]
    if part.question.startswith("score") and rng.random() < 0.8:
        return replace(part, question=_other_score(part.question, rng))
    plain = f"win{rng.choice(sides)}{rng.choice(bounds)}"
    return replace(part, question=rng.choice([*[plain] * 6, *odd]))


def _other_score(question: str, rng: random.Random) -> str:
    """Another score, mostly; now and then for the other side."""
    score = score_of(question)
    if score is None:
        return question
    way = rng.choice([question[5:7]] * 5 + [">=", "<="])
    return f"score{way}{score + rng.choice([-2, -1, -1, 0, 1, 1, 2])}"


@_in_a_part
def change_within(certificate: Certificate, part: Part, rng: random.Random) -> Part:
    """Change the bound, mostly in the question too and with the entries' plies to match."""
    by = rng.choice([-2, -1, 1, 2])
    if part.within is None:
        within: int | None = rng.randint(0, 6)
    else:
        within = None if rng.random() < 0.2 else max(0, part.within + by)
    question = part.question.partition("<=")[0] + ("" if within is None else f"<={within}")
    if rng.random() < 0.3:
        return replace(part, within=within)
    entries = part.entries
    if rng.random() < 0.7:
        entries = tuple(replace(e, plies=_shifted(e.plies, by, within)) for e in entries)
    return replace(part, within=within, question=question, entries=entries)


def _shifted(plies: int | None, by: int, within: int | None) -> int | None:
    return None if within is None else max(0, (plies or within) + by)


def change_root(certificate: Certificate, rng: random.Random) -> Certificate:
    """Claim it for another position, mostly one where a side's moves were made already."""
    try:
        game, state = _reachable(certificate, rng)
    except ValueError:
        return certificate
    texts = [game.format(state)] * 5 + list(GARBAGE) + [certificate.position + " "]
    return replace(certificate, position=rng.choice([*texts, *_other_spelling(game, rng)]))


def _other_spelling(game: AnyGame, rng: random.Random) -> list[str]:
    """A position in a text that the game reads but does not write."""
    if game.name != "connect4":
        return []
    state, spelling = game.initial(), ""
    for _ in range(rng.randint(4, 9)):
        move = rng.choice(game.moves(state) or [0])
        state, spelling = game.play(state, move), spelling + game.format_move(state, move)
    return [spelling] * 10


def change_game(certificate: Certificate, rng: random.Random) -> Certificate:
    """Claim it for other parameters, or for another game."""
    similar = {
        "mnk:3,3,3": ["mnk:3,3,2", "mnk:3,4,3", "mnk:3,3,4", "mnk:03,3,3"],
        "connect4:4x4": ["connect4:4x5", "connect4:5x4", "connect4:04x4", "connect4:"],
        "hex:3": ["hex:4", "hex", "hex:3 "],
        "breakthrough:4x3x1": ["breakthrough:4x3", "breakthrough:4x4x1"],
    }
    tolls = [f"toll:{gates}" for gates in range(1, 5)] + ["toll"]
    others = [*similar.get(certificate.game, tolls), "chess", "graph:", "os:system"]
    return replace(certificate, game=rng.choice(others))


def change_data(certificate: Certificate, rng: random.Random) -> Certificate:
    """Change a line of the graph: an end, the order of moves, a move more or less, a comment."""
    if certificate.data is None:
        return replace(certificate, data="root A\nA: win\n") if rng.random() < 0.1 else certificate
    lines = certificate.data.split("\n")[:-1]
    number = rng.randrange(1, len(lines)) if len(lines) > 1 else 0
    lines[number] = _changed_node(lines[number], [line.split(":")[0] for line in lines[1:]], rng)
    changed = replace(certificate, data="".join(f"{line}\n" for line in lines))
    return changed if _is_readable(changed) else certificate


def _changed_node(line: str, names: list[str], rng: random.Random) -> str:
    name, _, words = line.partition(": ")
    kind, *successors = words.split(" ")
    fresh = [other for other in names if other not in successors]
    changes = [f"{name}: {rng.choice(['win', 'loss', 'draw'])}", f"{line} #"]
    if successors:
        extra = [*successors, rng.choice(fresh)] if fresh else successors
        for others in (rng.sample(successors, len(successors)), successors[1:], extra):
            changes.append(" ".join([f"{name}: {kind}", *others]))
        changes.append(" ".join([f"{name}: {'and' if kind == 'or' else 'or'}", *successors]))
    return rng.choice(changes)


def _is_readable(certificate: Certificate) -> bool:
    """Whether the rules can be read."""
    try:
        make(certificate.game, certificate.data)
    except ValueError:
        return False
    return True


def change_value(certificate: Certificate, rng: random.Random) -> Certificate:
    """Claim another value."""
    others = [value for value in VALUES if value != certificate.value]
    return replace(certificate, value=rng.choice(others))


def change_parts(certificate: Certificate, rng: random.Random) -> Certificate:
    """Drop, repeat or reorder the parts."""
    parts = certificate.parts
    choices = [parts[::-1], parts[:1], parts + parts, parts[-1:], ()]
    return replace(certificate, parts=rng.choice(choices))


CHANGES: tuple[Callable[[Certificate, random.Random], Certificate], ...] = (
    drop_entry,
    duplicate_entry,
    add_entry,
    add_island,
    permute_entries,
    swap_ranks,
    spread_ranks,
    change_move,
    change_move,
    change_rank,
    change_rank,
    change_kind,
    change_plies,
    change_position,
    change_resources,
    change_resources,
    duplicate_resources,
    flip_verdict,
    flip_prover,
    flip_claim,
    change_question,
    change_within,
    change_root,
    change_data,
    change_value,
    change_parts,
    change_game,
)


def change_text(body: str, rng: random.Random) -> str:
    """Change the text itself: a count, a line, a character."""
    lines = body.split("\n")
    place = rng.randrange(len(lines))
    counts = ("entries ", "parts ", "data ")
    counted = [i for i, line in enumerate(lines) if line.startswith(counts)]
    choices = (
        lambda: _with_line(lines, counted, rng),
        lambda: lines[:place] + lines[place + 1 :],
        lambda: [*lines[:place], lines[place], *lines[place:]],
        lambda: [*lines[:place], lines[place] + rng.choice(" \r\t0-="), *lines[place + 1 :]],
        lambda: [*lines, rng.choice(["", "end", "x"])],
        lambda: [*lines[:place], lines[place].upper(), *lines[place + 1 :]],
    )
    return "\n".join(rng.choice(choices)())


def _with_line(lines: list[str], numbers: list[int], rng: random.Random) -> list[str]:
    number = rng.choice(numbers)
    name, count = lines[number].split(" ")
    counts = [str(int(count) + 1), str(max(0, int(count) - 1)), f"0{count}", "-1", "9" * 18, ""]
    return [*lines[:number], f"{name} {rng.choice(counts)}", *lines[number + 1 :]]
