"""The site of the documents: its games open in the playground, it loads nothing from other servers, and it is
accessible.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from docs.site.build import DOCS, build, link_fragment
from tests.browser import COLOURS, PATIENCE, files_served, launch_browser, serious
from tests.docs.pages import examples
from tests.playground.pages import choose, wait_until_ready

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow(reason="the site is built with the playground and two games, for Chromium"),
]
GAMES = ("connect_four", "love_letter")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    out = tmp_path_factory.mktemp("site") / "out"
    build(out, GAMES)
    with files_served(out) as found:
        yield found


@pytest.fixture(scope="module")
def page(address: str) -> Iterator[Page]:
    """One visitor for all tests; the console must have no errors, and no other server may be contacted."""
    with launch_browser() as browser:
        context = browser.new_context(
            viewport={"width": 1440, "height": 900}, reduced_motion="reduce"
        )
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        wrong: list[str] = []
        page.on("console", lambda one: wrong.append(one.text) if one.type == "error" else None)
        page.on("pageerror", lambda one: wrong.append(str(one)))
        page.on("request", lambda one: wrong.append(one.url) if _is_foreign(one.url) else None)
        yield page
        context.close()
        assert wrong == []


def _is_foreign(url: str) -> bool:
    return not url.startswith(("http://127.0.0.1:", "data:", "blob:"))


def test_every_complete_game_of_the_tutorial_opens_with_its_files(address: str, page: Page) -> None:
    page.goto(f"{address}tutorial.html")
    links = [
        one.get_attribute("href") for one in page.get_by_role("link", name="Open and play").all()
    ]
    steps = [one for one in examples(DOCS / "tutorial.md") if not one.scenarios]
    assert len(links) == len(steps)
    last = steps[-1]
    files = {"example.game": last.game, **dict(last.files)}
    assert any(link is not None and link_fragment(files) in link for link in links)


def test_a_step_is_played_and_a_game_begins_on_the_start_page(address: str, page: Page) -> None:
    page.goto(f"{address}tutorial.html")
    page.get_by_role("link", name="Open and play").first.click()
    wait_until_ready(page)
    expect(page).to_have_title("Orchard")

    page.goto(f"{address}index.html")
    page.get_by_role("button", name="Play Connect Four here").click()
    frame = page.frame_locator(".try iframe")
    choose(frame)
    expect(frame.locator("#undo")).to_be_enabled()
    expect(frame.locator("#text")).to_be_hidden()


def test_steps_templates_games_and_recipes_are_examples(address: str, page: Page) -> None:
    page.goto("about:blank")  # else a tab with the playground is Ready before it loads again
    page.goto(f"{address}playground/index.html#example=love_letter")
    wait_until_ready(page)
    labels = [one.get_attribute("label") for one in page.locator("#examples optgroup").all()]
    assert labels[:4] == ["Your first game", "Templates", "Games", "Recipes: Turns and actions"]
    for example, title in (
        ("3. Secrets (2)", "Ripe or not"),
        ("Herb Garden", "Herb Garden"),
        ("An open auction with rising bids", "Gavel"),
    ):
        page.locator("#examples").select_option(example)
        expect(page).to_have_title(title)
        wait_until_ready(page)


def test_a_problem_in_the_playground_leads_to_its_page(address: str, page: Page) -> None:
    """The link opens in the tab of another game."""
    page.goto("about:blank")
    page.goto(f"{address}playground/index.html#example=love_letter")
    wait_until_ready(page)
    broken = {"example.game": 'game "Little"\n    players 2\n\nplay\n    set x to 1\n'}
    page.goto(f"{address}playground/index.html#game={link_fragment(broken)}")
    code = page.locator("#problems a").first
    expect(code).to_be_visible()
    target = code.get_attribute("href")
    assert target is not None
    page.goto(f"{address}playground/{target}")
    expect(page.locator("h1")).to_contain_text(target.removeprefix("../errors/").split(".")[0])


@pytest.mark.parametrize(
    "name",
    [
        *("index", "games/love_letter", "spec/values", "playground/index"),
        *(
            pytest.param(name, marks=pytest.mark.deep)
            for name in ("games", "tutorial", "errors/index")
        ),
    ],
)
def test_nothing_serious_for_a_screen_reader(address: str, page: Page, name: str) -> None:
    page.emulate_media(color_scheme="light")
    page.goto("about:blank")
    # Without an example the playground opens the last game, which may be broken.
    page.goto(f"{address}{name}.html#example=love_letter")
    if name == "playground/index":
        wait_until_ready(page)
    assert serious(page) == []
    page.emulate_media(color_scheme="dark")
    assert serious(page, COLOURS) == []


def test_on_a_phone_nothing_is_wider_than_the_screen(address: str, page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    for name in (
        *("index", "games", "games/connect_four", "tutorial", "for-players"),
        "playground/index",
    ):
        page.goto(f"{address}{name}.html")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, name
    page.set_viewport_size({"width": 1440, "height": 900})
