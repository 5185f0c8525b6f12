"""Every run, in a table that can be sorted and searched."""

from __future__ import annotations

from collections.abc import Sequence

from andorra.study.report import figures
from andorra.study.report.markup import Markup, joined, tag
from andorra.study.report.score_tables import Classes, swatch
from andorra.study.report.tables import Column, table
from andorra.study.row import Row


def every_run(rows: Sequence[Row], classes: Classes) -> Markup:
    """The table, and a field to search it."""
    search = tag(
        "input",
        type="search",
        id="search",
        placeholder="solver, problem, verdict, limit …",
        aria_label="Show only runs with these words",
    )
    listed = table(_columns(classes), rows, class_="runs")
    return joined([tag("p", search, class_="search"), listed])


def _columns(classes: Classes) -> list[Column[Row]]:
    return [
        Column("problem", lambda r: r.problem, lambda r: r.problem, text=True),
        Column(
            "solver", lambda r: swatch(r.solver, classes(r.solver)), lambda r: r.solver, text=True
        ),
        Column("answer", _answer, lambda r: r.answer or f"~{r.limit}", text=True),
        Column("nodes", lambda r: figures.whole(r.nodes), lambda r: r.nodes),
        Column("CPU s", lambda r: f"{r.cpu_seconds:.3f}", lambda r: r.cpu_seconds),
        Column("wall s", lambda r: f"{r.wall_seconds:.3f}", lambda r: r.wall_seconds),
        Column("memory", lambda r: figures.memory(r.resident_memory), lambda r: r.resident_memory),
        Column("certificate", _certificate, lambda r: r.certificate or "", text=True),
    ]


def _answer(row: Row) -> Markup:
    if row.answer is not None:
        mark = tag("small", " unsound settings", class_="mark") if row.unsound else None
        return joined([row.answer, mark])
    return tag("span", row.error or f"unknown: {row.limit}", class_="bad" if row.failed else "dim")


def _certificate(row: Row) -> Markup:
    class_ = "bad" if row.rejected else None if row.verified else "dim"
    return tag("span", row.certificate or "", class_=class_)
