"""A bounded number of places: one is taken before anything is done, and given back however it ends.

>>> seats = Seats(1)
>>> with seats.one():
...     with seats.one():
...         pass
Traceback (most recent call last):
andorra.viewer.seats.FullError: all 1 are taken
>>> seats.taken
0
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class FullError(Exception):
    """No place is free."""


class Seats:
    """Places; any thread may take one."""

    def __init__(self, most: int) -> None:
        """`most` of them."""
        self.most = most
        self.taken = 0
        self._lock = threading.Lock()

    @contextmanager
    def one(self) -> Iterator[None]:
        """A place; looking whether one is free and taking it are one step."""
        with self._lock:
            if self.taken >= self.most:
                raise FullError(f"all {self.most} are taken")
            self.taken += 1
        try:
            yield
        finally:
            with self._lock:
                self.taken -= 1
