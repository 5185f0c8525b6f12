"""`andorra.solve` as a Python user meets it: results, errors, files, interrupts, imports."""

from __future__ import annotations

import math
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import andorra
from andorra import OptionError, PositionError, Progress, options
from andorra.certificate import read
from andorra.rulebook import make
from andorra.rulebook.tsume import Tsume
from games_kit import sample, winner
from result_kit import END_NAMES, assert_bounds, assert_consistent, assert_keeps_verdict, oracle
from settings import GENERAL

ENDLESS = "connect4:7x6"
WON = "xx./oo./..."
"""No machine of ours solves this while a test waits."""

GAMES = ("mnk:3,3,3", "hex:3", "breakthrough:4x2", "toll:3")


class StopHereError(Exception):
    """Raised in callbacks, to see it come out."""


def mid_game(spec: str, count: int = 12) -> Iterator[str]:
    """Positions of random games, both sides to move and ends among them."""
    game = make(spec)
    texts = list(dict.fromkeys(game.format(state) for state in sample(game, 6 * count)))
    yield from texts[:: max(1, len(texts) // count)]


# ---- results ----


@pytest.mark.parametrize("spec", GAMES)
def test_results_fit_the_rules_and_the_oracle(spec: str) -> None:
    game = make(spec)
    for position in mid_game(spec):
        for question in ("win", "win:first", "win:second", "win<=3", "win:second<=4"):
            result = andorra.solve(spec, position, question, memory="8MiB")
            assert_consistent(game, result)
            assert_keeps_verdict(game, result)
            assert (result.game, result.position) == (spec, position)
            assert result.verdict == oracle(game, position, result.question)


@pytest.mark.parametrize("spec", GAMES)
def test_the_value_is_the_first_players_whoever_moves(spec: str) -> None:
    game = make(spec)
    for position in mid_game(spec):
        expected = END_NAMES[winner(game, game.parse(position))]
        result = andorra.solve(spec, position, "value", memory="8MiB")
        assert (position, result.value) == (position, expected)
        assert (result.question, result.prover) == ("value", "first")
        assert result.verdict == ("proven" if expected == "win" else "disproven")
        assert_bounds(result)


@pytest.mark.parametrize(
    ("spec", "position", "question", "verdict", "prover", "value"),
    [
        # The second player is to move and wins.
        ("mnk:3,3,3", "oo./xx./x..", "win", "proven", "second", "loss"),
        # A win that is not there leaves open whether the game is drawn or lost...
        ("mnk:3,3,3", ".../.x./...", "win", "disproven", "second", None),
        ("mnk:3,3,3", ".../.x./...", "win:first", "disproven", "first", None),
        # ...but not in a game without draws, in which every line ends.
        ("hex:2", ".x/..", "win", "disproven", "second", "win"),
        ("hex:2", "x./..", "win:first", "disproven", "first", "loss"),
        ("hex:2", "x./..", "win", "proven", "second", "loss"),
        # What cannot be forced within a bound may be forced later.
        ("hex:2", "../..", "win<=1", "disproven", "first", None),
        ("hex:2", "../..", "win<=3", "proven", "first", "win"),
    ],
)
def test_value_of_one_question(
    spec: str, position: str, question: str, verdict: str, prover: str, value: str | None
) -> None:
    result = andorra.solve(spec, position, question)
    assert (result.verdict, result.prover, result.value) == (verdict, prover, value)


def test_the_question_of_a_game_is_the_default() -> None:
    assert andorra.solve("mnk:3,3,3", "x../.../...").question == "win:second"
    assert andorra.solve("mnk:3,3,3").question == "win:first"


def test_a_position_is_read_in_every_spelling_and_given_back_in_one() -> None:
    assert andorra.solve("connect4:4x4", "12").position == "..../..../..../xo.."


def test_an_ended_game_needs_no_search() -> None:
    result = andorra.solve("mnk:3,3,3", "xxx/oo./...", "value")
    assert (result.value, result.line, result.line_end, result.best_move) == (
        "win",
        [],
        "win",
        None,
    )
    assert result.statistics["nodes"] == 0


def test_json_has_what_the_result_has() -> None:
    result = andorra.solve("mnk:3,3,3", "xx./oo./...", certificate=None)
    plain = result.to_json()
    assert plain["best_move"] == "c1" and plain["line"] == ["c1"]
    assert plain["nodes"] == result.statistics["nodes"] > 0
    assert plain["certificate"] is None and "statistics" not in plain


def test_bounds_are_the_pair_of_numbers() -> None:
    proven, open_ = andorra.solve("hex:2"), andorra.solve("hex:4", nodes=10)
    assert proven.bounds == (0, None)
    assert (open_.bounds.pn, open_.bounds.dn) == (open_.pn, open_.dn)
    assert open_.pn != open_.dn
    assert isinstance(open_.bounds, andorra.Bounds)


def test_a_result_is_not_to_be_changed() -> None:
    with pytest.raises(AttributeError):
        andorra.solve("hex:1").verdict = "unknown"  # type: ignore[misc]


def test_statistics_of_a_value_are_sums_and_the_second_question_profits() -> None:
    first, second = (
        andorra.solve("mnk:3,3,3", question=f"win:{side}", memory="8MiB").statistics
        for side in ("first", "second")
    )
    both = andorra.solve("mnk:3,3,3", question="value", memory="8MiB").statistics
    for name in ("nodes", "expansions", "moves"):
        assert first[name] < both[name] <= first[name] + second[name]


def test_the_same_search_counts_the_same_whatever_came_before() -> None:
    def count() -> dict[str, Any]:
        result = andorra.solve("connect4:4x4", memory="8MiB")
        return {k: v for k, v in result.statistics.items() if not k.endswith("_seconds")}

    before = count()
    andorra.solve("hex:3", algorithm="pns")
    andorra.solve(ENDLESS, nodes=10_000)
    assert count() == before


# ---- progress ----


def test_progress_is_reported() -> None:
    seen: list[Progress] = []
    result = andorra.solve(ENDLESS, memory="256MiB", nodes=3_000_000, progress=seen.append)
    assert seen
    for event in seen:
        assert (event.event, event.question) == ("search", "win:first")
        assert event.pn is not None and event.pn > 0
        assert event.dn is not None and event.dn > 0
        assert 0 < event.expansions <= event.nodes <= result.statistics["nodes"]
        assert event.moves >= event.expansions
        assert 0 < event.depth <= 42
        assert 0 < event.table_fill <= 1
        assert event.nodes_per_second == pytest.approx(event.nodes / event.seconds)
    assert [e.nodes for e in seen] == sorted({e.nodes for e in seen})
    assert [e.seconds for e in seen] == sorted({e.seconds for e in seen})


@pytest.mark.parametrize(
    "setting",
    [
        *({"algorithm": name} for name in ("dfpn", "pds", "pns", "mcts-solver", "pp")),
        *({"algorithm": name} for name in ("pn2", "dfpn-pn", "pds-pn")),
        {"initial": "dfpn", "leaf_nodes": 1000},
        *({"threads": 2, "scheduler": name} for name in ("virtual", "jobs", "pn-dfpn")),
    ],
    ids=lambda setting: " ".join(map(str, setting.values())),
)
def test_progress_tells_where_the_search_is(setting: dict[str, Any]) -> None:
    seen: list[Progress] = []
    game = make(ENDLESS)
    andorra.solve(ENDLESS, seconds=0.4, progress=seen.append, **setting)
    told = [moment for moment in seen if moment.children]
    assert told
    for moment in told:
        assert sorted(child.move for child in moment.children) == list("1234567")
        assert moment.pn == min(child.pn for child in moment.children if child.pn is not None)
        state = game.initial()
        for move in moment.line:
            state = game.play(state, game.parse_move(state, move))
        assert len(moment.line) <= 42
    assert any(moment.line for moment in told)  # one that tells of the root itself has none


@pytest.mark.parametrize("algorithm", GENERAL)
def test_an_exception_in_progress_comes_out(algorithm: str, tmp_path: Path) -> None:
    seen: list[Progress] = []

    def stop(event: Progress) -> None:
        seen.append(event)
        raise StopHereError(event.nodes)

    with pytest.raises(StopHereError):
        andorra.solve(
            ENDLESS,
            algorithm=algorithm,
            memory="1GiB",
            progress=stop,
            certificate=tmp_path / "file.andorra",
        )
    assert len(seen) == 1
    assert list(tmp_path.iterdir()) == []
    assert andorra.solve("hex:3", algorithm=algorithm).verdict == "proven"


# ---- certificates ----


def test_a_certificate_is_written(tmp_path: Path) -> None:
    path = tmp_path / "ttt.andorra"
    result = andorra.solve("mnk:3,3,3", question="value", certificate=str(path))
    assert result.certificate == path and result.certificate_limit is None
    assert list(tmp_path.iterdir()) == [path]
    assert andorra.check(path).value == "draw"
    assert result.to_json()["certificate"] == str(path)


def test_no_certificate_of_an_unknown_verdict(tmp_path: Path) -> None:
    path = tmp_path / "file.andorra"
    result = andorra.solve(ENDLESS, nodes=1000, memory="8MiB", certificate=path)
    assert (result.verdict, result.certificate, result.certificate_limit) == ("unknown", None, None)
    assert list(tmp_path.iterdir()) == []


def test_an_old_certificate_stays_until_there_is_a_new_one(tmp_path: Path) -> None:
    path = tmp_path / "file.andorra"
    andorra.solve("hex:2", certificate=path)
    old = path.read_bytes()
    andorra.solve("hex:3", nodes=5, certificate=path)
    assert path.read_bytes() == old
    andorra.solve("hex:3", certificate=path)
    assert andorra.check(path).game == "hex:3"
    assert list(tmp_path.iterdir()) == [path]


def test_half_a_value_gives_no_certificate(tmp_path: Path) -> None:
    enough = andorra.solve("mnk:3,3,3", question="win:second", memory="8MiB").statistics["nodes"]
    more = andorra.solve("mnk:3,3,3", question="win:first", memory="8MiB").statistics["nodes"]
    assert enough < more
    result = andorra.solve(
        "mnk:3,3,3", question="value", memory="8MiB", nodes=more - 1, certificate=tmp_path / "file"
    )
    assert (result.verdict, result.value, result.limit) == ("unknown", None, "nodes")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("where", ["missing/file.andorra", "plain/file.andorra", "folder"])
def test_a_place_that_cannot_be_written_is_an_error(where: str, tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("a file, not a folder")
    (tmp_path / "folder").mkdir()
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(OSError, match=where.split("/")[0]):
        andorra.solve("hex:2", certificate=tmp_path / where)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_place_that_cannot_be_written_is_noticed_before_the_search(tmp_path: Path) -> None:
    seen: list[Progress] = []

    def stop(event: Progress) -> None:
        seen.append(event)
        raise StopHereError

    with pytest.raises(OSError, match="missing"):
        andorra.solve(ENDLESS, certificate=tmp_path / "missing" / "file", progress=stop)
    assert not seen


# ---- errors ----


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"gard": 2000}, "there is no option 'gard'; did you mean 'guard'?"),
        ({"Guard": 2000}, "there is no option 'Guard'; did you mean 'guard'?"),
        ({"early_stop": "off"}, "has no option 'early_stop'; pns, pn2, "),
        ({"ordering": "off"}, "the algorithm dfpn has no option 'ordering'; alphabeta has it"),
        ({"algorithm": "pns", "guard": 2000}, "the algorithm pns has no option 'guard'; dfpn"),
        ({"algorithm": "fixpoint", "gc_fraction": 0.5}, "fixpoint has no option 'gc_fraction'"),
        ({"algorithm": "dfpm"}, "there is no algorithm 'dfpm'; did you mean 'dfpn'?"),
        ({"algorithm": ""}, "there is no algorithm ''"),
        ({"guard": 999}, "option guard: '999' is not in 1000..1000000000000"),
        ({"guard": -1}, "'-1' is not in"),
        ({"guard": "1_000"}, "'1_000' is not in"),
        ({"guard": 1e4}, "'10000.0' is not in"),
        ({"gc_fraction": 0.04}, "'0.04' is not in 0.05..0.95"),
        ({"gc_fraction": 0.96}, "'0.96' is not in"),
        ({"gc_fraction": math.nan}, "'nan' is not in"),
        ({"gc_fraction": None}, "'None' is not in"),
        ({"table_entries": 63}, "table_entries=63: expected 0 or at least 64"),
        ({"table_entries": 10**9, "memory": "1MiB"}, "table_entries=1000000000: the memory limit"),
        ({"algorithm": "pns", "tree_nodes": 10**6, "memory": "1MiB"}, "tree_nodes=1000000: the"),
        ({"algorithm": "pns", "tree_nodes": 2_000_000_001}, "'2000000001' is not in"),
        ({"algorithm": "pns", "early_stop": "never"}, "'never' is not in off|allis|nagai"),
        ({"algorithm": "pns", "delete_solved": 1}, "'1' is not in true|false"),
        ({"threads": -1}, "option threads: '-1' is not in 1..1024, nor 0 for all cores"),
        ({"threads": 1025}, "'1025' is not in"),
        ({"threads": "two"}, "'two' is not in"),
        ({"threads": 2, "agents": 3}, "agents=3 and threads=2 exclude each other"),
        ({"algorithm": "fixpoint", "threads": 2}, "the algorithm fixpoint has no option 'threads'"),
        ({"threads": 2, "seed": 3}, "seed=3 does nothing without agents=N"),
        ({"algorithm": "pns", "threads": 2, "seed": 3}, "seed=3 does nothing without agents=N"),
        ({"scheduler": "jobs"}, "scheduler=jobs does nothing without threads=N or agents=N"),
        ({"algorithm": "rp-pns"}, "no algorithm 'rp-pns'; it is algorithm=pns with threads=N"),
        ({"algorithm": "SPDFPN"}, "it is algorithm=dfpn with scheduler=jobs and threads=N"),
        ({"scheduler": "rp-pns"}, "pn-dfpn; it is algorithm=pns with threads=N"),
        ({"scheduler": "job"}, "did you mean 'jobs'?"),
        ({"table": 5}, "table=5: expected an andorra.Table, or None"),
        ({"nodes": 0}, "nodes=0: expected a whole number"),
        ({"nodes": -1}, "nodes=-1"),
        ({"nodes": 1 << 63}, "nodes=9223372036854775808"),
        ({"seconds": math.nan}, "seconds=nan: expected a positive, finite number"),
        ({"seconds": math.inf}, "seconds=inf: expected a positive, finite number; leave it out"),
        ({"loops": "df-pnr"}, "'df-pnr' is not in off|df-pn(r)|tca|rise; did you mean 'df-pn(r)'?"),
        ({"loops": "zzz"}, "option loops: 'zzz' is not in off|df-pn(r)|tca|rise"),
        ({"algorithm": 5}, "there is no algorithm 5; there are: dfpn, pds, pn*,"),
        ({"question": 5}, "question=5: expected a text such as 'win:first'"),
        ({"question": b"win"}, "question=b'win': expected a text"),
        ({"memory": 2.5e9}, "memory=2500000000.0: expected '512MiB'"),
        ({"seconds": 0}, "seconds=0"),
        ({"seconds": -1.5}, "seconds=-1.5"),
    ],
)
def test_bad_settings(settings: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(OptionError) as caught:
        andorra.solve("mnk:3,3,3", certificate=tmp_path / "file", **settings)
    assert message in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("algorithm", andorra.algorithms())
def test_all_cores_are_for_every_algorithm(algorithm: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("andorra.options.cores", lambda: 2)
    result = andorra.solve("mnk:3,3,3", WON, algorithm=algorithm, threads=0)
    assert result.verdict == "proven"
    assert result.options == ({"threads": "2"} if algorithm in ("dfpn", "pns") else {})


@pytest.mark.parametrize("cores", [1, 2])
def test_all_cores_leave_turns_alone(cores: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("andorra.options.cores", lambda: cores)
    result = andorra.solve("mnk:3,3,3", WON, threads=0, agents=3)
    assert (result.verdict, result.options) == ("proven", {"agents": "3"})


def test_the_size_of_a_table_while_another_search_adds_to_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Growing:
        @property
        def used(self) -> int:
            tables[len(tables)] = self
            return 1

    table = andorra.Table("loa:4", memory="1MiB")
    tables: dict[object, Growing] = {"first": Growing()}
    monkeypatch.setattr(table, "_tables", tables)
    assert (table.used, len(tables)) == (1, 2)


def test_overheads_are_of_threads_only() -> None:
    def overheads(**settings: Any) -> dict[str, float]:
        shares: dict[str, float] = andorra.solve("hex:3", **settings).statistics["overheads"]
        return shares

    shares = overheads(threads=2)
    assert list(shares) == ["synchronisation", "idle"]
    assert all(0 <= share <= 1 for share in shares.values())
    assert overheads() == overheads(agents=2) == {}


def test_agents_are_there_for_as_long_as_the_team() -> None:
    counts = andorra.solve("hex:3", threads=2).statistics
    for agent in counts["agents"]:
        lost = agent["seconds_waited"] + agent["seconds_idle"]
        assert 0 <= lost <= agent["wall_seconds"] <= counts["wall_seconds"] + 1e-6


def test_names_in_papers_lead_to_settings_that_there_are() -> None:
    for hint in options._LITERATURE.values():
        named = dict(word.split("=", 1) for word in hint.replace("=N", "=2").split() if "=" in word)
        algorithm = named.pop("algorithm")
        assert options.option_texts(options.check_algorithm(algorithm), {**named}) == named


@pytest.mark.parametrize(
    "memory", ["1MiB", "64mb", "1.5 MiB", " 2m ", "0.5GiB", "1048576", 1 << 20, "1024K", "0.001T"]
)
def test_readable_memory(memory: str | int) -> None:
    assert andorra.solve("hex:1", memory=memory).verdict == "proven"


@pytest.mark.parametrize(
    "memory",
    [
        *("", "lots", "MiB", "1e9", "-1GiB", "2XiB", "2GiBs", "1,5GiB", "1.GiB", "\uff11GiB"),
        *("0", "1KiB", 0, -1, (1 << 20) - 1, 1 << 50, "1024TiB", "9" * 400),
    ],
)
def test_bad_memory(memory: str | int) -> None:
    with pytest.raises(OptionError, match="memory"):
        andorra.solve("hex:1", memory=memory)


@pytest.mark.parametrize(
    "question",
    [
        *(
            "",
            "wins",
            "win ",
            "WIN",
            "win:third",
            "win:",
            "win<=",
            "win<=-1",
            "win<=01",
            "win<=1.5",
        ),
        *("win<=\u0663", "win:first<5", "draw", "values", "win<=" + "9" * 19, "win<=999999999999"),
    ],
)
def test_bad_question(question: str) -> None:
    with pytest.raises(OptionError):
        andorra.solve("mnk:3,3,3", question=question)


@pytest.mark.parametrize("form", ["win", "win:first", "<=N", "mate<=N", "value", "shortest"])
def test_the_error_of_a_question_lists_all_forms(form: str) -> None:
    with pytest.raises(OptionError) as caught:
        andorra.solve("mnk:3,3,3", question="mate")
    message = str(caught.value)
    assert "cannot read the question 'mate'" in message
    assert f"'{form}'" in message


@pytest.mark.parametrize("plies", [2, 3])
def test_mate_is_a_bounded_win_of_the_first_player(plies: int) -> None:
    bounded = andorra.solve("mnk:3,3,3", "xx./oo./...", question=f"win:first<={plies}")
    mate = andorra.solve("mnk:3,3,3", "xx./oo./...", question=f"mate<={plies}")
    assert mate.question == f"win:first<={plies}"
    assert (mate.verdict, mate.line) == (bounded.verdict, bounded.line)


@pytest.mark.parametrize("position", [5, b".../.../...", ["x"]])
def test_a_position_that_is_no_text(position: Any) -> None:
    with pytest.raises(PositionError) as caught:
        andorra.solve("mnk:3,3,3", position)
    assert f"position={position!r}: expected a text" in str(caught.value)


class OwnGame(andorra.Game[int, int]):
    """Stands for a user's class, which was named where an object was meant."""


@pytest.mark.parametrize(
    ("game", "hint"), [(None, ""), (5, ""), (b"hex:3", ""), (OwnGame, "did you mean OwnGame()?")]
)
def test_a_game_that_is_none(game: Any, hint: str) -> None:
    with pytest.raises(PositionError) as caught:
        andorra.solve(game)
    assert f"game={game!r}: expected a name such as 'connect4:5x4'" in str(caught.value)
    assert str(caught.value).endswith(hint)


@pytest.mark.parametrize(
    ("spec", "position"),
    [
        ("mnk:3,3,3", ""),
        ("mnk:3,3,3", " "),
        ("mnk:3,3,3", ".../.../..."[:-1]),
        ("mnk:3,3,3", ".../.../...\n"),
        ("mnk:3,3,3", ".../.../..?"),
        ("mnk:3,3,3", "ooo/xx./..."),
        ("mnk:3,3,3", "x" * 100_000),
        ("mnk:3,3,3", "\0"),
        ("mnk:3,3,3", "\udcff"),
        ("connect4:4x4", ""),
        ("connect4:4x4", "11111"),
        ("connect4:4x4", "5"),
        ("hex:3", ""),
        ("breakthrough:4x2", ""),
        ("breakthrough:4x2", "oo/oo/xx/xx"),
        ("toll:3", ""),
    ],
)
def test_bad_position(spec: str, position: str) -> None:
    with pytest.raises(PositionError):
        andorra.solve(spec, position)


@pytest.mark.parametrize(
    "spec",
    [
        *("", "chess", "Hex:3", "hex:", "hex:3:3", "hex:0", "hex:99", "hex:-1", "hex:3 ", "hex:x"),
        *("connect4:100x100", "connect4:0x4", "connect4:7", "connect4:7x6x5", "connect4:64x1"),
        *("mnk:9,9,9", "mnk:0,3,3", "mnk:3,3", "mnk:3,3,0", "mnk:3,3,3,3", "mnk:99999999999,1,1"),
        *("breakthrough:9x9", "breakthrough:3x3", "breakthrough:4x1", "breakthrough:4x4x3"),
        *("toll:0", "toll:10", "hex:" + "9" * 5000, "hex:\0", "hex:\udcff", "\udcff", "graph"),
    ],
)
def test_absurd_games(spec: str) -> None:
    with pytest.raises(PositionError):
        andorra.solve(spec, nodes=10)


def test_graphs_come_from_files(tmp_path: Path) -> None:
    file = tmp_path / "my.graph"
    file.write_text("root A\nA: or B C\nB: and D A\nC: and D\nD: win\n")
    result = andorra.solve(f"graph:{file}")
    assert (result.game, result.verdict, result.line) == ("graph", "proven", ["C", "D"])
    file.write_text("root A\nA: or B\n")
    with pytest.raises(PositionError, match="'B'"):
        andorra.solve(f"graph:{file}")
    with pytest.raises(FileNotFoundError, match="no-such-file"):
        andorra.solve("graph:no-such-file")


def test_hints_change_neither_results_nor_certificates(tmp_path: Path) -> None:
    rules = "A: or B C\nB: and D E\nC: and D\nD: win\nE: loss\n"
    hints = "guess B 1 9\nguess C 9 1\ncost A C 7 7\nalike A B C\n"
    for name, text in (("plain", rules), ("hinted", rules + hints)):
        (tmp_path / name).write_text(text)
        spec, certificate = f"graph:{tmp_path / name}", tmp_path / f"{name}.andorra"
        result = andorra.solve(spec, certificate=certificate)
        assert (result.verdict, result.line) == ("proven", ["C", "D"])
        assert andorra.check(certificate).game == "graph"
    assert read(tmp_path / "hinted.andorra") == read(tmp_path / "plain.andorra")


# ---- positions of several lines ----


def test_a_board_diagram_is_a_position(tmp_path: Path) -> None:
    tsume = make("tsume")
    assert isinstance(tsume, Tsume)
    for sfen in ("4k4/9/4P4/9/9/9/9/9/9 b G 1", "9/9/9/9/9/9/4p4/9/4K4 w g 1"):
        diagram = tsume.draw_japanese(tsume.parse(sfen))
        result = andorra.solve("tsume", diagram, certificate=tmp_path / "mate.andorra")
        assert (result.position, result.verdict) == (sfen, "proven")
        assert andorra.check(tmp_path / "mate.andorra").parts[0].verdict == "proven"


@pytest.mark.parametrize("spec", ["tsume", "hex:3", "connect4:4x4"])
def test_other_texts_of_several_lines_are_errors(spec: str) -> None:
    game = make(spec)
    with pytest.raises(PositionError):
        andorra.solve(spec, f"{game.format(game.initial())}\n")


# ---- interrupts ----


class SignalSoon:
    """A progress callback that has a signal sent shortly after the first event."""

    def __init__(self, number: signal.Signals) -> None:
        self.timer = threading.Timer(0.03, signal.raise_signal, [number])
        self.started = False

    def __call__(self, event: Progress) -> None:
        if not self.started:
            self.started = True
            self.timer.start()


@pytest.mark.parametrize("algorithm", GENERAL)
def test_ctrl_c_ends_a_search(algorithm: str, tmp_path: Path) -> None:
    result = andorra.solve(
        ENDLESS,
        algorithm=algorithm,
        memory="4GiB",
        certificate=tmp_path / "file",
        progress=SignalSoon(signal.SIGINT),
    )
    assert (result.verdict, result.limit, result.certificate) == ("unknown", "interrupted", None)
    assert result.statistics["nodes"] > 0
    assert_bounds(result)
    assert list(tmp_path.iterdir()) == []
    assert andorra.solve("hex:3", algorithm=algorithm).verdict == "proven"


def test_ctrl_c_in_a_callback_ends_a_search() -> None:
    def interrupt(event: Progress) -> None:
        signal.raise_signal(signal.SIGINT)

    result = andorra.solve(ENDLESS, memory="64MiB", progress=interrupt)
    assert (result.verdict, result.limit) == ("unknown", "interrupted")
    assert_bounds(result)
    assert andorra.solve("hex:3").verdict == "proven"


@pytest.mark.parametrize("algorithm", GENERAL)
def test_stop_ends_a_search_from_another_thread(algorithm: str, tmp_path: Path) -> None:
    asked = threading.Event()
    results: list[andorra.Result] = []

    def search() -> None:
        results.append(
            andorra.solve(
                ENDLESS,
                question="value",
                algorithm=algorithm,
                memory="4GiB",
                certificate=tmp_path / "file",
                stop=asked.is_set,
            )
        )

    thread = threading.Thread(target=search)
    thread.start()
    asked.set()
    thread.join()
    (result,) = results
    assert (result.verdict, result.limit, result.certificate) == ("unknown", "interrupted", None)
    assert list(tmp_path.iterdir()) == []


def test_what_stop_says_and_raises() -> None:
    def failing() -> bool:
        raise StopHereError

    def interrupted() -> bool:
        raise KeyboardInterrupt

    with pytest.raises(StopHereError):
        andorra.solve(ENDLESS, memory="64MiB", stop=failing)
    assert andorra.solve(ENDLESS, memory="64MiB", stop=interrupted).limit == "interrupted"
    never = andorra.solve(ENDLESS, memory="64MiB", nodes=10_000, stop=lambda: False)
    assert (never.limit, never.statistics["nodes"]) == ("nodes", 10_000)


def test_other_signals_raise_what_their_handlers_raise() -> None:
    def handler(number: int, frame: object) -> None:
        raise StopHereError(number)

    old = signal.signal(signal.SIGUSR1, handler)
    try:
        with pytest.raises(StopHereError):
            andorra.solve(ENDLESS, memory="64MiB", progress=SignalSoon(signal.SIGUSR1))
    finally:
        signal.signal(signal.SIGUSR1, old)
    assert andorra.solve("hex:3").verdict == "proven"


def test_other_threads_run_and_solve_during_a_search() -> None:
    ended = threading.Event()
    came_out: list[str] = []

    def poll(event: Progress) -> None:
        if ended.is_set():
            raise StopHereError

    def search() -> None:
        try:
            andorra.solve(ENDLESS, memory="64MiB", progress=poll)
        except StopHereError:
            came_out.append("stopped")

    thread = threading.Thread(target=search)
    thread.start()
    assert andorra.solve("mnk:3,3,3").verdict == "disproven"
    assert thread.is_alive()
    ended.set()
    thread.join()
    assert came_out == ["stopped"]


# ---- imports ----


def loaded_by(statement: str) -> set[str]:
    """The modules that a fresh interpreter has after a statement."""
    program = f"{statement}; import sys; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def test_the_package_loads_little() -> None:
    loaded = loaded_by("import andorra")
    assert "andorra" in loaded
    assert not loaded & {"click", "rich", "numba", "numpy", "andorra._core", "andorra.cli"}


def test_the_trusted_checker_loads_nothing_of_the_core() -> None:
    loaded = loaded_by("import andorra.checker")
    assert "andorra.rulebook" in loaded
    strangers = {"andorra._core", "andorra.api", "andorra.options", "andorra.reference"}
    assert not loaded & ({"click", "rich", "numba", "numpy"} | strangers)


def test_checking_loads_nothing_of_the_core(tmp_path: Path) -> None:
    andorra.solve("mnk:3,3,3", question="value", certificate=tmp_path / "file")
    loaded = loaded_by(f"import andorra; andorra.check({str(tmp_path / 'file')!r})")
    assert not loaded & {"andorra._core", "andorra.api", "click", "rich", "numba"}


def test_solving_loads_no_command_line_and_no_numba() -> None:
    loaded = loaded_by("import andorra; andorra.solve('hex:2')")
    assert "andorra._core" in loaded
    assert not loaded & {"click", "rich", "numba", "numpy", "andorra.cli"}


def test_every_public_name_is_there() -> None:
    for name in andorra.__all__:
        assert getattr(andorra, name) is not None
        assert name in dir(andorra)
    with pytest.raises(AttributeError, match="'solv'"):
        andorra.solv  # noqa: B018
