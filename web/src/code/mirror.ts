// CodeMirror, in a shadow tree: there it styles itself by a sheet of its own, which the page's policy allows. This script
// is loaded when the first large editor opens. It shares nothing with the others, so that they stay as they are.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { Decoration, EditorView, keymap, MatchDecorator, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { tags } from "@lezer/highlight";

import { choicesAt, type Names } from "./completions";

export interface Options {
  label: string;
  kind: "expression" | "json";
  text: string;
  names: () => Names | undefined;
  onChange: (text: string) => void;
}

// The page's colours reach into the shadow tree.
const look = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", backgroundColor: "var(--sunken)", border: "1px solid var(--line-strong)", borderRadius: "6px", fontSize: "13px" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-1px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--text)", padding: "8px 0" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-tooltip": { backgroundColor: "var(--raised)", color: "var(--text)", border: "1px solid var(--line-strong)", borderRadius: "6px" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--selected)", color: "var(--text)" },
  ".cm-completionInfo": { maxWidth: "36ch", padding: "6px 10px" },
  ".cm-completionDetail": { color: "var(--faint)", fontStyle: "normal" },
  ".cm-expression": { color: "var(--link)", backgroundColor: "var(--accent-soft)", borderRadius: "3px" },
  ".cm-matchingBracket": { backgroundColor: "var(--selected)" },
});

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--link)" },
  { tag: tags.string, color: "var(--good)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--busy)" },
]);

const expressionMarks = new MatchDecorator({ regexp: /\{\{.*?\}\}/g, decoration: Decoration.mark({ class: "cm-expression" }) });
const expressions = ViewPlugin.define((view) => ({ decorations: expressionMarks.createDeco(view), update(update: ViewUpdate) { this.decorations = expressionMarks.updateDeco(update, this.decorations); } }), { decorations: ({ decorations }) => decorations });

function extensionsFor({ kind, label, onChange, names }: Options) {
  const complete = autocompletion({
    override: [
      ({ state, pos }) => {
        const own = names();
        const choice = own && choicesAt(state.doc.sliceString(0, pos), own);
        return choice ? { from: choice.from, options: choice.choices.map(({ late, ...option }) => ({ ...option, type: "variable", boost: late ? -1 : 0 })), validFor: /^[$\w ]*$/ } : null;
      },
    ],
    icons: false,
  });
  const shared = [
    look,
    history(),
    closeBrackets(),
    bracketMatching(),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ "aria-label": label }),
    EditorView.updateListener.of((update) => update.docChanged && onChange(update.state.doc.toString())),
    keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap]),
  ];
  return kind === "json" ? [...shared, json(), syntaxHighlighting(colours)] : [...shared, expressions, complete];
}

/** In a shadow tree of the element. Returns what ends it. */
export function openMirror(parent: HTMLElement, options: Options): () => void {
  const root = parent.shadowRoot ?? parent.attachShadow({ mode: "open" });
  const view = new EditorView({ state: EditorState.create({ doc: options.text, extensions: extensionsFor(options) }), root, parent: root });
  view.focus();
  view.dispatch({ selection: { anchor: view.state.doc.length } });
  return () => view.destroy();
}
