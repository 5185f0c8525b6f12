"""The history of a search in bounded memory, however long it runs.

Idea: points are kept a step apart. When there are too many, every second one goes and the step
doubles, so that what is kept is spread evenly over the whole time; the last point is always there.

>>> history = Series(most=4)
>>> for second in range(9):
...     history.add(float(second), {"nodes": second})
>>> [point["nodes"] for point in history.points()]
[0, 4, 8]
"""

from __future__ import annotations

from typing import Any

MOST_POINTS = 600


class Series:
    """Points over time, thinned out evenly."""

    def __init__(self, most: int = MOST_POINTS) -> None:
        """Keep `most` points at most, and the last one."""
        self._most = most
        self._kept: list[dict[str, Any]] = []
        self._step = 1
        self._count = 0
        self._last: dict[str, Any] | None = None

    def add(self, seconds: float, point: dict[str, Any]) -> None:
        """A point that is later than all before it."""
        self._last = point | {"seconds": seconds}
        if self._count % self._step == 0:
            self._kept.append(self._last)
        self._count += 1
        if len(self._kept) > self._most:
            self._kept = self._kept[::2]
            self._step *= 2

    def points(self) -> list[dict[str, Any]]:
        """What is kept, in the order of time."""
        if self._last is None or self._kept[-1] is self._last:
            return list(self._kept)
        return [*self._kept, self._last]
