"""A forger of certificates against both checkers.

    python tests/forger.py --forgeries 104200 --seed 1 [--jobs 2] [--seconds 60] [--strategy Holes]

Everything about a forgery follows from its seed: a ground of which the truth is known
(`forging_grounds.py`), a claim about it that is false, and a strategy of forging (`STRATEGIES`).
Now and then the forger is honest. Both checkers see every file: they must reject what is forged and
accept what is honest. What goes wrong is saved in `tests/regressions/`, where `test_forger.py`
replays it for ever. Exit code: 0 without failures, 1 with, 2 wrong usage.
"""

from __future__ import annotations

import functools
import hashlib
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from andorra.checker import check
from andorra.errors import CertificateError
from andorra.fast_checker import find
from certificates import pack
from examiner import Failure, Tally
from forging_claims import A_GROUND, STRATEGIES, Forgery, Strategy, honest
from forging_grounds import TooLargeError, random_ground
from forging_texts import TEXTS
from fuzz import command_line, ending, fuzz, watched

EVERY: dict[str, Strategy] = STRATEGIES | TEXTS
OFTEN = {
    "mixed": 5,
    "SameLooks": 4,
    "CoverRounds": 2,
    "Disguised": 2,
    "WrongWay": 3,
    "Overruled": 3,
    "two_readings": 2,
    "other_rules": 2,
    "other_bound": 2,
    "EndlessRuns": 2,
}
"""How many times as often some are tried, mostly because few grounds offer them anything."""
HONEST_EVERY = 25
SEEDS = 104_200
"""100,000 forgeries and more, besides those that are honest."""
SUFFIX = ".forged"
ACCEPTED, REJECTED = "accepted", "rejected"
REASONS = {
    "rank": "must fall",
    "run comes back": "comes back to a position",
    "wrong end": "the line ends with",
    "out of plies": "runs out of plies",
    "wrong score": "where the score",
    "no entry": "no entry serves",
    "illegal move": "is no legal move|neither moves nor an outcome",
    "two entries": "two entries for",
    "serves no line": "serves no line",
    "not canonical": "is not canonical",
    "no position": "is no position of",
    "question": "do not repeat the question",
    "two parts": "two parts must be",
    "value": "does not follow",
    "game or data": r"the game is|bad game|not in the rulebook|the data in the",
    "grammar": r"line \d+: expected|line \d+: more|no line feed|score asked",
}
"""Where the trusted checker rejects, and what it says then."""


def forge(seed: int, strategies: Sequence[str] = tuple(EVERY)) -> Forgery:
    """The forgery of a seed; with other strategies to choose from, another."""
    turn = 0
    while True:
        rng = random.Random(f"forgery {seed} {turn}")
        ground = random_ground(seed // A_GROUND if turn < 40 else seed + 10**9 + turn)
        name = rng.choices(strategies, [OFTEN.get(name, 1) for name in strategies])[0]
        strategy = honest if seed % HONEST_EVERY == 0 else EVERY[name]
        with suppress(TooLargeError):
            if (forgery := strategy(ground, rng)) is not None:
                return forgery
        turn += 1


# The checkers.


def trusted(path: Path) -> str:
    """`accepted`, or what the trusted checker has against a file."""
    try:
        check(path)
    except CertificateError as error:
        return f"{REJECTED}: {error}"
    except Exception as error:
        return f"raised {type(error).__name__}: {error}"
    return ACCEPTED


def fast(paths: Iterable[Path]) -> dict[Path, str]:
    """The same of the fast checker, for many files."""
    names = "".join(f"{path}\n" for path in paths)
    command = [str(find()), "--stdin-list"]
    done = subprocess.run(command, input=names, capture_output=True, text=True, check=False)
    said: dict[Path, str] = {}
    for line in done.stdout.split("\n"):
        status, _, rest = line.partition("  ")
        if status in ("verified", "rejected", "unreadable"):
            name, _, reason = rest.partition(": ")
            said[Path(name)] = ACCEPTED if status == "verified" else f"{status}: {reason}"
    return said


def reason(said: str) -> str:
    """The kind of a rejection."""
    kinds = (kind for kind, words in REASONS.items() if re.search(words, said))
    return ACCEPTED if said == ACCEPTED else next(kinds, "other")


def examine(forgeries: Sequence[tuple[int, Forgery]], folder: Path) -> Tally:
    """Show forgeries to both checkers."""
    tally, said = Tally(), {}
    for seed, forgery in forgeries:
        path = folder / f"{seed}{SUFFIX}"
        path.write_bytes(pack(forgery.body))
        with watched(seed):
            said[path] = trusted(path)
    with watched(forgeries[0][0]):
        others = fast(said)
    for (seed, forgery), (path, one) in zip(forgeries, said.items(), strict=True):
        other = others.get(path, "no answer")
        tally.counts[forgery.strategy, forgery.complete, reason(one)] += 1
        tally.counts[f"on {forgery.kind}", forgery.complete, reason(one)] += 1
        tally.graphs += not forgery.true
        tally.certificates += forgery.true
        tally.failures += judged(seed, forgery, one, other)
        path.unlink()
    return tally


def judged(seed: int, forgery: Forgery, one: str, other: str) -> list[Failure]:
    """The failure, if the checkers do not say what they should."""
    expected = ACCEPTED if forgery.true else REJECTED
    if [said.partition(":")[0] for said in (one, other)] == [expected] * 2:
        return []
    happened = f"trusted: {one}; fast: {other}"
    return [Failure(forgery.body, f"seed {seed}", forgery.strategy, False, expected, happened)]


def examine_seeds(strategies: Sequence[str], seeds: range) -> Tally:
    """Forge, and show what was forged to both checkers."""
    with tempfile.TemporaryDirectory(prefix="andorra-forger-") as folder:
        return examine([(seed, forge(seed, strategies)) for seed in seeds], Path(folder))


# What goes wrong.


def save(failure: Failure, folder: Path) -> Path:
    """Write the body, with what happened above it."""
    digest = hashlib.sha256(failure.text.encode()).hexdigest()[:8]
    path = folder / f"{failure.row}-{digest}{SUFFIX}"
    folder.mkdir(parents=True, exist_ok=True)
    path.write_bytes(failure.report().encode())
    return path


def replay(path: Path) -> list[Failure]:
    """Show a saved forgery to both checkers."""
    lines = path.read_bytes().decode().split("\n")
    head = [line for line in lines[:4] if line.startswith("# ")]
    body, strategy = "\n".join(lines[len(head) :]), head[0].split()[-1]
    forgery = Forgery(strategy, "saved", body, true=head[2].endswith(ACCEPTED))
    with tempfile.TemporaryDirectory(prefix="andorra-forger-") as folder:
        return examine([(0, forgery)], Path(folder)).failures


def table(tally: Tally) -> str:
    """How many forgeries of each strategy, on each ground, and where they were rejected."""
    rows = sorted({row for row, _, _ in tally.counts}, key=lambda row: (row.startswith("on "), row))
    lines = [f"{'strategy or ground':<20} {'number':>7} {'complete':>8}  where it was rejected"]
    for row in rows:
        of = {key[1:]: count for key, count in tally.counts.items() if key[0] == row}
        number, kinds = sum(of.values()), Counter[str]()
        for (_, kind), count in of.items():
            kinds[kind] += count
        shares = ", ".join(
            f"{kind} {_percent(count, number)}" for kind, count in kinds.most_common(6)
        )
        complete = sum(count for (whole, _), count in of.items() if whole)
        lines.append(f"{row:<20} {number:>7} {_percent(complete, number):>8}  {shares}")
    return "\n".join(lines)


def _percent(count: int, of: int) -> str:
    return f"{100 * count / max(1, of):.0f}%"


def main(argv: Sequence[str] | None = None) -> int:
    """Forge, print where it was found out, save what was not."""
    parser = command_line("forged certificates against both checkers", "forgeries", SEEDS)
    parser.add_argument("--strategy", choices=EVERY, help="only this one")
    asked = parser.parse_args(argv)
    seeds = range(asked.seed, asked.seed + asked.forgeries)
    strategies = [asked.strategy] if asked.strategy else list(EVERY)
    tally = fuzz(seeds, functools.partial(examine_seeds, strategies), asked.jobs, asked.seconds)
    print(table(tally))
    print(f"{tally.graphs} forgeries, {tally.certificates} honest, seeds from {asked.seed}")
    return ending(tally, functools.partial(save, folder=asked.save))


if __name__ == "__main__":
    sys.exit(main())
