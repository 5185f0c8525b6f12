"""The papers' figures (`papers/*.graph`): what their prose states, in real searches.

Each file says what the prose says, and what of the graph is reconstruction or our own. The numbers
of the figures, computed with the rules of the core alone, are in `core/test_papers.cpp`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import andorra
import find_loops
from andorra import Result
from andorra.reference import dfpn, pns
from andorra.reference.numbers import INFINITE, Bounds
from andorra.reference.problem import Problem
from andorra.rulebook import Game, make
from examiner import fast_check, trusted_check
from settings import GENERAL

PAPERS = Path(__file__).with_name("papers")
NAMES = sorted(path.stem for path in PAPERS.glob("*.graph"))
LOOPS = [name for name in NAMES if name.startswith("loop-")]
OUR_OWN = ["survey-2", *LOOPS]
QUESTION = "win:first"
Settings = dict[str, Any]


def text_of(name: str) -> str:
    return (PAPERS / f"{name}.graph").read_text(encoding="utf-8")


def said(name: str, what: str) -> str:
    """What the comment of a file says of `question` or `expected`."""
    found = re.search(rf"^# {what}: (\S+)$", text_of(name), re.MULTILINE)
    assert found is not None, f"{name}.graph does not say '# {what}: ...'"
    return found[1]


def figure(name: str) -> Game[Any, Any]:
    return make("graph", text_of(name))


def search(text: str, nodes: int | None = None, **settings: Any) -> Result:
    """The papers' thresholds: a child may pass the second best by 1."""
    settings = {"epsilon": 0} | settings
    return andorra.solve(
        make("graph", text),
        question=QUESTION,
        algorithm="dfpn",
        memory="16MiB",
        nodes=nodes,
        **settings,
    )


# All files.


def test_all_figures_are_here() -> None:
    figures = [f"survey-{number}" for number in (2, 4, 7, 8, 9)]
    figures += ["kishimoto-2-left", "kishimoto-2-right", "kishimoto-4", "chapter-5"]
    assert set(NAMES) == {*figures, *LOOPS}
    assert len(LOOPS) >= 3


@pytest.mark.parametrize("name", NAMES)
def test_files_say_what_is_ours(name: str) -> None:
    assert ("OUR OWN" in text_of(name)) == (name in OUR_OWN)
    assert ("# Reconstruction: " in text_of(name)) == (name not in OUR_OWN)
    assert said(name, "question") == QUESTION


@pytest.mark.parametrize("name", NAMES)
def test_the_oracle_agrees(name: str) -> None:
    assert find_loops.oracle(text_of(name)) == said(name, "expected")


@pytest.mark.parametrize("algorithm", GENERAL)
@pytest.mark.parametrize("name", NAMES)
def test_figures_are_solved_and_certified(name: str, algorithm: str, tmp_path: Path) -> None:
    path = tmp_path / "figure.andorra"
    andorra.solve(figure(name), question=QUESTION, algorithm=algorithm, certificate=path)
    assert trusted_check(path, QUESTION, said(name, "expected")) is None
    assert fast_check([path]) is None


# Figure 2 of the survey: the most-proving node.


def test_the_leftmost_leaf_is_the_only_most_proving_node() -> None:
    root = expanded("survey-2", "RABC")["R"]
    assert root.bounds == (1, 3)
    assert most_proving(root) == ["leftmost"]
    ends = [leaf for child in root.children for leaf in child.children if leaf.bounds.solved]
    assert [leaf.bounds for leaf in ends] == [(0, INFINITE)] * 2


def expanded(name: str, order: str) -> dict[str, pns.TreeNode[Any, Any]]:
    """The nodes of the tree after these expansions, by name."""
    problem = Problem.ask(figure(name), None, QUESTION)
    root: pns.TreeNode[Any, Any] = pns.TreeNode(problem.root, True)
    tree = {order[0]: root}
    for node in order:
        pns.expand(problem, tree[node], {})
        tree |= {child.node[0]: child for child in tree[node].children}
        pns.update_ancestors(tree[node])
    return tree


def most_proving(node: pns.TreeNode[Any, Any]) -> list[str]:
    """All of them, however ties are broken."""
    if not node.children:
        return [node.node[0]]
    number = 0 if node.is_or else 1
    best = [c for c in node.children if c.bounds[number] == node.bounds[number]]
    return [leaf for child in best for leaf in most_proving(child)]


# Figure 4 of the survey and figure 5 of the chapter: thresholds.


class Recorder(dfpn.DfPn[Any, Any]):
    """Notes every call of MID: the node, its thresholds, and the numbers known at that moment."""

    def __init__(self, game: Game[Any, Any]) -> None:
        super().__init__(Problem.ask(game, None, QUESTION), nodes=1000, guard=1000)
        self.calls: list[tuple[str, int, int, dict[str, Bounds]]] = []

    def mid(self, n: dfpn.OpenNode[Any, Any], pt: int, dt: int) -> None:
        known = {state: bounds for (state, _), bounds in self.table.items()}
        self.calls.append((n.node[0], pt, dt, known))
        super().mid(n, pt, dt)


def calls_until(name: str, node: str) -> list[tuple[str, int, int, dict[str, Bounds]]]:
    """What df-pn does up to its first visit of a node, which comes last."""
    search = Recorder(figure(name))
    search.mid(dfpn.OpenNode(search, ("A", None)), INFINITE, INFINITE)
    first = next(i for i, call in enumerate(search.calls) if call[0] == node)
    return search.calls[: first + 1]


def last_thresholds(calls: list[tuple[str, int, int, dict[str, Bounds]]], node: str) -> Any:
    return [call[1:3] for call in calls if call[0] == node][-1]


def test_survey_figure_4() -> None:
    calls = calls_until("survey-4", "D")
    known = calls[-1][3]
    assert (known["C"], known["E"]) == ((3, 1), (1, 2))
    assert "D" not in known
    assert last_thresholds(calls, "A") == (INFINITE, INFINITE)
    assert last_thresholds(calls, "B") == (4, INFINITE - 1)
    assert last_thresholds(calls, "D") == (3, 3)


def test_pns_has_the_numbers_of_survey_figure_4() -> None:
    tree = expanded("survey-4", "ABCE")
    assert {name: tree[name].bounds for name in "CED"} == {"C": (3, 1), "E": (1, 2), "D": (1, 1)}
    assert tree["B"].bounds == (2, 1)
    assert tree["A"].bounds == (2, 2)
    assert pns.select_most_proving_node(tree["A"]) is tree["D"]


def test_chapter_figure_5() -> None:
    calls = calls_until("chapter-5", "E")
    known = calls[-1][3]
    assert (known["C"].pn, known["D"].pn, known["F"]) == (8, 10, (1, 4))
    assert last_thresholds(calls, "B")[0] == 9
    assert last_thresholds(calls, "E") == (8, 5)


def test_pns_has_the_numbers_of_chapter_figure_5() -> None:
    tree = expanded("chapter-5", "ABCDEFe")
    assert [tree[name].bounds.pn for name in "BCDEF"] == [4, 8, 10, 3, 1]
    assert tree["E"].bounds.dn < tree["F"].bounds.dn == 4
    assert tree["A"].bounds.pn == 4


@pytest.mark.parametrize(("name", "number"), [("survey-4", 2), ("chapter-5", 4)])
def test_the_core_meets_the_number_of_the_root(name: str, number: int) -> None:
    assert number in {search(text_of(name), nodes).pn for nodes in range(1, 20)}


# Overestimation and underestimation: the root's numbers, as long as the search comes by everything.

PLAIN: Settings = {}
NAGAI: Settings = {"double_count": "nagai"}
SNDA: Settings = {"double_count": "snda"}
WEAK: Settings = {"backup": "weak"}
DFPN_R: Settings = {"loops": "df-pn(r)"}
SETTLED = {"kishimoto-2-left": range(14, 22)}
"""The visits after which numbers are as stated; for the others, see `settled`."""


def settled(name: str) -> range:
    return SETTLED.get(name, range(7, 28))


def root_numbers(text: str, name: str, settings: Settings) -> set[int | None]:
    """What adds up at the root: pn where it is an AND node, dn where it is an OR node."""
    game = make("graph", text)
    is_or = game.to_move(game.initial()) == 0
    results = [search(text, n, initial="game", closure=False, **settings) for n in settled(name)]
    assert {result.limit for result in results} == {"nodes"}
    return {result.dn if is_or else result.pn for result in results}


def unit(text: str) -> str:
    """The same with 1 for the large numbers of the hints."""
    return re.sub(r"^(guess .*)\b(?:100|80|70)\b", r"\g<1>1", text, flags=re.MULTILINE)


@pytest.mark.parametrize(
    ("name", "settings", "number"),
    [
        ("survey-7", PLAIN, 100 + 100),
        ("survey-7", NAGAI, 100),
        ("survey-7", SNDA, 100),
        ("survey-7", WEAK, 100 + 1),
        ("survey-8", PLAIN, 100 + 100 + 70),
        ("survey-8", NAGAI, max(100, 70)),
        ("survey-8", SNDA, 100 + 70),
        ("survey-8", WEAK, 100 + 2),
        ("kishimoto-2-left", PLAIN, 100 + (80 + 70) + 70),
        ("kishimoto-2-left", NAGAI, max(100, 80 + 70)),
        ("kishimoto-2-left", SNDA, 100 + 80 + 70),
        ("kishimoto-2-left", WEAK, 100 + 2),
        ("kishimoto-2-left", DFPN_R, 100 + 80 + 70),
        ("kishimoto-2-left", DFPN_R | SNDA, 100 + max(80, 70)),
        ("kishimoto-2-right", PLAIN, 100 + 100),
        ("kishimoto-2-right", NAGAI, 100),
        ("kishimoto-2-right", SNDA, 100),
        ("kishimoto-2-right", WEAK, 100 + 1),
    ],
)
def test_numbers_at_the_root(name: str, settings: Settings, number: int) -> None:
    assert root_numbers(text_of(name), name, settings) == {number}


@pytest.mark.parametrize(
    ("name", "settings", "number"),
    [
        ("survey-7", PLAIN, 2),
        ("survey-7", WEAK, 2),
        ("survey-8", PLAIN, 3),
        ("kishimoto-2-left", PLAIN, 4),
        ("kishimoto-2-left", WEAK, 4),
        ("kishimoto-2-left", DFPN_R, 3),
        ("kishimoto-2-right", PLAIN, 2),
        ("kishimoto-2-right", WEAK, 2),
    ],
)
def test_numbers_at_the_root_with_unit_leaves(name: str, settings: Settings, number: int) -> None:
    assert root_numbers(unit(text_of(name)), name, settings) == {number}


def test_df_pn_r_delays_what_tca_selects() -> None:
    """Figure 4 of Kishimoto: a line of 12 plies is searched first, if E's number is ignored."""
    alone: Settings = {"closure": False, "rise": 10**12}
    tca = search(text_of("kishimoto-4"), loops="tca", **alone)
    dfpn_r = search(text_of("kishimoto-4"), loops="df-pn(r)", **alone)
    assert tca.verdict == dfpn_r.verdict == "proven"
    assert tca.statistics["nodes"] + 12 < dfpn_r.statistics["nodes"]


# Figure 9 of the survey: graph-history interaction.

every_cure_of_loops = pytest.mark.parametrize("loops", ["tca", "df-pn(r)", "rise"])


@every_cure_of_loops
def test_survey_figure_9_is_wrong_if_the_path_is_ignored(loops: str) -> None:
    result = search(text_of("survey-9"), loops=loops, ghi="off", unsafe=True)
    assert (result.verdict, result.unsound) == ("disproven", True)


@every_cure_of_loops
@pytest.mark.parametrize("ghi", ["discard", "paths", "base-twin"])
def test_survey_figure_9_is_right_with_every_cure(loops: str, ghi: str, tmp_path: Path) -> None:
    path = tmp_path / "figure.andorra"
    result = search(text_of("survey-9"), loops=loops, ghi=ghi, certificate=path)
    assert (result.verdict, result.unsound) == ("proven", False)
    assert result.statistics["repetitions"] > 0
    assert trusted_check(path, QUESTION, "proven") is None
    assert fast_check([path]) is None


def test_survey_figure_9_is_wrong_in_the_reference_if_the_path_is_ignored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert dfpn.solve(figure("survey-9"), None, QUESTION).verdict == "proven"
    monkeypatch.setattr(dfpn.OpenNode, "disproof_rests_upon", lambda _: dfpn.NO_REPETITION)
    assert dfpn.solve(figure("survey-9"), None, QUESTION).verdict == "disproven"


# Figure 1 of Kishimoto: loops. The graphs are our own; see `find_loops.py`.


@pytest.mark.parametrize("settings", find_loops.PLAIN, ids=lambda settings: settings["ghi"])
@pytest.mark.parametrize("name", LOOPS)
def test_plain_df_pn_runs_in_circles(name: str, settings: Settings) -> None:
    result = find_loops.ask(text_of(name), find_loops.GUARD, **settings)
    assert (result.verdict, result.limit) == ("unknown", "no progress")
    assert result.statistics["nodes"] - result.statistics["expansions"] >= 1_000_000


@pytest.mark.parametrize("settings", find_loops.CURES, ids=lambda settings: settings["loops"])
@pytest.mark.parametrize("name", LOOPS)
def test_cures_of_loops(name: str, settings: Settings) -> None:
    result = find_loops.ask(text_of(name), find_loops.GUARD, **settings)
    assert result.verdict == find_loops.oracle(text_of(name)) == said(name, "expected")
    assert result.statistics["nodes"] < 100


@pytest.mark.parametrize("name", LOOPS)
def test_loops_leave_something_unexpanded(name: str) -> None:
    assert find_loops.runs_in_circles(text_of(name), find_loops.SCREEN)


@pytest.mark.parametrize("name", ["survey-9", "chapter-5"])
def test_graphs_without_loops_are_told_apart(name: str) -> None:
    assert not find_loops.runs_in_circles(text_of(name), find_loops.SCREEN)


def test_sides_move_in_turn_in_one_of_the_loops() -> None:
    turns = {name: find_loops.alternating(text_of(name)) for name in LOOPS}
    assert [name for name in LOOPS if turns[name] == graph_lines(name)] == ["loop-alternating"]


def graph_lines(name: str) -> str:
    return "".join(x for x in text_of(name).splitlines(keepends=True) if not x.startswith("#"))


def test_loops_are_found_and_shrunk() -> None:
    found = next(find_loops.find(48, "proven", alternate=False, seconds=60))
    assert find_loops.runs_in_circles(found, find_loops.SCREEN)
    assert len(found.splitlines()) < 20
