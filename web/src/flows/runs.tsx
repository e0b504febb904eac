import { Link } from "wouter";

import type { Schema } from "../api/client";
import { Loaded, Empty } from "../ui/feedback";
import { versionText } from "../ui/numbers";
import { State } from "../ui/state";
import { type Column, Table } from "../ui/table";
import { TextWithTimes, Time } from "../ui/time";
import { durationText } from "../ui/zone";
import { useLastRuns } from "./queries";

type Execution = Schema["Execution"];

const columns: Column<Execution>[] = [
  { name: "Execution", show: ({ job_id }) => <Link href={`/executions/${job_id}`} className="mono">{job_id}</Link> },
  { name: "State", show: ({ state, degraded }) => <State name={degraded ? "degraded" : state} /> },
  { name: "What", kind: "wide", show: ({ said, error, waits_for }) => <span className="clip">{said || "–"}{error ? <span className="bad"> · {error}</span> : waits_for && <span className="soft"> · <TextWithTimes text={waits_for} /></span>}</span> },
  { name: "Version", show: ({ version, trial }) => <span className="soft nowrap">{versionText(version, trial)}</span> },
  { name: "Took", kind: "number", show: ({ took_ms }) => durationText(took_ms) },
  { name: "Created", kind: "number", show: ({ created_at }) => <Time at={created_at} age /> },
];

export function LastRuns({ flow }: { flow: string }) {
  const list = useLastRuns(flow);
  return (
    <Loaded query={{ ...list, data: list.rows }}>
      {(rows) => (rows.length === 0 ? <Empty title="It has not run yet." /> : <Table label="Last runs" columns={columns} rows={rows.slice(0, 10)} keyOf={({ job_id }) => job_id} />)}
    </Loaded>
  );
}
