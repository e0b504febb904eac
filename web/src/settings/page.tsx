import { useQuery } from "@tanstack/react-query";

import { get, type Schema } from "../api/client";
import { Chips } from "../ui/chips";
import { Loaded } from "../ui/feedback";
import { FilterField } from "../ui/filter-field";
import { useFilters } from "../ui/filters";
import { Page } from "../ui/page";
import { type Column, Table } from "../ui/table";

type Setting = Schema["Setting"];

const columns: Column<Setting>[] = [
  { name: "Setting", show: ({ key }) => <span className="mono">{key}</span> },
  { name: "Value", show: ({ value, secret }) => (value === null ? <span className="faint">unset</span> : <span className="mono">{value}{secret && <span className="faint"> (secret)</span>}</span>) },
  { name: "Source", show: ({ source, source_kind }) => <span className={`tag ${source_kind === "default" ? "" : "tone-busy"}`}>{source}</span> },
  { name: "Meaning", kind: "wide", show: ({ help, environment, fallback }) => <span className="clip soft" title={[help, environment && `Set by ${environment}.`, fallback && `Without a setting: ${fallback}.`].filter(Boolean).join(" ")}>{help}</span> },
];

export function SettingsPage() {
  const [filters, change] = useFilters(["set", "words"]);
  const settings = useQuery({
    queryKey: ["settings", filters.set],
    queryFn: ({ signal }) => get("/api/v1/settings", { query: { set: filters.set }, signal }),
  });
  const words = (filters.words ?? "").toLowerCase();
  return (
    <Page title="Settings" about="The settings of this node, with their sources. Secrets are masked.">
      <div className="filters">
        <Chips label="Which" choices={[{ title: "All", value: undefined }, { title: "Set", value: "true" }]} value={filters.set} onChange={(set) => change({ set })} />
        <FilterField name="words" label="Name or meaning" value={filters.words ?? ""} change={change} search />
      </div>
      <Loaded query={settings}>
        {({ settings: all }) => <Table label="Settings" columns={columns} rows={all.filter(({ key, help }) => `${key} ${help}`.toLowerCase().includes(words))} keyOf={({ key }) => key} />}
      </Loaded>
    </Page>
  );
}
