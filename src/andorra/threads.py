"""How many threads a search gets."""

from __future__ import annotations

from collections.abc import Mapping

from andorra import options
from andorra.errors import OptionError

_ANY = "threads=*"
"""In what an option of the table needs."""


def team_options(
    algorithm: str, asked: object, texts: Mapping[str, str], in_parallel: bool
) -> dict[str, str]:
    """The options that stand for so many threads beside those that are set; none for one alone.

    `in_parallel`: whether the game's rules run in several threads at once.

    >>> team_options("dfpn", 3, {}, True), team_options("dfpn", 1, {}, True)
    ({'threads': '3'}, {})
    >>> team_options("pds", 0, {}, True), team_options("dfpn", 0, {"agents": "7"}, True)
    ({}, {})
    """
    if asked in (options.ALL_CORES, str(options.ALL_CORES)):
        return _all_cores(algorithm, texts, in_parallel)
    _check(asked)
    return {} if asked == 1 else options.option_texts(algorithm, {"threads": asked})


def _all_cores(algorithm: str, texts: Mapping[str, str], in_parallel: bool) -> dict[str, str]:
    """As many threads as gain something.

    Where that is one, a team of one stands for it if an option is set that only teams have: what
    runs on one machine should run on any.
    """
    table = options.option_table()
    if algorithm not in table["threads"].algorithms or texts.get("agents", "0") != "0":
        return {}
    threads = options.cores() if in_parallel else 1
    if threads > 1:
        return {"threads": str(min(threads, _most()))}
    return {"agents": "1"} if any(_ANY in table[name].needs for name in texts) else {}


def _most() -> int:
    return int(options.option_table()["threads"].range.partition("..")[2])


def _check(asked: object) -> None:
    text = str(asked)
    if not (text.isdecimal() and 1 <= int(text) <= _most()):
        range_ = options.option_table()["threads"].range
        raise OptionError(f"option threads: {text!r} is not in {range_}, nor 0 for all cores")
