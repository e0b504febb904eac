// What a person can do with one job. A button whose state does not allow it is absent; where the role does not,
// it says so.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useLocation } from "wouter";

import { type Intention, intentionOf } from "../api/intention";
import { useRefusal } from "../api/me";
import { typedJson } from "../api/json";
import { sentence } from "../api/words";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { toast } from "../ui/toast";
import { isOver, type JobDetails, operate, type Operation } from "./queries";

interface Act {
  operation: Operation;
  title: string;
  says: string;
  danger?: boolean;
}

const cancel: Act = { operation: "cancel", title: "Cancel", says: "Ends the job. A running step is cut off, such as a call of a model.", danger: true };
const pause: Act = { operation: "pause", title: "Pause", says: "Stops the job at its next step until it is resumed." };
const resume: Act = { operation: "resume", title: "Resume", says: "Lets the job run again." };
const retry: Act = { operation: "retry", title: "Retry", says: "Resumes the job from the step that failed. Recorded steps do not run again." };
const restart: Act = { operation: "restart", title: "Restart", says: "Runs the job again from its beginning. Its effects may happen again." };
const fork: Act = { operation: "fork", title: "Fork", says: "Makes a new job from this one's input. It sends no answer unless you say so." };
const send: Act = { operation: "events", title: "Send event", says: "Sends an event to the wait of this job." };

function actsOf(job: JobDetails): Act[] {
  if (job.state === "failed") return [retry, restart, fork];
  if (isOver(job.state)) return [restart, fork];
  const waits = job.waits.length > 0 ? [send] : [];
  return [...waits, job.state === "paused" ? resume : pause, cancel];
}

export function Operations({ job }: { job: JobDetails }) {
  const refusal = useRefusal();
  const [asked, setAsked] = useState<Act>();
  return (
    <>
      {actsOf(job).map((act) => (
        <Button key={act.operation} {...(act.danger ? { kind: "danger" as const } : {})} title={act.says} refusal={refusal} onClick={() => setAsked(act)}>
          {act.title}
        </Button>
      ))}
      {asked && <Ask job={job} act={asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}

/** The question before an operation, with what that operation takes. `step`: it begins there. */
export function Ask({ job, act, step, onClose }: { job: JobDetails; act: Act; step?: string; onClose: () => void }) {
  const cache = useQueryClient();
  const [, navigate] = useLocation();
  const [flag, setFlag] = useState(false);
  const [type, setType] = useState(job.waits[0]?.type ?? "");
  const [payload, setPayload] = useState("");
  const [version, setVersion] = useState("");
  const last = useRef<Intention>(undefined);
  const keyOf = () => {
    last.current = intentionOf(last.current, [flag, version, payload]);
    return last.current.key;
  };
  const run = useMutation({
    mutationFn: () => operate(job.job_id, act.operation, bodyOf(), act.operation === "fork" ? keyOf() : undefined) as Promise<{ job_id?: number; operation?: { detail?: string } }>,
    onSuccess: (answer) => {
      toast(sentence(answer.operation?.detail) ?? `${act.title}: done.`);
      void cache.invalidateQueries({ queryKey: ["job", job.job_id] });
      if (act.operation === "fork" && answer.job_id) navigate(`/jobs/${answer.job_id}`);
    },
  });
  function bodyOf(): object {
    const from = { ...(step ? { from_step: step } : {}), ...(version ? { version } : {}) };
    const typed = typedJson(payload, act.operation === "fork" ? "The input" : "The payload");
    if (act.operation === "cancel") return flag ? { rollback: true } : {};
    if (act.operation === "fork") return { ...from, ...(typed === undefined ? {} : { input: typed }), ...(flag ? { answer: true } : {}) };
    if (act.operation === "events") return { type, ...(typed === undefined ? {} : { payload: typed }) };
    return from;
  }
  return (
    <Dialog title={`${act.title} job ${job.job_id}${step ? ` from ${step}` : ""}?`} act={act.title} danger={act.danger ?? false} onAct={() => run.mutateAsync()} onClose={onClose}>
      <p className="soft">{act.says}</p>
      {act.operation === "cancel" && <Choice on={flag} set={setFlag}>Undo its steps first (rollback)</Choice>}
      {act.operation === "fork" && <Choice on={flag} set={setFlag}>Send its answer to the same person</Choice>}
      {["retry", "restart", "fork"].includes(act.operation) && (
        <label className="label">
          Version of its flow
          <select className="pick" value={version} onChange={(event) => setVersion(event.target.value)}>
            <option value="">the version that it began with</option>
            <option value="current">the published version</option>
          </select>
        </label>
      )}
      {act.operation === "fork" && !step && (
        <label className="label">Other input (JSON)<textarea className="field mono" rows={4} placeholder="Empty: the input of this job" value={payload} onChange={(event) => setPayload(event.target.value)} /></label>
      )}
      {act.operation === "events" && (
        <>
          <label className="label">Type<input className="field" required value={type} onChange={(event) => setType(event.target.value)} /></label>
          <label className="label">Payload (JSON)<textarea className="field mono" rows={4} value={payload} onChange={(event) => setPayload(event.target.value)} /></label>
        </>
      )}
    </Dialog>
  );
}

function Choice({ on, set, children }: { on: boolean; set: (on: boolean) => void; children: string }) {
  return (
    <label className="row">
      <input type="checkbox" className="check" checked={on} onChange={(event) => set(event.target.checked)} />
      {children}
    </label>
  );
}

export const restartAct = restart;
export const forkAct = fork;
