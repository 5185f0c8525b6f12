"""Every compatible pair of an algorithm's options, made from the options table.

Of options with named values all are tried, of numbers those in `VALUES`; the default is left out,
for it is in every other setting. Values that are unsafe where positions repeat are left out too.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations

import andorra
from andorra.options import OptionInfo

VALUES: dict[str, tuple[object, ...]] = {
    "table_entries": (64, 1000),
    "gc_fraction": (0.05, 0.95),
    "rise": (1, 10**12),
    "guard": (1000,),
    "tree_nodes": (64, 1000),
    "epsilon": (0.25,),
    "increment": (0, 3),
    "leaf_nodes": (7,),
    "deep_depth": (4,),
    "deep_base": (2.0,),
    "widening": (2,),
    "refine": (2,),
    "line_nodes": (0,),
}
"""Of options that are numbers, besides the default."""

Setting = dict[str, object]


def values_of(option: OptionInfo) -> list[object]:
    """The values to try."""
    if ".." in option.range:
        return list(VALUES[option.name])
    return [v for v in option.range.split("|") if v not in (option.default, option.unsafe)]


def conflict(settings: Setting) -> bool:
    """Whether two of the settings exclude each other, by the options table."""
    table = {o.name: o for info in andorra.algorithms().values() for o in info.options}
    for name, value in settings.items():
        if not table[name].conflict:
            continue
        mine, other = table[name].conflict.split(": ")
        other_name, others = other.split("=")
        if value in mine.split("|") and settings.get(other_name) in others.split("|"):
            return True
    return False


def singles(algorithm: str, without: tuple[str, ...] = ()) -> Iterator[Setting]:
    """The settings that change one option."""
    for option in andorra.algorithms()[algorithm].options:
        if option.name not in ("unsafe", *without):
            yield from (needed(option) | {option.name: value} for value in values_of(option))


def needed(option: OptionInfo) -> Setting:
    """What the option does nothing without."""
    name, _, value = option.needs.partition("=")
    return {name: value} if name else {}


@cache
def pairs(algorithm: str, without: tuple[str, ...] = ()) -> tuple[Setting, ...]:
    """The settings that change two options, and fit together."""
    both = (a | b for a, b in combinations(singles(algorithm, without), 2) if not a.keys() & b)
    return tuple(setting for setting in both if not conflict(setting))
