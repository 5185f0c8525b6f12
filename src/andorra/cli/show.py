"""`andorra show CERTIFICATE`: walks through a strategy: its main line, its tree, its replies."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import click

from andorra.cli.boards import board_option, drawer
from andorra.cli.output import Field, player, print_fields, question_in_words
from andorra.cli.rules import load, rules_option
from andorra.cli.streams import json_line

if TYPE_CHECKING:
    from andorra.certificate import Certificate, Part
    from andorra.cli.rules import Rules
    from andorra.walk import Defence, Line, Reply, Tree

_DEPTH = 4
_WIDTH = 3


@dataclass(frozen=True)
class View:
    """The part of a certificate that is shown, and the rules it is read by."""

    certificate: Certificate
    part: Part
    rules: Rules
    drawer: Callable[[Any], str]

    def side(self, name: str) -> str:
        """A side in words."""
        return player(self.certificate.game, name)

    def draw(self, position: str) -> str:
        """A picture of the position."""
        return self.drawer(self.rules.parse(position))


@click.command("show")
@click.argument("path", metavar="CERTIFICATE")
@click.option("--part", "number", metavar="N", type=int, default=1, help="Which of two questions.")
@click.option("--after", metavar="MOVES", help="The reply after these moves, from the start.")
@click.option("--tree", "as_tree", is_flag=True, help="The lines of play as a tree.")
@click.option(
    "--depth", metavar="N", type=click.IntRange(1, 200), help=f"Plies of the tree [{_DEPTH}]."
)
@click.option(
    "--width", metavar="N", type=click.IntRange(1), help=f"Defences at each place [{_WIDTH}]."
)
@rules_option(", as for 'solve'")
@board_option
@click.option("--json", "as_json", is_flag=True, help="Print it as one JSON object.")
def command(
    path: str,
    number: int,
    after: str | None,
    as_tree: bool,
    depth: int | None,
    width: int | None,
    rules: str | None,
    board: str,
    as_json: bool,
) -> int:
    """Show the strategy in a certificate.

    That is its main line, unless told otherwise; '!' marks the moves of the strategy. This reads
    the file but does not check it: that is what 'andorra check' does.

    The moves of --after are those of both sides, separated by white space; what follows is the
    holder's move, and the answer to each defence.
    """
    from andorra.memory import limited

    _check_options(after, as_tree, depth, width)
    with limited(None):
        view = _view(path, number, rules, board)
        if after is not None:
            _show_reply(view, after.split(), as_json)
        elif as_tree:
            _show_tree(view, depth or _DEPTH, width or _WIDTH, as_json)
        else:
            _show_line(view, as_json)
    return 0


def _check_options(after: str | None, as_tree: bool, depth: int | None, width: int | None) -> None:
    if as_tree and after is not None:
        raise click.UsageError("--tree and --after show different things; choose one")
    for name, value in (("--depth", depth), ("--width", width)):
        if value is not None and not as_tree:
            raise click.UsageError(f"{name} {value} is about the tree; add --tree")


def _view(path: str, number: int, rules: str | None, board: str) -> View:
    from andorra.certificate import read
    from andorra.checker import rules_of

    certificate = read(path)
    parts = certificate.parts
    if not 1 <= number <= len(parts):
        have = "one part" if len(parts) == 1 else f"parts 1 to {len(parts)}"
        raise click.UsageError(f"--part {number}: {path!r} has {have}")
    game = None if rules is None else load(rules, certificate.game)
    known = rules_of(certificate, game)
    return View(certificate, parts[number - 1], known, drawer(known, board))


def _header(view: View) -> dict[str, Any]:
    """What the file says of itself."""
    certificate = view.certificate
    parts = [
        {
            "question": part.question,
            "prover": part.prover,
            "within": part.within,
            "verdict": part.verdict,
            "entries": len(part.entries),
        }
        for part in certificate.parts
    ]
    return {
        "game": certificate.game,
        "position": certificate.position,
        "value": None if certificate.value == "-" else certificate.value,
        "parts": parts,
        "part": certificate.parts.index(view.part) + 1,
    }


def _print_json(view: View, shown: dict[str, Any]) -> None:
    click.echo(json_line(_header(view) | shown))


def _print_header(view: View) -> None:
    certificate = view.certificate
    click.echo(f"{certificate.game}\n\n{view.draw(certificate.position)}\n")
    fields: list[Field] = []
    for number, part in enumerate(certificate.parts, start=1):
        here = " (shown below)" if part is view.part and len(certificate.parts) > 1 else ""
        fields += [
            (f"part {number}", question_in_words(certificate.game, part.question, part.prover)),
            ("", f"{part.verdict}, {len(part.entries):,} entries{here}"),
        ]
    print_fields([*fields, ("value", certificate.value.strip("-"))])
    click.echo()


def _show_line(view: View, as_json: bool) -> None:
    from andorra.walk import main_line

    line = main_line(view.certificate, view.part, view.rules)
    if as_json:
        moves = [step.move for step in line.steps]
        _print_json(view, {"line": moves, "ending": line.ending, "end": line.position})
        return
    _print_header(view)
    print_fields([("main line", _moves(line)), ("ends in", _ending(view, line.ending))])
    click.echo(f"\n{view.draw(line.position)}")


def _moves(line: Line) -> str:
    """The moves, those that the strategy chose marked."""
    marked = [f"{step.move}{'!' if step.entry else ''}" for step in line.steps]
    return " ".join(marked) or "(no moves: the game is over)"


def _ending(view: View, ending: str) -> str:
    if ending in ("first", "second"):
        return f"a win for {view.side(ending)}"
    return {"draw": "a draw"}.get(ending, ending)


def _show_tree(view: View, depth: int, width: int, as_json: bool) -> None:
    from andorra.walk import tree

    root = tree(view.certificate, view.part, depth, width, view.rules)
    if as_json:
        _print_json(view, {"tree": asdict(root)})
        return
    _print_header(view)
    for line in _branches(view, root):
        click.echo(line)


def _branches(view: View, root: Tree) -> Iterator[str]:
    """The tree's lines, drawn with branches."""
    yield "(start)"
    stack = [(child, "", index) for index, child in _numbered(root)]
    while stack:
        node, indent, index = stack.pop()
        last = index == 0
        yield f"{indent}{'└─ ' if last else '├─ '}{_node(view, node)}"
        below = indent + ("   " if last else "│  ")
        stack += [(child, below, place) for place, child in _numbered(node)]


def _numbered(node: Tree) -> list[tuple[int, Tree]]:
    """The children, last first, as a stack wants them."""
    return list(enumerate(reversed(node.children)))


def _node(view: View, node: Tree) -> str:
    omitted = f" … {node.omitted} more" if node.omitted else ""
    if node.ending is not None:
        return f"{node.move}: {_ending(view, node.ending)}"
    return f"{node.move}{omitted}"


def _show_reply(view: View, moves: list[str], as_json: bool) -> None:
    from andorra.walk import reply

    found = reply(view.certificate, view.part, moves, view.rules)
    if as_json:
        _print_json(view, {"after": moves, "reply": asdict(found)})
        return
    click.echo(f"{view.draw(found.position)}\n")
    print_fields(_reply_fields(view, found))


def _reply_fields(view: View, found: Reply) -> list[Field]:
    if found.ending is not None:
        return [("the end", _ending(view, found.ending))]
    ended = f": {_ending(view, found.ending_after)}" if found.ending_after else ""
    holder = f"{view.side(found.side)} plays {found.entry.move}{ended}" if found.entry else ""
    answers = [(f"  {defence.move}", _answer(view, defence)) for defence in found.defences]
    return [("strategy", holder), ("defence", "answer" if answers else ""), *answers]


def _answer(view: View, defence: Defence) -> str:
    if defence.ending is not None:
        return _ending(view, defence.ending)
    if defence.answer is None:
        return "(the same side moves again)"
    return defence.answer.move
