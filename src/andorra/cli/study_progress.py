"""Progress of a study on standard error: a bar with the time left, or plain lines in a pipe."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from andorra.cli.progress import PLAIN_INTERVAL, bar, elapsed

if TYPE_CHECKING:
    from rich.live import Live
    from rich.text import Text

    from andorra.study.plan import Problem, Solver
    from andorra.study.row import Row

_REFRESH_PER_SECOND = 2


class Watch:
    """What is known of a running study; told of every run that is done."""

    def __init__(self, title: str, total: int, rows: list[Row], jobs: int) -> None:
        """`rows` are those of earlier times."""
        from andorra.study.estimate import Estimate

        self._title = title
        self._total = total
        self._done = len(rows)
        self._answers = Counter(row.verdict for row in rows)
        self._estimate = Estimate(rows, jobs)
        self._start = time.monotonic()
        self._left: tuple[float, float] | None = None
        """Seconds left, and when that was estimated."""
        self._last = ""

    def __call__(self, row: Row, to_come: list[tuple[Solver, Problem]]) -> None:
        """A run is done, and these are still to come."""
        now = time.monotonic()
        self._done += 1
        self._answers[row.verdict] += 1
        self._estimate.add(row)
        self._left = self._estimate.left(to_come, now - self._start), now
        self._last = f"{row.solver}, {row.problem}: {row.answer or row.limit}"
        self.show()

    def show(self) -> None:
        """Tell it, if somebody wants to know."""

    def parts(self) -> list[str]:
        """How far it is: runs, answers, time left."""
        counts = ", ".join(f"{count:,} {word}" for word, count in self._answers.items())
        return [f"{self._done:,} of {self._total:,} runs", counts, f"{self._time_left()}"]

    def _time_left(self) -> str:
        if self._left is None:
            return "estimating the time left"
        seconds, when = self._left
        rest = seconds - (time.monotonic() - when)
        return f"about {elapsed(max(rest, 0.0))} left"


class Lines(Watch):
    """Plain lines for a pipe, from time to time."""

    _next = 0.0

    def show(self) -> None:
        """Print a line, if enough time has passed."""
        now = time.monotonic()
        if now >= (self._next or self._start + PLAIN_INTERVAL):
            self._next = now + PLAIN_INTERVAL
            print("study: " + ", ".join(filter(None, self.parts())), file=sys.stderr, flush=True)


class Shown(Watch):
    """The live display, which draws itself again from time to time."""

    def live(self) -> Live:
        """The display; not redirecting, because results go to standard output."""
        from rich.console import Console
        from rich.live import Live

        return Live(
            console=Console(stderr=True),
            get_renderable=self._text,
            refresh_per_second=_REFRESH_PER_SECOND,
            transient=True,
            redirect_stdout=False,
        )

    def _text(self) -> Text:
        from rich.text import Text

        runs, counts, left = self.parts()
        share = self._done / max(self._total, 1)
        return Text.assemble(
            (self._title, "bold"), "  ", (bar(share), "cyan"), f" {runs}, {left}\n",
            counts, "\n", (self._last, "dim"), no_wrap=True, overflow="ellipsis",
        )  # fmt: skip


@contextmanager
def watching(title: str, total: int, rows: list[Row], jobs: int, quiet: bool) -> Iterator[Watch]:
    """The watch that suits standard error."""
    if quiet:
        yield Watch(title, total, rows, jobs)
    elif sys.stderr.isatty():
        shown = Shown(title, total, rows, jobs)
        with shown.live():
            yield shown
    else:
        yield Lines(title, total, rows, jobs)
