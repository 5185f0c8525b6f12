"""The first thing that a report says: whether anything speaks against an answer."""

from __future__ import annotations

from collections.abc import Iterator

from andorra.study.agreement import Agreement, Disagreement
from andorra.study.report.markup import Child, Markup, tag
from andorra.study.results import Results
from andorra.study.row import Row


def verdicts(results: Results, found: Agreement) -> list[Markup]:
    """Disagreements first, in red; then failures; then what is missing."""
    shown = [_good(found) if found.is_sound else _wrong(found)]
    if found.failed:
        shown.append(_failed(found.failed))
    if results.missing:
        said = f"{results.missing} runs of the plan are not done yet: the same command goes on."
        shown.append(tag("div", tag("h2", "Not complete"), tag("p", said), class_="banner warn"))
    if results.plan.left_out:
        lines = tag("ul", [tag("li", line) for line in results.plan.left_out])
        shown.append(tag("div", tag("h2", "Left out"), lines, class_="banner warn"))
    return shown


def _wrong(found: Agreement) -> Markup:
    parts: list[Child] = []
    if found.disagreements:
        count = len(found.disagreements)
        title = f"Solvers disagree on {count} problem{'s' if count > 1 else ''}"
        why = "On each of these, at least one answer is wrong. No figure below is to be trusted."
        parts += [tag("h2", title), tag("p", why), _disagreements(found.disagreements)]
    if found.rejected:
        parts += [tag("h2", "Certificates were rejected"), _runs(found.rejected)]
    return tag("div", parts, class_="banner wrong", id="disagreements", role="alert")


def _disagreements(found: list[Disagreement]) -> Markup:
    items = [
        tag(
            "li",
            tag("b", each.problem.name),
            f", {each.problem.question}",
            [_side(answer, who) for answer, who in each.answers.items()],
        )
        for each in found
    ]
    return tag("ul", items)


def _side(answer: str, who: list[str]) -> Markup:
    return tag("div", tag("b", answer), ": ", ", ".join(who))


def _failed(rows: list[Row]) -> Markup:
    count = len(rows)
    title = f"{count} run{'s' if count > 1 else ''} failed"
    return tag("div", tag("h2", title), _runs(rows), class_="banner warn")


def _runs(rows: list[Row]) -> Markup:
    said = [f"{row.solver}, {row.problem}: {row.error or row.certificate}" for row in rows]
    return tag("ul", [tag("li", line) for line in said])


def _good(found: Agreement) -> Markup:
    if not found.answers:
        return tag("div", tag("h2", "There are no answers yet"), class_="banner warn")
    said = f"No two of the {found.answers} answers disagree"
    if found.confirmed:
        said += f"; on {found.confirmed} problems they are what was known beforehand"
    parts = [f"{said}.", *_certificates(found)]
    if found.unsound:
        parts.append(f"{found.unsound} answers come from settings that are unsound on their game.")
    title = "All solvers agree"
    return tag("div", tag("h2", title), tag("p", " ".join(parts)), class_="banner good")


def _certificates(found: Agreement) -> Iterator[str]:
    if found.verified:
        yield f"The fast checker verified the certificates of {found.verified} answers."
    if found.uncertified:
        count = sum(found.uncertified.values())
        why = "; ".join(f"{reason} ({number})" for reason, number in found.uncertified.items())
        yield f"{count} answers have no certificate that was checked: {why}."
