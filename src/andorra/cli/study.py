"""`andorra study [PLAN]`: many solvers on many problems, and a report of it all."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from andorra.cli import exits
from andorra.cli.streams import writing

if TYPE_CHECKING:
    from andorra.study.agreement import Agreement
    from andorra.study.journal import Journal, Recorded
    from andorra.study.plan import Plan
    from andorra.study.results import Results

REPORT = "report.html"


@click.command("study")
@click.argument("plan", metavar="[PLAN]", required=False, type=click.Path(path_type=Path))
@click.option(
    "--output",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder for the runs and the report; 'study-NAME' by the plan's name.",
)
@click.option(
    "--jobs",
    metavar="N",
    type=click.IntRange(min=1),
    help="Runs at a time; as many as there are cores by default.",
)
@click.option(
    "--seconds", metavar="S", type=float, help="CPU seconds of a run, instead of the plan's."
)
@click.option("--nodes", metavar="N", type=int, help="Nodes of a run, instead of the plan's.")
@click.option("--memory", metavar="SIZE", help="Memory of a run, instead of the plan's.")
@click.option("--report-only", is_flag=True, help="Write the report again; run nothing.")
@click.option("-q", "--quiet", is_flag=True, help="No progress, and no table at the end.")
def command(
    plan: Path | None,
    output: Path | None,
    jobs: int | None,
    report_only: bool,
    quiet: bool,
    **limits: Any,
) -> int:
    """Run a study: solvers, problems and limits that a small TOML file describes.

    Without PLAN, the study that ships with Andorra. Each run is a process of its own. All are kept
    in DIR/runs.jsonl, so that the same command goes on where an earlier one was ended, by Ctrl-C
    or otherwise; DIR/report.html is the report, one file that needs nothing else.

    \b
    Exit code: 0 done, 1 solvers disagree or a certificate was rejected, 2 usage,
    3 bad input, or a run that failed, 4 Ctrl-C.

    \b
    andorra study                                  # the default study
    andorra study --seconds 1 --output quick       # the same in short
    andorra study mine.toml                        # a plan of your own: docs/studies.md
    andorra study mine.toml --report-only
    """
    from andorra.study import journal, reading

    source = plan or reading.DEFAULT
    folder = output or Path(f"study-{source.stem}")
    interrupted = False
    if report_only:
        if any(limit is not None for limit in limits.values()):
            raise click.UsageError("--report-only runs nothing: leave out the limits")
    else:
        interrupted = _run(source, folder, jobs, quiet, limits)
    return _report(journal.recorded(folder), folder, interrupted, quiet)


def _run(source: Path, folder: Path, jobs: int | None, quiet: bool, limits: dict[str, Any]) -> bool:
    """Run what is still to come; whether Ctrl-C ended it."""
    from andorra.options import cores
    from andorra.study import reading, running
    from andorra.study.journal import Journal

    made = reading.read(source, **limits)
    for line in made.left_out:
        click.echo(f"left out: {line}", err=True)
    at_a_time = jobs or cores()
    _warn_of_memory(made, at_a_time)
    with Journal(folder, made, running.now()) as kept:
        return _run_rest(kept, at_a_time, quiet)


def _warn_of_memory(plan: Plan, jobs: int) -> None:
    """Runs that the system ends for want of memory would be failures."""
    from andorra.study.report.figures import memory

    needed = jobs * max(solver.limits.memory for solver in plan.solvers)
    there = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    if needed > there:
        said = f"{jobs} runs at a time may take {memory(needed)}, and there are {memory(there)}"
        click.echo(f"warning: {said}: give fewer --jobs, or less --memory", err=True)


def _run_rest(kept: Journal, jobs: int, quiet: bool) -> bool:
    from andorra.cli.study_progress import watching
    from andorra.study import running

    total = sum(1 for _ in kept.plan.runs())
    if kept.rows and not quiet:
        click.echo(f"{len(kept.rows):,} of {total:,} runs are there already", err=True)
    try:
        with watching(kept.plan.title, total, list(kept.rows), jobs, quiet) as watch:
            running.run(kept, jobs, watch)
    except KeyboardInterrupt:
        return len(kept.rows) < total
    return False


def _report(recorded: Recorded, folder: Path, interrupted: bool, quiet: bool) -> int:
    from andorra.study.agreement import agreement
    from andorra.study.report import page
    from andorra.study.results import Results

    with writing(folder / REPORT):
        page.write(recorded, folder / REPORT)
    results = Results(recorded.plan, recorded.rows)
    found = agreement(results)
    _print_faults(found)
    if not quiet:
        _print_scores(results)
        click.echo(f"report: {folder / REPORT}")
    if interrupted:
        said = f"interrupted: {len(results.rows):,} runs are kept; the same command goes on"
        click.echo(said, err=True)
    return _code(found, interrupted)


def _print_faults(found: Agreement) -> None:
    for each in found.disagreements:
        said = "; ".join(f"{answer}: {', '.join(who)}" for answer, who in each.answers.items())
        exits.print_error(f"different answers to {each.problem.name!r}: {said}")
    for row in found.rejected:
        exits.print_error(f"{row.solver} on {row.problem!r}: certificate {row.certificate}")
    for row in found.failed:
        exits.print_error(f"{row.solver} on {row.problem!r} failed: {row.error}")


def _print_scores(results: Results) -> None:
    from andorra.cli.tables import Figures, print_figures
    from andorra.study.report import figures
    from andorra.study.scores import scores

    found = scores(results, results.plan.problems)
    if not found:
        return
    common = max(score.common for score in found)
    solved = [
        (f"{score.solved} of {score.runs}", str(score.unique), figures.seconds(score.par2))
        for score in found
    ]
    means = [(figures.short(score.nodes), figures.seconds(score.cpu_seconds)) for score in found]
    ratios = [
        (figures.ratio(score.nodes_ratio), figures.ratio(score.cpu_ratio), str(score.both))
        for score in found
    ]
    print_figures(
        "solver",
        [score.solver for score in found],
        [
            Figures("all runs", ("solved", "alone", "PAR2"), solved),
            Figures(f"means on {common} common", ("nodes", "CPU"), means),
            Figures(f"against {results.reference}", ("nodes ×", "CPU ×", "both"), ratios),
        ],
    )


def _code(found: Agreement, interrupted: bool) -> int:
    if not found.is_sound:
        return exits.DISAGREEMENT
    if found.failed:
        return exits.BAD_INPUT
    return exits.UNKNOWN if interrupted else 0
