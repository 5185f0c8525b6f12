"""Several agents on one table: threads, agents that take turns, and searches that share a table.

Small positions with all options are in `test_algorithms.py`, graphs with cycles in `test_fuzz.py`.
"""

from __future__ import annotations

import signal
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import andorra
from andorra import NativeLibrary, OptionError, Progress, Result, RuleError, Table
from andorra.rulebook import make
from examiner import fast_check
from result_kit import assert_bounds, assert_consistent
from test_user_games import Race

ROOT = Path(__file__).parent.parent
NIM = ROOT / "docs" / "examples" / "nim.c"
ENDLESS = "mnk:7,7,5"
TEAMS: list[dict[str, Any]] = [{"threads": 2}, {"threads": 4}, {"agents": 3}, {"agents": 32}]
SCHEDULERS = next(
    option.range.split("|")
    for option in andorra.algorithms()["dfpn"].options
    if option.name == "scheduler"
)
CASES = [
    ("connect4:5x4", "win:first"),
    ("hex:4", "win:first"),
    ("breakthrough:4x4", "win:second"),
    ("loa:4", "win:first"),
]

every_scheduler = pytest.mark.parametrize("scheduler", SCHEDULERS)
every_search = pytest.mark.parametrize(
    "search", [*({"scheduler": name} for name in SCHEDULERS), {"algorithm": "pns"}], ids=str
)
every_team = pytest.mark.parametrize("team", TEAMS, ids=str)


def certified(path: Path, game: str, **settings: Any) -> Result:
    """The result of a search whose certificate both checkers accept."""
    result = andorra.solve(game, certificate=path, memory="64MiB", **settings)
    (part,) = andorra.check(path).parts
    assert part.verdict == result.verdict
    assert fast_check([path]) is None
    assert_consistent(make(game), result)
    return result


# ---- answers ----


@every_scheduler
@every_team
@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_teams_find_the_verdict_and_certify_it(
    case: tuple[str, str], scheduler: str, team: dict[str, Any], tmp_path: Path
) -> None:
    game, question = case
    result = certified(tmp_path / "file", game, question=question, scheduler=scheduler, **team)
    assert result.verdict == andorra.solve(game, question=question, memory="64MiB").verdict


@every_scheduler
@every_team
def test_each_agent_counts_for_itself(scheduler: str, team: dict[str, Any]) -> None:
    settings: dict[str, Any] = {"memory": "64MiB", "scheduler": scheduler, **team}
    counts = andorra.solve("connect4:5x4", question="win:first", **settings).statistics
    agents = counts["agents"]
    assert [len(agents)] == [*team.values()]
    for name in ("nodes", "expansions", "idle", "stops", "duplicated", "shared_steps"):
        # What extraction counts is nobody's.
        assert 0 <= sum(agent[name] for agent in agents) <= counts[name]
    assert all(agent["seconds_waited"] >= 0 for agent in agents)
    assert sum(agent["nodes"] for agent in agents) > 1000


def test_one_thread_has_no_agents() -> None:
    assert andorra.solve("hex:3").statistics["agents"] == []


@every_scheduler
def test_agents_that_take_turns_repeat_themselves(scheduler: str) -> None:
    def nodes(seed: int) -> int:
        settings: dict[str, Any] = {"memory": "64MiB", "scheduler": scheduler, "agents": 5}
        result = andorra.solve("connect4:5x4", question="win:first", seed=seed, **settings)
        return int(result.statistics["nodes"])

    assert nodes(1) == nodes(1)
    assert nodes(1) != nodes(2)


@every_team
def test_teams_that_exchange_numbers_all_the_time_find_the_verdict(
    team: dict[str, Any], tmp_path: Path
) -> None:
    result = certified(tmp_path / "file", "connect4:5x4", question="win:first", exchange=1, **team)
    assert result.verdict == "disproven"


def test_only_agents_that_are_several_exchange_numbers() -> None:
    def nodes(agents: int, exchange: int) -> int:
        settings: dict[str, Any] = {"memory": "64MiB", "agents": agents, "exchange": exchange}
        result = andorra.solve("connect4:5x4", question="win:first", **settings)
        return int(result.statistics["nodes"])

    assert nodes(1, 0) == nodes(1, 1)
    assert nodes(2, 0) != nodes(2, 1)


# ---- limits ----


@every_search
@pytest.mark.parametrize("threads", [2, 5])
def test_the_limit_of_nodes_is_for_all_together(search: dict[str, Any], threads: int) -> None:
    settings: dict[str, Any] = {"memory": "64MiB", "threads": threads, **search}
    result = andorra.solve(ENDLESS, nodes=50_000, **settings)
    assert (result.verdict, result.limit) == ("unknown", "nodes")
    assert 50_000 <= result.statistics["nodes"] < 50_000 + threads * 1024
    assert_bounds(result)


def test_a_root_that_is_solved_keeps_its_reasons_when_others_reach_the_limit(
    tmp_path: Path,
) -> None:
    """The other takes turns after one has solved it, and may visit the last node allowed."""
    settings: dict[str, Any] = {"question": "win:first", "agents": 2}
    needed = searched(certified(tmp_path / "0.andorra", "mnk:3,3,3", **settings))
    reached = 0
    for limit in range(needed - 46, needed + 1):
        path = tmp_path / f"{limit}.andorra"
        result = certified(path, "mnk:3,3,3", nodes=limit, **settings)
        reached += searched(result) >= limit
    assert reached > 0


def searched(result: Result) -> int:
    """Nodes that all agents have visited, without those of the certificate."""
    return sum(agent["nodes"] for agent in result.statistics["agents"])


@every_search
def test_the_limit_of_seconds_and_progress_with_threads(search: dict[str, Any]) -> None:
    events: list[Progress] = []
    settings: dict[str, Any] = {"memory": "64MiB", "threads": 2, **search}
    result = andorra.solve(ENDLESS, seconds=0.5, progress=events.append, **settings)
    assert (result.verdict, result.limit) == ("unknown", "seconds")
    assert events
    assert all(0 < event.nodes <= result.statistics["nodes"] for event in events)
    assert [event.nodes for event in events] == sorted(event.nodes for event in events)


@every_search
def test_ctrl_c_ends_all_threads(search: dict[str, Any]) -> None:
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    timer.start()
    settings: dict[str, Any] = {"memory": "64MiB", "threads": 3, **search}
    result = andorra.solve(ENDLESS, **settings)
    assert (result.verdict, result.limit) == ("unknown", "interrupted")
    assert_bounds(result)
    assert andorra.solve("hex:3", threads=3).verdict == "proven"


@every_search
def test_ctrl_c_in_a_callback_ends_all_threads(search: dict[str, Any]) -> None:
    def interrupt(event: Progress) -> None:
        signal.raise_signal(signal.SIGINT)

    settings: dict[str, Any] = {"memory": "64MiB", "threads": 3, **search}
    result = andorra.solve(ENDLESS, progress=interrupt, **settings)
    assert (result.verdict, result.limit) == ("unknown", "interrupted")
    assert_bounds(result)


@every_search
@pytest.mark.parametrize("callback", ["progress", "stop"])
def test_what_a_callback_raises_ends_all_threads(search: dict[str, Any], callback: str) -> None:
    def fail(*_: object) -> bool:
        raise LookupError("on purpose")

    settings: dict[str, Any] = {"memory": "64MiB", "threads": 3, **search}
    with pytest.raises(LookupError, match="on purpose"):
        andorra.solve(ENDLESS, **settings | {callback: fail})


# ---- users' games ----


def test_rules_in_python_say_that_they_cannot_gain() -> None:
    with pytest.raises(OptionError, match="threads=2: Python runs rules that are a Python class"):
        andorra.solve(Race(), threads=2)
    result = andorra.solve(Race(), threads=0)
    assert (result.verdict, result.statistics["agents"]) == ("proven", [])
    assert andorra.solve(Race(), agents=3).verdict == "proven"


def library(folder: Path, source: str) -> NativeLibrary:
    """A game in C, compiled by the system's compiler."""
    (folder / "game.c").write_text(source, encoding="utf-8")
    command = ["cc", "-std=c11", "-O2", "-shared", "-fPIC", f"-I{ROOT / 'core'}"]
    subprocess.run([*command, str(folder / "game.c"), "-o", str(folder / "game.so")], check=True)
    return NativeLibrary(folder / "game.so")


@every_scheduler
def test_rules_in_c_run_in_threads(scheduler: str, tmp_path: Path) -> None:
    game = library(tmp_path, NIM.read_text(encoding="utf-8"))
    settings: dict[str, Any] = {"threads": 3, "scheduler": scheduler, "memory": "8MiB"}
    result = andorra.solve(game, "5,6,7 x", certificate=tmp_path / "file", **settings)
    assert (result.verdict, len(result.statistics["agents"])) == ("proven", 3)
    assert andorra.check(tmp_path / "file", game=game).own_rules


@every_scheduler
@pytest.mark.parametrize("team", [{"threads": 3}, {"agents": 3}], ids=str)
def test_rules_that_fail_in_one_thread_end_all(
    scheduler: str, team: dict[str, Any], tmp_path: Path
) -> None:
    first = "  int32_t count = 0;\n"
    sound = NIM.read_text(encoding="utf-8")
    broken = sound.replace(first, f"{first}  if (state[0] + state[1] + state[2] == 9) return 0;\n")
    assert broken != sound
    game = library(tmp_path, broken)
    with pytest.raises(RuleError, match="expand"):
        andorra.solve(game, "5,6,7 x", scheduler=scheduler, memory="8MiB", **team)


# ---- one table for several searches ----


def after(position: str, game: str) -> list[str]:
    """The positions one move later."""
    rules = make(game)
    state = rules.parse(position)
    return [rules.format(rules.play(state, move)) for move in rules.moves(state)]


def test_searches_of_different_roots_share_a_table(tmp_path: Path) -> None:
    game = "connect4:5x4"
    rules = make(game)
    roots = [r for one in after(rules.format(rules.initial()), game) for r in after(one, game)]
    settings: dict[str, Any] = {"question": "win:first", "memory": "64MiB"}
    alone = [andorra.solve(game, root, **settings) for root in roots]
    table = Table(game, memory="64MiB")

    def search(number: int) -> Result:
        path = tmp_path / str(number)
        return andorra.solve(game, roots[number], certificate=path, table=table, **settings)

    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(search, range(len(roots))))
    assert [result.verdict for result in together] == [result.verdict for result in alone]
    assert fast_check([tmp_path / str(number) for number in range(len(roots))]) is None
    for result in together:
        assert_consistent(rules, result)
    nodes = [sum(r.statistics["nodes"] for r in results) for results in (alone, together)]
    assert nodes[1] < nodes[0]
    assert table.used > 0


@pytest.mark.parametrize(
    "team", [{"threads": 2}, *({"algorithm": name} for name in andorra.algorithms())]
)
def test_a_table_serves_both_sides_and_every_algorithm(team: dict[str, Any]) -> None:
    table = Table("mnk:3,3,3", memory="4MiB")
    for _ in range(2):
        result = andorra.solve("mnk:3,3,3", question="value", table=table, memory="4MiB", **team)
        assert result.value == "draw"


def test_a_table_is_for_one_game() -> None:
    table = Table("mnk:3,3,3", memory="4MiB")
    with pytest.raises(OptionError, match="the table is for mnk:3,3,3, not for mnk:4,3,3"):
        andorra.solve("mnk:4,3,3", table=table)
    mine = Table(Race(), memory="4MiB")
    with pytest.raises(OptionError, match="the table is for race, not for race"):
        andorra.solve(Race(), table=mine)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"table_entries": 100}, "option table_entries: a table that was given is as it is"),
        ({"gc": "both"}, "option gc: a table that was given is as it is"),
        ({"unsafe": True, "ghi": "off"}, "unsafe=true: what is found may be wrong"),
    ],
)
def test_settings_that_do_not_go_with_a_table(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        andorra.solve("loa:3", table=Table("loa:3", memory="4MiB"), **settings)
