"""The report in short: who solved the most, who was the fastest, what nobody solved."""

from __future__ import annotations

from andorra.study.report import figures
from andorra.study.report.markup import Child, Markup, tag
from andorra.study.results import VIRTUAL_BEST, Results
from andorra.study.scores import Score, scores, unique, unsolved


def tiles(results: Results) -> Markup:
    """Four figures to begin with."""
    problems = results.plan.problems
    found = scores(results, problems)
    ranked = [score for score in found if score.solver != VIRTUAL_BEST]
    if not ranked:
        return tag("p", "There are no runs yet.")
    best = next(score for score in found if score.solver == VIRTUAL_BEST)
    most = max(score.solved for score in ranked)
    leaders = [score.solver for score in ranked if score.solved == most]
    shown = [
        _tile("Most solved", _some(leaders), f"{most} of {len(problems)} problems"),
        _tile("All together", f"{best.solved} of {best.runs}", _together(best)),
    ]
    timed = [score for score in ranked if score.par2 is not None and score.runs == best.runs]
    if timed:
        first = min(timed, key=_par2)
        shown.insert(1, _tile("Best PAR2", first.solver, figures.seconds(first.par2)))
    open_ = unsolved(results)
    shown.append(_tile("Solved by nobody", str(len(open_)), _some([p.name for p in open_])))
    return tag("div", shown, class_="tiles")


def alone(results: Results) -> Markup:
    """Who alone solved what, and what nobody solved."""
    found = unique(results, results.plan.problems)
    lines: list[Child] = [
        tag("li", tag("b", solver), ": ", ", ".join(names)) for solver, names in found.items()
    ]
    if not found:
        lines = [tag("li", "Every problem that was solved was solved by two solvers at least.")]
    open_ = unsolved(results)
    if open_:
        names = ", ".join(problem.name for problem in open_)
        lines.append(tag("li", tag("b", "nobody"), ": ", names))
    return tag("ul", lines)


def _par2(score: Score) -> float:
    assert score.par2 is not None
    return score.par2


def _together(best: Score) -> str:
    return f"solved by the virtual best solver, PAR2 {figures.seconds(best.par2)}"


def _tile(title: str, figure: str, more: str) -> Markup:
    return tag("div", tag("span", title), tag("b", figure), tag("span", more), class_="tile")


def _some(names: list[str]) -> str:
    """At most three of them.

    >>> _some(["a", "b", "c", "d", "e"])
    'a, b, c and 2 more'
    """
    more = len(names) - 3
    return ", ".join(names[:3]) + (f" and {more} more" if more > 0 else "")
