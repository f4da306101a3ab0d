"""The settings for editors can be read, and start the server with the same command as the extension."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

from editors.vsix import HERE
from rulewright.cli.formats.changes import changes_text
from rulewright.dsl.loading.changes import changes
from rulewright.dsl.loading.loading import load
from rulewright.interpreter.testing.affected import scenarios_affected
from tests.docs.pages import ROOT
from tests.editing.conftest import NIGHT_MARKET, copy_shipped

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


EDITS = {
    "night_market.csv": (("tea_cart,tea,2,", "tea_cart,tea,3,"),),
    "night_market.game": (
        ("state coins: 0..99 = 5", "state coins: 0..120 = 6"),
        ('< 3 else "you can hold only 3 stalls"', '< 4 else "you can hold only 4 stalls"'),
    ),
}


def test_diff_prints_the_changes_the_page_shows(tmp_path: Path) -> None:
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        copy_shipped(tmp_path / name, *NIGHT_MARKET)
    for name, edits in EDITS.items():
        text = (tmp_path / "new" / name).read_text(encoding="utf-8")
        for before, after in edits:
            assert before in text
            text = text.replace(before, after)
        (tmp_path / "new" / name).write_text(text, encoding="utf-8")
    old, new = (tmp_path / name / "night_market.game" for name in ("old", "new"))
    shown = changes_text(changes(load(old), load(new)), [*scenarios_affected(old, new)], ())
    assert shown in blocks("text")
