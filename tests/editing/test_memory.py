"""Edits leave nothing behind: after many edits there are as many objects as after few."""

from __future__ import annotations

import asyncio
import gc
import io
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.io_ import StdoutWriter

from rulewright.dsl.model.types import Number
from rulewright.editing.lsp import requests
from rulewright.editing.lsp.editor import Editor
from tests.editing.conftest import NIGHT_MARKET, copy_shipped
from tests.editing.edits import edit_text, edited_table
from tests.editing.opened import Opened

GAME = """game "Wares"
    players 2

option length = short, long

piece Ware from "wares.csv"
    price: 0..9

zone shelf: pile of Ware
state turn: 0..20

player
    zone hand: pile of Ware
    state coins: 0..40

value last = if length is short then 3 else 4
value worth of w: Ware = w.price + 1

setup
    for each w in Ware
        move w to shelf

play
    repeat until turn is last
        add 1 to turn
        each player
            do earn

rule earn
    if me.coins < 9
        add 1 to me.coins
    if shelf is not empty
        move 1 from shelf to me.hand

score of p
    item "coins" = p.coins
    item "wares" = sum(w in p.hand: w.worth)

winner p by p.total then shared
"""
TABLE = "name,price\npear,1\nplum,2\n"


def objects() -> Counter[str]:
    """The number of objects of each of our classes, except ranges of numbers, of which 4,096 are cached."""
    gc.collect()
    kinds = (type(one) for one in gc.get_objects())
    own = (kind for kind in kinds if str(kind.__module__).startswith("rulewright"))
    return Counter(kind.__qualname__ for kind in own if kind is not Number)


def test_after_twice_as_many_edits_there_is_as_much(tmp_path: Path) -> None:
    (tmp_path / "wares.game").write_text(GAME)
    (tmp_path / "wares.csv").write_text(TABLE)
    opened = Opened(tmp_path)
    opened.open("wares.game")
    opened.open("wares.csv")
    assert opened.problems("wares.game") == []

    def edits(first: int) -> None:
        texts = [("wares.csv", TABLE + f"fig_{first}_{n},{n % 9}\n") for n in range(34)]
        for n in range(first, first + 4):
            texts += [
                ("wares.csv", TABLE),
                ("wares.csv", TABLE.replace("plum,2", f"plum,{3 + n % 4}")),
                ("wares.game", GAME.replace("coins < 9", f"coins < {n}")),
                ("wares.game", GAME.replace("price + 1", f"price + {n}")),
                ("wares.game", GAME.replace("then 3", f"then {n}")),
                ("wares.game", GAME.replace("add 1 to me", f"add wrong{n} to me")),
                ("wares.game", GAME),
            ]
        for name, text in (*texts, ("wares.csv", TABLE)):
            opened.write(name, text)
            opened.settle("wares.game")

    edits(5)
    first = objects()
    edits(10)
    more = objects() - first
    assert sum(more.values()) < 10, more  # if each edit left something, it would be 60


def test_results_of_notifications_are_freed(tmp_path: Path) -> None:
    (tmp_path / "wares.game").write_text(GAME)
    uri = (tmp_path / "wares.game").as_uri()

    async def session() -> int:
        server = Editor()
        requests.register(server)
        protocol: Any = server.protocol  # its types of messages fit none of them
        protocol.set_writer(StdoutWriter(io.BytesIO()))
        ask = types.InitializeParams(types.ClientCapabilities(), root_uri=tmp_path.as_uri())
        protocol.handle_message(types.InitializeRequest(1, ask))
        item = types.TextDocumentItem(uri, "rulewright", 1, GAME)
        protocol.handle_message(
            types.DidOpenTextDocumentNotification(types.DidOpenTextDocumentParams(item))
        )
        for version in range(2, 12):
            document = types.VersionedTextDocumentIdentifier(version, uri)
            whole = types.TextDocumentContentChangeWholeDocument(f"# {version}\n")
            change = types.DidChangeTextDocumentParams(document, [whole])
            protocol.handle_message(types.DidChangeTextDocumentNotification(change))
            await asyncio.sleep(0)
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            await task
        protocol.handle_message(types.InitializedNotification(types.InitializedParams()))
        server.background.close()
        return len(protocol._request_futures)

    assert asyncio.run(session()) < 5  # the results of the last ones


@pytest.mark.deep
def test_after_long_rows_of_edits_there_is_as_much(tmp_path: Path) -> None:
    folder = copy_shipped(tmp_path, *NIGHT_MARKET)
    game, table = "night_market.game", "night_market.csv"
    opened, chance = Opened(folder), random.Random(5)
    texts = {name: opened.open(name) for name in (game, table)}

    def edits(number: int) -> int:
        for _ in range(number):
            name = chance.choice((game, table))
            change = edit_text if name == game else edited_table
            for text in (change(texts[name], chance), texts[name]):
                opened.write(name, text)
                opened.settle(game)
        return sum(objects().values())

    first = edits(60)
    assert edits(240) < first * 1.1
