// Runs the worker of a written playground in node: messages come as lines, answers go as lines.
import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";

const folder = process.argv[2];
const read = (name) => existsSync(`${folder}/${name}.gz`) ? gunzipSync(readFileSync(`${folder}/${name}.gz`)) : readFileSync(`${folder}/${name}`);
const found = globalThis.fetch;
globalThis.fetch = async (at, ...more) =>
  String(at).startsWith("file:///") ? new Response(read(String(at).slice("file:///".length))) : found(at, ...more);
globalThis.rulewright = { address: async (name) => pathToFileURL(`${folder}/${name}`).href }; // as in a page that is one file
globalThis.onmessage = null;
globalThis.postMessage = (data) => {
  if (data.failed) { console.error(data.failed); process.exit(1); }
  if (data.text !== undefined) process.stdout.write(`${data.text}\n`);
};
await import(pathToFileURL(`${folder}/worker.js`).href);
for await (const text of createInterface({ input: process.stdin })) await globalThis.onmessage({ data: { id: 1, text } });
