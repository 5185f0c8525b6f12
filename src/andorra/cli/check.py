"""`andorra check CERTIFICATE...`: does each file show what it claims?

The trusted checker runs here, in Python, on the reference rules. The fast one is a program of its
own, and is run as one: whatever happens in it, it can only say yes by ending with code 0.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from andorra.cli import exits
from andorra.cli.rules import find, rules_option
from andorra.errors import (
    AndorraError,
    CertificateError,
    OptionError,
    RuleError,
    TooLargeError,
    UnknownGameError,
)

if TYPE_CHECKING:
    from andorra.checker import VerifiedPart
    from andorra.cli.rules import Rules

_WORDS = {
    exits.VERIFIED: "verified",
    exits.REJECTED: "rejected",
    exits.UNREADABLE: "unreadable",
    None: "not checked",
}
_COLOURS = {exits.VERIFIED: "green", exits.REJECTED: "red", None: "yellow"}
Check = Callable[[str], tuple[int | None, str]]
"""From a path to an exit code, None where the other checker decides, and what there is to say."""
MakeRules = Callable[[str], "Rules"]
"""From a game's name and parameters to its rules."""


@click.command("check")
@click.argument("certificates", metavar="CERTIFICATE...", nargs=-1, required=True)
@click.option("--fast", is_flag=True, help="Run the fast checker, andorra-check.")
@click.option("--both", is_flag=True, help="Run both checkers.")
@click.option("--memory", metavar="SIZE", help="The most memory to use: 512MiB, 2GiB, …")
@rules_option(", as for 'solve'")
def command(
    certificates: tuple[str, ...], fast: bool, both: bool, memory: str | None, rules: str | None
) -> int:
    """Check certificates.

    The trusted checker runs unless told otherwise.

    --rules names a game of your own, as for 'andorra solve'; its code is run, and the trusted
    checker needs it for games that are not among 'andorra games'. The fast checker knows no
    others: with --both, it leaves them to the trusted one.

    A certificate that cannot be decided within --memory (a quarter of the machine's, at most 2GiB,
    by default) is neither verified nor rejected: it is too large.

    Exit code: 0 all verified, 1 one or more rejected, 2 usage, 3 one or more unreadable or too
    large, or rules that are missing, cannot be loaded or do not fit, none rejected.
    """
    from andorra.memory import memory_bytes

    if fast and both:
        raise click.UsageError("--fast and --both exclude each other: choose one")
    if fast and rules is not None:
        raise click.UsageError("--rules is for the trusted checker; leave out --fast")
    limit = memory_bytes(memory)
    checks = _checks(fast, both, limit, None if rules is None else find(rules))
    codes = {_run(name, check, path) for path in certificates for name, check in checks}
    for code in (exits.REJECTED, exits.UNREADABLE):
        if code in codes:
            return code
    return exits.VERIFIED


def _checks(
    fast: bool, both: bool, memory: int, rules: MakeRules | None
) -> list[tuple[str, Check]]:
    trusted: tuple[str, Check] = ("trusted checker", partial(_trusted, rules, memory))
    if not (fast or both):
        return [trusted]
    from andorra import fast_checker

    program = fast_checker.find()
    if fast:
        return [("fast checker", partial(_fast, program, memory))]
    return [trusted, ("fast checker", partial(_fast_too, program, memory))]


def _run(name: str, check: Check, path: str) -> int | None:
    try:
        code, said = check(path)
    except TooLargeError as error:
        click.echo(f"{path}: {click.style(str(error), fg='yellow', bold=True)} [{name}]")
        return exits.UNREADABLE
    except OSError as error:
        code, said = exits.UNREADABLE, exits.describe(error)
    if code == exits.UNREADABLE:
        exits.print_error(said)
    else:
        word = click.style(_WORDS[code], fg=_COLOURS[code], bold=True)
        click.echo(f"{path}: {word}{said} [{name}]")
    return code


def _trusted(rules: MakeRules | None, memory: int, path: str) -> tuple[int, str]:
    import andorra
    from andorra.memory import backstop

    try:
        game = None if rules is None else rules(_game_of(path, memory))
        with backstop(memory):
            verified = andorra.check(path, game=game, memory=memory)
    except TooLargeError:
        raise
    except (OptionError, RuleError, UnknownGameError) as error:  # the certificate is not to blame
        return exits.UNREADABLE, f"{path}: not checked: {error}"
    except AndorraError as error:
        return exits.REJECTED, f": {error}"
    own = _relative(verified.relative_to) + (" (on its own rules)" if verified.own_rules else "")
    parts = ", ".join(f"{part.question} {part.verdict}" for part in verified.parts)
    length = _length_shown(verified.parts)
    value = "" if verified.value == "-" else f", value {verified.value}"
    said = f"{own}: {verified.game}: {parts}{length}{value}; {verified.entries:,} entries"
    return exits.VERIFIED, said


def _game_of(path: str, memory: int) -> str:
    from andorra.certificate import game_of
    from andorra.memory import limited

    with limited(memory):
        return game_of(path)


def _relative(promises: tuple[str, ...]) -> str:
    """What a user's rules must keep for the result to hold."""
    if not promises:
        return ""
    named = ", ".join(repr(promise) for promise in promises)
    return f" relative to the promise{'s' if len(promises) > 1 else ''} {named}"


def _unknown_game(path: str, memory: int) -> str:
    """What there is to say of a certificate whose game is not built in; empty for all others."""
    from andorra.rulebook import GAMES

    with suppress(CertificateError):  # what is wrong with the file, the checkers shall say
        name = _game_of(path, memory).partition(":")[0]
        if name not in GAMES:
            return f"the game {name!r} is not built in"
    return ""


def _length_shown(parts: tuple[VerifiedPart, ...]) -> str:
    """What two parts say together, if that is how long the win takes, or a score."""
    if len(parts) != 2 or parts[0].verdict != "proven":
        return ""
    reached, better = parts[0].score, parts[1].score
    if reached is not None and better is not None:
        return f", score {reached}" if abs(better - reached) == 1 else ""
    bound = "" if parts[0].within is None else f" within {parts[0].within} plies"
    return f", won{bound} and not within {parts[1].within}"


def _fast_too(program: Path, memory: int, path: str) -> tuple[int | None, str]:
    """The fast checker's opinion beside the trusted one's, if it knows the game."""
    unknown = _unknown_game(path, memory)
    return (None, f": {unknown}") if unknown else _fast(program, memory, path)


def _fast(program: Path, memory: int, path: str) -> tuple[int, str]:
    import subprocess

    from andorra.fast_checker import PROGRAM, TOO_LARGE

    name = f"./{path}" if path.startswith("-") else path
    command = [str(program), "--memory", str(memory), name]
    done = subprocess.run(
        command, capture_output=True, encoding="utf-8", errors="replace", check=False
    )
    said = (done.stdout + done.stderr).strip()
    prefix = f"{TOO_LARGE}  {name}: "
    if done.returncode == exits.UNREADABLE and said.startswith(prefix):
        raise TooLargeError(said.removeprefix(prefix))
    if done.returncode not in _WORDS:
        reason = f"{PROGRAM} ended with code {done.returncode}{said and f': {said}'}"
        return exits.UNREADABLE, f"{path}: not checked: {reason}"
    if done.returncode == exits.REJECTED and (unknown := _unknown_game(path, memory)):
        return exits.UNREADABLE, f"{path}: not checked: {unknown}"
    reason = said.removeprefix(f"{_WORDS[done.returncode]}  {name}: ")
    if done.returncode == exits.UNREADABLE:
        return done.returncode, f"cannot open {path!r}: {reason[:1].lower()}{reason[1:]}"
    return done.returncode, f": {reason}"
