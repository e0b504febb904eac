// The name of something elsewhere, from the server's own list. A name that is not in the list can be typed, too.
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useId, useState } from "react";

import { get } from "../../../api/client";
import { costText, tokensText } from "../../../ui/numbers";
import { takesExpressions } from "../schema";
import type { FieldProps } from "./schema-field";

interface Option {
  name: string;
  title?: string;
}

function useOptions(reference: string, search: string, open: boolean) {
  return useInfiniteQuery({
    queryKey: ["options", reference, search],
    queryFn: ({ signal, pageParam }) => get("/api/v1/options/{reference}", { params: { reference }, query: { search, cursor: pageParam }, signal }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
    enabled: open,
    staleTime: 30_000,
  });
}

/** What a model can do and costs, by the entry of the configuration that asks it. */
function useModelWords(reference: string, open: boolean): (name: string) => string {
  const { data } = useQuery({ queryKey: ["models"], queryFn: ({ signal }) => get("/api/v1/models", { signal }), enabled: open && reference === "model", staleTime: 60_000 });
  return (name) => {
    const model = data?.models.find(({ entries }) => entries.includes(name));
    if (!model) return "";
    const able = (words: string, can: boolean | null) => (can === null ? "" : can ? words : `no ${words}`);
    const price = model.price && `${costText(model.price.input)} in, ${costText(model.price.output)} out for a million tokens`;
    return [model.name, able("tools", model.tools), able("vision", model.vision), model.context && `${tokensText(model.context)} context`, price].filter(Boolean).join(" · ");
  };
}

export function ReferenceField({ id, title, schema, value, required, describedBy, invalid, onChange }: FieldProps) {
  const list = useId();
  const [open, setOpen] = useState(false);
  const [search, setSearch] = useState("");
  const [place, setPlace] = useState(-1);
  const reference = schema["x-reference"] ?? "";
  const options = useOptions(reference, search, open);
  const wordsOf = useModelWords(reference, open);
  const rows: Option[] = options.data?.pages.flatMap((page) => page.options) ?? [];
  const text = typeof value === "string" ? value : "";
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
    } else if (event.key === "Enter" && open && rows[place]) {
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
        aria-expanded={open}
        aria-controls={open ? list : undefined}
        aria-autocomplete="list"
        aria-activedescendant={open && rows[place] ? `${list}-${place}` : undefined}
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
          setOpen(true);
        }}
      />
      {open && (
        <div className="reference-list" id={list} role="listbox" aria-label={`Choices of ${title}`} tabIndex={-1}>
          {options.isPending && <p className="faint">Reading…</p>}
          {options.data && rows.length === 0 && <p className="faint">{search ? "Nothing in the configuration matches." : "The configuration has none."}</p>}
          {rows.map(({ name, title: more }, index) => (
            <div key={name} id={`${list}-${index}`} className="add-option" role="option" aria-selected={index === place || name === text} onPointerDown={(event) => { event.preventDefault(); write(name); close(); }}>
              <strong>{name}</strong>
              <span className="soft">{wordsOf(name) || more}</span>
            </div>
          ))}
          {options.hasNextPage && <button type="button" className="link" onPointerDown={(event) => { event.preventDefault(); void options.fetchNextPage(); }}>More</button>}
        </div>
      )}
    </div>
  );
}
