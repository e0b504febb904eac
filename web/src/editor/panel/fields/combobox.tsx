// A text with a list of choices below it, for names from the server. A name that is not in the list can be typed, too.
import { type KeyboardEvent, type ReactNode, useId, useState } from "react";

import { Preview } from "../preview";
import { isExpression, takesExpressions } from "../schema";
import type { FieldProps } from "./schema-field";

export interface Choice {
  name: string;
  about?: string | undefined;
}

/** What the list has for what was typed since it was opened. */
export interface Choices {
  rows: readonly Choice[];
  isPending: boolean;
  /** In place of rows, where there are none. */
  none: ReactNode;
  /** Reads more of them; undefined where all are there. */
  more?: (() => void) | undefined;
}

interface Props extends FieldProps {
  useChoices: (search: string, open: boolean) => Choices;
}

export function Combobox({ id, title, schema, value, required, describedBy, invalid, onChange, useChoices }: Props) {
  const list = useId();
  const [open, setOpen] = useState(false);
  const [search, setSearch] = useState("");
  const [place, setPlace] = useState(-1);
  const { rows, isPending, none, more } = useChoices(search, open);
  const text = typeof value === "string" ? value : "";
  const isList = open && !isExpression(text);
  const write = (next: string) => onChange(next === "" && !required ? undefined : next);
  const close = () => {
    setOpen(false);
    setPlace(-1);
    setSearch("");
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      setOpen(true);
      setPlace(Math.max(-1, Math.min(rows.length - 1, place + (event.key === "ArrowDown" ? 1 : -1))));
    } else if (event.key === "Enter" && isList && rows[place]) {
      write(rows[place].name);
      close();
    } else if (event.key === "Escape" && open) {
      close();
      event.stopPropagation();
    } else return;
    event.preventDefault();
  };
  return (
    <div className="reference" onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && close()}>
      <input
        className="field"
        id={id}
        role="combobox"
        aria-expanded={isList}
        aria-controls={isList ? list : undefined}
        aria-autocomplete="list"
        aria-activedescendant={isList && rows[place] ? `${list}-${place}` : undefined}
        aria-describedby={describedBy}
        aria-invalid={invalid || undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder={typeof schema.default === "string" && schema.default !== "" ? schema.default : takesExpressions(schema) ? "Choose, type, or {{ expression }}" : "Choose or type"}
        value={text}
        onFocus={() => setOpen(true)}
        onClick={() => setOpen(true)}
        onKeyDown={press}
        onChange={({ target }) => {
          write(target.value);
          setSearch(target.value.includes("{{") ? "" : target.value);
          setPlace(-1);
          setOpen(true);
        }}
      />
      {open && !isList && <Preview value={text} />}
      {isList && (
        <div className="reference-list" id={list} role="listbox" aria-label={`Choices of ${title}`} tabIndex={-1}>
          {isPending && <p className="faint">Reading…</p>}
          {!isPending && rows.length === 0 && <p className="faint">{none}</p>}
          {rows.map(({ name, about }, index) => (
            <div key={name} id={`${list}-${index}`} className="add-option" role="option" aria-selected={index === place || name === text} onPointerDown={(event) => { event.preventDefault(); write(name); close(); }}>
              <strong>{name}</strong>
              <span className="soft">{about}</span>
            </div>
          ))}
          {more && <button type="button" className="link" onPointerDown={(event) => { event.preventDefault(); more(); }}>More</button>}
        </div>
      )}
    </div>
  );
}
