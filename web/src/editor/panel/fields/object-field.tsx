import { isObject } from "../../document/model";
import { SchemaField, type FieldProps } from "./schema-field";

/** The members that the schema names, each with its own field. */
export function ObjectField({ schema, value, path, title, onChange }: FieldProps) {
  const members = isObject(value) ? value : {};
  const change = (name: string, next: unknown) => {
    const { [name]: _before, ...rest } = members;
    onChange(next === undefined ? rest : { ...members, [name]: next });
  };
  return (
    <div className="form nested" role="group" aria-label={title}>
      {Object.entries(schema.properties ?? {}).map(([name, member]) => (
        <SchemaField key={name} name={name} schema={member} value={members[name]} path={[...path, name]} required={schema.required?.includes(name) ?? false} onChange={(next) => change(name, next)} />
      ))}
    </div>
  );
}
