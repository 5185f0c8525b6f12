"""Certificates on disk: what the index finds is what the checker reads."""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from andorra.certificate import HEADER, read
from andorra.checker import Strategy, rules_of
from andorra.errors import CertificateError
from andorra.viewer.entries import FirstFields, KeyOf, StoredCertificate, _Body, _Feed
from andorra.viewer.strategies import StoredStrategy, open_certificate
from andorra.walk import Walk, main_line
from certificates import pack
from viewer_kit import COVERED, FORK, certificate

CASES: list[tuple[str, str | None, dict[str, object]]] = [
    ("mnk:3,3,3", None, {"question": "value"}),
    ("connect4:4x4", None, {"question": "win:first"}),
    ("breakthrough:4x3x1", None, {}),
    ("loa:4", None, {"question": "win:first"}),
    ("cops:2", None, {"question": "win:first"}),
    ("cops:3", None, {}),
    ("toll:3", None, {}),
    ("toll:4", None, {"question": "win:second"}),
    ("tsume", COVERED, {"question": "shortest"}),
    ("hex:3", None, {"question": "win:first<=9"}),
]


@pytest.fixture(params=CASES, ids=lambda case: f"{case[0]} {case[2]}")
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    game, position, search = request.param
    return certificate(tmp_path, game, position, **search)


def test_heads_are_those_of_the_file(file: Path) -> None:
    known = read(file)
    stored, _ = open_certificate(str(file))
    found = stored.certificate
    assert (found.game, found.position, found.value) == (known.game, known.position, known.value)
    assert [part.question for part in found.parts] == [part.question for part in known.parts]
    assert [entries.count for entries in stored.parts] == [len(p.entries) for p in known.parts]
    stored.close()


def test_every_entry_is_found_by_its_position(file: Path) -> None:
    known = read(file)
    stored, game = open_certificate(str(file))
    for number, part in enumerate(known.parts):
        strategy = StoredStrategy(game, stored.part(number))
        for entry in random.Random(1).sample(part.entries, min(len(part.entries), 300)):
            served = strategy.serve(game.parse(entry.position), entry.plies)
            assert served == (entry, game.parse(entry.position))
    stored.close()


def test_positions_are_served_as_the_checker_serves_them(file: Path) -> None:
    """On the lines from the root, where cover entries serve positions that have no entry."""
    known = read(file)
    stored, game = open_certificate(str(file))
    for number, part in enumerate(known.parts):
        strategy, checked = StoredStrategy(game, stored.part(number)), Strategy(game, part)
        assert strategy.holder == checked.holder
        walk = Walk(known, part, game)
        for state, plies in _held(walk, 400):
            known_number = checked.serving(state, plies)
            assert known_number is not None
            wanted = checked.entries[known_number], checked.states[known_number]
            assert strategy.serve(state, plies) == wanted
    stored.close()


def _held(walk: Walk, most: int) -> Iterator[tuple[object, int | None]]:
    """Places of the holder's, as lines meet them."""
    waiting, seen = [walk.root], {walk.root}
    for place in waiting:
        if place.entry is not None:
            yield place.own, place.plies
        for move in walk.choices(place):
            after = walk.after(place, move)
            if after not in seen and len(seen) < most:
                seen.add(after)
                waiting.append(after)


def test_walks_are_the_same_as_in_memory(file: Path) -> None:
    known = read(file)
    stored, game = open_certificate(str(file))
    heads = stored.certificate
    for number, part in enumerate(known.parts):
        line = main_line(known, part, game)
        walk = Walk(heads, heads.parts[number], game, StoredStrategy(game, stored.part(number)))
        place = walk.root
        for step in line.steps:
            assert walk.text(place) == step.position
            place = walk.after(place, walk.choices(place)[0])
        assert walk.text(place) == line.position
    stored.close()


def test_a_position_that_no_entry_serves_is_not_found(tmp_path: Path) -> None:
    file = certificate(tmp_path, "mnk:3,3,3", "xx./oo./...")
    stored, game = open_certificate(str(file))
    strategy = StoredStrategy(game, stored.part(0))
    assert strategy.serve(game.parse("xo./.../..."), None) is None
    stored.close()


def body_of(path: Path) -> bytes:
    return zlib.decompress(path.read_bytes()[len(HEADER) : -73])


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (b"entries 1\n", b"entries 2\n", "tabs"),
        (b"entries 1\n", b"entries 3\n", "tabs"),
        (b"entries 1\n", b"entries 0\n", "expected"),
        (b"end\n", b"", "end"),
        (b"end\n", b"end\nend\n", "more follows"),
        (b"\t", b" ", "tabs"),
        (b"\tc1\t1", b"\tc1\tone", "expected an entry"),
        (b"\tc1\t1", b"\t\xff1\t1", "expected an entry"),
    ],
)
def test_a_body_that_breaks_the_grammar_is_refused(
    tmp_path: Path, old: bytes, new: bytes, said: str
) -> None:
    file = certificate(tmp_path, "mnk:3,3,3", "xx./oo./...")
    body = body_of(file)
    assert old in body
    file.write_bytes(pack(body.replace(old, new)))
    with pytest.raises(CertificateError):
        read(file)
    stored, game = open_certificate(str(file))
    stored._thread.join()
    with pytest.raises(CertificateError, match=said):
        StoredStrategy(game, stored.part(0)).serve(game.parse("xx./oo./..."), None)
    stored.close()


def test_a_file_whose_digest_is_wrong_is_not_opened(tmp_path: Path) -> None:
    file = certificate(tmp_path, "mnk:3,3,3", "xx./oo./...")
    content = bytearray(file.read_bytes())
    content[40] ^= 1
    file.write_bytes(bytes(content))
    with pytest.raises(CertificateError, match="altered"):
        open_certificate(str(file))


def test_graphs_bring_their_rules(tmp_path: Path) -> None:
    graph = tmp_path / "fork.txt"
    graph.write_text(FORK, encoding="utf-8")
    file = certificate(tmp_path, f"graph:{graph}")
    stored, game = open_certificate(str(file))
    assert rules_of(stored.certificate).data() == game.data()
    stored.close()


def test_a_missing_second_part_is_an_error_and_no_wait(tmp_path: Path) -> None:
    file = certificate(tmp_path, "mnk:3,3,3", "xx./oo./...")
    stored, _ = open_certificate(str(file))
    with pytest.raises(CertificateError, match="no part 2"):
        stored.part(1)
    stored.close()


def test_closing_ends_the_thread(tmp_path: Path) -> None:
    file = certificate(tmp_path, "connect4:4x4", question="win:first")
    stored = StoredCertificate(file, lambda head: lambda text: text)
    stored.close()
    assert not stored._thread.is_alive()


@pytest.mark.parametrize("fields", [0, 1, 2])
@pytest.mark.parametrize("in_core", [True, False])
def test_the_index_knows_where_every_entry_starts(fields: int, in_core: bool) -> None:
    """However the body comes in pieces, and by the core as by Python."""
    rng = random.Random(fields)
    key_of: KeyOf = FirstFields(fields)
    used = key_of if in_core else lambda text: key_of(text)
    for _ in range(50):
        texts = [b" ".join([b"ab"[: rng.randint(0, 2)]] * rng.randint(1, 4)) for _ in range(30)]
        lines = [b"w\t" + text + b"\tmove" * rng.randint(0, 2) for text in texts]
        body = b"".join(line + b"\n" for line in [b"head", *lines])
        cuts = sorted(rng.sample(range(len(body)), rng.randint(1, 9)))
        pieces = (body[i:j] for i, j in zip([0, *cuts], [*cuts, len(body)], strict=True))
        stored = _Body(len(body))
        feed = _Feed(pieces, stored)
        assert next(feed) == b"head"
        found = dict(_places(feed, len(lines), used))
        assert stored.read(len(body) + 1, 0) == body
        stored.close()
        places = [body.index(b"\n") + 1]
        places += [places[0] + sum(len(line) + 1 for line in lines[:n]) for n in range(1, 30)]
        keys = [hash(key_of(text)) & 0xFFFFFFFF for text in texts]
        assert found == dict(zip(places, keys, strict=True))


def _places(feed: _Feed, left: int, key_of: KeyOf) -> Iterator[tuple[int, int]]:
    """Where entries are in the file, and the hashes of their keys."""
    while left:
        start, packed = feed.pack(min(left, 7), key_of)
        assert 0 < len(packed) <= 7 and list(packed) == sorted(packed)
        for word in packed:
            yield start + (word & 0xFFFFFFFF), word >> 32
        left -= len(packed)
