"""Putting questions to the core: a game, a position and settings, and the answers.

`Search` has everything but the question. Each `ask` is one run of the core; where a certificate is
wanted, its entries go to a temporary file of the answer's, until `api.py` puts them together.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass
from typing import Any, cast

from andorra import _core
from andorra.errors import NoMemoryError, PositionError
from andorra.judged import Judged, has_own_scores
from andorra.question import Question
from andorra.result import Child, Other, Progress, Value, Verdict
from andorra.rulebook import FIRST, GAMES, SECOND, Game, make, read
from andorra.rulebook.base import Side
from andorra.rulebook.graph import Graph
from andorra.rulebook.shogi_record import is_record
from andorra.rulebook.tsume import Tsume
from andorra.spool import Spool


@dataclass(frozen=True)
class Answer:
    """What the core said to one question."""

    question: Question
    report: _core.Report
    spool: Spool | None
    """The certificate's entries, if they were asked for."""

    @property
    def verdict(self) -> Verdict:
        """What the bounds say."""
        if self.report.pn == 0:
            return "proven"
        return "disproven" if self.report.dn == 0 else "unknown"

    @property
    def entries_limit(self) -> str | None:
        """What kept the entries from being complete, if anything did."""
        if self.report.unsound:
            return "unsound settings"
        failure = None if self.spool is None else self.spool.failure
        return self.report.certificate_limit or failure

    def instead_of(self, other: Answer | None) -> Answer:
        """Take the other's place; its entries are of no use any more."""
        if other is not None and other.spool is not None:
            other.spool.close()
        return self


@dataclass(frozen=True)
class Findings:
    """What all the answers to what a user asked add up to."""

    question: str
    verdict: Verdict
    value: Value | None
    main: Answer
    """Whose bounds are shown, and who proves."""
    shown: Answer
    """Whose line is shown."""
    limit: str | None
    answers: list[Answer]
    parts: list[Answer]
    """Those that make the certificate; none if there is nothing to certify."""
    parts_limit: str | None = None
    """What kept a part from being found without which they do not show all that is known."""
    length: int | None = None
    length_bounds: tuple[int, int | None] | None = None
    score: int | None = None
    score_bounds: tuple[int | None, int | None] | None = None
    others: list[Other] | None = None


class Search:
    """A game, a position and all settings: everything but the question."""

    def __init__(self, game: Game[Any, Any], position: str | None, **settings: Any) -> None:
        """Make the game and read the position."""
        self.rules = game
        self.native = _native(game)
        self.position = self.native.canonical(
            self.native.initial() if position is None else _one_line(game, _encodable(position))
        )
        self.settings = settings
        self.to_move = cast(Side, self.native.to_move(self.position))
        self.interrupted = False
        """Whether Ctrl-C ended a question, or came where none was asked; `stop` does not count."""

    @property
    def decisive(self) -> bool:
        """Whether every line ends in a win of one side."""
        return self.native.acyclic and not self.native.can_draw

    def value(self, answers: list[Answer]) -> Value | None:
        """What the answers say of the value; see docs/certificate.md. Scores say nothing."""
        if any(answer.question.score is not None for answer in answers):
            return None
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

    def ask(
        self,
        question: Question,
        spools: ExitStack | None = None,
        position: str | None = None,
        length_step: int = 0,
        series: _core.Series | None = None,
        **limits: Any,
    ) -> Answer:
        """Run the core; with `spools`, which closes it, a file collects the certificate's entries.

        `limits` go before those of the settings; `length_step` is that of core/solve/any_game.hpp.
        The questions of a `series` have one table, unless the settings have another.
        """
        spool = None if spools is None else _spool(spools)
        settings = self.settings | limits
        table = settings.get("table")
        judged = question.score is not None and has_own_scores(self.rules)
        native = _native(Judged(self.rules, question)) if judged else self.native
        before = _core.interrupts()
        try:
            report = native.solve(
                self.position if position is None else position,
                question.prover,
                question.within,
                settings["algorithm"],
                settings["options"],
                settings["nodes"],
                settings["seconds"],
                settings["memory"],
                _listener(settings["progress"], question),
                spool.write if spool else None,
                settings["stop"],
                length_step,
                None if table is None else table.of(question),
                # Of a judged game the core sees a win, which means another thing for each score.
                score=None if judged else question.score,
                series=None if judged else series,
            )
        except MemoryError:
            raise NoMemoryError(_too_large(settings["memory"])) from None
        self.interrupted |= _core.interrupts() != before
        return Answer(question, report, spool)


def rules_for(game: str | Game[Any, Any]) -> Game[Any, Any]:
    """The rules that a caller means: its own, or those of a built-in game."""
    if not isinstance(game, str):
        return _own_rules(game)
    name, _, file = game.partition(":")
    return Graph.from_file(file) if name == "graph" and file else make(game)


def is_same_game(one: Game[Any, Any], other: Game[Any, Any]) -> bool:
    """Whether all positions of the two are the same; of users' games, only the object itself is."""
    if type(one) is not type(other) or type(one) not in GAMES.values():
        return one is other
    return (one.spec(), one.hinted_data()) == (other.spec(), other.hinted_data())


def _own_rules(game: object) -> Game[Any, Any]:
    if isinstance(game, Game):
        return game
    hint = f"; did you mean {game.__name__}()?" if isinstance(game, type) else ""
    raise PositionError(
        f"game={game!r}: expected a name such as 'connect4:5x4', or an object of a class derived "
        f"from andorra.Game{hint}"
    )


def defaults_of(game: str | Game[Any, Any]) -> Callable[[dict[str, str]], dict[str, str]]:
    """What the game sets for itself, as a function of the options that are set.

    >>> own = defaults_of("tsume")
    >>> own({})["epsilon"], "epsilon" in own({"epsilon": "0"}), defaults_of("mnk")({})
    ('0.25', False, {})
    """
    return _native(rules_for(game)).defaults


def _encodable(position: str) -> str:
    if not isinstance(position, str):
        raise PositionError(f"position={position!r}: expected a text, or None for the initial one")
    try:
        position.encode()
    except UnicodeEncodeError as error:
        raise PositionError.at(position, error.start, "expected text that UTF-8 can hold") from None
    return position


def _one_line(rules: Game[Any, Any], position: str) -> str:
    """The text as the core reads it: only the reference rules know diagrams and game records.

    A user's rules get every text as it is, from the core.
    """
    record = type(rules) is Tsume and is_record(position)
    if type(rules) not in GAMES.values() or not ("\n" in position or record):
        return position
    return rules.format(read(rules, position))


def _native(game: Game[Any, Any]) -> _core.Game:
    """The core's own game where there is one; else the user's rules, behind its interface."""
    if type(game) in GAMES.values():
        return _core.make_game(game.spec(), game.hinted_data())
    address = getattr(game, "address", None)
    if address is not None:
        return _core.abi_game(address)
    from andorra.user_game import PythonBackend

    return _core.python_game(PythonBackend(game))


def _spool(spools: ExitStack) -> Spool:
    """A place for entries until the certificate is put together; gone with `spools`."""
    return spools.enter_context(closing(Spool()))


def _too_large(memory: int) -> str:
    size = f"{memory / (1 << 20):,.0f} MiB"
    said = f"memory of {memory} bytes ({size}): the system does not give this process so much"
    return f"{said}; expected less, or a higher limit (ulimit -v)"


def finite(number: int) -> int | None:
    """A proof or disproof number; None is infinite."""
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
                pn=finite(event.pn),
                dn=finite(event.dn),
                nodes=stats.nodes,
                expansions=stats.expansions,
                moves=stats.moves,
                depth=event.depth,
                table_fill=event.table_fill,
                seconds=event.seconds,
                nodes_per_second=stats.nodes / event.seconds if event.seconds else 0.0,
                collections=stats.collections,
                line=tuple(event.line),
                children=tuple(
                    Child(move, finite(pn), finite(dn)) for move, pn, dn in event.children
                ),
            )
        )

    return listen
