"""The text editor of the playground in Chromium: explanations, completion, definitions, layout, fixes, files."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from rulewright.cli.commands.hosting.serve import load_rules, rule_texts
from rulewright.playground.site import example_of, write_site
from tests.browser import PATIENCE, files_served, launch_browser
from tests.playground.pages import wait_until_ready

pytestmark = [pytest.mark.browser, pytest.mark.slow]
GAMES = ("tic_tac_toe", "pig")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    out = tmp_path_factory.mktemp("site")
    games = {name: load_rules(name) for name in GAMES}
    write_site(out, {name: example_of(game, rule_texts(game)) for name, game in games.items()})
    with files_served(out) as found:
        yield found


@pytest.fixture(scope="module")
def page(address: str) -> Iterator[Page]:
    """One visitor for both tests; the console must have no errors."""
    with launch_browser() as browser:
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        wrong: list[str] = []
        page.on("console", lambda one: wrong.append(one.text) if one.type == "error" else None)
        page.on("pageerror", lambda one: wrong.append(str(one)))
        page.goto(f"{address}#example=tic_tac_toe")
        yield page
        context.close()
        assert wrong == []


def line(page: Page, words: str) -> None:
    """Go to the end of the first line with these words."""
    found = page.locator(".cm-line", has_text=words).first
    found.scroll_into_view_if_needed()
    found.click()
    page.keyboard.press("End")


def test_it_explains_completes_finds_formats_and_fixes(page: Page) -> None:
    problems, active = page.locator("#problems"), page.locator(".cm-activeLine")
    expect(problems).to_have_text("No problems")
    page.locator("#outline").select_option(label="\u00a0\u00a0mark")
    expect(active).to_contain_text("action mark")

    name = page.locator(".cm-line span", has_text="board_is_full").last
    name.scroll_into_view_if_needed()
    name.hover()
    expect(page.locator(".cm-tooltip .explained")).to_contain_text("board_is_full")
    name.click()
    page.keyboard.press("F12")
    expect(active).to_contain_text("value board_is_full")

    line(page, "set cell.sign")
    page.keyboard.press("Enter")
    page.keyboard.type("set   cell.si")
    page.keyboard.press("Control+Space")
    page.locator(".cm-tooltip-autocomplete li", has_text="sign").first.click()
    page.keyboard.insert_text(" to me.sing")
    expect(problems.locator(".error")).to_contain_text("sing")
    page.locator(".cm-lintRange-error").last.hover()
    page.get_by_role("button", name="Fix").click()
    expect(problems).to_have_text("No problems")
    page.get_by_role("button", name="Format").click()
    expect(page.locator(".cm-line", has_text="    set cell.sign to me.sign")).to_have_count(2)


def test_a_game_is_kept_and_goes_as_a_zip(page: Page, address: str) -> None:
    page.goto("about:blank")
    page.goto(f"{address}#example=tic_tac_toe")
    wait_until_ready(page)
    line(page, 'game "Tic-tac-toe"')
    page.keyboard.press("Shift+Home")
    page.keyboard.insert_text('game "Three"')
    expect(page).to_have_title("Three")
    with page.expect_download() as waits:
        page.get_by_role("button", name="Download", exact=True).click()
    assert waits.value.suggested_filename == "tic_tac_toe.zip"
    packed = waits.value.path().read_bytes()

    page.goto("about:blank")
    page.goto(address)
    expect(page).to_have_title("Three")
    wait_until_ready(page)
    page.locator("#examples").select_option("pig")
    expect(page).to_have_title("Pig")
    page.locator("#upload-file").set_input_files(
        {"name": "three.zip", "mimeType": "application/zip", "buffer": packed}
    )
    expect(page).to_have_title("Three")
    expect(page.get_by_role("tab", name="tic_tac_toe.scenario")).to_have_count(1)
