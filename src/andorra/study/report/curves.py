"""Solved over time, as SAT competitions draw it: how many problems each solver answered by then.

A curve rises by one at each problem that its solver answered, wherever it stands in the plan. Names
stand at the ends of the curves, moved apart where they would overlap; the narrow form for phones
has none, and is read with the legend.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from andorra.study.report import figures
from andorra.study.report.markup import Markup, tag
from andorra.study.report.scales import Linear, Log, bottom_axis, line, log_around, text
from andorra.study.row import Row

_GAP = 14.5
"""Between two names, at least."""
_LETTER = 7.4
"""How wide a letter of a name is, about."""
_LEAD, _EDGE = 20.0, 12.0
"""Between the end of the axis and a name, or the edge where there are no names."""


@dataclass(frozen=True)
class Curve:
    """A solver's answers."""

    name: str
    class_: str
    """The class that has its colour."""
    rows: list[Row]
    asked: int
    """How many problems it was run on."""

    def label(self, problems: int) -> str:
        """Its name, and how many it solved; of how many, if not of all."""
        part = f" of {self.asked}" if self.asked < problems else ""
        return f"{self.name}  {len(self.rows)}{part}"


@dataclass(frozen=True)
class Frame:
    """The size of a plot, and whether names stand on its right."""

    width: float
    height: float
    names: bool
    class_: str

    left: float = 40
    top: float = 12
    bottom: float = 44


WIDE = Frame(980, 460, True, "wide")
NARROW = Frame(390, 380, False, "narrow")


def plot(
    curves: Sequence[Curve],
    problems: int,
    figure: Callable[[Row], float],
    shown: Callable[[float], str],
    axis: str,
    frame: Frame,
) -> Markup:
    """The curves over `figure`, whose ticks are `shown`; `axis` says what it is."""
    ordered = {curve.name: sorted(curve.rows, key=figure) for curve in curves}
    values = [figure(row) for rows in ordered.values() for row in rows]
    longest = max((len(curve.label(problems)) for curve in curves), default=0)
    right = _LEAD + _LETTER * longest if frame.names else _EDGE
    x = log_around(values, frame.left, frame.width - right)
    y = Linear(max(problems, 1), frame.height - frame.bottom, frame.top)
    drawn = [_drawn(curve, ordered[curve.name], figure, shown, x, y) for curve in curves]
    ends = [(curve, y(len(ordered[curve.name]))) for curve in curves]
    named = _names(ends, problems, x.end, frame) if frame.names else []
    return tag(
        "svg",
        _axes(x, y, shown, axis, frame),
        drawn,
        named,
        viewBox=f"0 0 {frame.width:g} {frame.height:g}",
        class_=f"plot {frame.class_}",
        role="img",
        aria_label=f"Problems solved, by {axis}",
    )


def _axes(
    x: Log, y: Linear, shown: Callable[[float], str], axis: str, frame: Frame
) -> list[Markup]:
    bottom = frame.height - frame.bottom
    across = [
        part
        for value in y.ticks()
        for part in (
            line(x.start, y(value), x.end, y(value), "grid"),
            text(x.start - 8, y(value) + 4, str(value), "tick", "end"),
        )
    ]
    most = line(x.start, y(y.most), x.end, y(y.most), "most")
    label = text((x.start + x.end) / 2, frame.height - 6, axis, "axis", "middle")
    return [*bottom_axis(x, frame.top, bottom, shown), *across, most, label]


def _drawn(
    curve: Curve,
    rows: Sequence[Row],
    figure: Callable[[Row], float],
    shown: Callable[[float], str],
    x: Log,
    y: Linear,
) -> Markup:
    steps = "".join(f"H{x(figure(row))}V{y(count)}" for count, row in enumerate(rows, start=1))
    path = f"M{x.start} {y(0)}{steps}H{x.end}"
    dots = [
        tag(
            "circle",
            tag("title", f"{curve.name}: {row.problem}, {_told(row)} (number {count})"),
            cx=x(figure(row)),
            cy=y(count),
            r=4,
        )
        for count, row in enumerate(rows, start=1)
    ]
    title = tag("title", f"{curve.name}: {len(rows)} solved")
    return tag("g", tag("path", title, d=path), dots, class_=f"curve solver {curve.class_}")


def _told(row: Row) -> str:
    return f"{figures.seconds(row.cpu_seconds)}, {figures.short(row.nodes)} nodes"


def _names(
    ends: Sequence[tuple[Curve, float]], problems: int, right: float, frame: Frame
) -> list[Markup]:
    """The names at the ends of the curves, in the order of their heights."""
    ordered = sorted(ends, key=lambda end: end[1])
    places = spread([place for _, place in ordered], frame.top + 6, frame.height - 8)
    drawn = []
    for (curve, end), place in zip(ordered, places, strict=True):
        lead = tag("path", d=f"M{right} {end}L{right + 14} {place}", class_="lead")
        name = text(right + 18, place + 4, curve.label(problems), "name")
        drawn.append(tag("g", lead, name, class_=f"solver {curve.class_}"))
    return drawn


def spread(places: Sequence[float], least: float, most: float) -> list[float]:
    """The places, which rise, moved apart as little as need be, between `least` and `most`.

    Neighbours that would overlap become a block, which stands around the middle of its places.

    >>> spread([100, 100, 200], 0, 300)
    [92.75, 107.25, 200.0]
    >>> spread([300, 300], 0, 300), spread([0, 0], 0, 300)
    ([285.5, 300.0], [0.0, 14.5])
    """
    blocks: list[tuple[float, list[float]]] = []
    for place in places:
        start, own = place, [place]
        while blocks and blocks[-1][0] + len(blocks[-1][1]) * _GAP > start:
            own = [*blocks.pop()[1], *own]
            middle = sum(own) / len(own)
            highest = most - (len(own) - 1) * _GAP
            start = max(least, min(middle - (len(own) - 1) * _GAP / 2, highest))
        blocks.append((start, own))
    return [start + number * _GAP for start, own in blocks for number in range(len(own))]
