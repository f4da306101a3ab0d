"""Every shipped game starts in Chromium, and a person makes twenty moves among bots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from rulewright.cli.commands.hosting.serve import load_rules, rule_texts
from rulewright.interpreter.matches.library import shipped_games
from rulewright.playground.site import example_of, write_site
from tests.browser import PATIENCE, files_served, launch_browser
from tests.playground.pages import begin_match, inside, wait_until_asked, wait_until_ready

pytestmark = pytest.mark.browser
QUICK = ("klondike", "skat")
MOVES = 20


@contextmanager
def site(folder: Path, names: Sequence[str]) -> Iterator[str]:
    """The address of a playground with these games."""
    games = {name: load_rules(name) for name in names}
    write_site(folder, {name: example_of(game, rule_texts(game)) for name, game in games.items()})
    with files_served(folder) as address:
        yield address


@pytest.fixture(scope="module")
def context() -> Iterator[BrowserContext]:
    """One visitor: the browser's cache makes the later games fast."""
    with launch_browser() as browser:
        found = browser.new_context()
        found.set_default_timeout(PATIENCE)
        yield found
        found.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    found = context.new_page()
    yield found
    found.close()


def plays(page: Page, address: str, name: str) -> None:
    wrong: list[str] = []
    page.goto("about:blank")  # otherwise only the fragment of the address changes
    page.on("console", lambda one: wrong.append(one.text) if one.type == "error" else None)
    page.on("pageerror", lambda one: wrong.append(str(one)))
    page.goto(f"{address}#example={name}")
    wait_until_ready(page)
    expect(page.locator("#problems")).to_contain_text("No problems")
    match, options = page.locator("#match"), inside(page).locator(".rw-options button")
    for _ in range(MOVES):
        wait_until_asked(page)
        if not options.count():  # the match is over
            begin_match(page)
        before = match.get_attribute("data-step")
        options.nth(int(before or 0) % options.count()).dispatch_event("click")
        expect(match).not_to_have_attribute("data-step", before or "")
    wait_until_asked(page)
    assert wrong == [], name


@pytest.mark.deep
def test_some_games_start_and_make_twenty_moves(page: Page, tmp_path: Path) -> None:
    with site(tmp_path, QUICK) as address:
        for name in QUICK:
            plays(page, address, name)


@pytest.fixture(scope="module")
def every(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with site(tmp_path_factory.mktemp("site"), tuple(shipped_games())) as address:
        yield address


@pytest.mark.deep
@pytest.mark.parametrize("name", shipped_games())
def test_every_shipped_game_starts_and_makes_twenty_moves(
    page: Page, every: str, name: str
) -> None:
    plays(page, every, name)
