"""How long is the shortest mate of a random problem? What `fuzz_tsume.py` compares answers with.

Idea: questions with a bound, a ply more at a time, to an oracle that knows nothing of lengths. They
end where a mate is found, or where it would take the oracle too long; then all that is known is
that no mate is shorter. Every ply is asked about, those too of which the search for the shortest
win takes for granted that no mate has so many.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import andorra
from andorra import certificate
from andorra.rulebook.tsume import Tsume

MOST_PLIES = 9


@dataclass(frozen=True)
class Known:
    """No mate is shorter than `at_least`; `exact`: there is one of that length."""

    at_least: int
    exact: bool

    def __str__(self) -> str:
        """For the report of a failure."""
        return f"a mate in {self.at_least}{'' if self.exact else ' or more, or none'}"

    def allows(self, question: str, verdict: str) -> bool:
        """Whether this can be the verdict on `win:first` or `win:first<=N`."""
        _, bounded, text = question.partition("<=")
        if verdict == "proven":
            return not bounded or int(text) >= self.at_least
        return not self.exact or (bool(bounded) and int(text) < self.at_least)


def known_length(verdict_within: Callable[[int], str]) -> Known:
    """What the verdicts on bounded questions say.

    >>> known_length(lambda plies: "proven" if plies >= 3 else "disproven")
    Known(at_least=3, exact=True)
    >>> known_length(lambda plies: "unknown" if plies >= 3 else "disproven")
    Known(at_least=3, exact=False)
    """
    for plies in range(MOST_PLIES + 1):
        verdict = verdict_within(plies)
        if verdict != "disproven":
            return Known(plies, exact=verdict == "proven")
    return Known(MOST_PLIES + 1, exact=False)


def wrong_answer(
    game: Tsume, result: andorra.Result, known: Known, may_give_up: bool
) -> str | None:
    """What is wrong with an answer to `shortest:first`, if anything is.

    A search that gave up where the bounds met knows the length, but perhaps no line of it.
    """
    said = f"{result.verdict}, length {result.length}, bounds {result.length_bounds}"
    if result.verdict == "unknown":
        return None if (result.length, result.length_bounds) == (None, None) else said
    if result.verdict == "disproven":
        return None if known.allows("win:first", "disproven") else said
    at_least, at_most = result.length_bounds or (0, None)
    true = known.allows(f"win:first<={at_least - 1}", "disproven")
    true &= at_most is None or known.allows(f"win:first<={at_most}", "proven")
    if result.length is not None:
        true &= (at_least, at_most) == (result.length, result.length)
        true &= len(result.line) == result.length or (
            may_give_up and len(result.line) < result.length
        )
        true &= _ends_in_mate(game, result)
    return None if true else f"{said}, line {' '.join(result.line)}"


def _ends_in_mate(game: Tsume, result: andorra.Result) -> bool:
    state = game.parse(result.position)
    for text in result.line:
        state = game.play(state, game.parse_move(state, text))
    return game.outcome(state) == "first"


def wrong_statement(path: Path, result: andorra.Result, known: Known) -> str | None:
    """What is wrong with what the certificate of an answer states, if anything is."""
    shown = [(part.question, part.verdict) for part in certificate.read(path).parts]
    true = all(known.allows(*part) for part in shown) and shown[0][1] == result.verdict
    if result.length is not None:
        true &= shown[0] == (f"win:first<={result.length}", "proven")
        true &= result.length == 0 or [verdict for _, verdict in shown[1:]] == ["disproven"]
    return None if true else f"the certificate shows {shown}"
