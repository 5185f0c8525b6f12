"""Settings of a search that are compared: algorithm, memory and options.

Idea: a setting is named by what differs from the baseline, and two settings are the same if every
value that the search would use is the same, spelled out or by default. All that is known of options
comes from the options table, and from the game, which may have defaults of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product

from andorra.errors import OptionError
from andorra.options import (
    OptionInfo,
    check_algorithm,
    check_option,
    memory_bytes,
    option_table,
    option_texts,
)

BASELINE = "baseline"
_UNITS = (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10))
_MOST_NAMED = 4
_NO_OPTIONS = ("algorithm", "memory")
"""What a setting has beside the options of its algorithm."""

Changes = Mapping[str, object]
"""New values by name: `algorithm`, `memory`, or an option of the algorithm."""
Defaults = Callable[[dict[str, str]], dict[str, str]]
"""What a game sets for itself where these options are set: `defaults_of` in `asking.py`."""


def no_defaults(_: dict[str, str]) -> dict[str, str]:
    """What a game without defaults of its own sets: nothing."""
    return {}


@dataclass(frozen=True)
class Setting:
    """How to search: an algorithm, the memory that it may use, and the options that are set."""

    algorithm: str
    memory: int
    """In bytes."""
    options: dict[str, str] = field(default_factory=dict)

    @classmethod
    def make(cls, algorithm: str, memory: str | int | None, options: Changes) -> Setting:
        """The setting, if there is such an algorithm and it has these options.

        >>> Setting.make("dfpn", "64MiB", {"gc_fraction": 0.5})
        Setting(algorithm='dfpn', memory=67108864, options={'gc_fraction': '0.5'})
        """
        texts = option_texts(check_algorithm(algorithm), dict(options))
        return cls(algorithm, memory_bytes(memory), texts)

    def changed(self, changes: Changes) -> Setting:
        """The same setting with other values for some names; what is not named stays as it is."""
        return self.replaced({**self.options, **changes})

    def replaced(self, values: Changes) -> Setting:
        """A setting with these options and no others; algorithm and memory stay unless named."""
        for name in values:
            check_option(name, *_NO_OPTIONS)
        options = dict(values)
        algorithm = str(options.pop("algorithm", self.algorithm))
        memory = options.pop("memory", self.memory)
        return Setting.make(algorithm, memory if isinstance(memory, int) else str(memory), options)

    def values(self, own: Defaults = no_defaults) -> dict[str, str]:
        """Every value that the search uses, those by default, the game's `own`, too."""
        used = _usual() | own(self.options) | self.options
        rows = (row for row in option_table().values() if self.algorithm in row.algorithms)
        named = {"algorithm": self.algorithm, "memory": memory_text(self.memory)}
        return named | {row.name: used[row.name] for row in rows}

    def same_as(self, other: Setting, own: Defaults = no_defaults) -> bool:
        """Whether every value used is the same.

        >>> plain = Setting.make("dfpn", "1GiB", {})
        >>> plain.same_as(plain.changed({"memory": "1024MiB", "gc_fraction": "0.30"}))
        True
        >>> own = lambda options: {} if "epsilon" in options else {"epsilon": "0.25"}
        >>> plain.same_as(plain.changed({"epsilon": 0}), own)
        False
        """
        return _meanings(self.values(own)) == _meanings(other.values(own))

    def name(self, baseline: Setting, own: Defaults = no_defaults) -> str:
        """What differs from the baseline.

        >>> plain = Setting.make("dfpn", "1GiB", {"gc_fraction": 0.5})
        >>> plain.changed({"algorithm": "pns", "form": "tree", "memory": "1.5GiB"}).name(plain)
        'algorithm=pns memory=1536MiB form=tree'
        >>> plain.name(plain)
        'baseline'
        """
        values = self.values(own)
        usually = _meanings(_usual() | own({}) | baseline.values(own))
        meant = _meanings(values)
        differing = [
            f"{name}={value}" for name, value in values.items() if meant[name] != usually[name]
        ]
        return " ".join(differing) or BASELINE


def _usual() -> dict[str, str]:
    """The defaults of the options table."""
    return {row.name: row.default for row in option_table().values()}


def memory_text(size: int) -> str:
    """The size as a user would write it.

    >>> memory_text(64 << 20), memory_text(3 << 30), memory_text(1234567)
    ('64MiB', '3GiB', '1234567')
    """
    exact = (f"{size // unit}{name}" for name, unit in _UNITS if size % unit == 0)
    return next(exact, str(size))


def settings_by_name(
    baseline: Setting,
    vary: Mapping[str, Iterable[object]],
    settings: Iterable[Changes] = (),
    cross: bool = False,
    own: Defaults = no_defaults,
) -> dict[str, Setting]:
    """All settings to run, each once, the baseline first; `own` are the game's own defaults.

    >>> plain = Setting.make("dfpn", "1GiB", {})
    >>> vary = {"gc_fraction": ["0.3", "0.5"], "rise": [8, 9]}
    >>> list(settings_by_name(plain, vary))
    ['baseline', 'gc_fraction=0.5', 'rise=8', 'rise=9']
    >>> list(settings_by_name(plain, vary, cross=True))
    ['baseline', 'rise=8', 'rise=9', 'gc_fraction=0.5 rise=8', 'gc_fraction=0.5 rise=9']
    """
    varied = {name: _listed(values) for name, values in vary.items()}
    for name in varied:  # here, where an unknown name is one error, not one a combination
        check_option(name, *_NO_OPTIONS)
    made = list(_cross_product(baseline, varied) if cross else _one_change_each(baseline, varied))
    made += [baseline.replaced(values) for values in settings]
    return dict(_distinct(baseline, made, own))


def _listed(values: Iterable[object]) -> list[object]:
    """A text is one value, not one a letter."""
    return [values] if isinstance(values, str) else list(values)


def _one_change_each(baseline: Setting, vary: Mapping[str, list[object]]) -> Iterator[Setting]:
    for name, values in vary.items():
        for value in values:
            yield baseline.changed({name: value})


def _cross_product(baseline: Setting, vary: Mapping[str, list[object]]) -> list[Setting]:
    made, impossible = [], []
    for values in product(*vary.values()):
        changes = dict(zip(vary, values, strict=True))
        try:
            made.append(baseline.changed(changes))
        except OptionError as error:
            impossible.append(f"{_text(changes)}: {error}")
    if impossible:
        raise OptionError(_impossible(impossible))
    return made


def _impossible(combinations: list[str]) -> str:
    more = len(combinations) - _MOST_NAMED
    shown = combinations[:_MOST_NAMED] + ([f"and {more} more"] if more > 0 else [])
    lines = "".join(f"\n  {line}" for line in shown)
    return f"these combinations are impossible; give what you want as whole settings:{lines}"


def _text(changes: Changes) -> str:
    return " ".join(f"{name}={value}" for name, value in changes.items())


def _distinct(
    baseline: Setting, made: list[Setting], own: Defaults
) -> Iterator[tuple[str, Setting]]:
    kept: list[Setting] = []
    for setting in [baseline, *made]:
        if not any(setting.same_as(other, own) for other in kept):
            kept.append(setting)
            yield setting.name(baseline, own), setting


def _meanings(values: Mapping[str, str]) -> dict[str, object]:
    """Values that can be compared, whatever their spelling."""
    table = option_table()
    return {name: _meaning(name, value, table.get(name)) for name, value in values.items()}


def _meaning(name: str, value: str, row: OptionInfo | None) -> object:
    if name == "memory":
        return memory_bytes(value)
    if row is None or ".." not in row.range:
        return value
    try:
        return float(value)
    except ValueError:  # the core will say what it expected
        return value
