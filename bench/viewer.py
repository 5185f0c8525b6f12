"""Does the viewer keep up? A large certificate is opened and walked, and an hour of events is shown.

Times are by the clock, because that is what somebody in front of the page waits for.
"""

from __future__ import annotations

import time
from typing import Any

from andorra.viewer.library import OpenCertificate
from bench.browser import browsing, serving, what_is_missing
from bench.report import Row, Table, Target
from bench.section import Run, Section
from bench.task import Task

LARGE = Task("connect4:7x4", question="win:first")
SMALL = Task("connect4:5x5", question="win:first")
OPENED = Target(2, at_least=False, unit=" s")
STEP = Target(100, at_least=False, unit=" ms")
HEAP = Target(200, at_least=False, unit=" MB")
FRAMES = Target(55, at_least=True, unit="/s")

_HOUR = """async (events) => {
  const { WatchView } = await import('/page/watch.js');
  const body = '{"game":"connect4:7x6"}';
  const start = await (await fetch('/api/position', { method: 'POST', body })).json();
  const view = new WatchView(document.querySelector('main'), 'x',
    { asked: { algorithm: 'dfpn' }, problems: null, start });
  const point = (i) => ({ event: 'search', question: 'win', pn: 1 + i % 997, dn: 1 + i % 13007,
    nodes: i * 1e5, expansions: i, moves: i, depth: i % 60, table_fill: (i % 100) / 100,
    seconds: i / 10, nodes_per_second: 1e6 + i % 1000, problem: 1 });
  let sent = 0;
  const send = () => view.take({ version: sent, state: 'running', error: null,
    points: [point(sent++)], rows: [], rows_from: 0 });
  while (sent < events) {
    for (let i = 0; i < 60 && sent < events; i++) send();
    await new Promise(requestAnimationFrame);
  }
  let frames = 0;
  const began = performance.now();
  const timer = setInterval(send, 100);
  while (performance.now() - began < 5000) {
    await new Promise(requestAnimationFrame);
    frames += 1;
  }
  clearInterval(timer);
  return { heap: performance.memory.usedJSHeapSize / 1e6, frames: frames / 5,
    elements: document.querySelectorAll('*').length };
}"""


def measure(run: Run) -> None:
    """Both questions."""
    _open_and_walk(run)
    if missing := what_is_missing():
        run.report.error(f"viewer: needs {missing}")
    else:
        _an_hour(run)


def _open_and_walk(run: Run) -> None:
    made = run.workshop.certified(SMALL if run.quick else LARGE)
    start = time.monotonic()
    opened = OpenCertificate(made.path, "large", None)
    opened.to_json()
    walk = opened.walk(0)
    root = walk.node((None, None, ()))
    seconds = time.monotonic() - start
    slowest, plies = _slowest_step(walk, root)
    opened.stored.close()
    rows: list[Row] = [
        {"what": "until the root is shown", "figure": round(seconds, 3), "unit": "s"}
        | run.report.judge("opening", seconds, OPENED),
        {"what": f"the slowest of {plies} steps", "figure": round(slowest, 2), "unit": "ms"}
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
        found = page.evaluate(_HOUR, 3_600 if run.quick else 36_000)
    rows: list[Row] = [
        {"what": "memory of the page", "figure": round(found["heap"], 1), "unit": "MB"}
        | run.report.judge("memory", found["heap"], HEAP),
        {"what": "frames", "figure": round(found["frames"], 1), "unit": "/s"}
        | run.report.judge("frames", found["frames"], FRAMES),
        {"what": "elements of the page", "figure": found["elements"], "unit": ""},
    ]
    run.report.add(Table("viewer", "an hour of events, ten a second", rows))


SECTION = Section("viewer", "a large certificate, an hour of events", measure, long=True)
