"""`andorra.compare`: several settings on the same positions, each search in a process of its own.

Before anything is measured, every setting and every position is tried with a search of one node: a
value out of range or a bad position is an error now, not after an hour. Settings take turns on a
position before the next one is begun, so that an interrupted comparison has whole positions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from andorra import measure
from andorra.api import interrupt_raises, solve
from andorra.asking import defaults_of
from andorra.comparison import Comparison, Run
from andorra.errors import OptionError
from andorra.measure import AnyGame, GameSource, Measured, Task
from andorra.options import check_limits
from andorra.result import Result
from andorra.setting import Changes, Setting, settings_by_name

Progress = Callable[[Run, int, int], None]
"""Told of a run that is done, how many are done, and of how many."""


def compare(
    game: GameSource,
    positions: Sequence[str | None] = (None,),
    question: str | None = None,
    *,
    vary: Mapping[str, Iterable[object]] | None = None,
    settings: Iterable[Changes] = (),
    cross: bool = False,
    algorithm: str = "dfpn",
    memory: str | int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
    on_interrupt: str = "answer",
    **options: object,
) -> Comparison:
    """Run several settings on the same positions.

    The baseline is `algorithm` with `memory` and `options`. `vary` names values to be tried beside
    it, one change at a time, or with `cross` in all combinations; its names are those of options,
    `algorithm` and `memory`. Defaults are the options table's and those that the game sets for
    itself. `settings` are whole settings: the options named and no others, and
    the baseline's algorithm and memory unless these are named, too. None among the positions is the
    initial one. `question`, `nodes` and `seconds` are as for `solve`, for each search.

    Each search runs in a fresh process, `jobs` at a time: leave that at 1 where CPU seconds matter.
    A game of your own must be one that such a process can import; `game` may also be a function
    that makes it. `progress` is called for each run that is done, with how many are done and how
    many there are. Ctrl-C ends the comparison with the runs that are done; with
    `on_interrupt="raise"`, it raises KeyboardInterrupt. Even without, a Ctrl-C between two lines of
    Python can raise it.

    >>> comparison = compare("mnk:3,3,3", ["xx./oo./..."], vary={"algorithm": ["pns"]})
    >>> [(each.setting, each.answered, each.runs) for each in comparison.summaries]
    [('baseline', 1, 1), ('algorithm=pns', 1, 1)]
    >>> comparison.disagreements
    []
    """
    check_limits(nodes, seconds)
    if jobs < 1:
        raise OptionError(f"jobs={jobs}: expected at least 1")
    raises = interrupt_raises(on_interrupt)
    baseline = Setting.make(algorithm, memory, options)
    measure.check_can_travel(game)
    made = measure.make(game)
    chosen = settings_by_name(baseline, vary or {}, settings, cross, defaults_of(made))
    limits = {"question": question, "nodes": nodes, "seconds": seconds}
    asked = _tried(made, positions, chosen, limits)
    plan = _plan(game, positions, chosen, limits, asked)
    return _run(plan, chosen, jobs, progress, raises)


@dataclass(frozen=True)
class _Planned:
    """A search to be run, with what is known of it before."""

    setting: str
    number: int
    task: Task
    asked: Result
    """What the search of one node said: position and question in canonical text."""


def _plan(
    game: GameSource,
    positions: Sequence[str | None],
    settings: Mapping[str, Setting],
    limits: Mapping[str, object],
    asked: Sequence[Result],
) -> list[_Planned]:
    return [
        _Planned(name, number, Task(game, _arguments(setting, position, limits)), asked[number - 1])
        for number, position in enumerate(positions, start=1)
        for name, setting in settings.items()
    ]


def _tried(
    game: str | AnyGame,
    positions: Sequence[str | None],
    settings: Mapping[str, Setting],
    limits: Mapping[str, object],
) -> list[Result]:
    """Every setting on the first position, and the first setting, the baseline, on all others."""
    baseline, *others = settings.values()
    one_node = {**limits, "nodes": 1}
    for setting in others if positions else ():
        solve(game, on_interrupt="raise", **_arguments(setting, positions[0], one_node))
    return [
        solve(game, on_interrupt="raise", **_arguments(baseline, each, one_node))
        for each in positions
    ]


def _arguments(
    setting: Setting, position: str | None, limits: Mapping[str, object]
) -> dict[str, Any]:
    """The keyword arguments of `solve`."""
    fixed = {"position": position, "algorithm": setting.algorithm, "memory": setting.memory}
    return {**fixed, **limits, **setting.options}


def _run(
    plan: Sequence[_Planned],
    settings: dict[str, Setting],
    jobs: int,
    progress: Progress | None,
    raises: bool,
) -> Comparison:
    runs: list[Run] = []
    try:
        with closing(measure.measure_all([each.task for each in plan], jobs)) as measured:
            for index, outcome in measured:
                runs.append(_made(plan[index], settings[plan[index].setting], outcome))
                if progress is not None:
                    progress(runs[-1], len(runs), len(plan))
    except KeyboardInterrupt:
        if raises:
            raise
        return Comparison(settings, runs, interrupted=len(runs) < len(plan))
    return Comparison(settings, runs)


def _made(planned: _Planned, setting: Setting, measured: Measured) -> Run:
    return Run(
        setting=planned.setting,
        number=planned.number,
        position=planned.asked.position,
        question=planned.asked.question,
        algorithm=setting.algorithm,
        memory=setting.memory,
        options=setting.options,
        **measured.figures(),
    )
