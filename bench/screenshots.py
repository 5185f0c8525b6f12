"""Pictures of every view of the viewer, at the width of a desk and of a telephone.

They are made from the real page with real searches, so that they show what people see.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import andorra
from andorra.viewer.server import Server
from bench.browser import browsing, serving
from bench.process import ROOT
from bench.section import Run, Section

WIDTHS = {1280: 900, 390: 844}
PROBLEM = "6snk/9/7P1/9/9/9/9/9/9 b RG 1"
GRAPH = """dinner: or cook order
cook: and rice beans
order: and money phone
rice: win
beans: or shop garden
shop: loss
garden: or beans
money: win
phone: win
"""
DOTS = "--.-/|||.|/-..-/..|.|/..../...../.... 1 0 o"
ROLIT = "....../..1.../.1122./..433./....../...... 1"
SHORT_OPENINGS = ("33", "34", "12", "3344", "2233", "121")

Visit = Callable[[Any], None]


@dataclass(frozen=True)
class Shot:
    """A picture: its name, what is open, and what is done before and after it is taken."""

    name: str
    open: dict[str, Any]
    visit: Visit
    scheme: str = "light"
    leave: Visit = lambda page: None


def measure(run: Run) -> None:
    """Write the pictures."""
    folder = (run.pages or ROOT / "docs") / "images"
    folder.mkdir(exist_ok=True)
    shots = _shots(run)
    with browsing() as browser:
        for shot in shots[:1] if run.quick else shots:
            with serving(**shot.open) as server:
                for width, height in WIDTHS.items():
                    path = folder / f"viewer-{shot.name}-{width}.png"
                    _take(browser, server, shot, (width, height), path)
                    print(f"  {path}", flush=True)


def _take(browser: Any, server: Server, shot: Shot, size: tuple[int, int], path: Path) -> None:
    viewport = {"width": size[0], "height": size[1]}
    context = browser.new_context(
        viewport=viewport, color_scheme=shot.scheme, reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto(server.url)
    page.locator("h1").wait_for()
    shot.visit(page)
    page.evaluate("scrollTo(0, 0)")
    page.wait_for_timeout(400)
    page.screenshot(path=path, full_page=True)
    shot.leave(page)
    context.close()


def _shots(run: Run) -> list[Shot]:
    folder = run.workshop.folder
    proof = folder / "mate.andorra"
    andorra.solve("tsume", PROBLEM, certificate=proof)
    draw = folder / "draw.andorra"
    andorra.solve("mnk:3,3,3", "x../.../..o", certificate=draw)
    hexagons = folder / "hex.andorra"
    andorra.solve("hex:4", question="win:first", certificate=hexagons)
    return [
        Shot("solve", {"game": "connect4:7x6", "position": "44455"}, _wait_for_board),
        Shot("setup", {"game": "tsume", "position": PROBLEM}, _place_pieces, "dark"),
        Shot("watch", {"game": "connect4:7x6"}, _watch, leave=_stop),
        Shot("walk", {"certificate": proof}, _walk),
        Shot("walk-hex", {"certificate": hexagons}, _steps(3), "dark"),
        Shot("play", {"certificate": draw}, _play),
        Shot("compare", {"results": _results(folder / "runs.jsonl")}, lambda page: None),
        Shot("dots", {"game": "dots:4x3", "position": DOTS}, _wait_for_board),
        Shot("rolit", {"game": "rolit:6x6", "position": ROLIT}, _wait_for_board, "dark"),
        Shot("cops", {"game": "cops:2", "position": "IheA@GUAo 0,7 3 r"}, _wait_for_board),
        Shot("graph", {"game": "graph", "data": GRAPH, "position": "dinner"}, _wait_for_board),
    ]


def _wait_for_board(page: Any) -> None:
    page.locator(".board").wait_for()


def _place_pieces(page: Any) -> None:
    page.get_by_role("button", name="Place pieces").click()
    page.locator(".palette").wait_for()


def _watch(page: Any) -> None:
    page.get_by_label("Memory").fill("256MiB")
    page.get_by_label("Memory").blur()
    page.get_by_role("button", name="Start", exact=True).click()
    page.get_by_role("img", name="Proof and disproof number over time").wait_for()
    page.wait_for_timeout(6_000)


def _stop(page: Any) -> None:
    page.get_by_role("button", name="Stop").click()
    page.get_by_text("the search was stopped").wait_for()


def _walk(page: Any) -> None:
    page.locator("[role=treeitem]").first.wait_for()
    page.get_by_role("button", name="Show the longest line from here").click()
    page.get_by_text("The longest line from here").wait_for()
    _steps(1)(page)


def _steps(count: int) -> Visit:
    def visit(page: Any) -> None:
        page.locator("[role=treeitem]").first.wait_for()
        for _ in range(count):
            page.keyboard.press("n")
            page.wait_for_timeout(250)

    return visit


def _play(page: Any) -> None:
    page.get_by_role("link", name="Play", exact=True).click()
    for _ in range(9):
        page.wait_for_timeout(400)
        if page.get_by_text("The game took").count():
            return
        page.locator(".board .can").first.click()


def _results(path: Path) -> Path:
    """Runs of three settings on some positions, as `andorra compare --json` writes them."""
    compared = andorra.compare(
        "connect4:5x4",
        list(SHORT_OPENINGS),
        vary={"algorithm": ["pns"], "initial": ["mobility"]},
        nodes=200_000,
    )
    game = "connect4:5x4"
    lines = [{"kind": "run", "game": game} | run.to_json() for run in compared.runs]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


SECTION = Section("screenshots", "pictures of the viewer, for docs/viewer.md", measure, long=True)
