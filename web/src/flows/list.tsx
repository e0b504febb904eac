import { Link } from "wouter";

import type { Schema } from "../api/client";
import { useFilters } from "../ui/filters";
import { Chips } from "../ui/chips";
import { useKeyset } from "../ui/keyset-list";
import { List } from "../ui/list";
import { Page } from "../ui/page";
import { State } from "../ui/state";
import type { Column } from "../ui/table";
import { Time } from "../ui/time";
import { ImportFlow } from "./import";
import { NewFlow } from "./new";

type Flow = Schema["Flow"];

const columns: Column<Flow>[] = [
  { name: "Flow", show: ({ name }) => <Link className="nowrap" href={`/flows/${encodeURIComponent(name)}`}>{name}</Link> },
  { name: "Description", kind: "wide", show: ({ description }) => <span className="clip soft" title={description ?? ""}>{description}</span> },
  { name: "Version", show: ({ published_version, changed }) => <span className="nowrap">{published_version === null ? "draft only" : `v${published_version}`} {changed && <span className="tag tone-warn">draft changed</span>}</span> },
  { name: "Origin", show: ({ origin }) => <span className="soft">{origin}</span> },
  { name: "Last run", show: ({ last_run }) => last_run && <Link href={`/executions/${last_run.job_id}`}><State name={last_run.degraded ? "degraded" : last_run.state} /></Link> },
  { name: "Published", show: ({ published_at }) => <Time at={published_at} age /> },
  { name: "Archived", show: ({ archived_at }) => (archived_at ? <Time at={archived_at} age /> : "") },
];

export function FlowsPage() {
  const [filters, change] = useFilters(["archived"]);
  const list = useKeyset("/api/v1/flows", "flows", ["flows"], { query: filters });
  return (
    <Page title="Flows" actions={<><ImportFlow /><NewFlow /></>} about="Agents are made of flows. A name leads to its graph, versions, operations and last runs.">
      <div className="filters"><Chips label="Flows" choices={[{ title: "In use", value: undefined }, { title: "With archived", value: "true" }]} value={filters.archived} onChange={(archived) => change({ archived })} /></div>
      <List label="Flows" list={list} columns={columns} keyOf={({ name }) => name} empty="There is no flow." />
    </Page>
  );
}
