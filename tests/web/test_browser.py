"""Whole matches in a real browser: by clicks, by keys, on a phone, without script, through a restart of the server."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.browser import COLOURS, PATIENCE, launch_browser, serious, too_wide
from tests.games.variants import SHIPPED
from tests.waiting import PATIENCE as SECONDS
from tests.waiting import until
from tests.web.tables import Process, free_port, new_table
from tests.web.test_notices import http_stand_in

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow(reason="Chromium, and axe on each kind of page in both colour schemes"),
]
DESK, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
MOST = 400  # clicks of a match
_MOVED = """([url, number]) => document.readyState === "complete"
    && !document.querySelector("#match:not([data-live=yes])")
    && (location.href !== url || (document.querySelector("input[name=decision]")?.value ?? "") !== number)"""
"""Whether a page that is complete and listens to the server shows another decision than before."""

_HIGH = """sheet => {
  const style = getComputedStyle(sheet);
  const high = sheet.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom);
  return Math.round(high / parseFloat(style.lineHeight));
}"""
"""How many lines high a sheet is."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launch_browser() as found:
        yield found


@pytest.fixture(scope="module")
def process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    data = tmp_path_factory.mktemp("served") / "data"
    data.mkdir()
    with Process(data, *SHIPPED, more=("--rate", "100000")) as found:
        yield found
        found.stop()


@contextmanager
def device(browser: Browser, address: str, **more: Any) -> Iterator[Page]:
    """A page on a device of its own; nothing may be written to its console."""
    context: BrowserContext = browser.new_context(
        base_url=address, viewport=more.pop("viewport", DESK), reduced_motion="reduce", **more
    )
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    told: list[str] = []
    page.on("console", lambda one: told.append(one.text) if one.type == "error" else None)
    page.on("pageerror", lambda one: told.append(str(one)))
    try:
        yield page
        lost = [
            one
            for one in told
            if not any(f"ERR_{word}" in one for word in ("CONNECTION", "INCOMPLETE", "EMPTY"))
        ]
        assert lost == []
    finally:
        context.close()


def create(page: Page, game: str, *seats: str, **fields: str) -> str:
    """Create a table by the form; returns its address."""
    page.goto(f"/new/{game}?players={len(seats)}")
    page.fill("input[name=name]", "Ann")
    for number, who in enumerate(seats):
        page.select_option(f"select[name=seat{number}]", who)
    for name, value in fields.items():
        page.select_option(f"select[name={name}]", value)
    page.click("button.main")
    page.wait_for_url("**/t/*")
    return page.url


def links(page: Page, table: str) -> list[str]:
    """The links of a table: of the seats, of spectators, of the host."""
    page.goto(f"{table}/host")
    return [one.input_value() for one in page.locator("input.address").all()]


def sit(page: Page, link: str, name: str) -> None:
    """Use the link of a seat."""
    page.goto(link)
    page.fill("input[name=name]", name)
    page.click("button.main")
    page.wait_for_url(re.compile("/s/[0-9]+"))


def decision(page: Page) -> str:
    """The number of the decision on the page, "" if there is none."""
    return str(page.evaluate("document.querySelector('input[name=decision]')?.value ?? ''"))


def listens(page: Page) -> None:
    """Wait until the page hears what the server sends. If it does not, it is loaded again after each click."""
    page.wait_for_selector("#match[data-live=yes]")


@contextmanager
def wait_for_decision(page: Page) -> Iterator[None]:
    """After the steps in the `with` block, wait until the page shows another decision."""
    listens(page)
    before = page.url, decision(page)
    yield
    page.wait_for_function(_MOVED, arg=list(before))


def choose(page: Page, place: int) -> None:
    """Click an option, and wait until the page shows the next decision."""
    options = page.locator(".rw-options button:visible")
    options.first.wait_for()
    with wait_for_decision(page):
        options.nth(place % options.count()).click()


def is_over(page: Page) -> bool:
    return page.locator("#status .over").count() > 0


def test_the_seconds_that_a_bot_thinks_are_counted(browser: Browser, process: Process) -> None:
    """A bot may answer at once, so its place for the seconds is put into the page."""
    with device(browser, process.address) as page:
        create(page, "tic_tac_toe", "me", "bot:random")
        page.evaluate("""() => document.querySelector("main").insertAdjacentHTML(
            "beforeend", '<span data-seconds="s"></span>')""")
        seconds = re.compile(r"^\s*([2-9]|\d\d+) s$")
        expect(page.locator("[data-seconds]")).to_have_text(seconds, timeout=PATIENCE)


def test_two_browsers_play_against_each_other(browser: Browser, process: Process) -> None:
    with device(browser, process.address) as ann, device(browser, process.address) as bob:
        table = create(ann, "connect_four", "me", "link")
        sit(bob, links(ann, table)[1], "Bob")
        ann.goto(f"{table}/s/0")
        number = 0
        for number in range(MOST):
            mover, other = (ann, bob) if number % 2 == 0 else (bob, ann)
            mover.wait_for_selector(".rw-options button")
            choose(mover, 0)
            if is_over(mover):
                break
            other.wait_for_selector(".rw-options button")
        expect(ann.locator("#status .over")).to_have_text(re.compile("The match is over"))
        expect(bob.locator("#status .over")).to_have_text(re.compile("The match is over"))
        assert number > 6


def test_an_option_is_chosen_where_it_lies(browser: Browser, process: Process) -> None:
    with device(browser, process.address) as page:
        table = create(page, "tic_tac_toe", "me", "me")
        page.goto(f"{table}/s/0")
        with wait_for_decision(page):
            page.locator(".rw-board [data-option]").nth(4).click()


def test_a_phone_shows_the_question_and_plays_to_the_end(
    browser: Browser, process: Process
) -> None:
    with device(browser, process.address, viewport=PHONE, has_touch=True, is_mobile=True) as page:
        table = create(page, "love_letter", "me", "bot:random")
        page.goto(f"{table}/s/0")
        for number in range(MOST):
            page.wait_for_selector(".rw-options button, #status .over")
            if is_over(page):
                break
            box = page.locator("section#question").bounding_box()
            assert (
                box is not None and box["y"] < PHONE["height"] and box["y"] + 40 <= PHONE["height"]
            )
            assert too_wide(page) == []
            choose(page, number)
        expect(page.locator("#status .over")).to_be_visible()


def test_a_game_is_played_by_keyboard_alone(browser: Browser, process: Process) -> None:
    with device(browser, process.address) as page:
        table = create(page, "tic_tac_toe", "me", "bot:random")
        page.goto(f"{table}/s/0")
        for _ in range(5):
            page.wait_for_selector(".rw-options button, #status .over")
            if is_over(page):
                break
            with wait_for_decision(page):
                for _ in range(60):
                    page.keyboard.press("Tab")
                    if page.evaluate("document.activeElement.matches('.rw-options button')"):
                        break
                page.keyboard.press("Enter")
        expect(page.locator("#status .over")).to_be_visible()


def test_undo_needs_the_consent_of_the_others(browser: Browser, process: Process) -> None:
    with device(browser, process.address) as ann, device(browser, process.address) as bob:
        table = create(ann, "connect_four", "me", "link", undo="consent")
        sit(bob, links(ann, table)[1], "Bob")
        ann.goto(f"{table}/s/0")
        choose(ann, 3)
        ann.get_by_role("button", name="Take back").click()
        expect(ann.locator("#ask")).to_contain_text("The others must agree")
        expect(bob.locator("#ask")).to_contain_text("Ann wants to take back")
        bob.get_by_role("button", name="Agree").click()
        expect(ann.locator("#log")).to_contain_text("taken back")
        ann.wait_for_selector(".rw-options button")


def test_hotseat_hides_what_the_other_holds(browser: Browser, process: Process) -> None:
    with device(browser, process.address) as page:
        table = create(page, "love_letter", "me", "me")
        page.goto(table)
        page.get_by_role("link", name="Play on one device").click()
        shown = ".rw-options button, h1:has-text('Pass the device'), #status .over"
        for _ in range(12):
            page.wait_for_selector(shown)
            if page.locator("h1:has-text('Pass the device')").count():
                assert page.locator(".rw-piece").count() == 0
                page.get_by_role("link", name=re.compile("I am")).click()
                page.wait_for_url(re.compile("/s/[0-9]+"))
                continue
            if is_over(page):
                break
            choose(page, 0)
        page.wait_for_selector(shown)


def test_a_device_that_hears_nothing_still_goes_to_the_next_seat(
    browser: Browser, process: Process
) -> None:
    with device(browser, process.address) as page:
        table = create(page, "love_letter", "me", "me")
        page.goto(f"{table}/hot")
        page.get_by_role("link", name=re.compile("I am")).click()
        page.wait_for_url(re.compile("/s/[0-9]+"))
        page.route("**/events*", lambda _: None)  # it is never answered
        page.reload()
        for _ in range(9):  # the same player may decide again
            with page.expect_navigation():
                page.locator(".rw-options button:visible").first.click()
            if "Pass the device" in page.locator("h1").inner_text():
                break
        expect(page.locator("h1")).to_contain_text("Pass the device")


def test_watching_follows_and_shows_no_hand(browser: Browser, process: Process) -> None:
    with device(browser, process.address) as ann, device(browser, process.address) as guest:
        table = create(ann, "love_letter", "me", "me")
        watch = links(ann, table)[2]
        guest.goto(watch)
        guest.get_by_role("button", name="Watch the match").click()
        listens(guest)
        expect(guest.locator("#log")).to_be_visible()
        assert guest.locator(".rw-options button").count() == 0
        assert guest.locator("[data-zone=hand] [data-row]").count() == 0
        ann.goto(f"{table}/hot")
        ann.get_by_role("link", name=re.compile("I am")).click()
        ann.wait_for_url(re.compile("/s/[0-9]+"))
        number = guest.locator("#match").get_attribute("data-number")
        choose(ann, 0)
        guest.wait_for_function(
            "n => document.querySelector('#match').dataset.number !== n", arg=number
        )


def test_the_page_comes_back_after_a_restart(browser: Browser, tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    with free_port() as port, ExitStack() as running:
        process = running.enter_context(Process(data, "connect_four", port=port))
        with device(browser, process.address) as page:
            table = create(page, "connect_four", "me", "bot:random")
            page.goto(f"{table}/s/0")
            choose(page, 2)
            page.wait_for_selector(".rw-options button")
            listens(page)
            process.kill()
            expect(page.locator(".offline")).to_be_visible()
            running.enter_context(Process(data, "connect_four", port=port))
            listens(page)
            expect(page.locator(".offline")).to_have_count(0)
            choose(page, 3)
            expect(page.locator("#log li")).to_have_count(4)


_COUNT_SOUNDS = """
window.sounds = [];
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function () { sounds.push(this.context.state); start.call(this); };
"""


def test_a_sound_plays_at_my_turn_if_it_is_switched_on(browser: Browser, process: Process) -> None:
    with device(browser, process.address) as ann, device(browser, process.address) as bob:
        for page in (ann, bob):
            page.add_init_script(_COUNT_SOUNDS)
        table = create(ann, "connect_four", "me", "link")
        sit(bob, links(ann, table)[1], "Bob")
        ann.goto(f"{table}/s/0")
        listens(bob)
        choose(ann, 0)
        choose(bob, 0)
        expect(ann.locator(".rw-options button")).not_to_have_count(0)
        assert [page.evaluate("sounds") for page in (ann, bob)] == [[], []]
        bob.locator("#more-parts > summary").click()
        bob.locator("#sound").check()
        assert bob.evaluate("sounds") == ["running"], "so one hears how it sounds"
        choose(ann, 0)
        bob.wait_for_function("() => sounds.length === 2")
        choose(bob, 0)
        expect(ann.locator(".rw-options button")).not_to_have_count(0)
        assert [page.evaluate("sounds") for page in (ann, bob)] == [[], ["running"] * 2]


def test_long_lines_of_the_log_begin_below_their_text(browser: Browser, process: Process) -> None:
    with device(browser, process.address, viewport=PHONE) as page:
        table = create(page, "connect_four", "me", "me")
        page.goto(f"{table}/s/0")
        choose(page, 0)
        page.goto(f"{table}/s/0")
        lefts = page.locator("#log li").first.evaluate(
            """line => {
              const text = line.lastChild;
              text.textContent = " " + "long words ".repeat(40);
              const range = document.createRange();
              range.selectNodeContents(text);
              return [...range.getClientRects()].filter(box => box.width > 9).map(box => box.left);
            }"""
        )
        assert len(lefts) > 2 and max(lefts) - min(lefts) < 5


def test_a_push_service_wakes_the_browser(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    push = ("--push", "mailto:host@example.org", "--private-addresses", "--notice-after", "0")
    with (
        free_port() as port,
        Process(
            *(tmp_path / "data", "pig"),
            more=("--public-url", f"http://localhost:{port}", *push),
            port=port,
        ) as process,
        http_stand_in() as service,
        device(browser, process.address) as ann,
        device(browser, process.address, permissions=["notifications"]) as bob,
    ):
        table = create(ann, "pig", "me", "link")
        sit(bob, links(ann, table)[1], "Bob")
        bob.goto(f"{bob.url}/notices")
        bob.evaluate(
            "() => { PushManager.prototype.subscribe = () => new Promise(go => { window.answer = go; }); }"
        )
        bob.get_by_role("button", name="Show me notices").click()
        expect(bob.get_by_role("status")).to_contain_text("Waiting for the push service")
        bob.wait_for_function("() => window.answer")
        bob.evaluate("endpoint => { answer({ endpoint }); }", f"{service.address}/push")
        expect(bob.locator(".seats")).to_contain_text("a browser")
        ann.goto(f"{table}/s/0")
        ann.locator(".rw-options button", has_text="hold").click()
        until(lambda: service.got)
        assert service.got[0][0] == "/push"
        assert _shown_by_push(bob, f"http://localhost:{port}") == [
            "Rulewright",
            "It is your turn",
            200,
        ]


def _shown_by_push(page: Page, origin: str) -> list[object]:
    """The notice that an empty message shows: its title and text, and the status of its picture."""
    found: list[dict[str, str]] = []
    tools = page.context.new_cdp_session(page)
    tools.on(
        "ServiceWorker.workerRegistrationUpdated", lambda told: found.extend(told["registrations"])
    )
    tools.send("ServiceWorker.enable")
    until(lambda: page.evaluate("navigator.serviceWorker.ready.then(() => true)") and found)
    message = {"origin": origin, "registrationId": found[-1]["registrationId"], "data": ""}
    tools.send("ServiceWorker.deliverPushMessage", message)
    shown: list[object] = []

    def look() -> list[object]:
        shown[:] = page.evaluate(
            """async () => {
              const [found] = await (await navigator.serviceWorker.ready).getNotifications();
              return found ? [found.title, found.body, (await fetch(found.icon)).status] : [];
            }"""
        )
        return shown

    until(look)
    return shown


def test_without_script_forms_do(browser: Browser, process: Process) -> None:
    with device(browser, process.address, java_script_enabled=False) as page:
        table = create(page, "tic_tac_toe", "me", "me")
        page.goto(f"{table}/hot")
        for _ in range(9):
            if page.locator("#status .over").count():
                break
            with page.expect_navigation():
                page.locator(".rw-options button").first.click()
        expect(page.locator("#status .over")).to_be_visible()
        page.get_by_role("link", name="Replay").first.click()
        expect(page.locator("#controls")).to_contain_text("Step")


def test_replay_with_a_slider(browser: Browser, process: Process) -> None:
    with device(browser, process.address) as page:
        table = create(page, "connect_four", "bot:random", "me")
        page.goto(f"{table}/s/1")
        for number in range(MOST):
            page.wait_for_selector(".rw-options button, #status .over")
            if is_over(page):
                break
            choose(page, number)
        page.goto(f"{table}/s/1/replay?step=1")
        expect(page.locator("#controls")).to_contain_text("Step 1 of")
        page.locator("#slider").focus()
        page.keyboard.press("ArrowRight")
        expect(page.locator("#controls")).to_contain_text("Step 2 of")
        page.select_option("select[name=as]", "0")
        page.wait_for_url("**as=0**")


def test_why_look_and_chat(browser: Browser, process: Process) -> None:
    with device(browser, process.address) as page:
        table = create(page, "love_letter", "me", "me")
        page.goto(f"{table}/s/0")
        page.locator("#more-parts summary").click()
        page.fill("input[name=at]", "princess")
        page.get_by_role("button", name="Ask").click()
        expect(page.locator("#answer")).to_contain_text("princess")
        page.keyboard.press("Escape")
        page.fill("#chat-text", "hello <b>there</b>")
        page.get_by_role("button", name="Say", exact=True).click()
        expect(page.locator("#chat")).to_contain_text("hello <b>there</b>")
        expect(page.locator("#chat-text")).to_have_value("")


def test_an_answer_after_its_dialog_is_closed_is_dropped(
    browser: Browser, process: Process
) -> None:
    with device(browser, process.address) as page:
        table = create(page, "reversi", "me", "me")
        page.goto(f"{table}/s/0")
        held: list[Route] = []

        def hold(route: Route) -> None:
            held.append(route)

        page.route("**/hint", hold)
        page.get_by_role("link", name="Hint").click()
        expect(page.locator("#answer")).to_contain_text("A bot is thinking")
        page.keyboard.press("Escape")
        page.locator("[data-row=d4]").first.click()
        expect(page.locator("#answer")).to_contain_text("a disc lies on d4 already")
        with page.expect_response("**/hint") as late:
            held[0].fulfill(body="too late")
        late.value.finished()
        page.keyboard.press("Escape")
        expect(page.locator("#answer")).to_be_hidden()
        assert "too late" not in page.locator("#answer").inner_html()


def test_a_click_on_a_thing_tells_of_it_and_why_it_cannot_be_chosen(
    browser: Browser, process: Process
) -> None:
    with device(browser, process.address) as page:
        table = create(page, "reversi", "me", "me")
        page.goto(f"{table}/s/0")
        page.locator("[data-row=d4]").first.click()
        expect(page.locator("#answer")).to_contain_text("a disc lies on d4 already")
        page.keyboard.press("Escape")
        page.locator("[data-row=a1]").first.click()
        expect(page.locator("#answer")).to_contain_text("a disc on a1 would turn nothing")


_SOME = {"love_letter", "endeavor", "through_the_ages"}
"""Games with cards, with a map, and with the longest page; `test_boxes` checks the main part of other pages."""


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in _SOME else pytest.mark.deep) for name in SHIPPED],
)
def test_first_and_middle_page_of_every_game(browser: Browser, process: Process, name: str) -> None:
    with httpx.Client(base_url=process.address, timeout=SECONDS) as client:
        page_text = client.get(f"/new/{name}").text
        seats = len(re.findall(r'name="seat\d+"', page_text))
        table = new_table(client, name, *["me"] * seats)
        cookies = [
            {"name": one.name, "value": one.value, "url": f"{process.address}/t/{table}"}
            for one in client.cookies.jar
        ]
        with device(browser, process.address) as page:
            page.context.add_cookies(cookies)  # type: ignore[arg-type]
            for steps in (0, 12):
                seat = _random_choices(client, table, seats, steps)
                for size in (DESK, PHONE):
                    page.set_viewport_size(size)  # type: ignore[arg-type]
                    page.goto(f"/t/{table}/s/{seat}")
                    if not is_over(page):  # a poker may end within twelve choices
                        box = page.locator("section#question").bounding_box()
                        assert box is not None and 0 <= box["y"] < size["height"] - 30
                    assert page.locator(".rw-game section:visible").count() > 2
                    assert too_wide(page) == []


def _random_choices(client: httpx.Client, table: str, seats: int, steps: int) -> int:
    """Make some choices over HTTP; returns the seat that decides."""
    seat, text, options = 0, "", list[str]()
    for step in range(steps + 1):
        for seat in range(seats):
            text = client.get(f"/t/{table}/s/{seat}").text
            options = re.findall(r'name="option" value="(\d+)"', text)
            if options:
                break
        if step == steps or not options:
            break
        fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', text))
        client.post(
            f"/t/{table}/s/{seat}/choose", data={**fields, "option": options[step % len(options)]}
        )
    return seat


def _over(page: Page) -> str:
    """A seat of a match that is over, with a note."""
    page.goto("/new/tic_tac_toe?players=2")
    page.fill("input[name=name]", "Ann")
    for number in range(2):
        page.select_option(f"select[name=seat{number}]", "me")
    page.check("input[name=notes]")
    page.click("button.main")
    page.wait_for_url("**/t/*")
    table = page.url
    for number in range(9):
        page.goto(f"{table}/s/{number % 2}")
        if page.locator(".over").count():
            break
        if not number:
            listens(page)
            page.locator("#more-parts summary").click()
            page.get_by_label("A note about this position").fill("too long")
            with page.expect_response(lambda found: found.request.method == "POST"):
                page.get_by_role("button", name="Save the note").click()
        choose(page, 0)
    page.goto(f"{table}/s/0")
    expect(page.locator(".over")).to_be_visible()
    return f"{table}/s/0"


def test_axe_finds_nothing_serious_on_any_kind_of_page(browser: Browser, process: Process) -> None:
    found: list[str] = []
    with device(browser, process.address, viewport=PHONE) as page:

        def look(address: str) -> None:
            page.goto(address)
            found.extend(f"{address}: {each}" for each in too_wide(page))
            page.emulate_media(color_scheme="light")
            found.extend(f"{address}: {each}" for each in serious(page))
            page.emulate_media(color_scheme="dark")
            found.extend(f"{address}, dark: {each}" for each in serious(page, COLOURS))

        for address in ("/", "/rules/love_letter", "/new/love_letter"):
            look(address)
        table = create(page, "love_letter", "me", "me", "link")
        key = links(page, table)[2]
        for address in (table, f"{table}/host", key):
            look(address)
        sit(page, key, "Bob")
        seat = ""
        for number in range(3):
            seat = f"{table}/s/{number}"
            page.goto(seat)
            if page.locator(".rw-options button").count():
                break
        choose(page, 0)
        asked = "/look?at=princess"
        for what in ("", "/plan", "/replay", "/rules", "/log", "/score", "/why", asked):
            look(f"{seat}{what}")
        look(f"{table}/hot")
        for number in range(
            3
        ):  # a hint for a player who does not decide needs no bot, which may take long
            page.goto(f"{table}/s/{number}")
            if not page.locator(".rw-options button").count():
                look(f"{table}/s/{number}/hint")
                break
        page.goto(f"{seat}/score")
        assert page.locator("pre").evaluate(_HIGH) == len(page.inner_text("pre").splitlines())
        look(f"{table}/w")
        look(f"{seat}/notices")
        ended = _over(page)
        for what in ("", "/replay?step=2", "/statistics", "/notes", "/log", "/score"):
            look(f"{ended}{what}")
        failures = browser.new_context(viewport=PHONE)  # type: ignore[arg-type]
        failures.set_default_timeout(PATIENCE)
        for address in (
            f"{process.address}/nothing",
            f"{process.address}/t/0",
            f"{table}/s/9",
            seat,
        ):
            one = failures.new_page()
            one.goto(address)
            assert one.locator(".problem").count() == 1
            found += (f"{address}: {each}" for each in (*serious(one), *too_wide(one)))
            one.emulate_media(color_scheme="dark")
            found += (f"{address}, dark: {each}" for each in serious(one, COLOURS))
        failures.close()
        page.set_viewport_size(DESK)  # type: ignore[arg-type]
        page.emulate_media(color_scheme="dark")
        look(seat)
        page.locator("#more-parts summary").click()
        page.fill("input[name=at]", "princess")
        page.get_by_role("button", name="Ask").click()
        expect(page.locator("#answer")).to_contain_text("princess")
        found += (f"the dialog: {each}" for each in serious(page))
    assert not found, "\n".join(found)
