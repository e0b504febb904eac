// The last executions of the flow, replayed with the draft before it is published: what would have come out otherwise.
import { useMutation } from "@tanstack/react-query";
import { Link } from "wouter";

import { addressOf, send } from "../../api/client";
import { parseJson } from "../../api/json";
import { useRefusal } from "../../api/me";
import { Button } from "../../ui/button";
import { Refusal } from "../../ui/feedback";
import { Time } from "../../ui/time";
import { useDesk } from "../desk";

const LAST = 10;

export interface Replayed {
  job_id: number;
  created_at: string;
  version: number | null;
  state: string;
  result: "same" | "changed" | "failed";
  /** The first that differs. */
  node: { id: string; name: string } | null;
  detail: string | null;
}

interface Replays {
  same: number;
  changed: number;
  failed: number;
  replays: readonly Replayed[];
}

const tones = { same: "good", changed: "warn", failed: "bad" };

async function replay(name: string, flush: () => Promise<boolean>): Promise<Replays> {
  if (!(await flush())) throw new Error("The draft is not saved, so it cannot be replayed.");
  const answer = await send("POST", addressOf("/api/v1/flows/{name}/replays", { params: { name } }), { last: LAST, version: "draft" });
  return parseJson(await answer.text()) as Replays;
}

function Line({ replayed: { job_id, created_at, version, result, node, detail } }: { replayed: Replayed }) {
  return (
    <li className="replayed">
      <span className={`state tone-${tones[result]}`}>{result}</span>
      <span><Link href={`/executions/${job_id}`}>Execution {job_id}</Link> <span className="faint">{version === null ? "" : `v${version}, `}<Time at={created_at} age /></span></span>
      {(node || detail) && <span className="soft">{node && <strong>{node.name}</strong>}{node && detail && ": "}{detail}</span>}
    </li>
  );
}

export function ReplaysOfDraft() {
  const { session } = useDesk();
  const run = useMutation({ mutationFn: () => replay(session.name, () => session.saver.flush()) });
  const refusal = useRefusal("POST /api/v1/flows/{name}/replays");
  const { data } = run;
  return (
    <section className="stack" aria-label="The last executions">
      <div className="row">
        <Button refusal={refusal} disabled={run.isPending} title="Recorded answers run through the draft. Nothing is called, sent or paid for." onClick={() => run.mutate()}>{run.isPending ? "Replaying…" : "Replay the last ten executions"}</Button>
        {data && data.replays.length > 0 && <span role="status">{data.same} the same, {data.changed} changed, {data.failed} failed</span>}
      </div>
      {run.error && <Refusal error={run.error} />}
      {data?.replays.length === 0 && <p className="soft" role="status">No execution is over yet.</p>}
      {data && data.replays.length > 0 && <ul className="replays" tabIndex={0} aria-label="Replays">{data.replays.map((replayed) => <Line key={replayed.job_id} replayed={replayed} />)}</ul>}
    </section>
  );
}
