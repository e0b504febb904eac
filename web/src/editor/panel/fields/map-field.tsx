import { useRef, useState } from "react";

import { Button } from "../../../ui/button";
import { isObject } from "../../document/model";
import { focusLast } from "../focus-last";
import { type FieldProps, SchemaField } from "./schema-field";

/** Members by names of a person's choice, whose values are texts. */
export function MapField({ value, path, title, onChange }: FieldProps) {
  const rows = Object.entries(isObject(value) ? value : {}) as [string, string][];
  const [fresh, setFresh] = useState("");
  const element = useRef<HTMLDivElement>(null);
  const write = (next: [string, string][]) => onChange(next.length === 0 ? undefined : Object.fromEntries(next));
  const put = (place: number, row: [string, string]) => write(rows.map((each, index) => (index === place ? row : each)));
  const add = () => {
    const name = fresh.trim();
    if (name === "" || rows.some(([own]) => own === name)) return;
    write([...rows, [name, ""]]);
    setFresh("");
    focusLast(element.current);
  };
  return (
    <div ref={element} className="nested" role="group" aria-label={title}>
      {rows.map(([name, text], index) => (
        <SchemaField
          key={name}
          name={name}
          schema={{ type: "string", title: name }}
          value={text}
          path={[...path, name]}
          required={false}
          onChange={(next) => put(index, [name, typeof next === "string" ? next : ""])}
          aside={<Button kind="plain" aria-label={`Take out ${name}`} title="Take it out" onClick={() => write(rows.filter((_row, place) => place !== index))}>✕</Button>}
        />
      ))}
      <div className="row map-new">
        <input className="field" placeholder="Name" aria-label={`Name of a new member of ${title}`} value={fresh} onChange={({ target }) => setFresh(target.value)} onKeyDown={(event) => event.key === "Enter" && add()} />
        <Button onClick={add} disabled={fresh.trim() === ""} aria-label={`Add to ${title}`}>Add</Button>
      </div>
    </div>
  );
}
