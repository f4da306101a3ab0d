"""Checks in the background: the newest request comes first and stops the earlier ones."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rulewright.editing.lsp import background
from rulewright.editing.lsp.background import Background, Steps
from tests.waiting import PATIENCE

GAME, OTHER = Path("one.game"), Path("two.game")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "PAUSE", 0.01)
    monkeypatch.setattr(background, "REST", 0.02)


def test_a_newer_request_stops_the_older_one() -> None:
    heard: list[tuple[Path, object, bool]] = []
    ended, begun = threading.Event(), threading.Event()

    def deliver(game: Path, found: object, is_end: bool) -> None:
        heard.append((game, found, is_end))
        if is_end:
            ended.set()

    def endless(is_wanted: Callable[[], bool]) -> Iterator[object]:
        yield "first"
        while is_wanted():
            begun.set()
            yield None

    def short(is_wanted: Callable[[], bool]) -> Iterator[object]:
        yield "second"

    asked = Background(deliver)
    asked.ask(GAME, endless)
    assert begun.wait(PATIENCE)
    asked.ask(GAME, short)
    assert ended.wait(PATIENCE)
    asked.close()
    assert heard == [(GAME, "first", False), (GAME, "second", False), (GAME, None, True)]


def test_first_things_of_another_game_come_before_the_rest() -> None:
    order: list[str] = []
    ended = threading.Event()
    both: set[Path] = set()

    def deliver(game: Path, found: object, is_end: bool) -> None:
        if is_end:
            both.add(game)
        if both == {GAME, OTHER}:
            ended.set()

    def steps(name: str, then: Callable[[], None]) -> Steps:
        def look(is_wanted: Callable[[], bool]) -> Iterator[object]:
            order.append(f"{name} first")
            then()
            yield name
            order.append(f"{name} rest")

        return look

    asked = Background(deliver)
    asked.ask(GAME, steps("one", lambda: asked.ask(OTHER, steps("two", lambda: None))))
    assert ended.wait(PATIENCE)
    asked.close()
    assert order[:2] == ["one first", "two first"]
