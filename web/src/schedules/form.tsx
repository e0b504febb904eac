// A schedule in a form: when, what, and what becomes of missed times. The server checks it; its mistakes stand at
// their fields.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { put } from "../api/client";
import { isOfMembers, isOutdated, mistakesOf } from "../api/problem";
import { Chips } from "../ui/chips";
import { Dialog } from "../ui/dialog";
import { Field } from "../ui/field";
import { toast } from "../ui/toast";
import { bodyOf, type Draft, emptyDraft, Mistake } from "./definition";
import { FlowChoice } from "./flow-choice";
import { NextTimes, useNextTimes } from "./next-times";

const usualZones = [...new Set(["UTC", Intl.DateTimeFormat().resolvedOptions().timeZone])];

const isAtField = (error: unknown) => error instanceof Mistake || isOfMembers(error, Object.keys(emptyDraft("UTC")));

/** A new one replaces none, and a change only what the person saw, by its `etag`. Throws a Mistake. */
export async function saveSchedule(draft: Draft, etag: string | null) {
  const params = { name: draft.name.trim() };
  const headers: Record<string, string> = etag === null ? { "If-None-Match": "*" } : { "If-Match": etag };
  try {
    return await put("/api/v1/schedules/{name}", bodyOf(draft), { params, headers });
  } catch (error) {
    if (etag === null && isOutdated(error)) throw new Mistake("name", `There is a schedule ${params.name} already.`);
    throw error;
  }
}

/** `etag`: of the schedule that is changed; null for a new one. */
export function ScheduleForm({ start, etag, onClose }: { start: Draft; etag: string | null; onClose: () => void }) {
  const isNew = etag === null;
  const cache = useQueryClient();
  const [draft, setDraft] = useState(start);
  const set = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }));
  const save = useMutation({
    mutationFn: () => saveSchedule(draft, etag),
    onSuccess: ({ name }) => toast(`${name} is saved.`),
    onSettled: () => cache.invalidateQueries({ queryKey: ["schedules"] }),
  });
  const preview = useNextTimes(draft.by === "cron" ? draft.cron : "", draft.timezone);
  const mistakes = new Map([...mistakesOf(save.error), ...preview.mistakes]);
  if (save.error instanceof Mistake) mistakes.set(save.error.member, save.error.message);
  const change = (member: keyof Draft) => (event: { target: { value: string } }) => set({ [member]: event.target.value });
  return (
    <Dialog title={isNew ? "New schedule" : `Change ${start.name}`} act="Save" onAct={() => save.mutateAsync()} onClose={onClose} isShown={isAtField}>
      {isNew && <Field label="Name" mistake={mistakes.get("name")}>{(props) => <input className="field" required maxLength={200} {...props} value={draft.name} onChange={change("name")} />}</Field>}
      <Chips label="When" choices={[{ title: "Again and again", value: "cron" }, { title: "Once", value: "at" }]} value={draft.by} onChange={(by) => set({ by: by === "at" ? "at" : "cron" })} />
      {draft.by === "cron" ? (
        <Field label="Cron expression" mistake={mistakes.get("cron")} hint="Minute, hour, day, month, weekday; or a word such as @daily.">
          {(props) => <input className="field mono" required {...props} value={draft.cron} onChange={change("cron")} />}
        </Field>
      ) : (
        <Field label="Time" mistake={mistakes.get("at")} hint="Such as 2026-12-24T18:00, in 2h, or tomorrow 9:00.">
          {(props) => <input className="field" required {...props} value={draft.at} onChange={change("at")} />}
        </Field>
      )}
      <Field label="Time zone" mistake={mistakes.get("timezone")}>
        {(props) => (
          <>
            <input className="field" required list="schedule-zones" {...props} value={draft.timezone} onChange={change("timezone")} />
            <datalist id="schedule-zones">{usualZones.map((zone) => <option key={zone}>{zone}</option>)}</datalist>
          </>
        )}
      </Field>
      {preview.failure && <p role="alert" className="bad">{preview.failure}</p>}
      {draft.by === "cron" && <NextTimes times={preview.times} />}
      <Field label="Kind of job" mistake={mistakes.get("kind")} hint="flow runs a flow. turn is a message that an agent answers.">
        {(props) => <input className="field" required {...props} value={draft.kind} onChange={change("kind")} />}
      </Field>
      {draft.kind.trim() === "flow" && <FlowChoice onChoose={(input) => set({ input })} />}
      <Field label="Input (JSON)" mistake={mistakes.get("input")}>{(props) => <textarea className="field mono" rows={4} {...props} value={draft.input} onChange={change("input")} />}</Field>
      <Field label="Lane" mistake={mistakes.get("lane")} hint="Its jobs run one after the other there. Empty: a lane of its own.">{(props) => <input className="field" {...props} value={draft.lane} onChange={change("lane")} />}</Field>
      <Field label="Missed times" mistake={mistakes.get("missed")}>
        {(props) => (
          <select className="pick" {...props} value={draft.missed} onChange={change("missed")}>
            <option value="once">run once for all of them</option>
            <option value="all">run for each of them</option>
            <option value="skip">are left out</option>
          </select>
        )}
      </Field>
      <Field label="While the last run is active" mistake={mistakes.get("overlap")}>
        {(props) => (
          <select className="pick" {...props} value={draft.overlap} onChange={change("overlap")}>
            <option value="queue">the next one waits</option>
            <option value="skip">the next one is left out</option>
          </select>
        )}
      </Field>
    </Dialog>
  );
}
