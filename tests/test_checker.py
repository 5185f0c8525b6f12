"""The trusted checker accepts exactly the valid certificates, and says why it rejects others."""

from __future__ import annotations

import random
import sys
from dataclasses import replace
from itertools import islice, product
from pathlib import Path

import pytest

from andorra.certificate import Certificate, Entry, Kind, Part, SideName, VerdictName, write
from andorra.checker import Verified, VerifiedPart, check
from andorra.errors import CertificateError
from andorra.rulebook import FIRST, SECOND, Game, Outcome, Side, make
from certificates import AnyGame, body_of, make_certificate, make_draw, make_length, pack, valid
from cover_certificates import CoverMaker
from mutants import mutant_files, subjects
from random_graphs import random_graph

MUTANTS = 8_000


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A path for a certificate."""
    return tmp_path / "file.cert"


def checked(file: Path, certificate: Certificate, game: AnyGame | None = None) -> Verified:
    """What the checker says of a certificate; the brute-force test must agree with it."""
    file.write_bytes(pack(body_of(certificate)))
    try:
        verified = check(file, game)
    except CertificateError:
        assert not valid(certificate, game)
        raise
    assert valid(certificate, game)
    return verified


def rejected(file: Path, certificate: Certificate, game: AnyGame | None = None) -> str:
    """Why the checker rejects a certificate."""
    with pytest.raises(CertificateError) as caught:
        checked(file, certificate, game)
    return str(caught.value)


def graph_claim(
    text: str, prover: SideName, verdict: VerdictName, *lines: str, within: int | None = None
) -> Certificate:
    """A hand-made certificate of a graph; a line is "position move [rank [plies]]"."""
    game = make("graph", text)
    entries = []
    for line in lines:
        kind: Kind = "~" if line.startswith("~") else "="
        position, move, *numbers = line.removeprefix("~").split()
        rank = int(numbers[0]) if numbers and numbers[0] != "-" else None
        plies = int(numbers[1]) if len(numbers) > 1 else None
        entries.append(Entry(kind, position, move, rank, plies))
    bound = "" if within is None else f"<={within}"
    part = Part(f"win:{prover}{bound}", prover, within, verdict, tuple(entries))
    return Certificate("graph", game.data(), game.format(game.initial()), "-", (part,))


# Certificates that hold.


@pytest.mark.parametrize("spec", ["mnk:3,3,3", "hex:3", "breakthrough:4x3x1", "toll:3"])
@pytest.mark.parametrize("question", ["win", "win:first", "win:second", "win:first<=4"])
def test_small_games_are_verified(file: Path, spec: str, question: str) -> None:
    game = make(spec)
    certificate = make_certificate(game, question)
    write(file, certificate)
    part = certificate.parts[0]
    shown = VerifiedPart(question, part.prover, part.verdict, part.within, len(part.entries))
    value, entries = certificate.value, len(part.entries)
    assert check(file) == Verified(
        spec, game.format(game.initial()), (shown,), value, entries, own_rules=False
    )


def test_a_draw_is_two_disproofs(file: Path) -> None:
    certificate = make_draw(make("mnk:3,3,3"))
    assert certificate is not None
    assert checked(file, certificate).value == "draw"
    assert "two parts must be" in rejected(
        file, replace(certificate, parts=certificate.parts[::-1])
    )
    alone = replace(certificate, parts=certificate.parts[:1])
    assert "'draw' does not follow" in rejected(file, alone)
    assert checked(file, replace(alone, value="-")).value == "-"


def test_a_length_is_a_proof_and_a_disproof_within_fewer_plies(file: Path) -> None:
    game = make("mnk:3,3,3")
    certificate = make_length(game, game.parse("x../.../..o"))
    assert certificate is not None
    win, sooner = certificate.parts
    assert [part.question for part in (win, sooner)] == ["win:first<=5", "win:first<=4"]
    assert checked(file, certificate).value == "win"
    assert "two parts must be" in rejected(file, replace(certificate, parts=(sooner, win)))
    assert "two parts must be" in rejected(file, replace(certificate, parts=(win, win)))
    assert "two parts must be" in rejected(file, replace(certificate, parts=(sooner, sooner)))
    at_all = make_certificate(game, "win:first", game.parse("x../.../..o")).parts[0]
    assert checked(file, replace(certificate, parts=(at_all, sooner))).value == "win"
    of_second = make_certificate(game, "win:second<=4", game.parse("x../.../..o")).parts[0]
    assert "two parts must be" in rejected(file, replace(certificate, parts=(win, of_second)))
    shorter = replace(win, question="win:first<=3", within=3)
    assert "two parts must be" in rejected(file, replace(certificate, parts=(shorter, sooner)))


def test_random_graphs_are_verified(file: Path) -> None:
    rng = random.Random(7)
    seen = set()
    for seed in range(300):
        game = make("graph", random_graph(seed).text)
        question = rng.choice(["win:first", "win:second", "win:first<=3", "win:second<=6"])
        certificate = make_certificate(game, question, rng=rng)
        write(file, certificate)
        seen.add(check(file).parts[0].verdict + question)
    assert len(seen) == 8


def test_subjects_of_mutation_hold(file: Path) -> None:
    for subject in islice(subjects(random.Random(8)), 200):
        checked(file, subject)


def test_ends_as_roots_need_no_entries(file: Path) -> None:
    for end, prover, verdict in (
        ("win", "first", "proven"),
        ("loss", "second", "proven"),
        ("draw", "first", "disproven"),
        ("draw", "second", "disproven"),
    ):
        assert checked(file, graph_claim(f"A: {end}", prover, verdict)).entries == 0  # type: ignore[arg-type]
    assert "ends with 'draw', at the root" in rejected(
        file, graph_claim("A: draw", "first", "proven")
    )


# Mutants.


@pytest.mark.parametrize("seed", range(4))
def test_mutants_are_accepted_exactly_if_they_are_valid(tmp_path: Path, seed: int) -> None:
    accepted = {True: 0, False: 0}
    for mutant in mutant_files(tmp_path, MUTANTS // 4, seed):
        try:
            check(mutant.path)
            found = True
        except CertificateError:
            found = False
        assert found == mutant.valid, f"{mutant.path}: {mutant.what}"
        mutant.path.unlink()
        accepted[found] += 1
    assert accepted[False] >= 5_000 // 4  # of four seeds
    assert accepted[True] >= 1_000 // 4


# Lines of the other side between entries.

RUN = """
A: or B
B: and C D
C: and E
D: and E F
E: or W
F: win
W: win
"""


def test_a_side_may_move_several_times(file: Path) -> None:
    assert checked(file, graph_claim(RUN, "first", "proven", "A B 2", "E W 1")).entries == 2
    why = rejected(file, graph_claim(RUN, "first", "proven", "A B 2", "E W 2"))
    assert why == (
        "win:first proven: rank 2 must fall, but a line goes on to 'E' with rank 2, after B"
    )
    why = rejected(file, graph_claim(RUN, "first", "proven", "A B 2"))
    assert why == "win:first proven: no entry serves 'E', after B C E"


CYCLE = """
A: or B W
B: and C W
C: and B W
W: win
"""


def test_the_other_side_may_not_go_round_in_a_proof(file: Path) -> None:
    why = rejected(file, graph_claim(CYCLE, "first", "proven", "A B 9"))
    assert why == (
        "win:first proven: the line comes back to a position, which proves nothing, after B C B"
    )
    checked(file, graph_claim(CYCLE, "first", "proven", "A W 9"))


def test_lines_may_repeat_in_a_disproof(file: Path) -> None:
    prover_goes_round = "A: and B W\nB: or C D\nC: or B\nD: and A\nW: win\n"
    claim = graph_claim(prover_goes_round, "first", "disproven", "A B", "D A")
    assert checked(file, claim).entries == 2
    why = rejected(file, graph_claim(prover_goes_round, "first", "disproven", "A W"))
    assert why == "win:first disproven: the line ends with 'first', after W"


def test_a_cycle_of_entries_proves_nothing(file: Path) -> None:
    text = "A: or B\nB: or A W\nW: win\n"
    assert "rank 1 must fall" in rejected(
        file, graph_claim(text, "first", "proven", "A B 2", "B A 1")
    )
    checked(file, graph_claim(text, "first", "proven", "A B 2", "B W 1"))


@pytest.mark.parametrize("verdict", ["proven", "disproven"])
def test_unreached_entries_are_rejected(file: Path, verdict: VerdictName) -> None:
    text = "A: or W\nB: or C\nC: or B\nW: win\nD: or W\n"
    prover: SideName = "first" if verdict == "proven" else "second"
    ranks = ("3", "2", "1") if verdict == "proven" else ("-",) * 3
    used, island, other = f"A W {ranks[2]}", f"B C {ranks[1]}", f"C B {ranks[2]}"
    checked(file, graph_claim(text, prover, verdict, used))
    for extra in ([island, other], [f"D W {ranks[2]}"], [f"W A {ranks[2]}"]):
        why = rejected(file, graph_claim(text, prover, verdict, used, *extra))
        assert why == f"win:{prover} {verdict}: the entry for {extra[0][0]!r} serves no line"


def test_an_entry_in_the_other_sides_position_is_rejected(file: Path) -> None:
    claim = graph_claim(RUN, "first", "proven", "A B 3", "B C 2", "E W 1")
    assert "the entry for 'B' serves no line" in rejected(file, claim)


def test_two_entries_for_a_position_are_rejected(file: Path) -> None:
    for second in ("E W 1", "~E W 1", "E W 3"):
        claim = graph_claim(RUN, "first", "proven", "A B 5", "E W 1", second)
        assert rejected(file, claim) == "two entries for 'E'"


def test_illegal_moves_are_rejected_with_the_legal_ones(file: Path) -> None:
    claim = graph_claim(CYCLE, "first", "proven", "A C 1")
    why = "win:first proven: 'C' is no legal move in 'A'; legal: B W, at the root"
    assert rejected(file, claim) == why


# Bounded questions.

ROUND = """
A: or B W
B: and A
W: win
"""


def test_entries_serve_their_own_number_of_plies(file: Path) -> None:
    checked(file, graph_claim(ROUND, "first", "proven", "A B 2 3", "A W 1 1", within=3))
    why = rejected(file, graph_claim(ROUND, "first", "proven", "A B 2 3", "A B 1 1", within=3))
    assert why == "win:first<=3 proven: the line runs out of plies, after B A B"
    why = rejected(file, graph_claim(ROUND, "first", "proven", "A B 2 3", within=3))
    assert why == "win:first<=3 proven: no entry serves 'A' with 1 plies left, after B A"
    for plies in (0, 2, 4):
        extra = f"A W 1 {plies}"
        claim = graph_claim(ROUND, "first", "proven", "A B 2 3", "A W 1 1", extra, within=3)
        assert "serves no line" in rejected(file, claim)


def test_ranks_fall_in_bounded_proofs_too(file: Path) -> None:
    claim = graph_claim(ROUND, "first", "proven", "A B 1 3", "A W 1 1", within=3)
    assert "rank 1 must fall" in rejected(file, claim)


def test_no_plies_left_is_no_win(file: Path) -> None:
    text = "A: or B\nB: and W\nW: win\n"
    checked(file, graph_claim(text, "first", "disproven", within=1))
    assert "ends with 'first', after B W" in rejected(
        file, graph_claim(text, "first", "disproven", "B W - 1", within=2)
    )
    checked(file, graph_claim(text, "first", "proven", "A B 1 2", within=2))
    assert "runs out of plies, after B" in rejected(
        file, graph_claim(text, "first", "proven", "A B 1 1", within=1)
    )


def test_a_bounded_disproof_shows_no_value(file: Path) -> None:
    certificate = make_certificate(make("hex:2"), "win:first<=1")
    assert checked(file, certificate).value == "-"
    assert "does not follow" in rejected(file, replace(certificate, value="loss"))
    proof = make_certificate(make("hex:2"), "win:first<=9")
    assert checked(file, proof).value == "win"


# Cover entries.


class Purse(Game[tuple[str, int], str]):
    """A graph on which the first player carries coins, and a move may ask for an exact number."""

    name = "purse"
    own_rules = True

    def __init__(self, nodes: dict[str, str], coins: int) -> None:
        self.nodes = {name: line.split() for name, line in nodes.items()}
        self.coins = coins

    def initial(self) -> tuple[str, int]:
        return (next(iter(self.nodes)), self.coins)

    def to_move(self, state: tuple[str, int]) -> Side:
        return SECOND if self.nodes[state[0]][0] == "and" else FIRST

    def moves(self, state: tuple[str, int]) -> list[str]:
        return [move for move in self.nodes[state[0]][1:] if move[1:] in ("", str(state[1]))]

    def play(self, state: tuple[str, int], move: str) -> tuple[str, int]:
        return (move[0], state[1])

    def outcome(self, state: tuple[str, int]) -> Outcome | None:
        ends: dict[str, Outcome] = {"win": "first", "loss": "second"}
        return ends.get(self.nodes[state[0]][0])

    def board(self, state: tuple[str, int]) -> str:
        return state[0]

    def resources(self, state: tuple[str, int]) -> tuple[int, ...]:
        return (state[1],)


def purse_claim(game: Purse, prover: SideName, verdict: VerdictName, *lines: str) -> Certificate:
    """A hand-made certificate; a line is "~node coins move rank"."""
    entries = []
    for line in lines:
        kind: Kind = "~" if line.startswith("~") else "="
        node, coins, move, rank = line.removeprefix("~").split()
        number = int(rank) if verdict == "proven" else None
        entries.append(Entry(kind, repr((node, int(coins))), move, number, None))
    part = Part(f"win:{prover}", prover, None, verdict, tuple(entries))
    return Certificate("purse", None, repr(game.initial()), "-", (part,))


def test_a_cover_serves_positions_that_are_no_worse_for_its_side(file: Path) -> None:
    firsts = Purse({"A": "or W", "W": "win"}, 5)
    seconds = Purse({"A": "and L", "L": "loss"}, 5)
    for prover, game, end, served in (
        ("first", firsts, "W", {4, 5}),
        ("second", seconds, "L", {5, 6}),
    ):
        for coins in (4, 5, 6):
            side: SideName = prover  # type: ignore[assignment]
            cover = purse_claim(game, side, "proven", f"~A {coins} {end} 1")
            if coins in served:
                assert checked(file, cover, game).own_rules
            else:
                assert "no entry serves" in rejected(file, cover, game)
            plain = purse_claim(game, side, "proven", f"A {coins} {end} 1")
            if coins != 5:
                assert "no entry serves" in rejected(file, plain, game)


def test_a_cover_serves_its_own_board_only(file: Path) -> None:
    game = Purse({"A": "or W", "B": "or W", "W": "win"}, 5)
    assert "no entry serves" in rejected(
        file, purse_claim(game, "first", "proven", "~B 1 W 1"), game
    )


SHARED = {"R": "and X Y", "X": "or M", "Y": "or M", "M": "and E", "E": "or W", "W": "win"}


def test_the_rank_chooses_among_covers(file: Path) -> None:
    game = Purse(SHARED, 5)
    entries = ["X 5 M 9", "Y 5 M 4", "~E 0 W 3"]
    assert checked(file, purse_claim(game, "first", "proven", *entries), game).entries == 3
    for more in (["~E 1 W 6"], ["~E 1 W 3"]):  # a higher rank, and the same with more resources
        for order in (entries + more, more + entries):
            why = rejected(file, purse_claim(game, "first", "proven", *order), game)
            assert why.endswith("the entry for \"('E', 1)\" serves no line")
    entries = ["X 5 M 9", "Y 5 M 4", "~E 1 W 6"]
    why = rejected(file, purse_claim(game, "first", "proven", *entries), game)
    assert "rank 4 must fall" in why


def test_an_exact_entry_goes_before_covers(file: Path) -> None:
    game = Purse(SHARED, 5)
    entries = ["X 5 M 9", "Y 5 M 9", "~E 1 W 1"]
    checked(file, purse_claim(game, "first", "proven", *entries), game)
    why = rejected(file, purse_claim(game, "first", "proven", *entries, "E 5 W 9"), game)
    assert "rank 9 must fall" in why
    why = rejected(file, purse_claim(game, "first", "proven", *entries, "E 5 W 8"), game)
    assert "the entry for \"('E', 1)\" serves no line" in why


def test_a_covers_move_must_be_legal_in_both_positions(file: Path) -> None:
    game = Purse({"A": "or W1 W5", "W": "win"}, 5)
    for move in ("W1", "W5"):
        claim = purse_claim(game, "first", "proven", f"~A 1 {move} 1")
        assert f"{move!r} is no legal move" in rejected(file, claim, game)


def test_a_line_shows_where_a_cover_took_over(file: Path) -> None:
    game = Purse({"A": "or B", "B": "and W L", "W": "win", "L": "loss"}, 5)
    claim = purse_claim(game, "first", "proven", "~A 1 B 1")
    assert rejected(file, claim, game).endswith("ends with 'second', after [('A', 1)] B L")


def test_certificates_of_toll_need_their_covers(file: Path) -> None:
    rng = random.Random(5)
    game = make("toll:3")
    needed = 0
    for _ in range(120):
        root = game.parse(f"0 - {rng.randint(0, 6)} {rng.randint(0, 3)} {rng.randint(0, 6)} k")
        certificate = CoverMaker(game, "win:first", root, rng).certificate()
        if certificate is not None:
            checked(file, certificate)
            (part,) = certificate.parts
            plain = replace(part, entries=tuple(replace(e, kind="=") for e in part.entries))
            needed += not valid(replace(certificate, parts=(plain,)))
    assert needed > 10


# Claims.


def test_the_prover_and_the_bound_repeat_the_question(file: Path) -> None:
    certificate = make_certificate(make("mnk:3,2,3"), "win", root="xx./oo.")
    part = certificate.parts[0]
    for question in ("win:second", "win<=1", "win:first<=0"):
        changed = replace(certificate, parts=(replace(part, question=question),))
        assert "do not repeat the question" in rejected(file, changed)
    spelled = replace(certificate, parts=(replace(part, question="win:first"),))
    assert checked(file, spelled).parts[0].question == "win:first"


def test_the_value_follows_where_no_draw_and_no_cycle_is_possible(file: Path) -> None:
    certificate = make_certificate(make("hex:2"), "win:second")
    assert (certificate.parts[0].verdict, checked(file, certificate).value) == ("disproven", "win")
    ends, circles = {"A": "and B", "B": "loss"}, {"A": "and B", "B": "or A"}
    for can_draw, acyclic, nodes in product((True, False), (True, False), (ends, circles)):
        game = Purse(nodes, 0)
        game.can_draw, game.acyclic = can_draw, acyclic
        claim = replace(purse_claim(game, "first", "disproven", "A 0 B -"), value="loss")
        if acyclic and not can_draw and nodes is ends:
            assert checked(file, claim, game).relative_to == ()
        else:
            assert "does not follow" in rejected(file, claim, game)


def test_texts_must_be_canonical(file: Path) -> None:
    game = make("connect4:4x4")
    certificate = make_certificate(game, root=game.parse("121212"))
    (part,) = certificate.parts
    checked(file, certificate)
    why = rejected(file, replace(certificate, position="121212"))
    assert why == f"root '121212', expected {certificate.position!r}"
    entry = replace(part.entries[0], position="121212")
    changed = replace(part, entries=(entry, *part.entries[1:]))
    why = rejected(file, replace(certificate, parts=(changed,)))
    assert "position '121212' is not canonical" in why
    why = rejected(file, replace(certificate, game="connect4"))
    assert why == "the game is 'connect4', expected 'connect4:7x6'"


def test_data_must_be_the_games_own(file: Path) -> None:
    claim = graph_claim(RUN, "first", "proven", "A B 2", "E W 1")
    assert claim.data is not None
    spaced = replace(claim, data=claim.data.replace("A: or", "A:  or"))
    assert "canonical form" in rejected(file, spaced)
    assert "graph takes its rules as data" in rejected(file, replace(claim, data=None))
    other = make("graph", RUN.replace("F: win", "F: loss"))
    assert "is not the game's" in rejected(file, claim, other)


def test_hints_are_no_part_of_the_rules(file: Path) -> None:
    claim = graph_claim(RUN, "first", "proven", "A B 2", "E W 1")
    assert claim.data is not None
    checked(file, claim, make("graph", claim.data + "guess A 2 3\n"))
    assert "canonical form" in rejected(file, replace(claim, data=claim.data + "guess A 2 3\n"))


# Games that are not in the rulebook.


def test_an_unknown_game_must_be_named_by_the_user(file: Path) -> None:
    game = Purse({"A": "or W", "W": "win"}, 5)
    claim = purse_claim(game, "first", "proven", "A 5 W 1")
    assert "--rules MODULE:CLASS" in rejected(file, claim)
    assert checked(file, claim, game).own_rules is True
    assert "expected 'toll:3'" in rejected(file, claim, make("toll:3"))


def test_a_file_imports_nothing(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "trap.py").write_text("raise SystemExit('imported')")
    monkeypatch.syspath_prepend(tmp_path)
    claim = purse_claim(Purse({"A": "win"}, 0), "first", "proven")
    for spec in ("trap", "trap:Class", "trap.Class"):
        assert "is not in the rulebook" in rejected(file, replace(claim, game=spec))
    assert "trap" not in sys.modules


class Broken(Purse):
    """Rules that fail."""

    def play(self, state: tuple[str, int], move: str) -> tuple[str, int]:
        raise ZeroDivisionError("here")


def test_failing_rules_verify_nothing(file: Path) -> None:
    nodes = {"A": "or B", "B": "and W3", "W": "win"}
    claim = purse_claim(Purse(nodes, 5), "first", "proven", "A 5 B 1")
    file.write_bytes(pack(body_of(claim)))
    with pytest.raises(CertificateError, match="has neither moves nor an outcome, after B"):
        check(file, Purse(nodes, 5))
    with pytest.raises(
        CertificateError, match=r"rules of 'purse' failed: ZeroDivisionError\('here"
    ):
        check(file, Broken(nodes, 5))
    for root in ("[1]", "5", "'A'", "(", "('A', 5) ", "('Z', 5)"):
        file.write_bytes(pack(body_of(replace(claim, position=root))))
        with pytest.raises(CertificateError):
            check(file, Purse(nodes, 5))


def test_an_unknown_outcome_verifies_nothing(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Purse({"A": "or W", "W": "win"}, 5)
    monkeypatch.setattr(game, "outcome", lambda state: "Second" if state[0] == "W" else None)
    file.write_bytes(pack(body_of(purse_claim(game, "second", "disproven", "A 5 W -"))))
    with pytest.raises(CertificateError, match="no outcome 'Second', after W"):
        check(file, game)


# Lines of any length.

LONG = 100_000


def long_claim(text: str, entries: list[Entry], verdict: VerdictName = "proven") -> Certificate:
    """A certificate for the first node of a graph, which the text must give in canonical form."""
    root = text.partition(":")[0]
    prover: SideName = "first" if verdict == "proven" else "second"
    part = Part(f"win:{prover}", prover, None, verdict, tuple(entries))
    return Certificate("graph", f"root {root}\n{text}", root, "-", (part,))


def test_a_line_of_100000_plies(file: Path) -> None:
    text = "".join(f"{i}: {'and' if i % 2 else 'or'} {i + 1}\n" for i in range(LONG))
    entries = [Entry("=", f"{i}", f"{i + 1}", LONG - i, None) for i in range(0, LONG, 2)]
    write(file, long_claim(f"{text}{LONG}: win\n", entries))
    assert check(file).entries == LONG // 2
    write(file, long_claim(f"{text}{LONG}: loss\n", entries))
    with pytest.raises(CertificateError, match=r"after 1 2 3 .* \[99600 more\] .* 99999 100000$"):
        check(file)
    disproof = [replace(entry, rank=None) for entry in entries]
    write(file, long_claim(f"{text}{LONG}: and 0\n", disproof, "disproven"))
    assert check(file).parts[0].verdict == "disproven"


def test_a_long_run_of_the_other_side_is_followed_once_for_all_entries(file: Path) -> None:
    runs = 20_000
    ors = "".join(f"A{i}: or B{i}\n" for i in range(runs))
    ands = "".join(f"B{i}: and B{i + 1} A{i + 1}\n" for i in range(runs))
    entries = [Entry("=", f"A{i}", f"B{i}", runs - i, None) for i in range(runs)]
    write(file, long_claim(f"{ors}{ands}B{runs}: win\nA{runs}: win\n", entries))
    assert check(file).entries == runs
