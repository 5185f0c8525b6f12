"""The end of a report: what its words mean, what was run, and where."""

from __future__ import annotations

from andorra.setting import memory_text
from andorra.study.journal import NAME, Recorded
from andorra.study.plan import Solver
from andorra.study.report import figures
from andorra.study.report.markup import Child, tag

_TERMS = {
    "solved": "The search ended with a verdict (or, asked for the value, with the value).",
    "CPU": "CPU time of the search, in its own process, without start-up and certificate.",
    "PAR2": "The mean CPU time over all runs of a solver; a run without an answer counts as twice "
    "its limit.",
    "common set": "The problems that all solvers answered. Solvers that are not asked about all "
    "problems, or that answered less than half of what anybody did, do not count for it and have "
    "no means. Means are geometric; no time counts as less than a millisecond.",
    "ratios (×)": "The geometric mean of the ratios to the first solver of the plan, over the "
    "problems that both answered.",
    "virtual best": "For each problem, the run that answered it in the least CPU time: what one "
    "would have who knew whom to ask. It is no solver.",
    "memory": "The largest resident memory of the run's process during the search, Python "
    "included.",
    "verified": "The search was run again to write its certificate, and the fast checker accepted "
    "it.",
}


def terms(recorded: Recorded) -> list[Child]:
    """All of it."""
    defined = [(tag("dt", word), tag("dd", said)) for word, said in _TERMS.items()]
    solvers = [
        tag("li", tag("b", solver.name), ": ", tag("code", _setting(solver)))
        for solver in recorded.plan.solvers
    ]
    return [
        tag("dl", defined),
        tag("h3", "Solvers"),
        tag("ul", solvers),
        tag("h3", "Machine"),
        tag("p", _machine(recorded)),
        tag("p", "The raw results are in ", tag("code", NAME), " beside this file."),
    ]


def limits_of(solver: Solver) -> str:
    """The limits of a run, in words."""
    limits = solver.limits
    parts = [
        None if limits.seconds is None else f"{limits.seconds:g} CPU seconds",
        None if limits.nodes is None else f"{limits.nodes:,} nodes",
        memory_text(limits.memory),
    ]
    return ", ".join(part for part in parts if part)


def _setting(solver: Solver) -> str:
    options = " ".join(f"{name}={value}" for name, value in solver.options.items())
    return f"{solver.algorithm} {options}".strip() + f"; {limits_of(solver)}"


def _machine(recorded: Recorded) -> str:
    machine = recorded.machine
    jobs = ", ".join(map(str, sorted({row.jobs for row in recorded.rows}))) or figures.NOTHING
    versions = ", ".join(sorted({row.andorra for row in recorded.rows} | {machine["andorra"]}))
    return (
        f"{machine['cpu']}, {machine['cores']} cores, {figures.memory(machine['memory'])}, "
        f"{machine['system']}, Python {machine['python']}, Andorra {versions}; "
        f"runs at a time: {jobs}."
    )
