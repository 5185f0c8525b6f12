"""All that is open: certificates and results, by names that are no paths.

What was named on the command line is opened at the start. Certificates that searches find are
added, and the oldest of these are forgotten; no request can open anything else.
"""

from __future__ import annotations

import secrets
import threading
from pathlib import Path
from typing import Any

from andorra.checker import Rules
from andorra.leftovers import Folder
from andorra.viewer.entries import StoredCertificate
from andorra.viewer.notation import forms_of, written
from andorra.viewer.results import read_results
from andorra.viewer.strategies import open_certificate
from andorra.viewer.subjects import state_of
from andorra.viewer.walks import PartWalk, Route

KEPT = 50
"""Certificates of searches that are kept open."""


class OpenCertificate:
    """A certificate that can be walked through."""

    def __init__(self, path: Path, title: str, game: Rules | None) -> None:
        """Read its head; the rest is read while people look at it."""
        self.title = title
        self.path = path
        self.stored: StoredCertificate
        self.stored, self.game = open_certificate(str(path), game)
        self._walks: dict[int, PartWalk] = {}
        self._lock = threading.Lock()

    def walk(self, number: int) -> PartWalk:
        """The walk through a part, counted from 0."""
        with self._lock:
            if number not in self._walks:
                self._walks[number] = PartWalk(self.stored, number, self.game)
            return self._walks[number]

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

    def __init__(self) -> None:
        """Nothing yet."""
        self.certificates: dict[str, OpenCertificate] = {}
        self.results: dict[str, dict[str, Any]] = {}
        self._folder = Folder("view")
        self._passing: list[str] = []
        self._lock = threading.Lock()

    def open_certificate(self, path: Path, game: Rules | None = None) -> str:
        """Open a file that the user named."""
        return self._add(OpenCertificate(path, path.name, game))

    def new_place(self) -> Path:
        """Where a search may write its certificate."""
        return self._folder.path / f"{secrets.token_hex(8)}.andorra"

    def keep(self, path: Path, game: Rules) -> str:
        """Open what a search has found; the oldest such certificate may have to go."""
        name = self._add(OpenCertificate(path, game.spec(), game))
        with self._lock:
            self._passing.append(name)
            gone = self._passing.pop(0) if len(self._passing) > KEPT else None
        if gone is not None:
            self._forget(gone)
        return name

    def _forget(self, name: str) -> None:
        certificate = self.certificates.pop(name)
        certificate.stored.close()
        certificate.path.unlink(missing_ok=True)

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
