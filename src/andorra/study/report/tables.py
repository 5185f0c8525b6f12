"""HTML tables whose columns can be sorted, and whose best figures stand out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from andorra.study.report.markup import Child, Markup, tag

T = TypeVar("T")
Best = Literal["most", "least"]


@dataclass(frozen=True)
class Column(Generic[T]):
    """A column of figures, or of texts."""

    title: str
    shown: Callable[[T], Child]
    value: Callable[[T], float | str | None]
    """What it is sorted by."""
    help: str = ""
    """What the column is, in words."""
    best: Best | None = None
    """Which of its figures stand out."""
    text: bool = False


def table(
    columns: Sequence[Column[T]],
    rows: Sequence[T],
    is_ranked: Callable[[T], bool] = lambda _: True,
    class_: str = "",
) -> Markup:
    """The table; the best figure of a column is one of the rows that are ranked."""
    best = [_best(column, filter(is_ranked, rows)) for column in columns]
    body = [_row(columns, row, best, is_ranked(row)) for row in rows]
    return tag(
        "div",
        tag(
            "table",
            tag("thead", tag("tr", [_head(column) for column in columns])),
            tag("tbody", body),
            class_=f"sortable {class_}".strip(),
        ),
        class_="scroll",
        tabindex=0,
    )


def _head(column: Column[T]) -> Markup:
    button = tag("button", column.title, type="button", title=column.help or None)
    return tag("th", button, class_="text" if column.text else None, scope="col")


def _best(column: Column[T], rows: Iterable[T]) -> float | str | None:
    values = [value for value in map(column.value, rows) if value is not None]
    if column.best is None or len(values) < 2:
        return None
    return max(values) if column.best == "most" else min(values)


def _row(
    columns: Sequence[Column[T]], row: T, best: Sequence[float | str | None], is_ranked: bool
) -> Markup:
    cells = []
    for column, first in zip(columns, best, strict=True):
        value = column.value(row)
        stands_out = is_ranked and first is not None and value == first
        classes = [name for name, on in (("text", column.text), ("best", stands_out)) if on]
        cells.append(
            tag(
                "td",
                column.shown(row),
                class_=" ".join(classes) or None,
                data_v="" if value is None else value,
            )
        )
    return tag("tr", cells, class_=None if is_ranked else "aside")
