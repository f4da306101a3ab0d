"""Screenshots of all shipped games on a desktop and on a phone, light and dark: `make pictures`."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

from rulewright.interpreter.matches.library import shipped_games
from rulewright.interpreter.views.scene import scene
from rulewright.pictures import script, styles
from rulewright.pictures.beside import beside
from rulewright.pictures.page import arrange_sections, document, sections
from tests.browser import launch_browser
from tests.games.variants import game_named
from tests.pictures.pages import state_after

DESK, PHONE = (1440, 900), (390, 844)
STEPS = 40


@cache
def page_of(name: str, steps: int = STEPS) -> str:
    """A position in the middle of a match, as seen by the player who decides."""
    game = game_named(name)
    state = state_after(game, steps)
    while state.over:
        steps //= 2
        state = state_after(game, steps)
    found = beside(game, name)
    shown = scene(state, state.player, state.previous)
    body = arrange_sections(sections(shown, looks=found.looks), name)
    return document(game.title, body, f"{styles()}\n{found.css}", script())


def main(folder: Path) -> None:
    """Take all screenshots."""
    folder.mkdir(parents=True, exist_ok=True)
    with launch_browser() as browser:
        for name in shipped_games():
            html = page_of(name)
            for word, (width, height) in (("desk", DESK), ("phone", PHONE)):
                for scheme in ("light", "dark"):
                    page = browser.new_page(
                        viewport={"width": width, "height": height},
                        color_scheme="dark" if scheme == "dark" else "light",
                    )
                    page.set_content(html)
                    page.screenshot(path=str(folder / f"{name}-{word}-{scheme}.png"))
                    page.close()
            sys.stdout.write(f"{name}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "build/pictures"))
