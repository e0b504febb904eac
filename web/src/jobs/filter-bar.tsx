import { type FormEvent, useState } from "react";

import { Button } from "../ui/button";
import { Chips } from "../ui/chips";
import { FilterField } from "../ui/filter-field";
import type { Filters } from "../ui/filters";
import { views } from "./filters";

interface Props {
  filters: Filters;
  change: (changes: Record<string, string | undefined>) => void;
}

const fields = [
  ["lane_text", "Lane, or a part of it"],
  ["flow", "Flow"],
  ["error_class", "Class of error"],
  ["after", "After, such as 2h ago"],
  ["before", "Before"],
] as const;

export function FilterBar({ filters, change }: Props) {
  const more = Object.keys(filters).some((name) => name !== "state");
  const [all, setAll] = useState(false);
  const keep = (event: FormEvent) => event.preventDefault();
  return (
    <form className="filters" role="search" onSubmit={keep}>
      <Chips label="States" choices={views.map(({ title, state }) => ({ title, value: state }))} value={filters.state} onChange={(state) => change({ state })} />
      {fields.filter(([name]) => all || filters[name] || name === "lane_text").map(([name, label]) => (
        <FilterField key={name} name={name} label={label} value={filters[name] ?? ""} change={change} search={name === "lane_text"} />
      ))}
      {!all && <Button kind="plain" onClick={() => setAll(true)}>More filters</Button>}
      {filters.lane && <Button onClick={() => change({ lane: undefined })}>lane {filters.lane} ✕</Button>}
      {filters.degraded_reason && <Button onClick={() => change({ degraded_reason: undefined })}>{filters.degraded_reason} ✕</Button>}
      {more && (
        <Button kind="plain" onClick={() => change(Object.fromEntries(Object.keys(filters).map((name) => [name, undefined])))}>
          Clear
        </Button>
      )}
    </form>
  );
}
