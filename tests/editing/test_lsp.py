"""A client starts the server, types and sends requests."""

import asyncio
import json
import subprocess
from pathlib import Path

from lsprotocol import types

from rulewright.dsl.diagnostics.capping import MOST
from tests.editing.client import COMMAND, Client, editing, place_of
from tests.editing.conftest import NIGHT_MARKET, copy_shipped
from tests.waiting import PATIENCE

GAME = "night_market.game"


def test_an_hour_at_the_editor(tmp_path: Path) -> None:
    folder = copy_shipped(tmp_path, *NIGHT_MARKET)

    async def hour() -> None:
        async with editing(folder) as client:
            await client.open(GAME)
            assert client.problem_lines() == []
            text = client.text(GAME)
            place = place_of(text, "me.income", 3)
            end = types.Position(place.line, place.character + 6)
            client.type(GAME, "incomes", types.Range(place, end))
            await client.wait_until_checked()
            assert client.problem_lines() == [f"{GAME}:{place.line + 1}:12 unknown-attribute"]
            client.type(
                GAME, "income", types.Range(place, types.Position(end.line, end.character + 1))
            )
            await client.wait_until_checked()
            assert client.problem_lines() == []

            buy = place_of(text, "do buy", 4)
            at = types.TextDocumentPositionParams(client.at(GAME), buy)
            hover = await client.wire.text_document_hover_async(
                types.HoverParams(at.text_document, at.position)
            )
            assert hover is not None
            assert isinstance(hover.contents, types.MarkupContent)
            assert "an action" in hover.contents.value
            found = await client.wire.text_document_definition_async(
                types.DefinitionParams(at.text_document, at.position)
            )
            assert isinstance(found, types.Location)
            assert found.range.start == place_of(text, "action buy", 7)
            places = await client.wire.text_document_references_async(
                types.ReferenceParams(
                    types.ReferenceContext(include_declaration=False), at.text_document, at.position
                )
            )
            assert {Path(each.uri).name for each in places or ()} == {GAME, "night_market.scenario"}
            choices = await client.wire.text_document_completion_async(
                types.CompletionParams(at.text_document, at.position)
            )
            assert isinstance(choices, types.CompletionList)
            assert "open_stall" in [item.label for item in choices.items]
            outline = await client.wire.text_document_document_symbol_async(
                types.DocumentSymbolParams(at.text_document)
            )
            assert outline
            edits = await client.wire.text_document_formatting_async(
                types.DocumentFormattingParams(at.text_document, types.FormattingOptions(4, True))
            )
            assert not edits
            assert client.messages == []

    asyncio.run(hour())


def test_an_editor_that_leaves_gets_no_message() -> None:
    opening: dict[str, object] = {"processId": None, "rootUri": None, "capabilities": {}}
    said: list[dict[str, object]] = [
        {"id": 1, "method": "initialize", "params": opening},
        {"id": 2, "method": "shutdown"},
        {"method": "exit"},
    ]
    words = [json.dumps({"jsonrpc": "2.0", **each}).encode() for each in said]
    reported = b"".join(b"Content-Length: %d\r\n\r\n%b" % (len(each), each) for each in words)
    done = subprocess.run(
        COMMAND, check=False, input=reported, capture_output=True, timeout=PATIENCE
    )
    assert (done.returncode, done.stderr) == (0, b"")


SHARED = """game "{0}"
    players 2
piece Card from "cards.csv"
    worth: 1..{1}
zone deck: pile of Card
setup
    move all from Card to deck
play
    log "there are {{deck.size}}"
winner p by p.number
"""


def test_very_many_problems_are_counted(tmp_path: Path) -> None:
    rows = "".join(f"row{number},x\n" for number in range(300))
    (tmp_path / "large.game").write_text(SHARED.format("large", 5), encoding="utf-8")
    (tmp_path / "cards.csv").write_text(f"name,worth\n{rows}", encoding="utf-8")

    async def session() -> None:
        async with editing(tmp_path) as client:
            await client.open("large.game")
            found = client.problems["cards.csv"]
            assert len(found) == MOST
            assert found[-1].message.startswith("this file has 101 more problems")

    asyncio.run(session())


def test_a_table_of_two_games_is_reported_what_is_wrong_in_either(tmp_path: Path) -> None:
    for name, most in (("large", 5), ("small", 2)):
        (tmp_path / f"{name}.game").write_text(SHARED.format(name, most), encoding="utf-8")
    (tmp_path / "cards.csv").write_text("name,worth\nace,1\nking,2\n", encoding="utf-8")

    async def words(client: Client, expected: list[str]) -> None:
        """Wait until this problem of the table is reported."""
        while [one.message.split("\n")[0] for one in client.problems["cards.csv"]] != expected:
            client.published.clear()
            await asyncio.wait_for(client.published.wait(), PATIENCE)

    async def session() -> None:
        async with editing(tmp_path) as client:
            for name in ("large.game", "small.game", "cards.csv"):
                await client.open(name)
            assert client.problem_lines() == []
            in_large = "`9` in column `worth` of `ace` is not a number 1..5"
            in_small = "`{0}` in column `worth` of `ace` is not a number 1..2"
            client.type("cards.csv", "name,worth\nace,9\nking,2\n")
            await words(client, [in_large, in_small.format(9)])
            client.type("cards.csv", "name,worth\nace,3\nking,2\n")
            await words(client, [in_small.format(3)])
            client.type("large.game", client.text("large.game").replace("size", "sizes"))
            await client.wait_until_checked()
            await words(client, [in_small.format(3)])
            client.type("cards.csv", client.text("cards.csv"))
            await words(client, [])

    asyncio.run(session())
