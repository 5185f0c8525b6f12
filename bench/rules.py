"""Connect Four in rules of a user's own, made in the process that searches."""

from __future__ import annotations

import importlib.util
from typing import Any

from andorra.rulebook.connect4 import Connect4
from bench.process import ROOT

_NUMBA_RULES = ROOT / "docs" / "examples" / "connect4_numba.py"


class OwnConnect4(Connect4):
    """The reference rules as a user's game: the core knows its own games by their exact class."""


def numba_connect4(parameters: str) -> Any:
    """The documentation's example of rules that Numba compiles."""
    spec = importlib.util.spec_from_file_location("connect4_numba", _NUMBA_RULES)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.connect4(parameters)
