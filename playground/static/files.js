// Files of the page. Large ones are packed, since not every server packs them: `NAME.gz`; one that its server unpacks is right, too.
const single = globalThis.rulewright; // where the page is one file
const encoded = (name) => name.split("/").map(encodeURIComponent).join("/");
export const here = (name) => (single ? `file:///${name}` : new URL(encoded(name), import.meta.url).href);
export const found = globalThis.fetch;

export async function file(name) {
  if (single) return found(here(name));
  const answer = await found(here(`${name}.gz`));
  if (!answer.ok) throw new Error(`${name} cannot be loaded`);
  const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
  const packed = !/gzip/.test(answer.headers.get("Content-Encoding") ?? "");
  const body = packed ? answer.body.pipeThrough(new DecompressionStream("gzip")) : answer.body;
  return new Response(body, { headers: { "Content-Type": type } });
}

export async function game(name) {
  return (await file(`games/${name}.json`)).json();
}
