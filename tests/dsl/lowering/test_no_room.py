"""Messages for steps that may have no room, for values that may be nothing, and for names in the head of a part."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.loading.loading import load

GAME = """game "Cellar"
    players 2
piece Jar
    weight: 1..9
    copies = 9
    row plum, 2
zone store: pile of Jar
zone shelf: row of 2 Jar
player
    state points: 0..9
    state liked: Jar or nothing = nothing
setup
    move all from Jar to store
play
    repeat 3 times
        each player
            choose one of
                do fetch
                option "rest"
action fetch
    roll n in 1..3
    {step}
score of {who}
    item "points" = {item}
winner p by p.total then shared
"""
ROOM = (
    "first test whether there is room, put it under `if possible`, or write `surely` before it "
    "if you know better"
)


@pytest.mark.parametrize(
    ("change", "reported"),
    [
        (
            {"step": "move up to n from store to shelf"},
            [("move up to n from store to shelf", "this step may be impossible here", ROOM)],
        ),
        (
            {"step": "move all from store to shelf"},
            [("move all from store to shelf", "this step may be impossible here", ROOM)],
        ),
        ({"step": "move up to n from shelf to store"}, []),
        (
            {"step": "add n + store.top.weight to me.points"},
            [
                (
                    "store.top.weight",
                    "`store.top` may be nothing here, and so may `store.top.weight`",
                    (
                        "test it first with `store.top is not nothing`, or write `sure(store.top).weight` "
                        "if you know better"
                    ),
                )
            ],
        ),
        (
            {"step": "set me.liked to nothing", "item": "p.liked.weight"},
            [
                (
                    "p.liked.weight",
                    "`p.liked` may be nothing here, and so may `p.liked.weight`",
                    (
                        "test it first with `p.liked is not nothing`, or write `sure(p.liked).weight` "
                        "if you know better"
                    ),
                )
            ],
        ),
        (
            {"who": "player", "item": "p.points + p.points"},
            [("p", "there is no `p`", "write `player`, as the head has it")],
        ),
    ],
)
def test_a_full_place_is_explained(
    tmp_path: Path, change: dict[str, str], reported: list[tuple[str, str, str]]
) -> None:
    text = GAME
    for name, words in {"step": "skip_it", "who": "p", "item": "p.points", **change}.items():
        text = text.replace(f"{{{name}}}", words)
    path = tmp_path / "cellar.game"
    path.write_text(text.replace("    skip_it\n", "    add n to me.points\n"), encoding="utf-8")
    found = [p for p in load(path).check() if p.code != "unused-name"]
    assert [(p.span.text, p.message, p.help) for p in found] == reported
