"""Progress of a search on standard error: live on a terminal, plain lines in a pipe.

The search calls us from time to time; nothing here runs beside it, so a search costs what it costs
without us. Results go to standard output and never mix with this.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from andorra import Progress

Report = Callable[["Progress"], None]
Count = Callable[[int, int], None]
"""Told how many runs are done, and of how many."""

PLAIN_INTERVAL = 5.0
"""Seconds between two plain lines, at least."""
_BAR_WIDTH = 10
_WORDS = {"search": "searching", "extract": "writing certificate"}


@contextmanager
def reporting(label: str, quiet: bool) -> Iterator[Report | None]:
    """The callback that suits standard error; None if nobody wants to know."""
    if quiet:
        yield None
    elif sys.stderr.isatty():
        yield from _live(label)
    else:
        yield PlainLines(label)


@contextmanager
def counting(label: str, unless_mixed: bool) -> Iterator[Count]:
    """A callback for how many runs are done; shown on a terminal only.

    With `unless_mixed`, not on a terminal where results are being printed at the same time.
    """
    if not sys.stderr.isatty() or (unless_mixed and sys.stdout.isatty()):
        yield lambda done, total: None
    else:
        yield from _live_count(label)


class PlainLines:
    """Prints a line for what it is told, but not more often than `PLAIN_INTERVAL`."""

    def __init__(self, label: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._label = label
        self._clock = clock
        self._next = clock() + PLAIN_INTERVAL

    def __call__(self, progress: Progress) -> None:
        """Print `progress`, if enough time has passed."""
        now = self._clock()
        if now >= self._next:
            self._next = now + PLAIN_INTERVAL
            line = f"{self._label}: {summary(progress)}"
            print(line, file=sys.stderr, flush=True)


def summary(progress: Progress) -> str:
    """All that is known of a search in one line."""
    return (
        f"{progress.question}, {_WORDS.get(progress.event, progress.event)}, "
        f"pn {number(progress.pn)}, dn {number(progress.dn)}, {progress.nodes:,} nodes, "
        f"{progress.nodes_per_second:,.0f} nodes/s, depth {progress.depth}, "
        f"table {progress.table_fill:.0%}, {elapsed(progress.seconds)}"
    )


def number(bound: int | None) -> str:
    """A proof or disproof number; None stands for infinity.

    >>> number(1234), number(None)
    ('1,234', 'inf')
    """
    return "inf" if bound is None else f"{bound:,}"


def elapsed(seconds: float) -> str:
    """A time as a person reads it.

    >>> elapsed(7.25), elapsed(83.0), elapsed(7384.0)
    ('7.2 s', '1:23', '2:03:04')
    """
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _live(label: str) -> Iterator[Report]:
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    with Live(console=Console(stderr=True), auto_refresh=False, transient=True) as live:

        def report(progress: Progress) -> None:
            text = Text.assemble((label, "bold"), "  ", *parts(progress), no_wrap=True)
            live.update(text, refresh=True)

        yield report


def _live_count(label: str) -> Iterator[Count]:
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    console = Console(stderr=True)
    # Left alone, rich would print to its own console what is printed to standard output meanwhile.
    with Live(console=console, auto_refresh=False, transient=True, redirect_stdout=False) as live:

        def show(*parts: str | tuple[str, str]) -> None:
            live.update(Text.assemble((label, "bold"), "  ", *parts, no_wrap=True), refresh=True)

        show("the first run …")
        yield lambda done, total: show(f"{done:,} of {total:,} runs  ", (bar(done / total), "cyan"))


def parts(progress: Progress) -> Iterator[str | tuple[str, str]]:
    """What the live display says after the label, in two lines of less than 80 columns."""
    yield f"{progress.question}, {_WORDS.get(progress.event, progress.event)}, "
    yield f"{elapsed(progress.seconds)}, {progress.nodes_per_second:,.0f} nodes/s\n"
    yield f"pn {number(progress.pn)}, dn {number(progress.dn)}, {progress.nodes:,} nodes, "
    yield f"depth {progress.depth}, table "
    yield (bar(progress.table_fill), "cyan")
    yield f" {progress.table_fill:.0%}"


def bar(share: float) -> str:
    """A share as a bar.

    >>> bar(0.5)
    '━━━━━┄┄┄┄┄'
    """
    full = round(min(max(share, 0.0), 1.0) * _BAR_WIDTH)
    return "━" * full + "┄" * (_BAR_WIDTH - full)
