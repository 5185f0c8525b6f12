"""The page in a browser, against the real server: solve, watch, stop, walk, play, compare.

A page that complains on its console, or that loads anything from elsewhere, fails its test.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

import andorra
from andorra.study.journal import NAME, Journal
from andorra.viewer import searches
from andorra.viewer.server import Server
from browser_kit import AN_HOUR, browsing, need_browser, serving
from conftest import FindProblemSet
from study_kit import a_plan, a_row, unsolved
from viewer_kit import FORK, MATE, certificate, until

Open = Callable[..., Any]
HARMLESS = ("400 (Bad Request)", "ERR_CONNECTION_REFUSED")
"""What a browser notes of a refusal, which the page explains, and of a server that has ended."""
ZUKO = 9
"""Which of the hundred problems: one that is solved in a moment."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    need_browser()
    with browsing() as found:
        yield found


@pytest.fixture
def open_page(browser: Any) -> Iterator[Open]:
    """Opens a server's page, of which nothing may go wrong that nobody looks at."""
    faults: list[str] = []
    with ExitStack() as stack:

        def opening(server: Server, width: int = 1280, **more: Any) -> Any:
            context = browser.new_context(viewport={"width": width, "height": 900}, **more)
            stack.callback(context.close)
            page = context.new_page()
            page.set_default_timeout(60_000)
            page.on("console", lambda said: faults.extend([said.text] * (said.type == "error")))
            page.on("pageerror", lambda error: faults.append(str(error)))
            own = (f"http://127.0.0.1:{server.port}/", "data:", "blob:")
            page.on(
                "request", lambda asked: faults.extend([asked.url][asked.url.startswith(own) :])
            )
            page.goto(server.url)
            return page

        yield opening
    assert [fault for fault in faults if not any(each in fault for each in HARMLESS)] == []


def cell(page: Any, name: str) -> Any:
    """A cell of the board that can be clicked."""
    return page.get_by_role("button", name=re.compile(rf"^{re.escape(name)}(:|$)"))


def test_solve_tic_tac_toe_by_clicking(open_page: Open) -> None:
    with serving() as server:
        page = open_page(server)
        for name in ("a1", "a2", "b1", "b2"):
            cell(page, name).click()
        page.get_by_text("x (first player) to move.", exact=False).first.wait_for()
        assert page.get_by_label("Position as text").input_value() == "xx./oo./..."
        page.get_by_role("button", name="Start", exact=True).click()
        page.get_by_text("x (first player) can force a win.").wait_for()
        page.get_by_role("link", name="See why").click()
        page.get_by_role("button", name="c1", exact=True).first.wait_for()
        page.keyboard.press("n")
        page.get_by_text("X (first player) has won.").first.wait_for()


def test_a_bad_position_is_explained_and_nothing_breaks(open_page: Open) -> None:
    with serving(game="mnk:3,3,3") as server:
        page = open_page(server)
        page.locator(".board").wait_for()
        text = page.get_by_label("Position as text")
        text.fill("xx?/.../...")
        text.blur()
        page.get_by_text("expected 'x', 'o' or '.' here").wait_for()
        text.fill("xo./.../...")
        text.blur()
        page.get_by_text("x (first player) to move").first.wait_for()


def hold(page: Any, pattern: str) -> list[Any]:
    """From now on requests of a kind wait in the list."""
    held: list[Any] = []
    page.route(pattern, lambda route: held.append(route))
    return held


def until_held(page: Any, held: list[Any]) -> None:
    while not held:
        page.wait_for_timeout(10)


def reload_held(page: Any, pattern: str) -> list[Any]:
    """Load the page again; the first request of a kind is in the list already."""
    held = hold(page, pattern)
    page.reload()
    until_held(page, held)
    return held


def test_an_early_answer_does_not_undo_what_was_placed_since(open_page: Open) -> None:
    with serving(game="mnk:3,3,3") as server:
        page = open_page(server)
        page.get_by_role("button", name="Place pieces").click()
        page.get_by_role("button", name="x", exact=True).click()
        held = hold(page, "**/api/position")
        cell(page, "a1").click()
        cell(page, "b1").click()
        until_held(page, held)
        held.pop().continue_()
        until_held(page, held)  # the page has seen the first answer, for it asks again
        assert page.get_by_label("Position as text").input_value() == "xx./.../..."
        assert cell(page, "b1").get_attribute("aria-label") == "b1: x"
        held.pop().continue_()
        until_text(page, "xx./.../...")


def test_what_is_typed_before_the_board_is_there_stays(open_page: Open) -> None:
    with serving(game="mnk:3,3,3") as server:
        page = open_page(server)
        held = reload_held(page, "**/api/position")
        text = page.get_by_label("Position as text")
        text.fill("xo./x../...")
        held.pop().continue_()
        page.locator(".board").wait_for()
        assert text.input_value() == "xo./x../..."
        page.unroute("**/api/position")
        text.blur()
        page.get_by_text("o (second player) to move").first.wait_for()


def test_steps_before_the_first_place_is_there_are_taken(open_page: Open, tmp_path: Path) -> None:
    with serving(certificate(tmp_path, "mnk:3,3,3", "xx./oo./...")) as server:
        page = open_page(server)
        held = reload_held(page, "**/node")
        page.get_by_role("button", name="On (n)").click()
        held.pop().continue_()
        page.unroute("**/node")
        page.get_by_text("X (first player) has won.").first.wait_for()


def test_pieces_are_placed_and_dragged(open_page: Open) -> None:
    with serving(game="tsume") as server:
        page = open_page(server)
        page.get_by_role("button", name="Place pieces").click()
        page.get_by_role("button", name="black gold", exact=True).click()
        cell(page, "9i").click()
        until_text(page, "4k4/9/4P4/9/9/9/9/9/G8 b G 1")
        cell(page, "9i").drag_to(cell(page, "8h"))
        until_text(page, "4k4/9/4P4/9/9/9/9/1G7/9 b G 1")
        cell(page, "black holds 0 rook").click()
        until_text(page, "4k4/9/4P4/9/9/9/9/1G7/9 b RG 1")


def test_edges_are_drawn_and_boxes_counted(open_page: Open) -> None:
    with serving(game="dots:2x1") as server:
        page = open_page(server)
        page.get_by_role("button", name="Place pieces").click()
        page.get_by_role("button", name="edge", exact=True).click()
        for name in ("a1", "a2", "a3"):
            cell(page, name).click()
        until_text(page, "-./|../-. 0 0 x")
        page.get_by_role("button", name="o moves").click()
        cell(page, "b2").click()
        until_text(page, "-./||./-. 0 1 o")
        page.get_by_role("button", name="nothing", exact=True).click()
        cell(page, "a1").click()
        until_text(page, "../||./-. 0 0 o")


def test_balls_are_placed(open_page: Open) -> None:
    with serving(game="rolit:4x4,2") as server:
        page = open_page(server)
        page.get_by_role("button", name="Place pieces").click()
        assert page.get_by_role("button", name=re.compile("^. moves$")).count() == 2
        page.get_by_role("button", name="ball of player 3", exact=True).click()
        cell(page, "a1").click()
        until_text(page, "3.../.12./.43./.... 1")


def until_text(page: Any, position: str) -> None:
    page.locator(".board-host[aria-busy=false]").wait_for()
    until(lambda: page.get_by_label("Position as text").input_value() == position, 20)


def test_watch_and_stop_a_long_search(open_page: Open) -> None:
    with serving(game="connect4:7x6") as server:
        page = open_page(server)
        page.get_by_label("Memory").fill("64MiB")
        page.get_by_label("Memory").blur()
        page.get_by_role("button", name="Start", exact=True).click()
        page.get_by_text("Searching …").wait_for()
        page.get_by_role("img", name="Proof and disproof number over time").wait_for()
        page.get_by_role("button", name="Stop").click()
        page.get_by_text("the search was stopped").wait_for()
        assert server.viewer.searches.running() is None


def test_a_search_ends_when_its_page_is_closed(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(game="connect4:7x6") as server:
        page = open_page(server)
        page.get_by_role("button", name="Start", exact=True).click()
        page.get_by_text("Searching …").wait_for()
        monkeypatch.setattr(searches, "GRACE", 0.5)
        assert server.viewer.searches.running() is not None
        page.close()
        until(lambda: server.viewer.searches.running() is None)


def test_several_problems_fill_a_table(open_page: Open) -> None:
    with serving(game="hex:3") as server:
        page = open_page(server)
        page.get_by_text("Several problems").click()
        page.get_by_label("One position a line").fill("x../.../...\n.../.x./...\n")
        page.get_by_label("Question").select_option("win:first")
        page.get_by_role("button", name="Start", exact=True).click()
        page.get_by_text("Done.").wait_for()
        rows = page.locator("tbody tr").all_inner_texts()
        assert ["loss" in rows[0], "win" in rows[1]] == [True, True]


def zuko(find: FindProblemSet) -> str:
    lines = find("tsume/zuko100.sfen").read_text(encoding="utf-8").splitlines()
    problems = [line.partition("\t")[0] for line in lines if not line.startswith("#")]
    return problems[ZUKO]


def test_walk_a_zuko_certificate_to_a_mate(
    open_page: Open, tmp_path: Path, problem_set: FindProblemSet
) -> None:
    file = certificate(tmp_path, "tsume", zuko(problem_set), memory="256MiB")
    with serving(file) as server:
        page = open_page(server)
        page.get_by_role("heading", name="The attacker can force a win.").wait_for()
        page.get_by_role("button", name="Show the longest line from here").click()
        page.get_by_text("The longest line from here has").wait_for()
        page.keyboard.press("End")
        page.get_by_text("The attacker has won.").first.wait_for()
        page.keyboard.press("p")
        page.keyboard.press("p")
        page.get_by_text("The defender can try").first.wait_for()
        deep = page.url
        with page.expect_download() as saved:
            page.get_by_role("button", name="KIF").click()
        kif = Path(saved.value.path()).read_text(encoding="utf-8")
        assert kif.rstrip().endswith("詰み")
        page.keyboard.press("Home")
        page.goto(deep)
        page.reload()
        page.get_by_text("The defender can try").first.wait_for()
        page.get_by_role("button", name="Western letters").click()
        page.locator("svg.western").wait_for()


def test_the_tree_is_walked_by_keyboard(open_page: Open, tmp_path: Path) -> None:
    graph = tmp_path / "fork.txt"
    graph.write_text(FORK, encoding="utf-8")
    with serving(certificate(tmp_path, f"graph:{graph}")) as server:
        page = open_page(server)
        page.get_by_role("treeitem").first.focus()
        page.keyboard.press("ArrowRight")
        page.locator('[role=treeitem][data-key="B D"]').wait_for()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        page.get_by_text("plays E").first.wait_for()
        assert "moves=B+D" in page.url


def test_transpositions_are_merged(open_page: Open, tmp_path: Path) -> None:
    graph = tmp_path / "diamond.txt"
    graph.write_text("A: and B C\nB: or D\nC: or D\nD: and E F\nE: win\nF: win\n", encoding="utf-8")
    file = certificate(tmp_path, f"graph:{graph}", question="win:first")
    with serving(file) as server:
        page = open_page(server)
        for key in ("B", "C"):
            item = page.locator(f'[role=treeitem][data-key="{key}"]')
            item.locator(".twist").click()
            page.locator(f'[role=treeitem][data-key="{key} D"]').wait_for()
        again = page.locator('[role=treeitem][data-key="C D"]')
        assert "seen above" in again.inner_text()
        again.click()
        page.wait_for_url(re.compile(r"moves=B\+D$"))
        page.get_by_text("can try 2 moves").first.wait_for()


def test_play_to_the_end(open_page: Open, tmp_path: Path) -> None:
    file = certificate(tmp_path, "mnk:3,3,3", "x../.../..o", question="win")
    with serving(file) as server:
        page = open_page(server)
        page.get_by_role("link", name="Play", exact=True).click()
        page.get_by_role("heading", name="You are o (second player)").wait_for()
        for turn in range(5):
            page.locator(".played .it").nth(turn).wait_for()
            if page.get_by_text("The game took").count():
                break
            page.locator(".board .can").first.click()
        page.get_by_text("X (first player) has won.").first.wait_for()
        assert page.locator(".result.over tbody tr").count() >= 1


def test_open_a_study(open_page: Open, tmp_path: Path) -> None:
    """The journal that a study writes."""
    problems = [f"position {number}" for number in range(12)]
    with Journal(tmp_path, a_plan(["dfpn", "pns"], problems), "2026-01-01") as journal:
        for number, problem in enumerate(problems):
            journal.keep(a_row("dfpn", problem, 0.001 * 2**number, 100 * 2**number))
            slow = a_row if number < 10 else unsolved
            journal.keep(slow("pns", problem, 0.003 * 2**number))
        journal.keep(a_row("pns", problems[0], verdict="disproven"))
    with serving(results=tmp_path / NAME) as server:
        page = open_page(server)
        page.get_by_role("heading", name="1 disagreement").wait_for()
        page.get_by_role("img", name="Problems solved within so many CPU seconds").wait_for()
        assert page.locator(".plot .dot").count() == 12
        page.get_by_label("Cost").select_option("nodes")
        page.get_by_role("img", name="Problems solved within so many nodes").wait_for()


BOARDS = {
    "mnk": "3,3,3",
    "hex": "5",
    "breakthrough": "6x5",
    "loa": "6",
    "cops": "2",
    "dots": "4x3",
    "rolit": "6x6,3",
}
"""Parameters of games whose boards are others than the default; a graph needs a file."""


@pytest.mark.parametrize("width", [390, 1280])
def test_every_board_fits_and_can_be_played_on(open_page: Open, width: int) -> None:
    with serving() as server:
        page = open_page(server, width)
        for name in andorra.games().keys() - {"graph"}:
            game = f"{name}:{BOARDS[name]}" if name in BOARDS else name
            page.goto(f"http://127.0.0.1:{server.port}/#/solve?game={game}")
            page.reload()
            page.locator(".board").wait_for()
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, f"{game} is {wide} pixels wide on a page of {width}"
            _make_a_move(page)


def _make_a_move(page: Any) -> None:
    """Click what can be clicked until the position is another one."""
    before = page.get_by_label("Position as text").input_value()
    assert before
    for _ in range(3):
        if page.get_by_label("Position as text").input_value() != before:
            return
        page.locator(".board .can, .chooser button, .moves .move").first.click()
        page.locator(".board-host[aria-busy=false]").wait_for()
    assert page.get_by_label("Position as text").input_value() != before


def test_controls_have_names(open_page: Open, tmp_path: Path) -> None:
    """What a screen reader would say: every control of every view has a name."""
    file = certificate(tmp_path, "tsume", MATE)
    unnamed = """() => [...document.querySelectorAll(
        'button, a[href], input, select, textarea, [role=button]')]
      .filter((e) => e.offsetParent !== null || e instanceof SVGElement)
      .filter((e) => !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length))
      .map((e) => e.outerHTML.slice(0, 120))"""
    with serving(file) as server:
        page = open_page(server)
        for view in ("Solve", "Walk", "Play"):
            page.get_by_role("link", name=view, exact=True).click()
            page.locator(".board").wait_for()
            assert page.evaluate(unnamed) == []


def test_dark_and_light(open_page: Open) -> None:
    with serving(game="mnk:3,3,3") as server:
        page = open_page(server, color_scheme="dark")
        page.locator(".board").wait_for()
        colour = "getComputedStyle(document.body).backgroundColor"
        dark = page.evaluate(colour)
        page.get_by_role("button", name="Switch between light and dark").click()
        assert page.evaluate(colour) != dark


def test_an_hour_of_events_keeps_the_page_small(open_page: Open) -> None:
    """36,000 events, ten a second: what is kept does not grow with them."""
    with serving(game="connect4:5x4") as server:
        page = open_page(server)
        page.locator(".board").wait_for()
        found = page.evaluate(AN_HOUR, {"events": 36_000, "then": 1})
        assert found["kept"] <= 601
        assert found["elements"] < 2_000
        assert found["heap"] < 200


def test_half_open_connections_keep_nobody_out(open_page: Open) -> None:
    with serving(game="mnk:3,3,3") as server, ExitStack() as stack:
        for _ in range(40):
            half = stack.enter_context(socket.create_connection(("127.0.0.1", server.port)))
            half.sendall(b"GET / HTTP/1.1\r\nHost: ")
        page = open_page(server)
        page.locator(".board").wait_for()


def test_the_version_is_the_packages(open_page: Open) -> None:
    with serving() as server:
        page = open_page(server)
        page.locator(".board").wait_for()
        assert page.evaluate(
            "(async () => (await (await fetch('/api/hello')).json()).version)()"
        ) == (andorra.__version__)
