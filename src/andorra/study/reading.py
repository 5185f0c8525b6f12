"""A plan from a TOML file.

    title = "..."
    [limits]    seconds, nodes, memory, certificates
    [solvers]   NAME = { algorithm, memory, seconds, nodes, on, not_on, and options }
    [[problems]] name, family, game, position | positions | file | data, pick, question, known,
                solvers, without

What each means is in docs/studies.md. Nothing is run here, but every position is read and every
solver tried (`trying.py`), so that a fault is found now and not after half an hour.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from andorra import options
from andorra.errors import OptionError, PlanError
from andorra.question import Question
from andorra.rulebook import FIRST
from andorra.setting import Setting
from andorra.study import data, trying
from andorra.study.fields import Fields, nearest
from andorra.study.places import Places
from andorra.study.plan import Limits, Plan, Solver
from andorra.study.trying import Draft

DEFAULT = Path(__file__).parent / "default.toml"
"""The study that ships with the project."""
DEFAULT_MEMORY = "1GiB"
"""Stated, not taken from the machine: node counts depend on it."""
_TOP = ("title", "limits", "solvers", "problems")
_LIMITS = ("seconds", "nodes", "memory")
_WHOM = ("on", "not_on")
_PROBLEM = (
    "name", "family", "game", "position", "positions", "file", "data", "pick", "question", "known",
    "solvers", "without",
)  # fmt: skip
_SOURCES = ("position", "positions", "file", "data")
_QUESTIONS = "'win', 'win:first' or 'win:second', each perhaps with '<=N', or 'value'"
_VERDICTS = ("proven", "disproven")
_VALUES = ("win", "draw", "loss")


@dataclass(frozen=True)
class _Chosen:
    """A solver, with the families that it runs on."""

    solver: Solver
    on: Sequence[str] | None
    not_on: Sequence[str]

    def runs_on(self, family: str) -> bool:
        return family not in self.not_on and (self.on is None or family in self.on)


def read(path: Path, **limits: Any) -> Plan:
    """The plan in a file; `limits` are those of the caller, which replace the plan's own."""
    text = data.text_of(path)
    places = Places(path.name, text)
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PlanError(f"{path.name}: this is no TOML: {error}") from None
    top = Fields(values, "", places.of)
    top.check_names(_TOP)
    return _plan(top, places, path, {k: v for k, v in limits.items() if v is not None})


def _plan(top: Fields, places: Places, path: Path, given: dict[str, Any]) -> Plan:
    limits = Fields(top.any("limits") or {}, "[limits]", partial(places.of, "limits"))
    limits.check_names((*_LIMITS, "certificates"))
    common = _limits(limits, Limits(None, None, options.memory_bytes(DEFAULT_MEMORY)))
    common = _replaced(common, given)
    chosen = list(_solvers(top, places, common))
    left_out: list[str] = []
    drafts = list(_drafts(top, places, path, chosen, left_out))
    if not drafts:
        raise top.error("; ".join(["there is no problem left to run", *left_out]))
    problems = trying.tried(drafts, [each.solver for each in chosen])
    asked = {name for problem in problems for name in problem.solvers}
    return Plan(
        title=top.text("title") or path.stem,
        certificates=limits.flag("certificates", True),
        solvers=tuple(each.solver for each in chosen if each.solver.name in asked),
        problems=tuple(problems),
        left_out=tuple(left_out),
    )


def _limits(fields: Fields, usual: Limits) -> Limits:
    """The limits that a table states, and for the others the usual ones."""
    found = {key: fields.any(key) for key in _LIMITS if fields.has(key)}
    try:
        return _replaced(usual, found)
    except OptionError as error:
        key = next((key for key in found if key in str(error)), None)
        raise fields.error(str(error), key) from None


def _replaced(limits: Limits, by: dict[str, Any]) -> Limits:
    if any(isinstance(value, bool) for value in by.values()):
        raise OptionError("true and false are no limits: expected a number, or leave it out")
    options.check_limits(by.get("nodes"), by.get("seconds"))
    if "memory" in by:
        by = by | {"memory": options.memory_bytes(by["memory"])}
    return replace(limits, **by)


# Solvers


def _solvers(top: Fields, places: Places, common: Limits) -> Iterator[_Chosen]:
    tables = Fields(top.any("solvers") or {}, "", partial(places.of, "solvers"))
    names = list(top.any("solvers") or {})
    if not names:
        raise top.error("there are no solvers: expected a table [solvers] with a line for each")
    kept: list[_Chosen] = []
    for name in names:
        fields = Fields(tables.any(name), f"solver {name!r}", partial(places.of, "solvers", name))
        chosen = _solver(name, fields, common)
        for other in kept:
            if _is_same(chosen.solver, other.solver):
                raise fields.error(f"it is the same as solver {other.solver.name!r}")
        kept.append(chosen)
        yield chosen


def _solver(name: str, fields: Fields, common: Limits) -> _Chosen:
    limits = _limits(fields, common)
    if limits.seconds is None and limits.nodes is None:
        raise fields.error("its runs may never end: expected 'seconds' or 'nodes' under [limits]")
    algorithm = fields.text("algorithm") or name
    reserved = (*_LIMITS, *_WHOM, "algorithm")
    given = {key: value for key, value in fields.values.items() if key not in reserved}
    for key, value in given.items():
        if isinstance(value, list | dict):
            raise fields.refused(key, "a word, a number, true or false")
    try:
        setting = Setting.make(algorithm, limits.memory, given)
    except OptionError as error:
        raise fields.error(str(error)) from None
    solver = Solver(name, algorithm, setting.options, limits)
    return _Chosen(solver, fields.texts("on"), fields.texts("not_on") or ())


def _is_same(one: Solver, other: Solver) -> bool:
    """As written: what a game sets for itself can make any two of them the same somewhere."""
    return replace(one, name=other.name) == other


# Problems


def _drafts(
    top: Fields, places: Places, path: Path, chosen: Sequence[_Chosen], left_out: list[str]
) -> Iterator[Draft]:
    tables = top.any("problems")
    if not (isinstance(tables, list) and tables):
        raise top.error("there are no problems: expected tables [[problems]]", "problems")
    for number, table in enumerate(tables, start=1):
        place = partial(places.of, "problems", number)
        fields = Fields(table, f"problem {number}", place)
        fields.check_names(_PROBLEM)
        game = fields.needed_text("game", "a game such as 'connect4:5x4'")
        family = fields.text("family") or game.partition(":")[0]
        draft = Draft(
            place=place(),
            name=fields.text("name") or "",
            family=family,
            game=game,
            position=None,
            question=_question(fields),
            known=_known(fields),
            solvers=_asked(fields, chosen, family),
        )
        yield from _positions(fields, draft, path, left_out)


def _question(fields: Fields) -> str | None:
    question = fields.text("question")
    if question is not None and question != "value":
        try:
            Question.parse(question, FIRST)
        except OptionError:
            raise fields.refused("question", _QUESTIONS) from None
    return question


def _known(fields: Fields) -> str | None:
    known = fields.text("known")
    words = _VALUES if fields.any("question") == "value" else _VERDICTS
    if known is not None and known not in words:
        raise fields.refused("known", " or ".join(words))
    return known


def _asked(fields: Fields, chosen: Iterable[_Chosen], family: str) -> tuple[str, ...]:
    solvers = {each.solver.name: each for each in chosen}
    only, without = fields.texts("solvers"), fields.texts("without")
    if only is not None and without is not None:
        raise fields.error("'solvers' and 'without' exclude each other: choose one", "without")
    for key, names in (("solvers", only), ("without", without)):
        for name in names or ():
            if name not in solvers:
                said = f"{key}: there is no solver {name!r}{nearest(name, solvers)}"
                raise fields.error(said, key)
    asked = [
        name
        for name, each in solvers.items()
        if (name in only if only else name not in (without or ()) and each.runs_on(family))
    ]
    if not asked:
        raise fields.error("no solver is left for it")
    return tuple(asked)


def _positions(fields: Fields, draft: Draft, path: Path, left_out: list[str]) -> Iterator[Draft]:
    """The draft for each position that the table names: one, a list, or those of a file."""
    sources = [key for key in _SOURCES if fields.has(key)]
    if len(sources) > 1:
        raise fields.error(f"{' and '.join(map(repr, sources))} exclude each other: choose one")
    source = sources[0] if sources else "position"
    if source in ("file", "data"):
        yield from _from_file(fields, source, draft, path, left_out)
        return
    if fields.has("pick"):
        raise fields.error("'pick' goes with 'file' or 'data'", "pick")
    if source == "position":
        yield replace(draft, position=fields.text("position"))
        return
    for number, position in enumerate(fields.texts("positions") or [], start=1):
        yield replace(draft, position=position, name=_numbered(draft.name, number))


def _from_file(
    fields: Fields, source: str, draft: Draft, path: Path, left_out: list[str]
) -> Iterator[Draft]:
    relative = fields.needed_text(source, "a file's name")
    found = path.parent / relative if source == "file" else data.path_below_data(relative)
    if found is None:
        left_out.append(f"{draft.place}: {relative!r} is not in the folder {data.VARIABLE}")
        return
    if not found.is_file():
        raise fields.refused(source, f"a file; there is none in {str(path.parent)!r}")
    listed = data.listed(found)
    for number in fields.numbers("pick") or range(1, len(listed) + 1):
        if number > len(listed):
            raise fields.error(f"pick: {number}: {relative!r} has {len(listed)} positions", "pick")
        each = listed[number - 1]
        name = _numbered(draft.name, number) or each.name
        yield replace(draft, position=each.position, name=name)


def _numbered(name: str, number: int) -> str:
    return f"{name} {number}" if name else ""
