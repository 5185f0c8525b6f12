"""The child process of `task.solve`: one task from the command line, its answer as JSON."""

from __future__ import annotations

import importlib.util
import json
import sys
from typing import Any

import andorra
from andorra.rulebook.connect4 import Connect4
from bench.process import ROOT
from bench.task import Answer, Task

_NUMBA_RULES = ROOT / "docs" / "examples" / "connect4_numba.py"


class OwnConnect4(Connect4):
    """The reference rules as a user's game: the core knows its own games by their exact class."""


def main() -> None:
    """Solve, and print what `Answer` holds."""
    task = Task(**json.loads(sys.argv[1]))
    result = andorra.solve(
        _game(task),
        task.position,
        question=task.question,
        algorithm=task.algorithm,
        memory=task.memory,
        nodes=task.nodes,
        certificate=task.certificate,
        **task.options,
    )
    if result.certificate_limit:
        raise SystemExit(f"no certificate: {result.certificate_limit}")
    known = result.to_json()
    fields = [name for name in Answer.__dataclass_fields__ if name != "peak_memory"]
    print(json.dumps({name: known[name] for name in fields}))


def _game(task: Task) -> Any:
    if task.rules == "built-in":
        return task.game
    parameters = task.game.removeprefix("connect4:")
    return OwnConnect4(parameters) if task.rules == "python" else _numba_game(parameters)


def _numba_game(parameters: str) -> Any:
    spec = importlib.util.spec_from_file_location("connect4_numba", _NUMBA_RULES)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.connect4(parameters)


if __name__ == "__main__":
    main()
