// Runs the worker of a written playground in node: messages come as lines, answers go as lines.
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";

const found = globalThis.fetch;
globalThis.fetch = async (at, ...more) =>
  String(at).startsWith("file:") ? new Response(await readFile(fileURLToPath(at))) : found(at, ...more);
globalThis.XMLHttpRequest = class {
  open(method, at) { this.at = at; }
  send() { this.response = readFileSync(fileURLToPath(this.at)); this.status = 200; }
};
globalThis.onmessage = null;
globalThis.postMessage = (data) => {
  if (data.failed) { console.error(data.failed); process.exit(1); }
  if (data.text !== undefined) process.stdout.write(`${data.text}\n`);
};
await import(pathToFileURL(`${process.argv[2]}/worker.js`).href);
for await (const text of createInterface({ input: process.stdin })) await globalThis.onmessage({ data: { id: 1, text } });
