"""Features over the wire: rename, quick fixes, colours, hints, code lenses, scenarios that are run."""

import asyncio
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.editing.client import Client, editing, place_of
from tests.editing.conftest import NIGHT_MARKET, copy_shipped

GAME = "night_market.game"
SCENES = "night_market.scenario"
WHOLE = types.Range(types.Position(0, 0), types.Position(10_000, 0))


def test_changes_and_marks_reach_the_editor(tmp_path: Path) -> None:
    folder = copy_shipped(tmp_path, *NIGHT_MARKET)

    async def session() -> None:
        async with editing(folder) as client:
            await client.open(GAME)
            await client.open(SCENES)
            await _names(client)
            await _marks(client)
            await _fixes(client)
            await _runs(client)

    asyncio.run(session())


async def _names(client: Client) -> None:
    buy = place_of(client.text(GAME), "do buy", 4)
    found = await client.wire.text_document_prepare_rename_async(
        types.PrepareRenameParams(client.at(GAME), buy)
    )
    assert isinstance(found, types.Range)
    edit = await client.wire.text_document_rename_async(
        types.RenameParams(client.at(GAME), buy, "purchase")
    )
    assert edit is not None
    assert {Path(uri).name for uri in edit.changes or ()} == {GAME, SCENES}
    with pytest.raises(JsonRpcException, match="not renamed: there is a `open_stall` already"):
        await client.wire.text_document_rename_async(
            types.RenameParams(client.at(GAME), buy, "open_stall")
        )


async def _marks(client: Client) -> None:
    tokens = await client.wire.text_document_semantic_tokens_full_async(
        types.SemanticTokensParams(client.at(GAME))
    )
    assert tokens is not None
    assert len(tokens.data) > 500
    assert min(tokens.data) >= 0
    hints = await client.wire.text_document_inlay_hint_async(
        types.InlayHintParams(client.at(GAME), WHOLE)
    )
    assert hints
    lenses = await client.wire.text_document_code_lens_async(types.CodeLensParams(client.at(GAME)))
    assert lenses
    assert lenses[0].command is not None
    assert lenses[0].command.command == "rulewright.showTests"
    folds = await client.wire.text_document_folding_range_async(
        types.FoldingRangeParams(client.at(SCENES))
    )
    assert folds


async def _fixes(client: Client) -> None:
    text = client.text(GAME)
    client.type(GAME, text.replace("me.income to", "me.incom to"))
    await client.wait_until_checked()
    actions = await client.wire.text_document_code_action_async(
        types.CodeActionParams(client.at(GAME), WHOLE, types.CodeActionContext([]))
    )
    assert actions
    assert actions[0].title == "write `income`"
    client.type(GAME, text)
    await client.wait_until_checked()


async def _runs(client: Client) -> None:
    lenses = await client.wire.text_document_code_lens_async(
        types.CodeLensParams(client.at(SCENES))
    )
    assert lenses
    command = lenses[1].command
    assert command is not None
    assert command.title == "run this scenario"
    ran = await client.wire.workspace_execute_command_async(
        types.ExecuteCommandParams(command.command, command.arguments)
    )
    assert isinstance(ran, list)
    assert len(ran) == 1
    assert client.messages[-1].startswith("passed: ")
    client.type(GAME, client.text(GAME).replace("    shuffle deck", "    shufle deck", 1))
    await client.wait_until_checked()
    ran = await client.wire.workspace_execute_command_async(
        types.ExecuteCommandParams(command.command, command.arguments)
    )
    assert ran == []
    assert client.messages[-1] == (
        "no scenario was run: night_market.game, line 64: no line begins with `shufle`"
    )
    client.type(GAME, client.text(GAME))
    await client.wait_until_checked()
    shown = await client.wire.workspace_execute_command_async(
        types.ExecuteCommandParams("rulewright.showTests", ["", {}, [], ["NM-023"]])
    )
    assert isinstance(shown, list)
    assert shown
