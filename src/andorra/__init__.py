"""Andorra answers "can this side force that?" and shows why.

>>> import andorra
>>> andorra.solve("mnk:3,3,3", "xx./oo./...").best_move
'c1'
"""

from typing import TYPE_CHECKING

from andorra.errors import (
    AndorraError,
    CertificateError,
    OptionError,
    PositionError,
    RuleError,
)
from andorra.listing import GameInfo, games
from andorra.options import AlgorithmInfo, OptionInfo, algorithms
from andorra.result import Progress, Result
from andorra.rulebook.base import FIRST, SECOND, Game
from andorra.solve import solve

if TYPE_CHECKING:
    from andorra.checker import Verified, check

__version__ = "0.1.0"
__all__ = [
    "FIRST",
    "SECOND",
    "AlgorithmInfo",
    "AndorraError",
    "CertificateError",
    "Game",
    "GameInfo",
    "OptionError",
    "OptionInfo",
    "PositionError",
    "Progress",
    "Result",
    "RuleError",
    "Verified",
    "algorithms",
    "check",
    "games",
    "solve",
]


def __getattr__(name: str) -> object:
    """The checker, loaded when it is first asked for."""
    if name in ("check", "Verified"):
        from andorra import checker

        return getattr(checker, name)
    raise AttributeError(f"module 'andorra' has no attribute {name!r}")
