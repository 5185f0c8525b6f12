"""Where something stands in a TOML file: errors name the line.

Python's reader of TOML keeps no lines, so they are found by looking at the text again: for headers
of tables, for keys at the beginning of a line, and for inline tables that begin one. A plan in some
other layout gets the line of the next larger thing, and in the end that of nothing but the file.
"""

from __future__ import annotations

import re

_HEADER = re.compile(r"\s*\[\[?\s*([\w.-]+)\s*\]\]?\s*(?:#.*)?")
_ARRAY = re.compile(r"\s*([\w-]+)\s*=\s*\[\s*(?:#.*)?")
_KEY = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|([\w-]+))\s*=""")


class Places:
    """The lines of a plan's file."""

    def __init__(self, name: str, text: str) -> None:
        self._name = name
        self._lines: dict[tuple[object, ...], int] = {}
        self._read(text)

    def of(self, *path: object) -> str:
        """`FILE:LINE` of a table, of the Nth of several (from 1), or of a key in one.

        >>> places = Places("p", 'title = "x"\\n[[problems]]\\ngame = "mnk"\\n[[problems]]\\n')
        >>> places.of("title"), places.of("problems", 1, "game"), places.of("problems", 2, "game")
        ('p:1', 'p:3', 'p:4')
        >>> Places("p", "problems = [\\n  {},\\n  { a = 1 },\\n]").of("problems", 2, "a")
        'p:3'
        """
        for length in range(len(path), 0, -1):
            line = self._lines.get(path[:length])
            if line is not None:
                return f"{self._name}:{line}"
        return self._name

    def _read(self, text: str) -> None:
        table: tuple[object, ...] = ()
        for number, line in enumerate(text.splitlines(), start=1):
            header, array = _HEADER.fullmatch(line), _ARRAY.fullmatch(line)
            if header is not None:
                table = self._begun(header[1], line.lstrip().startswith("[["), number)
            elif array is not None and not table:
                table = self._begun(array[1], False, number)
            elif line.lstrip().startswith("{"):
                self._next_of(table, number)
            elif line.startswith("]") and len(table) == 1:
                table = ()
            else:
                self._read_key(table, line, number)

    def _begun(self, name: str, is_one_of_many: bool, number: int) -> tuple[object, ...]:
        """A table that begins at this line."""
        if is_one_of_many:
            return self._next_of((name,), number)
        self._lines.setdefault((name,), number)
        return (name,)

    def _next_of(self, array: tuple[object, ...], number: int) -> tuple[object, ...]:
        """The next table of an array of them, and its line."""
        count = 1
        while (*array, count) in self._lines:
            count += 1
        self._lines[(*array, count)] = number
        return (*array, count)

    def _read_key(self, table: tuple[object, ...], line: str, number: int) -> None:
        key = _KEY.match(line)
        if key is not None:
            name = next(part for part in key.groups() if part is not None)
            self._lines.setdefault((*table, name), number)
