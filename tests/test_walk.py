"""Walking through certificates: main lines, trees and replies agree with the entries."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import andorra
from andorra.certificate import Certificate, Entry, Part, read
from andorra.checker import Rules, rules_of
from andorra.errors import CertificateError, PositionError
from andorra.rulebook import make
from andorra.walk import NO_PLIES_LEFT, REPETITION, Line, Tree, main_line, reply, tree
from certificates import FORK, make_certificate
from mutants import subjects
from random_tsume import KINDS, random_problem

LONG = 100_000
ENTRIES_WITH_FEWER_IN_HAND = "6snk/9/7P1/9/9/9/9/9/9 b RG 1"


def fork() -> Certificate:
    """A proof in which the second player's third reply holds out longest."""
    return make_certificate(make("graph", FORK), "win:first")


def moves_of(certificate: Certificate, part: Part) -> list[str]:
    """The main line's moves."""
    return [step.move for step in main_line(certificate, part).steps]


def test_the_other_side_resists_as_long_as_it_can() -> None:
    certificate = fork()
    line = main_line(certificate, certificate.parts[0])
    assert [step.move for step in line.steps] == ["B", "D", "E", "F", "W"]
    assert [step.side for step in line.steps] == ["first", "second", "first", "second", "first"]
    assert (line.position, line.ending) == ("W", "first")
    ranks = [step.entry.rank for step in line.steps if step.entry and step.entry.rank]
    assert ranks == sorted(ranks, reverse=True)
    assert len(ranks) == 3


def test_resistance_is_seen_through_several_moves_of_the_other_side() -> None:
    text = (
        "A: or B\nB: and C D\nC: or W\nD: and W E\nE: and F W\nF: or G\nG: and H\nH: or W\nW: win\n"
    )
    certificate = make_certificate(make("graph", text), "win:first")
    moves = moves_of(certificate, certificate.parts[0])
    assert moves == ["B", "D", "E", "F", "G", "H", "W"]


def test_a_disproof_stops_at_a_repetition() -> None:
    certificate = make_certificate(make("graph", "A: or B\nB: and A W\nW: win\n"), "win:first")
    line = main_line(certificate, certificate.parts[0])
    assert [step.move for step in line.steps] == ["B", "A"]
    assert (line.position, line.ending) == ("A", REPETITION)


def test_a_bounded_line_stops_without_plies() -> None:
    certificate = make_certificate(make("graph", "A: or B\nB: and A W\nW: win\n"), "win:first<=4")
    line = main_line(certificate, certificate.parts[0])
    assert [step.move for step in line.steps] == ["B", "A", "B", "A"]
    assert (line.position, line.ending) == ("A", NO_PLIES_LEFT)


def test_main_lines_of_all_kinds_of_certificates() -> None:
    for certificate in islice(subjects(random.Random(9)), 150):
        for part in certificate.parts:
            line = main_line(certificate, part)
            if part.question.startswith("score"):
                continue
            assert (line.ending == part.prover) == (part.verdict == "proven")
            entries = [step.entry for step in line.steps if step.entry]
            assert all(entry in part.entries for entry in entries)
            if part.verdict == "proven":
                ranks = [entry.rank or 0 for entry in entries]
                assert ranks == sorted(set(ranks), reverse=True)


def long_chain() -> Certificate:
    """Half of the plies are a run of the second player."""
    middle = LONG // 2
    lines = [f"{i}: {'and' if i % 2 or i > middle else 'or'} {i + 1}\n" for i in range(LONG)]
    entries = [Entry("=", f"{i}", f"{i + 1}", LONG - i, None) for i in range(0, middle + 1, 2)]
    part = Part("win:first", "first", None, "proven", tuple(entries))
    return Certificate("graph", f"root 0\n{''.join(lines)}{LONG}: win\n", "0", "-", (part,))


def test_lines_and_trees_of_100000_plies() -> None:
    certificate = long_chain()
    assert len(main_line(certificate, certificate.parts[0]).steps) == LONG
    node, depth = tree(certificate, certificate.parts[0], LONG, 1), 0
    while node.children:
        node, depth = node.children[0], depth + 1
    assert depth == LONG


def test_the_trees_first_branch_is_the_main_line() -> None:
    certificate = fork()
    node, moves = tree(certificate, certificate.parts[0], 99, 99), []
    while node.children:
        node = node.children[0]
        moves.append(node.move)
    assert moves == moves_of(certificate, certificate.parts[0])
    assert node.ending == "first"


def test_a_tree_is_cut_in_depth_and_width() -> None:
    certificate = fork()
    part = certificate.parts[0]
    whole = tree(certificate, part, 99, 99)
    assert shape(whole) == ["A", ["B", ["D", ["E", ["F", ["W"]]]], ["C", ["W"]], ["W"]]]
    narrow = tree(certificate, part, 2, 1)
    assert shape(narrow) == ["A", ["B", ["D"]]]
    assert (narrow.omitted, narrow.children[0].omitted) == (0, 2)
    assert narrow.children[0].children[0].omitted == 1
    assert shape(tree(certificate, part, 0, 9)) == ["A"]


def shape(node: Tree) -> list[object]:
    """The tree as nested lists of positions."""
    return [node.position, *map(shape, node.children)]


def test_a_reply_shows_the_move_and_all_defences() -> None:
    certificate = fork()
    answer = reply(certificate, certificate.parts[0], [])
    assert answer.entry is not None
    assert (answer.position, answer.side, answer.entry.move, answer.after) == (
        "A",
        "first",
        "B",
        "B",
    )
    assert [defence.move for defence in answer.defences] == ["D", "C", "W"]
    assert [defence.answer and defence.answer.move for defence in answer.defences] == [
        "E",
        "W",
        None,
    ]
    assert [defence.ending for defence in answer.defences] == [None, None, "first"]


def test_a_reply_in_the_other_sides_position() -> None:
    certificate = fork()
    answer = reply(certificate, certificate.parts[0], ["B"])
    assert (answer.position, answer.side, answer.entry, answer.after) == ("B", "second", None, "B")
    assert len(answer.defences) == 3


def test_a_reply_at_an_end() -> None:
    certificate = fork()
    answer = reply(certificate, certificate.parts[0], ["B", "W"])
    assert (answer.ending, answer.ending_after, answer.defences) == ("first", "first", ())
    last = reply(certificate, certificate.parts[0], ["B", "C"])
    assert (last.ending, last.after, last.ending_after, last.defences) == (None, "W", "first", ())


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        (["C"], r"move 1: 'C' is no legal move in 'A'; legal: B L"),
        (["B", "?"], r"move 2: '\?' is no legal move in 'B'; legal: W C D"),
        (["L"], r"move 1, 'L': the strategy of first plays 'B' here"),
        (["B", "W", "A"], r"move 3, 'A': the line is over in 'W' \(first\)"),
    ],
)
def test_wrong_moves_are_explained(moves: list[str], message: str) -> None:
    certificate = fork()
    with pytest.raises(PositionError, match=message):
        reply(certificate, certificate.parts[0], moves)


def test_covers_serve_but_the_line_stays_on_the_board() -> None:
    entries = (
        Entry("~", "0 1 1 0 0 t", "pay", 2, None),
        Entry("~", "1 0 0 0 0 t", "pay", 1, None),
    )
    part = Part("win", "first", None, "proven", entries)
    certificate = Certificate("toll:2", None, "0 1 3 2 0 t", "-", (part,))
    line = main_line(certificate, part)
    assert [step.position for step in line.steps] == ["0 1 3 2 0 t", "1 - 2 2 0 k", "1 0 2 2 0 t"]
    assert line.position == "2 - 2 2 0 k"


def test_the_other_side_plays_what_it_can_on_the_board() -> None:
    """In the cover's own position the keeper could ask for 1."""
    entries = (
        Entry("~", "0 0 1 0 1 t", "pay", 2, None),
        Entry("~", "1 0 1 0 1 t", "pay", 1, None),
        Entry("~", "1 1 1 0 0 t", "pay", 1, None),
    )
    part = Part("win", "first", None, "proven", entries)
    certificate = Certificate("toll:2", None, "0 0 1 0 0 t", "-", (part,))
    answer = reply(certificate, part, [])
    assert [defence.move for defence in answer.defences] == ["ask0"]
    with pytest.raises(PositionError, match="move 2: 'ask1' is no legal move in '1 - 1 0 0 k'"):
        reply(certificate, part, ["pay", "ask1"])


def test_what_is_shown_is_what_its_moves_lead_to(tmp_path: Path) -> None:
    """Lines, trees and replies, replayed on the reference rules."""
    covered = 0
    for certificate in covered_certificates(tmp_path / "some.andorra"):
        game = rules_of(certificate)
        for part in certificate.parts:
            line = main_line(certificate, part, game)
            states = replayed(game, certificate.position, [step.move for step in line.steps])
            texts = [game.format(state) for state in states]
            assert [*(step.position for step in line.steps), line.position] == texts
            assert line.ending in (game.outcome(states[-1]), NO_PLIES_LEFT, REPETITION)
            assert_tree(game, tree(certificate, part, 4, 3, game), states[0])
            assert_replies(certificate, part, game, line)
            covered += sum(
                step.entry is not None and step.entry.position != step.position
                for step in line.steps
            )
    assert covered > 20


def covered_certificates(path: Path) -> Iterator[Certificate]:
    """Of games with resources, proofs and disproofs, with a bound and without."""
    for game, position in (*toll_positions(), *tsume_positions()):
        for question in (None, "shortest"):
            result = andorra.solve(
                game, position, question, memory="8MiB", nodes=20_000, certificate=path
            )
            if result.certificate is not None:
                yield read(path)


def toll_positions() -> Iterator[tuple[str, str]]:
    rng = random.Random(3)
    for _ in range(30):
        numbers = (rng.randint(0, 6), rng.randint(0, 3), rng.randint(0, 5))
        yield f"toll:{rng.randint(2, 5)}", "0 - {} {} {} k".format(*numbers)


def tsume_positions() -> Iterator[tuple[str, str]]:
    yield "tsume", ENTRIES_WITH_FEWER_IN_HAND
    for seed in range(15):
        yield "tsume", random_problem(seed, KINDS[seed % 3])


def replayed(game: Rules, position: str, moves: Sequence[str]) -> list[Any]:
    """The states on the way, both ends included."""
    states = [game.parse(position)]
    for text in moves:
        states.append(game.play(states[-1], game.parse_move(states[-1], text)))
    return states


def assert_tree(game: Rules, root: Tree, state: Any) -> None:
    waiting = [(root, state)]
    while waiting:
        node, here = waiting.pop()
        assert node.position == game.format(here)
        for child in node.children:
            assert child.move is not None
            waiting.append((child, game.play(here, game.parse_move(here, child.move))))


def assert_replies(certificate: Certificate, part: Part, game: Rules, line: Line) -> None:
    """After each beginning of the line."""
    moves = [step.move for step in line.steps]
    for number, position in enumerate([*(step.position for step in line.steps), line.position]):
        found = reply(certificate, part, moves[:number], game)
        assert found.position == position
        own = [] if found.entry is None else [found.entry.move]
        after = replayed(game, position, own)[-1]
        assert found.after == game.format(after)
        for defence in found.defences:
            assert defence.position == game.format(replayed(game, found.after, [defence.move])[-1])


def test_a_strategy_with_fewer_in_hand_is_shown_with_what_there_is(tmp_path: Path) -> None:
    path = tmp_path / "some.andorra"
    result = andorra.solve("tsume", ENTRIES_WITH_FEWER_IN_HAND, "shortest", certificate=path)
    certificate = read(path)
    line = main_line(certificate, certificate.parts[0])
    assert result.left == "SN"
    assert line.position.split()[2] == "SNg"


def test_a_file_that_does_not_hold_is_walked_as_far_as_it_goes() -> None:
    certificate = fork()
    part = certificate.parts[0]
    short = replace(part, entries=part.entries[:1])
    with pytest.raises(CertificateError, match="no entry serves 'C': the certificate does not"):
        main_line(certificate, short)
    wrong = replace(part, entries=(replace(part.entries[0], move="Z"), *part.entries[1:]))
    with pytest.raises(CertificateError, match="'Z' is no legal move in 'A'"):
        main_line(certificate, wrong)
    cyclic = make("graph", "A: or B\nB: and C\nC: and B\n")
    claim = Part("win:first", "first", None, "proven", (Entry("=", "A", "B", 1, None),))
    loop = Certificate("graph", cyclic.data(), "A", "-", (claim,))
    assert main_line(loop, claim).ending == REPETITION


def test_the_callers_game_is_used() -> None:
    certificate = fork()
    line = main_line(certificate, certificate.parts[0], make("graph", FORK))
    assert line.ending == "first"
    with pytest.raises(CertificateError, match="expected 'toll:3'"):
        main_line(certificate, certificate.parts[0], make("toll:3"))
