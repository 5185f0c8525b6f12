"""The peak of memory of every run, a strip a solver; a bar is the median."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from andorra.study.report import figures
from andorra.study.report.curves import Curve
from andorra.study.report.markup import Markup, tag
from andorra.study.report.scales import Log, line, text

_MIB = 1 << 20
_STRIP = 24.0
_TOP = 6.0
_BOTTOM = 30.0


def plot(curves: Sequence[Curve], width: float, names: float, class_: str) -> Markup:
    """The strips; `names` is the room for names on the left, or 0 if they stand above."""
    above = 0.0 if names else 16.0
    height = _TOP + len(curves) * (_STRIP + above)
    sizes = [row.resident_memory for curve in curves for row in curve.rows if row.resident_memory]
    ticks = list(_doublings(min(sizes, default=_MIB), max(sizes, default=2 * _MIB)))
    x = Log(ticks[0], ticks[-1], names + 12, width - 24)
    grid = [
        part
        for size in ticks
        for part in (
            line(x(size), _TOP, x(size), height, "grid"),
            text(x(size), height + 18, figures.memory(size), "tick", "middle"),
        )
    ]
    strips = [
        _strip(curve, x, _TOP + number * (_STRIP + above), above, names)
        for number, curve in enumerate(curves)
    ]
    return tag(
        "svg",
        grid,
        strips,
        viewBox=f"0 0 {width:g} {height + _BOTTOM:g}",
        class_=f"plot {class_}",
        role="img",
        aria_label="Peak of memory of every run",
    )


def _strip(curve: Curve, x: Log, top: float, above: float, names: float) -> Markup:
    middle = top + above + _STRIP / 2
    sizes = [row.resident_memory for row in curve.rows if row.resident_memory]
    dots = [
        tag(
            "circle",
            tag("title", f"{row.problem}: {figures.memory(row.resident_memory)}"),
            cx=x(row.resident_memory),
            cy=middle,
            r=4,
        )
        for row in curve.rows
        if row.resident_memory
    ]
    name = text(names, middle + 4, curve.name, "name", "end")
    if not names:
        name = text(x.start, top + 13, curve.name, "name")
    bar = line(x(median(sizes)), middle - 9, x(median(sizes)), middle + 9, "bar") if sizes else None
    return tag("g", name, dots, bar, class_=f"strip solver {curve.class_}")


def _doublings(least: float, most: float) -> list[float]:
    """Powers of two of MiB that have room for both, every second one if there would be many.

    >>> [size / _MIB for size in _doublings(40 * _MIB, 500 * _MIB)]
    [32.0, 64.0, 128.0, 256.0, 512.0]
    """
    size = float(_MIB)
    while size * 2 <= least:
        size *= 2
    found = [size]
    while found[-1] < most or len(found) < 2:
        found.append(found[-1] * 2)
    return found
