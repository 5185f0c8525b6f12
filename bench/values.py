"""Are the values right, and do both checkers accept why? Boards too large for the tests.

Known values: Connect Four by size (Tromp), Hex 5 with its winning openings (the first player joins
top and bottom). A value that differs, or a certificate that is rejected, is an error.
"""

from __future__ import annotations

from collections.abc import Iterator

from bench.certificates import Certified, check
from bench.report import Row, Table
from bench.section import Run, Section
from bench.task import Task

KNOWN = {
    "connect4:5x5": "draw",
    "connect4:6x4": "loss",
    "connect4:4x6": "draw",
    "connect4:6x5": "draw",
    "hex:5": "win",
}
HEX_OPENINGS = "....B/.BBBB/.BBB./BBBB./B...."
"""Hex 5: B where the first player's first stone wins, top row first."""
HEX_CHOSEN = ("a2", "b2", "b3", "c3", "e3", "a4", "b4", "c4", "a5", "b5", "c5", "d5", "e5")
"""Of two openings that a half turn of the board exchanges, the one solved unless all are asked for:
the faster one. A half turn keeps each player's sides, so both have the same verdict."""
HALF_TURN = "  the others are these, turned by 180 degrees; --hex-map solves them, too"
TRUSTED_MOST = 1_000_000
"""Larger certificates go to the trusted checker only where that is asked for."""


def measure(run: Run) -> None:
    """A table of games, and one of Hex openings."""
    games = [(game, Task(game), value) for game, value in KNOWN.items()]
    _add_table(run, "from the empty board; CPU s: search and extraction", games)
    chosen = [each for each in _openings() if run.hex_map or each[0] in HEX_CHOSEN]
    title = f"openings of Hex 5: can the first player win after it? {len(chosen)} of 25"
    _add_table(run, title, chosen, [] if run.hex_map else [HALF_TURN])


def _openings() -> Iterator[tuple[str, Task, str]]:
    """Each opening's name, the question whether it wins, and the known verdict."""
    empty = "/".join(["....."] * 5)
    for place, mark in enumerate(HEX_OPENINGS):
        if mark != "/":
            row, column = divmod(place, 6)
            position = f"{empty[:place]}x{empty[place + 1 :]}"
            verdict = "proven" if mark == "B" else "disproven"
            yield "abcde"[column] + str(row + 1), Task("hex:5", "win:first", position), verdict


Asked = tuple[str, Task, str]


def _add_table(run: Run, title: str, asked: list[Asked], notes: list[str] | None = None) -> None:
    rows: list[Row] = []
    left_out = list(notes or [])
    for name, task, known in asked:
        made = run.workshop.certified(task)
        if not run.trusted_all and made.entries > TRUSTED_MOST:
            left_out.append(f"  {name}: not checked by the trusted checker; --trusted-all does")
        rows.append(_row(run, name, made, known))
    run.report.add(Table("values", title, rows, left_out))


def _row(run: Run, name: str, made: Certified, known: str) -> Row:
    answer = made.answer
    found = answer.value if known in ("win", "draw", "loss") else answer.verdict
    if found != known:
        run.report.error(f"values: {name}: found {found!r}, known is {known!r}")
    return {
        "problem": name,
        "found": found,
        "known": known,
        "nodes": answer.nodes,
        "expansions": answer.expansions,
        "CPU s": answer.cpu_seconds,
        "entries": made.entries,
        "file bytes": made.file_size,
        **_checks(run, name, made),
    }


def _checks(run: Run, name: str, made: Certified) -> Row:
    """What both checkers say, and their CPU time."""
    checked = {"fast": made.fast}
    if run.trusted_all or made.entries <= TRUSTED_MOST:
        checked["trusted"] = check("trusted", made.path)
    for checker, result in checked.items():
        if not result.accepted:
            run.report.error(f"values: {name}: rejected by the {checker} checker: {result.said}")
    words = {True: "yes", False: "REJECTED"}
    cells: Row = {}
    for checker, result in checked.items():
        cells |= {checker: words[result.accepted], f"{checker} CPU s": result.cpu_seconds}
    return cells


SECTION = Section("values", "known values of larger boards, certified and checked", measure)
