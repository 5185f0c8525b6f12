"""The shortest win: its length by an oracle, its line, other solutions, limits and certificates."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import andorra
from andorra import Other
from andorra.inquiry import Inquiry
from andorra.question import Question
from andorra.result import When
from andorra.rulebook import FIRST, GAMES, SECOND, SIDE_NAMES, make
from andorra.rulebook.base import Game, Side
from conftest import FindProblemSet
from examiner import fast_check
from random_graphs import random_cyclic_graph, random_graph
from random_tsume import KINDS, random_problem
from settings import GENERAL, IN_TREES
from test_tsume_search import assert_mates
from tsume_kit import GAME, TooManyPositionsError, mates_within, problems

Rules = Game[Any, Any]
MEMORY = "8MiB"
IMPOSSIBLE = 10**9
SHORTER = {("nshogi_mate5", 286): 3, ("nshogi_mate5", 801): 3} | {
    ("nshogi_mate9", 103): 7,
    ("nshogi_mate9", 423): 7,
}
"""The only problems, by set and row, that have a shorter solution than their set says."""


# ---- the oracle ----


class Lengths:
    """How long each position's win takes: from the ends backwards, a ply a round."""

    def __init__(self, game: Rules, root: Any, prover: Side) -> None:
        self.game, self.root, self.prover = game, root, prover
        after = self._reachable()
        self.plies = {s: 0 for s in after if game.outcome(s) == SIDE_NAMES[prover]}
        for round_ in range(1, len(after) + 1):
            won = [s for s in after if s not in self.plies and self._won(s, after[s])]
            if not won:
                break
            self.plies |= dict.fromkeys(won, round_)

    def _reachable(self) -> dict[Any, list[Any]]:
        after: dict[Any, list[Any]] = {}
        waiting = [self.root]
        while waiting:
            state = waiting.pop()
            if state not in after:
                after[state] = [self.game.play(state, move) for move in self.game.moves(state)]
                waiting += after[state]
        return after

    def _won(self, state: Any, after: list[Any]) -> bool:
        quantifier = any if self.game.to_move(state) == self.prover else all
        return bool(after) and quantifier(child in self.plies for child in after)

    def of(self, state: Any) -> int:
        return self.plies.get(state, IMPOSSIBLE)

    def assert_optimal(self, line: list[str]) -> Any:
        """Neither side loses or gains a ply; the state at the end of the line."""
        state = self.root
        for text in line:
            before = self.of(state)
            state = self.game.play(state, self.game.parse_move(state, text))
            assert self.of(state) == before - 1
        assert self.of(state) == 0
        return state

    def others(self, line: list[str]) -> list[Other]:
        return list(self._others(line))

    def _others(self, line: list[str]) -> Iterator[Other]:
        state, length = self.root, self.of(self.root)
        for ply, text in enumerate(line, start=1):
            for move in self.game.moves(state) if self.game.to_move(state) == self.prover else []:
                name = self.game.format_move(state, move)
                plies = self.of(self.game.play(state, move))
                if name != text and plies < IMPOSSIBLE:
                    as_soon = ply + plies == length
                    when: When = "as soon" if as_soon else "later"
                    yield Other(ply, name, length if as_soon else None, "proven", when)
            state = self.game.play(state, self.game.parse_move(state, text))


def graph_tasks() -> Iterator[tuple[Rules, Any]]:
    for seed in range(150):
        game = make("graph", random_graph(seed).text)
        yield game, game.initial()


def board_tasks() -> Iterator[tuple[Rules, Any]]:
    rng = random.Random(1)
    for spec, plies in (("mnk:3,3,3", 2), ("hex:3", 2), ("connect4:4x4", 6), ("loa:3", 1)):
        game = make(spec)
        for _ in range(6):
            state = game.initial()
            for _ in range(plies):
                moves = game.moves(state)
                state = game.play(state, rng.choice(moves)) if moves else state
            yield game, state


def toll_tasks() -> Iterator[tuple[Rules, Any]]:
    rng = random.Random(2)
    for _ in range(60):
        game = make(f"toll:{rng.randint(1, 4)}")
        numbers = (rng.randint(0, 5), rng.randint(0, 3), rng.randint(0, 5))
        yield game, game.parse("0 - {} {} {} k".format(*numbers))


def cops_tasks() -> Iterator[tuple[Rules, Any]]:
    for spec in ("cops:1", "cops:2"):
        game = make(spec)
        for graph in ("Cl", "DUW", "EhEG"):
            yield game, game.parse(graph)


TASKS = {
    "graphs": graph_tasks,
    "boards": board_tasks,
    "toll": toll_tasks,
    "cops": cops_tasks,
}


@pytest.mark.parametrize("algorithm", sorted({*GENERAL} - IN_TREES))
@pytest.mark.parametrize("name", TASKS)
def test_lengths_lines_and_others_are_the_oracles(
    tmp_path: Path, name: str, algorithm: str
) -> None:
    found: list[Path] = []
    for game, root in TASKS[name]():
        for prover in (FIRST, SECOND):
            lengths = Lengths(game, root, prover)
            path = tmp_path / f"{len(found)}.andorra"
            result = ask(game, root, prover, algorithm=algorithm, certificate=path, others=True)
            assert_as_by_oracle(result, lengths)
            assert_certified(path, result)
            found.append(path)
    assert fast_check(found) is None


def ask(game: Rules, root: Any, prover: Side, **settings: Any) -> andorra.Result:
    question = f"shortest:{SIDE_NAMES[prover]}"
    return andorra.solve(game, game.format(root), question, memory=MEMORY, **settings)


def assert_as_by_oracle(result: andorra.Result, lengths: Lengths) -> None:
    expected = lengths.of(lengths.root)
    assert result.limit is None
    if expected == IMPOSSIBLE:
        assert (result.verdict, result.length, result.length_bounds) == ("disproven", None, None)
        assert (result.others, result.left) == (None, None)
        return
    assert (result.verdict, result.length) == ("proven", expected)
    assert result.length_bounds == (expected, expected)
    end = lengths.assert_optimal(result.line)
    assert result.others == lengths.others(result.line)
    assert result.left == lengths.game.left(end, lengths.prover)


def assert_certified(path: Path, result: andorra.Result) -> None:
    """The trusted checker; the fast one is asked about all files at once."""
    shown = [(part.question, part.verdict) for part in andorra.check(path).parts]
    win = f"win:{result.prover}"
    if result.length is None:
        assert shown == [(win, "disproven")]
    elif result.length == 0:
        assert shown == [(f"{win}<=0", "proven")]
    else:
        within, fewer = f"{win}<={result.length}", f"{win}<={result.length - gap(result)}"
        assert shown == [(within, "proven"), (fewer, "disproven")]


def gap(result: andorra.Result) -> int:
    """How much less than the length is refuted: more than a ply where only every other counts."""
    game = result.game.partition(":")[0]
    return 2 if GAMES[game].wins_by_own_move and (result.length or 0) > 2 else 1


# ---- shogi ----


def test_random_mates_are_as_long_as_trying_every_move_says() -> None:
    compared = 0
    for seed in range(120):
        text = random_problem(seed, KINDS[seed % 3])
        result = andorra.solve(GAME, text, "shortest", memory=MEMORY, nodes=20_000)
        if result.length is None or result.length > 7:
            continue
        state = GAME.parse(text)
        try:
            shorter = result.length > 0 and mates_within(state, result.length - 1, 20_000)
            mates = mates_within(state, result.length, 20_000)
        except TooManyPositionsError:
            continue
        compared += 1
        assert (text, shorter, mates) == (text, False, True)
        assert len(result.line) == result.length
    assert compared > 30


@pytest.mark.parametrize("plies", [3, 5, 9])
def test_problem_sets_are_as_long_as_they_say(problem_set: FindProblemSet, plies: int) -> None:
    name = f"nshogi_mate{plies}"
    sfens = problems(problem_set, name)
    rows = {*range(100), *(row for of, row in SHORTER if of == name)}
    for row in sorted(rows):
        result = andorra.solve(GAME, sfens[row], "shortest", memory="64MiB")
        length = SHORTER.get((name, row), plies)
        assert (row, result.length, len(result.line)) == (row, length, length)
        assert_mates(sfens[row], result)


def test_shortest_mates_have_certificates(problem_set: FindProblemSet, tmp_path: Path) -> None:
    paths = []
    for row, sfen in enumerate(problems(problem_set, "nshogi_mate5")[:20]):
        paths.append(tmp_path / f"{row}.andorra")
        result = andorra.solve(GAME, sfen, "shortest", memory="64MiB", certificate=paths[-1])
        assert_certified(paths[-1], result)
    assert fast_check(paths) is None


def test_what_is_left_in_hand() -> None:
    assert andorra.solve(GAME, "4k4/9/4P4/9/9/9/9/9/9 b G2P 1").left == "2P"
    assert andorra.solve(GAME, "9/9/9/9/9/9/4p4/9/4K4 w gs 1").left in ("S", "G")
    assert andorra.solve(GAME, "4k4/9/4P4/9/9/9/9/9/9 b G 1").left == "nothing"
    assert andorra.solve(GAME, "4k4/9/9/9/9/9/9/9/9 b G 1").left is None
    assert andorra.solve("mnk:3,3,3", "xx./oo./...").left is None


# ---- lines of any win ----


@pytest.mark.parametrize("question", ["win:first", "win:second"])
def test_lines_of_proofs_end_in_the_win_though_the_table_forgets(question: str) -> None:
    """Stored moves may then lead back to the line."""
    ends = {"win:first": "win", "win:second": "loss"}
    searched_again = 0
    for task in (*cyclic_tasks(), *tsume_tasks()):
        result = andorra.solve(*task, question, memory=MEMORY, nodes=20_000, table_entries=64)
        if result.verdict == "proven":
            searched_again += result.statistics["searched_again"]
            assert (task[1], result.line_end) == (task[1], ends[question])
    assert searched_again > 20


def cyclic_tasks() -> Iterator[tuple[Rules, str]]:
    for seed in range(200):
        game = make("graph", random_cyclic_graph(seed).text)
        yield game, game.format(game.initial())


def tsume_tasks() -> Iterator[tuple[Rules, str]]:
    for seed in range(90):
        yield GAME, random_problem(seed, KINDS[seed % 3])


# ---- limits ----

WON = "x../.../..o"
SOON_OR_LATER = "xx./o../.o."


def shortest(**settings: Any) -> andorra.Result:
    return andorra.solve("mnk:3,3,3", WON, "shortest", memory=MEMORY, **settings)


def test_a_limit_on_nodes_is_for_all_questions_together(tmp_path: Path) -> None:
    enough = shortest().statistics["nodes"]
    assert shortest(nodes=2 * enough).length == 5
    seen = set()
    for nodes in range(1, enough):
        path = tmp_path / f"{nodes}.andorra"
        result = shortest(nodes=nodes, certificate=path)
        assert result.limit == ("nodes" if result.length is None else None)
        seen.add((result.verdict, result.length_bounds))
        assert path.exists() == (result.verdict == "proven" and not result.certificate_limit)
        if path.exists():
            assert_certificate_shows(path, result)
            first, *rest = andorra.check(path).parts
            assert (first.prover, first.verdict) == ("first", "proven")
            assert all(part.verdict == "disproven" for part in rest)
    assert ("unknown", None) in seen
    bounds = [bounds for verdict, bounds in seen if bounds is not None]
    assert {at_least for at_least, _ in bounds} >= {1, 5}
    assert all(at_most is not None and at_least <= 5 <= at_most for at_least, at_most in bounds)


def assert_certificate_shows(path: Path, result: andorra.Result) -> None:
    """A length that is known is shown, or there is no certificate."""
    if result.length is not None:
        assert_certified(path, result)


BOUNDS_MEET_EARLY = "6snk/9/7P1/9/9/9/9/9/9 b RG 1"
"""The first proof's longest line is a shortest mate."""


def test_where_the_bounds_meet_the_length_is_known(tmp_path: Path) -> None:
    whole = andorra.solve(GAME, BOUNDS_MEET_EARLY, "shortest", memory=MEMORY)
    seen = set()
    for nodes in range(10, whole.statistics["nodes"] + 1, 10):
        path = tmp_path / f"{nodes}.andorra"
        result = ask_with(nodes, path)
        at_least, at_most = result.length_bounds or (0, None)
        assert result.length == (at_most if at_least == at_most else None)
        assert result.length in (None, whole.length)
        assert (result.limit is None) == (result.length is not None)
        assert path.exists() == (result.certificate is not None)
        if result.length is not None:
            assert len(result.line) <= result.length
            assert result.certificate_limit == (None if path.exists() else "nodes")
        if path.exists():
            assert_certificate_shows(path, result)
        seen.add((result.length, path.exists()))
    assert {(7, False), (7, True)} <= seen


def ask_with(nodes: int, path: Path | None = None, **settings: Any) -> andorra.Result:
    position = BOUNDS_MEET_EARLY
    return andorra.solve(
        GAME, position, "shortest", memory=MEMORY, nodes=nodes, certificate=path, **settings
    )


def test_other_moves_that_a_limit_leaves_unasked_leave_the_answer_open() -> None:
    result = ask_with(300)
    assert (result.length, result.limit) == (7, None)
    result = ask_with(300, others=True)
    assert (result.length, result.others, result.limit) == (7, None, "nodes")


def test_a_limit_on_seconds_is_for_all_questions_together() -> None:
    result = andorra.solve("connect4:7x6", question="shortest", memory="64MiB", seconds=0.05)
    assert (result.verdict, result.limit, result.length_bounds) == ("unknown", "seconds", None)


def test_another_thread_can_end_it() -> None:
    result = andorra.solve("connect4:7x6", None, "shortest", memory="64MiB", stop=lambda: True)
    assert (result.verdict, result.limit) == ("unknown", "interrupted")


@pytest.mark.parametrize("nodes", [3, 30, 300])
@pytest.mark.parametrize("name", ["graphs", "toll", "cops"])
def test_bounds_that_a_limit_leaves_are_true(name: str, nodes: int) -> None:
    for game, root in TASKS[name]():
        result = ask(game, root, FIRST, nodes=nodes)
        if result.length_bounds is not None:
            length = Lengths(game, root, FIRST).of(root)
            at_least, at_most = result.length_bounds
            assert at_least <= length <= (at_most or length)
            assert result.length in (None, length)


@pytest.mark.parametrize("questions", range(1, 4))
def test_ctrl_c_between_two_questions(monkeypatch: pytest.MonkeyPatch, questions: int) -> None:
    honest = Inquiry.ask

    def interrupted(self: Inquiry, question: Question, *rest: Any, **settings: Any) -> Any:
        if len(self.answers) == questions:
            raise KeyboardInterrupt
        return honest(self, question, *rest, **settings)

    monkeypatch.setattr(Inquiry, "ask", interrupted)
    result = shortest()
    assert (result.verdict, result.limit) == ("proven", "interrupted")
    assert result.length_bounds is not None
    assert result.length == (5 if result.length_bounds == (5, 5) else None)
    assert result.line_end == "win"


def test_ctrl_c_among_the_others_leaves_them_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Inquiry.ask
    everything = shortest(others=True)

    def interrupted(self: Inquiry, question: Question, *rest: Any, **settings: Any) -> Any:
        if "position" in settings:
            raise KeyboardInterrupt
        return honest(self, question, *rest, **settings)

    monkeypatch.setattr(Inquiry, "ask", interrupted)
    result = shortest(others=True)
    assert result.length == 5
    assert result.others is not None
    assert everything.others is not None
    assert {(other.verdict, other.when) for other in result.others} == {("unknown", "not known")}
    assert len(result.others) >= len(everything.others) > 0


def test_others_with_few_nodes_are_unknown_at_worst() -> None:
    full, poor = shortest(others=True).others, shortest(others=True, others_nodes=1).others
    assert full is not None
    assert poor is not None
    assert {(other.ply, other.move) for other in full} <= {(o.ply, o.move) for o in poor}
    assert "unknown" in {other.verdict for other in poor}


def test_what_is_surely_later_is_told_from_what_is_not_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With and without an answer to the questions that have a bound."""
    asked = andorra.solve("mnk:3,3,3", SOON_OR_LATER, "shortest", memory=MEMORY, others=True)
    assert asked.others is not None
    assert {(other.verdict, other.when) for other in asked.others} >= {("proven", "later")}
    honest = Inquiry.ask

    def hurried(self: Inquiry, question: Question, *rest: Any, **settings: Any) -> Any:
        unasked = "position" in settings and question.within is not None
        return None if unasked else honest(self, question, *rest, **settings)

    monkeypatch.setattr(Inquiry, "ask", hurried)
    hurry = andorra.solve("mnk:3,3,3", SOON_OR_LATER, "shortest", memory=MEMORY, others=True)
    assert hurry.others is not None
    assert {(other.verdict, other.when) for other in hurry.others} == {("proven", "not known")}


# ---- what cannot be asked ----


@pytest.mark.parametrize(
    ("question", "settings", "said"),
    [
        ("shortest:third", {}, "'shortest:third': expected 'shortest', 'shortest:first' or"),
        ("win", {"others": True}, "others=True goes with question='shortest', not with question="),
        (None, {"others": True}, "not with the default question"),
        ("shortest", {"others": True, "others_nodes": 0}, "others_nodes=0: expected a whole"),
    ],
)
def test_what_cannot_be_asked(question: str, settings: dict[str, Any], said: str) -> None:
    with pytest.raises(andorra.OptionError) as error:
        andorra.solve("mnk:3,3,3", WON, question, **settings)
    assert said in str(error.value)


def test_unsound_settings_have_no_shortest_win() -> None:
    with pytest.raises(andorra.OptionError, match="sound on this game"):
        andorra.solve("cops:1", "Cl", "shortest", ghi="off", unsafe=True)
