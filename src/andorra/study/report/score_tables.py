"""What each solver achieved: a table a set of problems."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from andorra.study.plan import Problem
from andorra.study.report import figures
from andorra.study.report.markup import Child, Markup, joined, tag
from andorra.study.report.tables import Column, table
from andorra.study.results import VIRTUAL_BEST, Results
from andorra.study.scores import Score, common_set, compared_solvers, scores

Classes = Callable[[str], str]
"""From a solver's name to the class that has its colour."""


def swatch(name: str, class_: str) -> Markup:
    """A solver's name beside its colour."""
    return joined([tag("i", class_=f"swatch {class_}"), name])


def score_table(results: Results, problems: Sequence[Problem], classes: Classes) -> Markup:
    """The table, with a line on what its means are about."""
    common = len(common_set(results, problems))
    found = scores(results, problems)
    columns = _columns(results.reference, common, classes)
    drawn = table(columns, found, is_ranked=lambda score: score.solver != VIRTUAL_BEST)
    return joined([drawn, tag("p", _note(results, common, problems), class_="note")])


def _note(results: Results, common: int, problems: Sequence[Problem]) -> str:
    compared = compared_solvers(results, problems)
    others = [name for name in results.solvers if name not in compared]
    parts = [f"Means: over the common set, {common} of {len(problems)} problems"]
    if others:
        parts.append(f", without {', '.join(others)}")
    parts.append(f". Ratios: over what both that solver and {results.reference} solved.")
    return "".join(parts)


def family_table(results: Results, classes: Classes) -> Markup:
    """How many problems of each family each solver answered."""
    families = results.families
    by_family = {
        name: {score.solver: score for score in scores(results, problems)}
        for name, problems in families.items()
    }
    names = [*results.solvers, VIRTUAL_BEST]
    head = Column[str]("solver", lambda n: swatch(n, classes(n)), lambda n: n, text=True)
    columns = [head]
    for name, problems in families.items():
        columns.append(_solved_column(f"{name} ({len(problems)})", by_family[name]))
    return table(columns, names, is_ranked=lambda name: name != VIRTUAL_BEST)


def _solved_column(title: str, by_solver: dict[str, Score]) -> Column[str]:
    def shown(name: str) -> Child:
        score = by_solver.get(name)
        if score is None:
            return figures.NOTHING
        return joined([str(score.solved), tag("small", f" · {figures.seconds(score.par2)}")])

    def value(name: str) -> float | None:
        score = by_solver.get(name)
        if score is None:
            return None
        return score.solved - (score.par2 or 0) / 1e9  # of equals, the faster one is first

    return Column(title, shown, value, "solved, and PAR2", "most")


def _columns(reference: str, common: int, classes: Classes) -> list[Column[Score]]:
    return [
        Column("solver", lambda s: _name(s, classes), lambda s: s.solver, text=True),
        Column("solved", _solved, lambda s: s.solved, "problems answered, of those run", "most"),
        Column("proven", lambda s: s.proven, lambda s: s.proven),
        Column("disproven", lambda s: s.disproven, lambda s: s.disproven),
        Column("alone", lambda s: s.unique or "", lambda s: s.unique, "answered by nobody else"),
        Column(
            "PAR2",
            lambda s: figures.seconds(s.par2),
            lambda s: s.par2,
            "mean CPU time; twice the limit where there is no answer",
            "least",
        ),
        Column(
            "nodes",
            lambda s: figures.short(s.nodes),
            lambda s: s.nodes,
            f"geometric mean on the common set of {common}",
            "least",
        ),
        Column(
            "CPU",
            lambda s: figures.seconds(s.cpu_seconds),
            lambda s: s.cpu_seconds,
            f"geometric mean on the common set of {common}",
            "least",
        ),
        Column(
            "nodes ×",
            lambda s: figures.ratio(s.nodes_ratio),
            lambda s: s.nodes_ratio,
            f"geometric mean of the ratios to {reference}, where both answered",
        ),
        Column(
            "CPU ×",
            lambda s: figures.ratio(s.cpu_ratio),
            lambda s: s.cpu_ratio,
            f"geometric mean of the ratios to {reference}, where both answered",
        ),
        Column("both", lambda s: s.both, lambda s: s.both, "problems that the ratios are about"),
        Column(
            "nodes/s", lambda s: figures.short(s.speed), lambda s: s.speed, "a CPU second, all runs"
        ),
        Column(
            "memory",
            lambda s: figures.memory(s.memory),
            lambda s: s.memory,
            "median of the runs' peaks",
        ),
        Column(
            "most",
            lambda s: figures.memory(s.most_memory),
            lambda s: s.most_memory,
            "the largest of the runs' peaks",
        ),
        Column(
            "verified",
            lambda s: s.verified,
            lambda s: s.verified,
            "answers whose certificate the fast checker accepted",
        ),
    ]


def _name(score: Score, classes: Classes) -> Markup:
    marks = [
        tag("small", mark, class_="mark")
        for mark, on in (
            (" unsound settings", score.unsound),
            (f" {score.failed} failed", score.failed),
        )
        if on
    ]
    return joined([swatch(score.solver, classes(score.solver)), marks])


def _solved(score: Score) -> Markup:
    return joined([str(score.solved), tag("small", f" of {score.runs}")])
