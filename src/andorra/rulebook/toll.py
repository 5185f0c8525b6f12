"""toll: a traveller must pass gates whose keeper has a budget of demands.

A tiny game with resources and with a side that may move twice; it is there to test certificates.
Parameter `G`, the number of gates, 1 to 9, by default 3. The traveller is the first player, the
keeper the second; the first gate is free. The keeper names a demand from 0 to 3 that its budget
allows, which leaves the budget: `ask0` to `ask3`. The traveller plays `pay` (coins for the demand,
and the gate is passed) or `wait` (one patience, the demand falls by 2 or to 0, and the traveller
moves again), in this order. The traveller wins by passing every gate and loses without a move.

A position is `gate ask coins patience budget side`: gates passed; the open demand, or `-` when the
keeper moves; numbers from 0 to 99; `k` or `t` for who moves.

>>> from andorra.rulebook import make
>>> game = make("toll:3")
>>> game.format(game.initial())
'0 0 3 1 4 t'
>>> state = game.parse("1 2 1 1 2 t")
>>> game.moves(state)
['wait']
>>> game.format(game.play(state, "wait"))
'1 0 1 0 2 t'
>>> print(game.draw(state))
[passed] [ gate ] [ gate ]
coins 1, patience 1, budget 2
the traveller is asked for 2
>>> game.board(state), game.resources(state)
((1, 2, 0), (1, 1, -2))
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from andorra.errors import PositionError
from andorra.rulebook.base import FIRST, SECOND, Game, Outcome, Side
from andorra.rulebook.reading import bad_parameters, numbers, quoted, refuse_data

HIGHEST_DEMAND = 3
HELD = "(0|[1-9][0-9]?)"
POSITION = re.compile(rf"([0-9]) (-|[0-3]) {HELD} {HELD} {HELD} ([kt])")


class TollState(NamedTuple):
    """Gates passed, the open demand (None: the keeper is to move), and what both sides have."""

    gate: int
    ask: int | None
    coins: int
    patience: int
    budget: int


class Toll(Game[TollState, str]):
    """A traveller (first) against a keeper of gates (second)."""

    name = "toll"
    players = ("traveller", "keeper")
    acyclic = True
    can_draw = False

    def __init__(self, parameters: str = "", data: str | None = None) -> None:
        refuse_data(self.name, data)
        sizes = numbers(parameters or "3", ",")
        if len(sizes) != 1 or not 1 <= sizes[0] <= 9:
            raise bad_parameters(self.name, parameters, "the number of gates, from 1 to 9")
        self._gates = sizes[0]
        self.parameters = str(self._gates)

    def initial(self) -> TollState:
        """As many coins as gates, one patience, a budget for both; the first gate is free."""
        return TollState(0, 0, self._gates, 1, self._gates + 1)

    def to_move(self, state: TollState) -> Side:
        """The traveller if a demand is open."""
        return SECOND if state.ask is None else FIRST

    def moves(self, state: TollState) -> Sequence[str]:
        """The keeper's demands, or what the traveller can do about the open one."""
        if state.gate == self._gates:
            return []
        if state.ask is None:
            return [f"ask{demand}" for demand in range(min(HIGHEST_DEMAND, state.budget) + 1)]
        can_pay = state.coins >= state.ask
        can_wait = state.patience > 0 and state.ask > 0
        return ["pay"] * can_pay + ["wait"] * can_wait

    def play(self, state: TollState, move: str) -> TollState:
        """The position after a demand, a payment or a wait."""
        gate, ask, coins, patience, budget = state
        if ask is None:
            demand = int(move.removeprefix("ask"))
            return TollState(gate, demand, coins, patience, budget - demand)
        if move == "pay":
            return TollState(gate + 1, None, coins - ask, patience, budget)
        return TollState(gate, max(0, ask - 2), coins, patience - 1, budget)

    def outcome(self, state: TollState) -> Outcome | None:
        """The traveller's win after the last gate, the keeper's if the traveller is stuck."""
        if state.gate == self._gates:
            return "first"
        return None if self.moves(state) else "second"

    def format(self, state: TollState) -> str:
        """The six fields, separated by single spaces."""
        gate, ask, coins, patience, budget = state
        shown, side = ("-", "k") if ask is None else (str(ask), "t")
        return f"{gate} {shown} {coins} {patience} {budget} {side}"

    def parse(self, text: str) -> TollState:
        """The position `text`, if its demand, its side and its gate go together."""
        match = POSITION.fullmatch(text)
        if match is None:
            raise PositionError(
                f"cannot read {quoted(text)}; expected 'gate ask coins patience budget side', "
                "for example '0 - 3 1 4 k': ask '-' or 0 to 3, numbers from 0 to 99, side k or t"
            )
        gate, ask, coins, patience, budget, side = match.groups()
        self._check(text, int(gate), ask, side)
        demand = None if ask == "-" else int(ask)
        return TollState(int(gate), demand, int(coins), int(patience), int(budget))

    def _check(self, text: str, gate: int, ask: str, side: str) -> None:
        if (ask == "-") != (side == "k"):
            raise PositionError(f"expected side k with ask '-', and t with a demand, in {text!r}")
        if gate > self._gates:
            raise PositionError(f"expected gate 0 to {self._gates} in {text!r}")
        if gate == self._gates and side == "t":
            raise PositionError(f"expected no demand after gate {gate}, the last, in {text!r}")

    def draw(self, state: TollState) -> str:
        """The gates, what both sides have, and who is asked for what."""
        gates = ["[passed]"] * state.gate + ["[ gate ]"] * (self._gates - state.gate)
        holdings = f"coins {state.coins}, patience {state.patience}, budget {state.budget}"
        return f"{' '.join(gates)}\n{holdings}\n{self._caption(state)}"

    def _caption(self, state: TollState) -> str:
        outcome = self.outcome(state)
        if outcome is not None:
            return f"the {'traveller' if outcome == 'first' else 'keeper'} has won"
        if state.ask is None:
            return "the keeper is to name a demand"
        return f"the traveller is asked for {state.ask}"

    def board(self, state: TollState) -> tuple[int, int | None, Side]:
        """The gate, the demand and the side to move."""
        return (state.gate, state.ask, self.to_move(state))

    def resources(self, state: TollState) -> tuple[int, ...]:
        """Coins and patience help the traveller, the budget helps the keeper."""
        return (state.coins, state.patience, -state.budget)

    def left(self, state: TollState, side: Side) -> str:
        """The traveller's coins and patience, or the keeper's budget."""
        if side == SECOND:
            return f"budget {state.budget}"
        return f"coins {state.coins}, patience {state.patience}"
