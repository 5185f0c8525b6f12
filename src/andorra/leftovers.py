"""Temporary files and folders that outlive a kill, and how the next run tells them from live ones.

Idea: whoever makes one holds a lock (`flock`) on it for as long as it lives; the system lets go of
the lock when the process ends, however it ends. So a file or folder whose lock is free is a
leftover, and whoever finds it may remove it.
Invariant: nothing of a live process is removed. A lock is taken after the file is made, so a finder
may come first: the maker then sees that its file is gone, and makes another. Locks need not hold
between machines that share a folder, so names carry the machine's, and only leftovers of this
machine and this user are removed. Where locks cannot be had, nothing is.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import shutil
import stat
import tempfile
import weakref
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO, Self

_PREFIX = ".andorra-"
_SUFFIX = ".part"
_CLEAN: set[str] = set()
"""Folders that this process has looked through."""


def _machine() -> str:
    """Name the machine in letters that any file system takes."""
    return blake2b(os.uname().nodename.encode(), digest_size=4).hexdigest()


def create(folder: Path, owner: object) -> tuple[Path, BinaryIO]:
    """A new file in the folder, locked as long as it is open.

    It goes when its owner goes, unless it has got another name: Ctrl-C may come at any moment, even
    between two steps of who would remove it. So that is settled before there is a file.
    """
    while True:
        path = folder / f"{_PREFIX}{_machine()}-{secrets.token_hex(8)}{_SUFFIX}"
        weakref.finalize(owner, _unlink, path)
        file = open(path, "xb")  # noqa: SIM115, the caller closes it
        if _locked(file.fileno(), path):
            return path, file
        file.close()


def _unlink(path: Path) -> None:
    with suppress(OSError):  # the usual case: it has its name, or is removed
        path.unlink()


def remove_files(folder: Path) -> None:
    """Remove what killed processes of this machine have left in the folder, once a process."""
    where = os.path.abspath(folder)
    if where in _CLEAN:
        return
    _CLEAN.add(where)
    for each in _named(where, f"{_PREFIX}{_machine()}-"):
        if each.name.endswith(_SUFFIX):
            _remove_if_free(Path(each), stat.S_ISREG)


class Folder:
    """A temporary folder, gone with the `with` block; a new one removes those that were left."""

    def __init__(self, kind: str) -> None:
        """Make it; `kind` is a part of its name, and of those of its like."""
        prefix = f"andorra-{kind}-{_machine()}-"
        for each in _named(tempfile.gettempdir(), prefix):
            _remove_if_free(Path(each), stat.S_ISDIR)
        self.path, lock = _new_folder(prefix)
        self._finalizer = weakref.finalize(self, _give_back, self.path, lock)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.cleanup()

    def cleanup(self) -> None:
        """Remove it and all that is in it; a second time does nothing."""
        self._finalizer()


def _new_folder(prefix: str) -> tuple[Path, int]:
    """A folder and its lock; a finder may be the first to open it, and removes it then."""
    while True:
        path = Path(tempfile.mkdtemp(prefix=prefix))
        with suppress(FileNotFoundError):
            lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
            if _locked(lock, path):
                return path, lock
            os.close(lock)


def _give_back(path: Path, lock: int) -> None:
    shutil.rmtree(path, ignore_errors=True)
    os.close(lock)


def _locked(descriptor: int, path: Path) -> bool:
    """Take the lock, where there are locks; false if a finder has removed the file meanwhile."""
    with suppress(OSError):
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    except FileNotFoundError:
        return False


def _named(folder: str, prefix: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return [each for each in entries if each.name.startswith(prefix)]
    except OSError:  # whoever needs the folder will say what is wrong with it
        return []


def _remove_if_free(path: Path, is_kind: Callable[[int], bool]) -> None:
    """Remove a file or a folder of ours that nobody holds; a link is neither."""
    with suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            found = os.fstat(descriptor)
            if is_kind(found.st_mode) and found.st_uid == os.geteuid():
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if os.path.samestat(found, os.lstat(path)):  # whose lock this is
                    _remove(path)
        finally:
            os.close(descriptor)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()
