"""A series of questions under one set of limits.

Invariant: nodes and seconds are for all questions together, those for a single one included; after
Ctrl-C no further question is asked.
"""

from __future__ import annotations

import time
from typing import Any

from andorra.asking import Answer, Search
from andorra.errors import NoMemoryError
from andorra.question import Question

_SHORTEST_TIME = 1e-6
"""Seconds: the core wants a positive number."""


class Inquiry:
    """Asks questions as long as the limits of a search allow."""

    def __init__(self, search: Search) -> None:
        """Start the clock."""
        self.search = search
        self.answers: list[Answer] = []
        self.limit: str | None = None
        """What has ended the series, if anything has."""
        self._start = time.monotonic()

    def ask(self, question: Question, nodes: int | None = None, **settings: Any) -> Answer | None:
        """The answer, with at most `nodes` for this one; None if a limit has been reached before.

        >>> from andorra.rulebook import make
        >>> settings = {"algorithm": "dfpn", "options": {}, "memory": 1 << 22, "nodes": 1}
        >>> unused = {"seconds": None, "progress": None, "stop": None}
        >>> inquiry = Inquiry(Search(make("mnk:3,3,3"), None, **settings, **unused))
        >>> inquiry.ask(Question(0)).verdict, inquiry.ask(Question(0)), inquiry.limit
        ('unknown', None, 'nodes')
        """
        left = self._nodes_left()
        if self.limit is not None:
            return None
        most = min((limit for limit in (nodes, left) if limit is not None), default=None)
        try:
            answer = self.search.ask(question, nodes=most, seconds=self._seconds_left(), **settings)
        except NoMemoryError:
            if not self.answers:
                raise
            self.limit = "memory"  # what is known already stays known
            return None
        self.answers.append(answer)
        if "interrupted" in (answer.report.limit, answer.report.certificate_limit):
            self.limit = "interrupted"
        return answer

    def interrupt(self) -> None:
        """Ask nothing more: Ctrl-C came between two questions."""
        self.search.interrupted = True
        self.limit = "interrupted"

    def _nodes_left(self) -> int | None:
        most: int | None = self.search.settings["nodes"]
        if most is None:
            return None
        left = most - sum(answer.report.stats.nodes for answer in self.answers)
        if left <= 0:
            self.limit = self.limit or "nodes"
        return left

    def _seconds_left(self) -> float | None:
        most: float | None = self.search.settings["seconds"]
        if most is None:
            return None
        return max(most - (time.monotonic() - self._start), _SHORTEST_TIME)
