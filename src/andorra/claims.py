"""What a certificate's parts claim together: a value, the length of a win, or a score.

Part of the trusted checker, which verifies each part on its own: here is what follows from them.
Source: docs/certificate.md, "Two parts". That a disproof for one side is a win of the other rests
on two promises of the game's, `acyclic` and `can_draw`. Those of a user's game are not believed:
all lines of the disproof are followed anyway, and tell whether each has an end that is such a win.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from andorra.certificate import Certificate, Part, Value, parse_question
from andorra.errors import CertificateError
from andorra.rulebook.base import Game, Outcome


def check_claim(certificate: Certificate, game: Game[Any, Any]) -> None:
    """Raise unless the parts fit together, and the value follows from them."""
    claims = [(part.prover, part.verdict) for part in certificate.parts]
    draw = claims == [("first", "disproven"), ("second", "disproven")]
    scored = any(parse_question(part.question).score is not None for part in certificate.parts)
    pair = is_score if scored else is_length
    if len(claims) == 2 and not ((draw and not scored) or pair(*certificate.parts)):
        raise CertificateError(
            "two parts must be wins of first and second disproven, in this order; a win proven and "
            "then disproven within fewer plies; or a score proven and then a better one disproven: "
            f"{[part.question for part in certificate.parts]} are {claims}"
        )
    if scored and certificate.value != "-":
        raise CertificateError(f"the value {certificate.value!r} does not follow from scores")
    if certificate.value not in ("-", _value_shown(certificate.parts, game)):
        raise CertificateError(f"the value {certificate.value!r} does not follow from {claims}")


def is_length(win: Part, sooner: Part) -> bool:
    """Whether the parts say that a side wins, but not within fewer plies."""
    if (win.verdict, sooner.verdict) != ("proven", "disproven") or win.prover != sooner.prover:
        return False
    return sooner.within is not None and (win.within is None or sooner.within < win.within)


def is_score(reached: Part, better: Part) -> bool:
    """Whether the parts say that a side can force a score, but not one that is better for it."""
    if (reached.verdict, better.verdict) != ("proven", "disproven"):
        return False
    score, more = parse_question(reached.question).score, parse_question(better.question).score
    if score is None or more is None or reached.prover != better.prover:
        return False
    return more > score if reached.prover == "first" else more < score


def _value_shown(parts: Sequence[Part], game: Game[Any, Any]) -> Value:
    first = parts[0].prover == "first"
    if parts[0].verdict == "proven":
        return "win" if first else "loss"
    if any(part.within is not None for part in parts):
        return "-"
    if len(parts) == 2:
        return "draw"
    if game.can_draw or not game.acyclic:
        return "-"
    return "loss" if first else "win"


Step = tuple[Any, Any]
"""Where a line came from, and the move it made there."""


class Ends:
    """Collects the lines of a disproof, to see whether they all end, and how."""

    def __init__(self, value: Value) -> None:
        self._what = f"the value {value!r} does not follow, as the line"
        self._after: dict[Hashable, list[tuple[Hashable, Step]]] = {}
        self._not_won: tuple[Outcome | None, Step] | None = None

    def note(self, step: Step, node: Hashable) -> None:
        """A step leads to a node."""
        self._after.setdefault(step[0], []).append((node, step))

    def not_won(self, outcome: Outcome | None, step: Step) -> None:
        """A step leads to an end that is no win of the side that has the strategy."""
        self._not_won = (outcome, step)

    def fault(self) -> tuple[str, Step] | None:
        """Why the value does not follow, and where; None if it does."""
        if self._not_won is not None:
            outcome, step = self._not_won
            return f"{self._what} ends with {outcome!r}", step
        back = self._way_round()
        return None if back is None else (f"{self._what} comes back to a position", back)

    def _way_round(self) -> Step | None:
        """A step back to a node of its own line."""
        on_line: dict[Hashable, bool] = {}
        stack: list[tuple[Hashable, Iterator[tuple[Hashable, Step]]]] = [(None, self._from(None))]
        while stack:
            found = next(stack[-1][1], None)
            if found is None:
                on_line[stack.pop()[0]] = False
            elif on_line.get(found[0]):
                return found[1]
            elif found[0] not in on_line:
                on_line[found[0]] = True
                stack.append((found[0], self._from(found[0])))
        return None

    def _from(self, node: Hashable) -> Iterator[tuple[Hashable, Step]]:
        return iter(self._after.get(node, ()))
