"""A real client that starts the server as an editor does and sends it messages."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.client import LanguageClient

from tests.waiting import PATIENCE

CHECKED = "rulewright/checked"
COMMAND = (sys.executable, "-c", "from rulewright.cli.entry import main; main()", "lsp", "--stdio")


class Client:
    """The connection of a test: its messages, and those of the server."""

    def __init__(self, folder: Path) -> None:
        self.wire = LanguageClient("tests", "1")
        self.folder = folder
        self.problems: dict[str, list[types.Diagnostic]] = {}
        self.messages: list[str] = []
        self.checked = asyncio.Event()
        self.published = asyncio.Event()
        self.versions: dict[Path, int] = {}

        @self.wire.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]  # as all of its client
        def on_problems(params: types.PublishDiagnosticsParams) -> None:
            self.problems[Path(params.uri.removeprefix("file://")).name] = [*params.diagnostics]
            self.published.set()

        @self.wire.feature(CHECKED)  # type: ignore[untyped-decorator]  # as all of its client
        def on_checked(params: Any) -> None:
            self.checked.set()

        @self.wire.feature(types.WINDOW_SHOW_MESSAGE)  # type: ignore[untyped-decorator]  # as all of its client
        def on_message(params: types.ShowMessageParams) -> None:
            self.messages.append(params.message)

    def uri(self, name: str) -> str:
        """The address of a file of the folder."""
        return (self.folder / name).as_uri()

    def at(self, name: str) -> types.TextDocumentIdentifier:
        """A file of the folder."""
        return types.TextDocumentIdentifier(self.uri(name))

    def text(self, name: str) -> str:
        """The content of a file on the disk."""
        return (self.folder / name).read_text(encoding="utf-8")

    async def open(self, name: str, text: str | None = None) -> None:
        """Open a file, and wait until its game has been checked."""
        self.checked.clear()
        self.versions[self.folder / name] = 1
        item = types.TextDocumentItem(
            self.uri(name), "rulewright", 1, self.text(name) if text is None else text
        )
        self.wire.text_document_did_open(types.DidOpenTextDocumentParams(item))
        await self.wait_until_checked()

    def type(self, name: str, text: str, place: types.Range | None = None) -> None:
        """Replace a part of a file, or all of it."""
        version = self.versions[self.folder / name] = self.versions[self.folder / name] + 1
        change: types.TextDocumentContentChangeEvent = (
            types.TextDocumentContentChangeWholeDocument(text)
            if place is None
            else types.TextDocumentContentChangePartial(place, text)
        )
        self.checked.clear()
        self.published.clear()
        self.wire.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(version, self.uri(name)), [change]
            )
        )

    async def wait_until_checked(self) -> None:
        """Wait until the game has been checked."""
        await asyncio.wait_for(self.checked.wait(), PATIENCE)

    def problem_lines(self) -> list[str]:
        """The published problems, in the form of the tests."""
        return sorted(
            f"{name}:{one.range.start.line + 1}:{one.range.start.character + 1} {one.code}"
            for name, found in self.problems.items()
            for one in found
        )


@asynccontextmanager
async def editing(folder: Path, command: Sequence[str] = COMMAND) -> AsyncIterator[Client]:
    """A server for the files of a folder."""
    client = Client(folder.resolve())
    await client.wire.start_io(*command)
    capabilities = types.ClientCapabilities(
        workspace=types.WorkspaceClientCapabilities(
            apply_edit=True,
            workspace_edit=types.WorkspaceEditClientCapabilities(document_changes=True),
        )
    )
    await asyncio.wait_for(
        client.wire.initialize_async(
            types.InitializeParams(capabilities, root_uri=folder.as_uri())
        ),
        PATIENCE,
    )
    client.wire.initialized(types.InitializedParams())
    try:
        yield client
    finally:
        await asyncio.wait_for(client.wire.shutdown_async(None), PATIENCE)
        client.wire.exit(None)
        await client.wire.stop()  # type: ignore[no-untyped-call]  # as all of its client


def place_of(text: str, words: str, after: int = 0, nth: int = 0) -> types.Position:
    """The position of some words in a text, or this many characters after their start."""
    at = -1
    for _ in range(nth + 1):
        at = text.index(words, at + 1)
    at += after
    line = text.count("\n", 0, at)
    return types.Position(line, at - (text.rfind("\n", 0, at) + 1))
