"""Every problem and every solver: a table whose cells are times, shaded by how long they are."""

from __future__ import annotations

from collections.abc import Sequence

from andorra.cpu_cap import CpuCap
from andorra.study.plan import Problem
from andorra.study.report import figures
from andorra.study.report.markup import Markup, tag
from andorra.study.results import Results
from andorra.study.row import Row

_SHADES = (0.01, 0.1, 1.0, 5.0)
"""CPU seconds at which the next shade begins."""
_WORDS = {CpuCap.LIMIT: "time", "seconds": "time", "no progress": "stuck", "failed": "failed"}


def matrix(results: Results, disputed: set[str]) -> Markup:
    """The table; the names of problems with different answers are `disputed`."""
    heads = [tag("th", tag("span", name), scope="col") for name in results.solvers]
    corner = tag("th", "problem", class_="text", scope="col")
    bodies = [
        _family(results, family, problems, disputed)
        for family, problems in results.families.items()
    ]
    whole = tag("table", tag("thead", tag("tr", corner, heads)), bodies, class_="matrix")
    return tag("div", whole, class_="scroll", tabindex=0)


def _family(
    results: Results, family: str, problems: Sequence[Problem], disputed: set[str]
) -> Markup:
    title = tag("th", family, colspan=len(results.solvers) + 1, class_="text family")
    rows = [_row(results, problem, problem.name in disputed) for problem in problems]
    return tag("tbody", tag("tr", title), rows)


def _row(results: Results, problem: Problem, is_disputed: bool) -> Markup:
    said = "different answers" if is_disputed else _answer(results, problem)
    name = tag("th", problem.name, " ", tag("small", said), class_="text", scope="row")
    cells = [_cell(results.row(solver, problem)) for solver in results.solvers]
    return tag("tr", name, cells, class_="disputed" if is_disputed else None)


def _answer(results: Results, problem: Problem) -> str:
    """What solvers found, or what they should have found."""
    found = (row.answer for row in results.on(problem) if row.answer is not None)
    wanted = figures.NOTHING if problem.known is None else f"known to be {problem.known}"
    return next(found, wanted)


def _cell(row: Row | None) -> Markup:
    if row is None:
        return tag("td", class_="none")
    title = f"{row.solver}, {row.problem}: {told(row)}"
    if row.answer is None:
        word = _WORDS.get(str(row.limit), str(row.limit))
        return tag("td", word, class_="failed" if row.failed else "open", title=title)
    shade = sum(row.cpu_seconds >= limit for limit in _SHADES)
    return tag("td", figures.seconds(row.cpu_seconds), class_=f"t{shade}", title=title)


def told(row: Row) -> str:
    """What came of a run, in a line."""
    verdict = row.answer or f"unknown ({row.error or row.limit})"
    memory = figures.memory(row.resident_memory)
    time = figures.seconds(row.cpu_seconds)
    return f"{verdict}, {figures.whole(row.nodes)} nodes, {time}, {memory}"
