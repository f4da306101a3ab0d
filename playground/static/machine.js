// The worker as the page sees it: one message after another, each with its answer; it can be stopped and begun again.
import { here } from "./files.js";

export class Refused extends Error {
  constructor(message, code = "") {
    super(message);
    this.code = code;
  }
}

export class Machine {
  // It begins after `first`; what is asked before waits.
  constructor({ told, ready, failed, busy }, first = null) {
    this.heard = { told, ready, failed, busy };
    this.waiting = new Map();
    this.number = 0;
    if (!first) this.begin();
    this.begun = Promise.resolve(first).then(() => { if (first) this.begin(); });
  }

  get isBusy() {
    return this.waiting.size > 0;
  }

  begin() {
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
    else if (data.ready) this.heard.ready(data.fromMemory);
    else if (data.failed) this.heard.failed(data.failed);
    else {
      const { resolve, reject } = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      this.heard.busy(this.isBusy);
      const found = JSON.parse(data.text);
      if (found.answer === "error") reject(new Refused(found.message, found.code));
      else resolve(found);
    }
  }

  ask(ask, fields = {}) {
    return this.send({ text: JSON.stringify({ ask, ...fields }) });
  }

  send(message) {
    const id = ++this.number;
    const answer = new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    this.heard.busy(true);
    this.begun.then(() => { if (this.waiting.has(id)) this.worker.postMessage({ id, ...message }); }); // else it was stopped
    return answer;
  }

  async find(ask, fields) {
    return (await this.ask(ask, fields)).found;
  }

  // After the first picture the browser keeps the memory of the worker, which makes later visits quick.
  async keep() {
    return (await this.send({ keeps: true })).found;
  }

  stop() {
    for (const { reject } of this.waiting.values()) reject(new Refused("stopped", "stopped"));
    this.waiting.clear();
    this.heard.busy(false);
    if (!this.worker) return; // it has not begun
    this.worker.terminate();
    this.begin();
  }
}
