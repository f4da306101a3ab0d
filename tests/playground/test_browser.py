"""The playground in Chromium, from a plain server of files: edit, break, fix, play, share, reopen, without network."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Dialog, Page, expect

from rulewright.cli.commands.hosting.serve import load_rules, rule_texts
from rulewright.interpreter.questions.rulebook import for_reading, passages
from rulewright.playground.native import modules_of
from rulewright.playground.site import example_of, player_of, single_page, write_site
from tests.browser import PATIENCE, files_served, launch_browser
from tests.playground.pages import begin_match, choose, inside, wait_until_asked, wait_until_ready

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow(
        reason="each page starts Python in Chromium, and the first also writes the site"
    ),
]
GAMES = ("tic_tac_toe", "love_letter", "night_market")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The playground, with the page of one game in the folder `one`."""
    out = tmp_path_factory.mktemp("site")
    games = {name: load_rules(name) for name in GAMES}
    examples = {name: example_of(game, rule_texts(game)) for name, game in games.items()}
    modules = modules_of([games["tic_tac_toe"], games["love_letter"]], lambda what: None)
    write_site(out, examples, modules=modules)
    one = {"love_letter": player_of(games["love_letter"], examples["love_letter"])}
    write_site(out / "one", one, "love_letter", modules=modules)
    write_site(out / "damaged", one, "love_letter")
    for game in ("games/damaged.json.gz", "damaged/games/love_letter.json.gz"):
        (out / game).write_bytes(b"not packed")
    return out


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    with files_served(site) as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launch_browser() as found:
        yield found


@pytest.fixture(scope="module")
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A visitor: the browser's cache makes later visits faster."""
    found = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    found.set_default_timeout(PATIENCE)
    yield found
    found.close()


@pytest.fixture
def page(context: BrowserContext, address: str) -> Iterator[Page]:
    """A page; its console must have no errors, and it must not contact another server."""
    page = context.new_page()
    # the page of an earlier visitor may have kept its game when it was being closed
    forget = {"origin": address.rstrip("/"), "storageTypes": "local_storage"}
    context.new_cdp_session(page).send("Storage.clearDataForOrigin", forget)
    wrong: list[str] = []
    page.on("console", lambda one: wrong.append(one.text) if one.type == "error" else None)
    page.on("pageerror", lambda one: wrong.append(str(one)))
    page.on(
        "request",
        lambda one: (
            wrong.append(one.url)
            if not one.url.startswith(("http://127.0.0.1:", "data:", "blob:"))
            else None
        ),
    )
    yield page
    context.set_offline(False)
    page.close()
    assert wrong == []


def typed_over(page: Page, before: str, after: str) -> None:
    """Change the first line of the text with these words."""
    line = page.locator(".cm-line", has_text=before).first
    line.scroll_into_view_if_needed()
    line.click()
    page.keyboard.press("End")
    page.keyboard.press("Shift+Home")
    page.keyboard.insert_text(line.inner_text().lstrip().replace(before, after))


def test_edit_break_fix_play_share_reopen(page: Page, address: str) -> None:
    page.goto(f"{address}#example=tic_tac_toe")  # otherwise the page continues with the last game
    wait_until_ready(page)
    titles = [load_rules(name).title for name in GAMES]
    assert page.locator("#examples option").all_inner_texts() == ["Examples…", *titles]
    expect(page.locator("#problems")).to_have_text("No problems")

    expect(page.locator("#engine-note")).to_contain_text("native code.")

    typed_over(page, "players 2", "playrs 2")
    expect(page.locator("#problems .error").first).to_contain_text("playrs")
    expect(page.locator("#status")).to_contain_text("There are problems")
    typed_over(page, "playrs 2", "players 2")
    expect(page.locator("#problems")).to_have_text("No problems")
    wait_until_ready(page)

    typed_over(page, 'game "Tic-tac-toe"', 'game "Noughts & <b>Crosses</b>"')
    expect(page).to_have_title("Noughts & <b>Crosses</b>")
    wait_until_ready(page)
    expect(page.locator("#engine-note")).to_contain_text("generated Python")
    page.locator("select[name=seat-1]").select_option("you")
    begin_match(page)
    for mark in ("a1", "b1", "a2", "b2"):
        choose(page, inside(page).locator(".rw-options button", has_text=mark))
        expect(inside(page).locator(".rw-options button", has_text=mark)).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    wait_until_asked(page, 3)
    expect(inside(page).locator(".rw-options button", has_text="b2")).to_have_count(1)
    for mark in ("b3", "a3"):
        choose(page, inside(page).locator(".rw-options button", has_text=mark))
    expect(inside(page).locator("#question")).to_contain_text("player 1 wins")

    page.get_by_role("button", name="Run scenarios").click()
    expect(page.locator("#output")).to_contain_text("rulewright test")
    expect(page.locator("#output")).not_to_contain_text("Working")
    page.get_by_role("button", name="Simulate").click()
    expect(page.locator("#output")).to_contain_text("200 games")

    page.get_by_role("button", name="Share link").click()
    link = page.locator("#link").input_value()
    assert link.startswith(f"{address}#game=")
    page.goto("about:blank")
    page.goto(link)
    expect(page).to_have_title("Noughts & <b>Crosses</b>")


def test_moves_and_edits_do_not_wait_for_a_command(page: Page, address: str) -> None:
    page.goto(f"{address}#example=tic_tac_toe")
    wait_until_ready(page)
    page.locator("#command-line").fill("simulate --games 9000000")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator("#output")).to_contain_text("Working")
    for step in (2, 4):
        choose(page)
        wait_until_asked(page, step)
    typed_over(page, 'game "Tic-tac-toe"', 'game "Noughts"')
    expect(page).to_have_title("Noughts")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#output")).to_contain_text("stopped")
    expect(page.locator("#match")).to_have_attribute("data-step", "4")
    typed_over(page, "players 2", "playrs 2")
    expect(page.locator("#problems .error").first).to_contain_text("playrs")


def test_a_game_that_cannot_be_loaded_is_named(page: Page, address: str) -> None:
    page.goto(f"{address}#example=damaged")
    wait_until_ready(page)  # with another game
    note = "This link holds no game: the example damaged cannot be loaded."
    expect(page.locator("#note")).to_have_text(note)
    page.goto(f"{address}damaged/")
    expect(page.locator("html[data-memory]")).to_have_count(1)  # Python has been started
    expect(page.locator("#status")).not_to_contain_text("Reading")


def test_a_click_right_after_new_match_does_nothing(page: Page, address: str) -> None:
    page.goto(f"{address}#example=tic_tac_toe")
    wait_until_ready(page)
    choose(page)
    wait_until_asked(page, 2)
    at_once = """() => {
      document.querySelector("#setup > button").click();
      const source = document.querySelector("#match").contentWindow;
      dispatchEvent(new MessageEvent("message", { source, data: { chosen: "1" } })); // a click in the old picture
      return document.querySelector("#match").dataset.waits;
    }"""
    assert page.evaluate(at_once) == "no"
    wait_until_asked(page, 0)
    expect(inside(page).locator(".rw-options button")).to_have_count(9)


def test_a_game_with_secrets_is_played_against_a_bot(page: Page, address: str) -> None:
    page.goto(f"{address}#example=love_letter")
    wait_until_ready(page)
    expect(page.locator("#secret-note")).to_contain_text("All secrets")
    for _ in range(6):
        before = inside(page).locator("#match").inner_text()
        choose(page)
        assert inside(page).locator("#match").inner_text() != before
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("#answer h2")).to_have_text("Hint")
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Rules", exact=True).click()
    rules = page.locator("#answer .rulebook")
    expect(rules.locator("h3").first).to_have_text("What is in the box")
    expect(rules.locator("li", has_text="LL-010").locator("em")).to_contain_text("Draw lots")
    assert page.locator("#answer").evaluate("box => box.scrollTop") == 0, (
        "reading begins at the top"
    )
    expect(page.get_by_role("button", name="Close")).to_be_in_viewport()
    text = """\
| stall | a *cheap* place |
| --- | --- |
| wick | short |

```
first  line
of verse
```

- **LF-001** Light <b> n * (n + 1) lanterns.
"""
    shown = for_reading(passages(text, markdown=True), 1000)
    made = "async lines => (await import('./words.js')).rulebook(lines).innerHTML"
    assert page.evaluate(made, shown) == (
        "<table><tbody><tr><th>stall</th><th>a <em>cheap</em> place</th></tr>"
        "<tr><td>wick</td><td>short</td></tr></tbody></table>"
        "<pre>first  line\nof verse</pre>"
        '<ul><li><span class="clause">LF-001 </span>Light &lt;b&gt; n * (n + 1) lanterns.</li></ul>'
    )


def test_a_table_is_edited_as_cells(page: Page, address: str) -> None:
    page.goto(f"{address}#example=night_market")
    wait_until_ready(page)
    page.get_by_role("tab", name="night_market.csv").click()
    cell = page.locator("#sheet input").nth(7)
    before = cell.input_value()
    cell.fill(f"{before}x")
    page.get_by_role("tab", name="night_market.game").click()
    page.get_by_role("tab", name="night_market.csv").click()
    expect(page.locator("#sheet input").nth(7)).to_have_value(f"{before}x")


def test_it_works_without_a_network_after_the_first_visit(page: Page, address: str) -> None:
    page.goto(address)
    wait_until_ready(page)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.context.set_offline(True)
    page.reload()
    wait_until_ready(page)
    choose(page)
    expect(page.locator("#match-tools button").first).to_be_enabled()


def test_a_link_that_is_no_game_says_so(page: Page, address: str) -> None:
    page.goto(f"{address}#game=AAAA")
    expect(inside(page).locator("#match .rw-section").first).to_be_attached()


def test_on_a_phone_nothing_is_wider_than_the_screen(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{address}#example=love_letter")
    wait_until_ready(page)
    for pane in ("Rules", "Play", "Checks"):
        page.get_by_role("button", name=pane, exact=True).first.click()
        shown = page.locator("main > section:visible")
        expect(shown).to_have_count(1)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, pane


def test_an_exported_game_is_played_and_not_edited(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{address}one/")
    wait_until_ready(page)
    expect(page.locator("#text")).to_be_hidden()
    expect(page.locator("#checks")).to_be_hidden()
    choose(page)
    expect(page.locator("#undo")).to_be_enabled()
    expect(page.locator("#secret-note")).to_contain_text("All secrets")


def test_undo_names_disclosures_first(context: BrowserContext, tmp_path: Path) -> None:
    game = load_rules("pig")
    path = tmp_path / "pig.html"
    path.write_text(
        single_page("pig", player_of(game, example_of(game, rule_texts(game))), {}), "utf-8"
    )
    page = context.new_page()
    page.goto(path.as_uri())
    choose(page, inside(page).locator(".rw-options button", has_text="roll"))
    undo = page.locator("#undo")
    asked: list[str] = []

    def answer(dialog: Dialog) -> None:
        asked.append(dialog.message)
        (dialog.accept if len(asked) == 2 else dialog.dismiss)()

    page.on("dialog", answer)
    for _ in range(2):
        with page.expect_event("dialog"):
            undo.click()
    expect(undo).to_be_disabled()
    assert len(asked) == 2
    assert all("this choice has already revealed: " in each for each in asked)
    page.close()


ASKED = """
    const post = Worker.prototype.postMessage;
    globalThis.asked = [];
    Worker.prototype.postMessage = function (data, ...more) {
        asked.push(JSON.parse(data.text ?? "{}").ask);
        post.call(this, data, ...more);
    };
"""


def test_functions_are_written_while_a_person_thinks(page: Page, address: str) -> None:
    page.add_init_script(ASKED)
    page.goto(f"{address}#example=tic_tac_toe")
    wait_until_ready(page)
    page.wait_for_function("() => asked.includes('prepare')")
    typed_over(page, 'game "Tic-tac-toe"', 'game "Noughts"')
    expect(page).to_have_title("Noughts")
    wait_until_asked(page)
    since = "asked.slice(asked.lastIndexOf('create'))"
    page.wait_for_function(f"() => {since}.includes('engine')")
    assert not page.evaluate(f"{since}.includes('prepare')")  # an author may edit again
    choose(page)
    page.wait_for_function(f"() => {since}.includes('prepare')")


@pytest.mark.parametrize(
    ("place", "visits"),
    [
        ("one/", ("kept", "earlier")),
        pytest.param("#example=tic_tac_toe", ("kept", "earlier"), marks=pytest.mark.deep),
    ],
)
def test_later_visits_begin_from_memory_that_the_browser_has_kept(
    browser: Browser, address: str, place: str, visits: tuple[str, ...]
) -> None:
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    wrong: list[str] = []
    for memory in visits:
        page = context.new_page()
        page.on("console", lambda one: wrong.append(one.text) if one.type != "log" else None)
        page.on("pageerror", lambda one: wrong.append(str(one)))
        page.goto(f"{address}{place}")
        wait_until_ready(page)
        expect(page.locator("#engine-note")).to_contain_text("native code.")
        expect(page.locator(f"html[data-memory={memory}]")).to_have_count(1)
        choose(page)
        page.close()
    context.close()
    assert wrong == []


def test_a_bot_thinks_in_native_code_without_a_network(page: Page, address: str) -> None:
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url))
    page.goto(f"{address}one/")
    wait_until_ready(page)
    expect(page.locator("#engine-note")).to_contain_text("native code.")  # now it is cached
    kernels = {url.rpartition("/")[2] for url in asked if "/native/" in url}
    assert {"search.wasm.gz", "sights.wasm.gz"} <= kernels
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.context.set_offline(True)
    page.reload()
    wait_until_ready(page)
    expect(page.locator("#engine-note")).to_contain_text("native code.")
    page.locator("select[name=seat-1]").select_option("easy")
    begin_match(page)
    before = inside(page).locator("#match").inner_text()
    choose(page)
    assert inside(page).locator("#match").inner_text() != before


def test_only_the_variant_that_is_played_is_loaded(browser: Browser, tmp_path: Path) -> None:
    game = load_rules("pig")
    example = player_of(game, example_of(game, rule_texts(game)))
    modules = modules_of([game], lambda what: None)
    write_site(tmp_path, {"pig": example}, "pig", modules=modules)
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    asked: list[str] = []
    context.on("request", lambda one: asked.append(one.url.partition("/")[2]))

    def play_with(page: Page, players: str) -> None:
        page.locator("select[name=players]").select_option(players)
        page.get_by_role("button", name="New match").click()

    with files_served(tmp_path) as address:
        page = context.new_page()
        page.goto(address)
        wait_until_ready(page)
        expect(page.locator("#engine-note")).to_contain_text("native code.")
        expect(page.locator("#offline-note")).to_contain_text("played here once")
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        play_with(page, "3")
        expect(inside(page).locator(".rw-player")).to_have_count(3)
        expect(page.locator("#engine-note")).to_contain_text("native code.")
        programs = {one.rpartition("/")[2] for one in asked if "/programs/" in one}
        assert programs == {"about.json.gz", "2.json.gz", "3.json.gz"}
        assert (
            len({one for one in asked if "/native/" in one}) == 3
        )  # one of them is the search of bots
        page.close()

        context.set_offline(True)
        page = context.new_page()
        page.goto(address)
        wait_until_ready(page)
        play_with(page, "4")
        expect(page.locator("#status")).to_contain_text("needs the network once")
        play_with(page, "3")
        expect(inside(page).locator(".rw-player")).to_have_count(3)
        expect(page.locator("#engine-note")).to_contain_text("native code.")
        context.set_offline(False)
        play_with(page, "4")
        expect(inside(page).locator(".rw-player")).to_have_count(4)
    context.close()


def test_a_page_in_one_file_is_played_without_a_server(
    context: BrowserContext, tmp_path: Path
) -> None:
    game = load_rules("love_letter")
    path = tmp_path / "love_letter.html"
    modules = modules_of([game], lambda what: None)
    found = single_page("love_letter", player_of(game, example_of(game, rule_texts(game))), modules)
    path.write_text(found, "utf-8")
    page = context.new_page()
    wrong: list[str] = []
    page.on("console", lambda one: wrong.append(one.text) if one.type == "error" else None)
    context.set_offline(True)
    page.goto(path.as_uri())
    choose(page)
    expect(page.locator("#undo")).to_be_enabled()
    expect(page.locator("#text")).to_be_hidden()
    expect(page.locator("#engine-note")).to_contain_text("native code.")
    context.set_offline(False)
    page.close()
    assert wrong == []
