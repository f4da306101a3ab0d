"""Pages in a real browser: nothing is cut off, off the screen or covered, and the question is in view."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from rulewright.pictures.beside import beside
from rulewright.pictures.catalogue import look_page, print_page
from rulewright.pictures.words import say
from tests.browser import COLOURS, PATIENCE, launch_browser, serious, too_wide
from tests.games.variants import LARGE, LIBRARY, SHIPPED, game_named
from tests.pictures.screens import DESK, PHONE, page_of
from tests.waiting import until

pytestmark = [pytest.mark.browser, pytest.mark.slow]

_WRONG = """() => {
  const found = [];
  const box = (element) => element.getBoundingClientRect();
  const shown = (element) => element.checkVisibility() && box(element).width > 0;
  const all = [...document.querySelectorAll(".rw-section")].filter(shown);
  for (const each of all) {
    const b = box(each);
    if (b.left < -1 || b.right > innerWidth + 1) found.push(`${each.id} is off the screen`);
  }
  const flow = all.filter((each) => getComputedStyle(each).position !== "fixed");
  for (let i = 0; i < flow.length; i++) for (let j = i + 1; j < flow.length; j++) {
    const [a, b] = [box(flow[i]), box(flow[j])];
    const over = Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
      && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
    if (over) found.push(`${flow[i].id} lies on ${flow[j].id}`);
  }
  const spots = [...document.querySelectorAll(".rw-spot > rect, .rw-drawn .rw-cell > rect")].filter(shown);
  for (let i = 0; i < spots.length; i++) for (let j = i + 1; j < spots.length; j++) {
    if (spots[i].ownerSVGElement !== spots[j].ownerSVGElement) continue;
    const [a, b] = [box(spots[i]), box(spots[j])];
    const over = Math.min(a.right, b.right) - Math.max(a.left, b.left) > 3
      && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
    if (over) found.push(`${spots[i].parentElement.dataset.row} lies on ${spots[j].parentElement.dataset.row}`);
  }
  for (const hit of document.querySelectorAll(".rw-hit")) {
    const b = box(hit);
    if (b.width < 8 || b.height < 8) found.push(`${hit.ariaLabel} is ${b.width} by ${b.height}`);
  }
  const asked = box(document.querySelector(".rw-prompt"));
  if (asked.top < 0 || asked.bottom > innerHeight) found.push("the question is out of view");
  const first = box(document.querySelector(".rw-options button"));
  if (first.top < 0 || first.bottom > innerHeight) found.push("the first option is out of view");
  for (const option of document.querySelectorAll(".rw-main button.rw-piece")) {
    if (!shown(option)) found.push(`${option.ariaLabel} is folded up`);
  }
  for (const fold of document.querySelectorAll("details")) fold.open = true;
  for (const piece of document.querySelectorAll("[data-piece][data-row]")) {
    if (!shown(piece)) found.push(`${piece.dataset.row} is not to be seen`);
  }
  return found;
}"""

_UNFOLD = """() => { for (const fold of document.querySelectorAll("details")) fold.open = true; }"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launch_browser() as found:
        yield found


Shown = Callable[..., Page]


@pytest.fixture
def shown(browser: Browser) -> Iterator[Shown]:
    """Opens pages, which are closed after the test."""
    with ExitStack() as opened:

        def show(html: str, size: tuple[int, int] = DESK, **more: Any) -> Page:
            window: ViewportSize = {"width": size[0], "height": size[1]}
            context = browser.new_context(viewport=window, **more)
            opened.callback(context.close)
            context.set_default_timeout(PATIENCE)
            page = context.new_page()
            page.set_content(html)
            return page

        yield show


_SOME = {*LARGE, "night_market", "love_letter", "leduc_poker", "reversi"}
"""The large games, and games with a market, with cards, with few cards and with a board."""


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in _SOME else pytest.mark.deep)
        for name in (*SHIPPED, *LIBRARY)
    ],
)
def test_nothing_is_cut_or_covered_on_desk_and_phone(shown: Shown, name: str) -> None:
    for size in (DESK, PHONE):
        page = shown(page_of(name), size)
        assert too_wide(page) == [], size
        assert page.evaluate(_WRONG) == [], size
        assert too_wide(page) == [], f"{size}, unfolded"


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in ("endeavor", "night_market") else pytest.mark.deep)
        for name in (*SHIPPED, *LIBRARY)
    ],
)
def test_axe_finds_nothing_serious_on_a_phone(shown: Shown, name: str) -> None:
    """Also in unfolded parts."""
    page = shown(page_of(name), PHONE)
    page.evaluate(_UNFOLD)
    assert serious(page) == []


@pytest.mark.parametrize("name", ["love_letter", pytest.param("colonial", marks=pytest.mark.deep)])
def test_axe_finds_nothing_serious_on_pages_to_look_at_and_to_print(
    shown: Shown, name: str
) -> None:
    game = game_named(name)
    found = beside(game, name)
    for html in (look_page(game, name, found), print_page(game, name, found, "a4")):
        page = shown(html)
        assert serious(page) == []
        page.emulate_media(color_scheme="dark")
        assert serious(page, COLOURS) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    ("name", "what"),
    [("dots_and_boxes", ".rw-way > line[stroke-width='5']"), ("backgammon", ".rw-cell circle")],
)
def test_lines_and_discs_stand_out_from_their_cells(
    shown: Shown, name: str, what: str, scheme: Literal["light", "dark"]
) -> None:
    page = shown(page_of(name), color_scheme=scheme)
    contrasts = page.evaluate(
        """what => {
          const light = (text) => {
            const parts = text.match(/[0-9.]+/g).slice(0, 3).map((one) => one / 255);
            const [r, g, b] = parts.map((one) => one <= 0.04 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
          };
          const cell = light(getComputedStyle(document.querySelector(".rw-cell > rect")).fill);
          const from_cell = (text) => (Math.max(light(text), cell) + 0.05) / (Math.min(light(text), cell) + 0.05);
          return [...document.querySelectorAll(what)].map((one) => from_cell(getComputedStyle(one).stroke));
        }""",
        what,
    )
    assert contrasts and min(contrasts) >= 3  # WCAG 2.2, 1.4.11


@pytest.mark.parametrize("where", [".rw-mine .rw-pieces", ".rw-side", ".rw-shared", "body"])
@pytest.mark.parametrize("is_mobile", [False, True])
def test_a_wide_table_in_a_narrow_page_is_found(shown: Shown, where: str, is_mobile: bool) -> None:
    html = page_of("night_market", 3)
    page = shown(html, PHONE, is_mobile=is_mobile, has_touch=is_mobile)
    assert too_wide(page) == []
    page.evaluate(
        """where => {
          const table = document.createElement("table");
          table.style.minWidth = "600px";
          table.innerHTML = "<tr><td>wide</td></tr>";
          document.querySelector(where).append(table);
        }""",
        where,
    )
    assert any("table" in each or "holds" in each for each in too_wide(page))


def test_a_key_unfolds_a_long_zone_below_own_things(shown: Shown) -> None:
    page = shown(page_of("ginkgopolis"))
    mine = page.locator(".rw-mine .rw-player").bounding_box()
    assert mine is not None and mine["y"] < DESK[1]
    reserve = page.locator("[data-zone=reserve]")
    card = reserve.locator("[data-piece]").first
    assert card.is_hidden()
    summary = reserve.locator("summary")
    count = reserve.locator("[data-piece]").count()
    assert summary.inner_text().split() == ["reserve", str(count)]
    summary.focus()
    page.keyboard.press("Enter")
    expect(card).to_be_visible()


def test_two_clicks_choose_an_option_of_two_places(shown: Shown) -> None:
    page = shown(page_of("breakthrough", 0))
    page.evaluate(
        "() => addEventListener('submit', (e) => { e.preventDefault(); window.sent = e.submitter.value; })"
    )
    options = page.locator(".rw-options button")
    text = options.first.inner_text()
    start, goal = (part.strip() for part in text.casefold().split(" to "))
    page.locator(f'a[aria-label^="{start}"]').first.click()
    assert page.locator(".rw-options > li:visible").count() < options.count()
    assert page.locator("#rw-again").inner_text() == say("picture-again")
    page.locator(f'[aria-label^="{goal}"]').first.click()
    assert page.evaluate("window.sent") == options.first.get_attribute("value")


def _width(element: Locator) -> float:
    found = element.bounding_box()
    assert found is not None
    return found["width"]


def _becomes(element: Locator, least: float, most: float = sys.maxsize) -> None:
    """Wait until an element has a width between two others."""
    until(lambda: least < _width(element) < most)


def test_keys_zoom_a_board_and_put_it_back(shown: Shown) -> None:
    page = shown(page_of("reversi", 6), PHONE)
    picture = page.locator(".rw-picture").first
    svg = picture.locator("svg")
    picture.focus()
    width = _width(svg)
    page.keyboard.press("+")
    _becomes(svg, width * 1.2)
    page.keyboard.press("0")
    _becomes(svg, width - 1, width + 1)


def test_every_option_has_a_name_and_a_key_reaches_it(shown: Shown) -> None:
    page = shown(page_of("love_letter", 4))
    for button in page.locator(".rw-options button").all():
        assert button.inner_text().strip()
    reached = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.dataset.option ?? ''"))
    numbers = {
        button.get_attribute("data-option") for button in page.locator(".rw-options button").all()
    }
    assert numbers <= reached


def test_the_wheel_zooms_a_board_with_ctrl_alone(shown: Shown) -> None:
    page = shown(page_of("reversi", 6))
    svg = page.locator(".rw-picture svg").first
    width = _width(svg)
    svg.hover()
    page.mouse.wheel(0, -100)  # scrolls the page
    page.keyboard.down("Control")
    page.mouse.wheel(0, -100)
    page.wait_for_selector(".rw-zoomed")
    assert width * 1.15 < _width(svg) < width * 1.25, "one of both has zoomed"
    page.mouse.wheel(0, 100)
    page.wait_for_selector(".rw-zoomed", state="detached")
    _becomes(svg, width - 1, width + 1)


def test_a_pull_at_a_zoomed_board_chooses_nothing(shown: Shown) -> None:
    page = shown(page_of("reversi", 6))
    page.evaluate(
        """() => document.addEventListener("submit", (event) => {
            event.preventDefault(); document.title = "chosen"; })"""
    )
    picture = page.locator(".rw-picture").first
    picture.focus()
    for _ in range(3):
        page.keyboard.press("+")
    fields = page.locator(".rw-picture button[data-option]")
    fields.first.scroll_into_view_if_needed()
    box = fields.first.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for pulled in range(4, 40, 4):
        page.mouse.move(x - pulled, y - pulled)
    page.mouse.up()
    assert page.title() != "chosen"
    page.mouse.move(x - 36, y - 36)
    page.mouse.down()
    page.mouse.up()
    expect(page).to_have_title("chosen")  # a click still chooses


def test_two_fingers_zoom_a_board(shown: Shown) -> None:
    page = shown(page_of("reversi", 6), PHONE, has_touch=True, is_mobile=True)
    svg = page.locator(".rw-picture svg").first
    svg.scroll_into_view_if_needed()
    width = _width(svg)
    box = svg.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    fingers = page.context.new_cdp_session(page)

    def touch(kind: str, *apart: float) -> None:
        points = [{"x": x + at, "y": y, "id": number} for number, at in enumerate(apart)]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", -20)
    touch("touchStart", -20, 20)
    for apart in range(24, 64, 4):
        touch("touchMove", -apart, apart)
    touch("touchEnd")
    _becomes(svg, width * 1.5)
    assert page.evaluate("visualViewport.scale") == 1, "the page itself stays as it is"


def test_fingers_pull_a_zoomed_board(shown: Shown) -> None:
    page = shown(page_of("colonial", 20), PHONE, has_touch=True, is_mobile=True)
    page.locator(".rw-boards .rw-spot[data-row]").first.tap()
    picture = page.locator(".rw-zoomed")
    picture.scroll_into_view_if_needed()
    fingers = page.context.new_cdp_session(page)

    def places() -> tuple[float, float]:
        return picture.evaluate("one => one.scrollLeft"), page.evaluate("scrollY")

    def pull(right: float, down: float, *beside: float) -> Callable[[], tuple[float, float]]:
        """Pull; how far the picture has then moved to the right in its frame and the page down."""
        box = picture.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + 200
        before = places()
        for share in (None, 0.0, 0.25, 0.5, 0.75, 1.0):
            points = [
                {"x": x + at + right * (share or 0), "y": y + down * (share or 0), "id": number}
                for number, at in enumerate(beside)
            ]
            kind = "touchStart" if share is None else "touchMove"
            fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        return lambda: (before[0] - places()[0], before[1] - places()[1])

    so_far = pull(-80, -40, 0)
    until(lambda: so_far()[0] < -40 and so_far()[1] < -20)  # what the picture cannot, the page does
    so_far = pull(60, 0, -40, 40)
    until(lambda: so_far()[0] > 40)  # two fingers pull, too


def test_a_tap_on_a_small_space_enlarges_the_map_first(shown: Shown) -> None:
    page = shown(page_of("colonial", 20), PHONE, has_touch=True, is_mobile=True)
    page.evaluate(
        """() => document.addEventListener("click", (event) => {
            if (event.target.closest("[data-row]")) document.title = "asked"; })"""
    )
    space = page.locator(".rw-boards .rw-spot[data-row]").first
    space.scroll_into_view_if_needed()
    svg = page.locator(".rw-boards .rw-picture:has(.rw-spot[data-row]) svg").first
    width = _width(svg)
    space.tap()
    page.wait_for_selector(".rw-zoomed")
    _becomes(svg, width * 1.5)
    assert page.title() != "asked"
    box = space.bounding_box()
    assert box is not None
    assert 44 < min(box["width"], box["height"]) < 55, (
        "large enough, and its neighbours are in view"
    )
    space.tap()
    expect(page).to_have_title("asked")  # a second tap is a click
    page.get_by_role("button", name="Whole board").tap()
    page.wait_for_selector(".rw-zoomed", state="detached")
    _becomes(svg, width - 1, width + 1)
