"""A real server and a real browser for tests.

Where there is no browser, tests are skipped and say so; with ANDORRA_BROWSER set, as `make
test-browser` does, that is a failure.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent.parent))

from bench.browser import AN_HOUR, browsing, serving, what_is_missing

__all__ = ["AN_HOUR", "browsing", "need_browser", "serving"]


def need_browser() -> None:
    """Skip the test, or fail, where there is none."""
    if missing := what_is_missing():
        assert not os.environ.get("ANDORRA_BROWSER"), f"needs {missing}"
        pytest.skip(f"needs {missing}")
