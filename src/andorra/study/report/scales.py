"""Axes of a plot: from figures to places, with ticks at round figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import ceil, floor, log10

from andorra.study.report.markup import Markup, tag

_CLOSE = 1e-9


@dataclass(frozen=True)
class Log:
    """A logarithmic axis from `least` to `most`, drawn from `start` to `end`."""

    least: float
    most: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """The place of a figure; what is out of range is at the edge."""
        inside = min(max(value, self.least), self.most)
        share = log10(inside / self.least) / log10(self.most / self.least)
        return round(self.start + share * (self.end - self.start), 1)

    def ticks(self) -> Iterator[float]:
        """The powers of ten.

        >>> list(Log(0.001, 10, 0, 100).ticks())
        [0.001, 0.01, 0.1, 1.0, 10.0]
        """
        first, last = ceil(log10(self.least) - _CLOSE), floor(log10(self.most) + _CLOSE)
        yield from (float(f"1e{power}") for power in range(first, last + 1))

    def minor(self) -> Iterator[float]:
        """What lies between them."""
        for power in range(floor(log10(self.least)), ceil(log10(self.most))):
            for digit in range(2, 10):
                value = digit * 10.0**power
                if self.least < value < self.most:
                    yield value


@dataclass(frozen=True)
class Linear:
    """An axis from 0 to `most`, drawn from `start` to `end`."""

    most: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """The place of a figure."""
        return round(self.start + value / self.most * (self.end - self.start), 1)

    def ticks(self, count: int = 6) -> Iterator[int]:
        """About so many round figures.

        >>> list(Linear(37, 0, 100).ticks())
        [0, 10, 20, 30]
        """
        wanted = max(self.most / count, 1)
        unit = 10 ** floor(log10(wanted))
        step = next(unit * each for each in (1, 2, 5, 10) if unit * each >= wanted)
        yield from range(0, floor(self.most) + 1, step)


def log_around(values: list[float], start: float, end: float) -> Log:
    """An axis of whole decades that has room for all values.

    >>> log_around([0.02, 3], 0, 1)
    Log(least=0.01, most=10.0, start=0, end=1)
    """
    least, most = min(values, default=1.0), max(values, default=10.0)
    low = floor(log10(least) + _CLOSE)
    high = max(ceil(log10(most) - _CLOSE), low + 1)
    return Log(float(f"1e{low}"), float(f"1e{high}"), start, end)


def tick_time(value: float) -> str:
    """A power of ten of seconds.

    >>> [tick_time(each) for each in (0.001, 0.1, 1, 100)]
    ['1 ms', '0.1 s', '1 s', '100 s']
    """
    return f"{value * 1000:g} ms" if value < 0.1 else f"{value:g} s"


def tick_count(value: float) -> str:
    """A power of ten.

    >>> [tick_count(each) for each in (1, 1000, 1e7)]
    ['1', '1k', '10M']
    """
    for unit, name in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= unit:
            return f"{value / unit:g}{name}"
    return f"{value:g}"


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Markup:
    """A straight line."""
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def text(x: float, y: float, said: str, class_: str, anchor: str = "start") -> Markup:
    """A text at a place."""
    return tag("text", said, x=x, y=y, class_=class_, text_anchor=anchor)


def bottom_axis(
    scale: Log, top: float, bottom: float, shown: Callable[[float], str]
) -> Iterator[Markup]:
    """Gridlines upwards and what they stand for."""
    for value in scale.minor():
        yield line(scale(value), top, scale(value), bottom, "grid minor")
    for value in scale.ticks():
        yield line(scale(value), top, scale(value), bottom, "grid")
        yield text(scale(value), bottom + 16, shown(value), "tick", "middle")
