// A match in the page: persons who share the device, and bots.
import { Board } from "./board.js";
import { explained, rulebook } from "./words.js";

const $ = (id) => document.getElementById(id);
const BOTS = ["greedy", "random", "easy", "normal", "hard"];

export class Play {
  constructor(machine, { say, show }) {
    this.machine = machine;
    this.say = say;
    this.show = show;
    this.about = null;
    this.match = null; // { id, seats, record, shown, isPlayed }
    this.turns = 0; // a newer turn makes an older one stop
    this.waits = false; // whether a click in the picture counts: the picture is that of the match, and a person is asked
    this.board = new Board($("match"), (number) => this.chosen(number));
    $("setup").onsubmit = (event) => { event.preventDefault(); this.start(); };
    $("undo").onclick = () => this.undo();
    $("why").onclick = () => this.lines("Why not?", "why", { viewer: this.viewer });
    $("hint").onclick = () => this.lines("Hint", "hint", { viewer: this.viewer, effort: "1s" });
    $("score").onclick = () => this.lines("Score", "score", { viewer: this.viewer });
    $("rules").onclick = async () => {
      const found = await this.machine.ask("rules", { game: "game" });
      this.show("Rules", rulebook(found.lines));
    };
    $("look").onsubmit = (event) => {
      event.preventDefault();
      const at = $("look-at").value.trim();
      if (at) this.lines(at, "look", { viewer: this.viewer, at });
    };
    $("keep").onclick = () => this.keep();
  }

  // ---- before a match ----

  set(about) {
    const old = this.about;
    this.about = about;
    this.board.dress(about.css);
    document.title = about.title;
    $("secret-note").textContent = about.secrets
      ? "All secrets of the match are in this browser: it is for bots and for friends who pass the device on." : "";
    const same = old && JSON.stringify([old.options, old.fewest, old.most]) === JSON.stringify([about.options, about.fewest, about.most]);
    if (!same) this.form();
  }

  form() {
    const { about } = this;
    const chosen = $("setup").querySelector("[name=players]")?.value;
    const parts = [select("players", "Players", numbers(about.fewest, about.most), chosen ?? String(about.players))];
    for (const [name, values] of about.options) parts.push(select(`option-${name}`, name.replaceAll("_", " "), values, values[0]));
    const seats = Object.assign(document.createElement("span"), { id: "seats" });
    const button = Object.assign(document.createElement("button"), { textContent: "New match" });
    const inside = document.createElement("details");
    inside.append(Object.assign(document.createElement("summary"), { textContent: "Options" }), ...parts.slice(1));
    $("setup").replaceChildren(parts[0], ...(parts.length > 1 ? [inside] : []), seats, button);
    const players = $("setup").querySelector("[name=players]");
    players.onchange = () => this.seatsForm(Number(players.value));
    this.seatsForm(Number(players.value));
  }

  seatsForm(count) {
    const made = [];
    for (let seat = 0; seat < count; seat++) {
      made.push(select(`seat-${seat}`, `Seat ${seat + 1}`, ["you", ...BOTS], seat === 0 ? "you" : "greedy"));
    }
    $("seats").replaceChildren(...made);
  }

  wanted() {
    const data = new FormData($("setup"));
    const players = Number(data.get("players"));
    const options = {};
    for (const [name] of this.about.options) options[name] = data.get(`option-${name}`);
    const seats = numbers(0, players - 1).map((seat) => data.get(`seat-${seat}`));
    return { players, options, seats };
  }

  // ---- a match ----

  async start() {
    try {
      await this.begin();
    } catch (failure) {
      this.say(failure.message);
      if (this.match) await this.refresh();
    }
  }

  async begin(record = "") {
    const { players, options, seats } = this.wanted();
    const fields = record ? { game: "game", record } : { game: "game", players, options };
    this.turns += 1;
    this.wait(false);
    const found = await this.machine.ask("create", fields);
    if (this.match) this.machine.ask("close", { match: this.match.id }).catch(() => {});
    const kept = record && this.match ? this.match.seats : seats;
    this.match = { id: found.match, seats: found.players.map((_, seat) => kept[seat] ?? "greedy"), record, shown: null, isPlayed: !record };
    $("note").textContent = found.parted ? `The match goes on at step ${found.step}: ${found.parted}` : "";
    $("engine-note").textContent = ""; // until it is known
    await this.refresh(found);
    this.tellEngine();
    return found;
  }

  // Native code is fetched and made ready after the first picture; a search in generated Python is much weaker.
  async tellEngine() {
    const { players, options } = this.wanted();
    const engine = await this.machine.find("engine", { players, options }).catch((failure) => { console.warn(failure.message); return ""; });
    $("engine-note").textContent = engine === "native" ? "Bots think in native code."
      : engine ? "Bots think in generated Python, which is slow: there is no native code for these rules." : "";
  }

  async again() {
    if (!this.match?.record) return this.begin();
    try {
      return await this.begin(this.match.record);
    } catch (failure) {
      const found = await this.begin();
      $("note").textContent = `A new match has begun: ${failure.message}`;
      return found;
    }
  }

  get persons() {
    return this.match.seats.flatMap((who, seat) => (who === "you" ? [seat] : []));
  }

  async refresh(status) {
    const { match } = this;
    const mine = ++this.turns;
    status ??= await this.machine.ask("status", { match: match.id });
    if (mine !== this.turns) return;
    const persons = this.persons;
    const seat = status.over ? persons[0] ?? "all" : persons.includes(status.player) ? status.player : persons[0] ?? "everybody";
    const passes = this.about.secrets && persons.length > 1 && !status.over && seat !== match.shown && persons.includes(status.player);
    if (passes && match.shown !== null) {
      this.curtain(status, seat);
      return this.recorded(match);
    }
    await this.draw(status, seat);
  }

  // The match goes on from its record after an edit, or after the worker was stopped.
  async recorded(match) {
    const found = await this.machine.ask("record", { match: match.id }).catch(() => match);
    match.record = found.record;
  }

  curtain(status, seat) {
    const name = status.players[seat];
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: `I am ${name}` });
    button.onclick = () => { $("curtain").hidden = true; this.draw(status, seat); };
    $("match").hidden = true;
    this.board.show([]);
    $("match-tools").hidden = true;
    $("curtain").replaceChildren(Object.assign(document.createElement("p"), { textContent: `Pass the device to ${name}.` }), button);
    $("curtain").hidden = false;
    button.focus();
  }

  async draw(status, seat) {
    const { match } = this;
    const mine = ++this.turns;
    match.shown = this.viewer = seat;
    const drawn = this.machine.ask("picture", { match: match.id, viewer: seat });
    const recorded = this.recorded(match); // answered while the picture is drawn
    const found = await drawn;
    if (mine !== this.turns) return;
    $("match").hidden = false;
    await this.board.show(found.sections);
    if (mine !== this.turns) return;
    match.options = found.options;
    match.decision = found.decision;
    if (this.clicked) performance.measure("move", { start: this.clicked });
    this.clicked = 0;
    await recorded;
    if (mine !== this.turns) return;
    $("match").dataset.step = status.step;
    const waits = status.over || match.seats[status.player] === "you";
    this.wait(waits);
    $("match-tools").hidden = false;
    $("undo").disabled = status.step === 0;
    document.dispatchEvent(new CustomEvent("drawn"));
    if (!waits) await this.bot(status);
    else if (match.isPlayed) this.prepare(mine).catch(() => {}); // it may be stopped
  }

  // While a person thinks, functions are written that the next decisions may need. After an edit, only if somebody plays.
  async prepare(mine) {
    const { id } = this.match;
    while (this.waits && mine === this.turns && await this.machine.find("prepare", { match: id }));
  }

  wait(is) {
    this.waits = is;
    $("match").dataset.waits = is ? "yes" : "no";
  }

  async bot(status) {
    const { match } = this;
    const mine = this.turns;
    await new Promise((resolve) => setTimeout(resolve, 30)); // the page is drawn first
    if (mine !== this.turns) return;
    const name = status.players[status.player];
    let seconds = 0;
    const clock = setInterval(() => { $("thinking").textContent = `${name} is thinking ... ${++seconds} s`; }, 1000);
    try {
      await this.machine.ask("bot", { match: match.id, decision: match.decision, bot: match.seats[status.player] });
    } finally {
      clearInterval(clock);
      $("thinking").textContent = "";
    }
    if (mine === this.turns) await this.refresh();
  }

  async chosen(number) {
    const option = this.match?.options?.[number];
    if (!this.waits || option === undefined) return;
    this.wait(false);
    this.match.isPlayed = true;
    this.clicked = performance.now();
    try {
      const { id, decision } = this.match;
      await this.machine.ask("choose", { match: id, decision, option });
      await this.refresh();
    } catch (failure) {
      this.wait(true);
      this.say(failure.message);
    }
  }

  async undo(careful = true) {
    const { id, decision } = this.match;
    try {
      await this.machine.ask("undo", { match: id, decision, seats: this.persons, careful });
      this.match.shown = null;
      await this.refresh();
    } catch (failure) {
      if (failure.code !== "has-shown") this.say(failure.message);
      else if (confirm(`${failure.message}. Take it back all the same?`)) await this.undo(false);
    }
  }

  async lines(title, what, fields) {
    try {
      const found = await this.machine.ask(what, { match: this.match.id, ...fields });
      this.show(title, lines(found.lines));
    } catch (failure) {
      this.say(failure.message);
    }
  }

  async keep() {
    const { record } = await this.machine.ask("record", { match: this.match.id });
    saveAs("match.record", new Blob([`${record}\n`], { type: "application/json" }));
  }
}

export function saveAs(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function lines(found) {
  return explained(found.length ? found.join("\n") : "There is nothing to say.");
}

function numbers(from, to) {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}

function select(name, title, values, chosen) {
  const label = document.createElement("label");
  const field = Object.assign(document.createElement("select"), { name });
  for (const value of values) field.add(new Option(String(value), String(value), false, String(value) === String(chosen)));
  label.append(`${title} `, field);
  return label;
}
