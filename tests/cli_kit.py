"""What tests of the command line share: how a command ended."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple


class Ran(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def answers(self) -> list[dict[str, Any]]:
        """What it printed with `--json`."""
        return [json.loads(line) for line in self.out.splitlines()]


Run = Callable[..., Ran]
