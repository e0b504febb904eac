import { Link } from "wouter";

import type { Schema } from "../api/client";
import { Chips } from "../ui/chips";
import { FilterField } from "../ui/filter-field";
import { useFilters } from "../ui/filters";
import { useKeyset } from "../ui/keyset-list";
import { List } from "../ui/list";
import { costText, versionText } from "../ui/numbers";
import { Page } from "../ui/page";
import { State } from "../ui/state";
import type { Column } from "../ui/table";
import { TextWithTimes, Time } from "../ui/time";
import { durationText } from "../ui/zone";

type Execution = Schema["Execution"];

const columns: Column<Execution>[] = [
  { name: "Execution", show: ({ job_id }) => <Link href={`/executions/${job_id}`} className="mono">{job_id}</Link> },
  { name: "State", show: ({ state, degraded, stopped }) => (stopped ? <State name="cancelled" words="stopped" /> : <State name={degraded ? "degraded" : state} />) },
  { name: "Flow", show: ({ flow, version, trial }) => <span className="nowrap"><Link href={`/executions?flow=${encodeURIComponent(flow ?? "")}`}>{flow}</Link> <span className="faint">{versionText(version, trial)}</span></span> },
  { name: "What", kind: "wide", show: ({ said, waits_for, error, stopped, job_id }) => <span className="clip"><Link href={`/executions/${job_id}`}>{said || "–"}</Link>{error ? <span className={stopped ? "soft" : "bad"}> · {error}</span> : waits_for && <span className="soft"> · <TextWithTimes text={waits_for} /></span>}</span> },
  { name: "Trigger", show: ({ trigger }) => <span className="soft">{trigger}</span> },
  { name: "Cost", kind: "number", show: ({ cost }) => (cost === null ? "" : costText(cost)) },
  { name: "Took", kind: "number", show: ({ took_ms }) => durationText(took_ms) },
  { name: "Created", kind: "number", show: ({ created_at }) => <Time at={created_at} age /> },
];

const states = [
  { title: "All", value: undefined },
  { title: "Running", value: "running" },
  { title: "Waiting", value: "available,scheduled,waiting,retryable" },
  { title: "Failed", value: "failed" },
  { title: "Degraded", value: "degraded" },
  { title: "Completed", value: "completed" },
  { title: "Cancelled", value: "cancelled" },
];

export function ExecutionsPage() {
  const [filters, change] = useFilters(["state", "flow", "version", "error_class", "after", "before", "degraded_reason"]);
  const list = useKeyset("/api/v1/executions", "executions", ["executions"], { query: filters });
  return (
    <Page title="Executions" about="Runs of flows, newest first.">
      <div className="filters">
        <Chips label="States" choices={states} value={filters.state} onChange={(state) => change({ state })} />
        <FilterField name="flow" label="Flow" value={filters.flow ?? ""} change={change} search />
        <FilterField name="after" label="After, such as 2h ago" value={filters.after ?? ""} change={change} />
      </div>
      <List label="Executions" list={list} columns={columns} keyOf={({ job_id }) => job_id} empty="No execution matches." />
    </Page>
  );
}
