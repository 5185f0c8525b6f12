"""Scatter plots: another solver against the reference, a dot a problem.

Below the diagonal the other one is better. A problem that one of the two did not answer is a ring
in the margin beyond the largest figure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from andorra.study.report import figures
from andorra.study.report.markup import Markup, tag
from andorra.study.report.scales import Log, bottom_axis, line, log_around, text
from andorra.study.row import Row

_SIZE = 250.0
_LEFT, _TOP, _BOTTOM = 46.0, 8.0, 36.0
_MARGIN = 18.0
"""For what is not answered."""


@dataclass(frozen=True)
class Pair:
    """The runs of two solvers on a problem."""

    reference: Row
    other: Row


def panel(
    pairs: Sequence[Pair],
    names: tuple[str, str],
    class_: str,
    figure: Callable[[Row], float],
    shown: Callable[[float], str],
) -> Markup:
    """The plot of one solver; `names` are the reference's and the other's."""
    answered = [figure(row) for pair in pairs for row in (pair.reference, pair.other) if row.answer]
    x = log_around(answered, _LEFT, _LEFT + _SIZE - _MARGIN)
    y = Log(x.least, x.most, _TOP + _SIZE, _TOP + _MARGIN)
    dots = [_dot(pair, names, figure, x, y) for pair in pairs if _is_seen(pair)]
    return tag(
        "figure",
        tag("figcaption", tag("b", names[1]), " ", tag("span", _summary(pairs, figure))),
        tag(
            "svg",
            _axes(x, y, names, shown),
            tag("g", dots, class_="dots"),
            viewBox=f"0 0 {_LEFT + _SIZE + 8:g} {_TOP + _SIZE + _BOTTOM:g}",
            class_="plot",
            role="img",
            aria_label=f"{names[1]} against {names[0]}",
        ),
        class_=f"panel solver {class_}",
    )


def _axes(x: Log, y: Log, names: tuple[str, str], shown: Callable[[float], str]) -> list[Markup]:
    bottom, edge = _TOP + _SIZE, _LEFT + _SIZE
    left = [
        part
        for value in y.ticks()
        for part in (
            line(_LEFT, y(value), x.end, y(value), "grid"),
            text(_LEFT - 6, y(value) + 4, shown(value), "tick", "end"),
        )
    ]
    margins = [
        tag("rect", x=x.end, y=_TOP, width=_MARGIN, height=_SIZE, class_="margin"),
        tag("rect", x=_LEFT, y=_TOP, width=_SIZE - _MARGIN, height=_MARGIN, class_="margin"),
    ]
    diagonal = line(_LEFT, bottom, x.end, y.end, "diagonal")
    label = text((_LEFT + edge) / 2, bottom + 32, names[0], "axis", "middle")
    return [*margins, *bottom_axis(x, y.end, bottom, shown), *left, diagonal, label]


def _is_seen(pair: Pair) -> bool:
    return pair.reference.answer is not None or pair.other.answer is not None


def _dot(
    pair: Pair, names: tuple[str, str], figure: Callable[[Row], float], x: Log, y: Log
) -> Markup:
    middle = _MARGIN / 2
    solved = pair.reference.answer is not None, pair.other.answer is not None
    across = x(figure(pair.reference)) if solved[0] else x.end + middle
    up = y(figure(pair.other)) if solved[1] else y.end - middle
    told = "; ".join(
        f"{name}: {_told(row)}"
        for name, row in zip(names, (pair.reference, pair.other), strict=True)
    )
    title = tag("title", f"{pair.other.problem}\n{told}")
    return tag("circle", title, cx=across, cy=up, r=4, class_=None if all(solved) else "open")


def _told(row: Row) -> str:
    if row.answer is None:
        return f"not solved ({row.limit})"
    return f"{figures.seconds(row.cpu_seconds)}, {figures.short(row.nodes)} nodes"


def _summary(pairs: Sequence[Pair], figure: Callable[[Row], float]) -> str:
    """On how many problems the other one is clearly better or worse, by a tenth at least."""
    both = [pair for pair in pairs if pair.reference.answer and pair.other.answer]
    ratios = [figure(pair.other) / figure(pair.reference) for pair in both]
    less = sum(ratio < 1 / 1.1 for ratio in ratios)
    more = sum(ratio > 1.1 for ratio in ratios)
    gained = sum(pair.reference.answer is None and pair.other.answer is not None for pair in pairs)
    lost = sum(pair.other.answer is None and pair.reference.answer is not None for pair in pairs)
    return f"less on {less}, more on {more} of {len(both)}; gains {gained}, loses {lost}"
