"""A limit on the CPU time of a search in a process of its own.

Idea: the core's own limit, `seconds`, is one of the clock on the wall, which a busy machine makes
shorter. This one is asked by the search all the time (`stop` of `andorra.solve`), and looks at the
CPU time of the process, all its threads together. It begins with the first call, so start-up is
free.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import ClassVar


@dataclass
class CpuCap:
    """Ends the search of a process of its own after so much CPU time, from the first call on."""

    LIMIT: ClassVar[str] = "CPU seconds"
    """What results call this limit."""

    seconds: float
    _end: float | None = None

    def __call__(self) -> bool:
        """Whether the time is over."""
        if self._end is None:
            self._end = time.process_time() + self.seconds
        return time.process_time() >= self._end
