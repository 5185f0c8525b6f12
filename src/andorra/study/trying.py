"""Every position is read and every solver tried before a study begins.

Idea: a search of one node says all that can be wrong with a game, a position, a question or an
option, and how position and question are written in canonical text. Each problem is tried with its
first solver, and each solver on the first problem of each game, so a plan of a thousand runs is
tried in a second or two.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from andorra.api import solve
from andorra.errors import AndorraError, NoMemoryError, OptionError, PlanError
from andorra.result import Result
from andorra.setting import memory_text
from andorra.study.plan import Problem, Solver

_LONGEST_NAME = 40


@dataclass(frozen=True)
class Draft:
    """A problem as the plan has it, with its place in the file."""

    place: str
    name: str
    family: str
    game: str
    position: str | None
    question: str | None
    known: str | None
    solvers: tuple[str, ...]


def tried(drafts: Sequence[Draft], solvers: Iterable[Solver]) -> list[Problem]:
    """The problems, if all is well; two that are the same are an error."""
    by_name = {solver.name: solver for solver in solvers}
    seen: set[tuple[str, str]] = set()
    places: dict[object, str] = {}
    problems = []
    for draft in drafts:
        first, *others = draft.solvers
        result = _search(draft, by_name[first])
        for name in others:
            if (name, draft.game) not in seen:
                seen.add((name, draft.game))
                _search(draft, by_name[name])
        problems.append(_problem(draft, result))
        _check_new(problems[-1], draft.place, places)
    return problems


def _search(draft: Draft, solver: Solver) -> Result:
    try:
        return solve(
            draft.game,
            draft.position,
            draft.question,
            algorithm=solver.algorithm,
            memory=solver.limits.memory,
            nodes=1,
            on_interrupt="raise",
            **solver.options,  # type: ignore[arg-type]
        )
    except (MemoryError, NoMemoryError):
        size = memory_text(solver.limits.memory)
        said = f"solver {solver.name!r}: this machine does not give {size} of memory"
        raise PlanError(f"{draft.place}: {draft.game}: {said}") from None
    except (AndorraError, OSError) as error:
        blamed = f"solver {solver.name!r}: " if isinstance(error, OptionError) else ""
        raise PlanError(f"{draft.place}: {draft.game}: {blamed}{error}") from None


def _problem(draft: Draft, result: Result) -> Problem:
    return Problem(
        name=draft.name or _name(draft, result),
        family=draft.family,
        game=draft.game,
        position=result.position,
        question=result.question,
        known=draft.known,
        solvers=draft.solvers,
    )


def _name(draft: Draft, result: Result) -> str:
    position = draft.position or ""
    if len(position) > _LONGEST_NAME:
        position = f"{position[: _LONGEST_NAME - 1]}…"
    return " ".join(filter(None, (draft.game, position, result.question)))


def _check_new(problem: Problem, place: str, places: dict[object, str]) -> None:
    """Refuse a question that was asked before, and a name that another problem has."""
    asked = (problem.game, problem.position, problem.question)
    for key, what in ((asked, "this question"), (problem.name, f"the name {problem.name!r}")):
        if key in places:
            raise PlanError(f"{place}: {what} is there already, at {places[key]}")
        places[key] = place
