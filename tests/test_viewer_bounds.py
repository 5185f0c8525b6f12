"""What the viewer keeps is bounded, in memory and on disk, and any text can be answered."""

from __future__ import annotations

import json
import math
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

import andorra
from andorra.cli.main import main
from andorra.errors import CertificateError
from andorra.rulebook import make
from andorra.viewer import app as app_module
from andorra.viewer import results, searches
from andorra.viewer.answers import encoded
from andorra.viewer.app import Viewer
from andorra.viewer.entries import Room, StoredCertificate
from andorra.viewer.library import Library, OpenCertificate
from andorra.viewer.results import read_results
from andorra.viewer.strategies import open_certificate
from andorra.viewer.subjects import Games
from viewer_kit import Client, certificate, viewing

BROKEN = "a\ud800"


# ---- certificates ----


def kept(library: Library, count: int) -> list[Path]:
    """The files of certificates that searches have left."""
    paths = []
    for _ in range(count):
        paths.append(library.new_place())
        andorra.solve("mnk:3,3,3", question="win:first", certificate=paths[-1])
        library.keep(paths[-1], make("mnk:3,3,3"))
    return paths


def test_certificates_of_searches_share_the_disk(tmp_path: Path) -> None:
    one = OpenCertificate(certificate(tmp_path, "mnk:3,3,3", question="win:first"), "x", None)
    assert one.stored.certificate.game == "mnk:3,3,3"  # so all of it is on disk
    one.stored.part(0).find(b"")
    library = Library(Room(disk=3 * one.on_disk))
    one.stored.close()
    try:
        paths = kept(library, 6)
        assert 1 <= len(library.certificates) <= 4
        assert [path.exists() for path in paths[:2]] == [False, False]
        assert paths[-1].exists()
    finally:
        library.close()


def test_certificates_of_searches_share_the_memory() -> None:
    library = Library(Room(memory=1 << 20))
    try:
        kept(library, 3)
        for each in library.certificates.values():
            each.stored.indexed = 600_000
        assert library._are_too_many()
        kept(library, 1)
        assert len(library.certificates) == 2
    finally:
        library.close()


@pytest.mark.parametrize(
    ("room", "said"), [(Room(disk=1_000), "view --disk"), (Room(memory=100), "view --memory")]
)
def test_a_certificate_that_is_too_large_says_what_gives_more_room(
    room: Room, said: str, tmp_path: Path
) -> None:
    file = certificate(tmp_path, "mnk:3,3,3", question="win:first")

    def look() -> None:
        stored, _ = open_certificate(str(file), None, room)
        try:
            list(stored.part(0).find(b"no such position"))
        finally:
            stored.close()

    with pytest.raises(CertificateError, match=said):
        look()


def test_a_closed_certificate_reads_no_other_file(tmp_path: Path) -> None:
    file = certificate(tmp_path, "mnk:3,3,3", "xx./oo./...")
    stored = StoredCertificate(file, lambda head: lambda text: text)
    entries = stored.part(0)
    assert [entry.position for entry in entries.find(b"xx./oo./...")] == ["xx./oo./..."]
    stored.close()
    with pytest.raises(CertificateError, match="was closed"):
        list(entries.find(b"xx./oo./..."))


def test_files_are_sent_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app_module, "_PIECE", 16)
    file = certificate(tmp_path, "mnk:3,3,3", "xx./oo./...")
    with viewing(file) as page:
        name = page.viewer.opened["certificate"]
        assert page.raw.get(f"/api/certificates/{name}/file").content == file.read_bytes()
        page.viewer.library.certificates[name].path = tmp_path / "gone"
        assert page.raw.get(f"/api/certificates/{name}/file").status_code == 404


def test_places_on_a_long_line_take_no_square_of_its_length(tmp_path: Path) -> None:
    length = 2_500
    lines = [f"n{i}: or n{i + 1}" for i in range(length)]
    game = make("graph", "\n".join([*lines, f"n{length}: win"]))
    file = tmp_path / "long.andorra"
    andorra.solve(game, certificate=file, algorithm="fixpoint")
    opened = OpenCertificate(file, "long", game)
    walk = opened.walk(0)
    moves = tuple(f"n{i + 1}" for i in range(length))
    tracemalloc.start()
    try:
        assert walk.node((None, None, moves))["ending"] == "first"
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
        opened.stored.close()
    assert most < 8 * length * length // 4  # a list of the moves at each place takes twice that
    assert walk.node((None, None, moves[:-1]))["position"] == f"n{length - 1}"


# ---- searches ----


def test_answers_of_searches_are_forgotten_when_they_are_too_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with viewing() as page:
        first = page.post("searches", game="mnk:3,3,3")["id"]
        assert page.news(first)[-1]["state"] == "done"
        monkeypatch.setattr(searches, "MOST_BYTES", 10)
        page.solved(game="mnk:3,3,3")
        assert page.viewer.searches.get(first) is None


def test_too_many_problems_are_not_even_counted() -> None:
    with viewing() as page:
        code, said = page.refused("searches", game="hex:3", problems="x\n" * 100_000)
        assert (code, said) == (400, "more problems; expected 1 to 2,000, one a line")


# ---- any text ----


class Broken(andorra.Game[int, int]):
    """Rules whose texts UTF-8 cannot hold."""

    name = "broken"

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> Any:
        return 0

    def moves(self, state: int) -> list[int]:
        return [1] if state == 0 else []

    def play(self, state: int, move: int) -> int:
        return state + move

    def outcome(self, state: int) -> Any:
        return "first" if state else None

    def draw(self, state: int) -> str:
        return BROKEN


def test_texts_of_rules_that_are_broken_are_answered() -> None:
    with viewing(games=Games(Broken())) as page:
        assert page.post("position", game="broken")["picture"] == "a\ufffd"


def test_results_with_broken_texts_are_answered(tmp_path: Path) -> None:
    run = {"setting": BROKEN, "verdict": BROKEN, "game": BROKEN, "nodes": math.inf}
    path = tmp_path / "runs.jsonl"
    path.write_text(json.dumps(run | {"cpu_seconds": math.nan}) + "\n", encoding="utf-8")
    library = Library()
    viewer = Viewer(library, Games(), {"results": library.open_results(path)})
    try:
        found = Client(viewer).let_in().get(f"results/{viewer.opened['results']}")["runs"][0]
        assert (found["setting"], found["verdict"], found["game"]) == ("a\ufffd",) * 3
        assert (found["nodes"], found["seconds"]) == (None, None)
    finally:
        viewer.close()


def test_names_of_files_that_are_broken_are_answered(tmp_path: Path) -> None:
    file = certificate(tmp_path, "mnk:3,3,3", "xx./oo./...")
    with viewing(file) as page:
        name = page.viewer.opened["certificate"]
        page.viewer.library.certificates[name].title = b"\xff.andorra".decode(
            "utf-8", "surrogateescape"
        )
        page.viewer.opened["position"] = BROKEN
        assert page.get(f"certificates/{name}")["title"] == "\ufffd.andorra"
        assert page.get("hello")["opened"]["position"] == "a\ufffd"


def test_errors_that_quote_broken_texts_are_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: Any) -> Any:
        raise CertificateError(f"expected something else than {BROKEN}")

    with viewing() as page:
        monkeypatch.setattr(page.viewer.games, "make", failing)
        assert page.refused("position", game="x") == (400, "expected something else than a\ufffd")


def test_all_answers_are_json() -> None:
    strange = {"a": [math.nan, -math.inf, (1.5, "\udfff\ud800")], "b": "\U0001f600"}
    found = json.loads(encoded(strange))
    assert found == {"a": [None, None, [1.5, "\ufffd\ufffd"]], "b": "\U0001f600"}


# ---- files of results ----


def test_long_lines_and_long_texts_of_results_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(results, "LONGEST_LINE", 200)
    monkeypatch.setattr(results, "MOST_TEXT", 100)
    run = {"setting": "a", "verdict": "proven"}
    lines = [run, {"x": "y" * 1000} | run, run | {"game": "g" * 60}, run, {"x": 1}]
    path = tmp_path / "runs.jsonl"
    path.write_text("".join(f"{json.dumps(each)}\n" for each in lines), encoding="utf-8")
    found = read_results(path)
    assert [run["game"] for run in found["runs"]] == [""]
    assert (found["skipped"], found["left_out"]) == (2, 2)


@pytest.mark.parametrize("name", ["setting", "verdict", "game", "position", "question"])
def test_a_name_that_is_no_text_is_no_run(name: str, tmp_path: Path) -> None:
    run = {"setting": "a", "verdict": "proven", "game": "g"}
    path = tmp_path / "runs.jsonl"
    deep = "[" * 900 + "]" * 900
    odd = json.dumps(run | {name: "?"}).replace('"?"', deep)
    path.write_text(f"{json.dumps(run)}\n{odd}\n", encoding="utf-8")
    found = read_results(path)
    assert (len(found["runs"]), found["skipped"]) == (1, 1)


# ---- the command ----


def test_the_command_line_says_how_much(monkeypatch: pytest.MonkeyPatch) -> None:
    from andorra.viewer.server import Server

    served: list[Server] = []
    monkeypatch.setattr(Server, "run", lambda this, ready=None: served.append(this))
    assert main(["view", "--memory", "3MiB", "--disk", "2GiB"]) == 0
    viewer = served[0].viewer
    served[0]._socket.close()
    viewer.close()
    assert viewer.library.room == Room(3 << 20, 2 << 30)
    assert viewer.games.graphs.most == 3 << 20


@pytest.mark.parametrize("option", ["--memory", "--disk"])
def test_sizes_that_make_no_sense_are_wrong_usage(
    option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["view", option, "lots"]) == 2
    assert "cannot read the memory 'lots'" in capsys.readouterr().err
