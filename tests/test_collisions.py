"""Boards and states that were made to have one key: told apart by checkers and by searches.

The pairs of shogi boards come from `collisions.py`; the states of compiled rules are solved for
here. In both cases the bits of a key that choose its place in a table are still the same.
"""

from __future__ import annotations

import itertools
import json
import struct
import subprocess
from pathlib import Path
from typing import Any

import pytest

import andorra
from andorra import _core, rulebook
from andorra.certificate import Certificate, Entry, Part, write
from andorra.errors import CertificateError
from andorra.fast_checker import VERIFIED, opinion
from collisions import public_key, read_sfen
from settings import GENERAL

PAIRS = json.loads(
    (Path(__file__).with_name("data") / "collisions.json").read_text(encoding="utf-8")
)
CHECK_BITS = 24
"""Secret ones, in the first word of a key."""

every_pair = pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: str(pair["none"]))


@every_pair
def test_the_public_bits_of_a_pair_are_equal_and_the_keys_are_not(pair: dict[str, str]) -> None:
    assert public_key(read_sfen(pair["mate"])) == public_key(read_sfen(pair["none"]))
    game = _core.make_game("tsume", None)
    mate, none = game.key(pair["mate"]), game.key(pair["none"])
    assert mate[0] >> CHECK_BITS == none[0] >> CHECK_BITS
    assert mate != none
    boards = [game.board_key(text) for text in (pair["mate"], pair["none"])]
    assert boards[0] != boards[1]


@every_pair
def test_both_checkers_reject_an_entry_for_the_other_board(
    pair: dict[str, str], tmp_path: Path
) -> None:
    entry = Entry("~", pair["mate"], pair["move"], rank=1, plies=None)
    part = Part("win:first", "first", None, "proven", (entry,))
    for position, right in ((pair["mate"], True), (pair["none"], False)):
        path = tmp_path / f"{right}.andorra"
        write(path, Certificate("tsume", None, position, "win", (part,)))
        assert (opinion(path) == VERIFIED) == right
        if right:
            assert andorra.check(path).value == "win"
        else:
            with pytest.raises(CertificateError, match="no entry serves"):
                andorra.check(path)


@every_pair
@pytest.mark.parametrize("within", ["", "<=5"])
@pytest.mark.parametrize("threads", [1, 2])
def test_searches_with_one_table_tell_a_pair_apart_in_all_orders(
    pair: dict[str, str], within: str, threads: int, tmp_path: Path
) -> None:
    for order in itertools.permutations(["mate", "none", "mate", "none"]):
        table = andorra.Table("tsume", memory="16MiB")
        for number, name in enumerate(order):
            path = tmp_path / f"{number}.andorra"
            result = andorra.solve(
                "tsume",
                pair[name],
                f"win:first{within}",
                table=table,
                threads=threads,
                certificate=path,
            )
            assert result.verdict == ("proven" if name == "mate" else "disproven"), order
            andorra.check(path)


def test_reference_rules_read_both_boards() -> None:
    rules = rulebook.make("tsume", None)
    for pair in PAIRS:
        for text in (pair["mate"], pair["none"]):
            assert rules.format(rules.parse(text)) == text


# ---- states of compiled rules ----

_ODD = (0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93)
_START = (0x243F6A8885A308D3, 0x13198A2E03707344)
_WORD = (1 << 64) - 1


def mixed(board: int, rest: int) -> tuple[int, int]:
    """Mix both halves of a key (core/games/state_key.hpp)."""
    for odd in _ODD:
        board = ((board ^ (board >> 32)) * odd) & _WORD
        rest ^= (board << 32 | board >> 32) & _WORD
        rest = ((rest ^ (rest >> 29)) * odd) & _WORD
        board ^= (rest << 31 | rest >> 33) & _WORD
    return board, rest


def states_alike() -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Give two states of four words; the last two cancel out what the first two make differ."""
    one, other = (1, 2, 3, 4), (5, 6)
    after = [mixed(_START[0] ^ words[0], _START[1] ^ words[1]) for words in (one, other)]
    last = (after[0][i] ^ after[1][i] ^ one[2 + i] for i in range(2))
    return one, (*other, *last)


LIBRARY = """
#include "abi.h"
#include <string.h>

/* The second player chooses between two states of one public key; the first wins from one. */
static const uint64_t states[5][4] = {{0, 0, 0, 1}, {%s}, {%s}, {0, 0, 0, 2}, {0, 0, 0, 3}};
static const uint8_t status[5] = {
  ANDORRA_STATUS(1, ANDORRA_ONGOING), ANDORRA_STATUS(0, ANDORRA_ONGOING),
  ANDORRA_STATUS(0, ANDORRA_ONGOING), ANDORRA_STATUS(1, ANDORRA_FIRST_WINS),
  ANDORRA_STATUS(1, ANDORRA_SECOND_WINS)};
static const int first_child[5] = {1, 3, 4, 0, 0}, children[5] = {2, 1, 1, 0, 0};

static int number_of(const uint8_t* state) {
  for (int i = 0; i < 5; ++i)
    if (memcmp(state, states[i], sizeof states[i]) == 0) return i;
  return -1;
}
static int32_t initial(uint8_t* state) {
  memcpy(state, states[0], sizeof states[0]);
  return 1;
}
static int32_t describe(const uint8_t* state, uint8_t* its) {
  const int number = number_of(state);
  if (number < 0) return 0;
  *its = status[number];
  return 1;
}
static int32_t expand(const uint8_t* state, uint8_t* after, uint32_t* moves, uint8_t* its) {
  const int number = number_of(state);
  if (number < 0) return 0;
  for (int i = 0; i < children[number]; ++i) {
    const int child = first_child[number] + i;
    memcpy(after + 32 * i, states[child], sizeof states[child]);
    moves[i] = (uint32_t)i;
    its[i] = status[child];
  }
  return 1 + children[number];
}
static const andorra_rules_v1 rules = {.abi_version = ANDORRA_ABI_VERSION, .state_bytes = 32,
  .max_moves = 2, .flags = ANDORRA_NO_DRAWS, .initial = initial, .describe = describe,
  .expand = expand, .name = "alike", .parameters = ""};
ANDORRA_EXPORT const andorra_rules_v1* andorra_rules(void) { return &rules; }
"""


@pytest.fixture(scope="module", params=[False, True], ids=["win first", "loss first"])
def alike(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Rules in which one search reaches both states, in either order."""
    folder = tmp_path_factory.mktemp("alike")
    one, other = (", ".join(f"{word}u" for word in state) for state in states_alike())
    text = LIBRARY % ((other, one) if request.param else (one, other))
    (folder / "alike.c").write_text(text, encoding="utf-8")
    core = Path(__file__).parents[1] / "core"
    options = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC", f"-I{core}"]
    library = folder / "alike.so"
    subprocess.run(["cc", *options, str(folder / "alike.c"), "-o", str(library)], check=True)
    return andorra.NativeLibrary(library)


@pytest.mark.parametrize("algorithm", GENERAL)
def test_one_search_tells_states_apart_that_were_made_to_collide(
    alike: Any, algorithm: str
) -> None:
    result = andorra.solve(alike, None, "win:first", algorithm=algorithm, threads=1)
    assert result.verdict == "disproven"


def test_the_states_do_collide_in_public() -> None:
    words = [struct.pack("4Q", *state) for state in states_alike()]
    ends = []
    for state in words:
        key = _START
        for block in range(0, 32, 16):
            pair = struct.unpack_from("2Q", state, block)
            key = mixed(key[0] ^ pair[0], key[1] ^ pair[1])
        ends.append(key)
    assert words[0] != words[1]
    assert ends[0] == ends[1]
