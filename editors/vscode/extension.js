// Starts the language server and shows in a list what a line above a rule asks for.
"use strict";

const path = require("node:path");
const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

const SHOW_TESTS = "rulewright.showTests";
let client;

function server() {
  const [program, ...args] = vscode.workspace.getConfiguration("rulewright").get("server.command");
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  // A path with folders in it is meant from where the workspace is; a bare name is looked for on the PATH.
  const isRelative = /[\\/]/.test(program) && !path.isAbsolute(program);
  const command = isRelative && folder ? path.join(folder, program) : program;
  return { command, args, transport: TransportKind.stdio, options: { cwd: folder } };
}

async function start() {
  client = new LanguageClient("rulewright", "Rulewright", server(), {
    documentSelector: [
      { scheme: "file", language: "rulewright" },
      { scheme: "file", language: "rulewright-scenario" },
      { scheme: "file", pattern: "**/*.rules.md" },
      { scheme: "file", pattern: "**/*.csv" },
    ],
    // The grammars colour all that is no name.
    initializationOptions: { colours: "names" },
    middleware: {
      executeCommand: async (command, args, next) => {
        if (command !== SHOW_TESTS || args.length < 3) {
          return next(command, args);
        }
        const [uri, position, places] = args;
        const codec = client.protocol2CodeConverter;
        return vscode.commands.executeCommand(
          "editor.action.showReferences",
          codec.asUri(uri),
          codec.asPosition(position),
          places.map((place) => codec.asLocation(place)),
        );
      },
    },
  });
  try {
    await client.start();
  } catch (failure) {
    vscode.window.showErrorMessage(
      `Rulewright's language server did not start (${failure.message}). ` +
        'Install it with: pip install ".[editor]", or name it in the setting rulewright.server.command.',
    );
  }
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("rulewright.restart", async () => {
      await client?.stop();
      await start();
    }),
  );
  await start();
}

async function deactivate() {
  await client?.stop();
}

module.exports = { activate, deactivate };
