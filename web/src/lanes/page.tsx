import { Link } from "wouter";

import type { Schema } from "../api/client";
import { Chips, choicesOf } from "../ui/chips";
import { FilterField } from "../ui/filter-field";
import { useFilters } from "../ui/filters";
import { useKeyset } from "../ui/keyset-list";
import { LaneName } from "../ui/lane-name";
import { List } from "../ui/list";
import { Page, Panel } from "../ui/page";
import { State } from "../ui/state";
import type { Column } from "../ui/table";
import { TextWithTimes, Time } from "../ui/time";
import { BotSwitch, EverythingSwitch, LaneSwitch, useAllPaused, usePauses } from "./operate";

type Lane = Schema["Lane"];

const columns: Column<Lane>[] = [
  { name: "Lane", kind: "wide", show: ({ lane, lane_name }) => <Link href={`/lanes/${encodeURIComponent(lane)}`} title={lane}><LaneName name={lane_name} /></Link> },
  { name: "Status", show: ({ status }) => <State name={status} /> },
  { name: "Waits for", show: ({ waits_for }) => <span className="soft nowrap"><TextWithTimes text={waits_for} /></span> },
  { name: "Live jobs", kind: "number", named: true, show: ({ live_jobs, lane }) => <Link href={`/jobs?lane=${encodeURIComponent(lane)}`}>{live_jobs}</Link> },
  { name: "Mailbox", show: ({ mailbox }) => <span className="soft">{mailbox}</span> },
  { name: "Node", kind: "number", named: true, show: ({ node }) => node ?? "" },
  { name: "Paused or due", show: ({ paused_at, ready_at }) => <Time at={paused_at ?? ready_at} age /> },
  { name: "", show: ({ lane, paused_at, live_jobs }) => (paused_at !== null || live_jobs > 0) && <LaneSwitch lane={lane} paused={paused_at !== null} /> },
];

function Pauses() {
  const all = usePauses();
  if (all.length === 0) return null;
  return (
    <Panel title="Paused">
      {all.map(({ scope, since }) => (
        <p key={scope} className="row">
          <State name="paused" words={scope === "all" ? "everything" : scope} /> <span className="faint">since <Time at={since} /></span>
          {scope.startsWith("bot:") && <BotSwitch bot={scope.slice("bot:".length)} paused />}
          {scope === "all" && <EverythingSwitch paused />}
        </p>
      ))}
    </Panel>
  );
}

function Everything() {
  return useAllPaused() ? null : <EverythingSwitch paused={false} />;
}

export function LanesPage() {
  const [filters, change] = useFilters(["status", "lane_text", "lane"]);
  const list = useKeyset("/api/v1/lanes", "lanes", ["lanes"], { query: filters });
  return (
    <Page title="Lanes" about="A lane is one conversation's queue: its jobs run one after another. Lanes with work and paused lanes are listed." actions={<Everything />}>
      <Pauses />
      <div className="filters">
        <Chips label="Status" choices={[{ title: "All", value: undefined }, ...choicesOf(["running", "ready", "waiting", "paused", "idle"])]} value={filters.status} onChange={(status) => change({ status })} />
        <FilterField name="lane_text" label="Lane, or a part of it" value={filters.lane_text ?? ""} change={change} search />
      </div>
      <List label="Lanes" list={list} columns={columns} keyOf={({ lane }) => lane} empty="No lane has work, and none is paused." />
    </Page>
  );
}
