// Values of any form, as JSON. What is no JSON yet stays in the field, and is not in the document.
import { useState } from "react";

import { parseJson, printJson, typedJson } from "../../../api/json";
import { wordsOf } from "../../../api/problem";
import { Button } from "../../../ui/button";
import { isSame } from "../../document/model";
import { CodeDialog } from "../code-dialog";
import type { FieldProps } from "./schema-field";
import { TextField } from "./text-field";

const textOf = (value: unknown) => (value === undefined ? "" : printJson(value, 2));

function mistakeIn(text: string, title: string): string | undefined {
  try {
    typedJson(text, title);
    return undefined;
  } catch (error) {
    return wordsOf(error);
  }
}

export function JsonField({ id, title, value, describedBy, invalid, onChange }: FieldProps) {
  const [typed, setTyped] = useState<{ text: string; value: unknown }>();
  const [large, setLarge] = useState(false);
  const text = typed && isSame(typed.value, value) ? typed.text : textOf(value); // an undo replaces what was typed
  const mistake = mistakeIn(text, title);
  const change = (next: string) => {
    if (mistakeIn(next, title) !== undefined) return setTyped({ text: next, value });
    const parsed = typedJson(next, title);
    setTyped({ text: next, value: parsed });
    onChange(parsed);
  };
  return (
    <div className="text-field">
      <textarea className="field mono" rows={Math.min(12, Math.max(2, text.split("\n").length))} id={id} spellCheck={false} aria-describedby={describedBy} aria-invalid={invalid || mistake !== undefined || undefined} value={text} onChange={({ target }) => change(target.value)} />
      {mistake && <p className="bad" role="alert">{mistake}</p>}
      <div className="row text-foot"><Button kind="plain" className="spread" aria-label={`Expand ${title}`} onClick={() => setLarge(true)}>Expand</Button></div>
      {large && <CodeDialog title={title} kind="json" text={text} onSave={change} onClose={() => setLarge(false)} />}
    </div>
  );
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text; // JSON shows it in quotes
  }
}

/** A text, or JSON: as a person switched, but what is no text is always shown as JSON. The value is kept by the switch. */
export function AnyField(props: FieldProps) {
  const { value, title, onChange } = props;
  const [chosen, setChosen] = useState(false);
  const isText = value === undefined || typeof value === "string";
  const json = chosen || !isText;
  const Control = json ? JsonField : TextField;
  const toText = () => {
    setChosen(false);
    if (!isText) onChange(printJson(value, 2));
  };
  const toJson = () => {
    setChosen(true);
    if (typeof value === "string") onChange(parsed(value));
  };
  return (
    <div className="any-field">
      <div className="chips" role="group" aria-label={`Form of ${title}`}>
        <button type="button" className="chip" aria-pressed={!json} onClick={toText}>Text</button>
        <button type="button" className="chip" aria-pressed={json} onClick={toJson}>JSON</button>
      </div>
      <Control {...props} />
    </div>
  );
}
