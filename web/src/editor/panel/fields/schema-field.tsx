// A field by its schema: its title, its control, the switch to an expression, and what is wrong with it.
import { type ReactNode, useId } from "react";

import type { Path } from "../../document/model";
import { useFieldProblem, useForm } from "../place";
import { isExpression, kindOf, type ParameterSchema, takesExpressions, titleOf } from "../schema";
import { AnyField, JsonField } from "./json-field";
import { ListField } from "./list-field";
import { MapField } from "./map-field";
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

const controls = { reference: ReferenceField, enum: EnumField, text: TextField, number: NumberField, boolean: BooleanField, list: ListField, object: ObjectField, map: MapField, json: JsonField, any: AnyField };
/** They are texts anyway, or have fields of their own. */
const withoutSwitch = ["text", "reference", "any", "object"];
const isGroup = (kind: string) => ["list", "object", "map"].includes(kind);

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

export function SchemaField({ name, schema, value, path, required, aside, onChange }: Props) {
  const id = useId();
  const form = useForm();
  const title = titleOf(name, schema);
  const kind = kindOf(schema, value);
  // A condition is an expression nearly always.
  const isFormula = takesExpressions(schema) && !withoutSwitch.includes(kind) && (isExpression(value) || (kind === "boolean" && required && value === undefined));
  const Control = isFormula ? ExpressionField : controls[kind];
  const { pointer, words, isError } = useFieldProblem(path, isFormula || !isGroup(kind));
  const change = onChange ?? ((next: unknown) => form.change(path, next));
  const hint = words ?? schema.description;
  const canSwitch = takesExpressions(schema) && !withoutSwitch.includes(kind);
  return (
    <div className="form-field" data-pointer={pointer}>
      <div className="form-title">
        {isGroup(kind) && !isFormula ? <span id={`${id}title`}>{title}</span> : <label htmlFor={id} id={`${id}title`}>{title}</label>}
        {required && <span className="faint" title="It is required.">required</span>}
        <span className="spread">
          {canSwitch && <button type="button" className="fx" aria-pressed={isFormula} aria-label={`${title} as an expression`} title={isFormula ? "Back to a value" : "Compute it by an expression"} onClick={() => change(isFormula ? (kind === "boolean" && required ? false : undefined) : "{{  }}")}>fx</button>}
          {aside}
        </span>
      </div>
      <Control id={id} title={title} schema={schema} value={value} path={path} required={required} describedBy={hint ? `${id}about` : undefined} invalid={isError} onChange={change} />
      {hint && <p id={`${id}about`} className={words ? (isError ? "bad" : "warn-words") : "faint"}>{hint}</p>}
    </div>
  );
}
