"""The command `andorra`: finds the subcommand, and turns every ending into an exit code.

Subcommands return their exit code. Modules are imported when their command is asked for, and they
import what is slow (the core, rich) only where it is used: a shell completion or `--help` must feel
instant.
"""

from __future__ import annotations

import difflib
import importlib
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import click

from andorra.cli import exits, interrupts, streams
from andorra.cli.program import lacks_memory
from andorra.errors import AndorraError, OptionError, OutputError

COMPLETION_VARIABLE = "_ANDORRA_COMPLETE"
_COMMANDS = (
    "solve",
    "check",
    "show",
    "draw",
    "compare",
    "study",
    "view",
    "games",
    "algorithms",
    "usi",
    "completion",
)


class LazyGroup(click.Group):
    """A group whose commands live in modules of the same name, imported on demand."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All subcommands, in the order of a user's first day."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command `command` of the module `andorra.cli.NAME`."""
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"andorra.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that `args` start with; for an unknown one, the nearest is named."""
        if args[0] not in _COMMANDS and not args[0].startswith("-"):
            nearest = difflib.get_close_matches(args[0], _COMMANDS, n=1)
            hint = f"; did you mean {nearest[0]!r}?" if nearest else ""
            ctx.fail(f"there is no command {args[0]!r}{hint}\nexpected: {', '.join(_COMMANDS)}")
        return super().resolve_command(ctx, args)


def _print_version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        from andorra import __version__

        click.echo(f"andorra {__version__}")
        ctx.exit()


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_print_version,
    help="Show the version and exit.",
)
def andorra() -> None:
    """Can this side force that? Ask, see why, and have the answer checked.

    \b
    andorra solve connect4:4x4 --value --certificate draw.andorra
    andorra check draw.andorra
    andorra show draw.andorra
    """


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the return value is the exit code."""
    with interrupts.handled(), streams.guarded() as output:
        code = _code(partial(_run, arguments), output.check)
        if code not in (exits.NO_OUTPUT, exits.CLOSED_PIPE):
            known = code  # also if somebody was content with a failure of the output
            code = _code(lambda: known, output.check)
        interrupts.settle()
        return code


def _code(run: Callable[[], int], check_output: Callable[[], None]) -> int:
    """The exit code of what is run, unless the output has failed before."""
    try:
        check_output()
        return run()
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return exits.USAGE
    except click.UsageError as error:
        exits.print_error(error.format_message(), usage=_usage(error))
        return exits.USAGE
    except OptionError as error:
        exits.print_error(str(error))
        return exits.USAGE
    except BrokenPipeError:  # whoever read our output has enough
        return exits.CLOSED_PIPE
    except OutputError as error:
        exits.print_error(str(error))
        return exits.NO_OUTPUT
    except (AndorraError, OSError, click.ClickException) as error:
        exits.print_error(exits.describe(error))
        return exits.BAD_INPUT
    except MemoryError:
        exits.print_error("this needs more memory than the system gives to this process")
        return exits.BAD_INPUT
    except (KeyboardInterrupt, click.Abort):
        exits.print_error("interrupted")
        return exits.INTERRUPTED
    except Exception as error:
        if isinstance(error, ImportError) and lacks_memory(error):
            raise MemoryError from None  # nothing large can be done about it here
        return _report_bug()
    except SystemExit:
        exits.print_error("the rules tried to end the program; expected an answer or an exception")
        return exits.BAD_INPUT
    except BaseException:  # of a kind that nothing but a user's rules could raise
        return _report_bug()


def _run(arguments: Sequence[str] | None) -> int:
    """What click's own `main` does, but for its exit code 1, our "disproven", on a closed pipe."""
    asked = os.environ.get(COMPLETION_VARIABLE)
    if asked:
        from click.shell_completion import shell_complete

        return shell_complete(andorra, {}, "andorra", COMPLETION_VARIABLE, asked)
    try:
        args = list(sys.argv[1:] if arguments is None else arguments)
        with andorra.make_context("andorra", args) as context:
            code: Any = andorra.invoke(context)
    except click.exceptions.Exit as ending:
        code = ending.exit_code
    sys.stdout.flush()
    return code if isinstance(code, int) else 0


def _usage(error: click.UsageError) -> str | None:
    if error.ctx is None:
        return None
    usage = error.ctx.get_usage().replace("Usage:", "usage:", 1)
    return f"{usage}\nsee '{error.ctx.command_path} --help'"


def _report_bug() -> int:
    import traceback

    traceback.print_exc()
    exits.print_error("this is a bug in Andorra; please report it with the lines above")
    return exits.BUG
