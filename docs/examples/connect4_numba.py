"""Connect Four at native speed, with Numba: the same rules and notation as the built-in game.

A column is H+1 bits of a 64-bit number, lowest row first; its topmost bit stays empty, so that
lines do not run from one column into the next. A state is two such numbers: the stones of the side
to move, and all stones, where the empty bit above the first column tells the side to move. A move's
code is its column, counted from 1. All numbers are unsigned, because Numba makes a floating-point
number of a signed and an unsigned one.
"""

import numpy as np
from numba import njit

from andorra.errors import PositionError
from andorra.native import NumbaGame

U = np.uint64


def connect4(size: str = "7x6") -> NumbaGame:
    """Connect Four on WxH, that is W columns and H rows, where W(H+1) <= 64."""
    width, height = read_size(size)
    centre_first = sorted(range(width), key=lambda column: abs(2 * column - (width - 1)))
    order = np.array([column + 1 for column in centre_first], dtype=np.uint32)
    bottoms = np.array([1 << column * (height + 1) for column in range(width)], dtype=U)
    columns = np.array([int(bottom) * ((1 << height) - 1) for bottom in bottoms], dtype=U)
    full = U(sum(int(column) for column in columns))
    second_moves = U(1 << height)
    # On less than four columns only upright lines fit.
    shifts = (U(1), U(height), U(height + 1), U(height + 2))[: 4 if width > 3 else 1]

    @njit
    def four(stones):
        for shift in shifts:
            pairs = stones & (stones >> shift)
            if pairs & (pairs >> (shift + shift)):
                return True
        return False

    @njit
    def to_move(state):
        return np.int64((state[1] >> U(height)) & U(1))

    @njit
    def outcome(state):
        stones = state[1] & full
        if four(stones ^ state[0]):
            return 2 - to_move(state)
        return 3 if stones == full else 0

    @njit
    def moves(state, out):
        count = 0
        if outcome(state) != 0:
            return count
        for move in order:
            if ~state[1] & columns[move - 1]:
                out[count] = move
                count += 1
        return count

    @njit
    def play(state, move, child):
        stones = state[1] & full
        landing = (stones + bottoms[move - 1]) & columns[move - 1]
        child[0] = state[0] ^ stones
        child[1] = (state[1] ^ second_moves) | landing

    def format(state):
        mover, all_stones = int(state[0]), int(state[1] & full)
        sides = mover, all_stones ^ mover
        return write_board(sides[:: -1 if to_move(state) else 1], width, height)

    def parse(text):
        first, second = read_board(text, width, height)
        state = [first, first | second]
        if text.count("x") > text.count("o"):
            state = [second, first | second | int(second_moves)]
        if four(U(state[0])):
            raise PositionError(f"the side to move has already won in {text!r}")
        return state

    return NumbaGame(
        "connect4",
        f"{width}x{height}",
        dtype=U,
        length=2,
        max_moves=width,
        initial=lambda: [0, 0],
        moves=moves,
        play=play,
        to_move=to_move,
        outcome=outcome,
        format=format,
        parse=parse,
        acyclic=True,
    )


def read_size(size: str) -> tuple[int, int]:
    """Read WxH."""
    width, by, height = size.partition("x")
    if not (by and width.isdecimal() and height.isdecimal()):
        raise PositionError(f"cannot read the size {size!r}: expected WxH, for example 7x6")
    if not (int(width) and int(height) and int(width) * (int(height) + 1) <= 64):
        raise PositionError(f"the size {size!r} does not fit: expected W, H >= 1, W(H+1) <= 64")
    return int(width), int(height)


def write_board(stones: tuple[int, int], width: int, height: int) -> str:
    """Write the stones of both players row by row, top row first."""

    def stone(bit: int) -> str:
        return "x" if stones[0] >> bit & 1 else "o" if stones[1] >> bit & 1 else "."

    rows = [range(row, width * (height + 1), height + 1) for row in reversed(range(height))]
    return "/".join("".join(stone(bit) for bit in row) for row in rows)


def read_board(text: str, width: int, height: int) -> list[int]:
    """Read what `write_board` writes; `PositionError` if no game can lead to it."""
    rows = text.split("/")
    if [len(row) for row in rows] != [width] * height or set(text) - set("xo./"):
        raise PositionError(f"{text!r} is no board of {height} rows of {width} 'x', 'o' or '.'")
    columns = ["".join(column)[::-1] for column in zip(*rows, strict=True)]
    if any("." in column.rstrip(".") for column in columns):
        raise PositionError(f"a stone floats in {text!r}")
    if text.count("x") - text.count("o") not in (0, 1):
        raise PositionError(f"{text!r} has wrong counts: expected as many x as o, or one more")
    cells = ".".join(columns)  # the empty bit above each column
    return [sum(1 << i for i, cell in enumerate(cells) if cell == side) for side in "xo"]
