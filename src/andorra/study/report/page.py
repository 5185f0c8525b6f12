"""The page: all parts in the order in which a reader wants them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from andorra.study.agreement import agreement
from andorra.study.journal import Recorded
from andorra.study.report import curves, memory, scales, scatter
from andorra.study.report.curves import NARROW, WIDE, Curve
from andorra.study.report.every_run import every_run
from andorra.study.report.markup import Child, Markup, raw, tag
from andorra.study.report.matrix import matrix
from andorra.study.report.scatter import Pair
from andorra.study.report.score_tables import family_table, score_table
from andorra.study.report.summary import alone, tiles
from andorra.study.report.terms import limits_of, terms
from andorra.study.report.verdicts import verdicts
from andorra.study.results import VIRTUAL_BEST, Results
from andorra.study.row import Row
from andorra.study.scores import LEAST_NODES, seconds

_FOLDER = Path(__file__).parent
_HUES = 10
_DASHES = ("none", "7 4", "2 3")
_BEST_CLASS = "best-of-all"


class _Look:
    """The colours of solvers: ten hues, then the same with dashes."""

    def __init__(self, solvers: Sequence[str]) -> None:
        self._number = {name: number for number, name in enumerate(solvers)}

    def class_of(self, solver: str) -> str:
        return _BEST_CLASS if solver == VIRTUAL_BEST else f"s{self._number[solver]}"

    def style(self) -> str:
        rules = [f".{_BEST_CLASS} {{ --c: var(--dim); --dash: 1 4; }}"]
        for number in self._number.values():
            dash = _DASHES[number // _HUES % len(_DASHES)]
            rules.append(f".s{number} {{ --c: var(--c{number % _HUES}); --dash: {dash}; }}")
        return "\n".join(rules)


def page(recorded: Recorded) -> str:
    """The whole report as one HTML file."""
    results = Results(recorded.plan, recorded.rows)
    look = _Look(results.solvers)
    style = (_FOLDER / "style.css").read_text(encoding="utf-8") + look.style()
    script = (_FOLDER / "script.js").read_text(encoding="utf-8")
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", recorded.plan.title),
        raw("style", style),
    )
    body = tag("body", _body(recorded, results, look), raw("script", script))
    return f"<!DOCTYPE html>\n{tag('html', head, body, lang='en')}\n"


def _body(recorded: Recorded, results: Results, look: _Look) -> list[Child]:
    found = agreement(results)
    disputed = {each.problem.name for each in found.disagreements}
    problems = results.plan.problems
    parts: list[tuple[str, Child]] = [
        ("Solved over time", _solved_over_time(results, look)),
        ("By solver", score_table(results, problems, look.class_of)),
        ("Against the first solver", _against_reference(results, look)),
        ("Memory", _memory(results, look)),
        ("By game", _families(results, look)),
        ("Who alone solved what", alone(results)),
        ("Problem by problem", [_shades(), matrix(results, disputed)]),
        ("Every run", every_run(results.rows, look.class_of)),
        ("What the words mean", terms(recorded)),
    ]
    links = [tag("a", title, href=f"#{_anchor(title)}") for title, _ in parts]
    sections = [tag("section", tag("h2", t, id=_anchor(t)), inside) for t, inside in parts]
    return [
        tag("h1", recorded.plan.title),
        tag("p", _subtitle(recorded, results), class_="sub"),
        verdicts(results, found),
        tiles(results),
        tag("nav", links),
        sections,
    ]


def _anchor(title: str) -> str:
    return title.lower().replace(" ", "-")


def _subtitle(recorded: Recorded, results: Results) -> str:
    plan, machine = recorded.plan, recorded.machine
    return (
        f"{len(plan.solvers)} solvers, {len(plan.problems)} problems, {len(results.rows)} runs; "
        f"{limits_of(plan.solvers[0])} a run. {machine['cpu']}, {machine['cores']} cores, "
        f"Andorra {machine['andorra']}, begun {recorded.started[:10]}."
    )


def _solved_over_time(results: Results, look: _Look) -> list[Child]:
    problems = results.plan.problems
    drawn = [
        *(_answered(name, results.of_solver(name, problems), look) for name in results.solvers),
        _answered(VIRTUAL_BEST, results.best(problems), look),
    ]
    by_time = [
        curves.plot(drawn, len(problems), seconds, scales.tick_time, "CPU time", frame)
        for frame in (WIDE, NARROW)
    ]
    by_nodes = [
        curves.plot(drawn, len(problems), _nodes, scales.tick_count, "nodes", frame)
        for frame in (WIDE, NARROW)
    ]
    said = "How many problems each solver had answered by then; the dotted line is all of them."
    return [
        tag("p", said, class_="note"),
        _legend(drawn),
        tag("h3", "by CPU time"),
        by_time,
        tag("h3", "by nodes"),
        by_nodes,
    ]


def _answered(name: str, rows: Sequence[Row], look: _Look) -> Curve:
    return Curve(
        name, look.class_of(name), [row for row in rows if row.answer is not None], len(rows)
    )


def _nodes(row: Row) -> float:
    return max(row.nodes, LEAST_NODES)


def _legend(drawn: Sequence[Curve]) -> Markup:
    """Boxes that hide solvers everywhere on the page."""
    labels = [
        tag(
            "label",
            tag("input", type="checkbox", checked="checked", value=curve.class_),
            tag("svg", scales.line(0, 4, 22, 4, "key"), viewBox="0 0 22 8", aria_hidden="true"),
            f"{curve.name} ",
            tag("small", len(curve.rows)),
            class_=curve.class_,
        )
        for curve in drawn
    ]
    button = tag("button", "all or none", type="button", class_="all-or-none")
    return tag("div", labels, button, class_="legend")


def _against_reference(results: Results, look: _Look) -> list[Child]:
    others = [name for name in results.solvers if name != results.reference]
    pairs = {name: _pairs(results, name) for name in others}
    said = (
        f"A dot is a problem: {results.reference} across, the other solver upwards. Below the "
        "diagonal the other one needs less. Rings in the margin: only one of the two solved it."
    )
    shown: list[Child] = [tag("p", said, class_="note")]
    for title, figure, tick in (
        ("CPU time", seconds, scales.tick_time),
        ("nodes", _nodes, scales.tick_count),
    ):
        panels = [
            scatter.panel(pairs[name], (results.reference, name), look.class_of(name), figure, tick)
            for name in others
        ]
        shown += [tag("h3", title), tag("div", panels, class_="panels")]
    return shown if others else [tag("p", "There is no other solver.", class_="note")]


def _pairs(results: Results, name: str) -> list[Pair]:
    rows = (
        (results.row(results.reference, problem), results.row(name, problem))
        for problem in results.plan.problems
    )
    return [Pair(one, other) for one, other in rows if one is not None and other is not None]


def _memory(results: Results, look: _Look) -> list[Child]:
    problems = results.plan.problems
    drawn = [
        Curve(name, look.class_of(name), results.of_solver(name, problems), len(problems))
        for name in results.solvers
    ]
    said = "The peak of every run, solved or not; the bar is the median."
    wide, narrow = memory.plot(drawn, 980, 150, "wide"), memory.plot(drawn, 390, 0, "narrow")
    return [tag("p", said, class_="note"), wide, narrow]


def _families(results: Results, look: _Look) -> list[Child]:
    said = "How many problems of each game were solved, and PAR2. Below, all figures of each game."
    details = [
        tag(
            "details",
            tag("summary", f"{name}: {len(problems)} problems"),
            score_table(results, problems, look.class_of),
        )
        for name, problems in results.families.items()
    ]
    return [tag("p", said, class_="note"), family_table(results, look.class_of), details]


def _shades() -> Markup:
    said = "CPU times, darker where longer. Words say what ended a search without an answer."
    return tag("p", said, class_="note")


def write(recorded: Recorded, path: Path) -> None:
    """Write the report; it appears under its name whole or not at all."""
    part = path.with_name(f"{path.name}.part")
    try:
        part.write_text(page(recorded), encoding="utf-8")
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
