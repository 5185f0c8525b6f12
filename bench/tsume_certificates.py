"""Certificates of the Shogi Zuko: how large are they, and do both checkers accept them?

The trusted checker gets the smaller half, by entries; with `--trusted-all`, all. A problem that is
not solved under the cap has no certificate; one that is solved and has none misses the target; one
that a checker rejects is an error.
"""

from __future__ import annotations

from dataclasses import dataclass

from bench import tsume_data
from bench.certificates import Certified, Checked, NoVerdictError, check
from bench.report import Row, Table, Target
from bench.section import Run
from bench.tsume_data import Mate

NAME = "tsume-certificates"
MEMORY = "1GiB"
SECONDS = 30.0
"""For a search and the extraction together."""


@dataclass(frozen=True)
class Made:
    """A certificate, and what the checkers said."""

    mate: Mate
    certified: Certified
    trusted: Checked | None = None

    @property
    def row(self) -> Row:
        """The row of the table."""
        return {
            "problem": self.mate.name,
            "entries": self.certified.entries,
            "bytes": self.certified.file_size,
            "search and extraction CPU s": self.certified.answer.cpu_seconds,
            "fast CPU s": self.certified.fast.cpu_seconds,
            "trusted CPU s": self.trusted.cpu_seconds if self.trusted else None,
        }


def measure(run: Run) -> None:
    """A row a certificate, and the sums."""
    mates = tsume_data.chosen(run, tsume_data.ZUKO)
    found, without = _all(run, mates)
    made = _checked(run, sorted(found, key=lambda each: each.certified.entries))
    title = f"certificates of the Shogi Zuko, {MEMORY}, at most {run.seconds or SECONDS:g} CPU s"
    run.report.add(Table(NAME, title, [each.row for each in made], without))
    solved = len(made) + len(without)
    run.report.add(Table(NAME, "all of them", [_sums(run, made, len(mates), solved)]))


def _all(run: Run, mates: list[Mate]) -> tuple[list[Made], list[str]]:
    """Certificates of what is solved, and why others that are solved have none."""
    made: list[Made] = []
    without: list[str] = []
    for mate in mates:
        try:
            made.append(_made(run, mate))
        except NoVerdictError:
            continue
        except RuntimeError as error:
            without.append(f"  {mate.name}: {error}")
    return made, without


def _made(run: Run, mate: Mate) -> Made:
    certified = run.workshop.certified(mate.task(MEMORY, run.seconds or SECONDS))
    tsume_data.check(run, NAME, mate, certified.answer)
    if not certified.fast.accepted:
        run.report.error(f"{NAME}: {mate.name}, the fast checker: {certified.fast.said}")
    return Made(mate, certified)


def _checked(run: Run, made: list[Made]) -> list[Made]:
    """The same, smallest first, those of the smaller half with the trusted checker's word."""
    half = len(made) if run.trusted_all else (len(made) + 1) // 2
    return [_trusted(run, each) for each in made[:half]] + made[half:]


def _trusted(run: Run, made: Made) -> Made:
    said = check("trusted", made.certified.path)
    if not said.accepted:
        run.report.error(f"{NAME}: {made.mate.name}, the trusted checker: {said.said}")
    return Made(made.mate, made.certified, said)


def _sums(run: Run, made: list[Made], problems: int, solved: int) -> Row:
    both = [each for each in made if each.trusted is not None]
    accepted = sum(each.certified.fast.accepted for each in made)
    wanted = Target(solved, at_least=True)
    return {
        "problems": problems,
        "solved": solved,
        "accepted, fast": accepted,
        "entries": sum(each.certified.entries for each in made),
        "fast CPU s": sum(each.certified.fast.cpu_seconds for each in made),
        "accepted, trusted": sum(each.trusted.accepted for each in both if each.trusted),
        "its entries": sum(each.certified.entries for each in both),
        "trusted CPU s": sum(each.trusted.cpu_seconds for each in both if each.trusted),
        **run.report.judge(f"{NAME}: accepted by the fast checker", accepted, wanted),
    }


SECTION = tsume_data.section(
    NAME,
    "certificates of the Shogi Zuko, and both checkers on them",
    (tsume_data.ZUKO,),
    measure,
    long=True,
)
