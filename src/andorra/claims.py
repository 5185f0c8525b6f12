"""What a certificate's parts claim together: a value, the length of a win, or a score.

Part of the trusted checker, which verifies each part on its own: here is what follows from them.
Source: docs/certificate.md, "Two parts".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from andorra.certificate import Certificate, Part, Value, parse_question
from andorra.errors import CertificateError
from andorra.rulebook.base import Game


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
