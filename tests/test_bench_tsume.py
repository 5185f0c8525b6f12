"""The benchmarks on shogi problems, on a small problem set made here: what is counted, and how."""

from __future__ import annotations

import pickle
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import andorra
from andorra import Run
from andorra.cpu_cap import CpuCap
from andorra.setting import BASELINE
from bench_kit import (
    ROOT,
    certificates,
    main,
    overhead,
    report,
    section,
    techniques,
    tsume_certificates,
    tsume_classics,
    tsume_data,
    tsume_mates,
    tsume_replay,
    tsume_zuko,
)

IN_ONE = "4k4/9/4P4/9/9/9/9/9/9 b G 1"
NO_MATE = "4k4/9/9/9/9/9/9/9/9 b G 1"
HARD = "g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1"
"""Microcosmos: nobody solves it in an instant."""
PEERS = """# a comment
problem	kh_result	kh_cpu_s	kh_nodes	shtsume_result	shtsume_cpu_s
zuko001	mate1	0.25	10	mate1	0.5
zuko008	TIMEOUT	10.16	7	TIMEOUT	10.10
zuko100	TIMEOUT	10.10	4	mate611	1.5
"""


def lines(**positions: str) -> str:
    return "# a comment\n" + "".join(
        f"{position}\t# {name.replace('_', '-')}; known=1 \n"
        for name, position in positions.items()
    )


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder with three problems of the Zuko's names, two of them mates in one."""
    folder = tmp_path / "tsume"
    folder.mkdir()
    (folder / "zuko100.sfen").write_text(lines(zuko001=IN_ONE, zuko008=HARD, zuko100=IN_ONE))
    (folder / "zuko-peers.tsv").write_text(PEERS)
    (folder / "classic_long_hard.sfen").write_text(
        lines(Microcosmos=IN_ONE, FAIRWAY=IN_ONE, Ran=IN_ONE, Shin_Tokagen=HARD)
        + lines(Sekitoba=IN_ONE, Megalopolis=HARD, Meta_Shinsekai=HARD, Mokusei_no_tabi=IN_ONE)
    )
    for name in tsume_mates.SETS:
        (folder / name).write_text(lines(a=IN_ONE, b=IN_ONE))
    monkeypatch.setenv("ANDORRA_DATA", str(tmp_path))
    return folder


def bench_run(tmp_path: Path, **more: object) -> section.Run:
    values: dict[str, object] = {"trusted_all": False, "hex_map": False, **more}
    return section.Run(report.Report(), certificates.Workshop(tmp_path), **values)  # type: ignore[arg-type]


# ---- problem sets ----


def test_names_and_positions_are_read(data: Path) -> None:
    assert tsume_data.mates(tsume_data.ZUKO)[0] == tsume_data.Mate("zuko001", IN_ONE)
    (data / "names.sfen").write_text(f"{IN_ONE}\t# Kotobuki (Zuko 100); known=611\n")
    assert [each.name for each in tsume_data.named("names.sfen", ["kotobuki"])] == ["Kotobuki"]


def test_peers_are_read(data: Path) -> None:
    peers = tsume_data.peers()
    assert peers["KomoringHeights 1.1.0"]["zuko100"] == tsume_data.Spent(False, 10.10)
    assert peers["shtsume 1.2.7"]["zuko100"] == tsume_data.Spent(True, 1.5)


@pytest.mark.parametrize(
    "name", [each for each in main.SECTIONS if each.startswith(("tsume-", "techniques"))]
)
def test_without_data_a_section_is_left_out(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANDORRA_DATA", raising=False)
    monkeypatch.chdir(tmp_path)
    run = bench_run(tmp_path)
    main.SECTIONS[name].measure(run)
    assert (run.report.errors, run.report.judged) == ([], [])
    assert "left out: needs tsume/" in run.report.tables[0].notes[0]


# ---- sections ----


def test_a_name_stands_for_all_that_begin_with_it() -> None:
    assert main._named("speed") == ["speed"]
    assert main._named("spee") == []
    assert main._named("tsume") == [
        "tsume-zuko",
        "tsume-mates",
        "tsume-certificates",
        "tsume-microcosmos",
        "tsume-classics",
        "tsume-giants",
    ]


def test_what_takes_long_runs_only_where_it_is_named() -> None:
    shogi = [name for name in main._short() if name.startswith(("tsume", "techniques"))]
    assert shogi == ["tsume-zuko", "tsume-mates"]


def test_zuko_counts_the_cap_for_what_is_not_solved(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tsume_zuko, "SECONDS", 0.05)
    monkeypatch.setattr(tsume_zuko, "LEFT_OUT", ("zuko100",))
    run = bench_run(tmp_path)
    tsume_zuko.measure(run)
    each, sums, targets = run.report.tables
    assert [row["verdict"] for row in each.rows] == ["proven", "unknown: CPU seconds", "proven"]
    assert [row["plies"] for row in each.rows] == [1, None, 1]
    assert [row["solved"] for row in sums.rows] == [2, 1, 2]
    assert sums.rows[0]["worst"] == "zuko008"
    assert float(sums.rows[0]["sum CPU s"] or 0) >= 0.05
    assert sums.rows[1]["sum CPU s"] == pytest.approx(10.41)
    assert [row["value"] for row in targets.rows][:1] == [1]
    assert run.report.judged[0].met is False
    assert run.report.errors == []


def test_zuko_has_no_targets_for_a_part_of_it(data: Path, tmp_path: Path) -> None:
    run = bench_run(tmp_path, problems=1)
    tsume_zuko.measure(run)
    assert (len(run.report.tables), run.report.judged) == (2, [])


def test_a_problem_without_a_mate_may_be_disproven(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tsume_data, "NO_MATE", ("zuko008",))
    (data / "zuko100.sfen").write_text(lines(zuko001=IN_ONE, zuko008=NO_MATE))
    run = bench_run(tmp_path)
    tsume_zuko.measure(run)
    assert [row["verdict"] for row in run.report.tables[0].rows] == ["proven", "disproven"]
    assert run.report.errors == []


def test_a_mate_that_is_disproven_is_an_error(data: Path, tmp_path: Path) -> None:
    (data / "zuko100.sfen").write_text(lines(zuko001=NO_MATE))
    (data / tsume_mates.SETS[0]).write_text(lines(a=IN_ONE, b=NO_MATE))
    run = bench_run(tmp_path)
    tsume_zuko.measure(run)
    tsume_mates.measure(run)
    assert run.report.errors == [
        "tsume-zuko: zuko001 is a mate, found 'disproven'",
        "tsume-mates: nshogi_mate3.sfen, problem 2 is a mate, found 'disproven'",
    ]
    assert [each.met for each in run.report.judged] == [False, True, True]


# ---- two agents ----


def test_overhead_is_by_problems_that_one_agent_solves(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(overhead, "MOST", 1000)
    run = bench_run(tmp_path, quick=True)
    overhead.measure_overhead(run)
    mirrored, *teams = run.report.tables[0].rows
    assert mirrored["typical factor"] == 1.0
    assert [str(row["visits of"])[:15] for row in teams] == ["2 agents by one"] * 3
    assert run.report.tables[0].notes == ["  2 problems and their mirror images, seeds (1, 2, 3)"]
    assert run.report.errors == []


def test_a_mate_that_one_agent_disproves_is_an_error(data: Path, tmp_path: Path) -> None:
    (data / "zuko100.sfen").write_text(lines(a=IN_ONE, b=NO_MATE, c=IN_ONE))
    run = bench_run(tmp_path, quick=True)
    overhead.measure_overhead(run)
    assert run.report.errors == ["overhead: b is a mate, found 'disproven'"]


# ---- lines in cshogi ----


def test_lines_are_replayed(data: Path, tmp_path: Path) -> None:
    run = bench_run(tmp_path, seconds=0.05)
    tsume_zuko.measure(run)
    assert [row.get("replayed") for row in run.report.tables[1].rows] == [2, None, None]
    tsume_mates.measure(run)
    assert [row["replayed"] for row in run.report.tables[-1].rows] == [2, 2, 2]
    assert run.report.errors == []


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (["G*5b"], None),
        (["G*5c"], "ply 1, 'G*5c', is not legal in "),
        (["G*4a", "5a4b"], "ply 2, '5a4b', is not legal in "),
        (["G*1a"], "ply 1, 'G*1a', is no check, in "),
        (["G*4a", "5a4a"], "it does not end in mate, but in "),
        ([], "it does not end in mate, but in "),
    ],
)
def test_what_is_wrong_with_a_line(tmp_path: Path, line: list[str], said: str | None) -> None:
    run = bench_run(tmp_path)
    replay = tsume_replay.Replay(run, "some")
    replay.check("one", IN_ONE, line, "win")
    assert replay.confirmed == (said is None)
    assert [said in error for error in run.report.errors if said] == [True] * (said is not None)


def test_a_line_that_a_limit_cut_short_is_not_counted(tmp_path: Path) -> None:
    run = bench_run(tmp_path)
    replay = tsume_replay.Replay(run, "some")
    replay.check("one", IN_ONE, ["G*4a"], "incomplete")
    assert (replay.confirmed, run.report.errors) == (0, [])


def test_without_cshogi_the_tables_say_so(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "cshogi", None)
    run = bench_run(tmp_path, seconds=0.05)
    tsume_zuko.measure(run)
    tsume_mates.measure(run)
    for table in (run.report.tables[1], run.report.tables[-1]):
        assert table.rows[0]["replayed"] is None
        assert "no line was replayed: cshogi is not installed" in table.notes[-1]


def test_certificates_of_what_is_solved(data: Path, tmp_path: Path) -> None:
    run = bench_run(tmp_path, seconds=0.05)
    tsume_certificates.measure(run)
    each, sums = run.report.tables
    assert [row["problem"] for row in each.rows] == ["zuko001", "zuko100"]
    assert [row["trusted CPU s"] is None for row in each.rows] == [False, True]
    expected = {"problems": 3, "solved": 2, "accepted, fast": 2, "accepted, trusted": 1}
    assert {name: sums.rows[0][name] for name in expected} == expected
    assert (run.report.errors, run.report.judged[0].met) == ([], True)


def test_a_rejected_certificate_is_an_error(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rejected = certificates.Checked(False, "rejected: 1 entry", 0.1)
    monkeypatch.setattr(certificates, "check", lambda *_: rejected)
    monkeypatch.setattr(tsume_certificates, "check", lambda *_: rejected)
    run = bench_run(tmp_path, problems=1)
    tsume_certificates.measure(run)
    assert run.report.errors == [
        "tsume-certificates: zuko001, the fast checker: rejected: 1 entry",
        "tsume-certificates: zuko001, the trusted checker: rejected: 1 entry",
    ]
    assert run.report.judged[0].met is False


def test_classics_have_the_cap_of_the_argument(data: Path, tmp_path: Path) -> None:
    run = bench_run(tmp_path, seconds=0.05)
    tsume_classics.CLASSICS_SECTION.measure(run)
    tsume_classics.MICROCOSMOS_SECTION.measure(run)
    tsume_classics.GIANTS_SECTION.measure(run)
    proven, unknown = "proven", "unknown: CPU seconds"
    verdicts = [[row["verdict"] for row in table.rows] for table in run.report.tables]
    assert verdicts == [[proven, proven, unknown], [proven], [proven, unknown, unknown, proven]]
    assert "at most 0.05 CPU s" in run.report.tables[0].title


def test_a_cap_begins_with_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 7.0
    monkeypatch.setattr(time, "process_time", lambda: now)
    cap = pickle.loads(pickle.dumps(CpuCap(2.0)))
    assert not cap()
    now = 8.9
    assert not cap()
    now = 9.0
    assert cap()


# ---- techniques ----


def searched(options: dict[str, Any]) -> tuple[object, ...]:
    """What a short search does, in numbers."""
    found = andorra.solve("tsume", HARD, memory="64MiB", nodes=2000, **options)
    counts = found.statistics
    return found.pn, found.dn, counts["expansions"], counts["moves"]


def test_defaults_are_those_that_the_game_uses() -> None:
    """The same search whether they are spelled out or not; another one where they are off."""
    table = andorra.options.option_table()
    own = techniques.defaults()
    off = {name: table[name].default for name in own}
    assert searched(own) == searched({}) != searched(off)
    used = andorra.Setting.make("dfpn", "1MiB", own).values()
    tried = {name: [str(value).lower() for value in own] for name, own in techniques.VALUES.items()}
    assert {name: used[name] for name in tried if used[name] not in tried[name]} == {}


def test_every_option_of_the_game_is_switched_off_once() -> None:
    plain = list(techniques.settings().values())[-1]
    table = andorra.options.option_table()
    for name in techniques.defaults():
        assert float_or_text(plain.values()[name]) == float_or_text(table[name].default)
        assert name in techniques.VALUES


def float_or_text(value: str) -> object:
    try:
        return float(value)
    except ValueError:
        return value


def test_techniques_write_their_page(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(techniques, "VALUES", {"epsilon": (0, 0.25), "costs": (False, True)})
    monkeypatch.setattr(techniques, "TOGETHER", ({"backup": "weak", "double_count": "off"},))
    run = bench_run(tmp_path, nodes=200, problems=2, pages=tmp_path)
    techniques.measure(run)
    rows = run.report.tables[0].rows
    assert [row["setting"] for row in rows][:3] == ["default", "epsilon=0", "costs=true"]
    assert "backup=weak" in str(rows[3]["setting"])
    assert {row["solved"] for row in rows} == {"1 of 2"}
    page = (tmp_path / "tsume-techniques.md").read_text(encoding="utf-8")
    assert "Made by `python -m bench techniques --problems 2 --nodes 200`" in page
    assert "A search ends after 200 visits." in page
    assert page.count("\n| epsilon=0 | 1 of 2 |") == 1


def test_techniques_that_disprove_a_mate_are_an_error(tmp_path: Path) -> None:
    run = bench_run(tmp_path)
    found = Run(
        setting=BASELINE, number=1, position="", question="win:first", verdict="disproven",
        value=None, limit=None, nodes=1, expansions=1, reexpansions=0, moves=0, cpu_seconds=0.0,
        wall_seconds=0.0, resident_memory=0,
    )  # fmt: skip
    techniques._check(run, [tsume_data.Mate("zuko001", IN_ONE)], found)
    assert run.report.errors == [
        "techniques: zuko001, baseline: found 'disproven', but it is a mate"
    ]


def test_the_page_is_named_in_the_documentation() -> None:
    assert techniques.PAGE in (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
