"""Ctrl-C and SIGTERM on the command line: the same request, to end with what is known.

Idea: a signal raises KeyboardInterrupt, wherever the program is, and so ends what waits: for
children, for input, for a browser. Where an answer is on its way (`held`), the first signal raises
nothing. It is asked for instead (`asked`), by the search and by whoever writes the certificate, so
that no verdict is lost between two lines of ours.
Invariant: signals within `PATIENCE` seconds of one that was obeyed are part of the same request:
`timeout` and batch systems send SIGTERM to a process and again to its group. A later one, from
somebody who has no patience any more, raises, also where answers are on their way.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

PATIENCE = 1.0
_USUAL: dict[signal.Signals, Any] = {
    signal.SIGINT: signal.default_int_handler,
    signal.SIGTERM: signal.SIG_DFL,
}
"""The signals, and what they do if nobody has decided otherwise, such as to ignore them."""


class _State:
    """One command's."""

    asked = False
    holding = False
    settled = False
    """The exit code is known."""
    obeyed: float | None = None
    """When a signal was obeyed last."""


_state = _State()


def asked() -> bool:
    """Whether the command was asked to end."""
    return _state.asked


@contextmanager
def held() -> Iterator[Callable[[], bool]]:
    """An answer is on its way: the first signal only makes `asked`, which this yields, true."""
    _state.holding = True
    try:
        yield asked
    finally:
        _state.holding = False


def install() -> None:
    """Obey both signals from now on, until `ignore`; for a program that begins."""
    for number, usual in _USUAL.items():
        if signal.getsignal(number) is usual:
            signal.signal(number, _obey)


def settle() -> None:
    """The exit code is known: signals do nothing any more."""
    _state.settled = True


def ignore() -> None:
    """Have the system drop both signals; for a program that has nothing left but to end."""
    for number in _USUAL:
        signal.signal(number, signal.SIG_IGN)


@contextmanager
def handled() -> Iterator[None]:
    """Obey both signals until the end of the block, if this is the program's main thread."""
    global _state
    _state = _State()
    before: dict[signal.Signals, Any] = {}
    try:
        for number, usual in _USUAL.items():
            if signal.getsignal(number) is usual:
                before[number] = signal.signal(number, _obey)
    except ValueError:  # another thread, to which no signal ever comes
        pass
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _obey(number: int, frame: FrameType | None) -> None:
    now = time.monotonic()
    if _state.settled:
        return
    if _state.obeyed is not None and now - _state.obeyed < PATIENCE:
        return
    _state.obeyed = now
    first, _state.asked = not _state.asked, True
    if not (_state.holding and first):
        raise KeyboardInterrupt
