"""Settings compared: which are run, what runs add up to, disagreements, output, processes."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import andorra
from andorra import Comparison, OptionError, RuleError, Run, Setting, measure
from andorra.asking import defaults_of
from andorra.cli.main import main
from andorra.measure import Measured, Task
from andorra.options import option_table
from andorra.rulebook.connect4 import Connect4
from andorra.setting import settings_by_name
from cli_kit import redirected
from measure_kit import MIB, Change, search_here, unchanged
from test_cli import NIM, start

WON = "xx./oo./..."
DRAWN = ".../.../..."
NEVER_SOLVED_SOON = "connect4:7x6"
MICROCOSMOS = (
    "g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1"
)
PLAIN = Setting.make("dfpn", "1GiB", {})
PAGE = Path(__file__).parent.parent / "docs" / "command-line.md"


class Ran(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str


Compare = Callable[..., Ran]


@pytest.fixture
def compare(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Compare:
    """Runs `andorra compare` in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")

    def command(*arguments: str) -> Ran:
        capfd.readouterr()
        code = main(["compare", *arguments])
        return Ran(code, *capfd.readouterr())

    return command


def lying_if(name: str, value: str) -> Change:
    """Proven and disproven exchanged where the option has this value."""
    other = {"proven": "disproven", "disproven": "proven"}

    def change(task: Task, measured: Measured) -> Measured:
        result = measured.result
        if result is None or task.arguments.get(name) != value:
            return measured
        verdict: Any = other.get(result.verdict, result.verdict)
        return replace(measured, result=replace(result, verdict=verdict))

    return change


# Which settings are run


def names(vary: dict[str, Any], *whole: dict[str, object], **more: Any) -> list[str]:
    return list(settings_by_name(more.pop("baseline", PLAIN), vary, whole, **more))


def test_one_change_at_a_time() -> None:
    assert names({"gc_fraction": ["0.1", "0.9"], "memory": ["1MiB"]}) == [
        "baseline", "gc_fraction=0.1", "gc_fraction=0.9", "memory=1MiB",
    ]  # fmt: skip


def test_cross_product() -> None:
    assert names({"algorithm": ["dfpn", "pns"], "gc_fraction": [0.3, 0.5]}, cross=True) == [
        "baseline", "gc_fraction=0.5", "algorithm=pns", "algorithm=pns gc_fraction=0.5",
    ]  # fmt: skip
    assert names({"rise": [1, 2], "gc_fraction": [0.5]}, cross=True) == [
        "baseline", "gc_fraction=0.5 rise=1", "gc_fraction=0.5 rise=2",
    ]  # fmt: skip


@pytest.mark.parametrize("option", andorra.algorithms()["dfpn"].options, ids=lambda row: row.name)
def test_a_default_is_not_run_twice(option: andorra.OptionInfo) -> None:
    assert names({option.name: [option.default]}) == ["baseline"]


@pytest.mark.parametrize(
    "vary",
    [
        {"gc_fraction": ["0.30", 0.3]},
        {"memory": ["1024MiB", 1 << 30, "1g"]},
        {"algorithm": ["dfpn"]},
        {"algorithm": "dfpn"},
    ],
)
def test_other_spellings_are_not_run_twice(vary: dict[str, Any]) -> None:
    assert names(vary) == ["baseline"]


def test_two_spellings_of_a_change_are_one_setting() -> None:
    assert names({"gc_fraction": ["0.5", "0.50"]}) == ["baseline", "gc_fraction=0.5"]


def test_the_default_is_a_change_if_the_baseline_differs() -> None:
    baseline = Setting.make("dfpn", "1GiB", {"gc_fraction": 0.5})
    assert names({"gc_fraction": [0.3, 0.5]}, baseline=baseline) == ["baseline", "gc_fraction=0.3"]
    made = settings_by_name(baseline, {"rise": [7]})["rise=7"]
    assert made.options == {"gc_fraction": "0.5", "rise": "7"}


def test_a_whole_setting_has_its_own_options_alone() -> None:
    baseline = Setting.make("dfpn", "64MiB", {"rise": 9, "gc_fraction": 0.5})
    made = settings_by_name(baseline, {}, [{"algorithm": "pns", "form": "tree"}])
    name = "algorithm=pns gc_fraction=0.3 form=tree"
    assert made == {"baseline": baseline, name: Setting("pns", 64 * MIB, {"form": "tree"})}


def own_names(vary: dict[str, Any], **more: Any) -> list[str]:
    """Of settings on shogi problems, for which the game has defaults of its own."""
    return names(vary, own=defaults_of("tsume"), **more)


@pytest.mark.parametrize("name", andorra.games()["tsume"].defaults)
def test_a_default_of_the_game_is_not_run_twice(name: str) -> None:
    by_game, by_table = andorra.games()["tsume"].defaults[name], option_table()[name].default
    assert own_names({name: [by_game, by_table]}) == ["baseline", f"{name}={by_table}"]
    spelled_out = Setting.make("dfpn", "1GiB", {name: by_table})
    found = own_names({name: [by_game, by_table]}, baseline=spelled_out)
    assert found == ["baseline", f"{name}={by_game}"]


def test_a_default_of_the_game_gives_way_to_what_excludes_it() -> None:
    assert own_names({"backup": ["weak"]}) == ["baseline", "double_count=off backup=weak"]


def test_defaults_of_the_game_are_no_change_of_another_algorithm() -> None:
    pns = Setting.make("pns", "1GiB", {})
    assert own_names({"algorithm": ["dfpn"]}, baseline=pns) == ["baseline", "algorithm=dfpn"]


def test_the_default_of_the_table_is_run_where_the_game_has_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    search_here(monkeypatch, unchanged)
    limits: dict[str, Any] = {"memory": "16MiB", "nodes": 2000}
    found = andorra.compare("tsume", [MICROCOSMOS], vary={"epsilon": [0, 0.25]}, **limits)
    assert list(found.settings) == ["baseline", "epsilon=0"]
    by_game, by_table = (run.moves for run in found.runs)
    assert by_game != by_table


@pytest.mark.parametrize(
    ("vary", "whole", "cross", "parts"),
    [
        ({"form": ["tree"]}, [], False, ["dfpn has no option 'form'; pns, pn2, "]),
        ({}, [{"form": "tree"}], False, ["dfpn has no option 'form'; pns, pn2, "]),
        ({"gc_fractoin": [1]}, [], True, ["no option 'gc_fractoin'; did you mean 'gc_fraction'?"]),
        ({"algorithm": ["dfpm"]}, [], False, ["no algorithm 'dfpm'; did you mean 'dfpn'?"]),
        ({"memory": ["lots"]}, [], False, ["'lots'", "'512MiB'"]),
        (
            {"algorithm": ["dfpn", "pns"], "rise": [1, 2]}, [], True,
            ["impossible", "\n  algorithm=pns rise=1: the algorithm pns has no option 'rise'; dfpn",
             "\n  algorithm=pns rise=2: "],
        ),
        ({"algorithm": ["pns"], "rise": range(9)}, [], True, ["rise=3: ", "\n  and 5 more"]),
    ],
)  # fmt: skip
def test_impossible_settings(
    vary: dict[str, Any], whole: list[dict[str, object]], cross: bool, parts: list[str]
) -> None:
    with pytest.raises(OptionError) as error:
        names(vary, *whole, cross=cross)
    assert [part for part in parts if part not in str(error.value)] == []
    assert "algorithm=dfpn rise" not in str(error.value)


# What runs add up to


def a_run(setting: str, number: int, nodes: int = 1, seconds: float = 1.0, **more: Any) -> Run:
    values: dict[str, Any] = {
        "setting": setting, "number": number, "position": f"p{number}", "question": "win:first",
        "verdict": "proven", "value": None, "limit": None, "nodes": nodes,
        "expansions": nodes // 2, "reexpansions": nodes // 4, "moves": nodes,
        "cpu_seconds": seconds, "wall_seconds": seconds / 2, "resident_memory": MIB,
    }  # fmt: skip
    return Run(**(values | more))


def compared(*runs: Run) -> Comparison:
    settings = dict.fromkeys(("baseline", *(run.setting for run in runs)), PLAIN)
    return Comparison(settings, list(runs))


MIXED = compared(
    a_run("baseline", 1, 100, 1.0),
    a_run("baseline", 2, 1000, 4.0, resident_memory=9 * MIB),
    a_run("baseline", 3, 70, 0.5, verdict="unknown", limit="nodes"),
    a_run("baseline", 4, 10, 0.0),
    a_run("other", 4, 20, 0.0),
    a_run("other", 3, 5000, 9.0),
    a_run("other", 2, 8000, 1.0),
    a_run("other", 1, 50, 2.0),
    a_run("third", 1, 1, 0.1),
    a_run("third", 2, 1, 0.1),
    a_run("third", 3, 1, 0.1),
    a_run("third", 4, 1, 0.1, verdict="unknown", limit="seconds"),
)


def test_the_common_positions_are_those_that_all_settings_answered() -> None:
    assert MIXED.common == {1, 2}
    assert [each.common_positions for each in MIXED.summaries] == [2, 2, 2]


def test_sums() -> None:
    baseline, other, third = MIXED.summaries
    assert (baseline.runs, baseline.answered) == (4, 3)
    assert (other.runs, other.answered) == (4, 4)
    assert (baseline.nodes, baseline.expansions, baseline.reexpansions) == (1180, 590, 294)
    assert (baseline.cpu_seconds, baseline.resident_memory) == (5.5, 9 * MIB)
    assert (baseline.common_nodes, baseline.common_cpu_seconds) == (1100, 5.0)
    assert (other.nodes, other.common_nodes) == (13070, 8050)
    assert (other.cpu_seconds, other.common_cpu_seconds) == (12.0, 3.0)
    assert (other.wall_seconds, other.common_wall_seconds) == (6.0, 1.5)
    assert third.common_nodes == 2


def test_ratios_are_geometric_means_on_the_common_positions() -> None:
    baseline, other, _ = MIXED.summaries
    assert (baseline.nodes_ratio, baseline.cpu_ratio) == (1.0, 1.0)
    assert other.nodes_ratio == pytest.approx(math.sqrt(50 / 100 * 8000 / 1000))
    assert other.cpu_ratio == pytest.approx(math.sqrt(2 / 1 * 1 / 4))


def test_threads_show_their_gain_and_their_overhead() -> None:
    """Twice as fast by the clock, a tenth more visits, about the same time of all processors."""
    one = a_run("baseline", 1, 1000, 4.0, wall_seconds=4.0)
    (_, two) = compared(one, a_run("threads=2", 1, 1100, 4.2, wall_seconds=2.0)).summaries
    assert two.nodes_ratio == pytest.approx(1.1)
    assert two.wall_ratio == pytest.approx(0.5)
    assert two.cpu_ratio == pytest.approx(1.05)


def test_ratios_of_nothing() -> None:
    unknown = a_run("other", 1, verdict="unknown", limit="nodes")
    summary = compared(a_run("baseline", 1), unknown).summaries[1]
    assert (summary.common_positions, summary.nodes_ratio, summary.cpu_ratio) == (0, None, None)
    ended = compared(a_run("baseline", 1, 0, 0.0), a_run("other", 1, 0, 0.0)).summaries[1]
    assert (ended.nodes_ratio, ended.cpu_ratio) == (1.0, 1.0)


def test_a_position_without_all_runs_is_not_common() -> None:
    half = compared(a_run("baseline", 1), a_run("other", 1), a_run("baseline", 2))
    assert half.common == {1}


def test_disagreements() -> None:
    comparison = compared(
        a_run("baseline", 1), a_run("other", 1), a_run("third", 1, verdict="unknown"),
        a_run("baseline", 2), a_run("other", 2, verdict="disproven"), a_run("third", 2),
        a_run("baseline", 3, verdict="unknown"), a_run("other", 3, verdict="disproven"),
    )  # fmt: skip
    (found,) = comparison.disagreements
    assert found.number == 2
    assert found.answers == {"baseline": "proven", "other": "disproven", "third": "proven"}
    assert [each.disagreements for each in comparison.summaries] == [1, 1, 1]


def test_values_disagree_though_verdicts_agree() -> None:
    drawn, lost = (
        a_run(name, 1, question="value", verdict="disproven", value=value)
        for name, value in (("baseline", "draw"), ("other", "loss"))
    )
    (found,) = compared(drawn, lost).disagreements
    assert found.answers == {"baseline": "draw", "other": "loss"}


# Real runs


def test_a_real_comparison(compare: Compare) -> None:
    ran = compare("connect4:4x4", "--vary", "gc_fraction=0.1,0.9", "--memory", "64MiB")
    assert (ran.code, ran.err) == (0, "")
    counts = andorra.solve("connect4:4x4", memory="64MiB").statistics
    shown = [f"{counts[name]:,}" for name in ("nodes", "expansions", "reexpansions")]
    for name in ("baseline", "gc_fraction=0.1", "gc_fraction=0.9"):
        row = next(line.split() for line in ran.out.splitlines() if line.startswith(name))
        assert row[1:7] == ["1", "of", "1", *shown]
        assert (row[10], row[13]) == (shown[0], "1.000")
    assert "connect4:4x4, 1 position, win:first\n" in ran.out
    assert "1 position that all settings answered" in ran.out


def test_peak_memory_is_the_run_s_own() -> None:
    settings = [{"memory": "64MiB"}, {"memory": "1MiB"}]
    comparison = andorra.compare(NEVER_SOLVED_SOON, settings=settings, nodes=1_000_000)
    full, tiny = (comparison.runs_of(name)[0] for name in ("memory=64MiB", "memory=1MiB"))
    assert (full.limit, tiny.limit, full.nodes) == ("nodes", "nodes", 1_000_000)
    assert 0 < tiny.resident_memory < 64 * MIB
    assert full.resident_memory > tiny.resident_memory + 24 * MIB


def test_peak_memory_is_not_the_parent_s() -> None:
    ballast = bytearray(b"x" * (300 * MIB))
    (run,) = andorra.compare("mnk:3,3,3", [WON]).runs
    assert 0 < run.resident_memory < 100 * MIB
    assert len(ballast) == 300 * MIB


def test_jobs_change_no_figure(compare: Compare) -> None:
    arguments = ["mnk:3,3,3", WON, DRAWN, "--vary", "algorithm=pns,fixpoint", "--json"]
    counted = []
    for jobs in ("1", "3"):
        runs = [json.loads(line) for line in compare(*arguments, "--jobs", jobs).out.splitlines()]
        found = {(r["setting"], r["number"], r["nodes"]) for r in runs if r["kind"] == "run"}
        counted.append(found)
    assert counted[0] == counted[1]
    assert len(counted[0]) == 6


def test_progress_of_the_api() -> None:
    told: list[tuple[str, int, int]] = []
    andorra.compare(
        "mnk:3,3,3",
        [WON, DRAWN],
        vary={"algorithm": ["pns"]},
        progress=lambda run, done, total: told.append((run.setting, done, total)),
    )
    assert [name for name, _, _ in told] == ["baseline", "algorithm=pns"] * 2
    assert [(done, total) for _, done, total in told] == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_limits_of_the_api() -> None:
    with pytest.raises(OptionError, match="jobs=0"):
        andorra.compare("mnk:3,3,3", jobs=0)
    with pytest.raises(OptionError, match="nodes=0"):
        andorra.compare("mnk:3,3,3", nodes=0)


# Games of one's own


class Importable(Connect4):
    """The core does not know this one."""


def test_a_game_of_one_s_own() -> None:
    comparison = andorra.compare(Importable("4x3"), vary={"algorithm": ["pns"]})
    assert [run.verdict for run in comparison.runs] == ["disproven"] * 2


def test_a_game_that_cannot_be_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RuleError, match="cannot be sent to a fresh process"):
        andorra.compare(lambda: Importable("4x3"))
    monkeypatch.setattr(Importable, "__module__", "__main__")
    with pytest.raises(RuleError, match="Importable is defined in the script"):
        andorra.compare(Importable("4x3"))


def test_rules_option(compare: Compare, tmp_path: Path) -> None:
    noisy = NIM.replace("def moves(self, state): ", "def moves(self, state): print('hm'); ")
    (tmp_path / "mine.py").write_text(noisy)
    ran = compare("nim:8", "--rules", "mine.py:Nim", "--vary", "algorithm=pns", "--json")
    answers = [json.loads(line) for line in ran.out.splitlines() if line != "hm"]
    assert [answer.get("verdict") for answer in answers] == ["disproven", "disproven", None, None]
    assert (ran.code, answers[0]["game"]) == (0, "nim:8")


FAILING = """
import os

class Failing(Nim):
    def play(self, state, move):
        if os.path.exists("now") and state[0] < 4: {happens}
        return super().play(state, move)
"""


@pytest.mark.parametrize(
    ("happens", "part"),
    [("raise ZeroDivisionError('oh')", "ZeroDivisionError"), ("os.kill(os.getpid(), 9)", "-9")],
)
def test_a_run_that_fails_is_unknown(
    compare: Compare, tmp_path: Path, happens: str, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "failing.py").write_text(NIM + FAILING.format(happens=happens))
    monkeypatch.setattr(measure, "measure_all", _touching(measure.measure_all, tmp_path / "now"))
    ran = compare("nim:8", "--rules", "failing.py:Failing", "--vary", "algorithm=pns")
    assert ran.code == 3
    assert "error: baseline on " in ran.err
    assert part in ran.err
    assert re.search(r"^baseline +0 of 1 ", ran.out, re.MULTILINE)


def _touching(measure_all: Callable[..., Any], path: Path) -> Callable[..., Any]:
    def touch(*arguments: Any) -> Any:
        path.touch()
        return measure_all(*arguments)

    return touch


# Disagreements and exit codes on the command line


def test_a_disagreement_comes_first(compare: Compare, monkeypatch: pytest.MonkeyPatch) -> None:
    search_here(monkeypatch, lying_if("rise", "9"))
    ran = compare("mnk:3,3,3", WON, DRAWN, "--vary", "rise=8,9", "--each")
    first, second, *_ = ran.out.splitlines()
    assert ran.code == 1
    assert first == (
        f"DISAGREEMENT on {WON!r}: win:first is proven according to baseline, rise=8; "
        "disproven according to rise=9"
    )
    assert second.startswith(f"DISAGREEMENT on {DRAWN!r}: win:first is disproven according to base")


@pytest.mark.parametrize("form", ["--json", "--csv"])
def test_a_disagreement_in_other_forms(
    compare: Compare, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, form: str
) -> None:
    search_here(monkeypatch, lying_if("rise", "9"))
    (tmp_path / "some.txt").write_text(f"# one\n{WON}\n")
    ran = compare("mnk:3,3,3", "some.txt", "--vary", "rise=9", form)
    assert ran.code == 1
    assert f"error: DISAGREEMENT on {WON!r} (some.txt:2): " in ran.err
    assert "DISAGREEMENT" not in ran.out


def test_a_disagreement_is_red_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, compare: Compare
) -> None:
    search_here(monkeypatch, lying_if("rise", "9"))
    monkeypatch.setattr("click.utils.should_strip_ansi", lambda *_: False)
    ran = compare("mnk:3,3,3", WON, "--vary", "rise=9")
    assert ran.out.startswith("\x1b[31m\x1b[1mDISAGREEMENT")


def test_unknown_disagrees_with_nothing(compare: Compare) -> None:
    ran = compare("mnk:4,4,4", "--nodes", "10", "--vary", "rise=9")
    assert ran.code == 4
    assert "DISAGREEMENT" not in ran.out
    assert re.search(r"^rise=9 +0 of 1 +10 .* - +- +- +-$", ran.out, re.MULTILINE)


def test_what_only_a_variant_leaves_open_is_a_finding(compare: Compare) -> None:
    ran = compare("mnk:4,4,3", "--nodes", "5000", "--vary", "algorithm=fixpoint")
    assert re.search(r"^baseline +1 of 1 ", ran.out, re.MULTILINE)
    assert re.search(r"^algorithm=fixpoint +0 of 1 ", ran.out, re.MULTILINE)
    assert ran.code == 0


@pytest.mark.parametrize(
    ("arguments", "code", "part"),
    [
        ([], 2, "nothing to compare"),
        (["--vary", "gc_fraction"], 2, "--vary 'gc_fraction': expected NAME=V1,V2"),
        (["--vary", "gc_fraction="], 2, "--vary 'gc_fraction=': expected NAME=V1,V2"),
        (["--vary", "gc_fraction=0.1,,0.2"], 2, "'gc_fraction=0.1,,0.2': expected NAME=V1,V2"),
        (["--vary", "=0.1"], 2, "--vary '=0.1'"),
        (["--vary", "gc_fraction=7"], 2, "'7' is not in 0.05..0.95"),
        (["--vary", "gc_fraction=much"], 2, "'much' is not in 0.05..0.95"),
        (["--vary", "gc_fractoin=0.1"], 2, "did you mean 'gc_fraction'?"),
        (["--vary", "algoritm=pns"], 2, "no option 'algoritm'; did you mean 'algorithm'?"),
        (["--setting", "memry=1MiB"], 2, "no option 'memry'; did you mean 'memory'?"),
        (["--vary", "ghi=paths,discrad"], 2, "option ghi: 'discrad' is not in off|discard"),
        (["--vary", "rise=1", "-o", "gc=both", "-o", "gc=replace"], 2, "gc=both and gc=replace"),
        (["--vary", "form=tree"], 2, "dfpn has no option 'form'; pns, pn2, "),
        (["--vary", "algorithm=dfpm"], 2, "did you mean 'dfpn'?"),
        (["--vary", "nodes=5"], 2, "'nodes' is the same for all settings; give --nodes"),
        (["--setting", ""], 2, "it is empty"),
        (["--setting", "rise"], 2, "expected NAME=VALUE"),
        (["--setting", "rise="], 2, "rise has no value"),
        (["--setting", "rise=1 rise=2"], 2, "a name is there twice"),
        (["--setting", "question=win"], 2, "'question' is the same for all settings"),
        (["--setting", "algorithm=pns rise=1"], 2, "pns has no option 'rise'"),
        (["--cross", "--vary", "algorithm=dfpn,pns", "--vary", "rise=1"], 2, "pns rise=1: the alg"),
        (["--vary", "rise=1", "--json", "--csv"], 2, "choose one"),
        (["--vary", "rise=1", "--json", "--each"], 2, "leave out --each"),
        (["--vary", "rise=1", "--jobs", "0"], 2, "--jobs"),
        (["--vary", "rise=1", "--question", "wins"], 2, "'wins'"),
        (["--vary", "rise=1", "--value", "--question", "win"], 2, "leave out --question"),
        (["--vary", "rise=1", "-o", "jobs=2"], 2, "no option 'jobs'"),
        (["--vary", "rise=1", "xx?/oo./..."], 3, "    ^\nnor is there a file"),
        (["--vary", "rise=1", "empty.txt"], 3, "no position in 'empty.txt'"),
    ],
)
def test_messages(
    compare: Compare, tmp_path: Path, arguments: list[str], code: int, part: str
) -> None:
    (tmp_path / "empty.txt").touch()
    ran = compare("mnk:3,3,3", *arguments)
    assert (ran.code, ran.out) == (code, "")
    assert ran.err.startswith("error: ")
    assert part in ran.err
    assert "Traceback" not in ran.err


# Positions


def test_positions_from_everywhere(
    compare: Compare, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched = search_here(monkeypatch, unchanged)
    (tmp_path / "some.txt").write_text(f"{WON}\n\noops\n{DRAWN}\n")
    (tmp_path / "xxo/...").mkdir(parents=True)
    (tmp_path / "xxo/.../...").write_text(DRAWN)
    ran = compare(
        "mnk:3,3,3", "x../.../...", "some.txt", "--position", "xxo/.../...", "--vary", "rise=9",
        "--json",
    )  # fmt: skip
    runs = [json.loads(line) for line in ran.out.splitlines()][: len(searched)]
    positions = ["x../.../...", WON, DRAWN, "xxo/.../..."]
    assert [run["position"] for run in runs] == [each for each in positions for _ in (1, 2)]
    assert [run["source"] for run in runs[::2]] == [None, "some.txt:1", "some.txt:4", None]
    assert "error: some.txt:3: expected" in ran.err
    assert ran.code == 3


def test_no_position_is_the_initial_one(compare: Compare, monkeypatch: pytest.MonkeyPatch) -> None:
    searched = search_here(monkeypatch, unchanged)
    assert compare("mnk:3,3,3", "--vary", "rise=9").code == 0
    assert [task.arguments["position"] for task in searched] == [None, None]


def test_a_graph_and_its_nodes(
    compare: Compare, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    search_here(monkeypatch, unchanged)
    (tmp_path / "g.txt").write_text("A: or B C\nB: and A D\nC: loss\nD: win\n")
    ran = compare(
        "graph", "g.txt", "--position", "D", "--position", "A", "--vary", "rise=9", "--json"
    )
    runs = [json.loads(line) for line in ran.out.splitlines()]
    assert [run.get("verdict") for run in runs[::2]] == ["proven", "disproven", None]
    assert "needs its file: andorra compare graph FILE" in compare("graph", "--vary", "rise=9").err


# Forms of output


def documented(kind: str) -> set[str]:
    """The keys in the columns of the page's table for `andorra compare`."""
    section = PAGE.read_text(encoding="utf-8").partition("\n## Comparing settings\n")[2]
    rows = re.findall(r"^\| (`[^|]+) \| ([^|]*) \|", section.partition("\n## ")[0], re.MULTILINE)
    return {
        key for keys, where in rows for key in re.findall(r"`([a-z_]+)`", keys) if kind in where
    }


def test_json(compare: Compare, monkeypatch: pytest.MonkeyPatch) -> None:
    search_here(monkeypatch, unchanged)
    arguments = ["mnk:3,3,3", WON, "--value", "-o", "rise=8", "--vary", "gc_fraction=0.5"]
    ran = compare(*arguments, "--memory", "64MiB", "--json")
    lines = [json.loads(line) for line in ran.out.splitlines()]
    assert (ran.code, ran.err) == (0, "")
    assert [line["kind"] for line in lines] == ["run", "run", "setting", "setting"]
    assert [line["setting"] for line in lines] == ["baseline", "gc_fraction=0.5"] * 2
    assert lines[1].keys() == documented("run")
    assert lines[3].keys() == documented("setting")
    expected = {
        "game": "mnk:3,3,3", "source": None, "number": 1, "position": WON, "question": "value",
        "verdict": "proven", "value": "win", "limit": None, "resident_memory": 50 * MIB,
        "memory": 64 * MIB, "algorithm": "dfpn", "options": {"rise": "8", "gc_fraction": "0.5"},
        "error": None,
    }  # fmt: skip
    assert {key: lines[1][key] for key in expected} == expected
    assert (lines[3]["answered"], lines[3]["runs"], lines[3]["common_positions"]) == (1, 1, 1)


def test_csv(compare: Compare, monkeypatch: pytest.MonkeyPatch) -> None:
    search_here(monkeypatch, unchanged)
    ran = compare("mnk:3,3,3", WON, DRAWN, "--setting", "rise=8 gc_fraction=0.5", "--csv")
    rows = list(csv.DictReader(io.StringIO(ran.out)))
    assert (ran.code, ran.err, len(rows)) == (0, "", 4)
    assert rows[0].keys() == documented("run") - {"kind"}
    assert rows[3]["game"] == "mnk:3,3,3"
    assert rows[3]["options"] == "rise=8 gc_fraction=0.5"
    assert (rows[3]["verdict"], rows[3]["limit"], rows[3]["unsound"]) == ("disproven", "", "false")


def test_each(compare: Compare, monkeypatch: pytest.MonkeyPatch) -> None:
    search_here(monkeypatch, unchanged)
    out = compare("mnk:3,3,3", WON, DRAWN, "--vary", "rise=9", "--each").out
    assert re.search(rf"^mnk:3,3,3: {WON}, win:first\nsetting .*\nbaseline +proven +1 ", out)
    assert len(re.findall(r"^rise=9 ", out, re.MULTILINE)) == 3


def test_a_narrow_terminal(compare: Compare, monkeypatch: pytest.MonkeyPatch) -> None:
    search_here(monkeypatch, unchanged)
    monkeypatch.setenv("COLUMNS", "80")
    out = compare("mnk:3,3,3", "--vary", "rise=9").out
    assert max(map(len, out.splitlines())) <= 80
    assert len(re.findall(r"^rise=9 ", out, re.MULTILINE)) == 2


# Ctrl-C


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_keeps_what_is_done(ending: signal.Signals, tmp_path: Path) -> None:
    path = tmp_path / "two.txt"
    path.write_text("11\n\n1\n")
    arguments = ["compare", "connect4:4x4", str(path), "--vary", "rise=9", "--json"]
    never = f"""
from andorra import measure
start = measure._start
def start_last_on_a_large_board(task, *more):
    last = task.arguments["position"] == "1" and "rise" in task.arguments
    changed = {{**task.arguments, "position": None}} if last else task.arguments
    return start(measure.Task({NEVER_SOLVED_SOON!r} if last else task.game, changed), *more)
measure._start = start_last_on_a_large_board
"""
    process = start(arguments, never)
    assert process.stdout is not None
    runs = [json.loads(process.stdout.readline()) for _ in range(3)]
    process.send_signal(ending)
    out, err = process.communicate()
    assert process.returncode == 4
    assert [(run["setting"], run["number"]) for run in runs] == [
        ("baseline", 1), ("rise=9", 1), ("baseline", 2),
    ]  # fmt: skip
    summaries = [json.loads(line) for line in out.splitlines()]
    assert [each["runs"] for each in summaries] == [2, 1]
    assert [each["common_positions"] for each in summaries] == [1, 1]
    assert err == "error: interrupted: 3 of 4 runs are done\n"


@pytest.mark.parametrize("ending", ["SIGINT", "SIGTERM"])
def test_ctrl_c_at_the_end_of_a_run(ending: str) -> None:
    before = f"""
import os
def wait4(*arguments):
    signal.raise_signal(signal.{ending})
os.wait4 = wait4
"""
    ran = redirected("", "compare", "mnk:3,3,3", WON, "--vary", "rise=9", before=before)
    assert ran.returncode == 4
    assert ran.stdout.endswith("interrupted: 0 of 2 runs are done\n")
    assert ran.stderr == ""


def test_a_run_ends_with_its_parent() -> None:
    code = (
        "from andorra import measure\n"
        f"child = measure._start(measure.Task({NEVER_SOLVED_SOON!r}, {{'memory': '1MiB'}}))\n"
        "print(child._popen.pid, flush=True)\n"
        "import os; os._exit(0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    state = Path(f"/proc/{done.stdout.strip()}/stat")
    for _ in range(600):
        if not state.exists() or state.read_text().rpartition(")")[2].split()[0] == "Z":
            return
        signal.sigtimedwait([], 0.1)
    pytest.fail("the run goes on")


def test_nothing_is_shown_of_progress_in_a_pipe(compare: Compare) -> None:
    assert compare("mnk:3,3,3", WON, "--vary", "rise=9").err == ""
