"""The viewer's answers: positions, searches, walks, lines as text, results."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import andorra
from andorra.certificate import read
from andorra.rulebook import GAMES, make
from andorra.rulebook.tsume import Tsume
from andorra.viewer import searches
from andorra.viewer.subjects import Games
from andorra.walk import main_line
from viewer_kit import COVERED, FORK, MATE, Client, certificate, until, viewing


@pytest.fixture
def page() -> Iterator[Client]:
    """A page of a viewer that has nothing open."""
    with viewing() as client:
        yield client


# ---- the page itself ----


def test_the_page_and_all_that_it_loads_is_there(page: Client) -> None:
    text = page.raw.get("/").text
    assert "/page/main.js" in text
    folder = Path(andorra.__file__).parent / "viewer" / "page"
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert len(files) > 15
    for path in files:
        answer = page.raw.get(f"/page/{path.relative_to(folder).as_posix()}")
        assert answer.status_code == 200
        assert answer.content == path.read_bytes()


def test_the_page_names_nothing_elsewhere() -> None:
    folder = Path(andorra.__file__).parent / "viewer" / "page"
    for path in folder.rglob("*"):
        if path.is_file():
            text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
            assert "http:" not in text and "https:" not in text and "//cdn" not in text, path


def test_every_game_has_a_drawing() -> None:
    folder = Path(andorra.__file__).parent / "viewer" / "page" / "boards"
    listed = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.js"))
    for name in GAMES:
        assert f'"{name}"' in listed, f"no board in page/boards/ draws {name}"


def test_hello_lists_games_algorithms_and_options(page: Client) -> None:
    hello = page.get("hello")
    assert {game["name"] for game in hello["games"]} == set(andorra.games())
    assert {each["name"] for each in hello["algorithms"]} == set(andorra.algorithms())
    assert hello["version"] == andorra.__version__


# ---- positions ----


@pytest.mark.parametrize("name", [name for name in GAMES if name != "graph"])
def test_positions_of_every_game(page: Client, name: str) -> None:
    game = make(name)
    found = page.post("position", game=name)
    state = game.initial()
    assert found["position"] == game.format(state)
    assert found["moves"] == [game.format_move(state, move) for move in game.moves(state)][:2000]
    after = page.post("position", game=name, moves=found["moves"][:1])
    again = page.post("position", game=name, position=after["position"])
    assert again == after


def test_graphs_come_as_text(page: Client) -> None:
    found = page.post("position", game="graph", data=FORK)
    assert (found["position"], found["moves"]) == ("A", ["B", "L"])
    assert {node["name"] for node in found["extra"]["nodes"]} == set("ABCDEFWL")


def test_a_bad_position_is_quoted(page: Client) -> None:
    code, said = page.refused("position", game="mnk:3,3,3", position="xx?/.../...")
    assert code == 400
    assert "expected 'x', 'o' or '.' here" in said and "^" in said


def test_an_illegal_move_is_quoted(page: Client) -> None:
    code, said = page.refused("position", game="mnk:3,3,3", moves=["a1", "a1"])
    assert code == 400 and said.startswith("move 2: 'a1' is no legal move")


# ---- searches ----


def test_a_search_tells_its_answer_and_can_be_walked(page: Client) -> None:
    row = page.solved(game="mnk:3,3,3", position="xx./oo./...", certificate=True)
    assert (row["verdict"], row["best_move"]) == ("proven", "c1")
    about = page.get(f"certificates/{row['certificate']}")
    assert about["parts"][0] | {"entries": 1} == {
        "question": "win:first",
        "prover": "first",
        "within": None,
        "verdict": "proven",
        "holder": "first",
        "entries": 1,
    }
    saved = page.raw.get(f"/api/certificates/{row['certificate']}/file").content
    assert saved.startswith(b"andorra certificate 1\n")


def test_the_answer_is_the_command_lines(page: Client) -> None:
    asked: dict[str, Any] = {"algorithm": "pns", "options": {"form": "dag"}, "nodes": 50_000}
    row = page.solved(game="connect4:4x4", question="win:first", **asked)
    result = andorra.solve("connect4:4x4", question="win:first", algorithm="pns", form="dag")
    assert (row["verdict"], row["nodes"]) == (result.verdict, result.statistics["nodes"])


def test_value_and_shortest(page: Client) -> None:
    assert page.solved(game="mnk:3,3,3", value=True)["value"] == "draw"
    row = page.solved(game="tsume", position=COVERED, shortest=True)
    assert (row["verdict"], row["length"]) == ("proven", 7)


def test_several_problems_become_rows(page: Client) -> None:
    problems = "x../.../...  # a corner\n\n.../.?./...\n.../.x./...\n"
    search = page.post("searches", game="hex:3", problems=problems, question="win:first")
    rows = [row for news in page.news(search["id"]) for row in news["rows"]]
    assert [row.get("verdict") for row in rows] == ["disproven", None, "proven"]
    assert "'.'" in rows[1]["error"] and "^" in rows[1]["error"]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"game": "mnc:3,3,3"}, "did you mean 'mnk'?"),
        ({"game": "mnk:9,9,9"}, "m*n at most 64"),
        ({"game": "graph:/etc/passwd"}, "graph"),
        ({"game": "graph"}, "takes its rules as data"),
        ({"game": "mnk:3,3,3", "position": "x"}, "ends too early"),
        ({"game": "mnk:3,3,3", "question": "wins"}, "cannot read the question 'wins'"),
        ({"game": "mnk:3,3,3", "algorithm": "dfpm"}, "did you mean 'dfpn'?"),
        ({"game": "mnk:3,3,3", "options": {"epsilonn": "1"}}, "did you mean 'epsilon'?"),
        ({"game": "mnk:3,3,3", "options": {"certificate": "/tmp/x"}}, "no option 'certificate'"),
        ({"game": "mnk:3,3,3", "options": {"progress": "x"}}, "no option 'progress'"),
        ({"game": "mnk:3,3,3", "options": {"epsilon": 1}}, "expected a text"),
        ({"game": "mnk:3,3,3", "nodes": 0}, "nodes=0"),
        ({"game": "mnk:3,3,3", "nodes": 1.5}, "whole number"),
        ({"game": "mnk:3,3,3", "nodes": True}, "whole number"),
        ({"game": "mnk:3,3,3", "seconds": -1}, "positive"),
        ({"game": "mnk:3,3,3", "memory": "900TiB"}, "this machine has"),
        ({"game": "mnk:3,3,3", "memory": "lots"}, "cannot read the memory"),
        ({"game": "mnk:3,3,3", "threads": 100_000}, "from 1 to 1024"),
        ({"game": "mnk:3,3,3", "value": True, "question": "win"}, "leave out"),
        ({"game": "mnk:3,3,3", "certificate": "/tmp/x"}, "expected true or false"),
        ({"game": "mnk:3,3,3", "certficate": True}, "did you mean 'certificate'?"),
        ({"game": "mnk:3,3,3", "problems": "# none\n"}, "0 problems"),
        ({}, "'game' is missing"),
    ],
)
def test_requests_are_checked_as_the_command_line_checks(
    page: Client, fields: dict[str, Any], said: str
) -> None:
    found = page.raw.post("/api/searches", json=fields)
    if found.status_code == 200:  # what only the search itself finds out
        last = page.news(found.json()["id"])[-1]
        assert last["state"] == "failed" and said in last["error"]
    else:
        assert found.status_code == 400 and said in found.json()["error"]


ENDLESS = {"game": "connect4:7x6", "memory": "64MiB", "threads": 1}


def test_one_search_at_a_time_which_can_be_stopped(page: Client) -> None:
    first = page.post("searches", **ENDLESS)["id"]
    assert page.refused("searches", **ENDLESS) == (409, "a search is running; stop it first")
    assert page.get("hello")["running"] == first
    page.post(f"searches/{first}/stop")
    last = page.news(first)[-1]
    assert last["state"] == "done"
    assert last["rows"][0]["limit"] == "interrupted"
    page.solved(game="mnk:3,3,3")


def test_a_search_that_nobody_watches_ends(page: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searches, "GRACE", 0.1)
    search = page.viewer.searches
    name = page.post("searches", **ENDLESS)["id"]
    found = search.get(name)
    assert found is not None
    until(lambda: found.state == "done")
    assert found.rows[0]["limit"] == "interrupted"


def test_history_is_bounded_and_whole_at_the_start(page: Client) -> None:
    name = page.post("searches", **ENDLESS)["id"]
    found = page.viewer.searches.get(name)
    assert found is not None
    until(lambda: len(found.snapshot(True, 0)["points"]) >= 2)
    found.stop()
    news = page.news(name)
    assert len(news[0]["points"]) >= 2
    assert all(len(each["points"]) <= 1 for each in news[1:])


# ---- walking ----


def test_nodes_follow_the_strategy(tmp_path: Path) -> None:
    file = certificate(tmp_path, "mnk:3,3,3", "x../.../..o", question="win")
    known = read(file)
    line = main_line(known, known.parts[0])
    with viewing(file) as page:
        name = page.get("hello")["opened"]["certificate"]
        moves: list[str] = []
        for step in line.steps:
            node = page.post(f"certificates/{name}/node", moves=moves)
            assert (node["position"], node["side"]) == (step.position, step.side)
            assert node["answer"] == (step.entry.move if step.entry else None)
            ranks = [child["rank"] for child in node["children"]]
            assert ranks == sorted(ranks, reverse=True)
            assert node["children"][0]["move"] == step.move
            moves.append(step.move)
        node = page.post(f"certificates/{name}/node", moves=moves)
        assert (node["ending"], node["children"]) == ("first", [])
        found = page.post(f"certificates/{name}/line")
        assert (found["moves"], found["ending"]) == (moves, "first")


def test_a_link_to_a_deep_place_needs_no_places_before_it(tmp_path: Path) -> None:
    file = certificate(tmp_path, "connect4:4x4", question="win:first")
    known = read(file)
    line = [step.move for step in main_line(known, known.parts[0]).steps]
    with viewing(file) as page:
        name = page.get("hello")["opened"]["certificate"]
        node = page.post(f"certificates/{name}/node", moves=line)
        assert node["ending"] is not None


def test_the_shortest_line_is_no_longer_than_any(tmp_path: Path) -> None:
    file = certificate(tmp_path, "tsume", COVERED)
    with viewing(file) as page:
        name = page.get("hello")["opened"]["certificate"]
        longest = page.post(f"certificates/{name}/line")
        shortest = page.post(f"certificates/{name}/line", shortest=True)
        assert shortest["exact"] and shortest["ending"] == "first"
        assert 1 <= len(shortest["moves"]) <= len(longest["moves"])


def test_positions_can_be_found(tmp_path: Path) -> None:
    file = certificate(tmp_path, "mnk:3,3,3", "x../.../..o", question="win")
    with viewing(file) as page:
        name = page.get("hello")["opened"]["certificate"]
        entry = read(file).parts[0].entries[-1].position
        found = page.post(f"certificates/{name}/find", position=entry)
        assert found == {"position": entry, "found": True, "plies": None}
        node = page.post(f"certificates/{name}/node", start=entry)
        assert node["position"] == entry and node["answer"]
        missing = page.post(f"certificates/{name}/find", position=".../.x./...")
        assert missing["found"] is False


def test_bounded_questions_count_plies(tmp_path: Path) -> None:
    file = certificate(tmp_path, "mnk:3,3,3", "x../.../..o", question="win:first<=5")
    with viewing(file) as page:
        name = page.get("hello")["opened"]["certificate"]
        root = page.post(f"certificates/{name}/node")
        assert root["plies"] == 5
        entry = read(file).parts[0].entries[-1]
        found = page.post(f"certificates/{name}/find", position=entry.position)
        assert found["found"] and found["plies"] is not None
        route = {"start": entry.position, "plies": found["plies"]}
        assert page.post(f"certificates/{name}/node", **route)["position"] == entry.position
        code, said = page.refused(f"certificates/{name}/node", start=entry.position)
        assert code == 400 and "plies" in said


def test_both_parts_of_a_draw(tmp_path: Path) -> None:
    file = certificate(tmp_path, "mnk:3,3,3", question="value")
    with viewing(file) as page:
        name = page.get("hello")["opened"]["certificate"]
        holders = [part["holder"] for part in page.get(f"certificates/{name}")["parts"]]
        assert holders == ["second", "first"]
        assert page.post(f"certificates/{name}/node", part=1)["answer"]
        assert page.refused(f"certificates/{name}/node", part=2)[0] == 404


def test_moves_that_the_strategy_does_not_make_are_refused(tmp_path: Path) -> None:
    file = certificate(tmp_path, "mnk:3,3,3", "xx./oo./...")
    with viewing(file) as page:
        name = page.get("hello")["opened"]["certificate"]
        code, said = page.refused(f"certificates/{name}/node", moves=["c3"])
        assert code == 400 and "the strategy plays 'c1'" in said
        code, said = page.refused(f"certificates/{name}/node", moves=["c1", "c2"])
        assert code == 400 and "the line is over" in said


# ---- lines as text ----


def test_lines_as_usi_and_kif(tmp_path: Path) -> None:
    file = certificate(tmp_path, "tsume", MATE)
    with viewing(file) as page:
        name = page.get("hello")["opened"]["certificate"]
        moves = page.post(f"certificates/{name}/line")["moves"]
        usi = page.post(f"certificates/{name}/export", moves=moves, form="usi")["text"]
        assert usi == f"position sfen {MATE} moves {' '.join(moves)}\n"
        kif = page.post(f"certificates/{name}/export", moves=moves, form="kif")["text"]
        tsume = make("tsume")
        assert tsume.format(tsume.parse(kif)) == MATE
        assert kif.splitlines()[-1].endswith("詰み")
        assert "手数----指手" in kif and f"   1 {wanted_kif(moves[0])}" in kif
        plain = page.post(f"certificates/{name}/export", moves=moves, form="moves")["text"]
        assert plain.endswith(f"moves {' '.join(moves)}\n")
        assert page.refused(f"certificates/{name}/export", moves=moves, form="pgn")[0] == 400


def wanted_kif(move: str) -> str:
    """A drop of gold in KIF, spelled out by hand."""
    assert move.startswith("G*")
    file, rank = (
        "０１２３４５６７８９"[int(move[2])],
        "一二三四五六七八九"["abcdefghi".index(move[3])],
    )
    return f"{file}{rank}金打"


def test_kif_spells_promotions_captures_and_promoted_pieces() -> None:
    from andorra.viewer.notation import written

    game = Tsume()
    state = game.read("3k5/9/4R4/9/9/9/9/9/8K b G 1")
    text = written(game, state, ["5c5a+"], "kif")
    assert text.splitlines()[-1] == "   1 ５一飛成(53)"
    state = game.read("4k4/4p4/4+N4/9/9/9/9/9/9 b - 1")
    moves = ["5c5b", "5a5b"]
    lines = written(game, state, moves, "kif").splitlines()
    assert lines[-2:] == ["   1 ５二成桂(53)", "   2 同　玉(51)"]


# ---- rules of one's own ----


def test_rules_of_ones_own_are_the_only_code_there_is(tmp_path: Path) -> None:
    class Nim(andorra.Game[tuple[int, int], int]):
        name = "nim"
        acyclic = True
        can_draw = False

        def initial(self) -> tuple[int, int]:
            return (5, 0)

        def to_move(self, state: tuple[int, int]) -> Any:
            return state[1]

        def moves(self, state: tuple[int, int]) -> list[int]:
            return [take for take in (1, 2, 3) if take <= state[0]]

        def play(self, state: tuple[int, int], move: int) -> tuple[int, int]:
            return (state[0] - move, 1 - state[1])

        def outcome(self, state: tuple[int, int]) -> Any:
            return None if state[0] else ("second" if state[1] == 0 else "first")

    with viewing(games=Games(Nim())) as page:
        row = page.solved(game="nim", certificate=True)
        assert (row["verdict"], row["best_move"]) == ("proven", "1")
        assert page.post(f"certificates/{row['certificate']}/node")["answer"] == "1"
        assert page.refused("position", game="nim", position="(")[0] == 400
    with viewing() as page:
        assert page.refused("position", game="nim")[0] == 400
