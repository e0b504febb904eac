import { Link } from "wouter";

import type { Schema } from "../api/client";
import { useKeyset } from "../ui/keyset-list";
import { LaneName } from "../ui/lane-name";
import { List } from "../ui/list";
import { Page } from "../ui/page";
import { State } from "../ui/state";
import type { Column } from "../ui/table";
import { Time } from "../ui/time";
import { Settle } from "./settle";
import { doubtOf } from "./settlements";

type Effect = Schema["DoubtfulEffect"];

const columns: Column<Effect>[] = [
  { name: "Effect", kind: "wide", show: ({ key, kind }) => <span className="clip"><span className="mono">{key}</span> <span className="faint">{kind}</span></span> },
  { name: "State", show: (effect) => <State {...doubtOf(effect)} /> },
  { name: "Class", show: ({ class: name }) => <span className="soft nowrap">{name.replaceAll("_", " ")}</span> },
  { name: "Job", kind: "number", named: true, show: ({ job_id }) => <Link href={`/jobs/${job_id}`}>{job_id}</Link> },
  { name: "Lane", show: ({ lane_name }) => <span className="soft"><LaneName name={lane_name} /></span> },
  { name: "Planned", show: ({ planned_at }) => <Time at={planned_at} age /> },
  { name: "", show: ({ job_id, key, state }) => <Settle job={job_id} effect={key} state={state} /> },
];

export function EffectsPage() {
  const list = useKeyset("/api/v1/effects", "effects", ["effects"], { query: { state: "in_doubt" } });
  return (
    <Page title="Effects in doubt" about="Actions outside that may have happened twice, or whose outcome nobody recorded. You decide what becomes of each.">
      <List label="Effects in doubt" list={list} columns={columns} keyOf={({ job_id, key }) => `${job_id} ${key}`} empty="No effect is in doubt." />
    </Page>
  );
}
