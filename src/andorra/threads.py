"""Several threads: how many a search gets, and what they lose of their time.

The overheads are those that the survey names (Kishimoto, Winands, Müller & Saito 2012, section 8).
That of the search takes a second one to know (`andorra.compare`), and in one memory there is no
communication. Idle time stands for itself: the survey has it as a part of synchronisation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum

from andorra import options
from andorra.errors import OptionError

_ANY = "threads=*"
"""In what an option of the table needs."""
_LOST = {"synchronisation": "seconds_waited", "idle": "seconds_idle"}
"""Overheads by what an agent counts."""


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


def overheads(agents: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The shares of all threads' time by the clock that went into waiting, and into nothing.

    Empty without threads.

    >>> one = {"wall_seconds": 2.0, "seconds_waited": 0.5, "seconds_idle": 0.0}
    >>> overheads([one, one | {"seconds_idle": 1.0}])
    {'synchronisation': 0.25, 'idle': 0.25}
    """
    time = fsum(each["wall_seconds"] for each in agents)
    lost = {name: fsum(each[key] for each in agents) for name, key in _LOST.items()}
    return {name: round(seconds / time, 6) for name, seconds in lost.items()} if time else {}
