"""What a kill has left is removed by the next run; what is alive is not."""

from __future__ import annotations

import fcntl
import os
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import andorra
from andorra import leftovers
from andorra.certificate import Certificate, Entry, Part

WON = "xx./oo./..."
HELD = """
import signal, sys
from pathlib import Path
from andorra import leftovers
{make}
print("held", flush=True)
signal.pause()
"""
FILE = "held = leftovers.create(Path({folder!r}), leftovers)"
FOLDER = "held = leftovers.Folder('view')\n(held.path / 'file').touch()"


@pytest.fixture(autouse=True)
def another_process(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Each test looks through all folders anew, and has its own temporary folder."""
    monkeypatch.setattr(leftovers, "_CLEAN", set())
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def holder(make: str, folder: Path) -> subprocess.Popen[str]:
    """A process that holds a file or a folder until it is killed."""
    process = subprocess.Popen(
        [sys.executable, "-c", HELD.format(make=make.format(folder=str(folder)))],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"TMPDIR": str(folder)},
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def end(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGKILL)
    process.communicate()


def names(folder: Path) -> set[str]:
    return {each.name for each in folder.iterdir()}


def test_files_of_the_dead_are_removed_and_those_of_the_living_stay(tmp_path: Path) -> None:
    living, dead = holder(FILE, tmp_path), holder(FILE, tmp_path)
    assert len(names(tmp_path)) == 2
    end(dead)
    andorra.solve("mnk:3,3,3", WON, certificate=tmp_path / "proof")
    assert len(names(tmp_path)) == 2
    (left,) = names(tmp_path) - {"proof"}
    assert left.startswith(".andorra-") and left.endswith(".part")
    end(living)
    leftovers._CLEAN.clear()
    andorra.solve("mnk:3,3,3", WON, certificate=tmp_path / "proof")
    assert names(tmp_path) == {"proof"}


def test_folders_of_the_dead_are_removed_and_those_of_the_living_stay(tmp_path: Path) -> None:
    living, dead = holder(FOLDER, tmp_path), holder(FOLDER, tmp_path)
    end(dead)
    with leftovers.Folder("view") as mine, leftovers.Folder("study") as other:
        assert len(names(tmp_path)) == 3
        assert mine.path.is_dir() and other.path.is_dir()
    assert len(names(tmp_path)) == 1
    end(living)
    with leftovers.Folder("view") as mine:
        assert names(tmp_path) == {mine.path.name}
    assert names(tmp_path) == set()


def test_a_killed_writer_leaves_nothing_for_long(tmp_path: Path) -> None:
    code = (
        "import os, signal\nimport andorra\nfrom andorra.certificate import Writer\n"
        "Writer.head = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        f"andorra.solve('mnk:3,3,3', {WON!r}, certificate={str(tmp_path / 'proof')!r})"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False)
    assert done.returncode == -signal.SIGKILL
    assert len(names(tmp_path)) == 1
    result = andorra.solve("mnk:3,3,3", WON, certificate=tmp_path / "proof")
    assert result.certificate is not None
    assert names(tmp_path) == {"proof"}


def test_what_is_not_ours_stays(tmp_path: Path) -> None:
    """Of another machine, another name, or no file at all."""
    mine = leftovers._machine()
    (tmp_path / ".andorra-00000000-0123456789abcdef.part").touch()
    (tmp_path / f".andorra-{mine}-0123456789abcdef.andorra").touch()
    (tmp_path / "andorra-view-00000000-abc").mkdir()
    (tmp_path / f".andorra-{mine}-0123456789abcdef.part").symlink_to(tmp_path / "target")
    (tmp_path / f"andorra-view-{mine}-abc").symlink_to(tmp_path)
    (tmp_path / f"andorra-view-{mine}-def").touch()
    os.mkfifo(tmp_path / f".andorra-{mine}-fedcba9876543210.part")
    before = names(tmp_path)
    leftovers.remove_files(tmp_path)
    leftovers.Folder("view").cleanup()
    assert names(tmp_path) == before


def test_who_finds_a_file_before_it_is_locked_costs_it_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flock = fcntl.flock
    made: list[set[str]] = []

    def found_first(descriptor: int, operation: int) -> None:
        made.append(names(tmp_path))
        if len(made) == 1:
            for each in tmp_path.iterdir():
                each.unlink()
        flock(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", found_first)
    path, file = leftovers.create(tmp_path, leftovers)
    assert [len(each) for each in made] == [1, 1] and made[0] != made[1]
    assert names(tmp_path) == {path.name}
    file.close()


def test_who_finds_a_folder_before_it_is_opened_costs_it_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mkdtemp = tempfile.mkdtemp
    made: list[str] = []

    def found_first(prefix: str) -> str:
        made.append(mkdtemp(prefix=prefix))
        if len(made) == 1:
            leftovers._remove_if_free(Path(made[0]), stat.S_ISDIR)
        return made[-1]

    monkeypatch.setattr(tempfile, "mkdtemp", found_first)
    with leftovers.Folder("view") as mine:
        assert len(made) == 2
        assert names(tmp_path) == {mine.path.name} == {Path(made[1]).name}
    assert names(tmp_path) == set()


def test_a_finder_who_comes_too_late_removes_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file that it has locked is gone, and another has the name."""
    path, file = leftovers.create(tmp_path, leftovers)
    file.close()
    flock = fcntl.flock

    def replaced_before(descriptor: int, operation: int) -> None:
        (tmp_path / "new").write_text("another")
        (tmp_path / "new").rename(path)
        flock(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", replaced_before)
    leftovers.remove_files(tmp_path)
    assert path.read_text() == "another"


INTERRUPTED = (Path(leftovers.__file__), Path(andorra.certificate.__file__))


def interrupted_at(line: int, solve: Callable[[], object]) -> int:
    """How many lines of the writer were run before Ctrl-C came, or all of them."""
    begun = 0

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal begun
        if Path(frame.f_code.co_filename) not in INTERRUPTED:
            return None
        if event == "line":
            begun += 1
            if begun == line:
                raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        solve()
    except KeyboardInterrupt:
        pass
    finally:
        sys.settrace(before)
    return begun


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_ctrl_c_at_any_line_of_the_writer_leaves_nothing(tmp_path: Path) -> None:
    leftovers.remove_files(tmp_path)
    entry = Entry("=", "xx./oo.", "c1", rank=1, plies=None)
    part = Part("win", "first", None, "proven", (entry,))
    proof = Certificate("mnk:3,2,3", None, "xx./oo.", "win", (part,))

    def write() -> None:
        andorra.certificate.write(tmp_path / "proof", proof)

    lines = interrupted_at(0, write)
    assert lines > 40
    for line in range(1, lines + 1):
        (tmp_path / "proof").unlink(missing_ok=True)
        assert interrupted_at(line, write) >= line
        assert names(tmp_path) <= {"proof"}, f"line {line}"


def test_without_locks_nothing_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, file = leftovers.create(tmp_path, leftovers)
    file.close()

    def none(descriptor: int, operation: int) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr(fcntl, "flock", none)
    leftovers.remove_files(tmp_path)
    andorra.solve("mnk:3,3,3", WON, certificate=tmp_path / "proof")
    assert names(tmp_path) == {path.name, "proof"}


def test_a_folder_that_cannot_be_looked_through(tmp_path: Path) -> None:
    leftovers.remove_files(tmp_path / "missing")
    assert names(tmp_path) == set()
