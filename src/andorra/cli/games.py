"""`andorra games [NAME]`: the games there are, how each is written, and whether rules are sound."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

import click

from andorra.cli import exits
from andorra.cli.completions import GameName
from andorra.cli.searches import assignments
from andorra.errors import AndorraError, PositionError

if TYPE_CHECKING:
    from andorra import RulesReport
    from andorra.cli.rules import Rules


@click.command("games")
@click.argument("name", type=GameName(), metavar="[NAME]", required=False)
@click.option(
    "--check",
    metavar="MODULE:CLASS|LIBRARY|GAME",
    help="Look for broken promises of these rules on random lines.",
)
def command(name: str | None, check: str | None) -> int:
    """List the games, or describe one.

    --check plays lines by chance with rules of your own, named as for --rules, or with a built-in
    game, and reports each promise of the rules: kept, or broken and where. NAME gives parameters,
    as in 'andorra games nim:30 --check nim.py:Nim'.

    Exit code of --check: 0 nothing is broken, 1 something is, 3 the rules cannot be loaded.
    """
    if check is not None:
        return _check(check, name)
    if name is None:
        _list()
    else:
        _describe(name.partition(":")[0])
    return 0


def _list() -> None:
    import andorra
    from andorra.cli.tables import print_table

    rows = [
        (info.name, info.parameters, info.question, info.summary.removeprefix(f"{info.name}: "))
        for info in andorra.games().values()
    ]
    print_table(("game", "parameters", "question", "what it is"), rows)


def _describe(name: str) -> None:
    import andorra

    games = andorra.games()
    if name not in games:
        nearest = difflib.get_close_matches(name, games, n=1, cutoff=0)
        raise PositionError(f"there is no game {name!r}; did you mean {nearest[0]!r}?")
    click.echo(games[name].help.partition("\n>>>")[0].rstrip())
    click.echo(f"\nDefault question: {games[name].question}")
    if games[name].defaults:
        click.echo(f"Default options of its own: {assignments(games[name].defaults)}")


def _check(what: str, spec: str | None) -> int:
    import andorra

    try:
        rules = _rules(what, spec)
    except (AndorraError, OSError) as error:
        exits.print_error(exits.describe(error))
        return exits.UNREADABLE
    report = andorra.check_rules(rules)
    _print_report(report)
    return exits.REJECTED if report.broken else exits.VERIFIED


def _rules(what: str, spec: str | None) -> Rules:
    from andorra.cli.rules import as_it_is, load, subject
    from andorra.rulebook import GAMES

    if what.partition(":")[0] in GAMES and spec is None:
        return subject(what, None).rules
    return as_it_is(what) if spec is None else load(what, spec)


def _print_report(report: RulesReport) -> None:
    from andorra.cli.tables import print_table

    lines = "1 random line" if report.lines == 1 else f"{report.lines:,} random lines"
    click.echo(f"{report.game}: {report.positions:,} positions on {lines}, seed {report.seed}\n")
    print_table(("promise", "found"), [(each.name, str(each)) for each in report.promises])
    click.echo("\nWhat is kept here may be broken elsewhere: chance cannot confirm a promise.")
