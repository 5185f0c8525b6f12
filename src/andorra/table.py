"""A table that several searches share, one after the other or at once, each in a thread of its own.

What one search has solved the others need not solve again: a mate search that is called at many
nodes of another search, or all moves of a position. Searches may start anywhere, because what a
table calls solved holds on every line (core/search/dfpn.hpp); lines are each search's own.
"""

from __future__ import annotations

from threading import Lock
from typing import Any

from andorra import _core
from andorra.asking import is_same_game, rules_for
from andorra.errors import OptionError
from andorra.options import memory_bytes
from andorra.question import Question
from andorra.rulebook.base import Game, Side


class Table:
    """A place for what searches of one game find out, to be given to `solve` as `table`.

    There is a table for each side that has to prove a win, and for each score, made when the first
    question about it is asked; `memory` limits each of them.

    >>> import andorra
    >>> table = andorra.Table("connect4:4x4", memory="64MiB")
    >>> first = andorra.solve("connect4:4x4", question="win:first", table=table)
    >>> again = andorra.solve("connect4:4x4", question="win:first", table=table)
    >>> first.verdict, again.verdict, again.statistics["nodes"]
    ('disproven', 'disproven', 1)
    """

    def __init__(self, game: str | Game[Any, Any], memory: str | int | None = None) -> None:
        """Make an empty table."""
        self._rules = rules_for(game)
        self._memory = memory_bytes(memory)
        self._tables: dict[tuple[Side, int | None], _core.Table] = {}
        self._making = Lock()

    def check_suits(self, rules: Game[Any, Any]) -> None:
        """Reject another game: its positions could have the same keys."""
        if not is_same_game(rules, self._rules):
            raise OptionError(f"the table is for {self._rules.spec()}, not for {rules.spec()}")

    def of(self, question: Question) -> _core.Table:
        """The core's table for questions about the same success; bounds on the plies may differ."""
        goal = (question.prover, question.score)
        with self._making:
            if goal not in self._tables:
                self._tables[goal] = _core.Table(self._memory)
            return self._tables[goal]

    @property
    def used(self) -> int:
        """How many results it holds."""
        with self._making:
            tables = list(self._tables.values())
        return sum(table.used for table in tables)
