"""Studies: runs that are kept and taken up again, and the command."""

from __future__ import annotations

import json
import math
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from andorra import fast_checker, measure
from andorra.cli.main import main
from andorra.errors import AndorraError, PlanError
from andorra.measure import Measured, Task
from andorra.study import journal, reading, running
from andorra.study.journal import NAME, Journal
from andorra.study.plan import Plan
from andorra.study.row import Row
from cli_kit import Ran, on_a_terminal
from measure_kit import search_here, unchanged
from study_kit import SMALL, a_plan, a_row, unsolved, written

RUNS = 8
NOW = "2026-01-01T00:00:00+00:00"
Study = Callable[..., Ran]


@pytest.fixture
def study(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Study:
    """Runs `andorra study` in a folder that has `small.toml`."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    written(tmp_path)

    def command(*arguments: str) -> Ran:
        capfd.readouterr()
        code = main(["study", *arguments])
        return Ran(code, *capfd.readouterr())

    return command


def rows_in(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (path / NAME).read_text().splitlines()]


PLAN = a_plan(["one", "two", "three"], ["a", "b", "c", "d"])
ROWS = [
    a_row("one", "a", 1.0, 100),
    a_row("one", "b", 4.0, 900, verdict="disproven", certificate="verified"),
    unsolved("one", "c", limit="failed", error="it broke"),
]


# The journal


def test_rows_survive_the_journal(tmp_path: Path) -> None:
    with Journal(tmp_path, PLAN, NOW) as kept:
        for row in ROWS:
            kept.keep(row)
    found = journal.recorded(tmp_path)
    assert found.plan == PLAN
    assert found.rows == ROWS
    assert found.started == NOW
    assert {"cpu", "cores", "andorra", "python"} <= found.machine.keys()


def test_a_line_that_was_cut_off_is_no_row(tmp_path: Path) -> None:
    with Journal(tmp_path, PLAN, NOW) as kept:
        for row in ROWS[:3]:
            kept.keep(row)
    path = tmp_path / NAME
    whole = path.read_bytes()
    last = whole.rindex(b"\n", 0, -1) + 1
    for cut in (last + 1, last + 9, last + 200, len(whole) - 2):
        path.write_bytes(whole[:cut])
        assert len(journal.recorded(tmp_path).rows) == 2
        with Journal(tmp_path, PLAN, NOW) as kept:
            assert kept.rows == ROWS[:2]
            kept.keep(ROWS[2])
        assert path.read_bytes() == whole


def test_a_header_that_was_cut_off_is_written_again(tmp_path: Path) -> None:
    with Journal(tmp_path, PLAN, NOW):
        pass
    whole = (tmp_path / NAME).read_bytes()
    (tmp_path / NAME).write_bytes(whole[:100])
    with Journal(tmp_path, PLAN, NOW) as kept:
        assert kept.rows == []
    assert (tmp_path / NAME).read_bytes() == whole


@pytest.mark.parametrize("text", ["hello\n", '{"kind": "run"}\n', '{"kind": "sutdy"}\n', "[]"])
def test_a_file_that_is_no_journal_stays_as_it_is(tmp_path: Path, text: str) -> None:
    (tmp_path / NAME).write_text(text)
    with pytest.raises(AndorraError, match="is no journal of a study: line 1 is"):
        Journal(tmp_path, PLAN, NOW)
    assert (tmp_path / NAME).read_text() == text


@pytest.mark.parametrize(
    "wrong",
    [
        {"verdict": "perhaps"},
        {"value": "huh"},
        {"nodes": "abc"},
        {"cpu_seconds": math.nan},
        {"options": []},
        {"kind": ["run"]},
        {"kind": "study"},
    ],
)
def test_a_row_that_is_not_ours_is_refused(tmp_path: Path, wrong: dict[str, Any]) -> None:
    with Journal(tmp_path, PLAN, NOW) as kept:
        kept.keep(ROWS[0])
    path = tmp_path / NAME
    with path.open("a") as file:
        file.write(json.dumps(ROWS[1].to_json() | wrong) + "\n")
    before = path.read_bytes()
    with pytest.raises(AndorraError, match="line 3 is"):
        Journal(tmp_path, PLAN, NOW)
    with pytest.raises(PlanError, match="line 3 of"):
        journal.recorded(tmp_path)
    assert path.read_bytes() == before


def test_a_plan_that_is_not_ours_is_refused(tmp_path: Path) -> None:
    with Journal(tmp_path, PLAN, NOW):
        pass
    path = tmp_path / NAME
    header = path.read_bytes()
    for text, said in [
        (header + header, "two plans"),
        (json.dumps(json.loads(header) | {"plan": {}}).encode() + b"\n", "no plan"),
        (json.dumps(json.loads(header) | {"plan": {"solvers": 1}}).encode() + b"\n", "no plan"),
    ]:
        path.write_bytes(text)
        with pytest.raises(PlanError, match=said):
            Journal(tmp_path, PLAN, NOW)
        with pytest.raises(PlanError, match=said):
            journal.recorded(tmp_path)


def test_two_runs_at_the_same_time(tmp_path: Path) -> None:
    with Journal(tmp_path, PLAN, NOW), pytest.raises(AndorraError, match="another run is using it"):
        Journal(tmp_path, PLAN, NOW)


def test_another_plan_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    with Journal(tmp_path, PLAN, NOW):
        pass
    other = replace(PLAN, solvers=(*PLAN.solvers[:2], replace(PLAN.solvers[2], algorithm="pns")))
    with pytest.raises(PlanError) as error:
        Journal(tmp_path, other, NOW)
    assert "solver 'three': algorithm is 'dfpn' there, 'pns' here" in str(error.value)
    assert "--output" in str(error.value)
    with Journal(tmp_path, PLAN, NOW):
        pass


# Runs


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("exit 0", "verified"),
        ('echo "rejected  $1: a rank"; echo "rises"; exit 1', "rejected: a rank rises"),
        ("kill -9 $$", "not checked: andorra-check ended with code -9"),
        ("echo hm >&2; exit 3", "not checked: andorra-check ended with code 3: hm"),
    ],
)
def test_only_code_0_of_the_fast_checker_means_verified(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, said: str
) -> None:
    program = tmp_path / fast_checker.PROGRAM
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setattr(fast_checker, "find", lambda: program)
    assert fast_checker.opinion(Path("x.andorra")) == said


def test_a_real_study(study: Study, tmp_path: Path) -> None:
    limits = 'seconds = 20\nmemory = "16MiB"\ncertificates = true'
    text = re.sub(r"(?s)nodes = .*?false", limits, SMALL)
    written(tmp_path, text)
    ran = study("small.toml")
    assert ran.code == 0, ran.err
    head, *rows = rows_in(tmp_path / "study-small")
    assert (head["kind"], len(rows)) == ("study", RUNS)
    assert all(row["certificate"] == "verified" for row in rows)
    assert {row["verdict"] for row in rows} == {"proven", "disproven"}
    assert all(row["nodes"] > 0 and row["resident_memory"] > 1 << 20 for row in rows)
    assert all(row["limits"]["wall_seconds"] > row["limits"]["seconds"] == 20 for row in rows)
    assert "<html" in (tmp_path / "study-small" / "report.html").read_text()
    assert "solver" in ran.out and "virtual best" in ran.out
    assert "report: study-small/report.html" in ran.out


def test_a_run_ends_at_its_cpu_limit(study: Study, tmp_path: Path) -> None:
    text = (
        "[limits]\nseconds = 0.2\nmemory = '16MiB'\n[solvers]\ndfpn = {}\n"
        "[[problems]]\ngame = 'connect4:7x6'\n"
    )
    written(tmp_path, text, "hard.toml")
    ran = study("hard.toml", "--quiet")
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    (row,) = rows_in(tmp_path / "study-hard")[1:]
    assert (row["verdict"], row["limit"], row["certificate"]) == ("unknown", "CPU seconds", None)
    assert row["cpu_seconds"] >= 0.19


def test_a_process_that_is_killed_is_a_failure(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "_KILL_SHARE", 0)
    monkeypatch.setattr(running, "_KILL_MORE", 1)
    text = (
        "[limits]\nseconds = 60\nmemory = '16MiB'\n[solvers]\ndfpn = {}\n"
        "[[problems]]\nname = 'hard'\ngame = 'connect4:7x6'\n"
    )
    written(tmp_path, text, "hard.toml")
    ran = study("hard.toml")
    assert ran.code == 3
    assert "dfpn on 'hard' failed: its process ended with code -" in ran.err
    (row,) = rows_in(tmp_path / "study-hard")[1:]
    assert (row["verdict"], row["limit"]) == ("unknown", "failed")


def test_a_study_goes_on_where_it_was_cut_off(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched = search_here(monkeypatch)
    assert study("small.toml", "--output", "here", "-q").code == 0
    assert len(searched) == RUNS
    path = tmp_path / "here" / NAME
    whole = path.read_bytes()
    ends = [place for place, byte in enumerate(whole) if byte == ord("\n")]
    path.write_bytes(whole[: ends[3] + 50])  # a plan, three rows, and a part of the fourth
    searched.clear()
    ran = study("small.toml", "--output", "here")
    assert ran.code == 0
    assert "3 of 8 runs are there already" in ran.err
    assert len(searched) == RUNS - 3
    assert path.read_bytes()[: ends[3]] == whole[: ends[3]]
    keys = [(row["solver"], row["problem"]) for row in rows_in(tmp_path / "here")[1:]]
    assert len(keys) == len(set(keys)) == RUNS
    searched.clear()
    assert study("small.toml", "--output", "here", "-q").code == 0
    assert searched == []


def test_ctrl_c_keeps_what_is_there(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(task: Task, measured: Measured) -> Measured:
        if len(searched) == 3:
            raise KeyboardInterrupt
        return measured

    searched = search_here(monkeypatch, interrupted)
    ran = study("small.toml")
    assert ran.code == 4
    assert "interrupted: 2 runs are kept; the same command goes on" in ran.err
    report = (tmp_path / "study-small" / "report.html").read_text()
    assert "6 runs of the plan are not done yet" in report
    searched = search_here(monkeypatch)
    assert study("small.toml").code == 0
    assert len(searched) == 6


def test_a_signal_ends_a_study_and_its_processes(tmp_path: Path) -> None:
    text = (
        "[limits]\nseconds = 100\nmemory = '16MiB'\n[solvers]\ndfpn = {}\npns = {}\n"
        "[[problems]]\ngame = 'mnk:3,3,3'\n[[problems]]\ngame = 'connect4:7x6'\n"
    )
    written(tmp_path, text, "hard.toml")
    code = "import sys; from andorra.cli.main import main; sys.exit(main(['study', 'hard.toml']))"
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as child:
        path = tmp_path / "study-hard" / NAME
        while not (path.is_file() and path.read_bytes().count(b"\n") == 3):
            assert child.poll() is None
            time.sleep(0.05)
        child.send_signal(signal.SIGINT)
        _, said = child.communicate()
    assert child.returncode == 4
    assert "interrupted: 2 runs are kept" in said
    assert (tmp_path / "study-hard" / "report.html").is_file()
    assert _children_of(child.pid) == []


def _children_of(pid: int) -> list[str]:
    found = []
    for each in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = each.read_text().rpartition(")")[2].split()[1]
        except OSError:  # it has ended meanwhile
            continue
        if parent == str(pid):
            found.append(str(each))
    return found


def test_jobs_and_all_cores(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    search_here(monkeypatch)
    here = measure.measure_all

    def measure_all(tasks: Sequence[Task], jobs: int) -> Iterator[tuple[int, Measured]]:
        asked.append(jobs)
        return here(tasks, jobs)

    monkeypatch.setattr(measure, "measure_all", measure_all)
    monkeypatch.setattr("andorra.options.cores", lambda: 5)
    study("small.toml", "-q", "--output", "a")
    study("small.toml", "-q", "--output", "b", "--jobs", "3")
    assert asked == [5, 3]


def test_limits_on_the_command_line(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched = search_here(monkeypatch)
    assert study("small.toml", "-q", "--nodes", "5", "--memory", "2MiB").code == 0
    assert {task.arguments["nodes"] for task in searched} == {5}
    assert {task.arguments["memory"] for task in searched} == {2 << 20}
    rows = rows_in(tmp_path / "study-small")[1:]
    assert "nodes" in {row["limit"] for row in rows}
    ran = study("small.toml", "-q", "--nodes", "6", "--memory", "2MiB")
    assert ran.code == 3
    assert "'study-small' has runs of another plan: solver 'dfpn': limits is" in ran.err


def test_known_answers_that_are_contradicted(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    search_here(monkeypatch)
    wrong = SMALL.replace('known = "proven"', 'known = "disproven"')
    written(Path(), wrong, "wrong.toml")
    ran = study("wrong.toml")
    assert ran.code == 1
    assert "different answers to 'won': disproven: known beforehand; proven: dfpn, pns" in ran.err


def test_report_only(study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    searched = search_here(monkeypatch)
    study("small.toml", "-q")
    before = (tmp_path / "study-small" / "report.html").read_bytes()
    (tmp_path / "study-small" / "report.html").unlink()
    searched.clear()
    assert study("small.toml", "--report-only", "-q").code == 0
    assert study("--report-only", "--output", "study-small", "-q").code == 0
    assert searched == []
    assert (tmp_path / "study-small" / "report.html").read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["none.toml"], 3, "cannot open 'none.toml': no such file"),
        (["--report-only", "--output", "nowhere"], 3, "there is no study in 'nowhere'"),
        (["--report-only", "--seconds", "3"], 2, "leave out the limits"),
        (["small.toml", "--jobs", "0"], 2, "--jobs"),
        (["small.toml", "--seconds", "-1"], 2, "seconds=-1.0: expected a positive"),
        (["small.toml", "--memory", "lots"], 2, "'lots'"),
        (["small.toml", "--output", "small.toml"], 2, "small.toml"),
    ],
)
def test_wrong_usage(study: Study, arguments: list[str], code: int, said: str) -> None:
    ran = study(*arguments)
    assert (ran.code, ran.out) == (code, "")
    assert said in ran.err


def test_progress_in_a_pipe(study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("andorra.cli.study_progress.PLAIN_INTERVAL", 0.0)
    search_here(monkeypatch)
    ran = study("small.toml")
    lines = [line for line in ran.err.splitlines() if line.startswith("study: ")]
    assert len(lines) == RUNS
    assert lines[0].startswith("study: 1 of 8 runs, 1 proven, about ")
    assert lines[-1].startswith("study: 8 of 8 runs, ")


def test_progress_on_a_terminal(tmp_path: Path) -> None:
    written(tmp_path)
    code, sent = on_a_terminal("study", "small.toml", "--jobs", "1", folder=tmp_path)
    assert code == 0
    assert "A small study" in sent
    assert "of 8 runs" in sent and " left" in sent
    assert "virtual best" in sent.rpartition("left")[2]


def test_runs_that_may_not_fit_are_warned_of(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    search_here(monkeypatch, unchanged)
    assert "warning" not in study("small.toml", "-q", "--jobs", "2").err
    ran = study("small.toml", "-q", "--jobs", "1000000000", "--output", "x")
    assert "warning: 1000000000 runs at a time may take" in ran.err


def test_left_out_is_said(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANDORRA_DATA", raising=False)
    search_here(monkeypatch)
    text = SMALL + '\n[[problems]]\ngame = "tsume"\ndata = "tsume/x.sfen"\n'
    written(Path(), text)
    ran = study("small.toml", "-q")
    assert "left out: small.toml:" in ran.err
    assert "'tsume/x.sfen' is not in the folder ANDORRA_DATA" in ran.err


def test_the_default_is_a_plan_like_any_other() -> None:
    assert isinstance(reading.read(reading.DEFAULT, seconds=1.0), Plan)
    assert isinstance(ROWS[0], Row)
