// What the playground uses of CodeMirror, in one module.
export { autocompletion, completionKeymap } from "@codemirror/autocomplete";
export { lintGutter, setDiagnostics } from "@codemirror/lint";
export { EditorState, StateEffect, StateField } from "@codemirror/state";
export { Decoration, EditorView, hoverTooltip, keymap } from "@codemirror/view";
export { basicSetup } from "codemirror";
