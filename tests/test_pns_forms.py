"""Which positions share a node in best-first search: the option `form`, where positions repeat."""

from __future__ import annotations

from typing import Any

import pytest

import andorra
from andorra import OptionError, Result
from andorra.rulebook import make
from fuzz import REGRESSIONS

CIRCLES = (REGRESSIONS / "merged-circles.graph").read_text(encoding="utf-8")


def solved(form: str, text: str = CIRCLES, **settings: Any) -> Result:
    """Ask pns in one of its forms whether the first player wins."""
    game = make("graph", text)
    return andorra.solve(game, question="win:first", algorithm="pns", form=form, **settings)


@pytest.mark.parametrize("form", ["tree", "dag", "base-twin"])
def test_sound_forms_are_right(form: str) -> None:
    assert solved(form).verdict == "proven"


def test_a_disproof_on_one_path_misleads_merged_nodes_on_another() -> None:
    result = solved("merge", unsafe=True)
    assert result.verdict == "disproven"
    assert result.unsound


def test_merged_nodes_are_refused_where_positions_repeat() -> None:
    with pytest.raises(OptionError, match="form=merge may be wrong"):
        solved("merge")


def test_merged_nodes_are_accepted_where_positions_do_not_repeat() -> None:
    result = solved("merge", "A: or B C\nB: and C\nC: win")
    assert (result.verdict, result.unsound) == ("proven", False)


@pytest.mark.parametrize(("cops", "verdict"), [(2, "disproven"), (3, "proven")])
def test_base_twin_needs_no_more_nodes_than_there_are_positions(cops: int, verdict: str) -> None:
    """On the Petersen graph, where lines with nodes of their own are too many."""
    result = andorra.solve(f"cops:{cops}", algorithm="pns", form="base-twin", memory="8MiB")
    assert result.verdict == verdict
    positions = 10 ** (cops + 1) * 2
    assert result.statistics["expansions"] < positions
