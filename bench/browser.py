"""A real server and a real browser, for figures and pictures of the viewer and for its tests.

The browser is Debian's Chromium, driven by Playwright.
"""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from andorra.viewer.app import Viewer
from andorra.viewer.library import Library
from andorra.viewer.server import Server
from andorra.viewer.subjects import Games

_PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
_ARGUMENTS = ["--no-sandbox", "--disable-dev-shm-usage", "--enable-precise-memory-info"]
_END_SECONDS = 30

AN_HOUR = """async ({ events, then }) => {
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
    for (let i = 0; i < 600 && sent < events; i++) send();
    await new Promise(requestAnimationFrame);
  }
  let frames = 0;
  const began = performance.now();
  const timer = setInterval(send, 100);
  while (performance.now() - began < then) {
    await new Promise(requestAnimationFrame);
    frames += 1;
  }
  clearInterval(timer);
  const took = [];
  for (let i = 0; i < 51; i++) {
    send();
    const start = performance.now();
    view.draw();
    took.push(performance.now() - start);
  }
  took.sort((a, b) => a - b);
  return { drawing: took[25], heap: performance.memory.usedJSHeapSize / 1e6,
    frames: (1000 * frames) / then,
    kept: view.series.points().length,
    elements: document.querySelectorAll('*').length };
}"""
"""Shows a page as many events as a search tells, ten a second, then counts frames for a while."""


def what_is_missing() -> str | None:
    """What there must be for a browser, and is not there."""
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        return "playwright (pip install playwright)"
    return None if _program() else "Chromium (apt-get install chromium)"


def _program() -> str | None:
    return next(filter(None, map(shutil.which, _PROGRAMS)), None)


@contextmanager
def browsing() -> Iterator[Any]:
    """A browser."""
    if missing := what_is_missing():
        raise RuntimeError(f"needs {missing}")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_program(), args=_ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def serving(
    certificate: Path | None = None, results: Path | None = None, **opened: Any
) -> Iterator[Server]:
    """A server on a port of its own, with something open."""
    library = Library()
    if certificate is not None:
        opened["certificate"] = library.open_certificate(certificate)
    if results is not None:
        opened["results"] = library.open_results(results)
    server = Server(Viewer(library, Games(), opened))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        thread.join(_END_SECONDS)
        assert not thread.is_alive(), "the server ends when it is told to"
