// What agents remember for long: each memory with the messages that it comes from.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";

import { get, remove, type Schema } from "../api/client";
import { ActButton } from "../ui/act-button";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { FilterField } from "../ui/filter-field";
import { useFilters } from "../ui/filters";
import { useKeyset } from "../ui/keyset-list";
import { List } from "../ui/list";
import { Panel } from "../ui/page";
import type { Column } from "../ui/table";
import { Time } from "../ui/time";

type Memory = Schema["Memory"];

const ownerOf = ({ user_id, chat_id }: Memory): string => (chat_id === null ? `user ${user_id}` : `group ${chat_id}`);

function Forget({ id }: { id: Memory["memory_id"] }) {
  const act = () => remove("/api/v1/memories/{id}", { params: { id } });
  return (
    <ActButton danger act={act} changes={["memories"]} says={`Forget the memory ${id}?`} done="The memory is forgotten." ask={<p className="soft">The messages that it comes from stay.</p>}>
      Forget
    </ActButton>
  );
}

function Sources({ memory, onClose }: { memory: Memory; onClose: () => void }) {
  const whole = useQuery({
    queryKey: ["memories", String(memory.memory_id)],
    queryFn: ({ signal }) => get("/api/v1/memories/{id}", { params: { id: memory.memory_id }, signal }),
  });
  const sources = (whole.data ?? memory).sources;
  return (
    <Dialog title="Where it comes from" onClose={onClose}>
      <p>{memory.text}</p>
      {sources.length === 0 && <p className="soft">Its messages are deleted.</p>}
      <ul>
        {sources.map(({ job_id, position, text }) => (
          <li key={`${job_id} ${position}`}><Link href={`/jobs/${job_id}`}>Job {String(job_id)}</Link>{text ? `: ${text}` : ""}</li>
        ))}
      </ul>
    </Dialog>
  );
}

function ShowSources({ memory }: { memory: Memory }) {
  const [shown, setShown] = useState(false);
  return (
    <>
      <Button onClick={() => setShown(true)}>Sources</Button>
      {shown && <Sources memory={memory} onClose={() => setShown(false)} />}
    </>
  );
}

const columns: Column<Memory>[] = [
  { name: "Memory", kind: "wide", show: ({ text }) => <span className="clip" title={text}>{text}</span> },
  { name: "Kind", named: true, show: ({ kind }) => kind },
  { name: "Of", named: true, show: (memory) => <span className="mono">{ownerOf(memory)}</span> },
  { name: "Created", named: true, show: ({ created_at }) => <Time at={created_at} age /> },
  { name: "", show: (memory) => <ShowSources memory={memory} /> },
  { name: "", show: ({ memory_id }) => <Forget id={memory_id} /> },
];

export function Memories() {
  const [filters, change] = useFilters(["user", "chat"]);
  const list = useKeyset("/api/v1/memories", "memories", ["memories"], { query: filters });
  return (
    <Panel flush title="Long-term memories">
      <div className="filters">
        <FilterField name="user" label="User's id" value={filters.user ?? ""} change={change} />
        <FilterField name="chat" label="Group's id" value={filters.chat ?? ""} change={change} />
      </div>
      <List label="Memories" list={list} columns={columns} keyOf={({ memory_id }) => memory_id} empty="Nothing is remembered." />
    </Panel>
  );
}
