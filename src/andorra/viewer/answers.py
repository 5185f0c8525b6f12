r"""Answers as JSON in UTF-8, whatever text is in them.

Texts come from files, from users' rules and from names of files, and Python lets them hold halves
of surrogate pairs, which UTF-8 cannot say. Each is replaced by U+FFFD, as is usual for broken text.
JSON has no number that is not finite: such a one becomes null.

>>> encoded({"setting": "a\ud800", "nodes": float("inf")}).decode()
'{"setting":"a\ufffd","nodes":null}'
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

_HALF = re.compile("[\ud800-\udfff]")


def encoded(content: Any) -> bytes:
    """The content as JSON."""
    try:
        text = _json(content)
    except ValueError:
        text = _json(_finite(content))
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _HALF.sub("\ufffd", text).encode()


def _json(content: Any) -> str:
    return json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _finite(content: Any) -> Any:
    if isinstance(content, dict):
        return {key: _finite(value) for key, value in content.items()}
    if isinstance(content, list | tuple):
        return [_finite(each) for each in content]
    return None if isinstance(content, float) and not math.isfinite(content) else content
