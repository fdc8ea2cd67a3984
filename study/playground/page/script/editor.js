// The editor: text with highlighting, mistakes in place, and counts of a run beside the lines.
import {defaultKeymap, history, historyKeymap} from "@codemirror/commands";
import {bracketMatching, HighlightStyle, syntaxHighlighting} from "@codemirror/language";
import {lintGutter, linter, lintKeymap} from "@codemirror/lint";
import {Compartment, EditorState, RangeSet, StateEffect, StateField} from "@codemirror/state";
import {drawSelection, EditorView, gutter, GutterMarker, highlightActiveLine, highlightActiveLineGutter, hoverTooltip, keymap, lineNumbers} from "@codemirror/view";
import {tags} from "@lezer/highlight";
import {assembly, ptx} from "./languages.js";

const colours = HighlightStyle.define([
  {tag: tags.comment, color: "var(--soft)", fontStyle: "italic"},
  {tag: [tags.keyword, tags.controlKeyword], color: "var(--keyword)", fontWeight: "600"},
  {tag: tags.typeName, color: "var(--type)"},
  {tag: [tags.number], color: "var(--number)"},
  {tag: [tags.variableName, tags.propertyName], color: "var(--name)"},
  {tag: tags.labelName, color: "var(--label)", fontWeight: "600"},
]);

// Counts is the text beside a line.
class Counts extends GutterMarker {
  constructor(text) {
    super();
    this.text = text;
  }
  eq(other) { return other.text === this.text; }
  toDOM() { return document.createTextNode(this.text); }
}

const setCounts = StateEffect.define();
const counts = StateField.define({
  create: () => RangeSet.empty,
  update(set, transaction) {
    set = set.map(transaction.changes);
    for (const e of transaction.effects) {
      if (!e.is(setCounts)) continue;
      const doc = transaction.state.doc, marks = [];
      for (const [line, text] of [...e.value].sort((a, b) => a[0] - b[0])) {
        if (line >= 1 && line <= doc.lines) marks.push(new Counts(text).range(doc.line(line).from));
      }
      set = RangeSet.of(marks);
    }
    return set;
  },
});

// Editor is the editor in an element. changed is told of every edit, moved of the cursor's line,
// check returns the mistakes of a text, and explain says what there is to know about a line.
export class Editor {
  constructor(parent, {changed, moved, run, check, explain}) {
    this.language = new Compartment();
    const mistakes = async view => (await check(view.state.doc.toString())).map(p => this.place(p));
    this.view = new EditorView({parent, state: EditorState.create({extensions: [
      lineNumbers(), highlightActiveLineGutter(), highlightActiveLine(), history(), drawSelection(), bracketMatching(),
      counts, gutter({class: "counts", markers: view => view.state.field(counts)}),
      lintGutter(), linter(mistakes, {delay: 200}),
      hoverTooltip((view, position) => {
        const line = view.state.doc.lineAt(position), text = explain(line.number, line.text);
        if (!text) return null;
        return {pos: line.from, end: line.to, above: true, create: () => {
          const dom = document.createElement("div");
          dom.className = "explained";
          dom.textContent = text;
          return {dom};
        }};
      }),
      syntaxHighlighting(colours), this.language.of(assembly), EditorState.tabSize.of(4),
      keymap.of([{key: "Ctrl-Enter", mac: "Cmd-Enter", run: () => (run(), true)}, ...lintKeymap, ...defaultKeymap, ...historyKeymap]),
      EditorView.contentAttributes.of({"aria-label": "Text of the kernel", tabindex: "0"}),
      EditorView.updateListener.of(u => {
        if (u.docChanged) changed();
        if (u.docChanged || u.selectionSet) {
          const line = u.state.doc.lineAt(u.state.selection.main.head);
          moved(line.number, line.text);
        }
      }),
    ]})});
  }

  // place is a mistake as the editor wants it. Columns of the reader count bytes of text that is ASCII
  // in all but comments.
  place(p) {
    const doc = this.view.state.doc;
    const line = doc.line(Math.min(Math.max(p.line, 1), doc.lines));
    const from = Math.min(line.from + Math.max(p.column - 1, 0), line.to);
    const word = /^[^\s,;]+/.exec(doc.sliceString(from, line.to));
    return {from, to: word ? from + word[0].length : line.to, severity: "error", message: p.message};
  }

  get text() { return this.view.state.doc.toString(); }
  set text(text) { this.view.dispatch({changes: {from: 0, to: this.view.state.doc.length, insert: text}, selection: {anchor: 0}}); }

  speak(name) { this.view.dispatch({effects: this.language.reconfigure(name === "ptx" ? ptx : assembly)}); }
  show(lines) { this.view.dispatch({effects: setCounts.of(lines)}); }
  at() { const line = this.view.state.doc.lineAt(this.view.state.selection.main.head); return [line.number, line.text]; }
  go(n) {
    const line = this.view.state.doc.line(Math.min(n, this.view.state.doc.lines));
    this.view.dispatch({selection: {anchor: line.from}, scrollIntoView: true});
  }
}
