"""The settings for editors can be read, and start the server by the command that the extension uses, too."""

from __future__ import annotations

import json
import re
import tomllib

from editors.vsix import HERE
from tests.docs.pages import ROOT

PAGE = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
PACKAGE = json.loads((HERE / "package.json").read_text(encoding="utf-8"))
COMMAND = ["rulewright", "lsp", "--stdio"]


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def test_settings_can_be_read() -> None:
    assert [json.loads(text) for text in blocks("json")]
    helix, *zed = [tomllib.loads(text) for text in blocks("toml")]
    server = helix["language-server"]["rulewright"]
    assert [server["command"], *server["args"]] == COMMAND
    assert helix["language"][0]["file-types"] == ["game", "scenario"]
    extension, language, package = zed
    assert language["path_suffixes"] == ["game", "scenario"]
    assert language["name"] in extension["language_servers"]["rulewright"]["languages"]
    assert package["lib"]["crate-type"] == ["cdylib"]
    (adapter,) = blocks("rust")
    assert [word for word in COMMAND if f'"{word}"' not in adapter] == []
    assert '{ "rulewright", "lsp", "--stdio" }' in blocks("lua")[0]


def test_the_extension_uses_the_same_command() -> None:
    settings = PACKAGE["contributes"]["configuration"]["properties"]
    assert settings["rulewright.server.command"]["default"] == COMMAND
    ends = [end for each in PACKAGE["contributes"]["languages"] for end in each["extensions"]]
    assert ends == [".game", ".scenario"]
    assert f"rulewright-{PACKAGE['version']}.vsix" in PAGE
