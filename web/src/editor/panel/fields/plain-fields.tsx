// Numbers, yes and no, and one of a few words.
import { useState } from "react";

import { integerOf } from "../../../api/json";
import type { FieldProps } from "./schema-field";

const defaultText = (value: unknown) => (value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value));

function numberIn(text: string, whole: boolean): number | bigint | undefined {
  if (whole) return /^[-+]?[0-9]+$/.test(text) ? integerOf(text) : undefined;
  const value = Number(text);
  return text !== "" && Number.isFinite(value) ? value : undefined;
}

/** Large integers keep all their digits. What is no number stays in the field, and is not in the document. */
export function NumberField({ id, schema, value, describedBy, invalid, onChange }: FieldProps) {
  const written = value === undefined ? "" : String(value);
  const [typed, setTyped] = useState<string>();
  const text = typed ?? written;
  const whole = schema.type === "integer";
  const isWrong = typed !== undefined && typed.trim() !== "" && numberIn(typed.trim(), whole) === undefined;
  const change = (next: string) => {
    setTyped(next);
    const number = numberIn(next.trim(), whole);
    if (next.trim() === "") onChange(undefined);
    else if (number !== undefined) onChange(number);
  };
  return (
    <>
      <input className="field" id={id} inputMode={whole ? "numeric" : "decimal"} placeholder={defaultText(schema.default)} aria-describedby={describedBy} aria-invalid={invalid || isWrong || undefined} value={text} onChange={({ target }) => change(target.value)} onBlur={() => !isWrong && setTyped(undefined)} />
      {isWrong && <p className="bad" role="alert">{whole ? "A whole number is needed." : "A number is needed."}</p>}
    </>
  );
}

export function BooleanField({ id, schema, value, describedBy, onChange }: FieldProps) {
  const on = value === undefined ? schema.default === true : value === true;
  return <input type="checkbox" className="check" id={id} aria-describedby={describedBy} checked={on} onChange={({ target }) => onChange(target.checked === (schema.default === true) ? undefined : target.checked)} />;
}

export function EnumField({ id, schema, value, required, describedBy, invalid, onChange }: FieldProps) {
  const words = (schema.enum ?? []).map(String);
  const chosen = value === undefined ? "" : String(value);
  return (
    <select className="pick" id={id} aria-describedby={describedBy} aria-invalid={invalid || undefined} value={chosen} onChange={({ target }) => onChange(target.value === "" ? undefined : schema.enum?.[words.indexOf(target.value)])}>
      {(!required || chosen === "") && <option value="">{schema.default === undefined ? "not written" : `${String(schema.default)}, the default`}</option>}
      {words.map((word) => <option key={word} value={word}>{word}</option>)}
      {chosen !== "" && !words.includes(chosen) && <option value={chosen}>{chosen}</option>}
    </select>
  );
}
