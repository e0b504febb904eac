import type { Schema } from "../api/client";
import { useKeyset } from "../ui/keyset-list";
import { List } from "../ui/list";
import { Page } from "../ui/page";
import { State } from "../ui/state";
import type { Column } from "../ui/table";
import { Time } from "../ui/time";

type Node = Schema["Node"];

const columns: Column<Node>[] = [
  { name: "Node", show: ({ node_id }) => <span className="mono">{node_id}</span> },
  { name: "State", show: ({ alive }) => <State name={alive ? "active" : "lost"} words={alive ? "alive" : "silent"} /> },
  { name: "Host", kind: "wide", show: ({ host, pid }) => <span className="clip">{host} <span className="faint">process {pid}</span></span> },
  { name: "Running", kind: "number", named: true, show: ({ running, slots }) => `${running} of ${slots}` },
  { name: "Polls", show: ({ polled_bots }) => polled_bots.join(", ") },
  { name: "Version", named: true, show: ({ version }) => <span className="soft">{version}</span> },
  { name: "Last heartbeat", named: true, show: ({ beat_at }) => <Time at={beat_at} age /> },
  { name: "Started", named: true, show: ({ started_at }) => <Time at={started_at} age /> },
];

export function NodesPage() {
  const list = useKeyset("/api/v1/nodes", "nodes", ["nodes"]);
  return (
    <Page title="Nodes" about="The processes that share this database. When one is silent for eight seconds, others take over its work.">
      <List label="Nodes" list={list} columns={columns} keyOf={({ node_id }) => node_id} empty="No node has reported yet." />
    </Page>
  );
}
