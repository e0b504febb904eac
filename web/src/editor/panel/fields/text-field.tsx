// Texts, which may hold {{ expressions }}, and expressions of other values. The large editor completes names.
import { type FocusEvent, useState } from "react";

import { printJson } from "../../../api/json";
import { Button } from "../../../ui/button";
import { plural } from "../../../ui/numbers";
import { afterPress } from "../after-press";
import { CodeDialog } from "../code-dialog";
import { Preview } from "../preview";
import { EMPTY, isExpression, takesExpressions, tokensAbout } from "../schema";
import { Address } from "./address";
import type { FieldProps } from "./schema-field";

const defaultText = (value: unknown) => (typeof value === "string" ? value : "");

/** As many lines as it has, within bounds. Long lines count as several. */
const rowsOf = (text: string, least: number) => Math.min(14, Math.max(least, text.split("\n").reduce((sum, line) => sum + 1 + Math.floor(line.length / 44), 0)));

function Text({ id, title, schema, value, describedBy, invalid, onChange, empty }: FieldProps & { empty: unknown }) {
  const [near, setNear] = useState(false);
  const [large, setLarge] = useState(false);
  const text = typeof value === "string" ? value : value === undefined ? "" : printJson(value);
  const many = schema["x-multiline"] === true;
  const tokens = tokensAbout(text || defaultText(schema.default));
  const change = (next: string) => onChange(next === "" ? empty : next);
  const leave = ({ currentTarget: own, relatedTarget }: FocusEvent) => {
    if (!own.contains(relatedTarget)) afterPress(() => !own.contains(document.activeElement) && setNear(false)); // what stands below moves up then
  };
  const shared = { id, "aria-describedby": describedBy, "aria-invalid": invalid || undefined, spellCheck: many, placeholder: defaultText(schema.default), value: text };
  if (!takesExpressions(schema) && !many) {
    const list = schema.examples?.length ? `${id}list` : undefined;
    return (
      <>
        <input className="field" {...shared} list={list} maxLength={schema.maxLength} onChange={({ target }) => change(target.value)} />
        {schema["x-below"] && text && <Address title={title} below={schema["x-below"]} path={text} />}
        {list && <datalist id={list}>{schema.examples?.map((each) => <option key={String(each)} value={String(each)} />)}</datalist>}
      </>
    );
  }
  return (
    <div className="text-field" onFocus={() => setNear(true)} onBlur={leave}>
      <textarea className={`field ${isExpression(text) ? "mono" : ""}`} rows={rowsOf(text, many ? 3 : 1)} {...shared} onChange={({ target }) => change(target.value)} />
      <div className="row text-foot">
        {many && tokens > 0 && <span className="faint">about {plural(tokens, "token")}</span>}
        {(near || isExpression(text)) && <Button kind="plain" className="spread" aria-label={`Expand ${title}`} onClick={() => setLarge(true)}>Expand</Button>}
      </div>
      {near && isExpression(text) && <Preview value={text} />}
      {large && <CodeDialog title={title} kind="expression" text={text} counts={many} onSave={change} onClose={() => setLarge(false)} />}
    </div>
  );
}

export const TextField = (props: FieldProps) => <Text {...props} empty={props.required ? "" : undefined} />;

/** Of a value that is no text: a whole expression. */
export const ExpressionField = (props: FieldProps) => <Text {...props} schema={{ ...props.schema, default: undefined }} empty={props.required ? undefined : EMPTY} />;
