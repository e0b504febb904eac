import { Link } from "wouter";

import { remove, type Schema } from "../api/client";
import { ActButton } from "../ui/act-button";
import { FilterField } from "../ui/filter-field";
import { useFilters } from "../ui/filters";
import { useKeyset } from "../ui/keyset-list";
import { List } from "../ui/list";
import { countText } from "../ui/numbers";
import { Page, Panel } from "../ui/page";
import type { Column } from "../ui/table";
import { Time } from "../ui/time";
import { Memories } from "./memories";

type Session = Schema["Session"];

function Delete({ name }: { name: string }) {
  const act = () => remove("/api/v1/sessions/{name}", { params: { name } });
  return (
    <ActButton danger act={act} changes={["agent-sessions"]} says={`Delete the session ${name}?`} done="The session is deleted." ask={<p className="soft">Agents forget its messages for good.</p>}>
      Delete
    </ActButton>
  );
}

const columns: Column<Session>[] = [
  { name: "Session", kind: "wide", show: ({ session }) => <span className="clip mono" title={session}>{session}</span> },
  { name: "Messages", kind: "number", named: true, show: ({ messages, messages_are_more }) => `${countText(messages)}${messages_are_more ? " or more" : ""}` },
  { name: "Last message", named: true, show: ({ last_message_at }) => <Time at={last_message_at} age /> },
  { name: "Last job", kind: "number", named: true, show: ({ last_job_id }) => <Link href={`/jobs/${last_job_id}`}>{last_job_id}</Link> },
  { name: "", show: ({ session }) => <Delete name={session} /> },
];

function Sessions() {
  const [filters, change] = useFilters(["name"]);
  const list = useKeyset("/api/v1/agent-sessions", "sessions", ["agent-sessions"], { query: filters });
  return (
    <Panel flush title="Sessions">
      <div className="filters"><FilterField name="name" label="Name, or a part of it" value={filters.name ?? ""} change={change} search /></div>
      <List label="Sessions of agents" list={list} columns={columns} keyOf={({ session }) => session} empty="No agent has a named session." />
    </Panel>
  );
}

export function MemoryPage() {
  return (
    <Page title="Memory" about="What agents remember of people and groups, and named sessions beside their conversations.">
      <Memories />
      <Sessions />
    </Page>
  );
}
