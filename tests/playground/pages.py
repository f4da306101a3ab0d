"""The pages of the playground as a visitor uses them: each function waits until the page has done what it asks for."""

from __future__ import annotations

from playwright.sync_api import Frame, FrameLocator, Locator, Page, expect

Place = Page | FrameLocator
"""A page of the playground, or a frame with one."""


def inside(place: Place) -> FrameLocator:
    """The frame with the picture of the match."""
    return place.frame_locator("#match")


def match_of(page: Page) -> Frame:
    """The same frame, for scripts."""
    frame = page.locator("#match").element_handle().content_frame()
    assert frame is not None
    return frame


def wait_until_ready(page: Page) -> None:
    """Wait until a page that has just been opened has drawn its match."""
    expect(page.locator("#status")).to_have_text("Ready")


def wait_until_asked(place: Place, step: str | int = "") -> None:
    """Wait until a person is asked, or the match is over; before, a click in the picture does nothing."""
    at = f"[data-step='{step}']" if step != "" else ""
    expect(place.locator(f"#match[data-waits=yes]{at}")).to_have_count(1)


def begin_match(page: Page) -> None:
    """Begin a new match. The page has waited for nobody since the click."""
    page.get_by_role("button", name="New match").click()
    wait_until_asked(page)


def choose(place: Place, option: Locator | None = None) -> None:
    """Click an option, by default the first, and wait until a person is asked again."""
    wait_until_asked(place)
    before = place.locator("#match").get_attribute("data-step")
    (option or inside(place).locator(".rw-options button").first).click()
    expect(place.locator(f"#match[data-waits=yes]:not([data-step='{before}'])")).to_have_count(1)
