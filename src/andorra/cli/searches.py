"""The options with which commands are told how to search, and what they stand for in the API."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from andorra.cli.completions import AlgorithmName, Assignment
from andorra.errors import OptionError

Command = TypeVar("Command", bound=Callable[..., Any])

LIMITS = ("nodes", "question", "seconds")
"""What is the same for all settings of a search, and no option of an algorithm."""
_OWN_OPTIONS = ("algorithm", "memory", *LIMITS)
_OTHER_KEYWORDS = (
    "certificate", "cross", "game", "jobs", "on_interrupt", "others", "others_nodes", "position",
    "positions", "progress", "settings", "steps", "stop", "table", "vary",
)  # fmt: skip
"""Keywords of the API that are no options of an algorithm, and must not be set like one."""

_OPTIONS = (
    click.option("--question", metavar="Q", help="win, win:first, win:first<=9, score>=3, …"),
    click.option("--value", is_flag=True, help="Ask all questions that the game's value needs."),
    click.option("--algorithm", type=AlgorithmName(), default="dfpn", show_default=True),
    click.option(
        "-o",
        "--option",
        "settings",
        type=Assignment(),
        metavar="NAME=VALUE",
        multiple=True,
        help="Set an option of the algorithm (see 'andorra algorithms'); repeatable.",
    ),
    click.option("--memory", metavar="SIZE", help="The most memory to use: 512MiB, 2GiB, …"),
    click.option("--nodes", metavar="N", type=int, help="The most nodes to visit, a question."),
    click.option("--seconds", metavar="S", type=float, help="The longest time, a question."),
)


def search_options(command: Command) -> Command:
    """Give a command the options of a search."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def search_arguments(
    question: str | None, value: bool, settings: tuple[str, ...], **limits: Any
) -> dict[str, Any]:
    """The keyword arguments of `andorra.solve` that the options stand for."""
    if value and question is not None:
        raise click.UsageError(f"--value asks its own questions; leave out --question {question}")
    return {"question": "value" if value else question} | limits | _settings(settings)


def assignments(values: Mapping[str, str]) -> str:
    """Options as one would write them.

    >>> assignments({"rise": "7", "gc": "both"})
    'rise=7 gc=both'
    """
    return " ".join(f"{name}={value}" for name, value in values.items())


def assignment(text: str, what: str, expected: str = "NAME=VALUE") -> tuple[str, str]:
    """The name and the value of `text`; an error calls it `what`.

    >>> assignment("gc_fraction=0.5", "the option")
    ('gc_fraction', '0.5')
    """
    name, equals, value = text.partition("=")
    if not (equals and name.isidentifier()):
        raise OptionError(f"cannot read {what} {text!r}: expected {expected}")
    return name, value


def _settings(texts: tuple[str, ...]) -> dict[str, str]:
    """All options; the same one twice is an error, because one of the values would not count."""
    values: dict[str, str] = {}
    for name, value in map(_setting, texts):
        if name in values:
            both = f"{name}={values[name]} and {name}={value}"
            raise OptionError(f"the option {name!r} is set twice, {both}: choose one")
        values[name] = value
    return values


def _setting(text: str) -> tuple[str, str]:
    name, value = assignment(text, "the option")
    if name in _OWN_OPTIONS:
        raise OptionError(f"{name!r} is not set by --option {text}, but by --{name} {value}")
    if name in _OTHER_KEYWORDS:
        raise OptionError(f"there is no option {name!r}; see 'andorra algorithms'")
    return name, value
