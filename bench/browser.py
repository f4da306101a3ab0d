"""A page that plays, and the playground, in Chromium: bytes and seconds until the first board, a move, an edit.

Seconds are wall-clock time, so only figures of an idle machine can be compared. The best of several runs is reported.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

from playwright.sync_api import Browser, BrowserContext, Page, expect

from rulewright.cli.commands.hosting.serve import load_rules, rule_texts
from rulewright.dsl.program_data import fingerprint
from rulewright.interpreter.engines.native.for_browsers import kernel_modules, program_module
from rulewright.playground.site import example_of, player_of, write_site
from tests.browser import PATIENCE, files_served, launch_browser

GAMES = ("tic_tac_toe", "ginkgopolis", "through_the_ages")
MOVES = 40
EDITS = 5
THINKING = 2_000
"""Milliseconds between edits: by then the check of other variants has begun, and the next key stops it."""
BETWEEN = 500
"""Milliseconds between moves."""
VISITS = 3


def browser(games: Sequence[str] = ()) -> list[dict[str, object]]:
    """A row for each game."""
    with tempfile.TemporaryDirectory() as folder, launch_browser() as chromium:
        return [_row(chromium, Path(folder), name) for name in games or GAMES]


def _row(chromium: Browser, folder: Path, name: str) -> dict[str, object]:
    game = load_rules(name)
    example = example_of(game, rule_texts(game))
    plays, edits = folder / name / "plays", folder / name / "edits"
    usual = game.program(game.variant())
    modules = {**kernel_modules(), fingerprint(usual): program_module(usual)}
    write_site(plays, {name: player_of(game, example)}, name, modules=modules)
    write_site(edits, {name: example})
    found: dict[str, object] = {"game": name}
    with files_served(plays) as address:
        firsts, laters = [], []
        for _ in range(VISITS):
            with _visitor(chromium) as context:
                first, page = _visit(context, address)
                firsts.append(first)
                found["MB"] = round(_loaded_bytes(page) / 1e6, 2)
                expect(page.locator("html[data-memory=kept]")).to_have_count(1)
                page.close()
                later, page = _visit(context, address)
                laters.append(later)
        found |= {"first": round(min(firsts), 1), "later": round(min(laters), 1)}
    with files_served(edits) as address, _visitor(chromium) as context:
        page = context.new_page()
        begun = perf_counter()
        page.goto(f"{address}#example={name}")
        page.locator(".cm-line").nth(2).wait_for()
        found["text"] = round(perf_counter() - begun, 1)
        expect(page.locator("#status")).to_have_text("Ready")
        delays = _edits(page)
        found |= {"edit ms": round(median(delays)), "slowest edit": round(max(delays))}
        moves = _moves(page)
        found |= {"move ms": round(median(moves)), "19 of 20": round(quantiles(moves, n=20)[-1])}
    return found


@contextmanager
def _visitor(chromium: Browser) -> Iterator[BrowserContext]:
    context = chromium.new_context()
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


def _visit(context: BrowserContext, address: str) -> tuple[float, Page]:
    page = context.new_page()
    begun = perf_counter()
    page.goto(address)
    page.locator("#match[data-waits]").wait_for()
    return perf_counter() - begun, page


def _loaded_bytes(page: Page) -> int:
    """The bytes of all files that the page and its worker have loaded."""
    expect(page.locator("#engine-note")).to_contain_text("native code.")
    count = "() => performance.getEntriesByType('resource').reduce((sum, one) => sum + one.encodedBodySize, 0)"
    (worker,) = page.workers
    return int(page.evaluate(count)) + int(worker.evaluate(count))


MEASURED = "name => performance.getEntriesByName(name).map(one => one.duration)"


def _edits(page: Page) -> list[float]:
    """Milliseconds from the last key until the problems are shown; the page waits for a pause first."""
    for number in range(EDITS):
        page.wait_for_timeout(THINKING)
        page.locator(".cm-line").first.click()
        page.keyboard.press("Control+End" if number % 2 else "End")  # the rules, or a comment
        if number % 4 == 3:
            page.keyboard.press("Backspace")  # the mistake is corrected
        else:
            page.keyboard.insert_text("1")
        page.wait_for_function(
            "count => performance.getEntriesByName('problems').length > count", arg=number
        )
        expect(page.locator("#status")).to_have_text(re.compile("^Ready|^There are problems"))
    return [float(one) for one in page.evaluate(MEASURED, "problems")]


def _moves(page: Page) -> list[float]:
    """Milliseconds from a click to the new picture, with persons in all seats."""
    for seat in page.locator("#seats select").all():
        seat.select_option("you")
    page.get_by_role("button", name="New match").click()
    match, options = (
        page.locator("#match"),
        page.frame_locator("#match").locator(".rw-options button"),
    )
    for _ in range(MOVES):
        expect(match).to_have_attribute("data-waits", "yes")
        if not options.count():
            break
        page.wait_for_timeout(BETWEEN)
        before = match.get_attribute("data-step") or ""
        options.nth(int(before) % options.count()).dispatch_event("click")
        passed = page.locator("#curtain button")
        expect(match.and_(page.locator(f"[data-step='{before}']:visible"))).to_have_count(0)
        if passed.is_visible():
            passed.click()
    return [float(one) for one in page.evaluate(MEASURED, "move")]
