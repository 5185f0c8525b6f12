"""HTML and SVG from Python: text is escaped unless it is markup already.

The output is well-formed XML as well as HTML, so that a test can read it.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

_VOID = frozenset(("br", "col", "input", "meta"))


class Markup(str):
    """Text that needs no escaping."""

    __slots__ = ()


Child = str | int | None | Iterable["Child"]


def tag(name: str, /, *children: Child, **attributes: object) -> Markup:
    """An element; attributes that are None are left out, `class_` is `class`, `_` stands for `-`.

    >>> tag("a", "1 < 2", [tag("br"), None], class_="x", data_n=3)
    '<a class="x" data-n="3">1 &lt; 2<br/></a>'
    """
    given = {_attribute(key): value for key, value in attributes.items() if value is not None}
    start = name + "".join(f' {key}="{escape(str(value))}"' for key, value in given.items())
    inside = _text(children)
    return Markup(f"<{start}/>" if name in _VOID else f"<{start}>{inside}</{name}>")


def raw(name: str, text: str) -> Markup:
    """A script or a style; both are ours, and free of what XML would have escaped."""
    assert not {"<", "&"} & set(text), f"{name}: '<' and '&' would need escaping"
    return Markup(f"<{name}>{text}</{name}>")


def joined(children: Iterable[Child]) -> Markup:
    """Several elements, one after the other."""
    return Markup(_text(children))


def _attribute(key: str) -> str:
    return key.rstrip("_").replace("_", "-") if key not in ("viewBox",) else key


def _text(children: Child) -> str:
    if children is None:
        return ""
    if isinstance(children, Markup):
        return children
    if isinstance(children, str | int):
        return escape(str(children), quote=False)
    return "".join(map(_text, children))
