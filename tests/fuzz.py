"""Random graphs through everything, against the oracle.

    python tests/fuzz.py --graphs 100000 --seed 1 [--jobs 2] [--seconds 60] [--algorithm dfpn]
    python tests/fuzz.py --graphs 1000000 --algorithm pairs
    python tests/fuzz.py --graphs 100000 --algorithm teams
    python tests/fuzz.py --graphs 100000 --algorithm relatives

Each random graph (`random_graphs.py`) is asked whether the first player can force a win, whether
the second can, and now and then the same within a few plies, or for a score. Every row of `ROWS`
answers, and `examiner.py` compares; for a sample the certificate is asked for as well, and both
checkers must accept it. The first failures found are shrunk to small graphs and saved in
`tests/regressions/`, where `test_fuzz.py` replays them for ever. A search that does not end is one,
too: its graph is named, with the stacks of all threads. Exit code: 0 without failures, 1 with, 2
wrong usage.
"""

from __future__ import annotations

import argparse
import faulthandler
import functools
import hashlib
import itertools
import os
import random
import sys
import tempfile
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import andorra
from andorra.reference import dfpn, pns
from andorra.rulebook import make
from examiner import Answer, Examiner, Failure, Row, Rules, Tally, examine_text, is_bounded
from random_graphs import Graph, random_cyclic_graph, random_graph, shrink, with_scores
from settings import IN_TREES, TEAM, conflict, pairs, relatives, singles

REGRESSIONS = Path(__file__).with_name("regressions")
CHUNK = 50
BOUNDED_EVERY = 4
SCORED_EVERY = 3
CERTIFICATE_EVERY = 5
LARGE_EVERY = 29
"""How often a team's graph is large; no divisor of their rows, so that all of them see some."""
MEMORY = "32MiB"
SHRINK_SECONDS = 120
HANG_SECONDS = 300.0
"""Ten thousand times what a graph takes."""
ROWS_A_GRAPH = 4
"""Algorithms on one graph in memory, with the same forms."""
SIDES = ("win:first", "win:second")

Work = Callable[[range], Tally]
Shrink = Callable[[str, Callable[[str], bool]], str]


def core(
    algorithm: str,
    small: bool = False,
    ample: bool = False,
    tree: int | None = None,
    hints: bool = False,
    **options: Any,
) -> Row:
    """Make the row for an algorithm of the public API, named by its options."""

    def solve(game: Rules, question: str, certificate: Path | None) -> Answer:
        asked: dict[str, Any] = {"question": question, "certificate": certificate}
        game = hinted(game) if hints else game
        return andorra.solve(game, algorithm=algorithm, memory=MEMORY, **asked, **options)

    shown = [f"{name}={value}" for name, value in options.items() if name != "nodes"]
    name = " ".join([algorithm, *shown])
    lines = "form" in options and options["form"] != "base-twin"
    return Row(name, solve, small, tree, lines=lines, certificates=True, ample=ample)


def merged(**options: Any) -> Row:
    """Make the row for pns with form=merge; with base-twin where positions repeat.

    There, `merge` is refused, as `test_pns_forms.py` shows.
    """
    merge, twins = (core("pns", **options, form=form) for form in ("merge", "base-twin"))

    def solve(game: Rules, question: str, certificate: Path | None) -> Answer:
        row = merge if _acyclic(game, question) else twins
        return row.solve(game, question, certificate)

    return replace(twins, name=merge.name, solve=solve)


# Double counting makes df-pn wander where there are many lines, until its thresholds rise.
AMPLE: dict[str, Any] = {"nodes": 20_000_000, "guard": 300_000, "table_entries": 8192}
TREE = 20_000
IN_GRAPH: dict[str, Any] = {"nodes": 50_000, "tree_nodes": TREE}
SHORT: dict[str, Any] = {"nodes": 20_000, "small": True}
LITTLE: dict[str, Any] = {**SHORT, "guard": 10_000, "table_entries": 64}
ROOMY: dict[str, Any] = {"nodes": 10_000_000, "table_entries": 4096, "ample": True}


def reference_pns(game: Rules, question: str, _: Path | None) -> Answer:
    """Ask for 500 expansions where each line has nodes of its own, and enough elsewhere."""
    game = reachable(game)
    return pns.solve(game, None, question, 10_000 if _acyclic(game, question) else 500)


def reference_dfpn(game: Rules, question: str, _: Path | None) -> Answer:
    """Ask for 5,000 visits where positions repeat, and enough elsewhere."""
    game = reachable(game)
    return dfpn.solve(game, None, question, 200_000 if _acyclic(game, question) else 5_000, 500)


def reachable(game: Rules) -> Rules:
    """The graph without nodes that cannot be reached: cycles there make searches careful."""
    return make("graph", Graph.parse(game.data() or "").reachable().text())


def _acyclic(game: Rules, question: str) -> bool:
    return game.acyclic or is_bounded(question)


REFERENCE = (
    Row("reference pns", reference_pns, lines=True),
    Row("reference dfpn", reference_dfpn, lines=True),
)
CORE = (
    core("fixpoint"),
    core("fixpoint", proof="small"),
    core("dfpn", **AMPLE),
    core("dfpn", **SHORT, guard=1_000, table_entries=1024),
    core("dfpn", **SHORT, guard=1_000, table_entries=1024, rise=1),
    core("dfpn", **SHORT, guard=10_000, table_entries=64),
    core("dfpn", **SHORT, guard=10_000, table_entries=64, initial="dfpn"),
    core("dfpn", **SHORT, guard=10_000, table_entries=64, gc_fraction=0.05),
    core("dfpn", **SHORT, guard=10_000, table_entries=64, gc_fraction=0.95),
    core("alphabeta", **ROOMY),
    core("dfpn", **SHORT, guard=10_000, table_entries=64, proof="short"),
    core("pns", **IN_GRAPH),
    core("pns", **IN_GRAPH, early_stop="allis", least_proving="off"),
    core("pns", **IN_GRAPH, early_stop="off", delete_solved=False),
    core("pns", **IN_GRAPH, tree=TREE, form="tree"),
    core("pns", **IN_GRAPH, form="dag"),
    merged(**IN_GRAPH),
    core("mcts-solver", **SHORT, tree_nodes=64),
    core("mcpns", **SHORT, tree_nodes=64),
    core("pns", **SHORT, tree_nodes=64),
    core("pns", **SHORT, tree_nodes=64, least_proving="ratio", table_entries=64),
    core("pns", **SHORT, tree_nodes=64, form="tree"),
    core("pns", **SHORT, tree_nodes=64, form="dag"),
    core("pns", **SHORT, tree_nodes=64, early_stop="allis", delete_solved=False),
)
ROWS = REFERENCE + CORE


def hinted(game: Rules) -> Rules:
    """The graph with guesses, costs and groups that follow from its text."""
    return _hinted(game.data() or "")


@functools.lru_cache(maxsize=1)
def _hinted(text: str) -> Rules:
    graph = Graph.parse(text)
    rng = random.Random(zlib.crc32(graph.text().encode()))
    lines = []
    for name, (_, *successors) in graph.nodes.items():
        if successors and rng.random() < 0.5:
            lines.append(f"guess {name} {rng.randint(1, 9)} {rng.randint(1, 9)}")
        if successors and rng.random() < 0.3:
            lines.append(f"cost {name} {successors[0]} {rng.randint(0, 4)} {rng.randint(0, 4)}")
        if len(successors) > 2 and rng.random() < 0.5:
            lines.append(f"alike {name} {' '.join(successors[1:])}")
    return make("graph", graph.text() + "\n".join(lines))


@functools.cache
def pair_rows() -> tuple[Row, ...]:
    """Every compatible pair of sound options, each with little room and with ample room."""
    return (*dfpn_pairs(), *pns_pairs())


def dfpn_pairs() -> Iterator[Row]:
    """Those of df-pn. With 64 cells a search may give up; with 4,096 only without closure."""
    without = ("table_entries", "guard", *TEAM)
    settings: list[dict[str, Any]] = [*singles("dfpn", without), *pairs("dfpn", without)]
    for setting in settings:
        answers = "closure" not in setting
        for room in (LITTLE, ROOMY | {"ample": answers}):
            yield core("dfpn", **room, hints=True, **setting)


def pns_pairs() -> Iterator[Row]:
    """Those of pns, in a graph of 64 nodes and in a large one."""
    without = ("table_entries", "tree_nodes", *TEAM)
    settings: list[dict[str, Any]] = [*singles("pns", without), *pairs("pns", without)]
    for setting in settings:
        for room in ({**SHORT, "tree_nodes": 64}, IN_GRAPH):
            yield core("pns", **room, **setting)


TEAMS: tuple[dict[str, Any], ...] = (
    *({"threads": threads} for threads in (2, 4, 8)),
    *({"agents": agents, "seed": agents % 7} for agents in (1, 2, 8, 64)),
)


@functools.cache
def team_rows() -> tuple[Row, ...]:
    """Every scheduler with every team, and every option with some team of every scheduler."""
    return (*dfpn_teams(), *dfpn_team_options(), *pns_teams())


KINDS = ("threads", "agents")
SCHEDULERS: tuple[dict[str, Any], ...] = (
    {"scheduler": "virtual"},
    {"scheduler": "virtual", "exchange": 1},
    {"scheduler": "jobs"},
    {"scheduler": "pn-dfpn"},
    {"scheduler": "pn-dfpn", "job_nodes": 3},
)
"""Small graphs are solved before numbers are exchanged; with small jobs they have trees."""


def dfpn_teams() -> Iterator[Row]:
    """Those of df-pn, with little room and with ample room."""
    for scheduler, team, room in itertools.product(SCHEDULERS, TEAMS, (LITTLE, ROOMY)):
        yield core("dfpn", **room | may_run_out(scheduler | team), **scheduler, **team)


def dfpn_team_options() -> Iterator[Row]:
    """Each option of df-pn with threads and with agents of every scheduler, in either room.

    Without closure all of a team may go round in circles; then they give up before `nodes` ends.
    """
    settings: list[dict[str, Any]] = [*singles("dfpn", ("table_entries", "guard", *TEAM))]
    crowds = [itertools.cycle([t for t in TEAMS if t.get(kind, 1) > 1]) for kind in KINDS]
    for number, setting in enumerate(settings):
        ample = ROOMY | ({"ample": False, "guard": 300_000} if "closure" in setting else {})
        rooms = itertools.cycle((LITTLE, ample) if number % 2 else (ample, LITTLE))
        for scheduler, crowd in itertools.product(SCHEDULERS, crowds):
            team, room = scheduler | next(crowd), next(rooms)
            if not conflict(setting | team):
                yield core("dfpn", **room | may_run_out(team), hints=True, **setting, **team)


def may_run_out(setting: dict[str, Any]) -> dict[str, Any]:
    """A tree of lines, and the lines of many agents, can be too large for the memory."""
    tree = setting.get("scheduler") == "pn-dfpn"
    return {"small": True, "ample": False} if tree or setting.get("agents", 0) > 8 else {}


def pns_teams() -> Iterator[Row]:
    """Those of pns; where positions repeat, each line has nodes of its own."""
    for form, team in itertools.product(("tree", "dag"), TEAMS):
        yield core("pns", **SHORT, tree_nodes=64, form=form, **team)
        yield core("pns", **IN_GRAPH, tree=TREE, form=form, **team)


WITHOUT_ROOM = ("table_entries", "tree_nodes", "guard")


@functools.cache
def relative_rows() -> tuple[Row, ...]:
    """Every other algorithm with its defaults and with every option, in little and ample room."""
    return tuple(row for name in relatives() for row in rows_of_relative(name))


def rows_of_relative(algorithm: str) -> Iterator[Row]:
    """Those of one. Depth first, only a table that never forgets must lead to an answer."""
    options = {option.name for option in andorra.algorithms()[algorithm].options}
    best_first = "tree_nodes" in options
    little = {**SHORT, "tree_nodes": 64} if best_first else LITTLE
    roomy = IN_GRAPH if best_first else ROOMY
    if algorithm in IN_TREES:
        roomy = roomy | {"tree": TREE}
    settings: list[dict[str, Any]] = [{}, *singles(algorithm, WITHOUT_ROOM)]
    for setting in settings:
        unsure = not best_first and "closure" in setting
        for room in (little, roomy | ({"ample": False} if unsure else {})):
            yield core(algorithm, **room | setting)


FAMILIES = {"pairs": pair_rows, "teams": team_rows, "relatives": relative_rows}
"""Of rows that are too many for all to see every graph."""


def rows_of(seed: int, every: Sequence[Row]) -> tuple[str, list[Row], str]:
    """The question, a few of the rows, and which of them is to write a certificate, if any.

    All rows have their turn with both questions, and so have all their certificates.
    """
    turn, rest = divmod(ROWS_A_GRAPH * seed, len(every))
    rows = [every[(rest + i) % len(every)] for i in range(ROWS_A_GRAPH)]
    if seed % CERTIFICATE_EVERY != 0:
        return SIDES[turn % 2], rows, ""
    turn, rest = divmod(seed // CERTIFICATE_EVERY, len(every))
    certified = every[rest]
    return SIDES[turn % 2], [certified, *rows[1:]], certified.name


def select(algorithm: str, rows: Sequence[Row] = ROWS) -> list[Row]:
    """Pick rows by "all", "reference", "core", a family's, algorithm's or row's name."""
    if algorithm == "all":
        return list(rows)
    if algorithm in FAMILIES:
        return list(FAMILIES[algorithm]())
    if algorithm == "core":
        return [row for row in rows if row.certificates]
    return [row for row in rows if row.name == algorithm or row.name.split()[0] == algorithm]


def questions(seed: int) -> Iterator[str]:
    """Name the questions that the graph of a seed is asked."""
    yield from SIDES
    if seed % BOUNDED_EVERY == 0:
        yield f"win:{('first', 'second')[seed // BOUNDED_EVERY % 2]}<={seed // 8 % 13}"
    if seed % SCORED_EVERY == 0:
        yield f"score{('>=', '<=')[seed // SCORED_EVERY % 2]}{seed // 6 % 11 - 5}"


def graph_for(seed: int, question: str) -> str:
    """The graph of a seed, with scores where one is asked for."""
    text = random_graph(seed).text
    return with_scores(text, seed) if question.startswith("score") else text


@contextmanager
def watched(seed: int) -> Iterator[None]:
    """End the process, and say where, if the graph or problem of a seed takes for ever."""
    timer = threading.Timer(HANG_SECONDS, _give_up, [seed])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _give_up(seed: int) -> None:
    print(f"seed {seed}: no end after {HANG_SECONDS:g} s", file=sys.stderr, flush=True)
    faulthandler.dump_traceback()
    os._exit(1)


def examine_seeds(seeds: range, rows: Sequence[Row]) -> Tally:
    """Put the graphs of some seeds through rows, each row in turn with certificates."""
    certifying = [row.name for row in rows if row.certificates]
    with tempfile.TemporaryDirectory(prefix="andorra-fuzz-") as folder:
        examiner = Examiner(Path(folder))
        for seed in seeds:
            turn, rest = divmod(seed, CERTIFICATE_EVERY)
            sampled = certifying and rest == 0
            certified = certifying[turn % len(certifying)] if sampled else ""
            with watched(seed):
                for question in questions(seed):
                    examiner.examine(graph_for(seed, question), question, rows, certified)
            examiner.tally.graphs += 1
        return examiner.finish()


def examine_family(seeds: range, family: str) -> Tally:
    """Put graphs with cycles through a few rows of a family each, all of them in turn."""
    with tempfile.TemporaryDirectory(prefix="andorra-fuzz-") as folder:
        examiner = Examiner(Path(folder))
        for seed in seeds:
            question, rows, certified = rows_of(seed, FAMILIES[family]())
            with watched(seed):
                examiner.examine(graph_of(seed, family), question, rows, certified)
            examiner.tally.graphs += 1
        return examiner.finish()


def graph_of(seed: int, family: str) -> str:
    """A graph with cycles; now and then one that teams have to search together."""
    large = family == "teams" and seed % LARGE_EVERY == 0
    return layered_graph(seed) if large else random_cyclic_graph(seed).text


def layered_graph(seed: int, layers: int = 16, width: int = 40) -> str:
    """A graph that takes thousands of visits: a small one is solved before a second thread starts.

    Sides go by turns through layers, and now and then back.
    """
    rng = random.Random(seed)
    won = rng.choice((0.4, 0.5, 0.6))
    lines = []
    for node in range(last := layers * width + 1):
        layer = (node + width - 1) // width
        below = range(layer * width + 1, last)[:width]
        back = [rng.randrange(node + 1)] if node and rng.random() < 0.25 else []
        moves = sorted({*rng.sample(below, 2), *back}) if below else []
        end = "win" if rng.random() < won else "loss"
        words = [("or", "and")[layer % 2] if moves else end, *(f"n{move}" for move in moves)]
        lines.append(f"n{node}: {' '.join(words)}")
    return "\n".join(lines) + "\n"


def replay(path: Path, rows: Sequence[Row] = ROWS) -> list[Failure]:
    """Put a saved graph through every row, with and without certificates, and through its own."""
    text = path.read_text(encoding="utf-8")
    every = (row for family in FAMILIES.values() for row in family())
    rows = (*rows, *{row.name: row for row in every if row.name == own_row(text)}.values())
    asked = [*SIDES]
    asked += [line.split()[-1] for line in text.splitlines() if line.startswith("# question:")]
    certifying = [row.name for row in rows if row.certificates]
    failures: list[Failure] = []
    for certified in ("", *certifying):
        used = [row for row in rows if certified in ("", row.name)]
        failures += examine_text(text, dict.fromkeys(asked), used, certified).failures
    return failures


def own_row(text: str) -> str:
    """The row that a saved graph failed with, by its first line; there may be none."""
    return (
        text.partition("\n")[0].removeprefix("# row:").strip().removesuffix(" with a certificate")
    )


def save(failure: Failure, rows: Sequence[Row], folder: Path) -> Path:
    """Shrink a failure and write it to a file named after the row and the graph."""
    row = [row for row in rows if row.name == failure.row]
    certified = failure.row if failure.certificate else ""

    def failures(text: str) -> list[Failure]:
        return examine_text(text, [failure.question], row, certified).failures

    return write_smallest(failure, failures, shrink, folder / "any.graph")


def write_smallest(
    failure: Failure, failures: Callable[[str], list[Failure]], shrink: Shrink, like: Path
) -> Path:
    """Shrink a failure and write it beside `like`, named after the row and the text."""
    deadline = time.monotonic() + SHRINK_SECONDS

    def fails(text: str) -> bool:
        return time.monotonic() < deadline and bool(failures(text))

    small = shrink(failure.text, fails)
    found = (failures(small) or [failure])[0]
    slug = "".join(c if c.isalnum() else "-" for c in failure.row)
    digest = hashlib.sha256(small.encode()).hexdigest()[:8]
    path = like.with_name(f"{slug}-{digest}{like.suffix}")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(found.report(), encoding="utf-8")
    return path


def save_some(failures: Iterable[Failure], save: Callable[[Failure], Path]) -> list[Path]:
    """Save one failure a row, reason apart: the others are most likely the same."""
    first = {(f.row, f.certificate): f for f in reversed(list(failures))}
    return [save(failure) for failure in first.values()]


def fuzz(seeds: range, work: Work, jobs: int = 1, seconds: float | None = None) -> Tally:
    """Put what all seeds stand for through `work`; stop early at a failure or when time is up."""
    total, start = Tally(), time.monotonic()
    for tally in _results(_chunks(seeds), work, jobs):
        total.add(tally)
        if total.failures or (seconds is not None and time.monotonic() - start > seconds):
            break
    return total


def _chunks(seeds: range) -> Iterator[range]:
    for start in range(0, len(seeds), CHUNK):
        yield seeds[start : start + CHUNK]


def _results(chunks: Iterator[range], work: Work, jobs: int) -> Iterator[Tally]:
    """Work off chunks, in this process or in several of their own."""
    if jobs == 1:
        yield from map(work, chunks)
    else:
        yield from _pooled(chunks, work, jobs)


def _pooled(chunks: Iterator[range], work: Work, jobs: int) -> Iterator[Tally]:
    """Keep two chunks a process under way, and hand over what they found as it comes."""
    with ProcessPoolExecutor(jobs) as pool:
        waiting: dict[Future[Tally], range] = {}
        while True:
            for chunk in itertools.islice(chunks, 2 * jobs - len(waiting)):
                waiting[pool.submit(work, chunk)] = chunk
            if not waiting:
                return
            for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                yield _outcome(future, waiting.pop(future))


def _work(algorithm: str, chunk: range) -> Tally:
    if algorithm in FAMILIES:
        return examine_family(chunk, algorithm)
    return examine_seeds(chunk, select(algorithm))


def _outcome(future: Future[Tally], chunk: range) -> Tally:
    """Name the seeds where a process died: there is nobody left to say more."""
    try:
        return future.result()
    except BrokenProcessPool:
        raise SystemExit(
            f"a process died in or near the seeds {chunk.start} to {chunk.stop - 1}; find out with "
            f"--jobs 1 --seed {chunk.start}"
        ) from None


def table(tally: Tally) -> str:
    """Show what came out of each row; `unknown` in percent of graphs with and without cycles."""
    lines = [f"{'row':<62} {'proven':>7} {'disproven':>9} unknown: {'cyclic':>7} {'acyclic':>7}"]
    for row in dict.fromkeys(name for name, _, _ in tally.counts):
        of = {key[1:]: count for key, count in tally.counts.items() if key[0] == row}
        solved = [sum(of.get((c, v), 0) for c in (False, True)) for v in ("proven", "disproven")]
        shares = f"{_share(of, True):>7} {_share(of, False):>7}"
        lines.append(f"{row:<62} {solved[0]:>7} {solved[1]:>9}          {shares}")
    return "\n".join(lines)


def _share(outcomes: dict[tuple[bool, str], int], cyclic: bool) -> str:
    of = {verdict: count for (c, verdict), count in outcomes.items() if c == cyclic}
    unknown = sum(count for verdict, count in of.items() if verdict.startswith("unknown"))
    return f"{100 * unknown / max(1, sum(of.values())):.2f}%"


def command_line(what: str, things: str, number: int) -> argparse.ArgumentParser:
    """Make a command line with what every fuzzer can be told."""
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument(f"--{things}", type=int, default=number, help=f"how many {things}")
    parser.add_argument("--seed", type=int, default=1, help=f"seed of the first of the {things}")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--seconds", type=float, help="stop after this time")
    parser.add_argument("--save", type=Path, default=REGRESSIONS, help="folder for failures")
    return parser


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = command_line("random graphs against the oracle", "graphs", 100_000)
    parser.add_argument(
        "--algorithm",
        default="all",
        help="all, reference, core, pairs, teams, relatives, or a row's name",
    )
    parsed = parser.parse_args(argv)
    parsed.rows = select(parsed.algorithm)
    if not parsed.rows:
        parser.error(f"no row {parsed.algorithm!r}; there are: {', '.join(r.name for r in ROWS)}")
    return parsed


def main(argv: Sequence[str] | None = None) -> int:
    """Fuzz, print what came out, save failures."""
    asked = arguments(argv)
    seeds = range(asked.seed, asked.seed + asked.graphs)
    work = functools.partial(_work, asked.algorithm)
    tally = fuzz(seeds, work, asked.jobs, asked.seconds)
    print(table(tally))
    print(f"{tally.graphs} graphs, {tally.certificates} certificates, seeds from {asked.seed}")
    return ending(tally, functools.partial(save, rows=asked.rows, folder=asked.save))


def ending(tally: Tally, save: Callable[[Failure], Path]) -> int:
    """Print and save failures, if there are any; the exit code."""
    if not tally.failures:
        return 0
    print(f"{len(tally.failures)} failures; the first: {tally.failures[0]}", flush=True)
    for path in save_some(tally.failures, save):
        print(f"\nFAILED, saved as {path}:\n{path.read_text(encoding='utf-8')}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
