"""The package for Visual Studio Code: its contents, and that it starts a server that answers."""

import asyncio
import json
import os
import shutil
import subprocess
import sysconfig
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

from editors.vsix import HERE, build, version
from tests.editing.client import editing
from tests.editing.conftest import NIGHT_MARKET, copy_shipped

PACKAGE = json.loads((HERE / "package.json").read_text(encoding="utf-8"))


def test_the_package_holds_the_listed_files(tmp_path: Path) -> None:
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
    assert identity.attrib["Version"] == version()
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
    folder = copy_shipped(tmp_path, *NIGHT_MARKET)

    async def session() -> None:
        async with editing(folder, command) as client:
            await client.open("night_market.game", client.text("night_market.game") + "foo bar\n")
            assert [line.split(" ")[1] for line in client.problem_lines()] == ["unexpected-word"]

    asyncio.run(session())


@pytest.mark.deep
def test_the_extension_itself_runs_in_node(tmp_path: Path) -> None:
    """The stand-ins for the editor and its library only record the calls of the extension."""
    scripts = sysconfig.get_path("scripts")
    (tmp_path / "game").mkdir()
    folder = copy_shipped(tmp_path / "game", *NIGHT_MARKET)
    source = tmp_path / "extension"
    shutil.copytree(HERE, source, ignore=shutil.ignore_patterns("node_modules", "*.vsix"))
    for name, text in STANDING_IN.items():
        file = source / "node_modules" / name
        file.parent.mkdir(parents=True)
        file.write_text(text, encoding="utf-8")
    (source / "drive.js").write_text(DRIVER, encoding="utf-8")
    ran = subprocess.run(
        ["node", "drive.js", str(folder), str(Path(scripts) / "rulewright")],
        cwd=source,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    noted = [json.loads(line) for line in ran.stdout.splitlines()]
    assert noted[0] == {
        "server": {
            "command": str(Path(scripts) / "rulewright"),
            "args": ["lsp", "--stdio"],
            "transport": "stdio",
            "options": {"cwd": str(folder)},
        }
    }
    languages = {each["id"] for each in PACKAGE["contributes"]["languages"]}
    assert {each["language"] for each in noted[1]["selected"] if "language" in each} == languages
    assert noted[2] == {"answered": "rulewright"}
    assert noted[3] == {"sent on": "rulewright.runScenario"}
    assert noted[4] == {"asked": "editor.action.showReferences", "places": ["there"]}
    assert noted[5] == {"registered": ["rulewright.restart"], "stopped": 2}
    wrong = noted[6]["shown"]
    assert 'pip install ".[editor]"' in wrong
    assert "rulewright.server.command" in wrong


STANDING_IN = {
    "vscode/index.js": """
const shown = [], asked = [], registered = {};
const workspace = {
  command: null,
  getConfiguration: () => ({ get: () => workspace.command }),
  workspaceFolders: [{ uri: { fsPath: process.argv[2] } }],
};
const commands = {
  registerCommand: (name, run) => { registered[name] = run; return { dispose() {} }; },
  executeCommand: async (name, ...args) => { asked.push([name, args]); },
};
const window = { showErrorMessage: (text) => shown.push(text) };
module.exports = { workspace, commands, window, shown, asked, registered };
""",
    "vscode-languageclient/node.js": """
const { spawn } = require("node:child_process");
const made = [];
class LanguageClient {
  constructor(id, name, server, options) {
    Object.assign(this, { id, name, server, options, stopped: false });
    this.protocol2CodeConverter = {
      asUri: (uri) => uri, asPosition: (position) => position, asLocation: (place) => place,
    };
    made.push(this);
  }
  start() {
    return new Promise((resolve, reject) => {
      this.process = spawn(this.server.command, this.server.args, this.server.options);
      this.process.on("error", reject);
      let heard = "";
      this.process.stdout.on("data", (data) => {
        heard += data;
        const found = /"serverInfo":\\s*\\{"name":\\s*"([^"]*)"/.exec(heard);
        if (found) { this.answered = found[1]; resolve(); }
      });
      const body = JSON.stringify({
        jsonrpc: "2.0", id: 1, method: "initialize",
        params: { processId: null, rootUri: null, capabilities: {} },
      });
      this.process.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\\r\\n\\r\\n${body}`);
    });
  }
  async stop() { this.stopped = true; this.process?.kill(); }
}
module.exports = { LanguageClient, TransportKind: { stdio: "stdio" }, made };
""",
}

DRIVER = """
const vscode = require("vscode");
const { made } = require("vscode-languageclient/node");
const extension = require("./extension.js");
const note = (what) => console.log(JSON.stringify(what));

async function drive() {
  vscode.workspace.command = [process.argv[3], "lsp", "--stdio"];
  const context = { subscriptions: [] };
  await extension.activate(context);
  note({ server: made[0].server });
  note({ selected: made[0].options.documentSelector });
  note({ answered: made[0].answered });
  const { executeCommand } = made[0].options.middleware;
  await executeCommand("rulewright.runScenario", [], (command) => note({ "sent on": command }));
  await executeCommand("rulewright.showTests", ["uri", "place", ["there"]], () => {
    throw new Error("sent to the server");
  });
  const [[name, args]] = vscode.asked;
  note({ asked: name, places: args[2] });
  await vscode.registered["rulewright.restart"]();
  await extension.deactivate();
  note({
    registered: Object.keys(vscode.registered),
    stopped: made.filter((client) => client.stopped).length,
  });
  vscode.workspace.command = ["there-is-no-such-program"];
  await extension.activate(context);
  note({ shown: vscode.shown[0] });
}

drive().then(() => process.exit(0), (failure) => { console.error(failure); process.exit(1); });
"""


def test_the_libraries_have_fixed_versions() -> None:
    assert all(version[0].isdigit() for version in PACKAGE["dependencies"].values())
