"""A verdict outlives its certificate: full disks, limits on files, folders that go, Ctrl-C."""

from __future__ import annotations

import json
import os
import shutil
import signal
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import andorra
from andorra import leftovers
from andorra.cli.main import main
from andorra.errors import OutputError
from andorra.spool import Spool
from cli_kit import redirected

WON = "xx./oo./..."
FULL = "/dev/full"
SMALL_FILES = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, ({0}, {0}))"
"""Python ignores SIGXFSZ, so that a write past the limit is an error."""
GAME = "connect4:4x4"
"""Its certificate is larger than that, and a line of answers is not."""
QUESTIONS = ["win:first", "value", "shortest:first", "score"]


def full_file() -> Any:
    """A file that takes nothing."""
    return open(FULL, "wb", buffering=0)


def solved(folder: Path, **more: Any) -> andorra.Result:
    result = andorra.solve("mnk:3,3,3", WON, certificate=folder / "file", **more)
    assert result.certificate is None
    assert list(folder.iterdir()) == []
    return result


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Certificates go to a device that is always full."""
    create = leftovers.create

    def on_full_disk(folder: Path, owner: object) -> tuple[Path, Any]:
        path, file = create(folder, owner)
        file.close()
        return path, open(FULL, "wb")

    monkeypatch.setattr(leftovers, "create", on_full_disk)


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.usefixtures("full_disk")
def test_a_full_disk(question: str, tmp_path: Path) -> None:
    result = solved(tmp_path, question=question)
    said = f"cannot write {str(tmp_path / 'file')!r}: no space left on device"
    assert (result.verdict, result.limit, result.certificate_limit) == ("proven", None, said)


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_full_temporary_folder(
    question: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda **how: full_file())
    result = solved(tmp_path, question=question)
    assert (result.verdict, result.limit) == ("proven", None)
    said = f"cannot write to {tempfile.gettempdir()!r}: no space left on device"
    assert result.certificate_limit == said


def test_no_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(**how: object) -> None:
        raise FileNotFoundError(2, "No usable temporary directory found in ['/tmp']")

    monkeypatch.setattr(tempfile, "TemporaryFile", none)
    result = solved(tmp_path)
    assert result.verdict == "proven"
    assert "no usable temporary directory" in (result.certificate_limit or "")


def test_a_folder_that_goes_while_it_is_searched(tmp_path: Path) -> None:
    folder = tmp_path / "proofs"
    folder.mkdir()

    def gone() -> bool:
        shutil.rmtree(folder, ignore_errors=True)
        return False

    result = andorra.solve(GAME, certificate=folder / "file", stop=gone)
    assert (result.verdict, result.certificate) == ("disproven", None)
    assert result.certificate_limit == (
        f"cannot write {str(folder / 'file')!r}: no such file or directory"
    )
    assert not folder.exists()


def interrupts_at(number: int, call: Callable[..., Any]) -> Callable[..., Any]:
    """The function, with Ctrl-C during the call of this number."""
    calls = iter(range(number + 1_000_000))

    def function(*arguments: Any) -> Any:
        if next(calls) == number:
            signal.raise_signal(signal.SIGINT)
        return call(*arguments)

    return function


@pytest.mark.parametrize("on_interrupt", ["answer", "raise"])
@pytest.mark.parametrize("name", ["write", "head", "_finish"])
def test_ctrl_c_while_the_certificate_is_written(
    name: str, on_interrupt: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from andorra.certificate import Writer

    monkeypatch.setattr(Writer, name, interrupts_at(0, getattr(Writer, name)))
    if on_interrupt == "raise":
        with pytest.raises(KeyboardInterrupt):
            solved(tmp_path, on_interrupt="raise")
        assert list(tmp_path.iterdir()) == []
        return
    result = solved(tmp_path)
    assert (result.verdict, result.limit) == ("proven", None)
    assert result.certificate_limit == "interrupted"


def test_ctrl_c_while_entries_are_collected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Spool, "write", interrupts_at(0, Spool.write))
    result = solved(tmp_path)
    assert (result.verdict, result.certificate_limit) == ("proven", "interrupted")


def test_stop_while_the_certificate_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from andorra.certificate import Writer

    stopped: list[bool] = []
    head = Writer.head

    def stopping(this: Any, *arguments: Any) -> None:
        stopped.append(True)
        head(this, *arguments)

    monkeypatch.setattr(Writer, "head", stopping)
    result = solved(tmp_path, stop=lambda: bool(stopped), on_interrupt="raise")
    assert (result.verdict, result.certificate_limit) == ("proven", "interrupted")


def test_entries_that_come_after_a_failure_are_dropped() -> None:
    with closing(Spool()) as spool:
        assert list(spool.pieces()) == []
        spool.write(b"one\n")
        spool.close()
        spool._file = full_file()
        spool.write(b"two\n")
        assert spool.failure is not None
        spool.write(b"three\n")


@pytest.mark.parametrize("target", ["/dev/null", "/dev/full"])
def test_devices_are_not_replaced(
    target: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    for path in (target, str(fifo)):
        assert main(["solve", "mnk:3,3,3", WON, "--certificate", path]) == 2
        assert "is no file that a certificate could replace" in capsys.readouterr().err
        with pytest.raises(OSError, match="no file that a certificate could replace"):
            andorra.solve("mnk:3,3,3", WON, certificate=path)
        assert not Path(path).is_file()


# ---- on the command line ----


def on_small_files(*arguments: str, folder: Path, size: int = 2048) -> Any:
    before = SMALL_FILES.format(size)
    return redirected("", "solve", GAME, *arguments, cwd=folder, before=before)


@pytest.mark.parametrize("form", [[], ["--quiet"], ["--json"]])
@pytest.mark.parametrize(("question", "code"), [("win:first", 1), ("win:second", 1), ("value", 0)])
def test_a_limit_on_files(form: list[str], question: str, code: int, tmp_path: Path) -> None:
    asked = ["--value"] if question == "value" else ["--question", question]
    ran = on_small_files(*asked, *form, "--certificate", "file", folder=tmp_path)
    assert ran.returncode == code
    assert ran.stderr.startswith("no certificate: cannot write ")
    assert ran.stderr.endswith(": file too large\n")
    assert ("draw" if question == "value" else "disproven") in ran.stdout
    if form == ["--json"]:
        answer = json.loads(ran.stdout)
        assert answer["certificate"] is None
        assert answer["certificate_limit"] in ran.stderr
    assert list(tmp_path.iterdir()) == []


def test_many_positions_and_a_limit_on_files(tmp_path: Path) -> None:
    """All are answered and kept; what lacks its certificate is solved again when it is wanted."""
    (tmp_path / "two.txt").write_text("1\n2\n")
    asked = ["two.txt", "--quiet", "--resume", "kept", "--certificate", "proofs"]
    ran = on_small_files(*asked, folder=tmp_path, size=4096)
    assert (ran.returncode, len(ran.stdout.split())) == (0, 2)
    assert [line.partition(" cannot")[0] for line in ran.stderr.splitlines()] == [
        f"two.txt:{number}: no certificate:" for number in (1, 2)
    ]
    assert list((tmp_path / "proofs").iterdir()) == []
    ran = on_small_files(*asked, folder=tmp_path, size=1 << 30)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert len(list((tmp_path / "proofs").iterdir())) == 2


def test_answers_that_cannot_be_kept_are_told(tmp_path: Path) -> None:
    (tmp_path / "two.txt").write_text("1\n2\n3\n")
    ran = on_small_files("two.txt", "--quiet", "--resume", "kept", folder=tmp_path)
    assert ran.returncode == 74
    assert len(ran.stdout.split()) == 2
    assert ran.stderr == "error: --resume 'kept': cannot write: File too large\n"
    lines = (tmp_path / "kept").read_text().splitlines(keepends=True)
    assert [json.loads(line)["position"] for line in lines if line.endswith("\n")] != []
    assert lines[-1].endswith("\n")


def test_a_journal_that_is_no_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text(f"{WON}\n")
    file = str(tmp_path / "one.txt")
    assert main(["solve", "mnk:3,3,3", file, "--resume", "/dev/zero"]) == 3
    assert "cannot open '/dev/zero': it is no file" in capsys.readouterr().err


def test_what_cannot_be_drawn_into_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["draw", "mnk:3,3,3", "--output", "/dev/full"]) == 74
    said = capsys.readouterr().err
    assert said == "error: cannot write '/dev/full': no space left on device\n"
    assert issubclass(OutputError, andorra.AndorraError)
