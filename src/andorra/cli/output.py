"""Results in words, for people; programs ask for `--json`."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from andorra.cli.lengths import length_in_words, others_in_words, print_others
from andorra.cli.progress import number
from andorra.cli.scores import is_score, score_in_words, score_question
from andorra.cli.searches import assignments

if TYPE_CHECKING:
    from andorra import Result

Field = tuple[str, str]

_VALUES = {
    "win": "win (the first player wins)",
    "draw": "draw (neither player can force a win)",
    "loss": "loss (the second player wins)",
}
_ENDS = {
    "win": "the first player wins",
    "loss": "the second player wins",
    "draw": "a draw",
    "limit": "no plies are left",
    "decided": "the score is decided",
    "repetition": "and so on for ever",
    "incomplete": "known so far",
}
_COLOURS = {"proven": "green", "disproven": "yellow", "unknown": "red"}


def player(game: str, side: str) -> str:
    """A side in words.

    >>> player("connect4:4x4", "first"), player("nim", "second")
    ('the first player (x)', 'the second player')
    """
    from andorra.rulebook import GAMES

    rules = GAMES.get(game.partition(":")[0])
    label = rules.players[side == "second"] if rules else ""
    return f"the {side} player{label and f' ({label})'}"


def question_in_words(game: str, question: str, prover: str) -> str:
    """A question as one would ask it.

    >>> question_in_words("nim", "win:first<=5", "first")
    'Can the first player force a win within 5 plies?'
    """
    if question == "value":
        return "What is the value of the game, for the first player?"
    if question.startswith("shortest"):
        return f"What is the shortest win of {player(game, prover)}?"
    if scored := score_question(question, player(game, prover)):
        return scored
    within = question.partition("<=")[2]
    bound = f" within {within} plies" if within else ""
    return f"Can {player(game, prover)} force a win{bound}?"


def print_fields(fields: Iterable[Field]) -> None:
    """Print names and texts in two columns, folded to the terminal's width."""
    shown = [field for field in fields if field[1]]
    indent = max((len(name) for name, _ in shown), default=0) + 2
    width = max(shutil.get_terminal_size().columns, 60)
    for name, text in shown:
        folded = textwrap.wrap(text, width - indent, break_on_hyphens=False, break_long_words=False)
        for index, line in enumerate(folded):
            label = f"{'' if index else name:<{indent}}"
            click.echo(click.style(label, dim=True) + line)


def print_result(result: Result) -> None:
    """Print all that a person wants to know of a result."""
    print_fields(result_fields(result))
    print_others(result)


def result_fields(result: Result) -> list[Field]:
    """The lines of a result's printout; those with an empty text are left out."""
    return [
        ("question", question_in_words(result.game, result.question, result.prover)),
        ("verdict", _verdict(result)),
        ("value", _VALUES.get(result.value or "", "")),
        ("score", score_in_words(result, _LIMITS.get(result.limit or "", ""))),
        ("bounds", _bounds(result)),
        ("best move", result.best_move or ""),
        ("length", length_in_words(result, _LIMITS.get(result.limit or "", result.limit or ""))),
        ("line", _line(result)),
        ("left in hand", result.left or ""),
        ("other moves", others_in_words(result)),
        ("search", _effort(result)),
        ("agents", _agents(result)),
        ("memory", _memory(result)),
        ("certificate", _certificate(result)),
    ]


def _verdict(result: Result) -> str:
    several = result.question == "value" or is_score(result.question)
    if several and result.verdict != "unknown":
        return ""
    unknown = result.verdict == "unknown" and result.limit
    reason = f" ({_LIMITS.get(result.limit or '', result.limit)})" if unknown else ""
    unsound = ", but the settings are unsound on this game" if result.unsound else ""
    return click.style(result.verdict, fg=_COLOURS[result.verdict], bold=True) + reason + unsound


def _bounds(result: Result) -> str:
    if result.question == "value" or is_score(result.question):
        return ""
    return f"pn {number(result.pn)}, dn {number(result.dn)}"


_LIMITS = {
    "nodes": "the limit on nodes was reached",
    "seconds": "the limit on seconds was reached",
    "memory": "the limit on memory was reached",
    "interrupted": "interrupted",
    "no progress": "no progress: the search went round in circles",
}


def _line(result: Result) -> str:
    if not result.line:
        return ""
    end = _ENDS.get(result.line_end, result.line_end)
    weak = result.length is not None and len(result.line) < result.length
    return f"{' '.join(result.line)} ({end}{', not against the longest defence' if weak else ''})"


def _effort(result: Result) -> str:
    counts = result.statistics
    times = [_time(counts["nodes"], counts["cpu_seconds"], "of CPU")]
    if counts.get("overheads"):  # several threads: what they gain shows on the wall
        times.append(_time(counts["nodes"], counts["wall_seconds"], "by the clock"))
    settings = "".join(f" {name}={value}" for name, value in result.options.items())
    return (
        f"{result.algorithm}{settings}: {counts['nodes']:,} nodes, "
        f"{counts['expansions']:,} expansions, {counts['moves']:,} moves, "
        f"{'; '.join(times)}"
    )


def _time(nodes: int, seconds: float, of: str) -> str:
    rate = f", {nodes / seconds:,.0f} nodes/s" if seconds >= 0.01 else ""
    return f"{seconds:.2f} s {of}{rate}"


def _agents(result: Result) -> str:
    """How several agents shared the work."""
    counts = result.statistics
    agents = counts.get("agents")
    if not agents:
        return ""
    least, most = (limit(each["nodes"] for each in agents) for limit in (min, max))
    idle, stops, twice = (
        sum(each[name] for each in agents) for name in ("idle", "stops", "duplicated")
    )
    shares = ", ".join(f"{k} {v:.1%}" for k, v in counts["overheads"].items())
    lost = f", {shares} of the time" if shares else ""
    return (
        f"{len(agents)}: {least:,} to {most:,} nodes{lost}, {idle:,} idle turns, "
        f"{twice:,} expansions that another had made, {stops:,} stops by others"
    )


def why_no_certificate(result: Result) -> str:
    """What kept a certificate that was asked for from being written; empty if nothing did."""
    if result.certificate_limit is None:
        return ""
    if result.unsound:
        return f"the settings are unsound{_unsound_settings(result)}"
    if is_not_written(result):
        return result.certificate_limit
    reason = _LIMITS.get(result.certificate_limit, result.certificate_limit)
    return f"{reason} while it was collected"


def is_not_written(result: Result) -> bool:
    """Whether the certificate was found, and there was no place for it."""
    return (result.certificate_limit or "").startswith("cannot write")


def warn_of_certificate(result: Result, place: str = "") -> None:
    """Say on standard error, too, that there is an answer and no place for its certificate."""
    if is_not_written(result):
        click.echo(f"{place and f'{place}: '}no certificate: {result.certificate_limit}", err=True)


def _unsound_settings(result: Result) -> str:
    """The options that the table marks, in brackets."""
    import andorra

    rows = andorra.algorithms()[result.algorithm].options
    marked = {row.name: row.unsafe for row in rows if row.unsafe == result.options.get(row.name)}
    return f" ({assignments(marked)})" if marked else ""


def _certificate(result: Result) -> str:
    if reason := why_no_certificate(result):
        return f"none: {reason}"
    return "" if result.certificate is None else str(result.certificate)


def _memory(result: Result) -> str:
    counts = result.statistics
    if not counts.get("table_entries"):
        return ""
    share = counts["table_used"] / counts["table_entries"]
    collections = counts.get("collections", 0)
    collected = f", {collections:,} garbage collections" if collections else ""
    peak = counts["peak_memory"] / (1 << 20)
    table = f"table of {counts['table_entries']:,} entries, {share:.1%} used{collected}"
    return f"{peak:,.0f} MiB at most; {table}"
