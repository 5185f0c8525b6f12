"""Plans of studies: what is read from TOML, and what is refused, with its place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from andorra.errors import OptionError, PlanError
from andorra.study import reading, trying
from andorra.study.plan import Limits, Plan
from measure_kit import MIB
from study_kit import SMALL, WON, written

HEAD = """title = "x"
[limits]
seconds = 1
[solvers]
dfpn = {}
pns = { form = "tree" }
"""
PROBLEM = """
[[problems]]
game = "mnk:3,3,3"
"""


def read(folder: Path, text: str, **limits: Any) -> Plan:
    return reading.read(written(folder, text, "plan.toml"), **limits)


def test_a_plan(tmp_path: Path) -> None:
    plan = read(tmp_path, SMALL)
    assert plan.title == "A small study"
    assert [solver.name for solver in plan.solvers] == ["dfpn", "pns", "df-pn, 1+e"]
    assert plan.solvers[2].options == {"epsilon": "0.5"}
    assert plan.solvers[2].algorithm == "dfpn"
    assert plan.solvers[0].limits == Limits(None, 20000, MIB)
    assert not plan.certificates
    won, value, four = plan.problems
    assert (won.name, won.position, won.question, won.known) == ("won", WON, "win:first", "proven")
    assert (value.name, value.family) == ("mnk:3,3,3 value", "mnk")
    assert value.position == ".../.../..."
    assert four.solvers == ("dfpn", "df-pn, 1+e")
    assert [(s.name, p.name) for s, p in plan.runs()] == [
        ("dfpn", "won"), ("pns", "won"), ("df-pn, 1+e", "won"),
        ("dfpn", "mnk:3,3,3 value"), ("pns", "mnk:3,3,3 value"), ("df-pn, 1+e", "mnk:3,3,3 value"),
        ("dfpn", "connect4:4x4 win:first"), ("df-pn, 1+e", "connect4:4x4 win:first"),
    ]  # fmt: skip


def test_a_plan_survives_json(tmp_path: Path) -> None:
    import json

    plan = read(tmp_path, SMALL)
    again = Plan.from_json(json.loads(json.dumps(plan.to_json())))
    assert again == plan
    assert plan.difference(again) == ""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("nodes = 20000", "nodes = 7", "solver 'dfpn': limits is {"),
        ("epsilon = 0.5", "epsilon = 0.25", "solver 'df-pn, 1+e': options is {'epsilon': '0.5'}"),
        ("pns = {}\n", "", "'pns' is only there"),
        ('name = "won"', 'name = "lost"', "is only "),
        ("certificates = false", "", "certificates is False there, True here"),
    ],
)
def test_what_differs(tmp_path: Path, old: str, new: str, said: str) -> None:
    plan = read(tmp_path, SMALL)
    other = read(tmp_path, SMALL.replace(old, new).replace('without = ["pns"]', ""))
    base = read(tmp_path, SMALL.replace('without = ["pns"]', ""))
    assert plan.difference(plan) == ""
    assert said in other.difference(base)


def test_limits_of_the_caller_replace_those_of_the_plan(tmp_path: Path) -> None:
    text = HEAD.replace("pns = {", 'pns = { memory = "2MiB", seconds = 3,') + PROBLEM
    dfpn, pns = read(tmp_path, text, seconds=5.0, nodes=9, memory="4MiB").solvers
    assert dfpn.limits == Limits(5.0, 9, 4 * MIB)
    assert pns.limits == Limits(3, 9, 2 * MIB)
    with pytest.raises(OptionError, match="seconds=-1"):
        read(tmp_path, text, seconds=-1)


def test_families_of_a_solver(tmp_path: Path) -> None:
    text = HEAD.replace('"tree"', '"tree", not_on = ["hex"]').replace(
        "dfpn = {}", 'dfpn = { on = ["hex", "toll"] }'
    )
    more = '\n[[problems]]\ngame = "hex:2"\n[[problems]]\ngame = "toll"\nfamily = "other"\n'
    found = {
        problem.family: problem.solvers
        for problem in read(tmp_path, text + PROBLEM + more).problems
    }
    assert found == {"mnk": ("pns",), "hex": ("dfpn",), "other": ("pns",)}


def test_several_positions(tmp_path: Path) -> None:
    text = (
        f'{HEAD}[[problems]]\nname = "p"\ngame = "mnk:3,3,3"\npositions = ["{WON}", "x../.../..."]'
    )
    assert [problem.name for problem in read(tmp_path, text).problems] == ["p 1", "p 2"]


def test_positions_of_a_file(tmp_path: Path) -> None:
    lines = f"# a comment\n{WON}  # the first (easy); known\n\nx../.../...\n.x./.../...# three\n"
    (tmp_path / "some.txt").write_text(lines, encoding="utf-8")
    text = f'{HEAD}[[problems]]\ngame = "mnk:3,3,3"\nfile = "some.txt"\n'
    names = ["the first", "some 2", "three"]
    assert [problem.name for problem in read(tmp_path, text).problems] == names
    picked = read(tmp_path, text + "pick = [3, 1]").problems
    assert [problem.name for problem in picked] == ["three", "the first"]


def test_data_that_is_not_there_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f'{HEAD}{PROBLEM}[[problems]]\ngame = "mnk:3,3,3"\ndata = "sets/some.txt"\n'
    monkeypatch.delenv("ANDORRA_DATA", raising=False)
    plan = read(tmp_path, text)
    assert len(plan.problems) == 1
    assert plan.left_out == ("plan.toml:10: 'sets/some.txt' is not in the folder ANDORRA_DATA",)
    (tmp_path / "sets").mkdir()
    (tmp_path / "sets" / "some.txt").write_text(f"{WON} # it\n", encoding="utf-8")
    monkeypatch.setenv("ANDORRA_DATA", str(tmp_path))
    plan = read(tmp_path, text)
    assert [problem.name for problem in plan.problems] == ["mnk:3,3,3 win:first", "it"]
    assert plan.left_out == ()


def test_the_default_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANDORRA_DATA", raising=False)
    plan = reading.read(reading.DEFAULT)
    assert len(plan.problems) >= 25
    assert len({problem.family for problem in plan.problems}) >= 6
    assert len(plan.left_out) == 2
    assert plan.solvers[0].name == "dfpn"
    assert plan.certificates
    assert all(solver.limits.seconds == 10 for solver in plan.solvers)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("\ntitle = ?", ["plan.toml: this is no TOML", "line 2"]),
        ('titel = "x"', ["plan.toml:1: there is no 'titel' here; did you mean 'title'?"]),
        (HEAD, ["there are no problems: expected tables [[problems]]"]),
        ("[limits]\nseconds = 1\n" + PROBLEM, ["there are no solvers", "[solvers]"]),
        (
            HEAD.replace("seconds = 1", "") + PROBLEM,
            ["plan.toml:5: solver 'dfpn': its runs may never end: expected 'seconds' or 'nodes'"],
        ),
        (
            HEAD.replace("seconds = 1", 'seconds = "1"') + PROBLEM,
            ["plan.toml:3: [limits]: seconds='1': expected a positive"],
        ),
        (HEAD.replace("seconds = 1", "seconds = true") + PROBLEM, ["[limits]", "no limits"]),
        (
            HEAD.replace("seconds = 1", "seconds = 1\nmemry = 3") + PROBLEM,
            ["plan.toml:4: [limits]: there is no 'memry' here; did you mean 'memory'?"],
        ),
        (
            HEAD.replace("seconds = 1", 'seconds = 1\nmemory = "lots"') + PROBLEM,
            ["[limits]", "'lots'", "'512MiB'"],
        ),
        (
            HEAD.replace("seconds = 1", 'seconds = 1\ncertificates = "yes"') + PROBLEM,
            ['plan.toml:4: [limits]: certificates = "yes": expected true or false'],
        ),
        (
            HEAD + 'dfpm = {}\n' + PROBLEM,
            ["plan.toml:7: solver 'dfpm': there is no algorithm 'dfpm'; did you mean 'dfpn'?"],
        ),
        (
            HEAD + 'other = { algorithm = "pns", frm = "tree" }\n' + PROBLEM,
            ["plan.toml:7: solver 'other': there is no option 'frm'; did you mean 'form'?"],
        ),
        (
            HEAD + 'other = { algorithm = "pns", epsilon = 1 }\n' + PROBLEM,
            ["solver 'other': the algorithm pns has no option 'epsilon'; dfpn"],
        ),
        (
            HEAD + 'other = { algorithm = "dfpn", epsilon = [1, 2] }\n' + PROBLEM,
            ["plan.toml:7: solver 'other': epsilon = [1, 2]: expected a word, a number"],
        ),
        (
            HEAD + 'other = { algorithm = "dfpn", epsilon = 99 }\n' + PROBLEM,
            ["mnk:3,3,3: solver 'other'", "epsilon", "99"],
        ),
        (
            HEAD + 'other = { algorithm = "pns", form = "tree" }\n' + PROBLEM,
            ["plan.toml:7: solver 'other': it is the same as solver 'pns'"],
        ),
        (HEAD + "other = 3\n" + PROBLEM, ["plan.toml:7: solver 'other': this is 3, expected a t"]),
        (HEAD + "dfpn = {}\n" + PROBLEM, ["this is no TOML", "line 7"]),
        (HEAD + '[[problems]]\nname = "x"', ["plan.toml:7: problem 1: game is missing"]),
        (HEAD + '[[problems]]\ngame = "mnkk"', ["plan.toml:7: mnkk: ", "'mnkk'"]),
        (
            HEAD + '[[problems]]\ngame = "mnk:3,3,3"\nposition = "xx?/oo./..."',
            ["plan.toml:7: mnk:3,3,3: ", "\n  xx?/oo./...\n    ^"],
        ),
        (
            HEAD + PROBLEM + 'question = "wim"',
            ['plan.toml:10: problem 1: question = "wim": expected \'win\', \'win:first\''],
        ),
        (HEAD + PROBLEM + 'question = "shortest"', ['question = "shortest": expected']),
        (HEAD + PROBLEM + "question = 3", ["question = 3: expected a text"]),
        (HEAD + PROBLEM + 'known = "won"', ['known = "won": expected proven or disproven']),
        (
            HEAD + PROBLEM + 'question = "value"\nknown = "proven"',
            ['plan.toml:11: problem 1: known = "proven": expected win or draw or loss'],
        ),
        (
            HEAD + PROBLEM + 'solvers = ["dfpn", "pms"]',
            ["plan.toml:10: problem 1: solvers: there is no solver 'pms'; did you mean 'pns'?"],
        ),
        (HEAD + PROBLEM + 'solvers = "dfpn"', ['solvers = "dfpn": expected a list of texts']),
        (
            HEAD + PROBLEM + 'without = ["pns", "pns"]',
            ['plan.toml:10: problem 1: without: "pns" is there twice'],
        ),
        (HEAD + PROBLEM + 'without = ["pns", "dfpn"]', ["problem 1: no solver is left for it"]),
        (
            HEAD + PROBLEM + 'without = ["pns"]\nsolvers = ["dfpn"]',
            ["'solvers' and 'without' exclude each other"],
        ),
        (
            HEAD + PROBLEM + f'position = "{WON}"\nfile = "x"',
            ["'position' and 'file' exclude each other"],
        ),
        (HEAD + PROBLEM + "pick = [1]", ["plan.toml:10: problem 1: 'pick' goes with 'file' or"]),
        (HEAD + PROBLEM + 'file = "none.txt"', ['file = "none.txt": expected a file'] ),
        (
            HEAD + PROBLEM + PROBLEM,
            ["plan.toml:11: this question is there already, at plan.toml:8"],
        ),
        (
            HEAD + PROBLEM + f'name = "a"\n{PROBLEM}name = "a"\nposition = "{WON}"',
            ["plan.toml:12: the name 'a' is there already, at plan.toml:8"],
        ),
        (
            HEAD + "wild = { algorithm = 'pns', form = 'merge' }\n[[problems]]\ngame = 'loa:3'",
            ["plan.toml:8: loa:3: solver 'wild': ", "unsafe=true"],
        ),
    ],
)  # fmt: skip
def test_faults(tmp_path: Path, text: str, parts: list[str]) -> None:
    with pytest.raises(PlanError) as error:
        read(tmp_path, text)
    assert [part for part in parts if part not in str(error.value)] == [], str(error.value)


def test_a_number_that_the_file_does_not_have(tmp_path: Path) -> None:
    (tmp_path / "some.txt").write_text(WON, encoding="utf-8")
    with pytest.raises(PlanError, match=r"pick: 2: 'some\.txt' has 1 position"):
        read(tmp_path, f'{HEAD}{PROBLEM}file = "some.txt"\npick = [2]')


def test_memory_that_the_machine_does_not_give(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def solve(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(trying, "solve", solve)
    with pytest.raises(PlanError, match=r"plan\.toml:8: mnk:3,3,3: solver 'dfpn': .* give 1GiB"):
        read(tmp_path, HEAD + PROBLEM)


def test_a_plan_of_inline_tables(tmp_path: Path) -> None:
    text = 'problems = [\n  { game = "mnk:3,3,3" },\n  { game = "mnk:3,3,3", known = "no" },\n]\n'
    with pytest.raises(PlanError, match=r"plan.toml:3: problem 2: known"):
        read(tmp_path, text + HEAD)
