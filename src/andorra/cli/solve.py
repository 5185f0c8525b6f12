"""`andorra solve GAME [POSITION|FILE]`: asks the question, shows the search, prints the answer."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from andorra.cli import exits, interrupts
from andorra.cli.boards import board_option
from andorra.cli.completions import GameName
from andorra.cli.lengths import length_arguments, length_options
from andorra.cli.many import Resume, solve_many
from andorra.cli.many_output import is_answered, word
from andorra.cli.output import print_result, warn_of_certificate, why_no_certificate
from andorra.cli.positions import GRAPH, game_and_texts, is_file, maybe_a_file
from andorra.cli.progress import reporting
from andorra.cli.rules import Subject, rules_option, subject
from andorra.cli.scores import score_arguments, score_options
from andorra.cli.searches import search_arguments, search_options
from andorra.cli.sources import Source
from andorra.cli.streams import json_line
from andorra.errors import OptionError

if TYPE_CHECKING:
    from andorra import Result

_ALL_CORES = 0
"""As `andorra.solve` takes it."""
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
@score_options
@click.option(
    "--threads",
    metavar="N",
    type=click.IntRange(min=0),
    help="Threads that search on one table; 0: as many as there are cores; "
    "1: for runs that repeat themselves. [default: for dfpn, 0]",
)
@click.option(
    "--certificate",
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="Where to write the certificate: a file; for a FILE of positions, a folder.",
)
@rules_option(", see above")
@board_option
@click.option("--json", "as_json", is_flag=True, help="Print a line of JSON for each problem.")
@click.option(
    "--resume",
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="For a FILE of positions: keep the answers in PATH, and solve only what it lacks.",
)
@click.option("--retry", is_flag=True, help="With --resume: try all unknowns again.")
@click.option("--quiet", is_flag=True, help="No progress, and one word for an answer.")
def command(
    game: str,
    position_or_file: str | None,
    position: str | None,
    rules: str | None,
    certificate: Path | None,
    board: str,
    as_json: bool,
    resume: Path | None,
    retry: bool,
    quiet: bool,
    **arguments: Any,
) -> int:
    """Solve a position of GAME: can the prover force a win?

    GAME is a name with parameters, such as connect4:5x4 (see 'andorra games'). Without a POSITION
    it is the initial one. A FILE has a position a line, '#' starts a comment, '-' is standard
    input. For the game 'graph' the FILE is the graph itself. For 'tsume', a FILE may have board
    diagrams of shogi instead, as .kif, .kifu and .bod files have them.

    \b
    --rules loads, and so runs, rules of your own for the game that GAME names:
      nim.py:Nim or package.module:Nim   a class with the rules in Python
      ./libnim.so                        a library with the C interface

    \b
    Exit code: 0 proven, 1 disproven, 2 usage, 3 bad input, 4 unknown.
    For a FILE and with --value: 0 if all is answered, 4 if not.
    With --shortest: 4 if there is a win whose length was left open.
    With --score: 1 if no score can be forced, 4 if it was left open.

    \b
    andorra solve connect4:4x4 --value
    andorra solve mnk:3,3,3 'xo./.x./...' --question win:first
    andorra solve hex:4 openings.txt --json --certificate proofs/
    andorra solve tsume problem.kif --shortest --others
    andorra solve dots:3x2 --score --certificate score.andorra
    """
    game, text = _what(game, position_or_file, position)
    chosen = subject(game, rules, board)
    request = Request(chosen, solve_arguments(**arguments), certificate, as_json, quiet)
    keeping = _resume(resume, retry)
    if text is not None and position is None and is_file(text):
        return _solve_file(request, text, keeping)
    _check_unused(keeping)
    return _solve_one(request, text, maybe_file=text is not None and position is None)


def _what(game: str, position_or_file: str | None, position: str | None) -> tuple[str, str | None]:
    """The game, and its position or file of positions."""
    if position is not None and position_or_file is not None and game != GRAPH:
        raise click.UsageError(f"two positions were given: {position_or_file!r} and {position!r}")
    texts = [] if position_or_file is None else [position_or_file]
    game, left = game_and_texts(game, texts, "solve")
    return game, left[0] if left else position


def solve_arguments(
    threads: int | None,
    shortest: bool,
    others: bool,
    others_nodes: int | None,
    score: bool,
    steps: str | None,
    **arguments: Any,
) -> dict[str, Any]:
    """The keyword arguments of `andorra.solve` that the options stand for."""
    search = search_arguments(**arguments)
    if threads is not None and "threads" in search:
        raise OptionError(f"--threads {threads} and threads={search['threads']}: choose one")
    if threads is not None or search["algorithm"] == "dfpn":
        search = {"threads": threads or _ALL_CORES} | search
    if score and shortest:
        raise click.UsageError("--score and --shortest ask different questions; choose one")
    search |= score_arguments(search["question"], score, steps)
    return search | length_arguments(search["question"], shortest, others, others_nodes)


def _resume(path: Path | None, retry: bool) -> Resume:
    if retry and path is None:
        raise click.UsageError("--retry is for the unknowns of an earlier run; add --resume PATH")
    return Resume(path, retry)


def _solve_one(request: Request, text: str | None, maybe_file: bool) -> int:
    _check_file(request.certificate)
    with maybe_a_file(text if maybe_file else None):
        result = _solve(request, text, request.certificate)
    if not is_answered(result.to_json()):
        return exits.UNKNOWN
    return exits.ANSWERED if result.question == "value" else _VERDICT_CODES[result.verdict]


def _solve_file(request: Request, path: str, resume: Resume) -> int:
    source = Source(path, request.subject.rules)
    if source.only_diagram is not None:
        _check_unused(resume)
        return _solve_one(request, source.only_diagram, maybe_file=False)
    return solve_many(request, source, resume)


def _check_unused(resume: Resume) -> None:
    if resume.path is not None:
        raise click.UsageError("--resume is for a FILE of several positions")


def _solve(request: Request, position: str | None, certificate: Path | None) -> Result:
    """Solve one position and print the answer."""
    import andorra

    drawing = request.subject.draw(position)
    if not (request.json or request.quiet):
        click.echo(f"{request.subject.spec}\n\n{drawing}\n")
    with interrupts.held() as asked_to_end:
        with reporting(request.subject.spec, request.quiet) as report:
            result = andorra.solve(
                request.subject.game,
                position,
                certificate=certificate,
                progress=report,
                stop=asked_to_end,
                **request.search,
            )
        _print(request, result)
    return result


def _print(request: Request, result: Result) -> None:
    if request.json:
        click.echo(json_line(result.to_json()))
    elif request.quiet:
        click.echo(word(result.to_json()))
        if reason := why_no_certificate(result):
            click.echo(f"no certificate: {reason}", err=True)
        return
    else:
        print_result(result)
    warn_of_certificate(result)


def _check_file(certificate: Path | None) -> None:
    """Find out before a long search, not after it, that its certificate has no place."""
    if certificate is None:
        return
    if certificate.is_dir():
        raise OptionError(f"--certificate {str(certificate)!r} is a folder; expected a file's name")
    if certificate.exists() and not certificate.is_file():
        raise OptionError(
            f"--certificate {str(certificate)!r} is no file that a certificate could replace"
        )
    if not os.access(certificate.parent, os.W_OK):
        raise OptionError(
            f"--certificate {str(certificate)!r}: "
            f"the folder {str(certificate.parent)!r} does not exist or cannot be written to"
        )
