"""Other solutions: the moves beside the line of the shortest win that win, too.

Idea: wherever the prover moves on the line, each of its other moves is asked about: does it win in
as many plies as are left, and if not, does it win at all? The line loses no ply, so no move wins
sooner. Composers call a second solution a cook (yozume): the first plies matter most, and at the
last one several ways to win are common and no fault.

Each question has a limit of its own; what is not known is called so, whether a move wins as well as
when it wins, and moves that do not win are left out.
"""

from __future__ import annotations

from collections.abc import Iterator

from andorra.inquiry import Inquiry
from andorra.question import Question
from andorra.result import Other, Verdict
from andorra.rulebook.base import Side


def find_others(
    inquiry: Inquiry, line: list[str], prover: Side, length: int, nodes: int
) -> list[Other]:
    """All other moves along the line of `length` plies that win, or may do so."""
    beside = _moves_beside(inquiry, line, prover)
    judged = (_judged(inquiry, place, prover, length, nodes) for place in beside)
    return [other for other in judged if other.verdict != "disproven"]


def _moves_beside(
    inquiry: Inquiry, line: list[str], prover: Side
) -> Iterator[tuple[int, str, str]]:
    """The ply, the move and the position after it, for each move that the line does not take."""
    native, position = inquiry.search.native, inquiry.search.position
    for ply, played in enumerate(line, start=1):
        if native.to_move(position) == prover:
            for move in native.moves(position):
                if move != played:
                    yield ply, move, native.play(position, move)
        position = native.play(position, played)


def _judged(
    inquiry: Inquiry, place: tuple[int, str, str], prover: Side, length: int, nodes: int
) -> Other:
    ply, move, position = place
    in_time = _verdict(inquiry, Question(prover, length - ply), nodes, position)
    if in_time == "proven":
        return Other(ply, move, length, "proven", "as soon")
    at_all = _verdict(inquiry, Question(prover), nodes, position)
    return Other(ply, move, None, at_all, "later" if in_time == "disproven" else "not known")


def _verdict(inquiry: Inquiry, question: Question, nodes: int, position: str) -> Verdict:
    try:
        answer = inquiry.ask(question, nodes, position=position)
    except KeyboardInterrupt:
        inquiry.interrupt()
        answer = None
    return "unknown" if answer is None else answer.verdict
