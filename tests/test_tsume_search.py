"""Searches of shogi problems: random ones, sets of known length, and proof that bugs are found."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import cshogi
import pytest

import andorra
import fuzz_tsume
from andorra.rulebook.shogi_pieces import KING, WHITE_BIT
from conftest import FindProblemSet
from examiner import fast_check, trusted_check
from fuzz import REGRESSIONS
from random_tsume import KINDS, game_and_position, random_problem
from tsume_kit import GAME, problems

SAVED = sorted(REGRESSIONS.glob("*.sfen"))
MATES = ((3, 100), (5, 100), (9, 100))
CERTIFIED = 30
EASY_ZUKO = (2, 3, 5, 11, 13, 18, 30, 36, 42, 45, 66, 76, 85, 94)
"""Problems of the Zuko that are solved with less than 20,000 nodes."""

ESCAPES = (
    "tsume:muda 9/9/9/9/9/9/6LS1/9/8K w bgsnp 1",
    "7k1/5+Pssn/9/9/9/9/9/9/9 b G2S 1",
    "tsume:muda 9/9/9/9/9/NLN6/2S6/2L6/K1P6 w rbsl 1",
    "tsume:muda 2n6/k8/pp7/9/9/9/9/9/9 b RS2N3g 1",
    "tsume:muda 9/7k1/5pplp/9/9/9/9/9/9 b 2GSNLs2n2p 1",
)
"""Like the saved `escape-that-leads-back`, but slow to replay with every setting."""


def solve(sfen: str, question: str = "win:first", **options: Any) -> andorra.Result:
    return andorra.solve(GAME, sfen, question, memory="64MiB", nodes=400_000, **options)


def assert_certified(sfen: str, folder: Path, verdict: str, question: str = "win:first") -> Path:
    path = folder / "problem.andorra"
    result = solve(sfen, question, certificate=path)
    assert (sfen, result.verdict) == (sfen, verdict)
    assert trusted_check(path, question, verdict) is None
    assert fast_check([path]) is None
    return path


# ---- random problems ----


@pytest.mark.parametrize("path", SAVED, ids=lambda path: path.stem)
def test_saved_failures_stay_mended(path: Path) -> None:
    assert fuzz_tsume.replay(path) == []


@pytest.mark.parametrize("text", ESCAPES)
def test_escapes_whose_stored_moves_lead_back_have_a_certificate(text: str) -> None:
    row = fuzz_tsume.row_of(text, fuzz_tsume.DEFAULT, small=False)
    assert fuzz_tsume.examine_text(text, "win:second", [row], row.name) == []


@pytest.mark.parametrize("start", range(0, 80, 20))
def test_random_problems(start: int) -> None:
    tally = fuzz_tsume.examine_seeds(KINDS, range(start, start + 20))
    assert [failure.report() for failure in tally.failures] == []
    assert tally.graphs == 20
    assert tally.certificates > 10


def test_a_third_of_random_problems_have_a_mate() -> None:
    texts = [random_problem(seed, KINDS[seed % 3]) for seed in range(150)]
    verdicts = [andorra.solve(GAME, text, memory="16MiB", nodes=5_000).verdict for text in texts]
    assert verdicts.count("proven") > 50 < verdicts.count("disproven")


def test_random_problems_are_of_all_sorts() -> None:
    states = [GAME.parse(random_problem(seed, KINDS[seed % 3])) for seed in range(300)]
    assert {(state.attacker, GAME.to_move(state)) for state in states} == {
        (colour, side) for colour in (0, 1) for side in (0, 1)
    }
    kings = {KING + WHITE_BIT * state.attacker in state.position.board for state in states}
    assert kings == {False, True}
    assert all(any(state.position.hands[i] for state in states) for i in range(14))


def test_a_bug_is_found_shrunk_saved_and_replayed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The bug: df-pn without dominance calls mates refuted."""
    honest = fuzz_tsume.ask

    def lying(text: str, question: str, setting: fuzz_tsume.Setting, *rest: Any) -> andorra.Result:
        answer = honest(text, question, setting, *rest)
        lies = setting[1] == {"dominance": False} and answer.verdict == "proven"
        return replace(answer, verdict="disproven", pn=None, dn=0) if lies else answer

    with monkeypatch.context() as patch:
        patch.setattr(fuzz_tsume, "ask", lying)
        assert fuzz_tsume.main(["--positions", "12", "--save", str(tmp_path)]) == 1
        path = next(tmp_path.glob("*.sfen"))
        assert {failure.row for failure in fuzz_tsume.replay(path)} == {"dfpn dominance=False"}
    assert fuzz_tsume.replay(path) == []
    text = path.read_text(encoding="utf-8")
    assert text in capsys.readouterr().out
    assert "# expected: proven\n# happened: disproven\n" in text
    _, position = game_and_position(text.splitlines()[-1])
    assert sum(map(str.isalpha, position.split(" ")[0])) <= 6


def test_a_false_oracle_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A verdict that trying every move does not confirm, or that its certificate does not show."""
    honest = fuzz_tsume.ask

    def lying(text: str, question: str, setting: fuzz_tsume.Setting, *rest: Any) -> andorra.Result:
        answer = honest(text, question, setting, *rest)
        opposite = {"proven": "disproven", "disproven": "proven", "unknown": "unknown"}
        return replace(answer, verdict=opposite[answer.verdict])  # type: ignore[arg-type]

    monkeypatch.setattr(fuzz_tsume, "ask", lying)
    mate = "4k4/9/4P4/9/9/9/9/9/9 b G 1"
    for question in ("win:first<=1", "win:first"):
        (failure, *_) = fuzz_tsume.examine_text(mate, question, [], "")
        assert failure.row == fuzz_tsume.ORACLE


@pytest.mark.parametrize("certified", ["", "dfpn"])
@pytest.mark.parametrize(
    "lie",
    [
        {"length": 3, "length_bounds": (3, 3)},
        {"length": None, "length_bounds": (3, 3)},
        {"length": None, "length_bounds": (0, 0)},
        {"line": []},
        {"line": ["G*4b"]},
        {"verdict": "disproven", "length": None, "length_bounds": None},
    ],
)
def test_a_false_length_is_found_out(
    monkeypatch: pytest.MonkeyPatch, lie: dict[str, Any], certified: str
) -> None:
    honest = fuzz_tsume.ask
    mate, question = "4k4/9/4P4/9/9/9/9/9/9 b G 1", fuzz_tsume.SHORTEST
    asked = (mate, question, [fuzz_tsume.row_of(mate, fuzz_tsume.DEFAULT)], certified)
    assert fuzz_tsume.examine_text(*asked) == []

    def lying(text: str, question: str, setting: fuzz_tsume.Setting, *rest: Any) -> andorra.Result:
        answer = honest(text, question, setting, *rest)
        return replace(answer, **lie) if question == fuzz_tsume.SHORTEST else answer

    monkeypatch.setattr(fuzz_tsume, "ask", lying)
    (failure,) = fuzz_tsume.examine_text(*asked)
    assert (failure.row, failure.expected) == ("dfpn", "a mate in 1")


def test_lengths_are_asked_of_problems_of_all_kinds_and_rules() -> None:
    asked = [seed for seed in range(1000) if fuzz_tsume.SHORTEST in fuzz_tsume.questions(seed)]
    rules = len(fuzz_tsume.RULES["all"])
    turns = {(seed % len(KINDS), seed % rules) for seed in asked}
    assert len(turns) == len(KINDS) * rules


# ---- the defender's strategies ----


@pytest.mark.parametrize("options", [{}, {"dominance": False}])
@pytest.mark.parametrize(
    "sfen", ["8k/9/9/9/9/9/9/9/9 b 4G 1", "6gk1/9/9/9/9/9/9/9/9 w GSP 1 attacker=b"]
)
def test_that_the_defender_ends_the_checks_has_a_certificate(
    tmp_path: Path, sfen: str, options: dict[str, Any]
) -> None:
    path = tmp_path / "problem.andorra"
    result = solve(sfen, "win:second", certificate=path, **options)
    assert (result.verdict, result.certificate_limit) == ("proven", None)
    assert trusted_check(path, "win:second", "proven") is None
    assert fast_check([path]) is None


# ---- problem sets ----


@pytest.mark.parametrize(("plies", "number"), MATES)
def test_mates_of_known_length_are_proven(
    problem_set: FindProblemSet, plies: int, number: int
) -> None:
    for sfen in problems(problem_set, f"nshogi_mate{plies}")[:number]:
        result = solve(sfen)
        assert (sfen, result.verdict) == (sfen, "proven")
        assert_legal(sfen, result.line)


def assert_legal(sfen: str, line: list[str]) -> cshogi.Board:
    """A line that cshogi can follow, every second move a check; the position at its end."""
    board = cshogi.Board(sfen)
    for number, move in enumerate(line):
        assert board.push_usi(move), (sfen, line, move)
        assert board.is_check() or number % 2 == 1, (sfen, line, move)
    return board


@pytest.mark.parametrize(
    "options",
    [{}, {"initial": "unit"}, {"initial": "unit", "dominance": False}],
)
@pytest.mark.parametrize(("plies", "number"), MATES)
def test_lines_end_in_mate(
    problem_set: FindProblemSet, plies: int, number: int, options: dict[str, Any]
) -> None:
    for sfen in problems(problem_set, f"nshogi_mate{plies}")[:number]:
        result = solve(sfen, **options)
        assert (sfen, result.verdict) == (sfen, "proven")
        assert_mates(sfen, result)


def assert_mates(sfen: str, result: andorra.Result) -> None:
    board = assert_legal(sfen, result.line)
    assert (sfen, result.line_end) == (sfen, "win")
    assert not list(board.legal_moves)
    assert board.is_check()


def test_a_line_that_came_back_to_a_position_ends_in_mate(problem_set: FindProblemSet) -> None:
    """By stored moves alone it comes back, because some were found with fewer pieces in hand."""
    sfen = problems(problem_set, "nshogi_mate5")[74]
    assert_mates(sfen, solve(sfen))


@pytest.mark.parametrize("plies", [plies for plies, _ in MATES])
def test_mates_of_known_length_have_certificates(
    problem_set: FindProblemSet, tmp_path: Path, plies: int
) -> None:
    for sfen in problems(problem_set, f"nshogi_mate{plies}")[:CERTIFIED]:
        assert_certified(sfen, tmp_path, "proven")


def test_mates_in_five_take_five_plies(problem_set: FindProblemSet, tmp_path: Path) -> None:
    for sfen in problems(problem_set, "nshogi_mate5")[:CERTIFIED]:
        assert_certified(sfen, tmp_path, "proven", "win:first<=5")
        assert_certified(sfen, tmp_path, "disproven", "win:first<=3")


def test_no_mate_in_one_where_there_is_none(problem_set: FindProblemSet) -> None:
    for sfen in problems(problem_set, "nshogi_nomate1"):
        assert (sfen, solve(sfen, "win:first<=1").verdict) == (sfen, "disproven")


def test_mates_in_three_take_three_plies(problem_set: FindProblemSet) -> None:
    """By df-pn here, and in test_tsume.py by trying every move with the reference rules."""
    for sfen in problems(problem_set, "nshogi_mate3"):
        verdicts = [solve(sfen, f"win:first<={plies}").verdict for plies in (1, 2, 3, 4)]
        assert (sfen, verdicts) == (sfen, ["disproven", "disproven", "proven", "proven"])


@pytest.mark.parametrize("number", EASY_ZUKO)
def test_easy_problems_of_the_zuko(
    problem_set: FindProblemSet, tmp_path: Path, number: int
) -> None:
    sfen = problems(problem_set, "zuko100")[number - 1]
    assert solve(sfen).statistics["nodes"] < 20_000
    assert_certified(sfen, tmp_path, "proven")
