"""`andorra view [FILE|GAME [POSITION]]`: opens a page that solves, shows and plays."""

from __future__ import annotations

import warnings
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from andorra.cli.positions import GRAPH
from andorra.cli.rules import load, rules_option
from andorra.errors import OptionError
from andorra.options import memory_bytes

if TYPE_CHECKING:
    from andorra.cli.rules import Rules
    from andorra.viewer.entries import Room
    from andorra.viewer.library import Library

_MISSING = (
    "'andorra view' needs the packages starlette and uvicorn: pip install 'andorra[viewer]' ({})"
)


@click.command("view")
@click.argument("what", metavar="[FILE|GAME]", required=False)
@click.argument("position", metavar="[POSITION]", required=False)
@click.option("--port", metavar="N", type=click.IntRange(0, 65535), default=0, help="Default: any.")
@click.option(
    "--host",
    metavar="ADDRESS",
    default="127.0.0.1",
    show_default=True,
    help="Where to listen; any other address than this machine's own lets others in.",
)
@click.option("--no-browser", is_flag=True, help="Print the link, and open nothing.")
@click.option(
    "--memory",
    metavar="SIZE",
    help="For graphs that pages send, and again for certificates of searches. Default: 384MiB.",
)
@click.option(
    "--disk",
    metavar="SIZE",
    help="For a certificate, decompressed in the temporary folder. Default: half of what is free.",
)
@rules_option(", as for 'solve'")
def command(
    what: str | None,
    position: str | None,
    port: int,
    host: str,
    no_browser: bool,
    memory: str | None,
    disk: str | None,
    rules: str | None,
) -> int:
    """Open a page in the browser: solve, watch, walk through a proof, play against it.

    FILE is a certificate, results of 'andorra compare --json', or a graph for the game 'graph'.
    GAME and POSITION are as for 'solve'. Without any, the page starts with a choice of games.

    The page is served to this machine only, and the printed link has a token without which nothing
    is answered. It loads nothing from elsewhere. Ctrl-C ends it.

    \b
    andorra view draw.andorra
    andorra view tsume '7nk/9/6G2/9/9/9/9/9/9 b 2G 1'
    andorra compare hex:3 openings.txt --vary algorithm=pns --json > runs.jsonl
    andorra view runs.jsonl
    """
    try:
        from andorra.viewer.server import LOOPBACK, Server
    except ImportError as error:
        raise OptionError(_MISSING.format(error)) from None
    room = _room(memory, disk)
    server = Server(_viewer(what, position, rules, room), host, port)
    if host not in LOOPBACK:
        click.echo(
            f"warning: {host} can be reached from other machines; whoever has the link below can "
            "use this one's time and memory, and nothing on the way is encrypted",
            err=True,
        )
    with warnings.catch_warnings(), suppress(KeyboardInterrupt):
        # Ctrl-C may come before the server has begun.
        warnings.filterwarnings("ignore", "coroutine .* was never awaited", RuntimeWarning)
        click.echo(f"Open {server.url}\nCtrl-C ends it.")
        server.run(None if no_browser else server.open_browser)
    return 0


def _viewer(what: str | None, position: str | None, rules: str | None, room: Room) -> Any:
    from andorra.viewer.app import Viewer
    from andorra.viewer.graphs import Graphs
    from andorra.viewer.library import Library
    from andorra.viewer.subjects import Games

    if what is None and rules is not None:
        raise click.UsageError("--rules are for a GAME or a certificate; name one")
    library = Library(room)
    try:
        own, opened = (None, {}) if what is None else _open(library, what, position, rules)
    except BaseException:
        library.close()
        raise
    return Viewer(library, Games(own, Graphs(library.room.memory)), opened)


def _room(memory: str | None, disk: str | None) -> Room:
    from andorra.viewer.entries import Room

    usual = Room.usual()
    return Room(
        usual.memory if memory is None else memory_bytes(memory),
        usual.disk if disk is None else memory_bytes(disk),
    )


def _open(
    library: Library, what: str, position: str | None, rules: str | None
) -> tuple[Rules | None, dict[str, Any]]:
    """What the command line names: the user's rules, and what the page shows first."""
    path = Path(what)
    if not path.is_file():
        return _game(what, position, rules)
    if position is not None:
        raise click.UsageError(f"{what!r} is a file; {position!r} after it means nothing")
    from andorra.viewer.results import is_results

    if is_results(path):
        return None, {"results": library.open_results(path)}
    from andorra.certificate import game_of

    own = None if rules is None else load(rules, game_of(path))
    return own, {"certificate": library.open_certificate(path, own)}


def _game(
    what: str, position: str | None, rules: str | None
) -> tuple[Rules | None, dict[str, Any]]:
    from andorra.rulebook.graph import Graph
    from andorra.viewer.subjects import Games, state_of

    own = None if rules is None else load(rules, what)
    if what == GRAPH and own is None:
        if position is None:
            raise click.UsageError("the game 'graph' needs its file: andorra view graph FILE")
        graph = Graph.from_file(position)
        return None, {"game": GRAPH, "data": graph.data(), "position": graph.initial()}
    game = Games(own).make(what, None)
    text = None if position is None else game.format(state_of(game, position))
    return own, {"game": game.spec(), "position": text}
