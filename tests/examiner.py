"""One graph, one question, one way to solve: compared with the oracle, certificates included.

A failure is

- a verdict that is not the oracle's, or bounds that do not fit the verdict;
- an exception, or a certificate that is missing or that a checker rejects;
- `unknown` where the row had all it needed (see `Row.may_give_up`).
"""

from __future__ import annotations

import math
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from andorra.checker import check
from andorra.errors import CertificateError
from andorra.reference import fixpoint
from andorra.rulebook import Game, make
from random_graphs import Graph


class Answer(Protocol):
    """What the harness reads of a result, the reference's or the public API's."""

    @property
    def verdict(self) -> str: ...
    @property
    def limit(self) -> str | None: ...
    @property
    def pn(self) -> int | None: ...
    @property
    def dn(self) -> int | None: ...


Rules = Game[Any, Any]
Solver = Callable[[Rules, str, Path | None], Answer]


def is_bounded(question: str) -> bool:
    """Whether the question is about a number of plies; one about a score is not."""
    return question.startswith("win") and "<=" in question


@dataclass(frozen=True)
class Facts:
    """What decides whether a search must finish.

    `tree_size` is the number of nodes of the tree of all lines; None where nobody can count it,
    with cycles or a bounded question. A bounded question has no cycles.
    """

    cyclic: bool
    tree_size: int | None

    @classmethod
    def of(cls, text: str, question: str) -> Facts:
        """Work them out."""
        graph, bounded = Graph.parse(text), is_bounded(question)
        size = graph.tree_size()
        return cls(size is None and not bounded, None if bounded else size)


@dataclass(frozen=True)
class Row:
    """One way to solve: a name, the solver, and when it may give up.

    `small`: the memory or the guard is small on purpose, so it may give up on anything. `ample`: it
    has all it can need, and must answer.
    `tree`: the search knows no transpositions, so it may give up where the tree of all lines has
    more than this number of nodes, or cannot be counted. `lines`: where positions repeat, each line
    has nodes of its own, so it may give up on a graph with cycles.
    """

    name: str
    solve: Solver
    small: bool = False
    tree: int | None = None
    lines: bool = False
    certificates: bool = False
    ample: bool = False

    def may_give_up(self, facts: Facts, limit: str | None) -> bool:
        """Whether `unknown` because of this limit is right."""
        if self.ample:
            return False
        lines = math.inf if facts.tree_size is None else facts.tree_size
        if self.tree is not None:
            return self.small or lines > self.tree
        return self.small or (facts.cyclic and (self.lines or limit == "no progress"))


@dataclass(frozen=True)
class Failure:
    """What went wrong, in plain text, so that it can pass between processes and into a file."""

    text: str
    question: str
    row: str
    certificate: bool
    expected: str
    happened: str

    def report(self) -> str:
        """Write the graph with all of this as a comment above it: a file of `regressions/`."""
        asked = " with a certificate" if self.certificate else ""
        happened = " ".join(self.happened.split())[:300]
        return (
            f"# row:      {self.row}{asked}\n# question: {self.question}\n"
            f"# expected: {self.expected}\n# happened: {happened}\n{self.text}"
        )


@dataclass
class Tally:
    """What came out: (row, cyclic, verdict or limit) -> number, and the failures."""

    counts: Counter[tuple[str, bool, str]] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)
    graphs: int = 0
    certificates: int = 0

    def add(self, other: Tally) -> None:
        """Take over another tally's numbers and failures."""
        self.counts += other.counts
        self.failures += other.failures
        self.graphs += other.graphs
        self.certificates += other.certificates


class Examiner:
    """Puts graphs through rows. Certificates wait in `folder` for the fast checker."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tally = Tally()
        self.waiting: dict[Path, Failure] = {}

    def examine(self, text: str, question: str, rows: Iterable[Row], certified: str = "") -> None:
        """Compare rows with the oracle; the row named `certified` writes a certificate too."""
        game, facts = make("graph", text), Facts.of(text, question)
        expected = fixpoint.solve(game, None, question).verdict
        for row in rows:
            task = Failure(text, question, row.name, row.name == certified, expected, "")
            happened = self._run(row, game, facts, task)
            if happened is not None:
                self.tally.failures.append(replace(task, happened=happened))

    def _run(self, row: Row, game: Rules, facts: Facts, task: Failure) -> str | None:
        """Solve, count and judge; say what went wrong, None if nothing did."""
        path = self.folder / f"{self.tally.certificates}.andorra" if task.certificate else None
        try:
            answer = row.solve(game, task.question, path)
        except Exception as error:
            return f"raised {type(error).__name__}: {error}"
        unknown = answer.verdict == "unknown"
        outcome = f"unknown: {answer.limit}" if unknown else answer.verdict
        self.tally.counts[row.name, facts.cyclic, outcome] += 1
        wrong = judge(row, answer, task.expected, facts)
        if path is None or unknown or wrong is not None:
            return wrong
        limit = getattr(answer, "certificate_limit", None)
        if limit is not None and row.may_give_up(facts, limit):
            return None
        return self._certificate(path, task)

    def _certificate(self, path: Path, task: Failure) -> str | None:
        self.tally.certificates += 1
        if not path.exists():
            return f"{task.expected}, but no certificate was written"
        self.waiting[path] = task
        return trusted_check(path, task.question, task.expected)

    def finish(self) -> Tally:
        """Run the fast checker on all that waits; only if that fails, on each file alone."""
        if self.waiting and fast_check(list(self.waiting)) is not None:
            for path, task in self.waiting.items():
                if (reason := fast_check([path])) is not None:
                    self.tally.failures.append(replace(task, happened=reason))
        return self.tally


def judge(row: Row, answer: Answer, expected: str, facts: Facts) -> str | None:
    """Compare an answer with the oracle's verdict."""
    bounds = f"{answer.verdict} with bounds ({answer.pn}, {answer.dn})"
    zeros = (answer.pn == 0, answer.dn == 0)
    if zeros != (answer.verdict == "proven", answer.verdict == "disproven"):
        return bounds
    if answer.verdict == "unknown":
        return None if row.may_give_up(facts, answer.limit) else f"{bounds}: {answer.limit}"
    return None if answer.verdict == expected else answer.verdict


def trusted_check(path: Path, question: str, verdict: str) -> str | None:
    """Run the trusted checker; the reason if it rejects, or verified something else."""
    try:
        (part,) = check(path).parts
    except CertificateError as error:
        return f"the trusted checker rejects the certificate: {error}"
    shown = (part.question, part.verdict)
    return None if shown == (question, verdict) else f"the certificate shows {shown}"


def fast_check(paths: Sequence[Path]) -> str | None:
    """Run the fast checker; its own words if it rejects."""
    beside = Path(sys.executable).with_name("andorra-check")
    program = str(beside) if beside.exists() else shutil.which("andorra-check")
    if program is None:
        raise FileNotFoundError("the program andorra-check is not installed")
    done = subprocess.run([program, *map(str, paths)], capture_output=True, text=True, check=False)
    said = f"{done.stdout}{done.stderr}".strip()
    return None if done.returncode == 0 else f"the fast checker rejects the certificate: {said}"


def examine_text(text: str, asked: Iterable[str], rows: Sequence[Row], certified: str) -> Tally:
    """Put one graph through rows, both checkers included."""
    with tempfile.TemporaryDirectory(prefix="andorra-fuzz-") as folder:
        examiner = Examiner(Path(folder))
        for question in asked:
            examiner.examine(text, question, rows, certified)
        return examiner.finish()
