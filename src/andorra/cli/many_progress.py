"""Progress over the problems of a file, on standard error: one live display for all of them.

On a terminal it has a bar over the problems and the numbers of the current search; in a pipe, plain
lines as for a single problem. Whatever else is printed to the same terminal meanwhile is printed
`aside`: the display is taken away for it and comes back below.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING

from andorra.cli.progress import PlainLines, Report, bar, parts

if TYPE_CHECKING:
    from rich.live import Live
    from rich.text import Text

    from andorra import Progress

_INTERVAL = 0.1
"""Seconds between two drawings, at least: a thousand short problems must not wait for them."""


class Silent:
    """Nobody wants to know."""

    def begin(self, place: str) -> Report | None:
        """A problem is begun: what the search should call, if anything."""
        return None

    def done(self, word: str) -> None:
        """A problem is done; `word` is its answer."""

    def aside(self) -> AbstractContextManager[None]:
        """For printing to the terminal."""
        return nullcontext()


class Plain(Silent):
    """Lines for a pipe."""

    def begin(self, place: str) -> Report | None:
        """A line from time to time."""
        return PlainLines(place)


class Shown(Silent):
    """The live display."""

    def __init__(self, label: str, total: int | None) -> None:
        self._label = label
        self._total = total
        self._answers: Counter[str] = Counter()
        self._place = ""
        self._progress: Progress | None = None
        self._next = 0.0
        self._live = self._fresh()

    def begin(self, place: str) -> Report | None:
        """Show what the search says."""
        self._place, self._progress = place, None
        self._draw()
        return self._report

    def done(self, word: str) -> None:
        """Move the bar."""
        self._answers[word] += 1
        self._progress = None
        self._draw()

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Without the display; a fresh one follows, which does not know where the old one stood."""
        self._live.stop()
        try:
            yield
        finally:
            self._live = self._fresh()
            self._next = 0.0

    def close(self) -> None:
        """Take the display away."""
        self._live.stop()

    def _fresh(self) -> Live:
        from rich.console import Console
        from rich.live import Live

        console = Console(stderr=True)
        live = Live(console=console, auto_refresh=False, transient=True, redirect_stdout=False)
        live.start()
        return live

    def _report(self, progress: Progress) -> None:
        self._progress = progress
        self._draw()

    def _draw(self) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _INTERVAL
            self._live.update(self._text(), refresh=True)

    def _text(self) -> Text:
        from rich.text import Text

        text = Text.assemble((self._label, "bold"), "  ", *self._counts(), no_wrap=True)
        if self._progress is not None:
            text.append_text(Text.assemble("\n", (self._place, "bold"), "  "))
            text.append_text(Text.assemble(*parts(self._progress)))
        return text

    def _counts(self) -> Iterator[str | tuple[str, str]]:
        done = self._answers.total()
        if self._total is None:
            yield f"problems done: {done:,}"
        else:
            yield f"{done:,} of {self._total:,} problems  "
            yield (bar(done / self._total), "cyan")
        yield "".join(f"  {count:,} {word}" for word, count in self._answers.items())


@contextmanager
def displaying(label: str, total: int | None, quiet: bool) -> Iterator[Silent]:
    """The display that suits standard error; `total`: how many problems there are, if known."""
    if quiet or not sys.stderr.isatty():
        yield Silent() if quiet else Plain()
        return
    shown = Shown(label, total)
    try:
        yield shown
    finally:
        shown.close()
