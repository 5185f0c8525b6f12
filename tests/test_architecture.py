"""The layers of the project, enforced on includes and imports: dependencies point one way.

contract, games  <-  table, rules  <-  search  <-  parallel, certificate  <-  solve  <-  bind
contract, games  <-  the fast checker                                                (checker/)
rulebook  <-  certificate format, trusted checker  <-  API  <-  command line      (src/andorra/)
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "andorra"
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">]+)[">]', re.MULTILINE)
CXX_ENDINGS = {".c", ".cpp", ".h", ".hpp", ".in"}

CONTRACT = "contract"
FOUNDATION = {"abi.h", "bounds.hpp", "errors.hpp", "game.hpp"}
"""Files that need nothing else of ours."""
FOR_GAMES = {"abi.h", "errors.hpp", "game.hpp", "mix.hpp", "secret.hpp"}
"""All that games may see of the contract: the fast checker shares games and not the rest."""

LAYERS: dict[str, set[str]] = {
    CONTRACT: {CONTRACT},
    "games": {CONTRACT, "games"},
    "table": {CONTRACT, "table", "rules"},
    "rules": {CONTRACT, "table", "rules"},
    "search": {CONTRACT, "table", "rules", "search"},
    "parallel": {CONTRACT, "table", "rules", "search", "parallel"},
    "certificate": {CONTRACT, "table", "rules", "search", "certificate"},
    "solve": {CONTRACT, "games", "table", "rules", "search", "parallel", "certificate", "solve"},
    "bind": {CONTRACT, "games", "table", "certificate", "solve", "bind"},
}
"""For each folder of core/, the folders that it may include; CONTRACT is core/ itself."""

IMPORTS: dict[str, set[str]] = {
    "errors": set(),
    "memory": {"errors"},
    "rulebook": {"errors", "memory", "rulebook"},
    "question": {"errors", "rulebook"},
    "leftovers": set(),
    "spool": set(),
    "certificate": {"errors", "leftovers", "memory"},
    "places": {"memory", "rulebook"},
    "referee": {"memory", "places", "rulebook"},
    "claims": {"certificate", "errors", "rulebook"},
    "checker": {"certificate", "claims", "errors", "memory", "places", "referee", "rulebook"},
    "walk": {"certificate", "checker", "errors", "rulebook"},
    "reference": {"errors", "question", "reference", "rulebook"},
    "process": set(),
    "cpu_cap": set(),
    "json_lines": {"errors"},
    "fast_checker": {"errors", "process"},
    "measure": {"errors", "process", "result", "rulebook"},
    "worker": {"api", "cpu_cap", "errors", "fast_checker", "measure", "result"},
    "result": set(),
    "judged": {"errors", "question", "rulebook"},
    "promises": {"abi", "places", "rulebook"},
    "rule_check": {"errors", "promises", "rulebook"},
    "asking": {"", "errors", "question", "result", "judged", "rulebook", "spool", "user_game"},
    "inquiry": {"asking", "errors", "question"},
    "others": {"inquiry", "question", "result", "rulebook"},
    "shortest": {
        "asking",
        "errors",
        "inquiry",
        "others",
        "question",
        "result",
        "rulebook",
    },
    "scores": {"", "asking", "errors", "inquiry", "question", "result", "rulebook"},
    "table": {"", "asking", "errors", "options", "question", "rulebook"},
    "threads": {"", "errors", "options"},
    "setting": {"errors", "options"},
    "comparison": {"result", "setting"},
    "experiment": {
        "api",
        "asking",
        "comparison",
        "errors",
        "measure",
        "options",
        "result",
        "setting",
    },
    "study": {
        "",
        "api",
        "comparison",
        "cpu_cap",
        "errors",
        "fast_checker",
        "json_lines",
        "leftovers",
        "measure",
        "options",
        "question",
        "result",
        "rulebook",
        "setting",
        "study",
    },
    "usi": {"", "errors", "options", "rulebook"},
    "cli": {
        "",
        "certificate",
        "checker",
        "cli",
        "errors",
        "fast_checker",
        "json_lines",
        "memory",
        "native",
        "options",
        "rulebook",
        "study",
        "usi",
        "viewer",
        "walk",
    },
    # Both ways: the command starts the viewer, which reads requests as the command line does.
    "viewer": {
        "",
        "_core",
        "certificate",
        "checker",
        "cli",
        "comparison",
        "errors",
        "leftovers",
        "memory",
        "options",
        "rulebook",
        "viewer",
        "walk",
    },
}
"""For modules of the package, what they may import of it; "" is the package's own public API."""
ONLY_STANDARD_LIBRARY = {
    "errors", "memory", "rulebook", "question", "certificate", "claims", "places", "referee",
    "checker", "walk", "process", "leftovers", "spool",
}  # fmt: skip


def cxx_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix in CXX_ENDINGS)


def includes(path: Path) -> list[str]:
    return INCLUDE.findall(path.read_text(encoding="utf-8"))


def layer_of(relative: str) -> str:
    folder, slash, _ = relative.partition("/")
    return folder if slash else CONTRACT


def core_faults(core: Path) -> Iterator[str]:
    """Includes between folders of core/ that point the wrong way."""
    for path in cxx_files(core):
        relative = path.relative_to(core).as_posix()
        layer = layer_of(relative)
        if layer not in LAYERS:
            yield f"core/{relative}: give the folder {layer}/ a place among the layers"
            continue
        for included in includes(path):
            if not is_ours(core, included):
                continue
            if layer_of(included) not in LAYERS[layer]:
                yield f"core/{relative} includes {included}"
            if layer == "games" and "/" not in included and included not in FOR_GAMES:
                yield f"core/{relative} includes {included}, which the checker must not need"
            if relative in FOUNDATION:
                yield f"core/{relative} includes {included}, but is a foundation"


def is_ours(core: Path, included: str) -> bool:
    """Whether core/ has the file, or would have it once a template's name is filled in."""
    return (core / included).is_file() or "@" in included


def checker_faults(checker: Path, core: Path) -> Iterator[str]:
    """Includes in checker/ of anything but its own files, the games and what these need."""
    for path in cxx_files(checker):
        for included in includes(path):
            own = (checker / included).is_file()
            shared = included in FOR_GAMES or included.startswith("games/")
            elsewhere = is_ours(core, included) or (core.parent / included).is_file()
            if elsewhere and not own and not shared:
                yield f"checker/{path.relative_to(checker)} includes {included}"


def python_headers(folder: Path) -> Iterator[str]:
    """Files that see Python."""
    for path in cxx_files(folder):
        if any(name == "Python.h" or name.startswith("nanobind") for name in includes(path)):
            yield path.relative_to(folder).as_posix()


def imported(path: Path) -> Iterator[str]:
    """The dotted names that a module imports, wherever in the file it does so."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide the layers"
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if is_module(whole) else str(node.module)


def is_module(name: str) -> bool:
    folder, *rest = name.split(".")
    path = PACKAGE.joinpath(*rest)
    return folder == "andorra" and (path.is_dir() or path.with_suffix(".py").is_file())


def modules(name: str) -> list[Path]:
    single = PACKAGE / f"{name}.py"
    return [single] if single.is_file() else sorted((PACKAGE / name).rglob("*.py"))


def python_faults(name: str) -> Iterator[str]:
    """Imports of the module or subpackage `name` that point the wrong way."""
    for path in modules(name):
        for found in imported(path):
            top, _, rest = found.partition(".")
            if top == "andorra" and rest.partition(".")[0] not in IMPORTS[name]:
                yield f"{path.relative_to(ROOT)} imports {found}"
            standard = top == "andorra" or top in sys.stdlib_module_names
            if name in ONLY_STANDARD_LIBRARY and not standard:
                yield f"{path.relative_to(ROOT)} imports {found}, not of the standard library"


def test_core_layers() -> None:
    assert cxx_files(ROOT / "core"), "core/ has files"
    assert list(core_faults(ROOT / "core")) == []


def test_the_checker_shares_only_games() -> None:
    assert cxx_files(ROOT / "checker"), "checker/ has files"
    assert list(checker_faults(ROOT / "checker", ROOT / "core")) == []


def test_python_headers_only_in_the_binding() -> None:
    found = list(python_headers(ROOT / "core")) + list(python_headers(ROOT / "checker"))
    assert found, "the binding includes nanobind"
    assert [name for name in found if not name.startswith("bind/")] == []


@pytest.mark.parametrize("name", IMPORTS)
def test_python_layers(name: str) -> None:
    assert modules(name), f"andorra.{name} exists"
    assert list(python_faults(name)) == []


def test_faults_are_found(tmp_path: Path) -> None:
    core, checker = tmp_path / "core", tmp_path / "checker"
    sources = {
        core / "bounds.hpp": '#include "game.hpp"',
        core / "game.hpp": "#include <vector>",
        core / "limits.hpp": "",
        core / "games" / "nim.hpp": '#include "game.hpp"\n#include "limits.hpp"',
        core / "table" / "table.hpp": '  #  include "search/dfpn.hpp"',
        core / "search" / "dfpn.hpp": '#include "table/table.hpp"\n#include <Python.h>',
        core / "surprise" / "x.hpp": "",
        checker / "main.cpp": '#include "games/nim.hpp"\n#include "table/table.hpp"',
        checker / "own.hpp": '#include "core/limits.hpp"\n#include "own.hpp"',
    }
    for path, text in sources.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert list(core_faults(core)) == [
        "core/bounds.hpp includes game.hpp, but is a foundation",
        "core/games/nim.hpp includes limits.hpp, which the checker must not need",
        "core/surprise/x.hpp: give the folder surprise/ a place among the layers",
        "core/table/table.hpp includes search/dfpn.hpp",
    ]
    assert list(checker_faults(checker, core)) == [
        "checker/main.cpp includes table/table.hpp",
        "checker/own.hpp includes core/limits.hpp",
    ]
    assert list(python_headers(core)) == ["search/dfpn.hpp"]


def test_wrong_imports_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "src" / "andorra"
    package.mkdir(parents=True)
    (package / "solve.py").touch()
    (package / "checker.py").write_text(
        "import click\ndef later():\n    from andorra import solve\n    import andorra._core\n",
        encoding="utf-8",
    )
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    monkeypatch.setitem(globals(), "PACKAGE", package)
    assert list(python_faults("checker")) == [
        "src/andorra/checker.py imports click, not of the standard library",
        "src/andorra/checker.py imports andorra.solve",
        "src/andorra/checker.py imports andorra._core",
    ]
