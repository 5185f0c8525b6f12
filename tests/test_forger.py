"""No forged certificate is accepted, and a checker with a hole is found out."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

import forger
import forging_grounds
from andorra.reference import fixpoint
from certificates import body_is_valid, pack
from forging_claims import Forgery, some_claim
from forging_grounds import random_ground
from fuzz import REGRESSIONS
from weak_checkers import WEAKNESSES

SAVED = sorted(REGRESSIONS.glob(f"*{forger.SUFFIX}"))
SEEDS = range(1, 1201)
RARE = {"serves no line", "not canonical"}
"""What is wrong only where all else holds, and what only a few games can have."""
TSUME = range(340, 380)
"""Seeds of two grounds."""


def test_nothing_forged_is_accepted(tmp_path: Path) -> None:
    forgeries = [(seed, forger.forge(seed)) for seed in SEEDS]
    tally = forger.examine(forgeries, tmp_path)
    assert [failure.report() for failure in tally.failures] == []
    assert {row for row, _, _ in tally.counts if not row.startswith("on ")} >= {*forger.EVERY}
    reasons = {reason for _, _, reason in tally.counts}
    assert reasons >= {*forger.REASONS, forger.ACCEPTED} - RARE
    assert not any(row == "Delay" and complete for row, complete, _ in tally.counts)
    assert tally.certificates == len(SEEDS) // forger.HONEST_EVERY
    assert list(tmp_path.iterdir()) == []


def test_most_forgeries_are_rejected_deep_inside() -> None:
    tally = forger.examine_seeds(list(forger.EVERY), range(1, 301))
    reasons = Counter[str]()
    for (row, _, reason), count in tally.counts.items():
        reasons[reason] += count * row.startswith("on ")
    shallow = reasons["grammar"] + reasons["game or data"] + reasons["no position"]
    assert shallow < 0.15 * tally.graphs


def test_another_spelling_of_a_position_is_no_entry_for_it() -> None:
    tally = forger.examine_seeds(["Disguised"], TSUME)
    assert tally.failures == []
    assert tally.counts["on tsume", True, "not canonical"] > 2


def test_all_grounds_have_their_turn() -> None:
    kinds = {random_ground(seed).kind for seed in range(300)}
    boards = {spec.partition(":")[0] for spec, _ in forging_grounds.BOARDS}
    assert kinds == {"graph", "runs", "twins", "toll", "tsume", *boards}


@pytest.mark.parametrize("strategy", WEAKNESSES)
def test_a_checker_with_a_hole_is_found_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, strategy: str
) -> None:
    path = tmp_path / "file"
    for seed in (seed for seed in range(1, 2000) if seed % forger.HONEST_EVERY):
        forgery = forger.forge(seed, [strategy])
        path.write_bytes(pack(forgery.body))
        with monkeypatch.context() as patch:
            WEAKNESSES[strategy](patch)
            fooled = forger.trusted(path) == forger.ACCEPTED
        if fooled:
            break
    assert fooled
    assert forger.trusted(path).startswith(f"{forger.REJECTED}: ")
    assert forger.fast([path])[path].startswith(f"{forger.REJECTED}: ")


def test_what_is_accepted_is_saved_and_replayed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["--forgeries", "40", "--strategy", "Holes", "--save", str(tmp_path)]
    with monkeypatch.context() as patch:
        WEAKNESSES["Holes"](patch)
        assert forger.main(asked) == 1
        (path,) = tmp_path.glob("Holes-*.forged")
        assert [failure.expected for failure in forger.replay(path)] == ["rejected"]
    assert forger.replay(path) == []
    assert str(path) in capsys.readouterr().out


def test_an_honest_certificate_that_is_rejected_is_a_failure(tmp_path: Path) -> None:
    forgery = forger.forge(forger.HONEST_EVERY)
    assert forgery.true
    wrong = Forgery("honest", "graph", forgery.body.replace("verdict ", "verdict not "), true=True)
    (failure,) = forger.examine([(0, wrong)], tmp_path).failures
    assert (failure.expected, failure.row) == (forger.ACCEPTED, "honest")


def test_checkers_that_disagree_are_a_failure() -> None:
    forgery = Forgery("Holes", "graph", "")
    no = f"{forger.REJECTED}: no"
    for one, other in ((no, forger.ACCEPTED), (forger.ACCEPTED, no), (no, "unreadable: no")):
        (failure,) = forger.judged(1, forgery, one, other)
        assert failure.happened == f"trusted: {one}; fast: {other}"
    assert forger.judged(1, forgery, "raised ValueError: no", no)
    assert forger.judged(1, forgery, no, no) == []


def test_saved_forgeries_stay_rejected() -> None:
    assert [failure for path in SAVED for failure in forger.replay(path)] == []


def test_the_truth_is_what_the_oracle_says() -> None:
    for seed in range(40):
        ground, rng = random_ground(seed), random.Random(seed)
        for true in (True, False) * 2:
            claim = some_claim(ground, rng, true)
            said = fixpoint.solve(ground.game, ground.states[claim.root], claim.ask.question)
            assert (said.verdict == claim.verdict) == true


def test_no_forgery_is_valid_by_the_definitions() -> None:
    for seed in range(1, 200):
        forgery = forger.forge(seed)
        assert body_is_valid(forgery.body.encode()) == forgery.true
