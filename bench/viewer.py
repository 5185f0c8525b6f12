"""Does the viewer keep up? A large certificate is opened and walked, an hour of events is shown.

Times are by the clock, because that is what somebody in front of the page waits for.
"""

from __future__ import annotations

import time
from typing import Any

from andorra.viewer.library import OpenCertificate
from bench.browser import AN_HOUR, browsing, serving, what_is_missing
from bench.report import Row, Table, Target
from bench.section import Run, Section
from bench.task import Task

LARGE = Task(
    "connect4:8x4",
    question="win:first",
    memory="4GiB",
    options={"epsilon": 4, "increment": 100},
)
"""Thresholds that let a child go on for long solve this sooner, by a larger disproof."""
SMALL = Task("connect4:5x5", question="win:first")
OPENED = Target(2, at_least=False, unit=" s")
STEP = Target(100, at_least=False, unit=" ms")
HEAP = Target(200, at_least=False, unit=" MB")
DRAWING = Target(16, at_least=False, unit=" ms")
"""A frame of sixty a second; the page draws five times a second."""
FRAMES = Target(59, at_least=True, unit=" /s")
"""Of sixty, as far as a count over five seconds can tell; on a machine with nothing else to do."""


def measure(run: Run) -> None:
    """Both questions."""
    _open_and_walk(run)
    if missing := what_is_missing():
        run.report.error(f"viewer: needs {missing}")
    else:
        _an_hour(run)


def _open_and_walk(run: Run) -> None:
    made = run.workshop.certified(SMALL if run.quick else LARGE)
    start, cpu = time.monotonic(), time.process_time()
    opened = OpenCertificate(made.path, "large", None)
    opened.to_json()
    walk = opened.walk(0)
    root = walk.node((None, None, ()))
    seconds, cpu = time.monotonic() - start, time.process_time() - cpu
    slowest, plies = _slowest_step(walk, root)
    opened.stored.close()
    rows = [
        _row("until the root is shown", round(seconds, 3), "s")
        | run.report.judge("opening", seconds, OPENED),
        _row("CPU time of that", round(cpu, 3), "s"),
        _row(f"the slowest of {plies} steps", round(slowest, 2), "ms")
        | run.report.judge("a step", slowest, STEP),
    ]
    title = f"a certificate of {made.entries:,} entries ({made.file_size / 1e6:.1f} MB)"
    run.report.add(Table("viewer", title, rows))


def _slowest_step(walk: Any, node: dict[str, Any]) -> tuple[float, int]:
    """Milliseconds; the line goes through the last of the moves, which nothing has looked at."""
    moves: tuple[str, ...] = ()
    slowest = 0.0
    while node["children"] and len(moves) < 200:
        moves = (*moves, node["children"][-1]["move"])
        start = time.monotonic()
        node = walk.node((None, None, moves))
        slowest = max(slowest, 1000 * (time.monotonic() - start))
    return slowest, len(moves)


def _an_hour(run: Run) -> None:
    with browsing() as browser, serving(game="connect4:7x6") as server:
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.set_default_timeout(300_000)
        page.goto(server.url)
        page.locator(".board").wait_for()
        found = page.evaluate(AN_HOUR, {"events": 3_600 if run.quick else 36_000, "then": 5_000})
    rows = [
        _row("memory of the page", round(found["heap"], 1), "MB")
        | run.report.judge("memory", found["heap"], HEAP),
        _row("one drawing, median", round(found["drawing"], 1), "ms")
        | run.report.judge("drawing", found["drawing"], DRAWING),
        _row("frames", round(found["frames"], 1), "/s")
        | run.report.judge("frames", found["frames"], FRAMES),
        _row("elements of the page", found["elements"], ""),
    ]
    run.report.add(Table("viewer", "an hour of events, ten a second", rows))


def _row(what: str, figure: float, unit: str) -> Row:
    return {"what": what, "figure": figure, "unit": unit}


SECTION = Section("viewer", "a large certificate, an hour of events", measure, long=True)
