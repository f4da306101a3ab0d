"""Makes the picture of a table for the README: a server on loopback, a match against bots, a screenshot by chromium."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

OUT = Path(__file__).parent / "table.png"
STEPS = 6


def main() -> None:
    """Write the picture."""
    path = shutil.which("chromium")
    assert path is not None, "chromium is needed: apt-get install chromium"
    run = "from rulewright.cli.entry import main; main()"
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        words = ["serve", "ginkgopolis", "--port", "0", "--data", folder]
        server = subprocess.Popen(
            [sys.executable, "-c", run, *words], stdout=subprocess.PIPE, text=True
        )
        assert server.stdout is not None
        found = re.search(r"http://localhost:\d+", server.stdout.readline())
        assert found is not None
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page(base_url=found[0], viewport={"width": 1440, "height": 900})
        for _ in range(100):
            try:
                page.goto("/new/ginkgopolis?players=3")
                break
            except Exception:
                page.wait_for_timeout(200)
        page.fill("input[name=name]", "Ann")
        for seat in (1, 2):
            page.select_option(f"select[name=seat{seat}]", "bot:greedy")
        page.click("button.main")
        page.wait_for_url("**/t/*")
        page.goto(f"{page.url}/s/0")
        for step in range(STEPS):
            page.wait_for_selector(".rw-options button", timeout=60_000)
            number = page.locator("input[name=decision]").get_attribute("value")
            buttons = page.locator(".rw-options button")
            buttons.nth(step % buttons.count()).click()
            page.wait_for_function(
                "n => document.querySelector('input[name=decision]')?.value !== n", arg=number
            )
        page.wait_for_selector(".rw-options button", timeout=60_000)
        page.screenshot(path=OUT)
        browser.close()
        server.terminate()
        server.wait(timeout=20)


if __name__ == "__main__":
    main()
