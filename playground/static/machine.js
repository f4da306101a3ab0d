// The worker as the page sees it: one message after another, each with its answer; it can be stopped and begun again.
import { here } from "./files.js";

export class Refused extends Error {
  constructor(message, code = "") {
    super(message);
    this.code = code;
  }
}

export class Machine {
  constructor({ told, ready, failed, busy }) {
    this.heard = { told, ready, failed, busy };
    this.begin();
  }

  begin() {
    this.waiting = new Map();
    this.number = 0;
    this.worker = globalThis.rulewright // where the page is one file
      ? globalThis.rulewright.worker()
      : this.underPolicy();
    this.worker.onmessage = (event) => this.take(event.data);
    this.worker.onerror = (event) => this.heard.failed(event.message || "the worker cannot be started");
  }

  // A worker of an address has the policy of its server, if there is one; a worker from a blob has that of this page.
  underPolicy() {
    const text = `import ${JSON.stringify(here("worker.js"))};`;
    const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    return new Worker(address, { type: "module" });
  }

  take(data) {
    if (data.told !== undefined) this.heard.told(data.told);
    else if (data.ready) {
      document.documentElement.dataset.memory = data.fromMemory ? "earlier" : "new";
      this.heard.ready();
    } else if (data.kept) document.documentElement.dataset.memory = "kept";
    else if (data.failed) this.heard.failed(data.failed);
    else {
      const { resolve, reject } = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      this.heard.busy(this.waiting.size > 0);
      const found = JSON.parse(data.text);
      if (found.answer === "error") reject(new Refused(found.message, found.code));
      else resolve(found);
    }
  }

  ask(ask, fields = {}) {
    const id = ++this.number;
    this.heard.busy(true);
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, text: JSON.stringify({ ask, ...fields }) });
    });
  }

  async find(ask, fields) {
    return (await this.ask(ask, fields)).found;
  }

  // After the first picture the browser keeps the memory of the worker, which makes later visits quick.
  keep() {
    this.worker.postMessage({ keeps: true });
  }

  stop() {
    this.worker.terminate();
    for (const { reject } of this.waiting.values()) reject(new Refused("stopped"));
    this.heard.busy(false);
    this.begin();
  }
}
