"""Resident memory stays under the limit asked for plus 64 MiB, measured on whole processes.

Each search runs in a process of its own, which says at the end how much memory it ever had
resident. That is `VmHWM` of the process: `ru_maxrss` would start with what the parent had when it
started the process. The 64 MiB are for the interpreter and everything that is not the search.
Searches are long enough to use up what they have, which is asserted, too.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import andorra
from andorra import OptionError
from examiner import fast_check
from settings import GENERAL

MIB = 1 << 20
SLACK = 64 * MIB

CHILD = """
import json, sys
import andorra

settings = json.loads(sys.argv[1])
if "library" in settings:
    settings["game"] = andorra.NativeLibrary(settings.pop("library"))
result = andorra.solve(**settings)
with open("/proc/self/status") as status:
    peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))
print(json.dumps(result.to_json() | {"peak": peak * 1024}))
"""

every_algorithm = pytest.mark.parametrize("algorithm", GENERAL)


def measured(mib: int, **settings: Any) -> dict[str, Any]:
    """The result of a search in a process of its own, its resident memory below the limit."""
    asked = json.dumps(settings | {"memory": mib * MIB})
    done = subprocess.run(
        [sys.executable, "-c", CHILD, asked], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    assert result["peak_memory"] <= mib * MIB
    assert result["peak"] <= mib * MIB + SLACK, f"{result['peak'] // MIB} MiB"
    return result


def test_the_measure_sees_what_a_process_uses() -> None:
    idle = measured(64, game="hex:1")["peak"]
    busy = measured(256, game="connect4:6x5", nodes=2_000_000)["peak"]
    assert 0 < idle < SLACK
    assert busy - idle > 32 * MIB


FORGETFUL = ("dfpn-pn", "pds-pn", "pn2", "pp")
"""Most of their nodes are forgotten at once, so memory fills slowly."""

PLAYOUTS: dict[str, Any] = {name: {"playout_plies": 10} for name in ("mcts-solver", "mcpns")}
"""Short ones: long ones take time and no memory."""

SLOW = (*PLAYOUTS, "pns", "pss", "pp", "ews")
"""They take more time and memory a node than the others."""


@pytest.mark.parametrize(
    ("algorithm", "mib"), [*((name, 64) for name in GENERAL), ("dfpn", 256), ("pns", 256)]
)
def test_a_long_search(algorithm: str, mib: int) -> None:
    nodes = (9_000 if algorithm in SLOW else 36_000) * mib
    result = measured(mib, game="connect4:7x6", algorithm=algorithm, nodes=nodes)
    assert result["verdict"] == "unknown"
    if algorithm not in FORGETFUL:
        assert result["collections"] > 0 or result["limit"] == "memory"
        assert result["peak"] > mib * MIB // 2


@pytest.mark.parametrize("scheduler", ["virtual", "jobs", "pn-dfpn"])
@pytest.mark.parametrize("team", [{"threads": 4}, {"agents": 100}], ids=str)
def test_a_long_search_of_several_agents(team: dict[str, int], scheduler: str) -> None:
    settings = {"scheduler": scheduler, "nodes": 1_500_000} | team
    result = measured(64, game="connect4:7x6", **settings)
    assert result["verdict"] == "unknown"
    assert result["peak"] > 32 * MIB


def test_a_long_search_by_threads_on_one_graph() -> None:
    result = measured(32, game="connect4:7x6", algorithm="pns", threads=4, nodes=300_000)
    assert (result["verdict"], len(result["agents"])) == ("unknown", 4)
    assert result["collections"] > 0
    assert result["peak_memory"] > 16 * MIB


def test_more_agents_than_there_is_memory_for_are_refused() -> None:
    with pytest.raises(OptionError, match=r"agents=129: .* room for 128; expected fewer"):
        andorra.solve("hex:6", memory="64MiB", agents=129)
    assert andorra.solve("hex:2", memory="64MiB", agents=128).verdict == "proven"
    assert andorra.solve("hex:2", memory="1MiB", agents=8).verdict == "proven"


@every_algorithm
def test_a_search_on_a_graph_with_cycles(algorithm: str, tmp_path: Path) -> None:
    file = tmp_path / "cycles.graph"
    size = 20_000
    lines = [
        f"{i}: {'or' if i % 3 else 'and'} {(i * i + 7) % size} {(i + 1) % size} {i * 5 % size}x"
        for i in range(size)
    ]
    ends = [f"{i}x: {'win' if i % 7 else 'loss'}" for i in range(size)]
    file.write_text("\n".join(lines + ends))
    short = PLAYOUTS.get(algorithm, {})
    measured(64, game=f"graph:{file}", algorithm=algorithm, nodes=300_000, **short)


@every_algorithm
@pytest.mark.parametrize("certified", [False, True])
def test_a_solved_game(algorithm: str, certified: bool, tmp_path: Path) -> None:
    path = tmp_path / "file.andorra"
    settings = {"certificate": str(path)} if certified else {}
    result = measured(64, game="connect4:4x4", question="value", algorithm=algorithm, **settings)
    assert result["value"] == "draw"
    assert path.exists() == certified
    assert not certified or fast_check([path]) is None


def test_a_certificate_of_a_search_that_forgot_much(tmp_path: Path) -> None:
    path = tmp_path / "file.andorra"
    result = measured(
        16, game="connect4:5x4", question="value", certificate=str(path), table_entries=30_000
    )
    assert result["collections"] > 0
    assert result["searched_again"] > 0
    assert result["value"] == "draw"
    assert fast_check([path]) is None


def test_a_certificate_that_needs_more_than_there_is(tmp_path: Path) -> None:
    path = tmp_path / "file.andorra"
    result = measured(32, game="mnk:4,4,4", question="win:first", certificate=str(path))
    assert (result["verdict"], result["certificate_limit"]) == ("disproven", "memory")
    assert result["certificate"] is None
    assert list(tmp_path.iterdir()) == []


DEEP = """
#include "abi.h"
#include <string.h>

enum { MOVES = 50 };
static const uint64_t kEnd = (uint64_t)1 << 40;

static uint64_t place(const uint8_t* state) {
  uint64_t number;
  memcpy(&number, state, sizeof number);
  return number;
}
static int32_t initial(uint8_t* state) {
  memset(state, 0, 8);
  return 1;
}
static int32_t describe(const uint8_t* state, uint8_t* status) {
  const uint64_t number = place(state);
  *status = ANDORRA_STATUS(number & 1, number < kEnd ? ANDORRA_ONGOING : ANDORRA_FIRST_WINS);
  return 1;
}
static int32_t expand(const uint8_t* state, uint8_t* children, uint32_t* moves, uint8_t* status) {
  if (place(state) >= kEnd) return 1;
  for (uint32_t i = 0; i < MOVES; ++i) {
    const uint64_t child = place(state) + 1 + 2 * i;
    memcpy(children + 8 * i, &child, sizeof child);
    moves[i] = i;
    describe(children + 8 * i, &status[i]);
  }
  return 1 + MOVES;
}
const andorra_rules_v1* andorra_rules(void) {
  static const andorra_rules_v1 rules = {
      .abi_version = ANDORRA_ABI_VERSION, .state_bytes = 8, .max_moves = MOVES,
      .flags = ANDORRA_ACYCLIC, .initial = initial, .describe = describe, .expand = expand,
      .name = "deep", .parameters = "",
  };
  return &rules;
}
"""
"""A game whose lines are longer than any memory, with many moves at each position."""


@every_algorithm
def test_a_game_with_very_long_lines(algorithm: str, tmp_path: Path) -> None:
    source, library = tmp_path / "deep.c", tmp_path / "deep.so"
    source.write_text(DEEP)
    include = Path(__file__).parent.parent / "core"
    subprocess.run(
        ["cc", "-O2", "-shared", "-fPIC", f"-I{include}", str(source), "-o", str(library)],
        check=True,
    )
    short = PLAYOUTS.get(algorithm, {})
    nodes = 2_000 if algorithm in SLOW else 500_000  # each step goes down a whole line
    result = measured(256, library=str(library), algorithm=algorithm, nodes=nodes, **short)
    assert result["verdict"] == "unknown"
