"""Which game the command line means, and its rules in Python, for drawings and notation.

Rules of a user's own are loaded, which runs their code, only because `--rules` names them; nothing
in a certificate can bring that about.
"""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

import click

from andorra.cli.boards import WESTERN, drawer
from andorra.errors import AndorraError, OptionError, RuleError

if TYPE_CHECKING:
    from andorra.rulebook.base import Game

    Rules = Game[Any, Any]

Command = TypeVar("Command", bound=Callable[..., Any])

_LIBRARIES = (".so", ".dylib", ".dll")
_FORMS = "MODULE:CLASS, path/to/file.py:CLASS or path/to/library.so"


def rules_option(more: str) -> Callable[[Command], Command]:
    """The option that names a user's rules; `more` ends its line of help."""
    return click.option(
        "--rules",
        metavar="MODULE:CLASS|LIBRARY",
        help=f"Rules of your own, a class or a shared library{more}.",
    )


@dataclass(frozen=True)
class Subject:
    """A game: what `andorra.solve` takes, and its rules.

    A graph that came through a pipe cannot be read again, and is given as it was read.
    """

    game: str | Rules
    rules: Rules
    board: str = WESTERN
    """The style in which positions are drawn."""

    @property
    def spec(self) -> str:
        """Name and parameters, in canonical spelling."""
        return self.rules.spec()

    def draw(self, position: str | None) -> str:
        """A picture of the position, the initial one if None; `PositionError` if there is none."""
        from andorra.rulebook import read

        try:
            state = self.rules.initial() if position is None else read(self.rules, position)
            return drawer(self.rules, self.board)(state)
        except AndorraError:
            raise
        except Exception as error:
            what = "the initial position" if position is None else repr(position)
            raise RuleError(f"the rules of {self.spec} failed on {what}: {_said(error)}") from error


def subject(game: str, rules: str | None, board: str = WESTERN) -> Subject:
    """The game that the command line names."""
    if rules is not None:
        loaded = load(rules, game)
        return Subject(loaded, loaded, board)
    from andorra import rulebook
    from andorra.rulebook.graph import Graph

    name, _, parameters = game.partition(":")
    if name == Graph.name:
        graph = Graph.from_file(parameters)
        return Subject(game if Path(parameters).is_file() else graph, graph, board)
    return Subject(game, rulebook.make(game), board)


def load(option: str, spec: str) -> Rules:
    """The user's game that `option` says where to find and `spec` names."""
    return find(option)(spec)


def find(option: str) -> Callable[[str], Rules]:
    """Load what `option` names; the result makes the game that a spec names of it."""
    return partial(_game, _found(option), option)


def as_it_is(option: str) -> Rules:
    """The user's game with the parameters that it has where none are given."""
    return _checked(_made(_found(option), option, ""), option)


def _game(found: Any, option: str, spec: str) -> Rules:
    name, _, parameters = spec.partition(":")
    rules = _checked(_made(found, option, parameters), option)
    if rules.name != name or (parameters and rules.parameters != parameters):
        raise OptionError(f"--rules {option!r} holds the game {rules.spec()!r}, not {spec!r}")
    return rules


def _checked(rules: Any, option: str) -> Rules:
    from andorra.rulebook.base import Game

    if not isinstance(rules, Game):
        raise OptionError(f"--rules {option!r} is no game, but {rules!r}: derive it from Game")
    return rules


def _found(option: str) -> Any:
    if option.endswith(_LIBRARIES):
        from andorra.native import NativeLibrary

        return NativeLibrary(option)
    return _attribute(option)


def _made(factory: Any, option: str, parameters: str) -> Any:
    """The game: `factory` itself, or what it makes of the parameters."""
    if not callable(factory):
        return factory
    try:
        return factory(parameters) if parameters else factory()
    except AndorraError:
        raise
    except Exception as error:
        call = (
            f"{option.rpartition(':')[2]}({parameters!r})" if parameters else "without parameters"
        )
        raise RuleError(f"--rules {option!r}: making {call} failed: {_said(error)}") from error


def _attribute(option: str) -> Any:
    """What `option` names: an attribute of a module or of a file."""
    place, colon, name = option.rpartition(":")
    if not (place and colon and name):
        raise OptionError(f"cannot read --rules {option!r}: expected {_FORMS}")
    module = _module(place, option)
    if not hasattr(module, name):
        nearest = difflib.get_close_matches(name, [n for n in dir(module) if n[0] != "_"], n=1)
        hint = f"; did you mean {nearest[0]!r}?" if nearest else ""
        raise OptionError(f"--rules {option!r}: there is no {name!r} in {place!r}{hint}")
    return getattr(module, name)


def _module(place: str, option: str) -> ModuleType:
    try:
        return _from_file(Path(place)) if place.endswith(".py") else _imported(place)
    except (OSError, AndorraError):
        raise
    except Exception as error:
        raise RuleError(f"--rules {option!r}: cannot load {place!r}: {_said(error)}") from error


def _imported(name: str) -> ModuleType:
    """A module that Python finds, the current folder included, as for `python -m`."""
    if "" not in sys.path:
        sys.path.insert(0, "")
    return importlib.import_module(name)


def _from_file(path: Path) -> ModuleType:
    path.open("rb").close()  # a missing file is the user's slip, and reads better than an import's
    name = f"andorra_rules_{path.stem}"  # no module of Python's own may be hidden by it
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None, f"{path} ends in .py"
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickling look a class's module up here
    spec.loader.exec_module(module)
    return module


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
