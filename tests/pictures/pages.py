"""Pages of games in play, and the items in them."""

from __future__ import annotations

from collections import Counter
from html.parser import HTMLParser
from random import Random

import attrs

from rulewright.interpreter.matches.game import Game
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.views.scene import Scene, Things
from rulewright.pictures.markup import _VOID
from tests.games.variants import game_named

SMALL = (
    "breakthrough",
    "connect_four",
    "foxglove",
    "kalah",
    "kuhn_poker",
    "leduc_poker",
    "love_letter",
    "night_market",
    "pig",
    "reversi",
    "tic_tac_toe",
)
LARGE = ("colonial", "endeavor", "equilibris", "ginkgopolis", "through_the_ages")


def state_after(game: Game | str, steps: int, seed: int = 1) -> State:
    """A state with several options, after some random choices."""
    loaded = game_named(game) if isinstance(game, str) else game
    random = Random(seed)
    state = loaded.start(seed=seed, remember=True)
    for _ in range(steps):
        if state.over:
            break
        state = state.take(random.choice(state.option_ids))
    while not state.over and len(state.option_ids) == 1:
        state = state.take(state.option_ids[0])
    return state


@attrs.define
class Element:
    """An element with its attributes and the text in it."""

    name: str
    attributes: dict[str, str | None]
    text: str = ""

    def get(self, name: str) -> str | None:
        return self.attributes.get(name)


class Page(HTMLParser):
    """The elements of a text of HTML; it must be well formed."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[Element] = []
        self._open: list[Element] = []
        self.feed(html)
        self.close()
        assert not self._open, f"not closed: {[each.name for each in self._open]}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = Counter(name for name, _ in attrs)
        assert all(count == 1 for count in names.values()), f"an attribute twice: {attrs}"
        element = Element(tag, dict(attrs))
        self.elements.append(element)
        if tag not in _VOID:
            self._open.append(element)

    def handle_endtag(self, tag: str) -> None:
        assert self._open, f"</{tag}> closes nothing"
        assert self._open[-1].name == tag, f"</{tag}> closes <{self._open[-1].name}>"
        self._open.pop()

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.text += data

    def having(self, **wanted: str) -> list[Element]:
        """The elements that have these attributes; `data_row` is the attribute `data-row`."""
        pairs = [(name.rstrip("_").replace("_", "-"), value) for name, value in wanted.items()]
        return [
            each for each in self.elements if all(each.get(name) == value for name, value in pairs)
        ]


def faces_in(scene: Scene) -> set[tuple[str, str]]:
    """The kinds and rows of all visible pieces of a scene."""
    found: set[tuple[str, str]] = set()

    def look(things: Things) -> None:
        for zone in things.zones:
            for piece in zone.pieces:
                if piece.face is not None:
                    found.add((piece.face.kind, piece.face.row))
                    look(piece.on)

    look(scene.table)
    for player in scene.players:
        look(player.has)
    return found
