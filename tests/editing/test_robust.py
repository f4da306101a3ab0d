"""The server answers malformed messages, and reports its own failures."""

from __future__ import annotations

import asyncio
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from rulewright.cli.exits import Exit
from rulewright.editing.lsp.editor import Editor, path_of
from tests.editing.client import COMMAND, editing
from tests.editing.conftest import NIGHT_MARKET, copy_shipped
from tests.waiting import PATIENCE

GAME = "night_market.game"


def encode_message(message: dict[str, Any]) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def talk(said: bytes) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(COMMAND, input=said, capture_output=True, timeout=PATIENCE, check=False)


def answers(said: bytes) -> dict[int, dict[str, Any]]:
    """The answers to requests, by the numbers of the requests."""
    out = talk(said).stdout
    found = {}
    for part in out.split(b"Content-Length: ")[1:]:
        message = json.loads(part.split(b"\r\n\r\n", 1)[1])
        if "id" in message and "method" not in message:
            found[message["id"]] = message
    return found


BEGIN = encode_message({"id": 1, "method": "initialize", "params": {"capabilities": {}}})
END = encode_message({"id": 9, "method": "shutdown"}) + encode_message({"method": "exit"})


@pytest.mark.parametrize(
    "header",
    [
        b"Content-Length: 99999999999999999999",
        b"Content-Length: 70000000",
        b"Content-Length: -1",
        b"Content-Length: many",
        b"X" * 10_000,
    ],
)
def test_a_header_that_cannot_be_followed(header: bytes) -> None:
    done = talk(BEGIN + header + b"\r\n\r\n{}")
    assert done.returncode == Exit.USAGE
    (reported,) = done.stderr.decode().splitlines()[-1:]
    assert reported.startswith("Error: the messages of the editor cannot be read: ")
    assert b'"id": 1' in done.stdout


def test_parameters_of_another_form() -> None:
    wrong: list[Any] = [[], "x", {"textDocument": 3}, {"textDocument": {"uri": "file:///a.game"}}]
    asked = [
        encode_message({"id": 10 + n, "method": "textDocument/hover", "params": params})
        for n, params in enumerate(wrong)
    ]
    found = answers(BEGIN + b"".join(asked) + END)
    assert [found[10 + n]["error"]["code"] for n in range(len(wrong))] == [-32602] * len(wrong)
    assert "the parameters of `textDocument/hover`" in found[10]["error"]["message"]
    assert "result" in found[9]


def test_addresses_that_are_none() -> None:
    for uri in ("file:///a%00b.game", "file://[", "untitled:x", "", "file:"):
        assert path_of(uri) is None
    place = {"line": 0, "character": 0}
    asked = [
        encode_message(
            {
                "method": "textDocument/didOpen",
                "params": {
                    "textDocument": {"uri": uri, "languageId": "x", "version": 1, "text": ""}
                },
            }
        )
        + encode_message(
            {
                "id": 10 + n,
                "method": "textDocument/hover",
                "params": {"textDocument": {"uri": uri}, "position": place},
            }
        )
        for n, uri in enumerate(("file:///a%00b.game", "untitled:x"))
    ]
    found = answers(BEGIN + b"".join(asked) + END)
    assert [found[n].get("result", 0) for n in (10, 11)] == [None, None]
    assert "result" in found[9]


def test_a_failure_is_a_problem_in_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = copy_shipped(tmp_path, *NIGHT_MARKET) / GAME
    monkeypatch.setattr("rulewright.editing.lsp.editor.look", fails)
    server = Editor()
    published: list[types.PublishDiagnosticsParams] = []
    monkeypatch.setattr(server, "text_document_publish_diagnostics", published.append)
    done = asyncio.Event()
    monkeypatch.setattr(server.protocol, "notify", lambda *reported: done.set())

    async def write() -> None:
        server.handle_change(game.as_uri(), game.read_text(encoding="utf-8"))
        await asyncio.wait_for(done.wait(), PATIENCE)

    asyncio.run(write())
    server.background.close()
    (reported,) = published[-1].diagnostics
    assert published[-1].uri == game.as_uri()
    assert reported.severity == types.DiagnosticSeverity.Error
    assert reported.message.startswith(
        "this is a bug in Rulewright, and there may be more problems"
    )
    assert "KeyError" in reported.message


def fails(*_: object) -> Any:
    yield None
    raise KeyError("oh")


def test_nothing_is_read_outside_the_open_folder(tmp_path: Path) -> None:
    folder = copy_shipped(tmp_path, *NIGHT_MARKET)
    (folder / "tests").mkdir()
    text = f'game "../{GAME}"\n\nscenario "a"\n    player ann, bob\n'
    (folder / "tests" / "one.scenario").write_text(text, encoding="utf-8")

    async def problem_codes(root: Path) -> list[str]:
        async with editing(root) as client:
            client.folder = folder / "tests"
            await client.open("one.scenario")
            return [str(one.code) for one in client.problems.get("one.scenario", [])]

    assert asyncio.run(problem_codes(folder)) == []
    assert asyncio.run(problem_codes(folder / "tests")) == ["outside-folder"]
