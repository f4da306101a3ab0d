// The picture of a match, seen from the page: a frame without an origin, which reaches neither the page nor storage nor a server.
import { found, here } from "./files.js";

const text = async (name) => (await found(here(name))).text();

export class Board {
  constructor(frame, chosen) {
    this.frame = frame;
    this.number = 0;
    this.waiting = new Map();
    addEventListener("message", (event) => {
      if (event.source !== frame.contentWindow) return;
      const { done, chosen: option } = event.data;
      if (option !== undefined) chosen(Number(option));
      this.waiting.get(done)?.();
      this.waiting.delete(done);
    });
    this.ready = this.begin();
    this.ready.catch((failure) => console.error(failure));
  }

  async begin() {
    const [page, pictures] = await Promise.all([text("frame.html"), text("pictures.css")]);
    const loaded = new Promise((resolve) => { this.frame.onload = resolve; });
    this.frame.srcdoc = page;
    await loaded;
    await this.send({ styles: { pictures } });
  }

  send(data) {
    const id = ++this.number;
    this.frame.contentWindow.postMessage({ ...data, id }, "*");
    return new Promise((resolve) => { this.waiting.set(id, resolve); });
  }

  async dress(game) {
    await this.ready;
    await this.send({ styles: { game } });
  }

  async show(sections) {
    await this.ready;
    await this.send({ sections });
  }
}
