"""Options and limits: what a caller writes, checked and turned into what the core takes.

The options themselves are rows of one table in the core (core/options.hpp); nothing is listed here.
"""

from __future__ import annotations

import difflib
import math
import os
import re
import resource
from dataclasses import dataclass

from andorra import _core
from andorra.errors import OptionError

SMALLEST_MEMORY = 1 << 20
ALL_CORES = 0
"""As a number of threads."""
_UNITS = {"": 0, "k": 10, "m": 20, "g": 30, "t": 40}
_LITERATURE = {
    "spdfpn": "algorithm=dfpn with scheduler=jobs and threads=N",
    "pns-pdfpn": "algorithm=dfpn with scheduler=pn-dfpn and threads=N",
    "rp-pns": "algorithm=pns with threads=N",
    "df-pn+": "algorithm=dfpn with costs=true and initial=game",
    "df-pn(r)": "algorithm=dfpn with loops=df-pn(r)",
    "wpns": "algorithm=dfpn with backup=weak",
}
"""Names in papers, in lower case, of what has another name here or is put together."""
_SIZE = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*([kmgt]?)(?:i?b)?", re.IGNORECASE)


@dataclass(frozen=True)
class OptionInfo:
    """One row of the options table."""

    name: str
    default: str
    range: str
    help: str
    algorithms: tuple[str, ...]
    conflict: str = ""
    """`value: other=value|value`: what it cannot be used with; * is any but the default."""
    unsafe: str = ""
    """The value that is unsound or endless on games with cycles."""
    needs: str = ""
    """`other=value`: without it, the option does nothing, and is refused."""


@dataclass(frozen=True)
class AlgorithmInfo:
    """An algorithm, with the options that it uses."""

    name: str
    summary: str
    options: tuple[OptionInfo, ...]
    games: tuple[str, ...] = ()
    """Those that it is for; none are named if it is for all."""


def option_table() -> dict[str, OptionInfo]:
    """All options by name."""
    return {
        name: OptionInfo(name, default, range_, help_, tuple(algorithms.split()), *rules)
        for name, algorithms, default, range_, help_, *rules in _core.options()
    }


def algorithms() -> dict[str, AlgorithmInfo]:
    """All algorithms by name.

    >>> algorithms()["lambda"].games
    ('mnk', 'hex')
    """
    table = option_table().values()
    return {
        name: AlgorithmInfo(
            name,
            summary,
            tuple(row for row in table if name in row.algorithms),
            tuple(games.split()),
        )
        for name, summary, games in _core.algorithms()
    }


def check_algorithm(name: str) -> str:
    """The name, if there is such an algorithm.

    >>> check_algorithm("dfpm")
    Traceback (most recent call last):
    andorra.errors.OptionError: there is no algorithm 'dfpm'; did you mean 'dfpn'?
    >>> check_algorithm("RP-PNS")
    Traceback (most recent call last):
    andorra.errors.OptionError: there is no algorithm 'RP-PNS'; it is algorithm=pns with threads=N
    """
    known = [row[0] for row in _core.algorithms()]
    if name in known:
        return name
    raise OptionError(f"there is no algorithm {name!r}{_nearest(str(name), known)}")


def check_option(name: str, *others: str) -> None:
    """Reject a name that is neither an option's nor one of `others`, which can be set like one.

    >>> check_option("algoritm", "algorithm")
    Traceback (most recent call last):
    andorra.errors.OptionError: there is no option 'algoritm'; did you mean 'algorithm'?
    """
    known = [*others, *option_table()]
    if name not in known:
        raise OptionError(f"there is no option {name!r}{_nearest(name, known)}")


def option_texts(algorithm: str, options: dict[str, object]) -> dict[str, str]:
    """The options as the core takes them; what `algorithm` does not use is an error.

    >>> option_texts("pns", {"delete_solved": False})
    {'delete_solved': 'false'}
    >>> option_texts("pns", {"delete_solvd": False})
    Traceback (most recent call last):
    andorra.errors.OptionError: there is no option 'delete_solvd'; did you mean 'delete_solved'?
    >>> option_texts("dfpn", {"unsafe": "tru"})
    Traceback (most recent call last):
    andorra.errors.OptionError: option unsafe: 'tru' is not in true|false; did you mean 'true'?
    """
    table = option_table()
    for name in options:
        check_option(name)
        if algorithm not in table[name].algorithms:
            *most, last = table[name].algorithms
            users = f"{', '.join(most)} and {last} have" if most else f"{last} has"
            raise OptionError(f"the algorithm {algorithm} has no option {name!r}; {users} it")
    return {name: _value_text(table[name], value) for name, value in options.items()}


def memory_bytes(memory: str | int | None) -> int:
    """The memory limit in bytes; None asks for a share of the machine's free memory.

    >>> memory_bytes("64MiB") == memory_bytes(64 << 20) == 67108864
    True
    """
    if memory is None:
        return _default_memory()
    if isinstance(memory, str):
        match = _SIZE.fullmatch(memory.strip())
        if match is None:
            raise OptionError(f"cannot read the memory {memory!r}: expected '512MiB', '2GiB', …")
        memory = int(min(float(match[1]), 1e18) * (1 << _shift(match[2])))
    if not isinstance(memory, int):
        raise OptionError(f"memory={memory!r}: expected '512MiB', '2GiB', … or a number of bytes")
    if not SMALLEST_MEMORY <= memory < 1 << 50:
        raise OptionError(f"memory of {memory} bytes: expected at least 1MiB and less than 1PiB")
    return memory


def cores() -> int:
    """How many threads can run at the same time."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_nodes(nodes: int | None, name: str = "nodes") -> None:
    """Reject a limit on nodes that makes no sense."""
    if nodes is not None and not (isinstance(nodes, int) and 1 <= nodes < 1 << 63):
        raise OptionError(f"{name}={nodes!r}: expected a whole number from 1 to {(1 << 63) - 1}")


def check_limits(nodes: int | None, seconds: float | None) -> None:
    """Reject limits that make no sense."""
    check_nodes(nodes)
    if seconds is not None and not (isinstance(seconds, int | float) and 0 < seconds < math.inf):
        expected = "expected a positive, finite number; leave it out for no limit"
        raise OptionError(f"seconds={seconds!r}: {expected}")


def check_bound(plies: int | None) -> None:
    """Reject a bound on the plies that the core cannot count."""
    if plies is not None and plies >= 1 << 31:
        raise OptionError(f"a bound of {plies} plies: expected less than {1 << 31}")


def _shift(unit: str) -> int:
    return _UNITS[unit.lower()]


def _default_memory() -> int:
    """A quarter of what this process may have, and no more than 2 GiB."""
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    most = resource.getrlimit(resource.RLIMIT_AS)[0]
    total = total if most == resource.RLIM_INFINITY else min(total, most)
    return max(SMALLEST_MEMORY, min(2 << 30, total // 4))


def _value_text(row: OptionInfo, value: object) -> str:
    """The value's text; the core checks numbers, and a word that is not listed is an error here."""
    text = _text(value)
    words = row.range.split("|")
    if len(words) == 1 or text in words:
        return text
    raise OptionError(f"option {row.name}: {text!r} is not in {row.range}{_hint(text, words)}")


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _nearest(name: str, known: list[str]) -> str:
    return _hint(name, known) or f"; there are: {', '.join(known)}"


def _hint(name: str, known: list[str]) -> str:
    """What may have been meant by a name that is not known; empty if nothing comes near."""
    if name.lower() in _LITERATURE:
        return f"; it is {_LITERATURE[name.lower()]}"
    close = difflib.get_close_matches(name, known, 1)
    return f"; did you mean {close[0]!r}?" if close else ""
