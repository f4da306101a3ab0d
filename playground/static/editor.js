// The text editor: the words of Rulewright's language server in CodeMirror.
import {
  autocompletion, basicSetup, Decoration, EditorState, EditorView, hoverTooltip, keymap, lintGutter, setDiagnostics,
  StateEffect, StateField,
} from "./runtime/editor.js";
import { explained } from "./words.js";

const coloured = StateEffect.define();
const colours = StateField.define({
  create: () => Decoration.none,
  update(now, change) {
    now = now.map(change.changes);
    for (const effect of change.effects) if (effect.is(coloured)) now = effect.value;
    return now;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const KINDS = {
  action: "function", effect: "function", value: "property", rule: "method", type: "class", zone: "variable",
  state: "variable", row: "enum", option: "enum", column: "property", word: "keyword", line: "text",
};

export class Editor {
  constructor(place, machine, heard) {
    this.machine = machine;
    this.heard = heard;
    this.file = "";
    this.states = new Map();
    const root = place.attachShadow({ mode: "open" }); // styles of CodeMirror then need no permission
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    this.view = new EditorView({ parent: root, root, state: this.fresh("") });
  }

  fresh(text) {
    const ask = (what, fields) => this.machine.find(what, { file: this.file, ...fields });
    return EditorState.create({
      doc: text,
      extensions: [
        keymap.of([
          { key: "F12", run: () => { this.goToDefinition(); return true; } },
          { key: "F2", run: () => { this.rename(); return true; } },
          { key: "Mod-Shift-f", run: () => { this.format(); return true; } },
        ]),
        basicSetup,
        colours,
        lintGutter(),
        EditorView.lineWrapping,
        autocompletion({
          override: [async (context) => {
            if (!context.explicit && !context.matchBefore(/[\w.[]$/)) return null;
            await this.heard.written();
            const found = await ask("complete", { at: context.pos }).catch(() => null);
            if (!found) return null;
            return {
              from: found.from,
              options: found.offers.map((one, at) => ({
                label: one.text, detail: one.about, type: KINDS[one.sort] ?? "text", boost: 99 - Math.min(at, 198),
              })),
            };
          }],
        }),
        hoverTooltip(async (view, at) => {
          const found = await ask("hover", { at }).catch(() => null);
          if (!found) return null;
          return { pos: found.from ?? at, end: found.to, create: () => ({ dom: explained(found.text) }) };
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) this.heard.changed(this.file, this.view.state.doc.toString());
        }),
        EditorView.contentAttributes.of({ "aria-label": "Text of the file", tabindex: "0" }),
      ],
    });
  }

  show(file, text) {
    if (this.file) this.states.set(this.file, this.view.state);
    this.file = file;
    const kept = this.states.get(file);
    this.view.setState(kept && kept.doc.toString() === text ? kept : this.fresh(text));
    this.colour();
  }

  forget() {
    this.states.clear();
    this.file = "";
  }

  async colour() {
    const file = this.file;
    const text = this.view.state.doc.toString();
    const found = await this.machine.find("colours", { file }).catch(() => []);
    if (file !== this.file || text !== this.view.state.doc.toString()) return;
    const marks = found.map(([from, to, kind]) => Decoration.mark({ class: `k-${kind}` }).range(from, to));
    this.view.dispatch({ effects: coloured.of(Decoration.set(marks, true)) });
  }

  tell(problems) {
    const length = this.view.state.doc.length;
    const here = problems.filter((one) => one.file === this.file).map((one) => ({
      from: Math.min(one.from, length),
      to: Math.min(Math.max(one.to, one.from), length),
      severity: one.severity,
      message: one.more ? `${one.message}\n${one.more}` : one.message,
      source: one.code,
      actions: [{
        name: "Fix", apply: async (view, from, to) => {
          const fixes = await this.machine.find("fixes", { file: this.file, start: one.from, end: one.to }).catch(() => []);
          if (fixes.length) this.edit(fixes[0].edits);
          else this.heard.say("There is no fix that Rulewright is sure of.");
        },
      }],
    }));
    this.view.dispatch(setDiagnostics(this.view.state, here));
  }

  edit(edits) {
    const mine = edits.filter((one) => one.file === this.file);
    this.view.dispatch({ changes: mine.map((one) => ({ from: one.from, to: one.to, insert: one.text })) });
    const others = edits.filter((one) => one.file !== this.file);
    if (others.length) this.heard.edited(others);
  }

  go(at) {
    this.view.dispatch({ selection: { anchor: Math.min(at, this.view.state.doc.length) }, scrollIntoView: true });
    this.view.focus();
  }

  get at() {
    return this.view.state.selection.main.head;
  }

  async goToDefinition() {
    const found = await this.machine.find("definition", { file: this.file, at: this.at }).catch(() => null);
    if (found) this.heard.go(found.file, found.from);
  }

  async rename() {
    const name = prompt("The new name:");
    if (!name) return;
    try {
      this.edit(await this.machine.find("rename", { file: this.file, at: this.at, name }));
    } catch (failure) {
      this.heard.say(failure.message);
    }
  }

  async format() {
    await this.heard.written();
    this.edit(await this.machine.find("formatted", { file: this.file }).catch(() => []));
  }
}

const STYLE = `
.cm-editor { height: 100%; font-size: 14px; color: inherit; background: transparent; }
.cm-editor .cm-scroller { font-family: ui-monospace, "DejaVu Sans Mono", Consolas, monospace; line-height: 1.45; }
.cm-editor .cm-gutters { background: transparent; color: inherit; opacity: .75; border: 0; }
.cm-editor .cm-content { caret-color: currentColor; }
.cm-editor .cm-activeLine, .cm-editor .cm-activeLineGutter { background: color-mix(in srgb, currentColor 6%, transparent); }
.cm-editor .cm-tooltip { color: light-dark(#1c1b18, #eee); background: light-dark(#fff, #2a2926); border: 1px solid #8888; }
.cm-editor .cm-selectionBackground, .cm-editor.cm-focused .cm-selectionBackground { background: #4a90d955 !important; }
.explained { max-width: 36rem; padding: .4rem .6rem; white-space: pre-wrap; font: 13px/1.45 system-ui, sans-serif; }
.explained > div + div { margin-top: .4rem; }
.cm-diagnostic { white-space: pre-wrap; }
.k-comment { color: light-dark(#6a6a60, #a5a59a); font-style: italic; }
.k-keyword { color: light-dark(#8a2a5b, #f0a0c8); }
.k-string { color: light-dark(#2e6b2e, #9fd89f); }
.k-number { color: light-dark(#8a4b00, #f0c070); }
.k-class, .k-type, .k-enum, .k-struct { color: light-dark(#0b5f8a, #86cdf2); }
.k-function, .k-method, .k-event { color: light-dark(#5a3ea6, #c6b3ff); }
.k-enumMember { color: light-dark(#8a4b00, #f0c070); }
.k-property { color: light-dark(#136f63, #7fdccd); }
`;
