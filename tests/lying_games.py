"""Games on small graphs that wrongly say that no position comes again, in all forms of own rules.

The graph is part of the position, so one class, one library and one compiled game are enough for
all graphs: the node, the nodes of the second player as bits, the end at each node (0 to 3), and
the moves from each node as bits. Run as a program with a form's name, it solves many graphs with
every algorithm under a limit on CPU time, and prints a line for each; a search that does not end
is killed, with all that follows it.
"""

from __future__ import annotations

import os
import random
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import andorra
from andorra import FIRST, SECOND, Game, NativeLibrary, NumbaGame, RuleError
from andorra.rulebook import Outcome, Side

NODES = 8
LENGTH = 2 + 2 * NODES
CPU_SECONDS = 60
GRAPHS = (4, 12, 13, 17, 18, 29, 33, 0, 1, 2, 3, 5)
"""Seeds; the first ones have circles that ways down and updates meet."""
TEAMS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("pns", {"agents": 4}),
    ("dfpn", {"agents": 3}),
    ("dfpn", {"agents": 4, "scheduler": "pn-dfpn"}),
    ("pns", {"early_stop": "off"}),
    ("pns", {"early_stop": "nagai"}),
    ("pns", {"delete_solved": False}),
    ("pns", {"form": "tree"}),
    ("dfpn", {"line": "short", "proof": "short"}),
)

State = tuple[int, ...]


def graph(seed: int) -> State:
    """A random graph at its first node, which may have circles."""
    chance = random.Random(seed)
    sides = [chance.randrange(2) for _ in range(NODES)]
    after = [chance.sample(range(NODES), chance.choice([1, 2, 2, 3])) for _ in range(NODES)]
    ends = [0] * NODES
    for node in range(1, NODES):
        if chance.random() < 0.2:
            ends[node], after[node] = chance.choice([1, 2, 3]), []
    bits = [sum(1 << child for child in children) for children in after]
    return (0, sum(side << node for node, side in enumerate(sides)), *ends, *bits)


class Lying(Game[State, int]):
    """The rules in Python."""

    name = "lying"
    acyclic = True

    def __init__(self, seed: int = GRAPHS[0]) -> None:
        self.seed = seed

    def initial(self) -> State:
        return graph(self.seed)

    def to_move(self, state: State) -> Side:
        return SECOND if state[1] >> state[0] & 1 else FIRST

    def moves(self, state: State) -> list[int]:
        return [node for node in range(NODES) if state[2 + NODES + state[0]] >> node & 1]

    def play(self, state: State, move: int) -> State:
        return (move, *state[1:])

    def outcome(self, state: State) -> Outcome | None:
        ends: tuple[Outcome | None, ...] = (None, "first", "second", "draw")
        return ends[state[2 + state[0]]]

    def format(self, state: State) -> str:
        return bytes(state).hex()

    def parse(self, text: str) -> State:
        return tuple(bytes.fromhex(text))


class Honest(Lying):
    """The same, but admits it."""

    acyclic = False


SOURCE = """
#include <string.h>
#include "abi.h"
enum { NODES = 8, BYTES = 2 + 2 * NODES };
static int32_t initial(uint8_t* state) {
  memset(state, 0, BYTES);
  state[2] = 1;
  return 1;
}
static int32_t describe(const uint8_t* state, uint8_t* status) {
  *status = ANDORRA_STATUS(state[1] >> state[0] & 1, state[2 + state[0]]);
  return 1;
}
static int32_t expand(const uint8_t* state, uint8_t* children, uint32_t* moves, uint8_t* status) {
  int32_t count = 0;
  for (int node = 0; node < NODES; ++node) {
    if (!(state[2 + NODES + state[0]] >> node & 1)) continue;
    uint8_t* child = children + count * BYTES;
    memcpy(child, state, BYTES);
    child[0] = node;
    moves[count] = node;
    describe(child, &status[count++]);
  }
  return 1 + count;
}
const andorra_rules_v1* andorra_rules(void) {
  static const andorra_rules_v1 rules = {
      .abi_version = ANDORRA_ABI_VERSION, .state_bytes = BYTES, .max_moves = NODES,
      .flags = ANDORRA_ACYCLIC, .initial = initial, .describe = describe, .expand = expand,
      .name = "lying"};
  return &rules;
}
"""


def library(folder: Path) -> NativeLibrary:
    """The rules in C."""
    source, built = folder / "lying.c", folder / "lying.so"
    source.write_text(SOURCE)
    include = Path(__file__).parent.parent / "core"
    options = ["-std=c11", "-O1", "-shared", "-fPIC", f"-I{include}"]
    subprocess.run(["cc", *options, str(source), "-o", str(built)], check=True)
    return NativeLibrary(built)


def compiled(_: Path) -> NumbaGame:
    """The rules with Numba."""

    def moves(state: Any, out: Any) -> int:
        count = 0
        for node in range(8):
            if state[10 + state[0]] >> node & 1:
                out[count] = node
                count += 1
        return count

    def play(state: Any, move: int, child: Any) -> None:
        child[0] = move

    def to_move(state: Any) -> Any:
        return state[1] >> state[0] & 1

    def outcome(state: Any) -> Any:
        return state[2 + state[0]]

    return NumbaGame(
        "lying", dtype="uint8", length=LENGTH, max_moves=NODES,
        initial=lambda: [0, 0, 1] + [0] * (LENGTH - 3),
        moves=moves, play=play, to_move=to_move, outcome=outcome,
        format=lambda state: bytes(state).hex(), parse=lambda text: list(bytes.fromhex(text)),
        acyclic=True,
    )  # fmt: skip


FORMS: dict[str, Callable[[Path], Game[Any, Any]]] = {
    "python": lambda _: Lying(),
    "library": library,
    "numba": compiled,
}


def settings(form: str) -> list[tuple[str, dict[str, Any]]]:
    """Algorithms with options: all that are for every game, and teams."""
    general: list[tuple[str, dict[str, Any]]] = [
        (name, {}) for name, info in andorra.algorithms().items() if not info.games
    ]
    threads: list[tuple[str, dict[str, Any]]] = (
        [(name, {"threads": 3}) for name in ("dfpn", "pns")] if form != "python" else []
    )
    return [*general, *TEAMS, *threads]


def end_of(game: Game[Any, Any], text: str, algorithm: str, options: dict[str, Any]) -> str:
    """How a search ends, with a certificate."""
    limits: dict[str, Any] = {"memory": "8MiB", "nodes": 20_000}
    try:
        question = "win:first"
        result = andorra.solve(
            game, text, question, algorithm, certificate="file", **limits, **options
        )
    except RuleError as error:
        return f"RuleError {error}"
    return result.verdict


def main(form: str) -> None:
    """Print a line for each graph and setting: the end, the setting, the graph."""
    game, honest = FORMS[form](Path.cwd()), Honest()
    for algorithm, options in settings(form):
        for seed in GRAPHS:
            text = honest.format(graph(seed))
            print(seed, algorithm, options, end=" : ", flush=True)
            print(end_of(game, text, algorithm, options), flush=True)
    print("peak", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10)


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.chdir(sys.argv[2])
    main(sys.argv[1])
