"""Andorra answers "can this side force that?" and shows why.

>>> import andorra
>>> andorra.solve("mnk:3,3,3", "xx./oo./...").best_move
'c1'

Names are loaded when they are first used: importing the package costs little, and the trusted
checker (andorra.checker) runs without the core being loaded at all.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from andorra.api import solve
    from andorra.checker import Verified, check
    from andorra.comparison import Comparison, Disagreement, Run, Summary
    from andorra.errors import (
        AndorraError,
        CertificateError,
        OptionError,
        PositionError,
        RuleError,
        TooLargeError,
    )
    from andorra.experiment import compare
    from andorra.listing import GameInfo, games
    from andorra.native import NativeLibrary, NumbaGame
    from andorra.options import AlgorithmInfo, OptionInfo, algorithms
    from andorra.promises import Promise
    from andorra.result import Bounds, Other, Progress, Result
    from andorra.rule_check import RulesReport, check_rules
    from andorra.rulebook.base import FIRST, SECOND, Game
    from andorra.setting import Setting
    from andorra.table import Table

__version__ = "0.1.0"

_HOMES = {
    "api": ("solve",),
    "checker": ("Verified", "check"),
    "comparison": ("Comparison", "Disagreement", "Run", "Summary"),
    "errors": (
        "AndorraError",
        "CertificateError",
        "OptionError",
        "PositionError",
        "RuleError",
        "TooLargeError",
    ),
    "experiment": ("compare",),
    "listing": ("GameInfo", "games"),
    "native": ("NativeLibrary", "NumbaGame"),
    "options": ("AlgorithmInfo", "OptionInfo", "algorithms"),
    "promises": ("Promise",),
    "result": ("Bounds", "Other", "Progress", "Result"),
    "rule_check": ("RulesReport", "check_rules"),
    "rulebook.base": ("FIRST", "SECOND", "Game"),
    "setting": ("Setting",),
    "table": ("Table",),
}

__all__ = [
    "FIRST",
    "SECOND",
    "AlgorithmInfo",
    "AndorraError",
    "Bounds",
    "CertificateError",
    "Comparison",
    "Disagreement",
    "Game",
    "GameInfo",
    "NativeLibrary",
    "NumbaGame",
    "OptionError",
    "OptionInfo",
    "Other",
    "PositionError",
    "Progress",
    "Promise",
    "Result",
    "RuleError",
    "RulesReport",
    "Run",
    "Setting",
    "Summary",
    "Table",
    "TooLargeError",
    "Verified",
    "algorithms",
    "check",
    "check_rules",
    "compare",
    "games",
    "solve",
]


def __getattr__(name: str) -> object:
    """Load a public name from its module."""
    import importlib

    for home, names in _HOMES.items():
        if name in names:
            value: object = getattr(importlib.import_module(f"andorra.{home}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'andorra' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
