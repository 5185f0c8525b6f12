"""`andorra solve GAME FILE`: every problem of a file, with progress over all of them.

A line that holds no position costs no other line its answer. With `--resume` each answer is kept
when it is there (`resume.py`), and what an earlier run has answered is not solved again.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack, closing, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from andorra.cli import exits, interrupts, many_output
from andorra.cli.many_output import Answer, Output
from andorra.cli.many_progress import Silent, displaying
from andorra.cli.output import warn_of_certificate
from andorra.cli.positions import Problem
from andorra.cli.resume import ASKED, LIMITS, Answers
from andorra.errors import OptionError, PositionError, RuleError
from andorra.json_lines import Plain

if TYPE_CHECKING:
    from andorra import Result
    from andorra.cli.solve import Request
    from andorra.cli.sources import Source

_NOT_ASKED = ("algorithm", "question", "threads")
"""Arguments of a search that its answer names anyway."""


@dataclass(frozen=True)
class Resume:
    """Where answers are kept, and whether unknowns are tried again whatever the limits."""

    path: Path | None
    retry: bool


class _Run:
    """One file on its way."""

    def __init__(
        self,
        request: Request,
        answers: Answers | None,
        retry: bool,
        output: Output,
        display: Silent,
    ) -> None:
        self._request = request
        self._answers = answers
        self._retry = retry
        self._output = output
        self._display = display
        self._one_terminal = output.streams and sys.stdout.isatty()
        self.bad = False
        self.open = False
        self.interrupted = False

    @property
    def code(self) -> int:
        """The exit code for all that was told so far."""
        if self.bad:
            return exits.BAD_INPUT
        return exits.UNKNOWN if self.open else exits.ANSWERED

    def solve(self, problem: Problem) -> None:
        """Answer one problem, or say why there is no answer."""
        try:
            answer = self._answer(problem)
        except (PositionError, RuleError) as error:
            self._refuse(problem, error)
            return
        self.open = self.open or not many_output.is_answered(answer.plain)
        ended_by = answer.plain["limit"], answer.plain["certificate_limit"]
        self.interrupted = answer.result is not None and "interrupted" in ended_by
        try:
            self._keep(answer)
        finally:
            self._tell(answer)

    def _answer(self, problem: Problem) -> Answer:
        position = problem.readable()
        drawing = self._request.subject.draw(position)
        known = self._known(problem, position)
        if known is not None:
            return Answer(problem, known | {"source": problem.place}, None)
        self._output.begin(problem, drawing)
        result = self._search(problem, position)
        return Answer(problem, plain_of(self._request, result, problem), result)

    def _keep(self, answer: Answer) -> None:
        """Keep what this run has found, for later ones."""
        if self._answers is None or answer.result is None:
            return
        if answer.result.limit != "interrupted":
            self._answers.add(answer.plain)

    def _known(self, problem: Problem, position: str | None) -> Plain | None:
        """What an earlier run answered; a search of one node says how it would have put it."""
        import andorra

        if self._answers is None:
            return None
        brief = self._request.search | {"nodes": 1, "seconds": None}
        wanted = andorra.solve(self._request.subject.game, position, **brief)
        certificate = certificate_for(self._request.certificate, problem)
        return self._answers.find(
            plain_of(self._request, wanted, problem), certificate, self._retry
        )

    def _search(self, problem: Problem, position: str | None) -> Result:
        import andorra

        return andorra.solve(
            self._request.subject.game,
            position,
            certificate=certificate_for(self._request.certificate, problem),
            progress=self._display.begin(problem.place),
            stop=interrupts.asked,
            **self._request.search,
        )

    def _tell(self, answer: Answer) -> None:
        self._display.done(many_output.verdict(answer.plain))
        with self._display.aside() if self._one_terminal else nullcontext():
            self._output.add(answer)
            if answer.result is not None:
                warn_of_certificate(answer.result, answer.problem.place)

    def _refuse(self, problem: Problem, error: Exception) -> None:
        self.bad = True
        self._display.done(many_output.UNREADABLE)
        with self._display.aside():
            self._output.refuse(problem)
            exits.print_error(f"{problem.place}: {error}")


def solve_many(request: Request, source: Source, resume: Resume) -> int:
    """Solve every position of the source; the return value is the exit code."""
    make_folder(request.certificate)
    output = many_output.chosen(request.subject.spec, request.json, request.quiet)
    total = source.count()
    with ExitStack() as stack:
        answers = None if resume.path is None else stack.enter_context(Answers(resume.path))
        stack.callback(output.end, total)  # also when Ctrl-C ends a run between two searches
        display = stack.enter_context(displaying(source.path, total, request.quiet))
        run = _Run(request, answers, resume.retry, output, display)
        for number, problem in enumerate(stack.enter_context(closing(source.problems())), start=1):
            with interrupts.held() as asked_to_end:
                run.solve(problem)
            if run.interrupted or asked_to_end():
                run.open = run.open or number != total
                break
    return run.code


def plain_of(request: Request, result: Result, problem: Problem) -> Plain:
    """The answer as `--json` prints it."""
    return result.to_json() | {ASKED: _asked(request, result), "source": problem.place}


def certificate_for(folder: Path | None, problem: Problem) -> Path | None:
    """The problem's own file in the folder, named after its place."""
    if folder is None:
        return None
    stem = "stdin" if problem.file == "<stdin>" else Path(problem.file or "").stem
    return folder / f"{stem}-{problem.line:04}.andorra"


def make_folder(certificate: Path | None) -> None:
    """The folder for certificates, if there are to be any."""
    if certificate is None:
        return
    if certificate.exists() and not certificate.is_dir():
        raise OptionError(
            f"--certificate {str(certificate)!r} is a file; for a file of positions, name a folder"
        )
    certificate.mkdir(parents=True, exist_ok=True)


def _asked(request: Request, result: Result) -> Plain:
    """The limits, and whatever else was asked for that the answer does not name."""
    import andorra

    asked = {
        name: value
        for name, value in request.search.items()
        if name not in _NOT_ASKED and name not in result.options
    }
    memory = andorra.Setting.make(result.algorithm, request.search["memory"], {}).memory
    return {name: asked.get(name) for name in LIMITS} | asked | {"memory": memory}
