"""All that is open: certificates and results, by names that are no paths.

What was named on the command line is opened at the start. Certificates that searches find are
added, and the oldest of these are forgotten when they are too many or take more room than there is;
no request can open anything else.
"""

from __future__ import annotations

import secrets
import threading
from pathlib import Path
from typing import Any

from andorra.checker import Rules
from andorra.leftovers import Folder
from andorra.viewer.entries import Room, StoredCertificate
from andorra.viewer.notation import forms_of, written
from andorra.viewer.results import read_results
from andorra.viewer.strategies import open_certificate
from andorra.viewer.subjects import state_of
from andorra.viewer.walks import PartWalk, Route

KEPT = 50
"""Certificates of searches that are kept open."""


class OpenCertificate:
    """A certificate that can be walked through."""

    def __init__(
        self, path: Path, title: str, game: Rules | None, room: Room | None = None
    ) -> None:
        """Read its head; the rest is read while people look at it."""
        self.title = title
        self.path = path
        self.stored: StoredCertificate
        self.stored, self.game = open_certificate(str(path), game, room)
        self._walks: dict[int, PartWalk] = {}
        self._lock = threading.Lock()

    def walk(self, number: int) -> PartWalk:
        """The walk through a part, counted from 0."""
        with self._lock:
            if number not in self._walks:
                self._walks[number] = PartWalk(self.stored, number, self.game)
            return self._walks[number]

    @property
    def in_memory(self) -> int:
        """Bytes that it takes beside its game."""
        return self.stored.indexed + len(self.stored.head.data or "")

    @property
    def on_disk(self) -> int:
        """Bytes of the file, if it is still there, and of what it was decompressed to."""
        file = self.path.stat().st_size if self.path.is_file() else 0
        return file + self.stored.on_disk

    def to_json(self) -> dict[str, Any]:
        """What the file says of itself."""
        certificate = self.stored.certificate
        parts = []
        for number, part in enumerate(certificate.parts):
            walk = self.walk(number)
            parts.append(
                {
                    "question": part.question,
                    "prover": part.prover,
                    "within": part.within,
                    "verdict": part.verdict,
                    "holder": walk.holder,
                    "entries": self.stored.part(number).count,
                }
            )
        return {
            "title": self.title,
            "game": certificate.game,
            "position": certificate.position,
            "value": None if certificate.value == "-" else certificate.value,
            "players": list(self.game.players),
            "forms": forms_of(self.game),
            "parts": parts,
        }

    def export(self, route: Route, form: str) -> str:
        """The line to a place as text."""
        start, _, moves = route
        text = self.stored.head.position if start is None else start
        return written(self.game, state_of(self.game, text), list(moves), form)


class Library:
    """What is open."""

    def __init__(self, room: Room | None = None) -> None:
        """Nothing yet. A certificate has so much room, and so have those of searches together."""
        self.room = room or Room.usual()
        self.certificates: dict[str, OpenCertificate] = {}
        self.results: dict[str, dict[str, Any]] = {}
        self._folder = Folder("view")
        self._passing: list[str] = []
        self._lock = threading.Lock()

    def open_certificate(self, path: Path, game: Rules | None = None) -> str:
        """Open a file that the user named."""
        return self._add(OpenCertificate(path, path.name, game, self.room))

    def new_place(self) -> Path:
        """Where a search may write its certificate."""
        return self._folder.path / f"{secrets.token_hex(8)}.andorra"

    def keep(self, path: Path, game: Rules) -> str:
        """Open what a search has found; the oldest such certificates may have to go."""
        name = self._add(OpenCertificate(path, game.spec(), game, self.room))
        with self._lock:
            self._passing.append(name)
        while self._are_too_many() and self.forget_oldest():
            pass
        return name

    def _are_too_many(self) -> bool:
        with self._lock:
            passing = [self.certificates[name] for name in self._passing]
        return len(passing) > 1 and (
            len(passing) > KEPT
            or sum(each.in_memory for each in passing) > self.room.memory
            or sum(each.on_disk for each in passing) > self.room.disk
        )

    def forget_oldest(self) -> bool:
        """Give up the oldest certificate that a search has found; whether there is one."""
        with self._lock:
            if not self._passing:
                return False
            certificate = self.certificates.pop(self._passing.pop(0))
        certificate.stored.close()
        certificate.path.unlink(missing_ok=True)
        return True

    def open_results(self, path: Path) -> str:
        """Open a file of results that the user named."""
        name = secrets.token_urlsafe(6)
        self.results[name] = read_results(path)
        return name

    def _add(self, certificate: OpenCertificate) -> str:
        name = secrets.token_urlsafe(6)
        self.certificates[name] = certificate
        return name

    def close(self) -> None:
        """Give all temporary files back."""
        for certificate in self.certificates.values():
            certificate.stored.close()
        self._folder.cleanup()
