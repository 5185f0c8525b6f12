"""`andorra completion SHELL`: the script that teaches a shell to complete our commands."""

from __future__ import annotations

import click


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(ctx: click.Context, shell: str) -> int:
    """Print the completion script for SHELL.

    \b
    bash: eval "$(andorra completion bash)"       in ~/.bashrc
    zsh:  eval "$(andorra completion zsh)"        in ~/.zshrc
    fish: andorra completion fish | source        in ~/.config/fish/config.fish
    """
    from click.shell_completion import get_completion_class

    from andorra.cli.main import COMPLETION_VARIABLE

    completer = get_completion_class(shell)
    assert completer is not None, f"click completes {shell}"
    root = ctx.find_root().command
    click.echo(completer(root, {}, "andorra", COMPLETION_VARIABLE).source())
    return 0
