"""`andorra.solve`: ask a question about a position, get a verdict and why it holds.

The life of a call: options and limits are checked, and the game is made (`asking.py`); the core is
asked as many questions as it takes (`_find`); and the certificate's parts, which the core writes to
temporary files entry by entry, become one file at the end (`_write`). A verdict outlives whatever
happens to its certificate (`_written`).
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from andorra import _core, leftovers, options
from andorra.asking import Answer, Findings, Search, finite, rules_for
from andorra.errors import NoMemoryError, OptionError
from andorra.question import Question
from andorra.result import Progress, Result
from andorra.rulebook import FIRST, SECOND, SIDE_NAMES, Game
from andorra.scores import checked_steps, find_score, is_score
from andorra.shortest import find_shortest, is_shortest
from andorra.spool import not_written
from andorra.table import Table
from andorra.threads import overheads, team_options

_SUMMED = (
    "nodes",
    "expansions",
    "reexpansions",
    "moves",
    "collections",
    "repetitions",
    "simulations",
    "closures",
    "shared_steps",
    "stops",
    "duplicated",
    "idle",
    "searched_again",
)
_BY_AGENT = (
    "nodes",
    "expansions",
    "cpu_seconds",
    "wall_seconds",
    "seconds_waited",
    "seconds_idle",
    "idle",
    "duplicated",
    "stops",
    "shared_steps",
)
_DRAWN = ("draw", "repetition")
"""How lines end in which neither side blunders, if the value is a draw."""
_ENDS = {"first": "win", "second": "loss", "draw": "draw"}


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
    others: bool = False,
    others_nodes: int = 100_000,
    steps: str = "binary",
    table: Table | None = None,
    on_interrupt: str = "answer",
    **settings: object,
) -> Result:
    """Can the prover force a win?

    `game` is a name with parameters ("connect4:5x4"; "graph:FILE" for an explicit graph) or a
    `Game` of your own. `question` is "win" (the side to move), "win:first", "win:second", each
    with "<=N" for at most N plies ("mate<=N" is "win:first<=N"), "value" for all questions that the
    game's value needs, or "shortest" ("shortest:first", "shortest:second"): is there a win, and in
    how many plies, if one side wins as soon and the other resists as long as possible? With
    `others`, what other moves on the line of the shortest win would have won, too; `others_nodes`
    limits each question about one.

    Of games with scores, "score>=N" asks whether the first player can force at least N, and
    "score<=N" whether the second can force at most N. "score" asks for the most that the first
    player can force, "score:second" for the least that the second can, in `steps` that are
    "binary", "linear" or "aspiration". Where a game has no scores, a win counts 1, a draw 0 and a
    loss -1.

    `memory`, `nodes` and `seconds` limit each question, or all questions about the shortest win or
    about the score together; Ctrl-C ends the search, too, and so does `stop`, which is asked all
    the time (`threading.Event().is_set`, for example, so that another thread can end it): the
    verdict is then "unknown", and `limit` says why. With `on_interrupt="raise"`, a search that
    Ctrl-C has ended raises KeyboardInterrupt, so that a loop over many positions ends as well. Even
    with "answer", a Ctrl-C between two lines of Python, before or after the search, can raise it.

    `threads` search together on one table, 0 for as many as there are cores (1 where more gain
    nothing, as with rules in Python or algorithms that know no threads); the runs of one thread,
    which is the default, and those of `agents` that take turns repeat themselves, visit by visit.
    `position` may have several lines where the game reads such texts, as `tsume` reads board
    diagrams; it reads game records, too. `certificate` names the file to write; if that fails,
    `certificate_limit` of the result says why. `table` is one that several searches share.
    `settings` are the algorithm's options (see `andorra.algorithms`).

    >>> solve("mnk:3,3,3", question="value").value
    'draw'
    >>> result = solve("connect4:4x4", question="win:second")
    >>> result.verdict, result.prover
    ('disproven', 'second')
    >>> solve("dots:2x2", question="score").score
    2
    >>> result = solve("mnk:3,3,3", "x../.../..o", question="shortest")
    >>> result.verdict, result.length, len(result.line)
    ('proven', 5, 5)
    """
    options.check_limits(nodes, seconds)
    algorithm = options.check_algorithm(algorithm)
    _check_question(question)
    _check_others(others, others_nodes, question)
    score_steps = checked_steps(steps, question)
    _check_table(table)
    raises = interrupt_raises(on_interrupt)
    search = Search(
        game=rules_for(game),
        position=position,
        algorithm=algorithm,
        options=options.option_texts(algorithm, settings),
        memory=options.memory_bytes(memory),
        nodes=nodes,
        seconds=seconds,
        progress=progress,
        stop=stop,
        table=table,
    )
    texts = search.settings["options"]
    texts |= team_options(algorithm, threads, texts, search.native.in_parallel)
    if table is not None:
        table.check_suits(search.rules)
    if certificate is not None:
        _check_place(Path(certificate))
        leftovers.remove_files(Path(certificate).parent)
    with ExitStack() as stack:
        spools = None if certificate is None else stack
        if question is not None and is_shortest(question):
            findings = find_shortest(search, question, spools, others_nodes if others else None)
        elif question is not None and is_score(question):
            findings = find_score(search, question, spools, score_steps)
        else:
            findings = _find(search, question, spools)
        result = _result(search, findings, certificate)
    if raises and search.interrupted:
        raise KeyboardInterrupt
    return result


def interrupt_raises(on_interrupt: object) -> bool:
    """Whether Ctrl-C is to be raised, and not to be a limit that was reached."""
    if on_interrupt not in ("answer", "raise"):
        raise OptionError(f"on_interrupt={on_interrupt!r}: expected 'answer' or 'raise'")
    return on_interrupt == "raise"


def _check_table(table: object) -> None:
    if not (table is None or isinstance(table, Table)):
        expected = "expected an andorra.Table, or None for a table of the search's own"
        raise OptionError(f"table={table!r}: {expected}")


def _check_question(question: object) -> None:
    if not (question is None or isinstance(question, str)):
        expected = "expected a text such as 'win:first', or None for the game's own"
        raise OptionError(f"question={question!r}: {expected}")


def _check_others(others: bool, nodes: int, question: str | None) -> None:
    options.check_nodes(nodes, "others_nodes")
    if others and not is_shortest(question):
        asked = "the default question" if question is None else f"question={question!r}"
        raise OptionError(f"others=True goes with question='shortest', not with {asked}")


def _find(search: Search, text: str | None, spools: ExitStack | None) -> Findings:
    """The answer to one question, or to as many as the value needs."""
    if text == "value":
        return _find_value(search, spools)
    question = Question.parse(search.rules.question if text is None else text, search.to_move)
    options.check_bound(question.within)
    answer = search.ask(question, spools)
    value = search.value([answer])
    limit = answer.report.limit if answer.verdict == "unknown" else None
    parts = [answer] if limit is None else []
    return Findings(str(question), answer.verdict, value, answer, answer, limit, [answer], parts)


def _find_value(search: Search, spools: ExitStack | None) -> Findings:
    series = _core.Series()
    answers = [search.ask(Question(FIRST), spools, series=series)]
    missed = None
    if answers[0].verdict == "disproven" and not search.decisive:
        missed = _ask_second(search, answers, spools, series)
    first, last = answers[0], answers[-1]
    shown = next((each for each in answers[::-1] if each.report.line_end in _DRAWN), last)
    value = search.value(answers)
    verdict = "unknown" if value is None else first.verdict
    limit = last.report.limit if last.verdict == "unknown" else missed
    parts = [] if limit else answers[1:] if len(answers) == 2 and value == "loss" else answers
    line = shown if value == "draw" else last
    return Findings("value", verdict, value, first, line, limit, answers, parts)


def _ask_second(
    search: Search, answers: list[Answer], spools: ExitStack | None, series: _core.Series
) -> str | None:
    """Ask whether the second player wins, too; what kept that question from being asked, if any."""
    try:
        answers.append(search.ask(Question(SECOND), spools, series=series))
    except NoMemoryError:
        return "memory"
    except KeyboardInterrupt:  # between the two: during one, the core answers it
        search.interrupted = True
        return "interrupted"
    return None


def _check_place(path: Path) -> None:
    """Find out before a long search, not after it, that its certificate has no place."""
    if path.is_dir() or path.name in ("", ".."):
        raise IsADirectoryError(errno.EISDIR, "the certificate needs a file's name", str(path))
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "it is no file that a certificate could replace", str(path))
    if not path.parent.is_dir():
        raise NotADirectoryError(
            errno.ENOTDIR, "the certificate's folder is none", str(path.parent)
        )
    if not os.access(path.parent, os.W_OK):
        raise PermissionError(
            errno.EACCES, "the certificate's folder is read-only", str(path.parent)
        )


def _result(search: Search, found: Findings, path: str | Path | None) -> Result:
    shown = found.shown
    holder_moves = (shown.verdict == "proven") == (shown.question.prover == search.to_move)
    has_move = bool(found.parts) and holder_moves and bool(shown.report.line)
    certificate, certificate_limit = _written(search, found, path)
    return Result(
        game=search.rules.spec(),
        position=search.position,
        question=found.question,
        prover=SIDE_NAMES[found.main.question.prover],
        verdict=found.verdict,
        value=found.value,
        pn=finite(found.main.report.pn),
        dn=finite(found.main.report.dn),
        best_move=shown.report.line[0] if has_move else None,
        line=shown.report.line,
        line_end=_line_end(search, shown),
        limit=found.limit,
        certificate=certificate,
        certificate_limit=certificate_limit,
        unsound=any(answer.report.unsound for answer in found.answers),
        algorithm=search.settings["algorithm"],
        options=search.settings["options"],
        statistics=_statistics(search, found.answers),
        length=found.length,
        length_bounds=found.length_bounds,
        score=found.score,
        score_bounds=found.score_bounds,
        others=found.others,
        left=_left(search, shown),
    )


def _line_end(search: Search, shown: Answer) -> str:
    """How the line ends; the core takes a user's game with scores for one that is won or lost."""
    end = shown.report.line_end
    if shown.question.score is None or end not in ("win", "loss"):
        return end
    outcome = search.rules.outcome(_end_state(search, shown))
    return "decided" if outcome is None else _ENDS[outcome]


def _end_state(search: Search, shown: Answer) -> Any:
    state = search.rules.parse(search.position)
    for text in shown.report.line:
        state = search.rules.play(state, search.rules.parse_move(state, text))
    return state


def _left(search: Search, shown: Answer) -> str | None:
    """What the prover has left at the end of a line that wins."""
    wins = shown.verdict == "proven" and shown.report.line_end in ("win", "loss")
    if not wins or type(search.rules).left is Game.left:
        return None
    return search.rules.left(_end_state(search, shown), shown.question.prover)


def _parts_limit(found: Findings) -> str | None:
    incomplete = (part.entries_limit for part in found.parts if part.entries_limit)
    return found.parts_limit or next(incomplete, None)


def _statistics(search: Search, answers: list[Answer]) -> dict[str, Any]:
    stats = [answer.report.stats for answer in answers]
    agents = _agents(answers)
    summed = {name: sum(getattr(each, name) for each in stats) for name in _SUMMED}
    return summed | {
        "cpu_seconds": round(sum(each.cpu_seconds for each in stats), 6),
        "wall_seconds": round(sum(each.wall_seconds for each in stats), 6),
        "table_entries": max(each.table_entries for each in stats),
        "table_used": max(each.table_used for each in stats),
        "peak_memory": max(each.memory for each in stats),
        "agents": agents,
        "overheads": {} if _in_turns(search) else overheads(agents),
    }


def _in_turns(search: Search) -> bool:
    """Whether agents are simulated, so that their time means nothing."""
    texts: dict[str, str] = search.settings["options"]
    return texts.get("agents", "0") != "0"


def _agents(answers: list[Answer]) -> list[dict[str, float]]:
    """What each agent counted, over all questions; nothing where one searched alone."""
    teams = zip(*(answer.report.agents for answer in answers), strict=True)
    return [{name: sum(getattr(s, name) for s in its) for name in _BY_AGENT} for its in teams]


def _written(
    search: Search, found: Findings, path: str | Path | None
) -> tuple[Path | None, str | None]:
    """The certificate's file, or what kept it from being written; neither if none is due."""
    if path is None or found.verdict == "unknown":
        return None, None
    if not found.parts:
        return None, next((each.entries_limit for each in found.answers), None)
    limit = _parts_limit(found)
    if limit is not None:
        return None, limit
    try:
        _write(search, found, path)
    except KeyboardInterrupt:  # the verdict stands, whatever ends this
        search.interrupted = True
        return None, "interrupted"
    except _StoppedError:
        return None, "interrupted"
    except OSError as error:
        return None, not_written(repr(os.fspath(path)), error)
    return Path(path), None


class _StoppedError(Exception):
    """The caller's `stop` said so while the certificate was written."""


def _write(search: Search, found: Findings, path: str | Path) -> None:
    """Put the certificate's parts into one file."""
    from andorra.certificate import Writer

    with Writer(path) as out:
        rules = search.rules
        value = found.value or "-"
        out.head(rules.spec(), rules.data(), search.position, value, len(found.parts))
        for part in found.parts:
            _write_part(out, part, search.settings["stop"])
        out.end()


def _write_part(out: Any, answer: Answer, stop: Callable[[], bool] | None) -> None:
    question, spool = answer.question, answer.spool
    assert spool is not None
    out.part(
        str(question),
        SIDE_NAMES[question.prover],
        question.within,
        answer.verdict,
        _unless_stopped(spool.pieces(), stop),
        answer.report.entries,
    )


def _unless_stopped(pieces: Iterator[bytes], stop: Callable[[], bool] | None) -> Iterator[bytes]:
    for piece in pieces:
        if stop is not None and stop():
            raise _StoppedError
        yield piece
