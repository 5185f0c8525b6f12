"""Problems that keep one thread busy for ten seconds or so, for measuring what threads gain.

Both verdicts, games with cycles and without; chosen by one thread's time alone, before any was run
with several. A faster machine, or core, may need less for some: then they do not count. Problems of
shogi are taken by name from the sets that lie outside the repository; where these are not there,
they are left out. Of the Zuko set and the classics, they are all that one thread solves with 4.8 to
23 million visits and 3 GiB, but for two that took it less than 9 s, and of two positions of one
problem only the first. The lower end is that of 1980, which was there before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from andorra.rulebook import make
from bench import tsume_data
from bench.problems import Problem, families

ZUKO = ("zuko091",)
CLASSICS = (
    "1980",
    "Sekitoba after move 470",
    "Bokusui 38",
)
LENGTHY = (
    "Meta-Shinsekai after move 700",
    "Yume-no-tabibito",
    "Ionization",
    "BrandnewWay",
    "Microcosmos",
)
"""Take one thread 20 to 45 s, and so a thousand simulated agents too long."""


def problems() -> list[Problem]:
    """Those for threads and for simulated agents."""
    return [*_boards(), *_mates(tsume_data.ZUKO, ZUKO), *_mates(tsume_data.CLASSICS, CLASSICS)]


def for_threads() -> list[Problem]:
    """All that there are."""
    return [*problems(), *_mates(tsume_data.CLASSICS, LENGTHY)]


def copies(problem: Problem) -> list[Problem]:
    """The problem and, in shogi, its mirror image: the same tree, in another order.

    How much df-pn visits there depends on that order, by a factor of 1.5 either way, so one search
    with one thread says little. On four of the other boards it was 0.85 to 1.03.
    """
    if problem.game != tsume_data.GAME or problem.position is None:
        return [problem]
    board, rest = problem.position.split(" ", 1)
    rows = ["".join(reversed(re.findall(r"\+?[A-Za-z]|\d", row))) for row in board.split("/")]
    position = f"{'/'.join(rows)} {rest}"
    return [problem, replace(problem, position=position, name=f"{problem.name}, mirrored")]


def in_memory() -> list[Problem]:
    """Those of the common positions that keep pns busy for a while, and fit into its memory."""
    known = families()
    return [
        *known["connect4"][1:],
        *known["mnk"][1:],
        known["breakthrough"][1],
        *known["hex"][1:4],
    ]


def small() -> list[Problem]:
    """Two that take less than a second, to see that everything works."""
    return [
        Problem("connect4:5x4", "win:first", "disproven"),
        Problem("hex:4", "win:first", "proven"),
    ]


def _boards() -> Iterator[Problem]:
    yield Problem("connect4:6x5", "win:first", "disproven")
    yield _after("connect4:7x5", "3 4 3", "disproven")
    yield _after("connect4:7x5", "3 4 4", "disproven")
    yield _after("connect4:7x5", "4 4 4 4", "disproven")
    yield _after("hex:6", "c3 d4", "proven")
    yield Problem("loa:6", "win:first", "disproven", "ox.x../.xx.../..o.oo/o....o/....xo/.....x x")


def _after(game: str, moves: str, known: str) -> Problem:
    rules = make(game)
    state = rules.initial()
    for move in moves.split():
        state = rules.play(state, rules.parse_move(state, move))
    return Problem(game, "win:first", known, rules.format(state), f"after {moves}")


def _mates(name: str, chosen: tuple[str, ...]) -> Iterator[Problem]:
    if not tsume_data.path(name).exists():
        return
    for mate in tsume_data.mates(name):
        if mate.name in chosen:
            yield Problem(tsume_data.GAME, tsume_data.QUESTION, "proven", mate.position, mate.name)
