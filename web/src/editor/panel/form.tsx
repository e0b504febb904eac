// The form of a node's parameters: one for all types, from the JSON Schema that the server describes them with.
import { useState } from "react";

import { Fold } from "../../ui/fold";
import { plural } from "../../ui/numbers";
import type { Path } from "../document/model";
import { SchemaField } from "./fields/schema-field";
import { type ParameterSchema, splitOf } from "./schema";

interface Props {
  schema: ParameterSchema;
  value: Readonly<Record<string, unknown>>;
  path?: Path;
}

export function Form({ schema, value, path = [] }: Props) {
  const [{ first, more }] = useState(() => splitOf(schema, value)); // a field that is being written stays where it is
  const field = (name: string) => (
    <SchemaField key={name} name={name} schema={schema.properties?.[name] ?? {}} value={value[name]} path={[...path, name]} required={schema.required?.includes(name) ?? false} />
  );
  return (
    <div className="form">
      {first.map(field)}
      {more.length > 0 && <Fold className="form-more" summary={plural(more.length, "more parameter")}><div className="form">{more.map(field)}</div></Fold>}
    </div>
  );
}
