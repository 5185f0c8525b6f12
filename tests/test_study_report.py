"""The report of a study: one file, well-formed, on its own; what is wrong comes first."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from andorra.study.journal import Recorded
from andorra.study.plan import Plan
from andorra.study.report import page
from andorra.study.report.markup import raw
from andorra.study.row import Row
from study_kit import a_plan, a_row, unsolved

MACHINE = {
    "cpu": "A <fast> one", "cores": 2, "memory": 8 << 30, "system": "Linux", "andorra": "0.1.0",
    "python": "3.11",
}  # fmt: skip
PLAN = a_plan(["one", "two & <a>"], ["a", "b", "c <script>"])
ROWS = [
    a_row("one", "a", 0.5, 1000), a_row("one", "b", 3.0, 90000, verdict="disproven"),
    unsolved("one", "c <script>"),
    a_row("two & <a>", "a", 0.0, 3, certificate="verified"), unsolved("two & <a>", "b"),
    a_row("two & <a>", "c <script>", 9.5, 12_345_678),
]  # fmt: skip


def made(plan: Plan = PLAN, rows: list[Row] = ROWS) -> str:
    return page.page(Recorded(plan, MACHINE, "2026-01-02T03:04:05+00:00", rows))


def tree(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text.removeprefix("<!DOCTYPE html>"))


def texts(root: ElementTree.Element, path: str) -> list[str]:
    return ["".join(each.itertext()) for each in root.iterfind(path)]


def test_it_is_well_formed_and_escaped() -> None:
    root = tree(made())
    assert root.find("head/title") is not None
    assert "c <script>" in "".join(root.itertext())
    assert len(list(root.iter("script"))) == 1
    ids = [each.get("id") for each in root.iter() if each.get("id")]
    assert len(ids) == len(set(ids))
    for link in root.iter("a"):
        assert str(link.get("href"))[1:] in ids


def test_it_stands_alone() -> None:
    text = made()
    root = tree(text)
    assert not [each for each in root.iter() if each.get("src")]
    assert all(str(each.get("href")).startswith("#") for each in root.iter() if each.get("href"))
    assert not list(root.iter("link"))
    assert re.search(r"https?:|//cdn|@import|url\(", text) is None


def test_agreement_is_said() -> None:
    root = tree(made())
    assert "All solvers agree" in texts(root, ".//h2")
    assert "banner wrong" not in made()


def test_a_disagreement_is_shown_first_and_in_red() -> None:
    rows = [replace(row, verdict="proven") if row.verdict == "disproven" else row for row in ROWS]
    first, second, third = PLAN.problems
    plan = replace(PLAN, problems=(first, replace(second, known="disproven"), third))
    root = tree(made(plan, rows))
    body = root.find("body")
    assert body is not None
    kinds = [(each.tag, each.get("class")) for each in body]
    assert kinds[:3] == [("h1", None), ("p", "sub"), ("div", "banner wrong")]
    banner = "".join(body[2].itertext())
    assert "Solvers disagree on 1 problem" in banner
    assert "disproven: known beforehand" in banner
    assert "proven: one" in banner
    assert ("tr", "disputed") in [(each.tag, each.get("class")) for each in body.iter("tr")]
    assert "All solvers agree" not in texts(root, ".//h2")
    style = "".join(texts(root, "head/style"))
    assert re.search(r"\.banner\.wrong h2 \{ color: var\(--bad\)", style)


def test_failures_and_rejected_certificates_are_shown_first() -> None:
    failed = replace(ROWS[2], limit="failed", error="its process ended with code -9")
    rejected = replace(ROWS[0], certificate="rejected: a rank rises")
    text = made(PLAN, [rejected, ROWS[1], failed, *ROWS[3:]])
    assert "a rank rises" in text and "ended with code -9" in text
    assert text.index("rejected: a rank rises") < text.index("ended with code -9")
    assert text.index("ended with code -9") < text.index("Solved over time")


def test_what_is_missing_or_left_out_is_said() -> None:
    text = made(replace(PLAN, left_out=("plan.toml:7: 'x' is not there",)), ROWS[:2])
    assert "4 runs of the plan are not done yet" in text
    assert "is not there" in text


def test_curves_rise_to_what_was_solved() -> None:
    root = tree(made())
    curves = [each for each in root.iter("g") if str(each.get("class")).startswith("curve")]
    dots = [len(list(each.iter("circle"))) for each in curves]
    assert dots == [2, 2, 3] * 4  # three curves; by time and by nodes; wide and narrow
    assert "one: 2 solved" in "".join(root.itertext())


def test_a_curve_says_of_how_many_where_it_is_not_all() -> None:
    first, second, third = PLAN.problems
    plan = replace(PLAN, problems=(first, second, replace(third, solvers=("one",))))
    root = tree(made(plan, ROWS[:-1]))
    named = [each.text for each in root.iter("text") if each.get("class") == "name"]
    assert {"one  2", "two & <a>  1 of 2"} <= set(named)


def test_every_run_is_in_a_table() -> None:
    root = tree(made())
    (table,) = (each for each in root.iter("table") if each.get("class") == "sortable runs")
    assert len(list(table.iter("tr"))) == 1 + len(ROWS)
    for row in table.iterfind("tbody/tr"):
        assert all(cell.get("data-v") is not None for cell in row)


def test_scatter_plots_have_rings_for_what_one_did_not_solve() -> None:
    root = tree(made())
    panels = list(root.iter("figure"))
    assert len(panels) == 2
    for panel in panels:
        dots = [each.get("class") for each in panel.iter("circle")]
        assert dots == [None, "open", "open"]


@pytest.mark.parametrize("rows", [[], ROWS[:1], [unsolved("one", "a")]])
def test_hardly_anything_is_there(rows: list[Row]) -> None:
    assert tree(made(PLAN, rows)).find("body") is not None


def test_more_solvers_than_colours() -> None:
    names = [f"solver {number}" for number in range(35)]
    plan = a_plan(names, ["a"])
    rows = [a_row(name, "a", 1.0 + number) for number, name in enumerate(names)]
    text = made(plan, rows)
    assert tree(text).find("body") is not None
    assert ".s34 { --c: var(--c4)" in text


def test_it_is_written_whole(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text("old")
    page.write(Recorded(PLAN, MACHINE, "2026-01-02", ROWS), path)
    assert path.read_text(encoding="utf-8").endswith("</html>\n")
    assert list(tmp_path.iterdir()) == [path]


def test_scripts_that_would_need_escaping_are_refused() -> None:
    with pytest.raises(AssertionError, match="escaping"):
        raw("script", "a < b")
