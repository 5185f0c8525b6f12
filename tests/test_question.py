"""Questions: what can be asked, how it is spelled, and when it is answered."""

from __future__ import annotations

import pytest

from andorra.errors import OptionError
from andorra.question import Question
from andorra.rulebook.base import FIRST, SECOND, Side


@pytest.mark.parametrize(
    ("text", "to_move", "question"),
    [
        ("win", FIRST, Question(FIRST)),
        ("win", SECOND, Question(SECOND)),
        ("win:first", SECOND, Question(FIRST)),
        ("win:second", FIRST, Question(SECOND)),
        ("win<=0", SECOND, Question(SECOND, 0)),
        ("win:first<=7", SECOND, Question(FIRST, 7)),
        ("win:second<=123456789012345678", FIRST, Question(SECOND, 123456789012345678)),
    ],
)
def test_texts_that_are_questions(text: str, to_move: Side, question: Question) -> None:
    assert Question.parse(text, to_move) == question


@pytest.mark.parametrize("question", [Question(FIRST), Question(SECOND), Question(FIRST, 0)])
def test_canonical_text_names_the_prover_and_reads_back(question: Question) -> None:
    for to_move in (FIRST, SECOND):
        assert Question.parse(str(question), to_move) == question


BAD = "|Win|win |win:|win:third|win:first<=|win<7|win<=-1|win<=07|win<=1.5|win<=٣|win<=7\n|value"


@pytest.mark.parametrize("text", [*BAD.split("|"), "win<=1234567890123456789"])
def test_other_texts_are_rejected_and_quoted(text: str) -> None:
    with pytest.raises(OptionError) as error:
        Question.parse(text, FIRST)
    assert repr(text) in str(error.value)
    assert "'win:first<=7'" in str(error.value)


@pytest.mark.parametrize("plies_left", [None, 0, 1])
def test_ends_answer_whatever_is_left(plies_left: int | None) -> None:
    question = Question(SECOND, plies_left)
    assert question.status("second", plies_left) is True
    assert question.status("first", plies_left) is False
    assert question.status("draw", plies_left) is False


def test_an_ongoing_game_is_lost_only_without_plies() -> None:
    assert Question(FIRST).status(None) is None
    assert Question(FIRST, 1).status(None, 1) is None
    assert Question(FIRST, 1).status(None, 0) is False
