"""Random shogi problems through df-pn and pns, against verdicts that are known to be right.

    python tests/fuzz_tsume.py --positions 10000 --seed 1 [--jobs 2] [--seconds 60] [--kind rich]
                               [--rules tsume:muda]

Each random problem (`random_tsume.py`) is asked whether the attacker can mate, whether the defender
can end the checks, and the first now and then within a few plies. What is right, `fixpoint` says
where the whole graph is small. Few graphs are: a king on the run sees millions of positions. Then
a certificate says it, which both checkers verify on the rules alone, whatever search wrote it. Of
some questions with few plies the reference rules' own AND/OR search gives a second opinion. Now and
then the shortest mate is asked for (`tsume_lengths.py` says what is right). The default settings
answer every question, a few other rows and a pair of options in turn. In some problems wasted
interpositions do not count (`tsume:muda`, then the first word of the problem). Failures are shrunk
and saved in `tests/regressions/`, where `test_tsume_search.py` replays them.
Exit code: 0 without failures, 1 with, 2 wrong usage.
"""

from __future__ import annotations

import argparse
import functools
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import andorra
from andorra import certificate
from andorra.rulebook.tsume import Tsume
from examiner import Answer, Examiner, Facts, Failure, Row, Rules, Tally, fast_check, trusted_check
from fuzz import command_line, ending, fuzz, table, watched, write_smallest
from random_tsume import GAME, KINDS, game_and_position, random_problem, shrink, with_rules
from settings import TEAM, pairs, team_settings
from tsume_kit import TooManyPositionsError, mates_within
from tsume_lengths import Known, known_length, wrong_answer, wrong_statement

MEMORY = "32MiB"
ROWS_A_PROBLEM = 5
BOUNDED_EVERY = 2
SHORTEST_EVERY = 23
"""Has no divisor in common with the numbers of kinds and of rules, so that all have their turn."""
CERTIFICATE_EVERY = 5
TRUSTED_EVERY = 4
GRAPH = 2_000
BOUNDED_GRAPH = 20_000
SEARCH = 20_000
BY_REFERENCE = 1_000
ORACLE, CERTIFICATE = "oracle", "certificate"
SHORTEST = "shortest:first"
WITHIN = (1, 3, 5, 7, 2, 4, 9)
MUDA = Tsume("muda")
RULES = {"all": (GAME, *3 * (GAME, MUDA)), "tsume": (GAME,), "tsume:muda": (MUDA,)}
"""Which rules take turns: seven, so that they meet all kinds of problems, questions and rows."""

Setting = tuple[str, dict[str, Any]]
"""An algorithm and its options."""

LARGE = 100
"""How many times the nodes the default settings have."""
DEFAULT: Setting = ("dfpn", {})
VARIANTS: tuple[Setting, ...] = (
    ("dfpn", {"table_entries": 64, "guard": 10_000}),
    ("dfpn", {"table_entries": 1024, "guard": 10_000}),
    ("dfpn", {"dominance": False}),
    ("dfpn", {"dominance": False, "table_entries": 1024, "guard": 10_000}),
    ("dfpn", {"groups": "off"}),
    ("dfpn", {"groups": "largest"}),
    ("dfpn", {"double_count": "off"}),
    ("dfpn", {"double_count": "snda"}),
    ("dfpn", {"double_count": "off", "groups": "off", "initial": "unit", "epsilon": 0}),
    ("dfpn", {"initial": "unit"}),
    ("dfpn", {"initial": "mobility"}),
    ("dfpn", {"backup": "sum"}),
    ("dfpn", {"backup": "weak"}),
    ("dfpn", {"costs": True}),
    ("dfpn", {"ghi": "discard"}),
    ("dfpn", {"ghi": "base-twin"}),
    ("dfpn", {"ghi": "base-twin", "table_entries": 1024, "guard": 10_000}),
    ("dfpn", {"loops": "df-pn(r)"}),
    ("dfpn", {"loops": "rise"}),
    ("dfpn", {"closure": False}),
    ("dfpn", {"rise": 1, "guard": 1_000, "table_entries": 4096}),
    ("dfpn", {"epsilon": 0}),
    ("dfpn", {"simulation": "siblings"}),
    ("alphabeta", {}),
    ("alphabeta", {"table_entries": 1024, "guard": 10_000}),
    ("mcts-solver", {}),
    ("mcpns", {}),
    ("pns", {}),
    ("pns", {"tree_nodes": 1000}),
    ("dfpn", {"threads": 2}),
    ("dfpn", {"threads": 8, "exchange": 1}),
    ("dfpn", {"threads": 4, "table_entries": 1024, "guard": 10_000}),
    ("dfpn", {"threads": 4, "scheduler": "jobs"}),
    ("dfpn", {"threads": 4, "scheduler": "pn-dfpn", "job_nodes": 10}),
    ("dfpn", {"threads": 4, "gc": "replace", "table_entries": 1024, "guard": 10_000}),
    ("dfpn", {"threads": 4, "double_count": "snda", "exchange": 1}),
    ("dfpn", {"threads": 4, "double_count": "snda", "scheduler": "pn-dfpn", "job_nodes": 10}),
    ("dfpn", {"threads": 4, "ghi": "base-twin", "exchange": 1}),
    ("dfpn", {"threads": 4, "ghi": "base-twin", "scheduler": "jobs"}),
    ("dfpn", {"agents": 8, "exchange": 1}),
    ("dfpn", {"agents": 64, "scheduler": "jobs"}),
)


def row_of(text: str, setting: Setting, small: bool = True) -> Row:
    """The row for a setting, which asks about the problem `text`."""
    cap = SEARCH if small else LARGE * SEARCH

    def solve(_: Rules, question: str, proof: Path | None) -> Answer:
        return ask(text, question, setting, cap, proof)

    return Row(name_of(setting), solve, small, certificates=True)


def name_of(setting: Setting) -> str:
    """The algorithm and its options."""
    algorithm, options = setting
    return " ".join([algorithm, *(f"{name}={value}" for name, value in options.items())])


def ask(
    text: str, question: str, setting: Setting, nodes: int, proof: Path | None = None
) -> andorra.Result:
    """Solve a problem with a limit of nodes."""
    algorithm, options = setting
    limits: dict[str, Any] = {"memory": MEMORY, "nodes": nodes}
    game, position = game_and_position(text)
    return andorra.solve(
        game, position, question, algorithm, certificate=proof, **limits, **options
    )


def every_row(text: str) -> list[Row]:
    """The default settings, the variants, and each pair of options."""
    others = [*VARIANTS, *pair_settings()]
    return [row_of(text, DEFAULT, small=False), *(row_of(text, setting) for setting in others)]


@functools.cache
def pair_settings() -> tuple[Setting, ...]:
    """Every pair of options, with a table that is too small for many problems."""
    small = {"table_entries": 4096, "guard": 10_000}
    both = (*pairs("dfpn", ("table_entries", "guard", *TEAM)), *team_settings("dfpn"))
    return tuple(("dfpn", small | pair) for pair in both)


def rows_of(text: str, seed: int) -> list[Row]:
    """A few rows, others with every problem, so that all have their turn."""
    turn = ROWS_A_PROBLEM * seed
    some = [VARIANTS[(turn + i) % len(VARIANTS)] for i in range(ROWS_A_PROBLEM)]
    pair = pair_settings()[seed % len(pair_settings())]
    rows = [row_of(text, setting) for setting in (*some, pair)]
    return [row_of(text, DEFAULT, small=False), *rows]


def questions(seed: int) -> Iterator[str]:
    """Name the questions that the problem of a seed is asked."""
    yield "win:first"
    if seed % BOUNDED_EVERY == 0:
        yield f"win:first<={WITHIN[seed // BOUNDED_EVERY % len(WITHIN)]}"
    elif seed % 4 == 1:
        yield "win:second"
    elif seed % 16 == 3:
        yield f"win:second<={seed // 16 % 5 + 1}"
    if seed % SHORTEST_EVERY == 0:
        yield SHORTEST


class Problems(Examiner):
    """Puts problems through rows."""

    def examine(self, text: str, question: str, rows: Iterable[Row], certified: str = "") -> None:
        """Compare rows with what is right, as far as anybody knows."""
        if question == SHORTEST:
            self._examine_lengths(text, rows, certified)
            return
        expected = self.verdict(text, question)
        if expected is None:
            return
        game, _ = game_and_position(text)
        facts = Facts(cyclic="<=" not in question, tree_size=None)
        for row in rows:
            task = Failure(text, question, row.name, row.name == certified, expected, "")
            self._note(task, self._run(row, game, facts, task))

    def verdict(self, text: str, question: str) -> str | None:
        """What is right: by the whole graph, by a certificate, or else by one search's word."""
        task = Failure(text, question, ORACLE, True, "a verdict that can be verified", "")
        nodes = BOUNDED_GRAPH if "<=" in question else GRAPH
        answer, how = ask(text, question, ("fixpoint", {}), nodes), "graph"
        for setting in (DEFAULT, ("dfpn", {"dominance": False})):
            if how not in (CERTIFICATE, "graph") or answer.verdict == "unknown":
                answer, how = self._certified(task, setting)
        self._note(task, differs_from_reference(text, question, answer.verdict))
        for what in (f"{ORACLE}: {how}", f"question: {question}"):
            self.tally.counts[what, "<=" not in question, answer.verdict] += 1
        return None if answer.verdict == "unknown" else answer.verdict

    def _examine_lengths(self, text: str, rows: Iterable[Row], certified: str) -> None:
        known = known_length(lambda plies: self._verdict_within(text, plies))
        outcome = "proven" if known.exact else "unknown: no length"
        self.tally.counts[f"question: {SHORTEST}", True, outcome] += 1
        for row in rows:
            task = Failure(text, SHORTEST, row.name, row.name == certified, str(known), "")
            self._note(task, self._wrong_length(row, task, known))

    def _verdict_within(self, text: str, plies: int) -> str:
        """By the whole graph; the reference rules may object."""
        question = f"win:first<={plies}"
        verdict = ask(text, question, ("fixpoint", {}), BOUNDED_GRAPH).verdict
        task = Failure(text, SHORTEST, ORACLE, False, "a verdict that can be verified", "")
        self._note(task, differs_from_reference(text, question, verdict))
        return verdict

    def _wrong_length(self, row: Row, task: Failure, known: Known) -> str | None:
        game, _ = game_and_position(task.text)
        path = self.folder / "length.andorra" if task.certificate else None
        try:
            answer = cast(andorra.Result, row.solve(game, task.question, path))
        except Exception as error:
            return f"raised {type(error).__name__}: {error}"
        found = "unknown: no length" if answer.verdict == "proven" and answer.limit else None
        self.tally.counts[row.name, True, found or answer.verdict] += 1
        gave_up = row.small or answer.statistics["nodes"] >= LARGE * SEARCH
        wrong = wrong_answer(game, answer, known, gave_up)
        return wrong or self._wrong_proof(path, answer, known)

    def _wrong_proof(self, path: Path | None, answer: andorra.Result, known: Known) -> str | None:
        if path is None or answer.verdict == "unknown":
            return None
        if not path.exists():
            return None if answer.certificate_limit else "no certificate was written"
        self.tally.certificates += 1
        wrong = wrong_statement(path, answer, known) or fast_check([path])
        path.unlink()
        return wrong

    def _certified(self, task: Failure, setting: Setting) -> tuple[andorra.Result, str]:
        """A search's answer, and what speaks for it."""
        path = self.folder / "oracle.andorra"
        answer = ask(task.text, task.question, setting, SEARCH, path)
        how = CERTIFICATE if path.exists() else f"a search, limit: {answer.certificate_limit}"
        self._note(task, self._verified(path, answer))
        path.unlink(missing_ok=True)
        return answer, how

    def _verified(self, path: Path, answer: andorra.Result) -> str | None:
        if answer.verdict == "unknown":
            return None
        if not path.exists():
            return (
                None
                if answer.certificate_limit == "nodes"
                else f"no certificate: {answer.certificate_limit}"
            )
        self.tally.certificates += 1
        trusted = self.tally.certificates % TRUSTED_EVERY == 0
        wrong = trusted_check(path, answer.question, answer.verdict) if trusted else None
        return wrong or other_statement(path, answer) or fast_check([path])

    def _note(self, task: Failure, happened: str | None) -> None:
        if happened is not None:
            self.tally.failures.append(replace(task, happened=happened))


def other_statement(path: Path, answer: andorra.Result) -> str | None:
    """What a certificate says, if that is not the answer."""
    said = certificate.read(path)
    (part,) = said.parts
    shown = (said.game, said.position, part.question, part.verdict)
    asked = (answer.game, answer.position, answer.question, answer.verdict)
    return None if shown == asked else f"the certificate shows {shown}"


def differs_from_reference(text: str, question: str, verdict: str) -> str | None:
    """What the reference rules say of a mate in few plies, if they say something else."""
    prover, _, plies = question.partition("<=")
    if prover != "win:first" or not plies or verdict == "unknown":
        return None
    try:
        game, position = game_and_position(text)
        mates = mates_within(game.parse(position), int(plies), BY_REFERENCE, game)
    except TooManyPositionsError:
        return None
    return None if mates == (verdict == "proven") else f"{verdict}, but trying every move: {mates}"


def examine_seeds(kinds: Sequence[str], seeds: range, rules: str = "all") -> Tally:
    """Put the problems of some seeds through their rows, each row in turn with certificates."""
    with tempfile.TemporaryDirectory(prefix="andorra-fuzz-") as folder:
        examiner = Problems(Path(folder))
        for seed in seeds:
            game = RULES[rules][seed % len(RULES[rules])]
            text = with_rules(game, random_problem(seed, kinds[seed % len(kinds)]))
            rows = rows_of(text, seed)
            turn, rest = divmod(seed, CERTIFICATE_EVERY)
            certified = rows[turn % len(rows)].name if rest == 0 else ""
            with watched(seed):
                for question in questions(seed):
                    examiner.examine(text, question, rows, certified)
            examiner.tally.graphs += 1
        return examiner.finish()


def examine_text(text: str, question: str, rows: Sequence[Row], certified: str) -> list[Failure]:
    """Put one problem through rows, both checkers included."""
    with tempfile.TemporaryDirectory(prefix="andorra-fuzz-") as folder:
        examiner = Problems(Path(folder))
        examiner.examine(text, question, rows, certified)
        return examiner.finish().failures


def replay(path: Path) -> list[Failure]:
    """Put a saved problem through the variants and the row that failed, with certificates."""
    *said, text = path.read_text(encoding="utf-8").splitlines()
    asked = [line.split()[-1] for line in said if line.startswith("# question:")]
    rows = every_row(text)
    failed = [
        row for row in rows if any(line.startswith(f"# row:      {row.name}") for line in said)
    ]
    failures: list[Failure] = []
    for question in dict.fromkeys(["win:first", "win:second", *asked]):
        for row in {row.name: row for row in (*rows[: 1 + len(VARIANTS)], *failed)}.values():
            failures += examine_text(text, question, [row], row.name)
    return failures


def save(failure: Failure, folder: Path) -> Path:
    """Shrink a failure and write it to a file named after the row and the problem."""

    def failures(text: str) -> list[Failure]:
        rows = [row for row in every_row(text) if row.name == failure.row]
        certified = failure.row if failure.certificate else ""
        found = examine_text(text, failure.question, rows, certified)
        return [each for each in found if each.row == failure.row]

    return write_smallest(failure, failures, shrink, folder / "any.sfen")


def summary(tally: Tally) -> str:
    """The table of rows, all pairs of options in one, and the share of problems with a mate."""
    shown = Tally(graphs=tally.graphs, certificates=tally.certificates)
    names = {name_of(setting) for setting in pair_settings()}
    for (row, cyclic, verdict), count in sorted(tally.counts.items()):
        shown.counts["dfpn, a pair of options" if row in names else row, cyclic, verdict] += count
    said = {v: n for (row, _, v), n in tally.counts.items() if row == "question: win:first"}
    share = said.get("proven", 0) / max(1, sum(said.values()))
    counts = f"{tally.graphs} problems, {share:.0%} with a mate, {tally.certificates} certificates"
    return f"{table(shown)}\n{counts}"


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = command_line("random shogi problems against an oracle", "positions", 10_000)
    parser.add_argument("--kind", choices=("all", *KINDS), default="all", help="which problems")
    parser.add_argument("--rules", choices=RULES, default="all", help="which rules")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Fuzz, print what came out, save failures."""
    asked = arguments(argv)
    seeds = range(asked.seed, asked.seed + asked.positions)
    kinds = KINDS if asked.kind == "all" else (asked.kind,)
    work = functools.partial(examine_seeds, kinds, rules=asked.rules)
    tally = fuzz(seeds, work, asked.jobs, asked.seconds)
    print(f"{summary(tally)}, seeds from {asked.seed}")
    return ending(tally, functools.partial(save, folder=asked.save))


if __name__ == "__main__":
    sys.exit(main())
