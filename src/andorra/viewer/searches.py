"""The one search that runs, what it tells and who watches.

A search runs in a thread of its own; the core lets go of Python's lock while it works. What it
tells goes into a history of bounded size and a latest moment; whoever watches takes both at its own
pace, so that a slow page costs nothing and misses only what nobody could have seen. Invariants: one
search at a time, and one that nobody has watched for `GRACE` seconds ends. What has ended holds no
game, which may be large.
"""

from __future__ import annotations

import os
import secrets
import threading
import time
from contextlib import suppress
from dataclasses import InitVar, asdict, dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

import click

from andorra import Progress, solve
from andorra.checker import Rules
from andorra.cli.positions import read as read_problems
from andorra.cli.solve import solve_arguments
from andorra.errors import AndorraError, OptionError, PositionError
from andorra.options import check_limits, memory_bytes
from andorra.viewer.answers import encoded
from andorra.viewer.forms import Form, RequestError
from andorra.viewer.series import Series
from andorra.viewer.subjects import GAME_FIELDS, Games, describe, state_of

GRACE = 5.0
"""Seconds without a watcher after which a search ends: a page that is loaded again takes less."""
MOST_PROBLEMS = 2_000
KEPT = 20
"""Searches that are remembered, if their answers are not too long."""
MOST_BYTES = 32 << 20
"""Of the answers of all searches that have ended."""

FIELDS = (
    *GAME_FIELDS, "position", "problems", "question", "value", "shortest", "others", "algorithm",
    "options", "nodes", "seconds", "memory", "threads", "certificate",
)  # fmt: skip


class Keeper(Protocol):
    """Where certificates go."""

    def new_place(self) -> Path:
        """A file for one."""

    def keep(self, path: Path, game: Rules) -> str:
        """Put it among what is open, and tell under which name."""


@dataclass(frozen=True)
class Request:
    """What was asked for."""

    game: Rules
    positions: list[str | None]
    many: bool
    search: dict[str, Any]
    """Keyword arguments of `andorra.solve`."""
    certificate: bool

    def to_json(self) -> dict[str, Any]:
        """What the page shows of it; the position is the first one."""
        asked = {name: value for name, value in self.search.items() if value is not None}
        problems = len(self.positions) if self.many else None
        return {"asked": asked, "problems": problems, "start": self._start()}

    def _start(self) -> dict[str, Any]:
        """The first position that can be read; of a single one, that is known."""
        for position in self.positions:
            with suppress(PositionError):
                return describe(self.game, state_of(self.game, position))
        return describe(self.game, state_of(self.game, None))


def read_request(fields: dict[str, Any], games: Games) -> Request:
    """The search that the page asks for, checked as the command line checks it."""
    form = Form(fields, FIELDS)
    game = games.make(form.text("game"), form.text_or_none("data"))
    problems = form.text_or_none("problems")
    positions: list[str | None] = [form.text_or_none("position")]
    if problems is not None:
        positions = list(_problems(problems))
    else:
        state_of(game, positions[0])
    search = _arguments(form)
    return Request(game, positions, problems is not None, search, form.flag("certificate"))


def _problems(text: str) -> list[str]:
    problems = read_problems("problems", text.encode().splitlines())
    found = list(islice(problems, MOST_PROBLEMS + 1))
    if not 1 <= len(found) <= MOST_PROBLEMS:
        count = "more" if found else "0"
        raise RequestError(f"{count} problems; expected 1 to {MOST_PROBLEMS:,}, one a line")
    return [problem.readable() or "" for problem in found]


def _arguments(form: Form) -> dict[str, Any]:
    settings = tuple(f"{name}={value}" for name, value in form.mapping("options").items())
    memory = form.text_or_none("memory")
    _check_memory(memory)
    threads = form.whole("threads")
    if threads is not None and not 1 <= threads <= 1024:
        raise OptionError(f"threads={threads}: expected a number from 1 to 1024")
    nodes, seconds = form.whole("nodes"), form.number("seconds")
    check_limits(nodes, seconds)
    try:
        return solve_arguments(
            threads=threads,
            shortest=form.flag("shortest"),
            others=form.flag("others"),
            others_nodes=None,
            score=form.flag("score"),
            steps=None,
            question=form.text_or_none("question"),
            value=form.flag("value"),
            settings=settings,
            algorithm=form.text_or_none("algorithm") or "dfpn",
            memory=memory,
            nodes=nodes,
            seconds=seconds,
        )
    except click.UsageError as error:
        raise OptionError(error.format_message()) from None


def _check_memory(memory: str | None) -> None:
    """A page must not make the machine swap: no more than what it has."""
    most = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    if memory is not None and memory_bytes(memory) > most:
        raise OptionError(f"memory={memory!r}: this machine has {most >> 20} MiB")


@dataclass
class Search:
    """A search that runs or ran."""

    request: InitVar[Request]
    keeper: Keeper
    id: str = field(default_factory=lambda: secrets.token_urlsafe(9))
    state: str = "running"
    """`running`, `done` or `failed`."""
    version: int = 0
    """Grows whenever there is something new."""
    error: str | None = None
    rows: list[dict[str, Any]] = field(default_factory=list)
    """An answer a problem."""
    bytes: int = 0
    """Of all answers, as the page gets them."""
    watchers: int = 0

    def __post_init__(self, request: Request) -> None:
        """Nothing runs before `start`."""
        self.about = request.to_json()
        self._history = Series()
        self._last: dict[str, Any] = {}
        self._now: dict[str, Any] = {"line": (), "children": ()}
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._seen = time.monotonic()
        self._thread = threading.Thread(target=self._run, args=(request,), daemon=True)

    def start(self) -> None:
        """Search, in a thread."""
        self._thread.start()

    def stop(self) -> None:
        """End the search soon."""
        self._stop.set()

    def join(self) -> None:
        """Wait until it has ended."""
        self._thread.join()

    def watch(self, more: int) -> None:
        """One watcher came (1) or went (-1)."""
        with self._lock:
            self.watchers += more
            self._seen = time.monotonic()

    def snapshot(self, whole: bool, rows_from: int) -> dict[str, Any]:
        """What is new; `whole` has the history, too."""
        with self._lock:
            points = self._history.points()
            return {
                "version": self.version,
                "state": self.state,
                "error": self.error,
                "points": points if whole else points[-1:],
                "now": self._now,
                "rows": self.rows[rows_from:],
                "rows_from": rows_from,
            }

    def _ends(self) -> bool:
        """Whether somebody stopped it, or nobody watches any more."""
        unseen = self.watchers == 0 and time.monotonic() - self._seen > GRACE
        return self._stop.is_set() or unseen

    def _run(self, request: Request) -> None:
        try:
            for number, position in enumerate(request.positions):
                if self._ends():
                    break
                self._add_row(self._row(request, number, position))
            self._change(state="done")
        except Exception as error:
            self._change(state="failed", error=_said(error))

    def _row(self, request: Request, number: int, position: str | None) -> dict[str, Any]:
        try:
            return {"number": number + 1} | self._solve(request, number, position)
        except AndorraError as error:
            if not request.many:
                raise
            return {"number": number + 1, "position": position, "error": str(error)}

    def _solve(self, request: Request, number: int, position: str | None) -> dict[str, Any]:
        result = solve(
            request.game,
            position,
            certificate=self.keeper.new_place() if request.certificate else None,
            progress=lambda progress: self._tell(number, progress),
            stop=self._ends,
            **request.search,
        )
        path = result.certificate
        kept = None if path is None else self.keeper.keep(path, request.game)
        return result.to_json() | {"certificate": kept}

    def _tell(self, number: int, progress: Progress) -> None:
        """Keep a moment; the last one of a team knows neither depth nor table, so they stay."""
        point = asdict(progress) | {"problem": number + 1}
        now = {name: point.pop(name) for name in ("line", "children")}
        with self._lock:
            self._now = now if progress.children else self._now
            if progress.nodes and not (progress.depth or progress.table_fill):
                point |= self._last
            self._last = {name: point[name] for name in ("depth", "table_fill")}
            self._history.add(progress.seconds, point)
            self.version += 1

    def _add_row(self, row: dict[str, Any]) -> None:
        with self._lock:
            self.rows.append(row)
            self.bytes += len(encoded(row))
            self.version += 1

    def _change(self, **fields: Any) -> None:
        with self._lock:
            for name, value in fields.items():
                setattr(self, name, value)
            self.version += 1


def _said(error: Exception) -> str:
    if isinstance(error, AndorraError):
        return str(error)
    if isinstance(error, MemoryError):
        return "there is not so much memory"
    return f"{type(error).__name__}: {error}"


class Searches:
    """All searches; one of them runs at most."""

    def __init__(self) -> None:
        """None yet."""
        self._known: dict[str, Search] = {}
        self._lock = threading.Lock()

    def start(self, request: Request, keeper: Keeper) -> Search | None:
        """A new search; None if one is running."""
        search = Search(request, keeper)
        with self._lock:
            if any(each.state == "running" for each in self._known.values()):
                return None
            while len(self._known) >= KEPT or self._bytes() > MOST_BYTES:
                del self._known[next(iter(self._known))]
            self._known[search.id] = search
            search.start()
        return search

    def _bytes(self) -> int:
        return sum(each.bytes for each in self._known.values())

    def get(self, name: str) -> Search | None:
        """The search of this name."""
        return self._known.get(name)

    def running(self) -> Search | None:
        """The one that runs."""
        return next((each for each in list(self._known.values()) if each.state == "running"), None)

    def close(self) -> None:
        """End what runs."""
        for each in list(self._known.values()):
            each.stop()
            with suppress(RuntimeError):
                each.join()
