"""Every compatible pair of an algorithm's options, made from the options table.

Of options with named values all are tried, of numbers those in `VALUES`; the default is left out,
for it is in every other setting. Values that are unsafe where positions repeat are left out too.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, cycle

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
    "lambda_order": (1, 5),
    "selective_nodes": (0, 30),
    "line_nodes": (0,),
    "depth_step": (1, 7),
    "exploration": (0.0, 3.0),
    "playouts": (1,),
    "playout_scale": (0, 100),
    "playout_plies": (1,),
    "playout_seed": (2,),
    "proof_nodes": (0,),
    "threads": (3,),
    "agents": (7,),
    "exchange": (0, 1),
    "job_nodes": (3,),
    "seed": (2,),
    "growth_a": (0, 50),
    "growth_b": (10,),
    "set_size": (1, 3),
}
"""Of options that are numbers, besides the default."""

TEAM = ("threads", "agents", "scheduler", "exchange", "job_nodes", "seed")
"""Options of several agents."""

GENERAL = [name for name, info in andorra.algorithms().items() if not info.games]
"""The algorithms that are for every game."""

IN_TREES = {"mopns"}
"""Those that run out of memory where there are far more lines than positions."""

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
        meant = other_name in settings and is_meant(others, settings[other_name])
        if meant and is_meant(mine, value):
            return True
    return False


def is_meant(values: str, value: object) -> bool:
    """By the values of a conflict, for one that is not the default."""
    return values == "*" or value in values.split("|")


def singles(algorithm: str, without: tuple[str, ...] = ()) -> Iterator[Setting]:
    """The settings that change one option."""
    for option in andorra.algorithms()[algorithm].options:
        if option.name not in ("unsafe", *without):
            yield from (needed(option) | {option.name: value} for value in values_of(option))


def needed(option: OptionInfo) -> Setting:
    """What the option does nothing without, and what that needs in turn."""
    name, _, value = option.needs.partition(" or ")[0].partition("=")
    if not name:
        return {}
    (other,) = (o for o in andorra.algorithms()[option.algorithms[0]].options if o.name == name)
    return needed(other) | {name: VALUES[name][0] if value == "*" else value}


@cache
def pairs(algorithm: str, without: tuple[str, ...] = ()) -> tuple[Setting, ...]:
    """The settings that change two options, and fit together."""
    both = (a | b for a, b in combinations(singles(algorithm, without), 2) if not a.keys() & b)
    return tuple(setting for setting in both if not conflict(setting))


@cache
def team_settings(algorithm: str) -> tuple[Setting, ...]:
    """The settings that change one option, each with one of the teams in turn."""
    teams = cycle([*singles(algorithm, without=others_than(algorithm, TEAM))])
    both = (one | team for one, team in zip(singles(algorithm, TEAM), teams, strict=False))
    return tuple(setting for setting in both if not conflict(setting))


def relatives() -> list[str]:
    """The algorithms whose steps are those of df-pn or pns, all but for what a few rules change."""
    return [name for name in GENERAL if name not in ("dfpn", "pns", "fixpoint")]


def others_than(algorithm: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """All options but these."""
    return tuple(o.name for o in andorra.algorithms()[algorithm].options if o.name not in names)
