"""Chromium for tests: the one of Debian, found by its path. Without Chromium, the tests that need it are reported
as not run.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.waiting import serving

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
REQUIRED = "RULEWRIGHT_BROWSER_REQUIRED"
"""Set by continuous integration: then a missing browser is a failure."""


def chromium() -> str | None:
    """The path of a browser; a failure if it is required and missing."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None and os.environ.get(REQUIRED):
        raise AssertionError("there is no chromium: apt-get install chromium")
    return found


PATIENCE = 120_000
"""Milliseconds that a page may take for anything: a machine that runs tests is busy."""


@contextmanager
def launch_browser() -> Iterator[Browser]:
    """A browser with long time limits for its pages."""
    path = chromium()
    assert path is not None
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=path, args=FLAGS)
        try:
            yield found
        finally:
            found.close()
            expect.set_options(timeout=5_000)


class _Files(SimpleHTTPRequestHandler):
    extensions_map = {  # noqa: RUF012  # as the library has it
        **SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is written down."""


@contextmanager
def files_served(folder: Path) -> Iterator[str]:
    """The address of a simple server for the files of a folder."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files, directory=str(folder)))
    with serving(server):
        yield f"http://127.0.0.1:{server.server_port}/"


_TOO_WIDE = """width => {
  const found = [];
  const scrolls = (element) => ["auto", "scroll", "hidden", "clip"].includes(getComputedStyle(element).overflowX);
  const name = (one) => `${one.localName}.${one.getAttribute("class") ?? ""} in ${one.closest("[id]")?.id}`;
  for (const element of document.body.querySelectorAll("*")) {
    if (element.parentElement.closest("svg") || element.closest(".hidden, .skip")) continue;
    if (!element.checkVisibility()) continue;
    const box = element.getBoundingClientRect();
    if (!box.width) continue;
    let around = element.parentElement;
    while (around && !scrolls(around)) around = around.parentElement;
    if (!around && (box.left < -1 || box.right > width + 1)) {
      found.push(`${name(element)} reaches from ${Math.round(box.left)} to ${Math.round(box.right)} of ${width}`);
    }
    const style = getComputedStyle(element);
    const cut = element.scrollWidth > element.clientWidth + 1 && scrolls(element) && style.textOverflow !== "ellipsis";
    if (!cut || element.tabIndex >= 0) continue;
    found.push(`${name(element)} holds ${element.scrollWidth} in ${element.clientWidth}`);
  }
  return found;
}"""


def too_wide(page: Page) -> list[str]:
    """The elements of a page that are wider than the screen or cut off, except those that keys can scroll.

    A phone shrinks a page that is too wide, so the requested width counts, not that of the page.
    """
    size = page.viewport_size
    assert size is not None
    found = page.evaluate(_TOO_WIDE, size["width"])
    return [str(each) for each in found]


_AXE = """async rules => {
  // Half-way from one colour to the next, contrast means nothing.
  for (const each of document.getAnimations()) each.finish();
  const some = rules.length ? { runOnly: { type: "rule", values: rules } } : {};
  const found = await axe.run(document, { resultTypes: ["violations"], ...some });
  const bad = found.violations.filter((each) => ["serious", "critical"].includes(each.impact));
  const told = (node) => `${node.html.slice(0, 160)} (${node.failureSummary})`;
  return bad.flatMap((each) => each.nodes.map((node) => `${each.id}: ${told(node)}`));
}"""


COLOURS = "color-contrast", "link-in-text-block"
"""The rules of axe-core whose results another colour scheme can change."""


def serious(page: Page, rules: Sequence[str] = ()) -> list[str]:
    """The serious faults of accessibility that axe-core finds on a page, by all its rules or by some.

    A test package contains axe-core."""
    if not page.evaluate("'axe' in globalThis"):
        script = resources.files("axe_playwright_python") / "axe.min.js"
        page.evaluate(script.read_text(encoding="utf-8"))
    return [str(each) for each in page.evaluate(_AXE, [*rules])]
