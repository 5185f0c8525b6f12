"""Scores: questions about one, the exact score, what carries over, and their certificates.

The oracles are a minimax of Dots and Boxes that knows nothing of the package, and the fixpoint on
random graphs with scores, with cycles as well.
"""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import andorra
from andorra import FIRST, SECOND, Game, OptionError
from andorra.certificate import parse_question, read
from andorra.checker import check
from andorra.errors import CertificateError
from andorra.inquiry import Inquiry
from andorra.question import Question
from andorra.reference import fixpoint
from andorra.rulebook import make
from andorra.walk import main_line
from examiner import fast_check
from random_graphs import random_cyclic_graph, random_graph, with_scores

MEMORY = "8MiB"
ALGORITHMS: tuple[dict[str, Any], ...] = (
    {"algorithm": "dfpn"},
    {"algorithm": "dfpn", "table_entries": 256, "nodes": 300_000},
    {"algorithm": "dfpn", "agents": 3},
    {"algorithm": "pns"},
    {"algorithm": "fixpoint"},
)


# ---- Dots and Boxes against a minimax of its own ----


@cache
def boxes_of(width: int, height: int) -> list[frozenset[tuple[str, int, int]]]:
    """Each box by its four edges: h above and below, v left and right of it."""
    return [
        frozenset({("h", x, y), ("h", x, y + 1), ("v", x, y), ("v", x + 1, y)})
        for x in range(width)
        for y in range(height)
    ]


@cache
def lead(width: int, height: int) -> int:
    """By how many boxes the player who starts leads in the end."""
    boxes = boxes_of(width, height)
    edges = sorted(frozenset().union(*boxes))
    number = {edge: 1 << i for i, edge in enumerate(edges)}
    masks = [sum(number[edge] for edge in box) for box in boxes]
    beside = {bit: [mask for mask in masks if mask & bit] for bit in number.values()}
    best = {(1 << len(edges)) - 1: 0}
    for drawn in range((1 << len(edges)) - 2, -1, -1):
        outcomes = []
        for bit, near in beside.items():
            if not drawn & bit:
                after = drawn | bit
                closed = sum(after & mask == mask for mask in near)
                outcomes.append(closed + best[after] if closed else -best[after])
        best[drawn] = max(outcomes)
    return best[0]


SIZES = [(1, 1), (2, 1), (1, 3), (4, 1), (2, 2)]


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("steps", ["binary", "linear", "aspiration"])
def test_dots(width: int, height: int, steps: str, tmp_path: Path) -> None:
    expected, file = lead(width, height), tmp_path / "score"
    game = f"dots:{width}x{height}"
    result = andorra.solve(game, question="score", steps=steps, certificate=file)
    assert (result.verdict, result.score) == ("proven", expected)
    assert result.score_bounds == (expected, expected)
    parts = [(part.question, part.verdict) for part in check(file).parts]
    assert parts == [(f"score>={expected}", "proven"), (f"score>={expected + 1}", "disproven")]
    assert fast_check([file]) is None


def test_dots_of_three_by_two() -> None:
    assert andorra.solve("dots:3x2", question="score").score == lead(3, 2)
    assert andorra.solve("dots:3x2", question="score:second").score == lead(3, 2)


@pytest.mark.parametrize("settings", ALGORITHMS, ids=str)
def test_every_score_of_dots(settings: dict[str, Any]) -> None:
    for score in range(-6, 7):
        at_least = andorra.solve("dots:2x2", question=f"score>={score}", memory=MEMORY, **settings)
        at_most = andorra.solve("dots:2x2", question=f"score<={score}", memory=MEMORY, **settings)
        small = {"unknown"} if "table_entries" in settings else set()
        assert at_least.verdict in {"proven" if lead(2, 2) >= score else "disproven"} | small
        assert at_most.verdict in {"proven" if lead(2, 2) <= score else "disproven"} | small
        assert (at_least.prover, at_most.prover) == ("first", "second")


def test_a_win_at_dots_is_a_lead() -> None:
    for position in ("./../. 0 0 x", "-/|./. 0 0 o", "-/|./- 0 0 o"):
        won = andorra.solve("dots:1x1", position, question="win:first").verdict
        assert won == andorra.solve("dots:1x1", position, question="score>=1").verdict


# ---- random graphs against the oracle ----


def oracle(text: str, question: str) -> str:
    return fixpoint.solve(make("graph", text), None, question).verdict


def exact(text: str, side: str) -> int | None:
    """The best score that the side can force; None if it can force none."""
    scores = range(-6, 7) if side == "first" else range(6, -7, -1)
    way = ">=" if side == "first" else "<="
    forced = [score for score in scores if oracle(text, f"score{way}{score}") == "proven"]
    return forced[-1] if forced else None


def scored_graph(seed: int) -> str:
    graph = random_graph(seed) if seed % 2 else random_cyclic_graph(seed)
    return with_scores(graph.text, seed)


@pytest.mark.parametrize("settings", ALGORITHMS, ids=str)
def test_questions_on_random_graphs(settings: dict[str, Any], tmp_path: Path) -> None:
    answered = []
    for seed in range(120):
        text, rng = scored_graph(seed), random.Random(seed)
        question = f"score{rng.choice(['>=', '<='])}{rng.randint(-4, 4)}"
        file = tmp_path / str(seed)
        result = andorra.solve(
            make("graph", text), question=question, memory=MEMORY, certificate=file, **settings
        )
        if result.verdict == "unknown":
            assert "table_entries" in settings
            continue
        assert (seed, result.verdict) == (seed, oracle(text, question))
        if result.certificate is not None:
            assert check(file).parts[0].question == question
            answered.append(file)
    assert len(answered) > 100
    assert fast_check(answered) is None


MANY = "A: or " + " ".join(f"s{n}" for n in range(-40, 6)) + "\n"
MANY += "".join(f"s{n}: score {n}\n" for n in range(-40, 101))


@pytest.mark.parametrize(
    ("steps", "asked"),
    [
        ("binary", [30, -6, 12, 3, 7, 5, 6]),
        ("linear", [*range(-40, 7)]),
        ("aspiration", [0, 1, 3, 7, 5, 6]),
    ],
)
def test_which_scores_are_asked_about(
    steps: str, asked: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int | None] = []
    ask = Inquiry.ask

    def noted(self: Inquiry, question: Question, **more: Any) -> Any:
        seen.append(question.score)
        return ask(self, question, **more)

    monkeypatch.setattr(Inquiry, "ask", noted)
    assert andorra.solve(make("graph", MANY), question="score", steps=steps).score == 5
    assert seen == asked


@pytest.mark.parametrize("settings", ALGORITHMS, ids=str)
@pytest.mark.parametrize("steps", ["binary", "linear", "aspiration"])
def test_exact_scores_of_random_graphs(
    settings: dict[str, Any], steps: str, tmp_path: Path
) -> None:
    """All questions of a series have one table, so this is the test of what carries over."""
    written, forced = [], 0
    for seed in range(60):
        text, side = scored_graph(seed), ("first", "second")[seed // 2 % 2]
        file = tmp_path / str(seed)
        result = andorra.solve(
            make("graph", text),
            question=f"score:{side}",
            steps=steps,
            memory=MEMORY,
            certificate=file,
            **settings,
        )
        if result.limit is not None:
            assert "table_entries" in settings
            continue
        expected = exact(text, side)
        assert (seed, result.score) == (seed, expected)
        assert result.verdict == ("disproven" if expected is None else "proven")
        forced += expected is not None
        if result.certificate is not None:
            assert len(check(file).parts) == 1 + (expected is not None)
            written.append(file)
    assert forced > 20
    assert fast_check(written) is None


@pytest.mark.parametrize("settings", ALGORITHMS[:4], ids=str)
def test_values_of_random_graphs(settings: dict[str, Any]) -> None:
    """The second question of a value starts with what the first has left."""
    for seed in range(150):
        text = (random_graph(seed) if seed % 2 else random_cyclic_graph(seed)).text
        result = andorra.solve(make("graph", text), question="value", memory=MEMORY, **settings)
        if result.limit is not None:
            assert "table_entries" in settings
            continue
        first, second = (oracle(text, f"win:{side}") for side in ("first", "second"))
        known = {("proven", "disproven"): "win", ("disproven", "proven"): "loss"}
        assert (seed, result.value) == (seed, known.get((first, second), "draw"))


def test_what_is_known_carries_over() -> None:
    value = andorra.solve("connect4:4x4", question="value").statistics["nodes"]
    alone = [
        andorra.solve("connect4:4x4", question=f"win:{side}").statistics["nodes"]
        for side in ("first", "second")
    ]
    assert value < sum(alone)
    score = andorra.solve("dots:3x2", question="score").statistics["nodes"]
    apart = [
        andorra.solve("dots:3x2", question=f"score>={n}").statistics["nodes"] for n in range(-6, 8)
    ]
    assert score < sum(apart)


# ---- certificates ----


def test_a_score_that_is_certain_needs_no_entries(tmp_path: Path) -> None:
    file = tmp_path / "score"
    result = andorra.solve("dots:1x1", "-/||/- 0 1 o", question="score", certificate=file)
    assert (result.score, check(file).entries) == (-1, 0)
    assert fast_check([file]) is None


def test_the_line_of_a_score_stops_where_it_is_decided(tmp_path: Path) -> None:
    file = tmp_path / "score"
    result = andorra.solve("dots:2x2", question="score>=1", certificate=file)
    assert result.line_end in ("decided", "win")
    game = make("dots:2x2")
    state = game.initial()
    for text in result.line:
        assert game.scores(state)[0] < 1
        state = game.play(state, game.parse_move(state, text))
    assert game.scores(state)[0] >= 1
    shown = main_line(read(file), read(file).parts[0])
    assert shown.ending in ("score decided", "first")


class Lying(Game[int, int]):
    """Ends with the score that it is made with, and promises another before."""

    name = "lying"
    acyclic = True

    def __init__(self, promised: tuple[int, int], end: tuple[int, int]) -> None:
        self._scores = [promised, end]

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> Any:
        return FIRST

    def moves(self, state: int) -> list[int]:
        return [] if state else [1]

    def play(self, state: int, move: int) -> int:
        return move

    def outcome(self, state: int) -> Any:
        return "first" if state else None

    def scores(self, state: int) -> tuple[int, int]:
        return self._scores[state]


def test_scores_of_an_end_must_agree(tmp_path: Path) -> None:
    file, honest = tmp_path / "score", Lying((0, 5), (3, 3))
    assert andorra.solve(honest, question="score>=3", certificate=file).verdict == "proven"
    assert check(file, game=honest).entries == 1
    with pytest.raises(CertificateError, match="no scores from 3 to 4"):
        check(file, game=Lying((0, 5), (3, 4)))


# ---- rules of a user's own ----


class Pile(Game[tuple[int, int, int], int]):
    """Take 1 or 2 of a pile, in turn; a take of 2 scores 1 for who makes it."""

    name = "pile"
    acyclic = True

    def __init__(self, size: int = 7) -> None:
        self.parameters = str(size)

    def initial(self) -> tuple[int, int, int]:
        return (int(self.parameters), 0, FIRST)

    def to_move(self, state: tuple[int, int, int]) -> Any:
        return state[2]

    def moves(self, state: tuple[int, int, int]) -> list[int]:
        return [take for take in (1, 2) if take <= state[0]]

    def play(self, state: tuple[int, int, int], move: int) -> tuple[int, int, int]:
        left, score, side = state
        gain = (1 if side == FIRST else -1) * (move - 1)
        return (left - move, score + gain, SECOND if side == FIRST else FIRST)

    def outcome(self, state: tuple[int, int, int]) -> Any:
        left, score, _ = state
        return None if left else "first" if score > 0 else "second" if score < 0 else "draw"

    def scores(self, state: tuple[int, int, int]) -> tuple[int, int]:
        left, score, _ = state
        return (score - left // 2, score + left // 2)


def best(game: Pile, state: tuple[int, int, int]) -> int:
    if not game.moves(state):
        return state[1]
    after = [best(game, game.play(state, move)) for move in game.moves(state)]
    return max(after) if state[2] == FIRST else min(after)


@pytest.mark.parametrize("size", range(9))
def test_rules_of_a_users_own(size: int, tmp_path: Path) -> None:
    game, file = Pile(size), tmp_path / "score"
    result = andorra.solve(game, question="score", certificate=file)
    assert result.score == best(game, game.initial())
    assert check(file, game=game).parts[0].score == result.score
    assert result.line_end in ("decided", "win", "loss", "draw")


def test_games_without_scores_count_wins() -> None:
    assert andorra.solve("mnk:3,3,3", question="score").score == 0
    assert andorra.solve("mnk:3,3,3", question="score>=0").verdict == "proven"
    assert andorra.solve("mnk:3,4,3", question="score").score == 1
    assert andorra.solve("connect4:4x4", question="score<=-1").verdict == "disproven"


def test_the_robber_can_force_no_end() -> None:
    """Play without end has no score: not even the worst one can be forced."""
    result = andorra.solve("cops:2", question="score")
    assert (result.verdict, result.score, result.score_bounds) == ("disproven", None, (None, None))
    assert andorra.solve("cops:3", question="score").score == 1


# ---- limits and mistakes ----


def test_a_score_left_open() -> None:
    result = andorra.solve("dots:3x3", question="score", nodes=2_000)
    assert (result.limit, result.score) == ("nodes", None)
    least, most = result.score_bounds or (None, None)
    assert least is not None and most is not None and -9 <= least < most <= 9
    assert result.statistics["nodes"] <= 2_000


@pytest.mark.parametrize(
    "question", ["score>=", "score>=x", "score>=01", "score>=+1", "score<=-0", "score>3", "score=3"]
)
def test_questions_that_cannot_be_read(question: str) -> None:
    with pytest.raises(OptionError, match=r"cannot read the question .*'score>=N'"):
        andorra.solve("dots", question=question)


def test_other_mistakes() -> None:
    with pytest.raises(OptionError, match="'score:third': expected 'score', 'score:first'"):
        andorra.solve("dots", question="score:third")
    with pytest.raises(
        OptionError, match="steps='big': expected 'binary', 'linear' or 'aspiration'"
    ):
        andorra.solve("dots", question="score", steps="big")
    with pytest.raises(OptionError, match="steps='linear' goes with question='score'"):
        andorra.solve("dots", question="value", steps="linear")


@pytest.mark.parametrize("text", ["score>=0", "score>=-3", "score<=17"])
def test_questions_in_text(text: str) -> None:
    question, asked = Question.parse(text, FIRST), parse_question(text)
    assert str(question) == text
    assert ("first", "second")[question.prover] == asked.side
    assert (question.score, question.within) == (asked.score, asked.within)


def test_tables_for_each_score() -> None:
    table = andorra.Table("dots:2x2", memory="16MiB")
    verdicts = [
        andorra.solve("dots:2x2", question=f"score>={score}", table=table).verdict
        for score in (0, 2, 1)
    ]
    assert verdicts == ["proven" if lead(2, 2) >= n else "disproven" for n in (0, 2, 1)]
