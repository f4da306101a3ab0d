// Starts the page from one file. A page of an address `file:` may give its worker texts, but no addresses:
// both unpack what they need, and answer their own requests.
function unpacking(packed) {
  const TYPES = { js: "text/javascript", mjs: "text/javascript", wasm: "application/wasm" };
  const addresses = {};
  const found = globalThis.fetch;

  function response(name) {
    const letters = atob(packed[name]);
    const bytes = new Uint8Array(letters.length);
    for (let at = 0; at < letters.length; at++) bytes[at] = letters.charCodeAt(at);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const type = TYPES[name.split(".").pop()] ?? "application/octet-stream";
    return new Response(stream, { headers: { "Content-Type": type } });
  }

  async function address(name) {
    if (addresses[name]) return addresses[name];
    let text = await response(name).text();
    if (!name.includes(".asm.")) {
      const folder = name.replace(/[^/]*$/, "");
      for (const [whole, path] of text.matchAll(/(?:from|import) "\.\/([\w./-]+)"/g)) {
        text = text.replace(whole, whole.replace(`./${path}`, await address(folder + path)));
      }
    }
    return (addresses[name] = URL.createObjectURL(new Blob([text], { type: TYPES.js })));
  }

  globalThis.fetch = (at, ...more) => {
    const name = String(at).replace("file:///", "");
    return packed[name] ? Promise.resolve(response(name)) : found(at, ...more);
  };
  function worker() {
    const started = `(${beginning})(${unpacking})`;
    const made = new Worker(URL.createObjectURL(new Blob([started], { type: TYPES.js })));
    made.postMessage(packed);
    return made;
  }
  function beginning(unpacking) {
    const early = [];
    globalThis.onmessage = async (first) => {
      globalThis.onmessage = (event) => early.push(event);
      globalThis.rulewright = unpacking(first.data);
      await import(await globalThis.rulewright.address("worker.js"));
      for (const event of early) globalThis.onmessage(event);
    };
  }
  return { address, worker };
}

globalThis.rulewright = unpacking(JSON.parse(document.getElementById("files").textContent));
globalThis.rulewright.address("player.js").then((address) => import(address)).catch((failure) => {
  document.getElementById("status").textContent = String(failure);
});
