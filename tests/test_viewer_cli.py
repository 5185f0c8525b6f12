"""`andorra view` as a command: what it opens, what it refuses, how it ends."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import pytest

from andorra.cli import view
from andorra.cli.main import main
from viewer_kit import FORK, certificate


@contextmanager
def running(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command in a process of its own, and the link that it prints."""
    code = "import sys; from andorra.cli.main import main; sys.exit(main())"
    command = [sys.executable, "-c", code, "view", "--no-browser", *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as process:
        try:
            assert process.stdout is not None
            said = process.stdout.readline()
            assert said.startswith("Open http://"), said
            yield process, said.removeprefix("Open ").strip()
        finally:
            process.kill()


def opened(url: str) -> dict[str, Any]:
    """What the page would show first, with the cookie that the link sets."""
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
    with opener.open(url, timeout=60) as answer:
        assert b"/page/main.js" in answer.read()
    with opener.open(url.partition("?")[0] + "api/hello", timeout=60) as answer:
        found: dict[str, Any] = json.load(answer)["opened"]
    return found


def test_a_game_is_served_until_ctrl_c() -> None:
    with running("tsume", "7nk/9/6G2/9/9/9/9/9/9 b 2G 1") as (process, url):
        assert url.startswith("http://127.0.0.1:")
        assert opened(url) == {"game": "tsume", "position": "7nk/9/6G2/9/9/9/9/9/9 b 2G 1"}
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
        assert process.stderr is not None
        assert process.stderr.read() == ""


def test_other_addresses_are_served_with_a_warning() -> None:
    with running("--host", "0.0.0.0") as (process, _):
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
        assert process.stderr is not None
        assert "warning: 0.0.0.0 can be reached from other machines" in process.stderr.read()


class Served:
    """Stands for the server: keeps what would have been served."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from andorra.viewer import server

        monkeypatch.setattr(server.Server, "run", lambda this, ready=None: self.keep(this))

    def keep(self, server: Any) -> None:
        self.viewer = server.viewer
        server._socket.close()


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    found = Served(monkeypatch)
    yield found
    if hasattr(found, "viewer"):
        found.viewer.close()


def test_certificates_results_and_graphs_are_opened(served: Served, tmp_path: Path) -> None:
    file = certificate(tmp_path, "mnk:3,3,3", "xx./oo./...")
    assert main(["view", str(file)]) == 0
    assert list(served.viewer.library.certificates) == [served.viewer.opened["certificate"]]
    served.viewer.close()
    runs = tmp_path / "runs.jsonl"
    runs.write_text('{"kind": "run", "setting": "a", "verdict": "proven"}\n', encoding="utf-8")
    assert main(["view", str(runs)]) == 0
    assert list(served.viewer.library.results) == [served.viewer.opened["results"]]
    served.viewer.close()
    graph = tmp_path / "fork.txt"
    graph.write_text(FORK, encoding="utf-8")
    assert main(["view", "graph", str(graph)]) == 0
    assert served.viewer.opened["position"] == "A"


def test_rules_of_ones_own(served: Served, tmp_path: Path) -> None:
    rules = tmp_path / "nim.py"
    rules.write_text(
        "from andorra import Game\n"
        "class Nim(Game):\n"
        "    name = 'nim'\n"
        "    def initial(self): return (3, 0)\n"
        "    def to_move(self, s): return s[1]\n"
        "    def moves(self, s): return [t for t in (1, 2) if t <= s[0]]\n"
        "    def play(self, s, m): return (s[0] - m, 1 - s[1])\n"
        "    def outcome(self, s): return None if s[0] else ('second', 'first')[s[1]]\n",
        encoding="utf-8",
    )
    assert main(["view", "nim", "--rules", f"{rules}:Nim"]) == 0
    assert served.viewer.games.own is not None
    assert served.viewer.opened == {"game": "nim", "position": None}


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["mnc"], 3, "did you mean 'mnk'?"),
        (["mnk:3,3,3", "x?"], 3, "expected 'x', 'o' or '.'"),
        (["graph"], 2, "needs its file"),
        (["graph", "missing.txt"], 3, "cannot open 'missing.txt'"),
        (["--rules", "nim.py:Nim"], 2, "name one"),
        (["missing.andorra"], 3, "there is no game 'missing.andorra'"),
        (["--port", "70000"], 2, "70000"),
        (["--host", "256.1.1.1"], 3, ""),
    ],
)
def test_what_is_refused(
    arguments: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["view", *arguments]) == code
    assert said in capsys.readouterr().err


def test_files_that_are_neither(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "other.txt"
    other.write_text("hello\n", encoding="utf-8")
    assert main(["view", str(other)]) == 3
    assert "no certificate" in capsys.readouterr().err
    assert main(["view", str(other), "x"]) == 2
    assert "is a file" in capsys.readouterr().err


def test_missing_packages_are_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, "andorra.viewer.server", raising=False)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert main(["view"]) == 2
    assert "pip install 'andorra[viewer]'" in capsys.readouterr().err
    assert view.command.name == "view"
