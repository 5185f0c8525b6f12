"""Figures as a reader wants them: short, with a unit."""

from __future__ import annotations

NOTHING = "–"
_MIB = 1 << 20


def seconds(value: float | None) -> str:
    """A time.

    >>> [seconds(each) for each in (None, 0.0004, 0.034, 0.25, 3.14159, 42.0, 600.0)]
    ['–', '<1 ms', '34 ms', '0.25 s', '3.1 s', '42 s', '600 s']
    """
    if value is None:
        return NOTHING
    if value < 0.001:
        return "<1 ms"
    if value < 0.1:
        return f"{value * 1000:.0f} ms"
    digits = 2 if value < 0.995 else 1 if value < 9.95 else 0
    return f"{value:.{digits}f} s"


def short(value: float | None) -> str:
    """A count with three digits.

    >>> [short(each) for each in (None, 7, 999, 1234, 56_789, 999_700, 1_234_567, 9.5e9)]
    ['–', '7', '999', '1.23k', '56.8k', '1M', '1.23M', '9.5G']
    """
    if value is None:
        return NOTHING
    for unit, name in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= 0.9995 * unit:
            return f"{value / unit:.3g}{name}"
    return f"{value:.0f}"


def memory(value: float | None) -> str:
    """A size.

    >>> memory(64 << 20), memory(3 << 29)
    ('64 MiB', '1.5 GiB')
    """
    if value is None:
        return NOTHING
    size = value / _MIB
    return f"{size:.0f} MiB" if size < 1024 else f"{size / 1024:.3g} GiB"


def ratio(value: float | None) -> str:
    """A quotient.

    >>> ratio(None), ratio(1), ratio(0.0123), ratio(12.34), ratio(250.0)
    ('–', '1.00', '0.012', '12.3', '250')
    """
    if value is None:
        return NOTHING
    return f"{value:.2g}" if value < 0.1 else f"{value:.2f}" if value < 10 else f"{value:.3g}"


def whole(value: float | None) -> str:
    """A count with all its digits.

    >>> whole(1234567.8)
    '1,234,568'
    """
    return NOTHING if value is None else f"{value:,.0f}"
