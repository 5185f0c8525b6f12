"""`andorra solve GAME [POSITION|FILE]`: asks the question, shows the search, prints the answer."""

from __future__ import annotations

import json
import os
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from andorra.cli import exits
from andorra.cli.boards import board_option
from andorra.cli.completions import GameName
from andorra.cli.lengths import is_shortest, length_arguments, length_options
from andorra.cli.output import print_result
from andorra.cli.positions import (
    GRAPH,
    Problem,
    diagram_in,
    game_and_texts,
    is_diagram,
    is_file,
    maybe_a_file,
    problems_in,
)
from andorra.cli.progress import reporting
from andorra.cli.rules import Subject, subject
from andorra.cli.searches import search_arguments, search_options
from andorra.errors import OptionError, PositionError, RuleError

if TYPE_CHECKING:
    from andorra import Result

_VERDICT_CODES = {
    "proven": exits.PROVEN,
    "disproven": exits.DISPROVEN,
    "unknown": exits.UNKNOWN,
}


@dataclass(frozen=True)
class Request:
    """What was asked for, the positions aside."""

    subject: Subject
    search: dict[str, Any]
    """Keyword arguments of `andorra.solve`."""
    certificate: Path | None
    json: bool
    quiet: bool


@click.command("solve")
@click.argument("game", type=GameName(), metavar="GAME")
@click.argument("position_or_file", metavar="[POSITION|FILE]", required=False)
@click.option("--position", metavar="TEXT", help="The position, even if a file has its name.")
@search_options
@length_options
@click.option("--threads", metavar="N", type=int, default=1, help="Threads; only 1 for now.")
@click.option(
    "--certificate",
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="Where to write the certificate: a file; for a FILE of positions, a folder.",
)
@click.option("--rules", metavar="MODULE:CLASS", help="Rules of your own, see above.")
@board_option
@click.option("--json", "as_json", is_flag=True, help="Print a line of JSON for each problem.")
@click.option("--quiet", is_flag=True, help="No progress, and one word for an answer.")
def command(
    game: str,
    position_or_file: str | None,
    position: str | None,
    rules: str | None,
    certificate: Path | None,
    board: str,
    as_json: bool,
    quiet: bool,
    **arguments: Any,
) -> int:
    """Solve a position of GAME: can the prover force a win?

    GAME is a name with parameters, such as connect4:5x4 (see 'andorra games'). Without a POSITION
    it is the initial one. A FILE has a position a line, '#' starts a comment, '-' is standard
    input. For the game 'graph' the FILE is the graph itself. A FILE whose name ends in .kif, .kifu
    or .bod is one position, a board diagram of shogi.

    \b
    --rules loads, and so runs, rules of your own for the game that GAME names:
      nim.py:Nim or package.module:Nim   a class with the rules in Python
      ./libnim.so                        a library with the C interface

    \b
    Exit code: 0 proven, 1 disproven, 2 usage, 3 bad input, 4 unknown.
    For a FILE and with --value: 0 if all is answered, 4 if not.
    With --shortest: 4 if there is a win whose length was left open.

    \b
    andorra solve connect4:4x4 --value
    andorra solve mnk:3,3,3 'xo./.x./...' --question win:first
    andorra solve hex:4 openings.txt --json --certificate proofs/
    andorra solve tsume problem.kif --shortest --others
    """
    game, text = _what(game, position_or_file, position)
    chosen = subject(game, rules, board)
    request = Request(chosen, _search(**arguments), certificate, as_json, quiet)
    if text is not None and position is None and is_file(text):
        return _solve_file(request, text)
    return _solve_one(request, text, maybe_file=text is not None and position is None)


def _what(game: str, position_or_file: str | None, position: str | None) -> tuple[str, str | None]:
    """The game, and its position or file of positions."""
    if position is not None and position_or_file is not None and game != GRAPH:
        raise click.UsageError(f"two positions were given: {position_or_file!r} and {position!r}")
    texts = [] if position_or_file is None else [position_or_file]
    game, left = game_and_texts(game, texts, "solve")
    return game, left[0] if left else position


def _search(
    threads: int, shortest: bool, others: bool, others_nodes: int | None, **arguments: Any
) -> dict[str, Any]:
    """The keyword arguments of `andorra.solve` that the options stand for."""
    if threads != 1:
        raise OptionError(f"--threads {threads}: only one thread is supported, --threads 1")
    search = search_arguments(threads=threads, **arguments)
    return search | length_arguments(search["question"], shortest, others, others_nodes)


def _solve_one(request: Request, text: str | None, maybe_file: bool) -> int:
    _check_file(request.certificate)
    with maybe_a_file(text if maybe_file else None):
        result = _solve(request, text, request.certificate)
    if not _answered(result):
        return exits.UNKNOWN
    return exits.ANSWERED if result.question == "value" else _VERDICT_CODES[result.verdict]


def _solve_file(request: Request, path: str) -> int:
    if is_diagram(path):
        return _solve_one(request, diagram_in(path), maybe_file=False)
    return _solve_many(request, path)


def _solve_many(request: Request, path: str) -> int:
    """Solve every position in the file; a bad line does not cost the other answers."""
    _make_folder(request.certificate)
    asked, bad, answered = 0, False, True
    with closing(problems_in(path)) as problems:
        for problem in problems:
            asked += 1
            result = _solve_line(request, problem, first=asked == 1)
            bad = bad or result is None
            answered = answered and (result is None or _answered(result))
            if result is not None and result.limit == "interrupted":
                break
    return exits.BAD_INPUT if bad else exits.ANSWERED if answered else exits.UNKNOWN


def _solve_line(request: Request, problem: Problem, first: bool) -> Result | None:
    """Solve one line of a file; None, with the error printed, if it holds no position."""
    if not (first or request.json or request.quiet):
        click.echo()
    try:
        position = problem.readable()
        return _solve(request, position, _certificate_for(request, problem), problem.place)
    except (PositionError, RuleError) as error:
        exits.print_error(f"{problem.place}: {error}")
        return None


def _solve(
    request: Request, position: str | None, certificate: Path | None, place: str | None = None
) -> Result:
    """Solve one position and print the answer."""
    import andorra

    drawing = request.subject.draw(position)
    if not (request.json or request.quiet):
        click.echo(f"{request.subject.spec}{f' ({place})' if place else ''}\n\n{drawing}\n")
    with reporting(place or request.subject.spec, request.quiet) as report:
        result = andorra.solve(
            request.subject.game,
            position,
            certificate=certificate,
            progress=report,
            **request.search,
        )
    _print(request, result, place)
    return result


def _print(request: Request, result: Result, place: str | None) -> None:
    if request.json:
        source = {} if place is None else {"source": place}
        click.echo(json.dumps(result.to_json() | source, ensure_ascii=False))
    elif request.quiet:
        click.echo(_in_a_word(result))
    else:
        print_result(result)


def _in_a_word(result: Result) -> str:
    if result.question == "value":
        return result.value or result.verdict
    return result.verdict if result.length is None else str(result.length)


def _answered(result: Result) -> bool:
    """Whether there is a verdict or, if that was asked for, a value or the length of a win."""
    if result.question == "value":
        return result.value is not None
    if is_shortest(result.question) and result.verdict == "proven":
        return result.length is not None
    return result.verdict != "unknown"


def _check_file(certificate: Path | None) -> None:
    """Find out before a long search, not after it, that its certificate has no place."""
    if certificate is None:
        return
    if certificate.is_dir():
        raise OptionError(f"--certificate {str(certificate)!r} is a folder; expected a file's name")
    if not os.access(certificate.parent, os.W_OK):
        raise OptionError(
            f"--certificate {str(certificate)!r}: "
            f"the folder {str(certificate.parent)!r} does not exist or cannot be written to"
        )


def _make_folder(certificate: Path | None) -> None:
    if certificate is None:
        return
    if certificate.exists() and not certificate.is_dir():
        raise OptionError(
            f"--certificate {str(certificate)!r} is a file; for a file of positions, name a folder"
        )
    certificate.mkdir(parents=True, exist_ok=True)


def _certificate_for(request: Request, problem: Problem) -> Path | None:
    """The problem's own file in the folder, named after its place."""
    if request.certificate is None:
        return None
    stem = "stdin" if problem.file == "<stdin>" else Path(problem.file or "").stem
    return request.certificate / f"{stem}-{problem.line:04}.andorra"
