import { useRef } from "react";

import { Button } from "../../../ui/button";
import { focusLast } from "../focus-last";
import { beginOf, titleOf } from "../schema";
import { type FieldProps, SchemaField } from "./schema-field";

/** The elements in their order, which matters: rules are tried, and backups asked, one after the other. */
export function ListField({ schema, value, path, title, onChange }: FieldProps) {
  const list = Array.isArray(value) ? (value as unknown[]) : [];
  const item = schema.items ?? {};
  const write = (next: unknown[]) => onChange(next.length === 0 ? undefined : next);
  const put = (place: number, next: unknown) => write(list.map((each, index) => (index === place ? (next ?? beginOf(item)) : each)));
  const swap = (place: number) => write(list.map((each, index) => (index === place - 1 ? list[place] : index === place ? list[place - 1] : each)));
  const element = useRef<HTMLDivElement>(null);
  const add = () => {
    write([...list, beginOf(item)]);
    focusLast(element.current);
  };
  return (
    <div ref={element} className="nested" role="group" aria-label={title}>
      {list.map((each, index) => {
        const name = `${titleOf("element", item)} ${index + 1}`;
        return (
          <SchemaField
            key={index}
            name={name}
            schema={{ ...item, title: name }}
            value={each}
            path={[...path, index]}
            required={false}
            onChange={(next) => put(index, next)}
            aside={
              <>
                {index > 0 && <Button kind="plain" title="Move it up" aria-label={`Move ${name} up`} onClick={() => swap(index)}>↑</Button>}
                <Button kind="plain" title="Take it out" aria-label={`Take out ${name}`} onClick={() => write(list.filter((_each, place) => place !== index))}>✕</Button>
              </>
            }
          />
        );
      })}
      <Button onClick={add} aria-label={`Add to ${title}`}>Add</Button>
    </div>
  );
}
