"""The README tells the truth: its commands and its Python are run, and what they print compared.

Blocks run in order, in one empty folder. A `console` block has commands after `$ `, with what they
print below; where nothing is shown, nothing is compared. A `python` block is a session with `>>>`,
or a file to be written if it starts with `# file: NAME`. `[...]` stands for anything, and times are
left out of the comparison; counts are not, because they are the same on every machine.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

README = Path(__file__).parent.parent / "README.md"
BLOCK = re.compile(r"^```(console|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"# file: (\S+)\n")
ANYTHING = "[...]"
VARYING = [r"[\d.]+ s of CPU(, [\d,]+ nodes/s)?"]
ANSWERS = (0, 1, 4)
"""Exit codes of commands that worked; an error must be shown together with its exit code."""


@dataclass(frozen=True)
class Step:
    """A command and what the README says it prints."""

    command: str
    expected: str


def steps(block: str) -> Iterator[Step]:
    """The steps of a console block; lines up to the end of a here-document are one command."""
    command, expected, until = "", "", ""
    for line in block.splitlines(keepends=True):
        if until:
            command += line
            until = "" if line.strip() == until else until
        elif line.startswith("$ "):
            if command:
                yield Step(command, expected)
            command, expected = line[2:], ""
            here = re.search(r"<<'(\w+)'", line)
            until = here[1] if here else ""
        else:
            expected += line
    yield Step(command, expected)


def plain(text: str) -> str:
    """The text without what may vary: the width of lines, and times."""
    text = " ".join(text.split())
    for pattern in VARYING:
        text = re.sub(pattern, "...", text)
    return text


def agrees(expected: str, printed: str) -> bool:
    parts = (re.escape(plain(part)) for part in expected.split(ANYTHING))
    return re.fullmatch(r"\s*.*?\s*".join(parts), plain(printed)) is not None


def run_console(block: str) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for step in steps(block):
        ran = subprocess.run(
            ["bash", "-c", step.command],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            env=os.environ | {"PATH": path, "COLUMNS": "100"},
        )
        assert ran.returncode in ANSWERS, f"{step.command}{ran.stdout}"
        if step.expected.strip():
            shown = f"$ {step.command}{ran.stdout}\nREADME:\n{step.expected}"
            assert agrees(step.expected, ran.stdout), shown


def run_python(block: str, names: dict[str, Any], line: int) -> None:
    file = FILE.match(block)
    if file:
        Path(file[1]).write_text(block, encoding="utf-8")
        exec(compile(block, file[1], "exec"), names)
        return
    session = doctest.DocTestParser().get_doctest(block, names, README.name, str(README), line)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    said: list[str] = []
    runner.run(session, out=said.append, clear_globs=False)
    names.update(session.globs)
    assert not runner.failures, "".join(said)
    assert session.examples, f"a python block without '>>>' and without a name: {block}"


def test_readme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = README.read_text(encoding="utf-8")
    names: dict[str, Any] = {"__name__": "readme"}
    blocks = list(BLOCK.finditer(text))
    assert len(blocks) >= 10
    for block in blocks:
        if block[1] == "console":
            run_console(block[2])
        else:
            run_python(block[2], names, text.count("\n", 0, block.start()))


def test_links_of_the_readme() -> None:
    targets = re.findall(r"\]\(([^)#:]+)\)", README.read_text(encoding="utf-8"))
    assert targets
    assert [target for target in targets if not (README.parent / target).exists()] == []


def test_own_game_fits_a_page() -> None:
    game = next(block[2] for block in BLOCK.finditer(README.read_text()) if FILE.match(block[2]))
    assert game.count("\n") < 40


@pytest.mark.parametrize(
    ("expected", "printed", "same"),
    [
        ("a  b\n", "a b", True),
        ("a b", "a c", False),
        ("a [...] c", "a b b c", True),
        ("a [...]", "b a c", False),
        ("value [...]\nsearch dfpn: 1 nodes, 2 expansions, 3 moves, 0.1 s of CPU", "value x\n"
         "search dfpn: 1 nodes, 2 expansions, 3 moves,\n  3.25 s of CPU, 1,000 nodes/s", True),
        ("dfpn: 1 nodes, 0.1 s of CPU", "dfpn: 2 nodes, 0.1 s of CPU", False),
        ("table of 64 entries, 5.0% used", "table of 64 entries, 5.1% used", False),
        ("...", "abc", False),
    ],
)  # fmt: skip
def test_comparison(expected: str, printed: str, same: bool) -> None:
    assert agrees(expected, printed) is same
