"""A real server and a real browser: Debian's Chromium, driven by Playwright.

Where either is missing, tests are skipped and say so; with ANDORRA_BROWSER set, as `make
test-browser` does, that is a failure.
"""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from andorra.viewer.app import Viewer
from andorra.viewer.library import Library
from andorra.viewer.server import Server
from andorra.viewer.subjects import Games

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")


def chromium() -> str:
    """The browser's program; without one, the test is skipped or fails."""
    found = next(filter(None, map(shutil.which, CHROMIUM)), None)
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        found, missing = None, "playwright (pip install playwright)"
    else:
        missing = "Chromium (apt-get install chromium)"
    if found is not None:
        return found
    assert not os.environ.get("ANDORRA_BROWSER"), f"needs {missing}"
    pytest.skip(f"needs {missing}")


@contextmanager
def browsing() -> Iterator[Any]:
    """A browser."""
    from playwright.sync_api import sync_playwright

    program = chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
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
        thread.join(30)
        assert not thread.is_alive(), "the server ends when it is told to"
