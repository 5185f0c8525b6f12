"""Promises of own rules: none that is false hangs a search, or ends in a plain "verified"."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import andorra
from andorra import FIRST, SECOND, CertificateError, Game, RuleError
from andorra.certificate import Certificate, Entry, Kind, Part, SideName, VerdictName, write
from andorra.places import is_alike
from andorra.rulebook import GAMES, Outcome, Side, make
from games_kit import DATA
from lying_games import GRAPHS, Honest, Lying, graph, settings

LIES = Path(__file__).parent / "lying_games.py"
LINE = re.compile(r"(\d+) (\S+) (\{.*?\}) : (\S+) ?(.*)")
MOST_MIB = 1024


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A path for a certificate."""
    return tmp_path / "file.andorra"


# Searches.


@pytest.mark.parametrize("form", ["python", "library", "numba"])
def test_no_search_runs_for_ever_where_a_game_wrongly_says_it_is_acyclic(
    form: str, tmp_path: Path
) -> None:
    """The program has a limit on its CPU time, and would be killed."""
    if form == "numba":
        pytest.importorskip("numba")
    done = subprocess.run(
        [sys.executable, LIES, form, tmp_path], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout[-300:]
    *lines, peak = done.stdout.splitlines()
    found = [match for line in lines if (match := LINE.fullmatch(line))]
    assert len(found) == len(lines) == len(settings(form)) * len(GRAPHS)
    assert int(peak.removeprefix("peak ")) < MOST_MIB
    for algorithm, options in settings(form):
        its = [match for match in found if match.group(2, 3) == (algorithm, str(options))]
        errors = [match[5] for match in its if match[4] == "RuleError"]
        assert len(errors) > len(GRAPHS) // 2, (algorithm, options)
        assert all("('acyclic')" in error and "in position" in error for error in errors)
        assert all(match[4] in ("RuleError", "proven", "disproven", "unknown") for match in its)


def test_verdicts_beside_a_false_promise_are_right() -> None:
    for algorithm, options in settings("python"):
        for seed in range(40):
            try:
                lying = andorra.solve(
                    Lying(seed), None, "win:first", algorithm, memory="8MiB", **options
                )
            except RuleError:
                continue
            honest = andorra.solve(Honest(seed), None, "win:first", "fixpoint", memory="8MiB")
            assert (seed, algorithm, lying.verdict) == (seed, algorithm, honest.verdict)


class Graph(Game[str, str]):
    """A graph as a class: nodes with who moves and where to, or "first", "second", "draw"."""

    name = "mine"

    def __init__(self, nodes: dict[str, str], **attributes: Any) -> None:
        self.nodes = {name: line.split() for name, line in nodes.items()}
        for name, value in attributes.items():
            setattr(self, name, value)

    def initial(self) -> str:
        return next(iter(self.nodes))

    def to_move(self, state: str) -> Side:
        return SECOND if self.nodes[state][0] == "and" else FIRST

    def moves(self, state: str) -> list[str]:
        return self.nodes[state][1:]

    def play(self, state: str, move: str) -> str:
        return move

    def outcome(self, state: str) -> Outcome | None:
        ends: dict[str, Outcome] = {"first": "first", "second": "second", "draw": "draw"}
        return ends.get(self.nodes[state][0])


def test_the_shortest_win_does_not_rest_on_own_moves() -> None:
    """In 2 plies, as the second player's only move wins for the first; in 3 by its own."""
    nodes = {
        "A": "or B C", "B": "and D", "C": "and E", "D": "first", "E": "or F", "F": "first"
    }  # fmt: skip
    game = Graph(nodes, wins_by_own_move=True)
    result = andorra.solve(game, question="shortest:first")
    assert (result.length, result.line) == (2, ["B", "D"])
    longer = Graph(nodes | {"A": "or C B", "C": "and E"}, wins_by_own_move=True)
    assert andorra.solve(longer, question="shortest:first").length == 2


def test_a_certificate_of_the_shortest_win_of_own_rules(file: Path) -> None:
    nodes = {"A": "or B C", "B": "and D", "C": "and E", "D": "or E", "E": "first"}
    game = Graph(nodes, acyclic=True, can_draw=False)
    assert andorra.solve(game, question="shortest:first", certificate=file).length == 2
    verified = andorra.check(file, game)
    assert (verified.value, len(verified.parts), verified.relative_to) == ("win", 2, ())
    both = andorra.solve(game, question="value", certificate=file)
    assert (both.value, andorra.check(file, game).relative_to) == ("win", ())


def test_built_in_games_still_save_a_question() -> None:
    result = andorra.solve("mnk:3,3,3", "x../.../..o", question="shortest", certificate=None)
    assert result.length == 5


# Scores.


class Scored(Graph):
    """The same with the scores of each position; what is not named has those of the outcome."""

    acyclic = True
    states: dict[str, Any]

    def scores(self, state: str) -> Any:
        return self.states[state] if state in self.states else super().scores(state)


LADDER = {"A": "or B", "B": "and C", "C": "draw"}


@pytest.mark.parametrize(
    ("states", "words"),
    [
        ({"A": (100, 200), "B": (100, 200), "C": (7, 7)}, r"\(7, 7\) after move 'C'.*'B'"),
        ({"A": (0, 9), "B": (0, 10), "C": (7, 7)}, r"\(0, 9\), and \(0, 10\) after move 'B'.*'A'"),
        ({"A": (0, 9), "B": (0, 9), "C": (7, 8)}, r"\(7, 8\), expected one score at an end.*'C'"),
        ({"A": (0, 9), "B": (9, 0), "C": (7, 7)}, r"\(9, 0\), expected the least first.*'B'"),
        ({"A": (0, 9), "B": 7, "C": (7, 7)}, r"7, expected a pair of whole numbers.*'B'"),
        ({"A": (0, 9), "B": (0, "9"), "C": (7, 7)}, "expected a pair of whole numbers.*'B'"),
        ({"A": None, "B": (0, 9), "C": (7, 7)}, "expected a pair of whole numbers.*'A'"),
    ],
)
def test_scores_that_break_their_contract_end_a_search(states: dict[str, Any], words: str) -> None:
    with pytest.raises(RuleError, match=f"'scores' gave .*{words}"):
        andorra.solve(Scored(LADDER, states=states), question="score")


def test_a_root_that_is_decided_at_once_is_looked_below() -> None:
    states = {"A": (100, 200), "B": (7, 7), "C": (7, 7)}
    with pytest.raises(RuleError, match="after move 'B'"):
        andorra.solve(Scored(LADDER, states=states), question="score>=100")


def test_sound_scores_are_let_pass() -> None:
    states = {"A": (0, 9), "B": (3, 7), "C": (7, 7)}
    assert andorra.solve(Scored(LADDER, states=states), question="score").score == 7


# The trusted checker.


def claim(
    game: Game[Any, Any],
    question: str,
    verdict: VerdictName,
    *lines: str,
    value: Any = "-",
) -> Certificate:
    """A hand-made certificate; a line is "[~]position move [rank]"."""
    prover: SideName = "second" if "second" in question or "<=" in question else "first"
    entries = []
    for line in lines:
        kind: Kind = "~" if line.startswith("~") else "="
        state, move, *rank = line.removeprefix("~").split()
        entries.append(Entry(kind, repr(state), move, int(rank[0]) if rank else None, None))
    part = Part(question, prover, None, verdict, tuple(entries))
    return Certificate(game.spec(), None, game.format(game.initial()), value, (part,))


def false_claim(game: Game[Any, Any]) -> Certificate:
    """That the first player wins, by one move."""
    return claim(game, "win:first", "proven", "W V 1")


def relative_to(path: Path, certificate: Certificate, game: Game[Any, Any]) -> tuple[str, ...]:
    """What an accepted certificate rests on."""
    write(path, certificate)
    return andorra.check(path, game).relative_to


def rejection(path: Path, certificate: Certificate, game: Game[Any, Any]) -> str:
    """Why a certificate is rejected."""
    write(path, certificate)
    with pytest.raises(CertificateError) as caught:
        andorra.check(path, game)
    return str(caught.value)


def test_scores_are_checked_along_every_line(file: Path) -> None:
    def claimed(states: dict[str, Any], question: str = "score>=7", *lines: str) -> Any:
        game = Scored(LADDER, states=states)
        return claim(game, question, "proven", *(lines or ("A B 1",))), game

    sound = {"A": (0, 9), "B": (3, 7), "C": (7, 7)}
    assert relative_to(file, *claimed(sound)) == ()
    wider = rejection(file, *claimed(sound | {"B": (3, 10)}))
    assert "scores from 3 to 10 after scores from 0 to 9, after B" in wider
    other = rejection(file, *claimed(sound | {"C": (8, 8)}))
    assert "scores from 8 to 8 after scores from 3 to 7, after B C" in other
    assert "no scores from 7 to 8, after B C" in rejection(file, *claimed(sound | {"C": (7, 8)}))
    for wrong in (7, (1, 2, 3), None, ("a", "b"), (1.5, 2)):
        assert "expected a pair of whole numbers" in rejection(file, *claimed(sound | {"B": wrong}))


def test_a_score_that_is_decided_before_the_end_rests_on_promises(file: Path) -> None:
    game = Scored(LADDER, states={"A": (100, 200), "B": (100, 200), "C": (7, 7)})
    assert relative_to(file, claim(game, "score>=100", "proven"), game) == ("acyclic", "scores")
    assert relative_to(file, claim(game, "score>=201", "disproven"), game) == ("scores",)
    lent = Graph(LADDER, acyclic=True, scores=lambda state: (1, 1))
    assert relative_to(file, claim(lent, "score>=1", "proven"), lent) == ("acyclic", "scores")
    plain = Graph(LADDER, acyclic=True)
    assert relative_to(file, claim(plain, "score>=-1", "proven"), plain) == ("acyclic", "scores")
    assert relative_to(file, claim(plain, "score>=2", "disproven"), plain) == ("scores",)


def test_a_value_is_not_concluded_from_promises(file: Path) -> None:
    ends = {"A": "or B", "B": "and C D", "C": "second", "D": "second"}
    promises = {"acyclic": True, "can_draw": False}
    for nodes, reason in (
        (ends, None),
        (ends | {"C": "draw"}, "ends with 'draw', after B C"),
        (ends | {"C": "or A"}, "comes back to a position, after B C A"),
        (ends | {"D": "or E", "E": "and B C"}, "comes back to a position, after B D E B"),
    ):
        game = Graph(nodes, **promises)
        # The second player's strategy: at B it has a choice, which the entry makes.
        reply = "B D" if reason is not None and "B D" in reason else "B C"
        more = ["E B"] if reply == "B D" else []
        certificate = claim(game, "win:first", "disproven", reply, *more, value="loss")
        if reason is None:
            assert relative_to(file, certificate, game) == ()
        else:
            assert f"the value 'loss' does not follow, as the line {reason}" in rejection(
                file, certificate, game
            )
        assert relative_to(file, replace(certificate, value="-"), game) == ()


class Rich(Graph):
    """A graph on which more of the letter's order is said to be better for the first player."""

    def board(self, state: str) -> Any:
        return "and" if self.to_move(state) == SECOND else "or"

    def resources(self, state: str) -> tuple[int, ...]:
        return (ord(state),)


def test_a_cover_of_another_position_rests_on_resources(file: Path) -> None:
    nodes = {"R": "and S T", "S": "or W", "T": "or W", "W": "first"}
    game = Rich(nodes)
    covered = claim(game, "win:first", "proven", "~S W 1")
    assert relative_to(file, covered, game) == ("resources",)
    own = claim(game, "win:first", "proven", "S W 1", "T W 1")
    assert relative_to(file, own, game) == ()
    false = Rich(nodes | {"T": "or L W", "L": "and T"})
    assert relative_to(file, claim(false, "win:first", "proven", "~S W 1"), false) == ("resources",)


class Boxed:
    """A position whose equality is what a test says."""

    def __init__(self, node: str, equal: bool | None) -> None:
        self.node = node
        self._equal = equal

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Boxed):
            return NotImplemented
        return self.node == other.node if self._equal is None else self._equal

    def __hash__(self) -> int:
        return 0


class Boxes(Graph):
    """A graph whose states are boxes; `texts` are what positions are written as."""

    equal: bool | None = None
    texts: dict[str, str]

    def initial(self) -> Any:
        return Boxed(next(iter(self.nodes)), self.equal)

    def to_move(self, state: Any) -> Side:
        return super().to_move(state.node)

    def moves(self, state: Any) -> list[str]:
        return super().moves(state.node)

    def play(self, state: Any, move: str) -> Any:
        return Boxed(move, self.equal)

    def outcome(self, state: Any) -> Outcome | None:
        return super().outcome(state.node)

    def format(self, state: Any) -> str:
        return repr(self.texts.get(state.node, state.node))

    def parse(self, text: str) -> Any:
        return Boxed(text.strip("'"), self.equal)


def test_positions_are_told_apart_by_their_parts(file: Path) -> None:
    """At L the first player has lost, but it is said to be W; or is written so; or both."""
    nodes = {"R": "and W L", "W": "or V", "V": "first", "L": "or K", "K": "second"}
    assert "no entry serves" in rejection(file, false_claim(g := Boxes(nodes, texts={})), g)
    for equal, texts, reason in (
        (True, {}, "no entry serves \"'L'\""),
        (None, {"L": "W"}, "the rules write \"'W'\" for the state"),
        (False, {}, "no entry serves \"'L'\""),
        (False, {"L": "W"}, "the rules write \"'W'\" for the state"),
    ):
        game = Boxes(nodes, equal=equal, texts=texts)
        assert reason in rejection(file, false_claim(game), game)
    both = Boxes(nodes, equal=True, texts={"L": "W"})
    assert relative_to(file, false_claim(both), both) == ("equality",)
    honest = Boxes(nodes | {"R": "and W"}, texts={})
    assert relative_to(file, false_claim(honest), honest) == ()


def test_parts_of_states() -> None:
    class Slotted:
        __slots__ = ("part",)

        def __init__(self, part: object) -> None:
            self.part = part

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 0

    class Text(str):
        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 0

    assert is_alike(Slotted((1, [2])), Slotted((1, [2])))
    assert not is_alike(Slotted(1), Slotted(2))
    assert is_alike(Boxed("a", True), Boxed("a", True))
    assert not is_alike(Boxed("a", True), Boxed("b", True))
    assert not is_alike(Text("a"), Text("b")) and is_alike(Text("a"), Text("a"))
    assert not is_alike({1: 2}, {1: 3}) and is_alike({1: 2}, {1: 2})
    assert not is_alike(frozenset("ab"), frozenset("ac")) and not is_alike(1, True)


class Odd(Graph):
    """A graph with rules that are replaced by what a test gives."""

    def __init__(self, nodes: dict[str, str], **rules: Any) -> None:
        super().__init__(nodes)
        for name, rule in rules.items():
            setattr(self, name, rule)


def changing(nodes: dict[str, str]) -> Odd:
    """A graph with moves that are others when asked again."""
    game = Odd(nodes)
    asked: list[str] = []

    def moves(state: str) -> list[str]:
        asked.append(state)
        return nodes[state].split()[1:][asked.count(state) % 2 - 1 :]

    game.__dict__["moves"] = moves
    return game


def test_moves_that_are_not_what_they_should_be(file: Path) -> None:
    nodes = {"R": "and W L", "W": "or V L", "V": "first", "L": "or K", "K": "second"}
    for game, reason in (
        (Odd(nodes, moves=lambda _: iter(())), "has neither moves nor an outcome"),
        (Odd(nodes, moves=lambda _: []), "has neither moves nor an outcome"),
        (Odd(nodes, format_move=lambda *_: "V"), "two moves have the text 'V' in \"'R'\""),
        (changing(nodes), "gave other moves when asked again in \"'R'\""),
        (Odd(nodes, to_move=lambda state: 1 if state == "R" else 2), "say that 2 is to move"),
        (Odd(nodes, outcome=lambda state: "white" if state == "L" else None), "no outcome 'white'"),
    ):
        assert re.search(reason, rejection(file, false_claim(game), game)), reason


def test_built_in_games_rest_on_nothing(file: Path) -> None:
    andorra.solve("dots:2x2", question="score", certificate=file)
    assert andorra.check(file).relative_to == ()
    andorra.solve("hex:3", question="win:second", certificate=file)
    assert (andorra.check(file).value, andorra.check(file).relative_to) == ("win", ())


# andorra.check_rules.


def states_of(game: Game[Any, Any], **settings: Any) -> dict[str, str]:
    """What is said of each promise."""
    report = andorra.check_rules(game, **settings)
    return {promise.name: promise.state for promise in report.promises}


@pytest.mark.parametrize("name", sorted(set(GAMES) - {"graph"}))
def test_built_in_games_keep_their_promises(name: str) -> None:
    report = andorra.check_rules(make(DATA[name]["games"][0]["spec"]), positions=60)
    assert report.broken == ()
    assert report.positions == 60


def test_what_is_said_of_sound_rules() -> None:
    found = states_of(Graph({"A": "or B", "B": "first"}), positions=10)
    assert {found.pop(name) for name in ("answers", "moves", "order", "play", "text")} == {"kept"}
    assert found.pop("equality") == "kept"
    assert set(found.values()) == {"not made"}
    rich = Rich({"A": "or B", "B": "first"}, acyclic=True)
    assert states_of(rich)["resources"] == "not looked at"
    assert states_of(rich)["acyclic"] == "kept"


def test_runs_of_check_rules_repeat_themselves() -> None:
    assert andorra.check_rules("hex:3", 200, 5) == andorra.check_rules("hex:3", 200, 5)
    assert andorra.check_rules("hex:3", 200, 5).lines != andorra.check_rules("hex:3", 200, 6).lines
    with pytest.raises(andorra.OptionError, match="positions=0"):
        andorra.check_rules("hex:3", 0)


NODES = {"A": "or B C", "B": "and D", "C": "and D E", "D": "first", "E": "second"}


@pytest.mark.parametrize(
    ("promise", "game", "place", "reason"),
    [
        ("acyclic", Lying(4), "", "from where the line came"),
        ("can_draw", Graph(NODES | {"E": "draw"}, can_draw=False), "'C'", "is a draw"),
        ("wins_by_own_move", Graph(NODES, wins_by_own_move=True), "", "other side win"),
        ("wins_by_own_move", Graph(NODES | {"C": "or E"}, wins_by_own_move=True), "'A'", "same"),
        ("scores", Scored(NODES, states={"C": (5, 6)}), "'A'", "from -1 to 1, after 'C' from 5"),
        ("scores", Scored(NODES, states={"E": 3}), "'C'", "a pair of whole numbers"),
        ("moves", Odd(NODES, format_move=lambda *_: "x"), "'A'", "the text 'x'"),
        ("moves", Odd(NODES, moves=lambda _: []), "'A'", "0 moves although the game goes on"),
        ("order", changing(NODES | {"B": "and D E"}), "'A'", "when asked again"),
        ("text", Odd(NODES, parse=lambda _: "E"), "'A'", "read the text as 'E'"),
        ("equality", Odd(NODES, format=lambda _: "one", parse=lambda _: "A"), "one", "one text"),
        ("answers", Odd(NODES, outcome=lambda _: "white"), "'A'", "'outcome' gave 'white'"),
        ("answers", Odd(NODES, to_move=lambda _: 2), "'A'", "'to_move' gave 2"),
        ("answers", Odd(NODES, moves=lambda _: iter("BC")), "'A'", "expected a list or tuple"),
        ("answers", Odd(NODES, play=lambda *_: 1 / 0), "'A'", "raised ZeroDivisionError"),
    ],
)
def test_broken_promises_are_found(
    promise: str, game: Game[Any, Any], place: str, reason: str
) -> None:
    report = andorra.check_rules(game, positions=200)
    broken = {each.name: each for each in report.broken}
    assert promise in broken
    assert place in (broken[promise].position or "")
    assert reason in (broken[promise].reason or "")
    assert reason in str(broken[promise])


def test_lies_of_all_graphs_are_found() -> None:
    """Where the graph has a circle that can be reached, and only there."""
    for seed in range(100):
        lying, seen = Lying(seed), set[Any]()
        todo = [graph(seed)]
        while todo:
            state = todo.pop()
            if state not in seen:
                seen.add(state)
                todo += [lying.play(state, move) for move in lying.moves(state)]
        after = {s: [lying.play(s, m) for m in lying.moves(s)] for s in seen}
        while ends := [s for s in after if not any(child in after for child in after[s])]:
            for end in ends:
                del after[end]
        found = states_of(lying, positions=500)["acyclic"]
        assert (seed, found) == (seed, "broken" if after else "kept")
