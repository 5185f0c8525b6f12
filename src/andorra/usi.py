"""A USI engine: what a shogi program asks (`position`, `go mate`), `andorra.solve` answers.

Source: the protocol USI (Universal Shogi Interface, derived from chess's UCI), with `go mate` and
`checkmate` as the program Shogidokoro has them. A game record leads to the position, by all legal
moves of shogi; the side to move then is the attacker of a problem of `tsume`.

Invariant: every `go` gets one answer, and nothing else ends the engine but `quit` and the end of
its input. A search runs in a thread of its own, so that `stop` is heard, and answered even while
the search still clears its memory away. All lines are ASCII, as programs read them in different
encodings.

Deviations: `go mate nodes N` is ours, and so is `checkmate notimplemented` to a question that no
search can be asked, such as one about a position that could not be read. A mate whose moves could
not be collected in time is a `timeout`. We play no games: any other `go` gets `bestmove resign`.

>>> Engine(print).run(["position sfen 4k4/9/4P4/9/9/9/9/9/9 b G 1", "isready", "go", "quit"])
readyok
bestmove resign
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from threading import Event, Lock, Thread, main_thread
from typing import Any

from andorra import Progress, Result, __version__, solve
from andorra.errors import AndorraError, OptionError, OutputError, PositionError
from andorra.options import ALL_CORES, cores, memory_bytes
from andorra.rulebook import make
from andorra.rulebook.reading import quoted
from andorra.rulebook.sfen import write_sfen
from andorra.rulebook.shogi_record import START, read_record, replay

LARGEST_HASH = 1 << 20
"""In MiB."""
MOST_THREADS = 1024
REPORT_INTERVAL = 1.0
"""Seconds between two lines on how a search goes, at least."""
STOP_SECONDS = 0.05
"""How long `stop` waits for the search to answer itself."""
NUMBER = re.compile(r"[0-9]{1,18}")
RULES = {"DefenderHoldsRest": "rest", "IgnoreWastedInterpositions": "muda"}
"""Options that are a parameter of the game, which wants them in this order."""
SHORTEST = "Shortest"
_SWITCH = {"true": True, "false": False}

Say = Callable[[str], None]


class Engine:
    """Obeys commands; `write` gets the lines to be sent, one at a time, from different threads."""

    def __init__(self, write: Say) -> None:
        self._write = write
        self._writing = Lock()
        self._memory = memory_bytes(None)
        self._threads = ALL_CORES
        self._checks = dict.fromkeys((*RULES, SHORTEST), False)
        self._position: str | None = START
        self._search: Search | None = None
        self._owes_a_move = False
        self._commands: dict[str, Callable[[list[str]], None]] = {
            "usi": self._introduce,
            "isready": lambda words: self._say("readyok"),
            "setoption": self._set_option,
            "position": self._set_position,
            "go": self._go,
            "stop": self._stop,
            "ponderhit": self._stop,
            "gameover": self._end_game,
        }

    def run(self, lines: Iterable[str]) -> None:
        """Obey all commands up to `quit`, then end the search that may still be running."""
        try:
            for words in map(str.split, lines):
                if words[:1] == ["quit"]:
                    break
                self._obey(words)
        finally:
            self._end_search()

    def _obey(self, words: list[str]) -> None:
        """Unknown commands, and those that we have no use for, are ignored: the protocol's wish."""
        command = self._commands.get(words[0]) if words else None
        if command is None:
            return
        try:
            command(words[1:])
        except AndorraError as error:
            self._say(f"info string error: {error}")

    def _say(self, line: str) -> None:
        text = " ".join(line.split()).encode("ascii", "backslashreplace").decode()
        with self._writing:
            self._write(text)

    # ---- commands ----

    def _introduce(self, _: list[str]) -> None:
        default = memory_bytes(None) >> 20
        self._say(f"id name Andorra {__version__}")
        self._say("id author The Andorra developers")
        self._say(f"option name USI_Hash type spin default {default} min 1 max {LARGEST_HASH}")
        self._say(f"option name Threads type spin default {cores()} min 1 max {MOST_THREADS}")
        for name in self._checks:
            self._say(f"option name {name} type check default false")
        self._say("usiok")

    def _set_option(self, words: list[str]) -> None:
        """`name NAME value VALUE`; programs also set options that we never offered."""
        if len(words) != 4 or words[0] != "name" or words[2] != "value":
            return
        name, value = words[1], words[3]
        if name == "USI_Hash":
            self._memory = _number(name, value, LARGEST_HASH, " MiB") << 20
        elif name == "Threads":
            self._threads = _number(name, value, MOST_THREADS)
        elif name in self._checks:
            self._checks[name] = _is_on(name, value)

    def _set_position(self, words: list[str]) -> None:
        self._position = None  # better no answer than one about the position before
        self._position = position_after(words)

    def _go(self, words: list[str]) -> None:
        self._end_search()
        if words[:1] == ["mate"]:
            self._go_mate(words[1:])
        elif "infinite" in words or "ponder" in words:
            self._owes_a_move = True
        else:
            self._say("bestmove resign")

    def _go_mate(self, words: list[str]) -> None:
        try:
            limits = limits_in(words)
            if self._position is None:
                raise PositionError("there is no position to search")
        except AndorraError as error:
            self._say(f"info string error: {error}")
            self._say("checkmate notimplemented")
            return
        question = "shortest" if self._checks[SHORTEST] else None
        asked = {"game": self._game(), "position": self._position, "question": question, **limits}
        asked |= {"memory": self._memory, "threads": self._threads}
        self._search = Search(asked, self._say)

    def _game(self) -> str:
        parameters = [parameter for name, parameter in RULES.items() if self._checks[name]]
        return f"tsume:{','.join(parameters)}" if parameters else "tsume"

    def _stop(self, _: list[str]) -> None:
        if self._search is not None:
            self._search.stop()
        if self._owes_a_move:
            self._say("bestmove resign")
        self._owes_a_move = False

    def _end_game(self, _: list[str]) -> None:
        if self._search is not None:
            self._search.stop()
        self._owes_a_move = False

    def _end_search(self) -> None:
        if self._search is not None:
            self._search.stop()
            self._search.join()
        self._search = None


class Search:
    """A search in a thread of its own, which says how it goes, and the answer."""

    def __init__(self, asked: dict[str, Any], say: Say) -> None:
        self._asked = asked
        self._say = say
        self._start = self._reported = time.monotonic()
        self._fill: float | None = None
        """The table's, of all that it may grow to, as the search last told it."""
        self._stop = Event()
        self._answering = Lock()
        self._answered = Event()
        self._thread = Thread(target=self._run, name="search")
        self._thread.start()

    def stop(self) -> None:
        """End the search, and have it answered now."""
        self._stop.set()
        if not self._answered.wait(STOP_SECONDS):
            self._answer("checkmate timeout")

    def _must_end(self) -> bool:
        """Also if Ctrl-C ended the program's main thread before it could stop us."""
        return self._stop.is_set() or not main_thread().is_alive()

    def join(self) -> None:
        """Wait until nothing is left of the search."""
        self._thread.join()

    def _answer(self, *lines: str) -> None:
        """Say the last lines, unless that has been done."""
        with self._answering:
            if not self._answered.is_set():
                self._answered.set()
                for line in lines:
                    self._say(line)

    def _run(self) -> None:
        # Nobody listens any more; the input will end soon.
        with suppress(BrokenPipeError, OutputError):
            try:
                result = solve(progress=self._report, stop=self._must_end, **self._asked)
            except Exception as error:  # whatever it is, the other side waits for an answer
                fault = f"info string error: {type(error).__name__}: {error}"
                self._answer(fault, "checkmate timeout")
            else:
                self._answer(*_open_length(result), self._summary(result), answer_to(result))

    def _report(self, progress: Progress) -> None:
        now = time.monotonic()
        self._fill = progress.table_fill
        if now - self._reported < REPORT_INTERVAL or self._answered.is_set():
            return
        self._reported = now
        figures = self._figures(progress.nodes)
        self._say(f"info depth {progress.depth} {figures} string {_bounds(progress)}")

    def _summary(self, result: Result) -> str:
        counts = result.statistics
        line = f"info depth {len(result.line)} {self._figures(counts['nodes'])}"
        if is_mate(result):
            return f"{line} score mate {len(result.line)} pv {' '.join(result.line)}"
        reason = f" ({result.limit})" if result.limit else ""
        return f"{line} string {result.verdict}{reason} {_bounds(result)}"

    def _figures(self, nodes: int) -> str:
        seconds = time.monotonic() - self._start
        rate = round(nodes / seconds) if seconds else 0
        fill = "" if self._fill is None else f" hashfull {round(1000 * self._fill)}"
        return f"nodes {nodes} nps {rate} time {round(1000 * seconds)}{fill}"


# ---- answers ----


def is_mate(result: Result) -> bool:
    """Whether there is a mate, and a line that shows it to its end."""
    return result.verdict == "proven" and result.line_end == "win"


def answer_to(result: Result) -> str:
    """The answer to `go mate`."""
    if is_mate(result):
        return f"checkmate {' '.join(result.line)}"
    return "checkmate nomate" if result.verdict == "disproven" else "checkmate timeout"


def _open_length(result: Result) -> list[str]:
    """A mate that was found in time need not be the shortest, though that was asked for."""
    if result.length is not None and is_mate(result) and len(result.line) < result.length:
        return [f"info string not the longest defence: the shortest mate takes {result.length}"]
    if result.length is not None or result.length_bounds is None:
        return []
    at_least = result.length_bounds[0]
    return [
        f"info string perhaps not the shortest: it takes at least {at_least} plies ({result.limit})"
    ]


def _bounds(known: Progress | Result) -> str:
    numbers = ("inf" if number is None else str(number) for number in (known.pn, known.dn))
    return "pn {} dn {}".format(*numbers)


# ---- what the commands say ----


def limits_in(words: list[str]) -> dict[str, int | float]:
    """The limits of a search that follow `go mate`.

    >>> limits_in(["5000"]), limits_in(["infinite"]), limits_in(["nodes", "70"])
    ({'seconds': 5.0}, {}, {'nodes': 70})
    """
    if words in ([], ["infinite"]):
        return {}
    if len(words) == 1 and NUMBER.fullmatch(words[0]):
        return {"seconds": max(int(words[0]), 1) / 1000}
    if len(words) == 2 and words[0] == "nodes" and NUMBER.fullmatch(words[1]):
        return {"nodes": max(int(words[1]), 1)}
    text = quoted(" ".join(words))
    raise OptionError(f"cannot read {text}; expected milliseconds, 'infinite' or 'nodes N'")


def _number(name: str, text: str, most: int, unit: str = "") -> int:
    number = int(text) if NUMBER.fullmatch(text) else 0
    if not 1 <= number <= most:
        raise OptionError(f"{name} {quoted(text)}: expected 1 to {most}{unit}")
    return number


def _is_on(name: str, text: str) -> bool:
    if text not in _SWITCH:
        raise OptionError(f"{name} {quoted(text)}: expected 'true' or 'false'")
    return _SWITCH[text]


def position_after(words: list[str]) -> str:
    """The problem that the words after `position` lead to, in SFEN; who moves attacks.

    >>> position_after("startpos moves 7g7f 3c3d 8h2b+".split())
    'lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w B 1'
    """
    record = read_record(" ".join(words))
    sfen = write_sfen(replay(record.start, record.moves))
    make("tsume").parse(sfen)
    return sfen
