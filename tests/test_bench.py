"""The benchmarks' arithmetic and choices: no figure, but what figures are made of."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

import andorra
from andorra import Run, Setting
from andorra.setting import BASELINE
from bench_kit import (
    ROOT,
    agents,
    certificates,
    core_distance,
    cures,
    effects,
    hard,
    main,
    problems,
    report,
    section,
    small_tables,
    team_runs,
    teams,
)

GUESSES = "this game makes no guesses"


def run(nodes: int, seconds: float = 1.0, answered: bool = True, setting: str = "other") -> Run:
    return Run(
        setting=setting,
        number=1,
        position="",
        question="win:first",
        verdict="proven" if answered else "unknown",
        value=None,
        limit=None if answered else "nodes",
        nodes=nodes,
        expansions=0,
        reexpansions=0,
        moves=0,
        cpu_seconds=seconds,
        wall_seconds=seconds,
        resident_memory=0,
    )


def effect(own: list[Run], base: list[Run]) -> effects.Effect:
    found = effects.effects({BASELINE: base, "other": own})
    assert [each.setting for each in found] == [BASELINE, "other"]
    return found[1]


# ---- ratios ----


def test_ratios_are_geometric_means_of_what_both_answered() -> None:
    found = effect([run(20, 1.0), run(50, 4.0)], [run(10, 2.0), run(100, 2.0)])
    assert found.nodes_ratio == pytest.approx(1.0)
    assert found.cpu_ratio == pytest.approx(1.0)
    assert (found.nodes, found.cpu_seconds, found.answered) == (70, 5.0, 2)


def test_a_quick_failure_is_no_success() -> None:
    found = effect([run(10), run(1, answered=False)], [run(10), run(1000)])
    assert (found.answered, found.lost, found.gained) == (1, 1, 0)
    assert found.nodes_ratio == 1.0
    assert found.nodes_charged == pytest.approx(effects.CHARGE**0.5)


def test_a_slow_failure_is_charged_in_full() -> None:
    found = effect([run(4000, answered=False)], [run(10)])
    assert found.nodes_ratio is None
    assert found.nodes_charged == pytest.approx(400)


def test_an_answer_that_the_default_has_not_is_no_loss() -> None:
    found = effect([run(500)], [run(100, answered=False)])
    assert (found.lost, found.gained, found.nodes_charged) == (0, 1, 1.0)
    found = effect([run(50)], [run(100, answered=False)])
    assert found.nodes_charged == 0.5


def test_two_failures_say_nothing() -> None:
    found = effect([run(5, answered=False)], [run(100, answered=False)])
    assert (found.nodes_ratio, found.nodes_charged) == (None, 1.0)


def test_times_too_short_to_mean_anything_are_alike() -> None:
    assert effect([run(1, 1e-6)], [run(1, 1e-3)]).cpu_ratio == 1.0


def test_the_summary_counts_every_game_once() -> None:
    base = run(10, setting=BASELINE)
    many = {BASELINE: [base] * 3, "other": [run(20)] * 3}
    one = {BASELINE: [base], "other": [run(80)]}
    none = {BASELINE: [base]}
    found = {
        name: effects.effects(runs) for name, runs in zip("abc", (many, one, none), strict=True)
    }
    row = cures.summary_table(found).rows[1]
    assert (row["a"], row["b"], row["c"]) == ("2.00 / 1.00", "8.00 / 1.00", None)
    assert (row["mean"], row["answered"]) == ("4.00 / 1.00", "4 of 4")


# ---- settings and positions ----


def test_defaults_are_among_the_values_and_run_once() -> None:
    table = andorra.options.option_table()
    listed = {name: [str(value).lower() for value in own] for name, own in cures.VALUES.items()}
    assert {
        name: table[name].default for name in listed if table[name].default not in listed[name]
    } == {}
    changes = sum(len(own) - 1 for own in listed.values())
    assert len(cures.settings("connect4")) == 1 + changes + len(cures.COMBINATIONS)
    assert "backup=sum" in cures.settings("hex")
    assert "backup=weighted" not in cures.settings("hex")


@pytest.mark.parametrize("family", problems.families())
def test_settings_are_left_out_only_where_a_game_has_no_guesses(family: str) -> None:
    first = problems.families()[family][0]
    possible, left_out = cures.possible(first, cures.settings(first.game))
    assert BASELINE in possible
    assert [note for note in left_out if GUESSES not in note] == []


@pytest.mark.parametrize("family", problems.families())
def test_problems_can_be_asked(family: str) -> None:
    for each in problems.families()[family]:
        assert each.known in ("proven", "disproven")
        found = andorra.solve(each.game, each.position, each.question, nodes=1)
        assert found.verdict in ("unknown", each.known)


def test_every_family_has_both_verdicts() -> None:
    for listed in problems.families().values():
        assert {each.known for each in listed} == {"proven", "disproven"}


def test_small_tables_vary_every_way_to_forget() -> None:
    ways = andorra.options.option_table()["gc"].range.split("|")
    expected = [(epsilon, way) for epsilon in small_tables.EPSILONS for way in ways]
    assert [(each["epsilon"], each["gc"]) for each in small_tables.settings()] == expected


# ---- the whole way ----


def bench_run(tmp_path: Path) -> section.Run:
    workshop = certificates.Workshop(tmp_path)
    return section.Run(report.Report(), workshop, trusted_all=False, hex_map=False)


def test_measured_runs_every_setting_on_every_problem(tmp_path: Path) -> None:
    chosen = {
        name: setting
        for name, setting in cures.settings("connect4").items()
        if name in (BASELINE, "initial=game", "increment=2")
    }
    asked = [
        problems.Problem("cops:1", "win:first", "disproven", "0-1,0-3,1-2,2-3", "C4"),
        problems.Problem("cops:2", "win:first", "proven", "0-1,0-3,1-2,2-3", "C4"),
    ]
    made = bench_run(tmp_path)
    runs, notes, _ = cures.measured(made, asked, chosen)
    assert made.report.errors == []
    assert {name: [each.answer for each in own] for name, own in runs.items()} == {
        BASELINE: ["disproven", "proven"],
        "increment=2": ["disproven", "proven"],
    }
    assert "left out: initial=game" in notes[0]


def test_a_verdict_that_is_not_the_known_one_is_an_error(tmp_path: Path) -> None:
    wrong = problems.Problem("mnk:3,3,3", "win:first", "proven")
    made = bench_run(tmp_path)
    plain = {BASELINE: Setting.make("dfpn", cures.MEMORY, {})}
    cures.measured(made, [wrong], plain)
    assert made.report.errors[0] == (
        "cures: mnk:3,3,3 win:first, baseline: found 'disproven', known is 'proven'"
    )


def test_the_command_writes_its_page(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "bench", "small-tables", "--quick", "--pages", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "0 of 0 targets met; errors: 0")
    page = (tmp_path / "small-tables.md").read_text(encoding="utf-8")
    assert page.startswith(
        "# Df-pn in small tables\n\nMade by `python -m bench small-tables --quick`"
    )
    assert page.count("\n| 1/1000 |") == len(small_tables.settings())


def test_every_section_is_documented() -> None:
    page = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    for each in main.SECTIONS.values():
        assert f"| `{each.name}`{' (long)' if each.long else ''} |" in page


# ---- teams ----

SHORT_MATE = problems.Problem(
    "tsume", "win:first", "proven", "3gk4/9/4+P4/9/9/9/9/9/9 b 2G2r 1", "short"
)


def test_what_threads_gain() -> None:
    def runs(seconds: float, nodes: int, agents: list[dict[str, float]]) -> list[team_runs.Figures]:
        result = andorra.solve("mnk:3,3,3", memory="4MiB")
        counted = {"wall_seconds": seconds, "nodes": nodes, "agents": agents}
        one = replace(result, statistics=result.statistics | counted)
        return [team_runs.Figures.of(one, 30.0 * len(agents), timed=True)] * 3

    agent = {"seconds_waited": 0.25, "idle": 2}
    gain = teams.Gain.of(runs(10.0, 1000, []), runs(5.0, 1100, [agent, agent]))
    assert gain == teams.Gain(2.0, overhead=1.1, waited=0.05, idle=4, unanswered=0, apart=60)
    worse = replace(gain, speed_up=0.5, waited=0.15)
    both = teams.Gain.together([gain, worse])
    assert (both.speed_up, both.waited, both.idle) == pytest.approx((1.0, 0.1, 8))


def test_a_journal_knows_the_runs_that_were_made(tmp_path: Path) -> None:
    problem = hard.small()[0]
    runs = [team_runs.TeamRun(problem, {"nodes": 10}, number) for number in range(3)]
    with team_runs.Journal(tmp_path / "runs") as journal:
        first = team_runs.measured(runs[:2], journal)
        assert [journal.find(run) for run in runs] == [*first, None]
    with team_runs.Journal(tmp_path / "runs") as journal:
        assert [journal.find(run) for run in runs] == [*first, None]
        assert team_runs.measured(runs, journal)[:2] == first
    assert len((tmp_path / "runs").read_text(encoding="utf-8").splitlines()) == 3


def test_a_run_whose_time_counts_is_not_one_that_was_made_beside_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(team_runs, "REST_SECONDS", 0.0)
    run = team_runs.TeamRun(hard.small()[0], {"nodes": 10})
    with team_runs.Journal(tmp_path / "runs") as journal:
        team_runs.measured([run], journal)
    with team_runs.Journal(tmp_path / "runs") as journal:
        assert journal.find(run, timed=True) is None
        timed = team_runs.measured([run], journal, timed=True)
    with team_runs.Journal(tmp_path / "runs") as journal:
        assert [journal.find(run, timed=True), journal.find(run)] == timed * 2


def test_the_machine_rests_before_runs_that_are_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    rests: list[float] = []
    monkeypatch.setattr(time, "sleep", rests.append)
    runs = [team_runs.TeamRun(hard.small()[0], {"nodes": 10}, number) for number in range(3)]
    made = team_runs.measured(runs, None, jobs=2, timed=True)
    assert [each.verdict for each in made] == ["unknown"] * 3
    assert rests == [team_runs.REST_SECONDS] * 2  # before two at a time, and before the third
    team_runs.measured(runs[:1], None)
    assert len(rests) == 2


def test_runs_are_made_while_cores_are_near() -> None:
    apart = iter([180.0, 30.0, 170.0, 25.0, 40.0])  # brought together, runs, in vain; runs again
    done: list[str] = []
    runs = iter("ab")
    cores = core_distance.Cores(lambda: next(apart), lambda: done.append("together"))
    assert cores.when_near(lambda: next(runs), lambda: done.append("rest")) == ("b", 40.0)
    assert done == ["rest", "together", "rest"]
    assert next(apart, None) is None


def test_cores_that_cannot_be_brought_together_are_left_alone() -> None:
    tries: list[None] = []
    cores = core_distance.Cores(lambda: 150.0, lambda: tries.append(None))
    assert cores.when_near(lambda: "a") == ("a", 150.0)
    assert len(tries) == core_distance.PATIENCE + 1
    tries.clear()
    assert cores.when_near(lambda: "b") == ("b", 150.0)
    assert not tries


def test_the_distance_of_cores_can_be_measured() -> None:
    assert (core_distance.nanoseconds() > 0) == core_distance.has_both()
    core_distance.together()


def test_only_several_threads_wait_for_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(team_runs, "REST_SECONDS", 0.0)
    monkeypatch.setattr(core_distance, "HERE", core_distance.Cores(lambda: 20.0, lambda: None))
    settings: list[dict[str, int]] = [{"nodes": 10}, {"nodes": 10, "threads": 2}]
    runs = [team_runs.TeamRun(hard.small()[0], each) for each in settings]
    made = team_runs.measured(runs, None, timed=True)
    assert [each.apart for each in made] == [0.0, 20.0]


def test_searches_are_made_in_turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def count(_: object, runs: list[team_runs.TeamRun], **__: object) -> list[team_runs.Figures]:
        asked.extend(run.settings.get("scheduler", teams.ALONE) for run in runs)
        return [team_runs.Figures("proven", 1, 1.0, 1.0, 0.0, 0)] * len(runs)

    monkeypatch.setattr(teams, "checked", count)
    names = [teams.ALONE, "jobs"]
    runs = teams.rounds_of(bench_run(tmp_path), hard.small()[0], names, 3)
    assert {name: len(its) for name, its in runs.items()} == dict.fromkeys(names, 3)
    assert asked == names * 3


def test_runs_of_another_core_are_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "table.hpp").write_text("// slower\n", encoding="utf-8")
    run = team_runs.TeamRun(hard.small()[0], {"nodes": 10})
    with team_runs.Journal(tmp_path / "runs") as journal:
        team_runs.measured([run], journal)
    with team_runs.Journal(tmp_path / "runs") as journal:
        assert journal.find(run) is not None
        monkeypatch.setattr(team_runs, "CORE", tmp_path)
        assert journal.find(run) is None


def test_a_file_that_is_no_journal_stays(tmp_path: Path) -> None:
    file = tmp_path / "letter"
    file.write_text("dear reader\n", encoding="utf-8")
    with pytest.raises(andorra.AndorraError, match="line 1 is 'dear reader', expected an object"):
        team_runs.Journal(file)
    assert file.read_text(encoding="utf-8") == "dear reader\n"


def test_hard_problems_can_be_read() -> None:
    known = hard.for_threads()
    assert len(known) == (15 if "ANDORRA_DATA" in os.environ else 6)
    assert hard.problems() == known[:10]
    for problem in known:
        unknown = andorra.solve(problem.game, problem.position, problem.question, nodes=1)
        assert unknown.verdict == "unknown"


def test_a_mirror_image_is_the_same_problem() -> None:
    same, mirrored = hard.copies(SHORT_MATE)
    assert (same, mirrored.name) == (SHORT_MATE, "short, mirrored")
    assert mirrored.position == "4kg3/9/4+P4/9/9/9/9/9/9 b 2G2r 1"
    assert hard.copies(hard.small()[0]) == [hard.small()[0]]
    for each in (same, mirrored):
        assert andorra.solve(each.game, each.position, each.question).verdict == each.known


def test_only_problems_that_are_long_enough_count(tmp_path: Path) -> None:
    def taking(seconds: float) -> list[team_runs.Figures]:
        return [team_runs.Figures("proven", 1, seconds, seconds, 0.0, 0)]

    def searched(alone: float) -> tuple[problems.Problem, teams.Runs]:
        team = {name: taking(1.0) for name in teams.schedulers()}
        return hard.small()[0], {teams.ALONE: taking(alone), **team}

    table = teams.means(bench_run(tmp_path), [searched(40.0), searched(10.0), searched(9.0)])
    by_name = {row["scheduler"]: row for row in table.rows}
    assert [*by_name] == teams.schedulers()
    for row in table.rows:
        assert row["speed-up"] == pytest.approx(20)
        assert row["standard error"] == "69%"  # half of the logarithm of 4
    assert "not counted, under 10 s of one thread: connect4:5x4 win:first" in table.notes[-1]


def test_overhead_without_an_answer_is_a_lower_bound() -> None:
    (problem,) = hard.small()[:1]
    series = agents.Series("virtual", [problem], {}, {})
    made = {
        (problem, 1): team_runs.Figures("proven", 100, 1, 1, 0, 0),
        (problem, 2): team_runs.Figures("proven", 150, 1, 1, 0, 0),
        (problem, 4): team_runs.Figures("unknown", 400, 1, 1, 0, 0),
    }
    table = agents.overheads(series, [2, 4], made)
    assert [row["2 agents"] for row in table.rows] == ["1.50", "1.50"]
    assert [row["4 agents"] for row in table.rows] == ["> 4.00", "4.00"]
    assert agents.IN_VAIN in table.notes[-1]
    del made[problem, 4]
    assert agents.IN_VAIN not in str(agents.overheads(series, [2], made).notes)


def test_teams_write_pages(tmp_path: Path) -> None:
    sections = ["threads", "schedulers", "agents"]
    command = [sys.executable, "-m", "bench", *sections, "--quick", "--pages"]
    ran = subprocess.run(
        [*command, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "errors: 0" in ran.stdout
    for name in ("threads", "schedulers"):
        page = (tmp_path / f"{name}.md").read_text(encoding="utf-8")
        assert "connect4:5x4 win:first" in page
    schedulers = {*teams.schedulers(), agents.RP_PNS}
    for scheduler in schedulers:
        page = (tmp_path / f"agents-{scheduler}.md").read_text(encoding="utf-8")
        assert f"Search overhead, scheduler={scheduler}" in page
    plotted = agents.plotted(tmp_path)
    assert {*plotted} == schedulers
    assert all([*means] == [2, 4] and min(means.values()) > 0 for means in plotted.values())
