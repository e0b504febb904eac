// A field by its schema: its title, its control, the switch to an expression, and what is wrong with it.
import { type ReactNode, useId, useRef } from "react";

import type { Path } from "../../document/model";
import { useFieldProblem, useForm } from "../place";
import { beginOf, canBeFormula, type Control, controlOf, EMPTY, isFormulaAtFirst, type ParameterSchema, shownIn, titleOf } from "../schema";
import { AnyField, JsonField } from "./json-field";
import { ListField } from "./list-field";
import { MapField } from "./map-field";
import { ModelField } from "./model-field";
import { BooleanField, EnumField, NumberField } from "./plain-fields";
import { ReferenceField } from "./reference-field";
import { ExpressionField, TextField } from "./text-field";
import { ObjectField } from "./object-field";

export interface FieldProps {
  id: string;
  title: string;
  schema: ParameterSchema;
  value: unknown;
  path: Path;
  required: boolean;
  describedBy: string | undefined;
  invalid: boolean;
  onChange: (value: unknown) => void;
}

const controls = { reference: ReferenceField, model: ModelField, enum: EnumField, text: TextField, number: NumberField, boolean: BooleanField, list: ListField, object: ObjectField, map: MapField, json: JsonField, any: AnyField };
const isGroup = (kind: string) => ["list", "object", "map"].includes(kind);

/** To the middle of an expression that is empty yet. */
function focusFormula(id: string) {
  requestAnimationFrame(() => {
    const field = document.getElementById(id);
    field?.focus();
    if (field instanceof HTMLTextAreaElement && field.value === EMPTY) field.setSelectionRange(3, 3);
  });
}

interface Props {
  name: string;
  schema: ParameterSchema;
  value: unknown;
  path: Path;
  required: boolean;
  /** Beside the title, such as the button that takes the element out of a list. */
  aside?: ReactNode;
  onChange?: (value: unknown) => void;
}

export function SchemaField({ name, schema, value: written, path, required, aside, onChange }: Props) {
  const id = useId();
  const form = useForm();
  const title = titleOf(name, schema);
  const typing = useRef<Control>(undefined);
  const { kind, isFormula } = (typing.current = controlOf(schema, written, required, typing.current));
  const value = shownIn(kind, written);
  const Field = isFormula ? ExpressionField : controls[kind];
  const { pointer, words, isError } = useFieldProblem(path, isFormula || !isGroup(kind));
  const change = onChange ?? ((next: unknown) => form.change(path, next));
  const hint = words ?? schema.description;
  const switchOver = () => {
    typing.current = undefined;
    if (isFormula) return change(required && isFormulaAtFirst(schema, kind) ? beginOf(schema) : undefined);
    change(EMPTY);
    focusFormula(id);
  };
  return (
    <div className="form-field" data-pointer={pointer}>
      <div className="form-title">
        {isGroup(kind) && !isFormula ? <span id={`${id}title`}>{title}</span> : <label htmlFor={id} id={`${id}title`}>{title}</label>}
        {required && <span className="faint" title="It is required.">required</span>}
        <span className="spread">
          {canBeFormula(schema, kind) && <button type="button" className="fx" aria-pressed={isFormula} aria-label={`${title} as an expression`} title={isFormula ? "Back to a value" : "Compute it by an expression"} onClick={switchOver}>fx</button>}
          {aside}
        </span>
      </div>
      <Field id={id} title={title} schema={schema} value={value} path={path} required={required} describedBy={hint ? `${id}about` : undefined} invalid={isError} onChange={change} />
      {hint && <p id={`${id}about`} className={words ? (isError ? "bad" : "warn-words") : "faint"}>{hint}</p>}
    </div>
  );
}
