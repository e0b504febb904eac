import { useState } from "react";
import { Link } from "wouter";

import { post, remove } from "../api/client";
import { useRefusal } from "../api/me";
import { ActButton } from "../ui/act-button";
import { Button } from "../ui/button";
import { useKeyset } from "../ui/keyset-list";
import { List } from "../ui/list";
import { Page } from "../ui/page";
import { State } from "../ui/state";
import type { Column } from "../ui/table";
import { Time } from "../ui/time";
import { type Draft, draftOf, emptyDraft, type Schedule, wallClock, workOf } from "./definition";
import { ScheduleForm } from "./form";

const changes = ["schedules"];

function Acts({ schedule, change }: { schedule: Schedule; change: (schedule: Schedule) => void }) {
  const refusal = useRefusal();
  const { name, state } = schedule;
  const turn = (verb: "pause" | "resume") => () => post(`/api/v1/schedules/{name}/${verb}` as "/api/v1/schedules/{name}/pause", {}, { params: { name } });
  return (
    <span className="row acts">
      <Button refusal={refusal} aria-label={`Change ${name}`} onClick={() => change(schedule)}>Change</Button>
      {state === "paused" ? (
        <ActButton act={turn("resume")} changes={changes} says={`Lets ${name} run at its next time.`} done={`${name} runs again.`}>Resume</ActButton>
      ) : (
        state !== "ended" && <ActButton act={turn("pause")} changes={changes} says={`Starts no job of ${name} until it is resumed. What it misses is not made up for.`} done={`${name} is paused.`}>Pause</ActButton>
      )}
      <ActButton danger act={() => remove("/api/v1/schedules/{name}", { params: { name } })} changes={changes} says={`Remove ${name}?`} done={`${name} is removed.`} ask={<p className="soft">It starts no job any more. The jobs that it made stay.</p>}>
        Remove
      </ActButton>
    </span>
  );
}

function Words({ schedule }: { schedule: Schedule }) {
  const { name, error, missed } = schedule;
  return (
    <>
      <span className="clip" title={name}>{name}{error && <span className="bad"> · {error}</span>}</span>
      <span className="clip soft">{workOf(schedule)}; missed times: {missed}</span>
    </>
  );
}

const columns = (change: (schedule: Schedule) => void): Column<Schedule>[] => [
  { name: "Schedule", kind: "wide", show: (schedule) => <Words schedule={schedule} /> },
  { name: "State", show: ({ state }) => <State name={state} /> },
  { name: "When", show: ({ cron, at, timezone }) => <>{cron ? <code className="nowrap">{cron}</code> : <Time at={at} />} <span className="faint">{timezone}</span></> },
  { name: "Next", named: true, show: ({ next: [time] }) => <span className="nowrap" title={time}>{time ? wallClock(time) : "–"}</span> },
  { name: "Runs", named: true, show: ({ runs, last_at, last_job }) => <>{runs}{last_job && <>, <Link href={`/jobs/${last_job}`}>last <Time at={last_at} age /></Link></>}</> },
  { name: "", show: (schedule) => <Acts schedule={schedule} change={change} /> },
];

export function SchedulesPage() {
  const list = useKeyset("/api/v1/schedules", "schedules", ["schedules"]);
  const refusal = useRefusal();
  const [form, setForm] = useState<{ draft: Draft; etag: string | null }>();
  const begin = () => setForm({ draft: emptyDraft(Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC"), etag: null });
  return (
    <Page title="Schedules" about="Jobs that begin by the clock. Each follows the clock of its own time zone." actions={<Button kind="main" refusal={refusal} onClick={begin}>New schedule</Button>}>
      <List
        label="Schedules"
        list={list}
        columns={columns((schedule) => setForm({ draft: draftOf(schedule), etag: schedule.etag }))}
        keyOf={({ name }) => name}
        empty="There is no schedule."
        hint="Flows with a schedule trigger appear here once they are published."
      />
      {form && <ScheduleForm start={form.draft} etag={form.etag} onClose={() => setForm(undefined)} />}
    </Page>
  );
}
