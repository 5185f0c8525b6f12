"""The promises of a game's rules, one by one: what each says, and where a position breaks it.

A watcher is shown one place after the other, and raises `Broken` where its promise is broken. What
`andorra.check_rules` reports is what the watchers found.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, cast

from andorra.abi import AbiGame
from andorra.places import is_alike
from andorra.rulebook.base import SIDE_NAMES, Game, Outcome, score_bounds

Rules = Game[Any, Any]
State = Literal["kept", "broken", "not made", "not looked at"]


class Broken(Exception):  # noqa: N818 - a finding, not an error
    """A promise is broken here."""


@dataclass(frozen=True, slots=True)
class Promise:
    """One promise of the rules, and what random play says of it."""

    name: str
    says: str
    """In words."""
    state: State
    positions: int
    """At how many it was looked at."""
    position: str | None = None
    """Where it is broken."""
    reason: str | None = None
    """How it is broken, or why it was not looked at."""

    def __str__(self) -> str:
        """What was found, as one line."""
        if self.state == "broken":
            return f"broken in position {self.position!r}: {self.reason}"
        if self.state == "kept":
            return f"kept at {self.positions:,} positions"
        return self.state if self.reason is None else f"{self.state}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Place:
    """A position on a line, with all that is asked of it."""

    state: Any
    text: str
    outcome: Outcome | None
    side: int
    moves: list[tuple[Any, str]]
    """With their texts."""
    children: list[Place]
    """Without their own children."""


class Watcher:
    """Looks at one promise; derived classes say at what."""

    name = ""
    says = ""

    def __init__(self, game: Rules) -> None:
        self.game = game
        self._looks = 0
        self._found: tuple[str, str] | None = None

    def made(self) -> bool:
        """Whether the game makes this promise."""
        return True

    def look(self, place: Place) -> None:
        """Raise `Broken`, or what the rules raise, if the promise is broken here."""

    def watch(self, place: Place) -> None:
        """Look, unless it is known to be broken."""
        if self._found is not None or not self.made():
            return
        self._looks += 1
        try:
            self.look(place)
        except Broken as error:
            self.found(place.text, str(error))
        except Exception as error:
            self.found(place.text, f"the rules raised {type(error).__name__}: {error}")

    def found(self, text: str, reason: str) -> None:
        """It is broken."""
        self._found = self._found or (text, reason)

    def promise(self) -> Promise:
        """What is known."""
        if self._found is not None:
            return Promise(self.name, self.says, "broken", self._looks, *self._found)
        return Promise(self.name, self.says, "kept" if self.made() else "not made", self._looks)


class Answers(Watcher):
    """Kept by whoever asks the rules: see rule_check.py."""

    name = "answers"
    says = "each rule gives what it should, and raises nothing"

    def counted(self) -> None:
        """All rules have answered for a position."""
        self._looks += 1


class _Moves(Watcher):
    name = "moves"
    says = "there are moves exactly where the game goes on, and each has a text of its own"

    def look(self, place: Place) -> None:
        if (place.outcome is None) != bool(place.moves):
            goes_on = "goes on" if place.outcome is None else "has ended"
            raise Broken(f"'moves' gave {len(place.moves)} moves although the game {goes_on}")
        texts = [text for _, text in place.moves]
        for text in texts:
            if texts.count(text) > 1:
                raise Broken(f"two moves have the text {text!r}")


class _Order(Watcher):
    name = "order"
    says = "moves are the same, and in the same order, when asked again"

    def look(self, place: Place) -> None:
        again = [self.game.format_move(place.state, move) for move in self.game.moves(place.state)]
        if again != [text for _, text in place.moves]:
            raise Broken("'moves' gave other moves, or another order, when asked again")


class _Pure(Watcher):
    name = "play"
    says = "a move leaves the position before it as it was, and leads to the same when made again"

    def look(self, place: Place) -> None:
        for (move, text), child in zip(place.moves, place.children, strict=True):
            for state in (place.state, self.game.parse(place.text)):
                again = self.game.format(self.game.play(state, move))
                if again != child.text:
                    led = f"led to {child.text!r}, and made again to {again!r}"
                    raise Broken(f"move {text!r} {led}")
        now = self.game.format(place.state)
        if now != place.text:
            raise Broken(f"'play' changed its state to {now!r}")


class _Text(Watcher):
    name = "text"
    says = "texts of positions and moves read back as what they were written for"

    def look(self, place: Place) -> None:
        back = self.game.parse(place.text)
        if not is_alike(back, place.state) and back != place.state:
            raise Broken(f"'parse' read the text as {back!r}, expected {place.state!r}")
        for _, text in place.moves:
            read = self.game.format_move(place.state, self.game.parse_move(place.state, text))
            if read != text:
                raise Broken(f"'parse_move' read {text!r} as {read!r}")


class _Equality(Watcher):
    name = "equality"
    says = "positions are equal, with equal hashes, exactly where their texts are"

    def __init__(self, game: Rules) -> None:
        super().__init__(game)
        self._by_text: dict[str, Any] = {}
        self._by_state: dict[Any, str] = {}

    def look(self, place: Place) -> None:
        for each in [place, *place.children]:
            other = self._by_text.setdefault(each.text, each.state)
            if other != each.state or hash(other) != hash(each.state):
                raise Broken(f"{other!r} and {each.state!r} have one text, {each.text!r}")
            text = self._by_state.setdefault(each.state, each.text)
            if text != each.text:
                raise Broken(f"{each.text!r} and {text!r} are texts of equal positions")


class _Acyclic(Watcher):
    name = "acyclic"
    says = "no position comes again on a line"

    def __init__(self, game: Rules) -> None:
        super().__init__(game)
        self._after: dict[str, list[str]] = {}

    def made(self) -> bool:
        return self.game.acyclic

    def look(self, place: Place) -> None:
        self._after[place.text] = [child.text for child in place.children]

    def promise(self) -> Promise:
        back = None if self._found else self._way_round()
        if back is not None:
            self.found(back[0], f"a move leads to {back[1]!r}, from where the line came")
        return super().promise()

    def _way_round(self) -> tuple[str, str] | None:
        """A move back, among all that was seen; lines may meet."""
        on_line: dict[str, bool] = {}
        for start in self._after:
            stack = [(start, self._from(start))] if start not in on_line else []
            on_line.setdefault(start, True)
            while stack:
                text, following = stack[-1]
                child = next(following, None)
                if child is None:
                    on_line[text] = False
                    stack.pop()
                elif on_line.get(child):
                    return text, child
                elif child not in on_line:
                    on_line[child] = True
                    stack.append((child, self._from(child)))
        return None

    def _from(self, text: str) -> Iterator[str]:
        return iter(self._after.get(text, ()))


class _CanDraw(Watcher):
    name = "can_draw"
    says = "no line ends in a draw"

    def made(self) -> bool:
        return not self.game.can_draw

    def look(self, place: Place) -> None:
        for each in [place, *place.children]:
            if each.outcome == "draw":
                raise Broken(f"{each.text!r} is a draw")


class _WinsByOwnMove(Watcher):
    name = "wins_by_own_move"
    says = "sides alternate, and each wins only by a move of its own"

    def made(self) -> bool:
        return self.game.wins_by_own_move

    def look(self, place: Place) -> None:
        mover = SIDE_NAMES[place.side]
        for (_, text), child in zip(place.moves, place.children, strict=True):
            if child.outcome is None and child.side == place.side:
                raise Broken(f"after move {text!r} the same side is to move")
            if child.outcome not in (None, "draw", mover):
                raise Broken(f"move {text!r} makes the other side win")


class _Scores(Watcher):
    name = "scores"
    says = "an end has one score, and what is left never parts further after a move"

    def made(self) -> bool:
        return getattr(self.game.scores, "__func__", None) is not Game.scores

    def look(self, place: Place) -> None:
        least, most = self._of(place)
        for (_, text), child in zip(place.moves, place.children, strict=True):
            low, high = self._of(child)
            if low < least or most < high:
                raise Broken(f"scores from {least} to {most}, after {text!r} from {low} to {high}")

    def _of(self, place: Place) -> tuple[int, int]:
        least, most = score_bounds(self.game, place.state)
        if least > most or (least < most and place.outcome is not None):
            raise Broken(f"scores from {least} to {most} in {place.text!r}")
        return least, most


class _Resources(Watcher):
    name = "resources"
    says = "with the same board, more resources are never worse for the first player"

    def __init__(self, game: Rules) -> None:
        super().__init__(game)
        self._of_board: dict[Any, tuple[int, int]] = {}

    def made(self) -> bool:
        return getattr(self.game.resources, "__func__", None) is not Game.resources

    def look(self, place: Place) -> None:
        """Whether positions can be compared at all."""
        numbers = [operator.index(number) for number in self.game.resources(place.state)]
        kind = (place.side, len(numbers))
        board = self.game.board(place.state)
        if self._of_board.setdefault(board, kind) != kind:
            raise Broken(
                "another position with the same board has another side to move, or other "
                "numbers of resources"
            )

    def promise(self) -> Promise:
        promise = super().promise()
        if promise.state != "kept":
            return promise
        why = "only that positions compare; random play cannot tell which is worse"
        return Promise(self.name, self.says, "not looked at", self._looks, reason=why)


class _Compiled(Watcher):
    name = "describe"
    says = "of compiled rules, 'describe' says of a state what 'expand' says of it as a child"

    def made(self) -> bool:
        return isinstance(self.game, AbiGame)

    def look(self, place: Place) -> None:
        cast(AbiGame, self.game).check_statuses(place.state)


WATCHERS: tuple[type[Watcher], ...] = (
    _Moves,
    _Order,
    _Pure,
    _Text,
    _Equality,
    _Acyclic,
    _CanDraw,
    _WinsByOwnMove,
    _Scores,
    _Resources,
    _Compiled,
)
