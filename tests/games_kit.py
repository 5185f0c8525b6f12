"""What the test suites of the games share: the data file, playouts, mutations, perft, values.

The data file `tests/data/games.json` has an entry for each game of `andorra.rulebook.GAMES`:

- `data`: texts of rules, by name, for games whose rules are data; other lists refer to them;
- `games`: specs, each with `perft`: the number of lines of exactly 1, 2, ... plies from `position`
  (the initial one if there is none); a line that ended earlier does not count;
- `positions`: texts with what the rules say of them; `canonical` where that is another text;
- `rejected`: texts that are no positions, `bad_specs`: specs that are no games, and `bad_data`:
  rules that cannot be read, with the number of the line that the error must name (`core_line`
  where the core finds another one first);
- `values`: who wins under best play, from `position` or from the start;
- `own_resource_test`: the file that tests the resources of a game whose positions reach too many
  others for all of them to be solved.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from andorra.errors import PositionError
from andorra.rulebook import FIRST, GAMES, SECOND, Game, Side, make

AnyGame = Game[Any, Any]

DATA: dict[str, dict[str, Any]] = json.loads(
    Path(__file__).with_name("data").joinpath("games.json").read_text(encoding="utf-8")
)

LONGEST_PLAYOUT = 200
"""Where random playouts of games with cycles stop."""


def rules_of(name: str, entry: dict[str, Any]) -> str | None:
    """The text of the rules that an entry of the data file refers to."""
    lines = DATA[name].get("data", {}).get(entry.get("data"))
    return None if lines is None else "\n".join(lines)


def game_of(name: str, entry: dict[str, Any]) -> AnyGame:
    """The reference rules for an entry of the data file."""
    return make(entry["spec"], rules_of(name, entry))


def entries(section: str, label: str = "spec") -> list[Any]:
    """All (game name, entry) pairs of one section of the data file, as test parameters."""
    return [
        pytest.param(name, entry, id=" ".join(filter(None, (entry[label], entry.get("data")))))
        for name in GAMES
        for entry in DATA.get(name, {}).get(section, [])
    ]


def playout(
    game: AnyGame, rng: random.Random, start: str | None = None
) -> Iterator[tuple[Any, Any]]:
    """A random game as (state, move played there); the last move is None at an end."""
    state = game.initial() if start is None else game.parse(start)
    for _ in range(LONGEST_PLAYOUT):
        moves = game.moves(state)
        if not moves:
            yield state, None
            return
        move = rng.choice(moves)
        yield state, move
        state = game.play(state, move)


def sample(game: AnyGame, count: int, seed: int = 1) -> list[Any]:
    """States from random playouts: at least `count`, equal ones included."""
    rng = random.Random(seed)
    states: list[Any] = []
    while len(states) < count:
        states.extend(state for state, _ in playout(game, rng))
    return states


# Everything that has fooled a parser of ours or of others: look-alikes of digits, Unicode and
# control white space, what `int` takes and should not, and other alphabets.
ODD = (
    "\0\t\n\r\v\f\x1c\x85\xa0 \u2028\u3000\ufeff_+-,.:;#/\\'\""
    "0123456789\u0661\uff11\xb2xoXO\u00d7\U0001f600"
)


def mutate(text: str, rng: random.Random, alphabet: str = ODD) -> str:
    """The text with one to three random edits."""
    for _ in range(rng.randint(1, 3)):
        text = _edit(text, rng, alphabet + text)
    return text


def _edit(text: str, rng: random.Random, alphabet: str) -> str:
    place, end = sorted(rng.randrange(len(text) + 1) for _ in range(2))
    edits = (
        lambda: text[:place] + rng.choice(alphabet) + text[place:],
        lambda: text[:place] + rng.choice(alphabet) + text[place + 1 :],
        lambda: text[:place] + text[place + 1 :],
        lambda: text[:end] + text[place:],
        lambda: text[:place] + text[end:],
        lambda: text[:place] + text[place:end][::-1] + text[end:],
    )
    return rng.choice(edits)()


def accepts(game: AnyGame, text: str) -> bool:
    """Whether the reference rules read `text`; any error but `PositionError` goes through."""
    try:
        game.parse(text)
    except PositionError:
        return False
    return True


def perft(game: AnyGame, state: Any, depth: int) -> int:
    """The number of lines of exactly `depth` plies; equal positions are counted once and reused."""
    counts: dict[tuple[Any, int], int] = {}

    def count(state: Any, depth: int) -> int:
        if depth == 0:
            return 1
        if (state, depth) not in counts:
            after = [game.play(state, move) for move in game.moves(state)]
            counts[state, depth] = sum(count(child, depth - 1) for child in after)
        return counts[state, depth]

    return count(state, depth)


def divide(game: AnyGame, state: Any, depth: int) -> dict[str, int]:
    """`perft` move by move."""
    return {
        game.format_move(state, move): perft(game, game.play(state, move), depth - 1)
        for move in game.moves(state)
    }


def winner(game: AnyGame, state: Any) -> str:
    """Who can force a win: "first", "second", or neither, which is a "draw"."""
    can_force = _can_force if game.acyclic else _can_force_with_cycles
    if can_force(game, state, FIRST):
        return "first"
    return "second" if can_force(game, state, SECOND) else "draw"


def _can_force(game: AnyGame, root: Any, prover: Side) -> bool:
    known: dict[Any, bool] = {}

    def proven(state: Any) -> bool:
        if state not in known:
            known[state] = (
                _has_won(game, state, prover)
                if game.outcome(state)
                else (any if game.to_move(state) == prover else all)(
                    proven(game.play(state, move)) for move in game.moves(state)
                )
            )
        return known[state]

    return proven(root)


def _can_force_with_cycles(game: AnyGame, root: Any, prover: Side) -> bool:
    """The least fixpoint: nothing is proven until an end or proven successors prove it."""
    after = reachable(game, root)
    proven = {state for state in after if _has_won(game, state, prover)}
    grown = True
    while grown:
        new = {
            state
            for state, children in after.items()
            if state not in proven
            and children
            and (any if game.to_move(state) == prover else all)(c in proven for c in children)
        }
        proven |= new
        grown = bool(new)
    return root in proven


def reachable(game: AnyGame, root: Any) -> dict[Any, list[Any]]:
    """All positions that play from `root` can reach, each with its successors."""
    after: dict[Any, list[Any]] = {}
    open_states = [root]
    while open_states:
        state = open_states.pop()
        if state not in after:
            after[state] = [game.play(state, move) for move in game.moves(state)]
            open_states.extend(after[state])
    return after


def _has_won(game: AnyGame, state: Any, side: Side) -> bool:
    return game.outcome(state) == ("first", "second")[side]
