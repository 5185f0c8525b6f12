"""Every work that a comment or docstring cites by name and year is in docs/references.bib."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = sorted(
    path
    for folder, end in (("core", "hpp"), ("core", "cpp"), ("checker", "?pp"), ("src", "py"))
    for path in (ROOT / folder).rglob(f"*.{end}")
)
CITATION = re.compile(r"\b([A-Z][^\W\d_A-Z][^\W\d_]*)(?: et al\.)?,? \(?((?:19|20)\d\d)\b")
ENTRY = re.compile(r"^@\w+\{(.*?)^\}", re.MULTILINE | re.DOTALL)
FIELD = re.compile(r"^ *(\w+) *= *\{(.*?)\},?$", re.MULTILINE | re.DOTALL)
BREAK = re.compile(r"\s*\n\s*(?://|#)?\s*")
Work = tuple[str, str]
"""A surname in plain letters, and the year."""


def plain(name: str) -> str:
    """The name without accents, be they of LaTeX or of Unicode."""
    letters = unicodedata.normalize("NFKD", re.sub(r"[{}\\\\\"']", "", name))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def cited(text: str) -> Iterator[Work]:
    """The last author and the year of each citation; it may go on in the next line of a comment."""
    for name, year in CITATION.findall(BREAK.sub(" ", text)):
        yield plain(name), year


def listed(bibliography: str) -> set[Work]:
    """Every author of every work, with its year."""
    works = set()
    for entry in ENTRY.findall(bibliography):
        fields = dict(FIELD.findall(entry))
        authors = re.split(r"\s+and\s+", fields["author"])
        names = (plain(author.partition(",")[0]).split()[-1] for author in authors)
        works |= {(name, fields.get("year", "")) for name in names}
    return works


BIBLIOGRAPHY = (ROOT / "docs" / "references.bib").read_text(encoding="utf-8")


def test_citations_are_listed() -> None:
    works = listed(BIBLIOGRAPHY)
    missing = {
        f"{path.relative_to(ROOT)}: {name} {year}"
        for path in SOURCES
        for name, year in cited(path.read_text(encoding="utf-8"))
        if (name, year) not in works
    }
    assert sorted(missing) == []


def test_status_cites_what_is_listed() -> None:
    works = set(cited((ROOT / "docs" / "status.md").read_text(encoding="utf-8")))
    assert ("Kaneko", "2005") in works
    assert works - listed(BIBLIOGRAPHY) == set()


def test_names_of_latex() -> None:
    entry = '@misc{key,\n  author = {M{\\"u}ller, Martin and {Zhang Song}},\n  year = {2001}\n}\n'
    assert listed(entry) == {("Muller", "2001"), ("Song", "2001")}


def test_keys_are_unique() -> None:
    keys = re.findall(r"^@\w+\{([^,]+),", BIBLIOGRAPHY, re.MULTILINE)
    assert len(keys) == len(set(keys)) > 50


@pytest.mark.parametrize(
    ("text", "works"),
    [
        ("// (Kawano\n// 1996), and", [("Kawano", "1996")]),
        ("# Kishimoto & Müller 2005", [("Muller", "2005")]),
        ("Breuker et al. 2001; Allis 1994", [("Breuker", "2001"), ("Allis", "1994")]),
        ("RFC 1951", []),
        ("in 1994 there were 2000 of them", []),
    ],
)
def test_citations_are_found(text: str, works: list[Work]) -> None:
    assert list(cited(text)) == works
