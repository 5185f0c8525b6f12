"""`andorra.solve`: ask a question about a position, get a verdict and why it holds.

The life of a call: the game is made (`_native`), options and limits are checked, each question
runs in the core (`_ask`), and the certificate's parts, which the core writes to a temporary file
entry by entry, become one file at the end (`_write`).
"""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

from andorra import _core, options
from andorra.errors import PositionError
from andorra.question import Question
from andorra.result import Progress, Result, Value, Verdict
from andorra.rulebook import FIRST, GAMES, SECOND, SIDE_NAMES, Game, make
from andorra.rulebook.base import Side
from andorra.rulebook.graph import Graph

_SUMMED = (
    "nodes",
    "expansions",
    "reexpansions",
    "moves",
    "collections",
    "repetitions",
    "simulations",
    "closures",
    "searched_again",
)


def solve(
    game: str | Game[Any, Any],
    position: str | None = None,
    question: str | None = None,
    algorithm: str = "dfpn",
    memory: str | int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    threads: int = 1,
    certificate: str | Path | None = None,
    progress: Callable[[Progress], None] | None = None,
    stop: Callable[[], bool] | None = None,
    **settings: object,
) -> Result:
    """Can the prover force a win?

    `game` is a name with parameters ("connect4:5x4"; "graph:FILE" for an explicit graph) or a
    `Game` of your own. `question` is "win" (the side to move), "win:first", "win:second", each
    with "<=N" for at most N plies, or "value" for all questions that the game's value needs.
    `memory`, `nodes` and `seconds` limit each question; Ctrl-C ends the search, too, and so does
    `stop`, which is asked all the time (`threading.Event().is_set`, for example, so that another
    thread can end it): the verdict is then "unknown", and `limit` says why. `position` may have
    several lines where the game reads such texts, as `tsume` reads board diagrams. `certificate`
    names the file to write. `settings` are the algorithm's options (see `andorra.algorithms`).

    >>> solve("mnk:3,3,3", question="value").value
    'draw'
    >>> result = solve("connect4:4x4", question="win:second")
    >>> result.verdict, result.prover
    ('disproven', 'second')
    """
    options.check_limits(nodes, seconds, threads)
    algorithm = options.check_algorithm(algorithm)
    search = _Search(
        game=_rules(game),
        position=position,
        algorithm=algorithm,
        options=options.option_texts(algorithm, settings),
        memory=options.memory_bytes(memory),
        nodes=nodes,
        seconds=seconds,
        progress=progress,
        stop=stop,
    )
    if certificate is not None:
        _check_place(Path(certificate))
    with ExitStack() as spools:
        answers = search.answers(question, certificate is not None, spools)
        return _result(search, question, answers, certificate)


@dataclass(frozen=True)
class _Answer:
    """What the core said to one question."""

    question: Question
    report: _core.Report
    spool: IO[bytes] | None

    @property
    def verdict(self) -> Verdict:
        if self.report.pn == 0:
            return "proven"
        return "disproven" if self.report.dn == 0 else "unknown"


class _Search:
    """A game, a position and all settings: everything but the question."""

    def __init__(self, game: Game[Any, Any], position: str | None, **settings: Any) -> None:
        self.rules = game
        self.native = _native(game)
        self.position = self.native.canonical(
            self.native.initial() if position is None else _one_line(game, _encodable(position))
        )
        self.settings = settings
        self.to_move = cast(Side, self.native.to_move(self.position))

    def answers(self, text: str | None, certified: bool, spools: ExitStack) -> list[_Answer]:
        """The answers to the question, or to as many as the value needs."""
        if text != "value":
            question = Question.parse(self.rules.question if text is None else text, self.to_move)
            options.check_bound(question.within)
            return [self._ask(question, certified, spools)]
        answers = [self._ask(Question(FIRST), certified, spools)]
        if answers[0].verdict == "disproven" and not self.decisive:
            answers.append(self._ask(Question(SECOND), certified, spools))
        return answers

    @property
    def decisive(self) -> bool:
        """Whether every line ends in a win of one side."""
        return self.native.acyclic and not self.native.can_draw

    def value(self, answers: list[_Answer]) -> Value | None:
        """What the answers say of the value; see docs/certificate.md."""
        said = {(answer.question.prover, answer.verdict) for answer in answers}
        bounded = any(answer.question.within is not None for answer in answers)
        if (FIRST, "proven") in said:
            return "win"
        if (SECOND, "proven") in said:
            return "loss"
        if said == {(FIRST, "disproven"), (SECOND, "disproven")}:
            return "draw"
        if not self.decisive or bounded or answers[0].verdict == "unknown":
            return None
        return "loss" if answers[0].question.prover == FIRST else "win"

    def _ask(self, question: Question, certified: bool, spools: ExitStack) -> _Answer:
        spool = _spool(spools) if certified else None
        report = self.native.solve(
            self.position,
            question.prover,
            question.within,
            self.settings["algorithm"],
            self.settings["options"],
            self.settings["nodes"],
            self.settings["seconds"],
            self.settings["memory"],
            _listener(self.settings["progress"], question),
            spool.write if spool else None,
            self.settings["stop"],
        )
        return _Answer(question, report, spool)


def _rules(game: str | Game[Any, Any]) -> Game[Any, Any]:
    if not isinstance(game, str):
        return game
    name, _, file = game.partition(":")
    return Graph.from_file(file) if name == "graph" and file else make(game)


def _encodable(position: str) -> str:
    try:
        position.encode()
    except UnicodeEncodeError as error:
        raise PositionError.at(position, error.start, "expected text that UTF-8 can hold") from None
    return position


def _one_line(rules: Game[Any, Any], position: str) -> str:
    """The text as the core reads it: only the reference rules know diagrams of several lines.

    A user's rules get every text as it is, from the core.
    """
    if "\n" not in position or type(rules) not in GAMES.values():
        return position
    return rules.format(rules.parse(position))


def _check_place(path: Path) -> None:
    """Find out before a long search, not after it, that its certificate has no place."""
    if path.is_dir() or path.name in ("", ".."):
        raise IsADirectoryError(errno.EISDIR, "the certificate needs a file's name", str(path))
    if not path.parent.is_dir():
        raise NotADirectoryError(
            errno.ENOTDIR, "the certificate's folder is none", str(path.parent)
        )
    if not os.access(path.parent, os.W_OK):
        raise PermissionError(
            errno.EACCES, "the certificate's folder is read-only", str(path.parent)
        )


def _native(game: Game[Any, Any]) -> _core.Game:
    """The core's own game where there is one; else the user's rules, behind its interface."""
    if type(game) in GAMES.values():
        return _core.make_game(game.spec(), game.hinted_data())
    address = getattr(game, "address", None)
    if address is not None:
        return _core.abi_game(address)
    from andorra.user_game import PythonBackend

    return _core.python_game(PythonBackend(game))


def _spool(spools: ExitStack) -> IO[bytes]:
    """A place for entries until the certificate is put together; gone with `spools`."""
    return spools.enter_context(tempfile.TemporaryFile())


def _finite(number: int) -> int | None:
    return None if number == _core.INFINITE else number


def _listener(
    progress: Callable[[Progress], None] | None, question: Question
) -> Callable[[_core.Event], None] | None:
    if progress is None:
        return None

    def listen(event: _core.Event) -> None:
        stats = event.stats
        progress(
            Progress(
                event=event.kind,
                question=str(question),
                pn=_finite(event.pn),
                dn=_finite(event.dn),
                nodes=stats.nodes,
                expansions=stats.expansions,
                moves=stats.moves,
                depth=event.depth,
                table_fill=event.table_fill,
                seconds=event.seconds,
                nodes_per_second=stats.nodes / event.seconds if event.seconds else 0.0,
            )
        )

    return listen


def _result(
    search: _Search, text: str | None, answers: list[_Answer], path: str | Path | None
) -> Result:
    value = search.value(answers)
    first, last = answers[0], answers[-1]
    asked_value = text == "value"
    unanswered = next((a for a in answers if a.verdict == "unknown"), None)
    holder_moves = (last.verdict == "proven") == (last.question.prover == search.to_move)
    solved = unanswered is None
    return Result(
        game=search.rules.spec(),
        position=search.position,
        question="value" if asked_value else str(first.question),
        prover=SIDE_NAMES[first.question.prover],
        verdict="unknown" if asked_value and value is None else first.verdict,
        value=value,
        pn=_finite(first.report.pn),
        dn=_finite(first.report.dn),
        best_move=last.report.line[0] if solved and holder_moves and last.report.line else None,
        line=last.report.line,
        line_end=last.report.line_end,
        limit=None if unanswered is None else unanswered.report.limit,
        certificate=_write(search, answers, value, path) if path is not None and solved else None,
        certificate_limit=next(_certificate_limits(answers), None)
        if path is not None and solved
        else None,
        unsound=any(answer.report.unsound for answer in answers),
        algorithm=search.settings["algorithm"],
        options=search.settings["options"],
        statistics=_statistics(answers),
    )


def _certificate_limits(answers: list[_Answer]) -> Iterator[str]:
    for report in (answer.report for answer in answers):
        if report.unsound:
            yield "unsound settings"
        elif report.certificate_limit:
            yield report.certificate_limit


def _statistics(answers: list[_Answer]) -> dict[str, Any]:
    stats = [answer.report.stats for answer in answers]
    summed = {name: sum(getattr(each, name) for each in stats) for name in _SUMMED}
    return summed | {
        "cpu_seconds": round(sum(each.cpu_seconds for each in stats), 6),
        "table_entries": max(each.table_entries for each in stats),
        "table_used": max(each.table_used for each in stats),
        "peak_memory": max(each.memory for each in stats),
    }


def _write(
    search: _Search, answers: list[_Answer], value: Value | None, path: str | Path
) -> Path | None:
    """Put the certificate's parts into one file; None if one of them is incomplete."""
    from andorra.certificate import Writer

    if any(_certificate_limits(answers)):
        return None
    if len(answers) == 2 and value == "loss":
        answers = answers[1:]
    with Writer(path) as out:
        rules = search.rules
        out.head(rules.spec(), rules.data(), search.position, value or "-", len(answers))
        for answer in answers:
            _write_part(out, answer)
        out.end()
    return Path(path)


def _write_part(out: Any, answer: _Answer) -> None:
    question, spool = answer.question, answer.spool
    assert spool is not None
    spool.seek(0)
    out.part(
        str(question),
        SIDE_NAMES[question.prover],
        question.within,
        answer.verdict,
        iter(lambda: spool.read(1 << 16), b""),
        answer.report.entries,
    )
