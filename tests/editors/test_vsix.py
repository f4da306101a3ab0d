"""The package for Visual Studio Code: what is in it, and that what it starts is a server that answers."""

import asyncio
import json
import os
import shutil
import sysconfig
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

from editors.vsix import HERE, build
from tests.editing.client import editing
from tests.editing.conftest import NIGHT_MARKET, copied

PACKAGE = json.loads((HERE / "package.json").read_text(encoding="utf-8"))


def test_what_the_package_holds(tmp_path: Path) -> None:
    source = tmp_path / "vscode"
    shutil.copytree(HERE, source, ignore=shutil.ignore_patterns("node_modules", "*.vsix"))
    library = source / "node_modules" / "vscode-languageclient"
    library.mkdir(parents=True)
    (library / "node.js").write_text("module.exports = {};")
    (library / "node.d.ts").write_text("export {};")
    for name in ("one.vsix", "two.vsix"):
        build(source, tmp_path / name)
    assert (tmp_path / "one.vsix").read_bytes() == (tmp_path / "two.vsix").read_bytes()
    with zipfile.ZipFile(tmp_path / "one.vsix") as archive:
        held = set(archive.namelist())
        root = ElementTree.fromstring(archive.read("extension.vsixmanifest"))
        ElementTree.fromstring(archive.read("[Content_Types].xml"))
    space = "{http://schemas.microsoft.com/developer/vsx-schema/2011}"
    identity = root.find(f"{space}Metadata/{space}Identity")
    assert identity is not None
    assert identity.attrib["Id"] == "rulewright"
    wanted = {
        f"extension/{path.removeprefix('./')}"
        for path in (
            PACKAGE["main"],
            *(each["path"] for each in PACKAGE["contributes"]["grammars"]),
            *(each["configuration"] for each in PACKAGE["contributes"]["languages"]),
        )
    }
    libraries = {"extension/node_modules/vscode-languageclient/node.js"}
    pages = {"extension/package.json", "extension/README.md", "extension/LICENSE.txt"}
    assert held == wanted | libraries | pages | {"extension.vsixmanifest", "[Content_Types].xml"}


def test_the_extension_starts_a_server_that_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripts = sysconfig.get_path("scripts")
    monkeypatch.setenv("PATH", f"{scripts}{os.pathsep}{os.environ['PATH']}")
    settings = PACKAGE["contributes"]["configuration"]["properties"]
    command = settings["rulewright.server.command"]["default"]
    folder = copied(tmp_path, *NIGHT_MARKET)

    async def session() -> None:
        async with editing(folder, command) as client:
            await client.open("night_market.game", client.text("night_market.game") + "foo bar\n")
            assert [line.split(" ")[1] for line in client.told()] == ["unexpected-word"]

    asyncio.run(session())


def test_the_libraries_have_fixed_versions() -> None:
    assert all(version[0].isdigit() for version in PACKAGE["dependencies"].values())
